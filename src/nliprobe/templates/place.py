"""Positions in a template file, and errors that name them."""

from __future__ import annotations

from typing import NamedTuple

from nliprobe.base.errors import DataError

# Characters of a problem that are shown: a message may quote a text of the file, which can be long.
_LONGEST = 1_000


class Place(NamedTuple):
    """A position in a file: lines and columns are counted from 1."""

    file: str
    line: int
    column: int
    template: str = ""

    def __str__(self) -> str:
        name = f", template {self.template}" if self.template else ""
        return f"{self.file}, line {self.line}, column {self.column}{name}"

    def moved(self, columns: int) -> Place:
        """Return the place that many columns further on the same line."""
        return self._replace(column=self.column + columns)


class TemplateError(DataError):
    """Something in a template file is wrong."""

    def __init__(self, place: Place, problem: str) -> None:
        self.place = place
        self.problem = (
            problem if len(problem) <= _LONGEST else f"{problem[: _LONGEST // 2]} … {problem[-_LONGEST // 4 :]}"
        )
        super().__init__(f"{place}: {self.problem}")
