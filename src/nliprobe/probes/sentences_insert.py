"""``sentences.insert``: put a sentence of another passage into the passage.

What is entailed or contradicted stays so: the new sentence is about something else. A neutral answer may change to
anything in principle, as in ``rows.insert``: more text can hold more support.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from nliprobe.base.hashing import digest
from nliprobe.language import reference
from nliprobe.language.content import content_words
from nliprobe.probes import PROBES
from nliprobe.probes._donors import Donor, donors
from nliprobe.probes._sentences import SentenceProbe
from nliprobe.task.about import About
from nliprobe.task.case import Case, Skip
from nliprobe.task.edits import insert_unit
from nliprobe.task.pair import Pair
from nliprobe.task.relations import INSERT
from nliprobe.task.source import Pool
from nliprobe.task.units import Units

# How many sentences are tried per case. In Climate-FEVER, whose passages have one topic, 94 % of pairs need under 100.
_TRIES = 400
# The new sentence may share this share of its words with the passage: long passages have every common word.
_SHARED = 0.15


@PROBES.register("sentences.insert")
@dataclass(frozen=True)
class SentencesInsert(SentenceProbe):
    """Insert ``n`` seeded sentences per pair, one at a time, from passages of other groups.

    They share no word with the hypothesis and few with the passage, and no sentence that points back comes after them.
    """

    n: int = 1

    about: ClassVar[About] = About(
        "A sentence about something else is put into the passage. What was entailed or contradicted stays so.",
        "The answer is moved by a sentence that has nothing to do with the hypothesis.",
    )
    needs_pool: ClassVar[bool] = True
    reads: ClassVar[str] = digest(SentenceProbe.reads, "donors 1")

    def __post_init__(self) -> None:
        self.at_least("n", self.n)

    def unit_cases(self, pair: Pair, units: Units, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield one case per new sentence; fewer than ``n`` if the split has fewer that fit."""
        places = _places(units)
        random = self.draws(pair)
        fitting = _fitting(pair, units, donors(pool) if pool is not None else (), self.n, random)
        if not fitting:
            yield self.skip("no sentence of another passage is about something else and stands by itself")
            return
        for donor in fitting:
            place = random.choice(places)
            edits = (insert_unit(units, place, donor.text),)
            certainty = self.certainty(pair, units, INSERT, edits)
            edited = units.insert(place, donor.text).premise
            yield self.case(pair, edits, expects=INSERT.relation, certainty=certainty, edited=edited)


def _places(units: Units) -> list[int]:
    """Return where a sentence can go in without coming between a reference and what it points to."""
    return [*(place for place in range(len(units)) if not reference.leans_back(units.text(place))), len(units)]


def _fitting(pair: Pair, units: Units, stock: tuple[Donor, ...], n: int, random: Random) -> list[Donor]:
    asked = content_words(pair.hypothesis)
    told = content_words(" ".join(units.text(place) for place in range(len(units))))
    chosen: list[Donor] = []
    for donor in random.sample(stock, min(_TRIES, len(stock))):
        if donor.group == (pair.group or pair.id) or donor.words & asked:
            continue
        if len(donor.words & told) <= _SHARED * len(donor.words):
            chosen.append(donor)
            if len(chosen) == n:
                break
    return chosen
