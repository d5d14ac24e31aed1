"""Make the perturbations of seasons: "in the fall of 1965" becomes "in the spring of 1965"."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from nliprobe.language.cells.records import CellType, Date, Mention
from nliprobe.probes._context import context_of, without_title
from nliprobe.probes._hypothesis import Effect, Perturbation
from nliprobe.probes._mentions import mentions_of
from nliprobe.probes._perturbed import PER_EFFECT, Settled, is_denied, judge
from nliprobe.probes._premises import facts_of_premise
from nliprobe.probes._seasons import OTHERS, SEASONS
from nliprobe.probes._statements import Statement, statement_of
from nliprobe.task.case import Certainty
from nliprobe.task.pair import Premise, Span

_SEASON = re.compile(
    r"(?:\b(?:in|during)\s+(?:the\s+)?(?:(?:early|late)\s+)?|^(?:the\s+)?|\b(?:in|of|the)\s+|\ban?\s+)"
    r"(?P<season>spring|summer|fall|autumn|winter)(?:\s?time)?\b"
    r"(?=\s+(?:of|in)\b|\s+season\b|\s+birthday\b|\s+\d{4}|\s*[.,]|\s*$|\s+when\b)",
    re.IGNORECASE,
)
_EARLY = re.compile(r"\b(?:early|late|mid)\s+$", re.IGNORECASE)
# Seasons are those of the north; where a table is about the south, nobody can be sure.
_SOUTH_TEXT = """
australia australian zealand africa african brazil brazilian argentina argentin chile chilean peru peruvian uruguay
bolivia paraguay indonesia zimbabw zambia namibia botswana mozambiqu madagascar ecuador kenya tanzania
"""
_SOUTH = frozenset(_SOUTH_TEXT.split())
_NEAR = 14  # characters between a season and its year: "of the year "
_ANY_TIME = Date(-9_999, years=30_000)


def perturbed_seasons(text: str, label: str, premise: Premise) -> Iterator[Perturbation]:
    """Yield the perturbations of all seasons of a hypothesis with the label E or C."""
    lower = text.lower()
    if not any(season in lower for season in SEASONS):
        return
    mentions, facts = mentions_of(text), facts_of_premise(premise)
    context = context_of(without_title(text, facts.names))
    starts = [mention.start for mention in mentions]
    for match in _SEASON.finditer(text):
        start, stop = match.span("season")
        place = bisect_left(starts, match.end())
        year = mentions[place] if place < len(mentions) and mentions[place].type is CellType.DATE else None
        if year is not None and year.start - match.end() > _NEAR:
            year = None
        mention = Mention(start, stop, CellType.DATE, _ANY_TIME) if year is None else year._replace(start=start)
        following = place + (year is not None)
        region = (
            mentions[place - 1].stop if place else 0,
            mentions[following].start if following < len(mentions) else len(text),
        )
        statement = statement_of(text, mention, denied=is_denied(context, mention))
        statement = statement._replace(season=match["season"].lower())
        doubtful = _EARLY.search(text, max(0, start - 8), start) is not None or not _SOUTH.isdisjoint(facts.words)
        only = len(mentions) == (year is not None)
        settled = Settled(text, label, statement, region, facts, context, only, doubtful)
        yield from _of_season(text, label, settled, statement, (start, stop))


def _of_season(text: str, label: str, settled: Settled, statement: Statement, span: Span) -> Iterator[Perturbation]:
    like = text[slice(*span)]
    counts = dict.fromkeys(Effect, 0)
    for season in OTHERS[statement.season]:
        verdict = judge(label, settled, statement._replace(season=season), "changed")
        assert verdict is not None
        effect, certainty = verdict
        if certainty is not Certainty.CERTAIN and any(counts.values()):
            continue
        if counts[effect] < PER_EFFECT:
            counts[effect] += 1
            yield Perturbation(span, _like(season, like), "season-changed", effect, certainty)


def _like(season: str, like: str) -> str:
    return season.upper() if like.isupper() else season.capitalize() if like[0].isupper() else season
