"""Flags: reasons to look at a rater, never a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from nliprobe.stats.agreement import Share
from nliprobe.stats.matches import Measure


class FlagKind(StrEnum):
    """What is unusual about a rater."""

    FEW = "few"
    ATTENTION = "attention"
    DISAGREES = "disagrees"
    WORSE_THAN_GUESSING = "worse than guessing"
    ONE_ANSWER = "one answer"
    NOTHING = "nothing"
    FAST = "fast"


class Flag(NamedTuple):
    """Something unusual, and the sentence that says with which numbers."""

    kind: FlagKind
    reason: str


@dataclass(frozen=True, slots=True)
class QualityRule:
    """What counts as unusual. The numbers are ours: they decide who is looked at, not who is blocked.

    Attributes:
        few: a rater with fewer judgements has numbers that say little.
        attention: the least share of attention items that should be right.
        margin: a rater *disagrees* if the whole interval of their agreement with the others lies by more than this
            below the agreement of the median rater. In simulations of 100 judgements per rater, this finds 97 % of
            raters who guess at seven items of ten, and one in 180 of careful ones with errors of 5 to 25 %.
        same: a rater with at least ``few`` judgements gives *one answer* if it is this share of them or more, and the
            majority gives it less often.
        fast: a rater is *fast* whose median time is below this part of the median rater's.
    """

    few: int = 20
    attention: float = 0.8
    margin: float = 0.05
    same: float = 0.95
    fast: float = 1 / 3


class Seen(NamedTuple):
    """What the flags of one rater depend on.

    Attributes:
        judgements: how many judgements the rater gave.
        attention: attention items, and how many are right.
        agreed: the share of votes that agree with the others' majority; for marks, F1 against it.
        usual: the same of the median rater.
        accuracy: the estimated accuracy, if there is one.
        chance: the accuracy of guessing.
        commonest: what the rater says most, and how often.
        expected: how often the majority says the same about the same items.
        nothing: judgements without any mark.
        seconds: the median time, if it is known.
        usual_seconds: the median of the raters' median times.
    """

    judgements: int
    attention: Share
    agreed: Measure
    usual: float | None
    accuracy: float | None
    chance: float
    commonest: tuple[str, Share] | None
    expected: Share
    nothing: int
    seconds: float | None
    usual_seconds: float | None


def flags_of(seen: Seen, rule: QualityRule) -> tuple[Flag, ...]:
    """Return what is unusual about a rater."""
    found: list[Flag] = []
    if seen.judgements < rule.few:
        what = "judgement" if seen.judgements == 1 else "judgements"
        found.append(Flag(FlagKind.FEW, f"only {seen.judgements:,} {what}: the numbers say little"))
    if seen.attention.n and (seen.attention.value or 0.0) < rule.attention:
        found.append(
            Flag(FlagKind.ATTENTION, f"{seen.attention.right:,} of {seen.attention.n:,} attention items right")
        )
    own, usual = seen.agreed, seen.usual
    if own.value is not None and own.ci95 is not None and usual is not None and own.ci95.high < usual - rule.margin:
        found.append(
            Flag(
                FlagKind.DISAGREES,
                f"agrees with the others by {_percent(own.value)} (95 % interval up to {_percent(own.ci95.high)}), the "
                f"median rater by {_percent(usual)}",
            )
        )
    if seen.accuracy is not None and seen.accuracy < seen.chance and seen.judgements >= rule.few:
        found.append(
            Flag(
                FlagKind.WORSE_THAN_GUESSING,
                f"is estimated to be right in {_percent(seen.accuracy)}, where guessing gets {_percent(seen.chance)}: "
                "the labels may be exchanged, or wrong on purpose",
            )
        )
    if seen.commonest is not None and seen.judgements >= rule.few:
        name, share = seen.commonest
        if (share.value or 0.0) >= rule.same > (seen.expected.value or 0.0):
            found.append(
                Flag(
                    FlagKind.ONE_ANSWER,
                    f"says {name} in {_percent(share.value)} of the judgements, the majority in "
                    f"{_percent(seen.expected.value)}",
                )
            )
    if seen.nothing and seen.nothing == seen.judgements:
        found.append(Flag(FlagKind.NOTHING, "never marked anything"))
    if seen.seconds is not None and seen.usual_seconds is not None and seen.seconds < rule.fast * seen.usual_seconds:
        reason = f"takes {seen.seconds:.1f} s per item, the median rater {seen.usual_seconds:.1f} s"
        found.append(Flag(FlagKind.FAST, reason))
    return tuple(found)


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"
