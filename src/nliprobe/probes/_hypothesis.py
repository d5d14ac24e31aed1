"""What all perturbations of hypotheses share: their record, parameters, and the case they make (tables.md, T6)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import ClassVar, NamedTuple

from nliprobe.probes import Probe
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.edits import replace_in_hypothesis
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair, Span
from nliprobe.task.relations import SAME, Relation
from nliprobe.task.source import Pool

NO_LABEL = "the pair has no gold label, so the label after an edit is not known"
NEUTRAL = "the pair is neutral, and what an edit makes of it is open"
FLIPPED = Relation.of({"E": "C", "C": "E"})
_FLIP = {"E": "C", "C": "E"}
_GOLDS = {letter: LabelSet.of(letter) for letter in "EC"}


class Effect(StrEnum):
    """What a perturbation does to the label."""

    PRESERVE = "preserve"
    FLIP = "flip"

    __hash__ = str.__hash__  # that of an Enum is written in Python


class Effects(StrEnum):
    """Which perturbations a probe makes."""

    BOTH = "both"
    PRESERVE = "preserve"
    FLIP = "flip"


class Perturbation(NamedTuple):
    """One edit of a hypothesis, and what it does to the label.

    Attributes:
        span: the part that is replaced; an empty one where words are inserted.
        after: what replaces it.
        rule: the rule that says what happens to the label, in a few words with hyphens: ``over-lowered``.
        effect: whether the label stays or flips.
        certainty: how sure that is.
    """

    span: Span
    after: str
    rule: str
    effect: Effect
    certainty: Certainty = Certainty.CERTAIN


@dataclass(frozen=True)
class HypothesisProbe(Probe):
    """A probe that edits the hypothesis of a pair labelled E or C, so that its label stays or flips.

    ``effect`` chooses those that ``preserve`` or ``flip`` the label; ``n`` limits how many a pair gives, drawn by the
    seed among the most certain ones.
    """

    effect: Effects = Effects.BOTH
    n: int | None = None

    kind: ClassVar[str] = ""

    @abstractmethod
    def perturbations(self, pair: Pair, label: str, pool: Pool | None) -> Iterator[Perturbation] | str:
        """Return the perturbations of a pair with the label E or C, or the reason why it has none."""

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield one case per perturbation; its gold label is the expected one."""
        label = "" if pair.gold is None else str(pair.gold)
        if label not in _FLIP:
            yield self.skip(NEUTRAL if label == "N" else NO_LABEL)
            return
        made = self.perturbations(pair, label, pool)
        if isinstance(made, str):
            yield self.skip(made)
            return
        chosen = self._chosen(pair, made)
        if not chosen:
            yield self.skip(f"nothing in the hypothesis can be changed with this effect: {self.effect.value}")
        for text, one in chosen:
            yield self._case(pair, label, one, text)

    def _chosen(self, pair: Pair, made: Iterator[Perturbation]) -> list[tuple[str, Perturbation]]:
        """Return the perturbations that are wanted, each with the hypothesis it makes, which no other one makes."""
        before = pair.hypothesis
        wanted = None if self.effect is Effects.BOTH else Effect(self.effect.value)
        kept: dict[str, Perturbation] = {}
        for one in made:
            start, stop = one.span
            text = before[:start] + one.after + before[stop:]
            if text != before and (wanted is None or one.effect is wanted):
                kept.setdefault(text, one)
        chosen = list(kept.items())
        if self.n is None or self.n >= len(chosen):
            return chosen
        order = self.draws(pair).sample(chosen, len(chosen))
        levels = list(Certainty)
        return sorted(order, key=lambda item: levels.index(item[1].certainty))[: self.n]

    def _case(self, pair: Pair, label: str, one: Perturbation, text: str) -> Case:
        flips = one.effect is Effect.FLIP
        return self.case(
            pair,
            (replace_in_hypothesis(pair.hypothesis, one.span, one.after),),
            expects=FLIPPED if flips else SAME,
            gold=_GOLDS[_FLIP[label] if flips else label],
            certainty=one.certainty,
            facets=_facets(one.rule, one.effect, self.kind),
            edited=pair.premise,
            reworded=text,
        )


@lru_cache(maxsize=1024)  # a probe has a few dozen rules
def _facets(rule: str, effect: Effect, kind: str) -> tuple[Facet, ...]:
    return Facet("rule", rule), Facet("effect", effect.value), Facet("kind", kind)
