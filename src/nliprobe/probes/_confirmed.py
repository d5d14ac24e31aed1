"""Tell whether a table confirms the gold label of a pair, by the names, numbers and dates of its hypothesis.

10 to 16 % of the labels of public corpora are wrong (two readings of InfoTabS), and an edit of a wrongly labelled pair
has the wrong label. What table and label say alike is right far more often than either alone.
"""

from __future__ import annotations

from nliprobe.base.identity import kept_by_identity
from nliprobe.language.cells import find_mentions
from nliprobe.probes._context import context_of, nothing_else
from nliprobe.probes._facts import facts_of
from nliprobe.probes._name_reading import Reading, read
from nliprobe.probes._perturbed import settle
from nliprobe.probes._seasonal import perturbed_seasons
from nliprobe.probes._table_names import table_names
from nliprobe.task.case import Certainty
from nliprobe.task.pair import Pair
from nliprobe.task.table import Table


@kept_by_identity(16)  # the probes of one pair come one after the other
def is_confirmed(pair: Pair) -> bool:
    """Tell whether the table of a pair labelled E or C says what the label says."""
    table = pair.premise
    if not isinstance(table, Table) or table.columns:
        return False
    label = str(pair.gold)
    reading = read(table_names(table), pair.hypothesis)
    return reading is not None and (_by_names(reading, label) or _by_numbers(pair.hypothesis, table, label))


def _by_names(reading: Reading, label: str) -> bool:
    if reading.verdict:
        return reading.verdict == label
    return label == "E" and reading.supported and reading.strange == 0


def _by_numbers(text: str, table: Table, label: str) -> bool:
    """Tell whether a number, date or season makes the hypothesis false, or all of it is true."""
    mentions = find_mentions(text)
    facts = facts_of(table)
    context = context_of(text)
    for place, mention in enumerate(mentions):
        region = (
            mentions[place - 1].stop if place else 0,
            mentions[place + 1].start if place + 1 < len(mentions) else len(text),
        )
        settled = settle(text, label, mention, region, facts, context, len(mentions))
        # One false part makes the whole false; it is true only if nothing else could be false.
        if settled.sure and settled.confirmed and (label == "C" or settled.alone):
            return True
    if mentions:
        return False
    certain = [one for one in perturbed_seasons(text, label, facts) if one.certainty is Certainty.CERTAIN]
    return bool(certain) and (label == "C" or nothing_else(text, certain[0].span, facts.words | facts.title))
