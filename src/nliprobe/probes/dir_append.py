"""``dir.append``: add a tautology to the premise. The label stays, and so do the probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.base.errors import UsageError
from nliprobe.language.words import FUNCTION_WORDS, lower_words
from nliprobe.probes import PROBES, Probe
from nliprobe.task.about import About
from nliprobe.task.case import Case, Skip
from nliprobe.task.edits import Edit, insert_unit, replace_in_premise
from nliprobe.task.pair import Pair
from nliprobe.task.relations import SAME
from nliprobe.task.rules import And, Close
from nliprobe.task.source import Pool
from nliprobe.task.table import Row, Table
from nliprobe.task.units import Rows, row_text

# True by their form alone, and about nothing.
SENTENCES = (
    "It is what it is.",
    "Whatever happens happens.",
    "What is true is true.",
    "Things are as they are.",
    "Everything is itself.",
    "Something is so or it is not so.",
)
_KEYS = ("Note", "Remark")


@PROBES.register("dir.append")
@dataclass(frozen=True)
class DirAppend(Probe):
    """Put a tautology at the end of the premise, as a sentence or as a last row; ``tolerance`` is for probabilities."""

    tolerance: float = 0.1

    about: ClassVar[About] = About(
        "A sentence that is true whatever happens is added to the premise. No answer may change.",
        "The answer moves with text that says nothing.",
        "broken",
    )

    def __post_init__(self) -> None:
        if not 0 <= self.tolerance <= 1:
            raise UsageError(f"'dir.append?tolerance' should be from 0 to 1, not {self.tolerance}.")

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield one case per pair."""
        words = set(lower_words(pair.hypothesis)) - FUNCTION_WORDS
        fitting = [text for text in SENTENCES if not words & (set(lower_words(text)) - FUNCTION_WORDS)]
        if not fitting:
            yield self.skip("the hypothesis uses the words of every sentence that could be added")
            return
        edit = _appended(pair, self.draws(pair).choice(fitting))
        if isinstance(edit, str):
            yield self.skip(edit)
            return
        yield self.case(pair, (edit,), expects=And((SAME, Close(self.tolerance))))


def _appended(pair: Pair, sentence: str) -> Edit | str:
    premise = pair.premise
    if not isinstance(premise, Table):
        end = len(premise.rstrip())
        if not end:
            return "the premise is empty"
        joint = " " if premise[end - 1] in ".!?\"'”’)" else ". "
        return replace_in_premise(premise, (end, end), joint + sentence)
    if premise.columns:
        return "a row of a many-column table may change counts"
    free = [key for key in _KEYS if key not in premise.keys]
    if not free:
        return f"the table has the rows {' and '.join(_KEYS)} already"
    return insert_unit(Rows(premise), len(premise.rows), row_text(Row(free[0], (sentence,))))
