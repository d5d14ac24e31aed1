"""What a list of cases holds: the cases, their answers, and how many there are of each kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from nliprobe.task.edits import Edit

# Values of a facet that are listed with their numbers, the most frequent first; others are found by their name.
MOST_VALUES = 50


class ListedAnswer(NamedTuple):
    """What a system answered to a case: labels, ``UNANSWERED`` or ``UNASKED``; and both outcomes.

    The outcome of an expectation that every answer would have kept is ``ANY_ALLOWED``.
    """

    system: str
    answer: str
    gold: str
    expects: str


class ListedCase(NamedTuple):
    """A case as a list shows it.

    ``premise`` is the beginning of the premise of its pair, a table as lines; ``hypothesis`` is what was asked.
    """

    case_id: str
    pair_id: str
    group: str
    corpus: str
    probe: str
    gold: str
    certainty: str
    premise: str
    hypothesis: str
    edits: tuple[Edit, ...]
    answers: tuple[ListedAnswer, ...]


class Page(NamedTuple):
    """Some cases, how many there are in all, and how many before the first of them.

    ``before`` and ``after`` are the ids by which the pages around it are asked for, None if there is none.
    """

    cases: tuple[ListedCase, ...]
    total: int
    start: int
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Counts:
    """How many cases have each value, if everything else that is wanted stays as it is.

    Attributes:
        corpus: by corpus.
        probe: by probe.
        gold: by gold label.
        certainty: by certainty.
        answers: by system and answer.
        outcomes: by system, by what is judged (``gold`` or ``expects``) and by outcome.
        facets: by facet and value, at most ``MOST_VALUES`` values each; those of a chosen facet among what is found.
        more_values: how many values of a facet are not listed.
    """

    corpus: dict[str, int]
    probe: dict[str, int]
    gold: dict[str, int]
    certainty: dict[str, int]
    answers: dict[str, dict[str, int]]
    outcomes: dict[str, dict[str, dict[str, int]]]
    facets: dict[str, dict[str, int]]
    more_values: dict[str, int]
