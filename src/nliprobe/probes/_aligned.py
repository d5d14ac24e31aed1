"""Say which row of a table a number, date or duration of a hypothesis speaks about."""

from __future__ import annotations

import re
from typing import NamedTuple

from nliprobe.language.cells.records import CellType, Mention, Quantity
from nliprobe.probes._claims import Relation
from nliprobe.probes._context import has_words
from nliprobe.probes._facts import Fact, Facts, Subject, words_of
from nliprobe.probes._statements import Statement
from nliprobe.probes._table_facts import dimension_of
from nliprobe.probes._topic import Measure
from nliprobe.probes._topics import stem
from nliprobe.task.pair import Span

_AGO = re.compile(r"\s*ago\b", re.IGNORECASE)
# A duration with one of these words may reach from an event to the present.
_UP_TO_NOW = re.compile(r"\b(?:been|existed|existence|around|old)\b", re.IGNORECASE)
# A number without a unit after such words is an age.
_AGED = re.compile(r"\b(?:age of|aged|age|at|(?:he|she|they) (?:was|were|turned)|to be|only|being)\s+$", re.IGNORECASE)
_EARLIEST = re.compile(r"\b(?:first|originally|initially|debuted|premiered|original)\b", re.IGNORECASE)
# How far from a plain number the word for what it counts may be.
_NEAR_BEFORE, _NEAR_AFTER = 40, 34
_LONG = 2 * 86_400  # from two days on, a duration is no running time


_BEFORE_ADJECTIVE = re.compile(r"\b(?:an?|is|was|early|late)\s+$", re.IGNORECASE)
_WORK = re.compile(
    r"(?:[\s-]+[\w'&/-]+){0,5}?[\s-]+(?:album|film|movie|song|single|novel|drama|comedy|thriller)\b", re.IGNORECASE
)


class Fit(NamedTuple):
    """The facts that a mention may speak about, and whether it surely speaks about one of them.

    Attributes:
        facts: all facts that fit; a statement is true or false only where they agree.
        sure: whether the words leave no doubt.
    """

    facts: tuple[Fact, ...]
    sure: bool

    def truth(self, statement: Statement) -> bool | None:
        """Return whether the facts make a statement true or false; None where they leave it open or disagree."""
        if len(self.facts) == 1:
            return statement.truth(self.facts[0])
        truths = {statement.truth(fact) for fact in self.facts}
        return truths.pop() if len(truths) == 1 else None


NO_FIT = Fit((), sure=False)


def align(text: str, statement: Statement, region: Span, facts: Facts) -> Fit:
    """Return the facts that a mention speaks about.

    Args:
        text: the hypothesis.
        statement: the mention with what governs it.
        region: from the mention before to the mention after; words beyond belong to other mentions.
        facts: what the table says.
    """
    mention = statement.mention
    measures = _measures(text, statement)
    before, after = (region[0], mention.start), (mention.stop, region[1])
    is_plain = isinstance(mention.value, Quantity) and Measure.YEARS not in measures
    if is_plain:
        before = (max(before[0], mention.start - _NEAR_BEFORE), before[1])
        # The noun that is counted belongs to the mention.
        after = (mention.start, min(after[1], mention.stop + _NEAR_AFTER))
    subjects = facts.measured(measures)
    for start, stop in (after, before) if is_plain else (before, after):
        stems = frozenset([stem(word) for word in words_of(text[start:stop])])
        kept = [
            fact
            for one in subjects
            if _speaks_of(one, statement, text, start, stop, stems) and (fact := _fact(one, mention, facts, measures))
        ]
        if kept:
            break
    else:
        return NO_FIT
    barred = any(
        fact.topic is not None and fact.topic.unless is not None and has_words(fact.topic.unless, text) for fact in kept
    )
    if any(len(fact.values) > 1 for fact in kept) and has_words(_EARLIEST, text):
        kept = [_earliest(fact) for fact in kept]
    return Fit(tuple(kept), sure=not barred and facts.names_it(text))


def _fact(subject: Subject, mention: Mention, facts: Facts, measures: tuple[Measure, ...]) -> Fact | None:
    """Return what the table says about a subject, if a mention can be compared with it."""
    fact = facts.fact(subject)
    if fact is None or (subject.measure is None and fact.measure not in measures):
        return None
    return fact if _same_kind(fact, mention) else None


def _measures(text: str, statement: Statement) -> tuple[Measure, ...]:
    mention, relation = statement.mention, statement.governor.relation
    if mention.type is CellType.DATE:
        if relation is Relation.SINCE:
            return (Measure.START, Measure.DAY)
        return (Measure.END,) if relation is Relation.UNTIL else (Measure.DAY, Measure.START, Measure.END)
    if mention.type is CellType.DATES:
        return (Measure.SPAN, Measure.DAY)
    if mention.type is CellType.DURATION:
        if _AGO.match(text, mention.stop):
            return (Measure.AGO,)
        if mention.value.seconds < _LONG:  # type: ignore[union-attr]
            return (Measure.TIME,)
        return (Measure.YEARS, Measure.AGO) if has_words(_UP_TO_NOW, text) else (Measure.YEARS,)
    if mention.type is not CellType.NUMBER:
        return (Measure.AMOUNT,)
    is_age = mention.value.unit == "" and _AGED.search(text, max(0, mention.start - 20), mention.start)  # type: ignore[union-attr]
    return (Measure.YEARS,) if is_age else (Measure.COUNT, Measure.AMOUNT)


def _same_kind(fact: Fact, mention: Mention) -> bool:
    if not isinstance(mention.value, Quantity):
        return True
    dimension = dimension_of(mention.value)
    if fact.measure is Measure.YEARS:
        return fact.topic is not None and fact.topic.name in ("age", "lifespan") and dimension == ""
    return dimension == "" if fact.measure is Measure.COUNT else dimension == fact.dimension


def _speaks_of(subject: Subject, statement: Statement, text: str, start: int, stop: int, stems: frozenset[str]) -> bool:
    """Tell whether a part of the text, which has some stems, speaks about a subject."""
    topic, measure = subject.topic, subject.measure
    if topic is None or measure is None:
        return stems.issuperset(subject.words)
    if topic.cues[measure].search(text, start, stop):
        return True
    if measure is Measure.DAY and topic.name == "release" and start >= statement.mention.stop:
        return _is_adjective(text, statement.mention, stop)
    is_begun = statement.governor.relation is Relation.SINCE or statement.governor.words == "from"
    return measure is Measure.START and is_begun and topic.cues[Measure.YEARS].search(text, start, stop) is not None


def _is_adjective(text: str, mention: Mention, stop: int) -> bool:
    """Tell whether a date tells which work it is: "a 2017 hard rock album"."""
    return (
        _BEFORE_ADJECTIVE.search(text, max(0, mention.start - 12), mention.start) is not None
        and _WORK.match(text, mention.stop, stop) is not None
    )


def _earliest(fact: Fact) -> Fact:
    """Keep the first of several dates: a film is *first* released on the earliest of its days."""
    if fact.measure is not Measure.DAY or len(fact.values) < 2:
        return fact
    place = min(range(len(fact.values)), key=lambda index: fact.values[index].high or 0)
    return fact._replace(values=(fact.values[place],), own=fact.own[place : place + 1])
