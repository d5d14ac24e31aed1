"""The base of probes that make new pairs from one sentence of a corpus: the sentence, and the same with other words.

The label of such a pair follows from what was replaced, so the corpus need not have labels, and the answer is compared
with no other answer.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from nliprobe.probes import Probe
from nliprobe.probes._texts import Change
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.edits import Edit, apply_edits, replace_in_hypothesis, replace_in_premise
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.source import Pool
from nliprobe.task.table import Table

A_TABLE = "the premise is a table, and the test needs two sentences"
EMPTY = "the sentence is empty"
REPEATED = "the sentence was used for an earlier pair"


class Side(StrEnum):
    """Which sentence of a pair is used."""

    PREMISE = "premise"
    HYPOTHESIS = "hypothesis"


@dataclass(frozen=True)
class NewPairProbe(Probe):
    """Makes pairs of a sentence and its changed copy.

    ``of`` says which sentence of a pair is used; pairs that share a premise give it once.
    """

    of: Side = Side.PREMISE

    needs_pool = True

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield the new pairs of a pair's sentence, or the reason why there are none."""
        if isinstance(pair.premise, Table):
            yield self.skip(A_TABLE)
            return
        sentence = pair.premise if self.of is Side.PREMISE else pair.hypothesis
        if not sentence.strip():
            yield self.skip(EMPTY)
        elif self.of is Side.PREMISE and pool is not None and pool.repeats(pair):
            yield self.skip(REPEATED)
        else:
            yield from self.new_pairs(pair, sentence)

    @abstractmethod
    def new_pairs(self, pair: Pair, sentence: str) -> Iterator[Case | Skip]:
        """Yield the new pairs that a sentence gives, or the reason why it gives none."""

    def new_pair(
        self,
        pair: Pair,
        sentence: str,
        gold: LabelSet,
        *,
        premise: Sequence[Change] = (),
        hypothesis: Sequence[Change] = (),
        certainty: Certainty = Certainty.CERTAIN,
        facets: tuple[Facet, ...] = (),
    ) -> Case | Skip:
        """Make the case whose texts are the sentence with some changes on either side.

        Args:
            pair: the source pair.
            sentence: its sentence.
            gold: the label of the new pair.
            premise: what is changed in the sentence to make the premise.
            hypothesis: what is changed in the sentence to make the hypothesis.
            certainty: how sure the label is.
            facets: what else is known about the new pair.
        """
        assert isinstance(pair.premise, str)
        edits: list[Edit] = []
        if pair.premise != sentence:
            edits.append(replace_in_premise(pair.premise, (0, len(pair.premise)), sentence))
        # From the end backwards, so that every span is a span of the sentence.
        edits += [replace_in_premise(sentence, item[:2], item.after) for item in sorted(premise, reverse=True)]
        if pair.hypothesis != sentence:
            edits.append(replace_in_hypothesis(pair.hypothesis, (0, len(pair.hypothesis)), sentence))
        edits += [replace_in_hypothesis(sentence, item[:2], item.after) for item in sorted(hypothesis, reverse=True)]
        if apply_edits(pair.premise, pair.hypothesis, tuple(edits)) == (pair.premise, pair.hypothesis):
            return self.skip("the pair itself is what the test would make")
        return self.case(pair, tuple(edits), gold=gold, certainty=certainty, facets=facets, alone=True)
