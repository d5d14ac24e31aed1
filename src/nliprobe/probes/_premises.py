"""Read the facts of a premise, be it a table or a text.

A text has no rows that say what its numbers are about. A number of the hypothesis is compared with a number of the text
only where both count the same noun, and the text speaks of such things once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from nliprobe.base.identity import kept_by_identity
from nliprobe.language.cells import find_mentions
from nliprobe.language.cells.records import CellType, Quantity
from nliprobe.probes._claims import Stretch
from nliprobe.probes._facts import Fact, Facts, Subject, words_of
from nliprobe.probes._governing import governor_of
from nliprobe.probes._table_facts import dimension_of, facts_of_table
from nliprobe.probes._topic import Measure
from nliprobe.probes._topics import stem
from nliprobe.task.pair import Premise
from nliprobe.task.table import Table

_SINGULAR = {"men": "man", "women": "woman", "people": "person", "children": "child", "kids": "kid"}
# One of these may be among those that another word counts: two men are people.
_VAGUE = frozenset(["person", "people", "other", "one", "thing", "figure", "individual"])


@kept_by_identity(1)  # all probes ask for the premise of one pair after the other
def facts_of_premise(premise: Premise) -> Facts:
    """Return what a premise says as facts that mentions can be compared with."""
    return facts_of_table(premise) if isinstance(premise, Table) else _facts_of_text(premise)


@lru_cache(maxsize=64)  # the pairs of a premise come one after the other
def _facts_of_text(text: str) -> Facts:
    facts = dict(_counted(text)) if find_mentions(text) else {}
    return Facts(tuple(facts), facts.get, lambda: (text,))


def _counted(text: str) -> Iterator[tuple[Subject, Fact]]:
    named = Counter([_noun(word) for word in words_of(text)])
    for mention in find_mentions(text):
        value = mention.value
        if mention.type is not CellType.NUMBER or not isinstance(value, Quantity) or not value.unit.isalpha():
            continue
        noun = _noun(value.unit)
        governor = governor_of(text, mention.start, mention.stop, date=False)
        is_exact = value.upper is None and not value.about and not governor.words
        if dimension_of(value) == "" and noun not in _VAGUE and named[noun] == 1 and is_exact:
            values = (Stretch(value.value, value.value),)
            subject = Subject(mention.start, None, Measure.COUNT, (stem(value.unit),))
            yield subject, Fact(None, Measure.COUNT, values, (value,), open=True)


def _noun(word: str) -> str:
    return _SINGULAR.get(word, stem(word))
