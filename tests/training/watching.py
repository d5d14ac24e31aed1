"""Watchers of training for tests."""

from __future__ import annotations


class Notes:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.steps = self.total = self.before = 0

    def begin(self, steps: int, done: int) -> None:
        self.total, self.before = steps, done

    def advance(self, loss: float | None) -> None:
        self.steps += 1

    def say(self, line: str) -> None:
        self.lines.append(line)


class Breaks(Notes):
    """Breaks training off after some steps, as a crash would."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after

    def advance(self, loss: float | None) -> None:
        super().advance(loss)
        if self.steps == self.after:
            raise RuntimeError("crash")
