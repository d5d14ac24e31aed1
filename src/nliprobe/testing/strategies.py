"""Hypothesis strategies for the records that a probe, a representation or a model may be given."""

from __future__ import annotations

from nliprobe.base.errors import MissingExtraError
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.labels import SETS, LabelSet
from nliprobe.task.pair import Facet, Pair, Premise
from nliprobe.task.relations import Relation
from nliprobe.task.table import Row, Table

try:
    from hypothesis import strategies as st
except ImportError as error:
    raise MissingExtraError("nliprobe.testing needs Hypothesis, which is not installed", "testing") from error

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
words = st.text(st.sampled_from("abcdeé ñ|'\"-:;,.01"), min_size=1, max_size=12).filter(lambda text: bool(text.strip()))
label_sets: st.SearchStrategy[LabelSet] = st.sampled_from(SETS)
golds: st.SearchStrategy[LabelSet] = st.sampled_from([LabelSet.of(letters) for letters in ("E", "N", "C", "NC")])
relations = st.tuples(label_sets, label_sets, label_sets).map(Relation)
rows = st.builds(Row, words, st.lists(words, min_size=1, max_size=4).map(tuple))
# Scripts with marks, without spaces, from right to left and beyond the first plane, which break careless slicing.
_SCRIPTS = st.sampled_from(
    ["Ελλάδα", "Москва", "東京都", "القاهرة", "e\u0301tude", "İstanbul", "ﬁsh", "👩‍🔬", "𝔘𝔫𝔦", "straße"]
)
scripts = st.lists(_SCRIPTS, min_size=1, max_size=3).map(" ".join)


@st.composite
def tables(draw: st.DrawFn, min_rows: int = 1, max_rows: int = 7) -> Table:
    """Draw infobox tables with unique keys."""
    table_rows = draw(st.lists(rows, min_size=min_rows, max_size=max_rows, unique_by=lambda row: row.key))
    return Table(draw(words), tuple(table_rows), draw(st.sampled_from(["", "Film", "Person"])))


@st.composite
def unicode_tables(draw: st.DrawFn, min_rows: int = 1, max_rows: int = 4) -> Table:
    """Draw infobox tables in many scripts."""
    any_row = st.builds(Row, scripts, st.lists(scripts, min_size=1, max_size=2).map(tuple))
    table_rows = draw(st.lists(any_row, min_size=min_rows, max_size=max_rows, unique_by=lambda row: row.key))
    return Table(draw(scripts), tuple(table_rows), draw(st.sampled_from(["", "Φιλμ"])))


@st.composite
def grids(draw: st.DrawFn, min_rows: int = 1, max_rows: int = 5) -> Table:
    """Draw many-column tables: keys are empty, each column has a value, and rows may repeat."""
    columns = draw(st.lists(words, min_size=1, max_size=4, unique=True))
    cells = st.lists(words, min_size=len(columns), max_size=len(columns)).map(lambda values: Row("", tuple(values)))
    table_rows = draw(st.lists(cells, min_size=min_rows, max_size=max_rows))
    return Table(draw(words), tuple(table_rows), "", tuple(columns))


any_tables: st.SearchStrategy[Table] = st.one_of(tables(), grids(), unicode_tables())
premises: st.SearchStrategy[Premise] = st.one_of(words, scripts, any_tables)


@st.composite
def pairs(draw: st.DrawFn, premises: st.SearchStrategy[Premise] = premises) -> Pair:
    """Draw pairs over texts or tables of every kind, labelled or not, with or without evidence."""
    premise = draw(premises)
    evidence: Evidence | None = None
    if isinstance(premise, Table):
        places = st.sets(st.integers(0, len(premise.rows) - 1)).map(lambda chosen: tuple(sorted(chosen)))
        marks = st.builds(Evidence, places, st.sampled_from(list(Grade)), st.booleans(), st.booleans())
        evidence = draw(st.one_of(st.none(), marks))
    return Pair(
        draw(words),
        premise,
        draw(st.one_of(words, scripts)),
        draw(st.one_of(st.none(), golds)),
        draw(words),
        evidence,
        facets=draw(st.sampled_from([(), (Facet("reasoning", "numbers"), Facet("reasoning", "negation"))])),
    )
