"""What a run reports while it goes on."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Is told how far a run is."""

    def begin(self, pairs: int | None) -> None:
        """Note that the run begins, with the number of pairs if it is known."""

    def start(self, system: str, shard: int, inputs: int, known: int) -> None:
        """Note that a system begins a shard, with the number of distinct inputs and how many are known already."""

    def advance(self, inputs: int) -> None:
        """Note that inputs were answered."""

    def shard_done(self, shard: int, cases: int, pairs: int) -> None:
        """Note that all systems have finished a shard, with its cases and the pairs that it asks as they are."""


class Silent:
    """Shows no progress."""

    def begin(self, pairs: int | None) -> None:
        """Do nothing."""

    def start(self, system: str, shard: int, inputs: int, known: int) -> None:
        """Do nothing."""

    def advance(self, inputs: int) -> None:
        """Do nothing."""

    def shard_done(self, shard: int, cases: int, pairs: int) -> None:
        """Do nothing."""
