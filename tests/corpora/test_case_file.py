"""Case files: what is written is what ``file:`` reads back, tables, bases and rules included."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nliprobe.api.sources import open_source
from nliprobe.api.tried import CASE_FILE_PARAMETERS, CASE_FILES, WrittenPair, case_file
from nliprobe.api.typed import tidy
from nliprobe.corpora.case_file import is_read_as_table
from nliprobe.task.pair import Facet, Premise
from nliprobe.task.relations import DELETE, SWAPPED
from nliprobe.task.rules import And, Close
from nliprobe.task.table import Row, Table
from nliprobe.testing import strategies

# What can be typed: texts as they are after tidying, tables whose cells are on one line.
_TEXTS = st.one_of(strategies.words, strategies.texts, strategies.scripts).map(tidy).filter(bool)
_TYPED = _TEXTS.filter(lambda text: not is_read_as_table(text))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _typed_table(table: Table) -> Table:
    rows = tuple(Row(_one_line(row.key), tuple(_one_line(value) for value in row.values)) for row in table.rows)
    return Table(_one_line(table.title), rows, table.category, tuple(_one_line(name) for name in table.columns))


def _is_typed(table: Table) -> bool:
    keys = [row.key for row in table.rows]
    return table.columns != () or len(set(keys)) == len(keys)


_TABLES = strategies.any_tables.map(_typed_table).filter(_is_typed)
_PREMISES: st.SearchStrategy[Premise] = st.one_of(_TYPED, _TABLES)


def _read(pairs: list[WrittenPair], form: str, folder: Path) -> list[WrittenPair]:
    path = folder / f"tried.{form}"
    path.write_bytes(case_file(pairs, form).encode("utf-8"))
    source = open_source(f"file:{path}?{CASE_FILE_PARAMETERS}", None)
    return [
        WrittenPair(
            pair.id.removeprefix("tried/"),
            pair.premise,
            pair.hypothesis,
            pair.gold,
            "".join(base.removeprefix("tried/") for base in pair.bases),
            pair.expects,
            dict(pair.facets).get("edit", ""),
        )
        for pair in source.pairs()
    ]


@pytest.mark.parametrize("form", CASE_FILES)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=_PREMISES, second=_PREMISES, hypothesis=_TYPED, gold=st.none() | strategies.golds)
def test_what_is_written_is_read_back(
    form: str, tmp_path: Path, first: Premise, second: Premise, hypothesis: str, gold: object
) -> None:
    pairs = [
        WrittenPair("1", first, hypothesis, gold),  # type: ignore[arg-type]
        WrittenPair("2", second, hypothesis, None, "1", And((DELETE.relation, Close(0.1))), "rows.delete of 1"),
        WrittenPair("3", first, hypothesis, None, "2", SWAPPED, "swap of 2"),
        WrittenPair("4", second, hypothesis, edit="own edit of 3"),
    ]
    assert _read(pairs, form, tmp_path) == pairs


@pytest.mark.parametrize("form", CASE_FILES)
def test_cells_that_a_spreadsheet_would_run_come_back(form: str, tmp_path: Path) -> None:
    pairs = [WrittenPair("1", "=1+1 is what it says.", "@sum"), WrittenPair("2", '"quoted",\nand two lines', "-5")]
    assert _read(pairs, form, tmp_path) == pairs
    if form == "csv":
        assert "'=1+1" in (tmp_path / "tried.csv").read_text()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"title": ["Up"], "Year": ["2009"]}', True),
        ("<table><tr><th>Year<td>2009</table>", True),
        ("[[broken", False),
        ('{"broken', True),
        ("A plain text [with brackets].", False),
    ],
)
def test_texts_that_files_would_take_for_tables_are_known(text: str, *, expected: bool) -> None:
    assert is_read_as_table(text) is expected


def test_facets_are_the_edits(tmp_path: Path) -> None:
    path = tmp_path / "tried.jsonl"
    path.write_text(
        case_file([WrittenPair("1", "A text.", "Yes."), WrittenPair("2", "B.", "No.", edit="own")], "jsonl")
    )
    _, second = open_source(f"file:{path}?{CASE_FILE_PARAMETERS}", None).pairs()
    assert second.facets == (Facet("edit", "own"),)
