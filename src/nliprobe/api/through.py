"""Training pairs that pass through a probe first: a share of them is replaced by what the probe makes of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from nliprobe.base.errors import DataError, UsageError, option
from nliprobe.base.hashing import digest
from nliprobe.base.seeds import draws
from nliprobe.probes.suite import build_probe
from nliprobe.task.case import Case
from nliprobe.task.labels import LETTERS
from nliprobe.task.pair import Pair
from nliprobe.task.source import PairSource, Pool
from nliprobe.task.sources import View


@dataclass(frozen=True)
class Through:
    """Which training pairs are replaced.

    Attributes:
        probe: the spec of the probe, such as ``swap``.
        share: the share of the pairs with these labels that is drawn, from 0 to 1.
        labels: their gold labels, separated by commas, such as ``N,C``; all if empty.
        seed: the seed of the draw. A larger share holds all pairs of a smaller one.
    """

    probe: str
    share: float = 1.0
    labels: str = ""
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be drawn."""
        if not 0 <= self.share <= 1:
            raise UsageError(f"{option('through-share', str(self.share))} should be a share from 0 to 1.")
        unknown = [label for label in self._letters if label not in LETTERS]
        if unknown:
            raise UsageError(f"{option('through-labels', self.labels)} should be some of E, N, C, not '{unknown[0]}'.")

    @cached_property
    def _letters(self) -> tuple[str, ...]:
        return tuple(label.strip() for label in self.labels.split(",") if label.strip())

    def draws(self, pair: Pair) -> bool:
        """Tell whether a pair is drawn, by its id and the seed alone."""
        if pair.gold is None or (self._letters and str(pair.gold) not in self._letters):
            return False
        return draws(self.seed, "through", self.probe, pair.id).random() < self.share


class PassedThrough(View):
    """The pairs of a source, of which a share is replaced by cases of a probe.

    A drawn pair for which the probe has no case with exactly one gold label stays as it is.
    """

    def __init__(self, whole: PairSource, through: Through) -> None:
        named = f"through={through.probe}", f"share={through.share:g}", f"labels={through.labels or 'all'}"
        super().__init__(whole, *named, f"through_seed={through.seed}")
        self.through = through
        self.probe = build_probe(through.probe, through.seed)

    def digest(self) -> str:
        """Return a hash of the source, of the probe with all that it reads, and of the draw."""
        return digest(super().digest(), self.probe.spec, str(self.probe.version), self.probe.reads)

    def pairs(self) -> Iterator[Pair]:
        """Yield every pair, some of them replaced; if none could be, that is an error."""
        pool = Pool.of(self.whole) if self.probe.needs_pool else None
        drawn = replaced = 0
        for pair in self.whole.pairs():
            case = None
            if self.through.draws(pair):
                drawn += 1
                case = self._case(pair, pool)
            replaced += case is not None
            yield pair if case is None else _pair_of(pair, case)
        if drawn and not replaced:
            raise DataError(
                f"No pair of {self.whole.name} passes through {self.probe.spec}: none of the {drawn:,} drawn pairs has "
                "a case with one gold label."
            )

    def _case(self, pair: Pair, pool: Pool | None) -> Case | None:
        labelled = [
            item
            for item in self.probe.cases(pair, pool)
            if isinstance(item, Case) and item.gold is not None and len(item.gold) == 1
        ]
        # A probe may make many cases of a pair; which one is learnt must not depend on the others that are drawn.
        random = draws(self.through.seed, "through case", self.probe.spec, pair.id)
        return random.choice(labelled) if labelled else None


def _pair_of(pair: Pair, case: Case) -> Pair:
    return replace(
        pair,
        premise=case.premise,
        hypothesis=case.hypothesis,
        gold=case.gold,
        evidence=None,
        sentences=(),
        bases=(),
        expects=None,
    )
