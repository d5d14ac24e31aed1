"""Evidence and sentences in the columns of a user's own file."""

from __future__ import annotations

from typing import Protocol

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.records.columns import guess_column
from nliprobe.base.records.read import Record
from nliprobe.corpora._lists import is_list, list_in
from nliprobe.corpora._naming import NAMINGS, Naming, named_units
from nliprobe.task.evidence import GRADE_WORDS, Evidence, Grade
from nliprobe.task.pair import Premise, Span
from nliprobe.task.table import Table
from nliprobe.task.units import Sentences

# ``evidence=column:gold`` is the column, where ``gold`` alone is also the name of evidence that can be attached.
COLUMN = "column:"


class EvidenceColumns(Protocol):
    """What the user says about the evidence in a file."""

    @property
    def evidence(self) -> str:
        """The column of the units that matter."""
        ...

    @property
    def units(self) -> str:
        """How it names them."""
        ...

    @property
    def grade(self) -> str:
        """How the evidence is known."""
        ...

    @property
    def outside(self) -> str:
        """The column that says whether knowledge from outside is needed, too."""
        ...


class EvidenceReader:
    """Reads the evidence of a pair from its line; what the columns mean must be declared."""

    def __init__(self, options: EvidenceColumns) -> None:
        self._name = options.evidence.removeprefix(COLUMN)
        self._outside = options.outside
        if not self._name:
            given = next((key for key in ("units", "grade", "outside") if getattr(options, key)), None)
            if given is not None:
                raise UsageError(f"{given}={getattr(options, given)} is about evidence: add evidence=COLUMN.")
            return
        if options.units not in list(Naming):
            what = f"units={options.units} is unknown" if options.units else "units is not declared"
            raise UsageError(
                f"evidence={options.evidence} names a column, but {what}. "
                f"Say how it names rows or sentences: {NAMINGS}."
            )
        if options.grade not in list(Grade):
            what = f"grade={options.grade} is unknown" if options.grade else "grade is not declared"
            grades = "; ".join(f"grade={grade.value} ({words})" for grade, words in GRADE_WORDS.items())
            raise UsageError(f"evidence={options.evidence} names a column, but {what}. Say how it is known: {grades}.")
        self._naming, self._grade = Naming(options.units), Grade(options.grade)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that hold evidence and nothing else."""
        return tuple(name for name in (self._name, self._outside) if name)

    def read(self, record: Record, premise: Premise, sentences: tuple[Span, ...], place: str) -> Evidence | None:
        """Return the evidence of a line, or None if its cell is empty."""
        if not self._name:
            return None
        name = guess_column(record, [self._name])
        if name is None or record[name] in (None, ""):
            return None
        size = len(premise.rows) if isinstance(premise, Table) else len(sentences)
        if not size:
            raise DataError(
                f"{place}: column '{name}' names parts of the premise, but the premise is neither a table nor a list "
                "of sentences. Give a list of sentences with sentences=COLUMN."
            )
        named = named_units(record[name], self._naming, premise, size, name=name, place=place)
        if named is None:
            return None
        return Evidence(named.units, self._grade, outside=self._says_outside(record, place) or bool(named.outside))

    def _says_outside(self, record: Record, place: str) -> bool:
        name = guess_column(record, [self._outside]) if self._outside else None
        return name is not None and truth(record[name], name, place)


def truth(value: object, name: str, place: str) -> bool:
    """Return whether a cell says yes; an empty one says no."""
    text = "" if value is None else str(value).strip().casefold()
    if text not in ("", "0", "1", "true", "false", "yes", "no"):
        raise DataError(f"{place}: column '{name}' should hold 0 or 1, not {value!r:.60}.")
    return text in ("1", "true", "yes")


def joined_sentences(value: object, name: str, place: str) -> tuple[str, tuple[Span, ...]]:
    """Return the text of a list of sentences, with a space between them, and where each of them is.

    >>> joined_sentences(["It rained.", "We left."], "context", "line 1")
    ('It rained. We left.', ((0, 10), (11, 19)))
    """
    if not is_list(value):
        raise DataError(f"{place}: column '{name}' should hold a list of sentences, not {value!r:.60}.")
    pieces: list[str] = []
    for item in list_in(value, name, place):
        if not isinstance(item, str) or not item.strip():
            raise DataError(
                f"{place}: column '{name}' should hold a list of sentences, but one of them is {item!r:.60}."
            )
        pieces.append(item.strip())
    if not pieces:
        raise DataError(f"{place}: the list of sentences in column '{name}' is empty.")
    passage = Sentences.of(pieces)
    return passage.premise, passage.spans
