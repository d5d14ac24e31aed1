"""What a worker of a cluster says after its answers, beside what it has counted."""

from __future__ import annotations

from typing import ClassVar

import pytest
from tests.engine.fakes import Hasher, system

from nliprobe.engine.on_ray.worker import counts_of, notes_beside_counts


class Counting(Hasher):
    """Counts what it cut, and had to do with less memory."""

    counted: ClassVar[tuple[str, ...]] = ("cut", "seen")
    cut, seen = 3, 40

    def notes(self) -> list[str]:
        """Say both."""
        return [*([f"{self.cut} of {self.seen} were cut."] if self.cut else []), "Batches were halved."]


class Broken(Counting):
    """Cannot say anything."""

    def notes(self) -> list[str]:
        """Fail."""
        raise RuntimeError("no")


def test_counts_are_left_to_who_adds_them_up() -> None:
    asked = system(Counting())
    assert notes_beside_counts(asked) == ["Batches were halved."]
    assert counts_of(asked) == {"cut": 3, "seen": 40}
    assert asked.model.notes() == ["3 of 40 were cut.", "Batches were halved."]


def test_counts_survive_a_model_that_fails_to_say_its_notes() -> None:
    asked = system(Broken())
    with pytest.raises(RuntimeError):
        notes_beside_counts(asked)
    assert counts_of(asked) == {"cut": 3, "seen": 40}
