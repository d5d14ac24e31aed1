"""Hypothesis strategies for the records."""

from __future__ import annotations

from hypothesis import strategies as st

from nliprobe.task.labels import SETS, LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.relations import Relation
from nliprobe.task.table import Row, Table

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
words = st.text(st.sampled_from("abcdeé ñ|'\"-:;,.01"), min_size=1, max_size=12).filter(lambda text: bool(text.strip()))
label_sets: st.SearchStrategy[LabelSet] = st.sampled_from(SETS)
golds: st.SearchStrategy[LabelSet] = st.sampled_from([LabelSet.of(letters) for letters in ("E", "N", "C", "NC")])
relations = st.tuples(label_sets, label_sets, label_sets).map(Relation)
rows = st.builds(Row, words, st.lists(words, min_size=1, max_size=4).map(tuple))


@st.composite
def tables(draw: st.DrawFn, min_rows: int = 1, max_rows: int = 7) -> Table:
    """Infobox tables with unique keys."""
    found = draw(st.lists(rows, min_size=min_rows, max_size=max_rows, unique_by=lambda row: row.key))
    return Table(draw(words), tuple(found), draw(st.sampled_from(["", "Film", "Person"])))


@st.composite
def pairs(draw: st.DrawFn) -> Pair:
    """Pairs over texts or tables."""
    premise = draw(st.one_of(words, tables()))
    return Pair(draw(words), premise, draw(words), draw(st.one_of(st.none(), golds)), group=draw(words))
