"""Tell whether a table confirms the gold label of a pair, by the names, numbers and dates of its hypothesis.

10 to 16 % of the labels of public corpora are wrong (two readings of InfoTabS), and an edit of a wrongly labelled pair
has the wrong label. What table and label say alike is right far more often than either alone.
"""

from __future__ import annotations

import re

from nliprobe.base.identity import kept_by_identity
from nliprobe.language.cells import find_mentions
from nliprobe.language.cells.records import Date
from nliprobe.language.numbers import may_have_numbers
from nliprobe.probes._context import context_of, is_plain, without_title
from nliprobe.probes._mentions import mentions_of
from nliprobe.probes._name_reading import Reading, read
from nliprobe.probes._perturbed import settled_mentions
from nliprobe.probes._premises import facts_of_premise
from nliprobe.probes._seasons import season_truth
from nliprobe.probes._table_names import table_names
from nliprobe.task.pair import Pair
from nliprobe.task.table import Table

_SEASON = re.compile(r"\b(?:in|during) (?:the )?(spring|summer|fall|autumn|winter)\b", re.IGNORECASE)
# What joins statements, of which a number confirms one only.
_JOINED = re.compile(r"[,;:()](?!\d)| and ")
# South of the equator seasons are others.
_SOUTH = re.compile(r"\b(?:Australia|New Zealand|South Africa|Brazil|Argentina|Chile|Peru|Uruguay|Bolivia|Indonesia)")


@kept_by_identity(16)  # the probes of one pair come one after the other
def is_confirmed(pair: Pair) -> bool:
    """Tell whether the table of a pair labelled E or C says what the label says."""
    table = pair.premise
    if not isinstance(table, Table) or table.columns:
        return False
    label = str(pair.gold)
    reading = read(table_names(table), pair.hypothesis)
    if reading is None:
        return False
    text = pair.hypothesis
    return (
        _by_names(reading, label)
        or (reading.title is not None and _by_season(reading, text, table, label))
        or _by_numbers(text, table, label)
    )


def _by_names(reading: Reading, label: str) -> bool:
    if reading.verdict:
        return reading.verdict == label
    return label == "E" and reading.supported and reading.strange == 0


def _by_numbers(text: str, table: Table, label: str) -> bool:
    """Tell whether a number or date makes the hypothesis false, or all of it is true."""
    # Where a look at the words shows that no number is sure, the numbers need not be read.
    if not may_have_numbers(text) or (label == "E" and _JOINED.search(text) is not None):
        return False
    facts = facts_of_premise(table)
    if not is_plain(context_of(without_title(text, facts.names))) or not facts.names_it(text):
        return False
    if label == "E" and len(mentions_of(text)) != 1:
        return False
    # One false part makes the whole false; it is true only if nothing else could be false.
    return any(
        (label == "C" or settled.says_all) and settled.sure and settled.confirmed
        for settled in settled_mentions(text, label, table)
    )


def _by_season(reading: Reading, text: str, table: Table, label: str) -> bool:
    """Tell whether the only date that the hypothesis speaks of is in the season that it names, or surely not."""
    season = _SEASON.search(text)
    if season is None or reading.negated or any(character.isdigit() for character in text):
        return False
    rows = [table.rows[at] for at in sorted(reading.said)]
    if len(rows) != 1 or _SOUTH.search(" ".join(table.texts)):
        return False
    dates = [mention.value for value in rows[0].values for mention in find_mentions(value)]
    truths = {season_truth(season[1].lower(), date) for date in dates if isinstance(date, Date) and date.month}
    if len(truths) != 1:
        return False
    # One false part makes the whole false; it is true only if the season is all that the table has no word for.
    truth = truths.pop()
    return (truth is False and label == "C") or (truth is True and label == "E" and reading.strange <= 1)
