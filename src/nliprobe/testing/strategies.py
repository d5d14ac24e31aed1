"""Hypothesis strategies for the records that a probe, a representation or a model may be given."""

from __future__ import annotations

from functools import lru_cache

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


# Strategies are made once, not with each example: to check a new one takes as long as to draw from it.
_CATEGORIES = st.sampled_from(["", "Film", "Person"])
_SCRIPT_ROWS = st.builds(Row, scripts, st.lists(scripts, min_size=1, max_size=2).map(tuple))
_SCRIPT_CATEGORIES = st.sampled_from(["", "Φιλμ"])
_COLUMNS = st.lists(words, min_size=1, max_size=4, unique=True)
_HYPOTHESES = st.one_of(words, scripts)
_GOLDS = st.one_of(st.none(), golds)
_GRADES = st.sampled_from(list(Grade))
_FACETS: st.SearchStrategy[tuple[Facet, ...]] = st.sampled_from(
    [(), (Facet("reasoning", "numbers"), Facet("reasoning", "negation"))]
)


@lru_cache(maxsize=64)
def _keyed(any_row: st.SearchStrategy[Row], min_rows: int, max_rows: int) -> st.SearchStrategy[list[Row]]:
    """Rows whose keys differ."""
    return st.lists(any_row, min_size=min_rows, max_size=max_rows, unique_by=lambda row: row.key)


@lru_cache(maxsize=64)
def _cells(columns: int, min_rows: int, max_rows: int) -> st.SearchStrategy[list[Row]]:
    """Rows with a value for each column."""
    cells = st.lists(words, min_size=columns, max_size=columns).map(lambda values: Row("", tuple(values)))
    return st.lists(cells, min_size=min_rows, max_size=max_rows)


@lru_cache(maxsize=64)
def _evidence(rows: int) -> st.SearchStrategy[Evidence | None]:
    """What people may have marked in a table of so many rows."""
    places = st.sets(st.integers(0, rows - 1)).map(lambda chosen: tuple(sorted(chosen)))
    return st.one_of(st.none(), st.builds(Evidence, places, _GRADES, st.booleans(), st.booleans()))


@st.composite
def tables(draw: st.DrawFn, min_rows: int = 1, max_rows: int = 7) -> Table:
    """Draw infobox tables with unique keys."""
    table_rows = draw(_keyed(rows, min_rows, max_rows))
    return Table(draw(words), tuple(table_rows), draw(_CATEGORIES))


@st.composite
def unicode_tables(draw: st.DrawFn, min_rows: int = 1, max_rows: int = 4) -> Table:
    """Draw infobox tables in many scripts."""
    table_rows = draw(_keyed(_SCRIPT_ROWS, min_rows, max_rows))
    return Table(draw(scripts), tuple(table_rows), draw(_SCRIPT_CATEGORIES))


@st.composite
def grids(draw: st.DrawFn, min_rows: int = 1, max_rows: int = 5) -> Table:
    """Draw many-column tables: keys are empty, each column has a value, and rows may repeat."""
    columns = draw(_COLUMNS)
    table_rows = draw(_cells(len(columns), min_rows, max_rows))
    return Table(draw(words), tuple(table_rows), "", tuple(columns))


any_tables: st.SearchStrategy[Table] = st.one_of(tables(), grids(), unicode_tables())
premises: st.SearchStrategy[Premise] = st.one_of(words, scripts, any_tables)


@st.composite
def pairs(draw: st.DrawFn, premises: st.SearchStrategy[Premise] = premises) -> Pair:
    """Draw pairs over texts or tables of every kind, labelled or not, with or without evidence."""
    premise = draw(premises)
    evidence: Evidence | None = None
    if isinstance(premise, Table):
        evidence = draw(_evidence(len(premise.rows)))
    return Pair(
        draw(words),
        premise,
        draw(_HYPOTHESES),
        draw(_GOLDS),
        draw(words),
        evidence,
        facets=draw(_FACETS),
    )
