"""Which cases of a run are wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from nliprobe.task.pair import Facet

# In the place of a label: the system was asked and gave none; it was not asked.
UNANSWERED: Final = "none"
UNASKED: Final = "not asked"
# In the place of an outcome: whatever the system had answered, the rule would hold.
ANY_ALLOWED: Final = "any allowed"
# In the place of a gold label.
NO_GOLD: Final = "none"
# In the place of the name of a system.
ANY_SYSTEM: Final = ""


class WantedAnswer(NamedTuple):
    """A system, and the labels that it answered, such as E or NC; or ``UNANSWERED``, or ``UNASKED``."""

    system: str
    answer: str


class WantedOutcome(NamedTuple):
    """A system (or ``ANY_SYSTEM``), what is judged (``gold`` or ``expects``), and the outcome or ``ANY_ALLOWED``."""

    system: str
    judged: str
    outcome: str


@dataclass(frozen=True)
class Wanted:
    """Which cases are wanted: all conditions hold; one that is none or empty asks for nothing.

    Attributes:
        corpus: the name of the corpus.
        probe: the name of the probe.
        gold: the gold labels, or ``NO_GOLD``.
        certainty: how sure the expectation is.
        group: the id of the group of the pair, such as its table.
        pair: the id of the pair that the case asks, or is made from by its edits.
        facets: values of the case or of its pair.
        answers: what systems answered.
        outcomes: what became of gold labels and expectations.
        disagree: whether two systems gave answers that have no label in common.
        search: words that the premise, the hypothesis, the ids or the edit hold; the beginning of the case's id.
    """

    corpus: str | None = None
    probe: str | None = None
    gold: str | None = None
    certainty: str | None = None
    group: str | None = None
    pair: str | None = None
    facets: tuple[Facet, ...] = ()
    answers: tuple[WantedAnswer, ...] = ()
    outcomes: tuple[WantedOutcome, ...] = ()
    disagree: bool = False
    search: str = ""
