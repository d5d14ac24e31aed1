"""Make the perturbations of a hypothesis's numbers, dates and durations, with what each does to the label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from nliprobe.base.errors import UsageError
from nliprobe.base.identity import kept_by_identity
from nliprobe.language.cells import write_mention
from nliprobe.language.cells.records import CellType, Mention, Quantity
from nliprobe.language.english import article
from nliprobe.probes._aligned import Fit, align
from nliprobe.probes._claims import RAISING_LEADS_TO, Relation
from nliprobe.probes._context import MASK, Context, context_of, is_amount, nothing_else, without_title
from nliprobe.probes._facts import Facts
from nliprobe.probes._hypothesis import Effect, Perturbation
from nliprobe.probes._mentions import mentions_of
from nliprobe.probes._moves import moves_of
from nliprobe.probes._premises import facts_of_premise
from nliprobe.probes._statements import Statement, statement_of
from nliprobe.task.case import Certainty
from nliprobe.task.pair import Premise, Span

# "20 years" and "1990" come again and again.
_written = lru_cache(maxsize=4096)(write_mention)
# How many perturbations a mention gives for each effect.
PER_EFFECT = 2
# How many mentions of one premise are kept.
_KEPT = 64


@dataclass(frozen=True)
class Settled:
    """A mention with what is known about it before it is changed; what takes long is found out when it is asked for.

    Attributes:
        text: the hypothesis.
        label: the label of the pair.
        statement: the mention with what governs it.
        region: from the mention before to the mention after.
        facts: what the premise says.
        context: what of the hypothesis decides how sure a perturbation is.
        only: whether it is the only mention.
        doubtful: whether something else keeps it from being sure.
    """

    text: str
    label: str
    statement: Statement
    region: Span
    facts: Facts
    context: Context
    only: bool
    doubtful: bool = False

    @cached_property
    def fit(self) -> Fit:
        """The facts it speaks about."""
        return align(self.text, self.statement, self.region, self.facts)

    @cached_property
    def sure(self) -> bool:
        """Whether the words around it leave no doubt what it says."""
        mention, governor = self.statement.mention, self.statement.governor
        denials = self.context.denials
        return (
            not self.doubtful
            and governor.sure
            and not self.context.open
            and (denials == 0 or (denials == 1 and self.statement.denied))
            and is_amount(self.text, mention.start, mention.stop)
            and self.fit.sure
        )

    @cached_property
    def truth(self) -> bool | None:
        """Whether the facts make it true or false; None where they leave it open."""
        return self.fit.truth(self.statement)

    @property
    def confirmed(self) -> bool:
        """Whether the facts make the mention what the label says: true for E, false for C."""
        return self.truth is (self.label == "E")

    @property
    def alone(self) -> bool:
        """Whether it is sure, the only mention, and nothing else in the hypothesis could be false."""
        return self.sure and self.only and self.says_all

    @cached_property
    def says_all(self) -> bool:
        """Whether the words outside of it and of what governs it say nothing that could be false."""
        return nothing_else(self.text, (self.statement.governor.start, self.statement.mention.stop), self.facts)


def perturbed(text: str, label: str, premise: Premise, types: frozenset[CellType]) -> Iterator[Perturbation]:
    """Yield the perturbations of all mentions of some types in a hypothesis with the label E or C."""
    for settled in settled_mentions(text, label, premise, types):
        yield from _of_mention(text, label, settled)


def settled_mentions(
    text: str, label: str, premise: Premise, types: frozenset[CellType] = frozenset(CellType)
) -> Iterator[Settled]:
    """Yield the mentions of some types that say something by themselves, with what the premise says about them."""
    mentions = mentions_of(text)
    if not any(mention.type in types for mention in mentions):
        return
    kept = _settled(premise)
    if len(kept) > _KEPT:
        kept.clear()
    facts = facts_of_premise(premise)
    masked = without_title(text, facts.names)
    context = context_of(masked)
    only = len(mentions) == 1
    for place, mention in enumerate(mentions):
        if mention.type in types and is_own(masked, mention, facts):
            region = (
                mentions[place - 1].stop if place else 0,
                mentions[place + 1].start if place + 1 < len(mentions) else len(text),
            )
            key = (text, label, mention.start)
            if key not in kept:
                statement = statement_of(text, mention, denied=is_denied(context, mention))
                kept[key] = Settled(text, label, statement, region, facts, context, only)
            yield kept[key]


@kept_by_identity(4)
def _settled(premise: Premise) -> dict[tuple[str, str, int], Settled]:
    """Return what was settled about hypotheses of a premise: several probes ask for the same, one after the other."""
    return {}


def is_denied(context: Context, mention: Mention) -> bool:
    """Tell whether the plain denial of a hypothesis denies what a mention says."""
    return 0 <= context.plain_denial < mention.start


def is_own(masked: str, mention: Mention, facts: Facts) -> bool:
    """Tell whether a mention says something by itself: it is no part of a name, no ordinal and no factor."""
    if masked[mention.start] == MASK or masked[mention.stop - 1] == MASK:
        return False
    capital = _CAPITAL.match(masked, mention.stop)
    if capital is not None and facts.says(masked[mention.start : capital.end()]):
        return False  # 20th Century Fox
    return (
        not isinstance(mention.value, Quantity) or mention.value.unit not in ("ordinal", "times") or "married" in masked
    )


def _of_mention(text: str, label: str, settled: Settled) -> Iterator[Perturbation]:
    """Yield the certain perturbations of a mention, or one of each effect where none is certain."""
    statement = settled.statement
    span = (statement.mention.start, statement.mention.stop)
    like = text[slice(*span)]
    word = statement.governor.words.replace(" ", "-") or "bare"
    fact = settled.fit.facts[0] if settled.fit.facts else None
    changes = Effect.FLIP if label == "E" else Effect.PRESERVE
    is_exact = statement.governor.relation is Relation.EXACT
    counts = {Effect.PRESERVE: 0, Effect.FLIP: 0}
    doubtful: dict[Effect, Perturbation] = {}
    for move in moves_of(statement.mention.value, like, fact):
        if is_exact and counts[changes] >= PER_EFFECT and move.name != "set":
            # Every change of an exact value does the same.
            if label == "E":
                break
            continue
        verdict = judge(label, settled, statement.with_value(move.value), move.name)
        if verdict is None or counts[verdict[0]] >= PER_EFFECT:
            continue
        effect, certainty = verdict
        if certainty is not Certainty.CERTAIN and (effect in doubtful or any(counts.values())):
            continue
        try:
            after = _written(move.value, like)
        except UsageError:  # the value has no exact form in the manner of the mention
            continue
        made = Perturbation(*_in_place(text, span, after), f"{word}-{move.name}", effect, certainty)
        if certainty is Certainty.CERTAIN:
            counts[effect] += 1
            yield made
        else:
            doubtful[effect] = made
    if not any(counts.values()):
        yield from doubtful.values()


def _in_place(text: str, span: Span, after: str) -> tuple[Span, str]:
    """Fit a new value into its place: with the article that it needs, and in the singular before a noun."""
    start, stop = span
    if _ATTRIBUTE.fullmatch(text, start, stop) and after.endswith("s"):
        after = after[:-1]  # "a 2 hour film"
    indefinite = _ARTICLE.search(text, max(0, start - 4), start)
    if indefinite is not None:
        needed = article(after)
        if needed != indefinite[1].lower():
            needed = needed.upper() if indefinite[1].isupper() and len(indefinite[1]) > 1 else needed
            needed = needed.capitalize() if indefinite[1][0].isupper() else needed
            return (indefinite.start(1), stop), f"{needed}{text[indefinite.end(1) : start]}{after}"
    return span, after


_ARTICLE = re.compile(r"(?<!\w)(an?)\s+$", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"(?!one\b|an?\b|1\b)[\w.]+[\s-](?:hour|minute|year|decade|month|day|week)", re.IGNORECASE)
_CAPITAL = re.compile(r"\s+[A-Z]\w+")


def judge(label: str, settled: Settled, changed: Statement, move: str) -> tuple[Effect, Certainty] | None:
    """Return what a change does to the label and how sure that is; None where nobody could tell.

    Args:
        label: the label of the pair, E or C.
        settled: the mention as it is.
        changed: the statement after the change.
        move: how it was changed: ``raised``, ``lowered``, ``set`` to what the cell says, or ``changed``.
    """
    truth = settled.fit.truth(changed) if settled.sure else None
    if truth is False and (settled.confirmed or settled.truth is None):
        # What a cell makes false is false, whatever else the hypothesis says.
        return Effect.FLIP if label == "E" else Effect.PRESERVE, Certainty.CERTAIN
    if truth is True and settled.confirmed:
        if label == "E":
            return Effect.PRESERVE, Certainty.CERTAIN
        # Where other words may be false as well, a true number does not make a hypothesis true.
        return Effect.FLIP, Certainty.CERTAIN if settled.alone else Certainty.LIKELY
    return _by_direction(label, settled.statement, move)


def _by_direction(label: str, statement: Statement, move: str) -> tuple[Effect, Certainty] | None:
    """Judge a change by the governing word alone (T6), where no row of the table settles it."""
    relation = statement.governor.relation
    leads_to = RAISING_LEADS_TO.get(relation)
    if leads_to is not None and move in ("raised", "lowered"):
        towards = leads_to if (move == "raised") != statement.denied else _other(leads_to)
        if towards == label:
            return Effect.PRESERVE, Certainty.LIKELY
        return Effect.FLIP, Certainty.NEEDS_PERSON
    if move == "set":
        return (Effect.FLIP, Certainty.NEEDS_PERSON) if label == "C" else None
    # Any real change makes a true number false, and a false one stays false; a denial turns that round.
    effect = Effect.FLIP if label == "E" else Effect.PRESERVE
    doubtful = statement.denied or relation is not Relation.EXACT
    return effect, Certainty.NEEDS_PERSON if doubtful else Certainty.LIKELY


def _other(label: str) -> str:
    return "C" if label == "E" else "E"
