"""What wants to know how a run goes on."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """What wants to know how a run goes on."""

    def begin(self, pairs: int | None) -> None:
        """The run begins: so many pairs will be asked, if that is known."""

    def start(self, system: str, shard: int, inputs: int, known: int) -> None:
        """A shard begins for a system: so many distinct inputs, so many of them known already."""

    def advance(self, inputs: int) -> None:
        """Inputs were answered."""

    def shard_done(self, shard: int, cases: int, pairs: int) -> None:
        """A shard is complete for all systems: so many cases, of so many pairs asked as they are."""


class Silent:
    """Progress for nobody."""

    def begin(self, pairs: int | None) -> None:
        """Nothing."""

    def start(self, system: str, shard: int, inputs: int, known: int) -> None:
        """Nothing."""

    def advance(self, inputs: int) -> None:
        """Nothing."""

    def shard_done(self, shard: int, cases: int, pairs: int) -> None:
        """Nothing."""
