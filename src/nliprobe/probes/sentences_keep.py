"""``sentences.keep``: leave one sentence of the evidence alone. It must give the label by itself.

Where several sentences suffice each alone, deleting one of them says nothing about what a model reads, but keeping one
of them does. Which sentences a model reads is known if each is kept in turn: an irrelevant one must leave it open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.base.errors import UsageError
from nliprobe.probes import PROBES
from nliprobe.probes._sentences import SentenceProbe
from nliprobe.probes._units import NOT_MARKED, Which
from nliprobe.task.about import About
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.edits import keep_unit
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.labels import N
from nliprobe.task.pair import Pair
from nliprobe.task.relations import DELETE_IRRELEVANT, DELETE_RELEVANT
from nliprobe.task.source import Pool
from nliprobe.task.units import Units


@PROBES.register("sentences.keep")
@dataclass(frozen=True)
class SentencesKeep(SentenceProbe):
    """Keep each sentence of the evidence alone (or ``n`` seeded draws per pair), where one suffices by itself.

    ``which=irrelevant`` keeps the other sentences, ``which=each`` all of them, one at a time.
    """

    n: int | None = None
    which: Which = Which.RELEVANT

    about: ClassVar[About] = About(
        "All sentences are taken out but one that decides by itself. The label and the answer stay.",
        "The model does not find in one sentence what the whole passage told it, or what people found there.",
    )
    reads_evidence: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.at_least("n", self.n)
        if self.which is Which.ALL_RELEVANT:
            raise UsageError(f"'{self.name}' keeps one sentence: 'which' should be relevant, irrelevant or each.")

    def unit_cases(self, pair: Pair, units: Units, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield one case per sentence."""
        if pair.evidence is None:
            yield self.skip(NOT_MARKED)
            return
        marked = [place for place in pair.evidence.units if place < len(units)]
        wanted = {Which.RELEVANT: marked, Which.EACH: list(range(len(units)))}
        others = [place for place in range(len(units)) if place not in marked]
        places = wanted.get(self.which, others)
        reason = _unfit(pair.evidence, marked) or ("" if places else "every sentence is relevant")
        if reason:
            yield self.skip(reason)
            return
        if self.n is not None and self.n < len(places):
            places = sorted(self.draws(pair).sample(places, self.n))
        for place in places:
            edits = (keep_unit(units, place),)
            # With a relevant sentence, everything that goes is irrelevant or says the same once more, so the answer
            # stays. With another one, all that is relevant goes.
            kind, gold = (DELETE_IRRELEVANT, pair.gold) if place in marked else (DELETE_RELEVANT, N)
            certainty = self.certainty(pair, units, kind, edits)
            if pair.evidence.grade is not Grade.GOLD:
                certainty = Certainty.LIKELY
            yield self.case(
                pair,
                edits,
                gold=gold,
                expects=kind.relation,
                certainty=certainty,
                edited=units.keep(place).premise,
            )


def _unfit(evidence: Evidence, places: list[int]) -> str:
    if not places:
        return "no sentence is relevant"
    if len(places) > 1 and not evidence.alone:
        return "the sentences of the evidence are needed together"
    return ""
