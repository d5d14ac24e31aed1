"""Many-column tables of one's own, in every form that people have, through ``file:`` and ``data import``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora.files import write, write_rows

from nliprobe.api.import_tables import import_tables
from nliprobe.api.sources import open_source
from nliprobe.base.errors import DataError, UsageError
from nliprobe.corpora._grid_forms import grid_of, join_header
from nliprobe.corpora.infobox.hypotheses import table_lines
from nliprobe.corpora.infobox.notes import Notes
from nliprobe.corpora.infobox.read import Imported, read_tables
from nliprobe.task.pair import Pair
from nliprobe.task.table import Row, Table

HEADER, ROWS = ["Team", "Won", "Lost"], [["Tarn", "12", "3"], ["Velm", "4", "11"]]
TABLE = Table("Season", tuple(Row("", tuple(row)) for row in ROWS), columns=tuple(HEADER))
UNTITLED = TABLE.retitle("")
TALL = [["", "2021", "2021"], ["Team", "Won", "Lost"]]
TALL_COLUMNS = ("Team", "2021 Won", "2021 Lost")

TITLED: list[object] = [
    {"title": "Season", "header": HEADER, "rows": ROWS},
    {"caption": "Season", "columns": HEADER, "data": ROWS},
    {"name": "Season", "header": HEADER, "rows": [["Tarn", 12, 3], ["Velm", 4, 11]]},
    {"title": "Season", "header": HEADER, "rows": [dict(zip(HEADER, row, strict=True)) for row in ROWS]},
    {"table_caption": "Season", "table_column_names": HEADER, "table_content_values": ROWS},
    {"title": "Season", "rows": [HEADER, *ROWS]},
    json.loads(TABLE.to_json()),
]
PLAIN: list[object] = [
    {"columns": HEADER, "index": [0, 1], "data": ROWS},
    [HEADER, *ROWS],
    [dict(zip(HEADER, row, strict=True)) for row in ROWS],
]
HTML = """<table><caption>Season</caption><thead><tr><th rowspan=2>Team</th><th colspan=2>2021</th></tr>
<tr><th>Won</th><th>Lost</th></tr></thead>
<tbody><tr><th scope=row>Tarn</th><td>12<sup class=reference>[1]</sup></td><td>3</td></tr>
<tr><td>Velm</td><td>4</td><td>11</td></tr></tbody></table>"""


def only(path: Path, query: str = "") -> Pair:
    (pair,) = open_source(f"file:{path}{query}").pairs()
    return pair


def imported(path: Path, query: str = "") -> tuple[list[Imported], Notes]:
    notes = Notes()
    return read_tables([f"{path}{query}"], notes), notes


# ---- through file:


@pytest.mark.parametrize("form", TITLED)
@pytest.mark.parametrize("name", ["x.jsonl", "x.csv"])
def test_a_premise_may_be_a_table_with_many_columns(tmp_path: Path, form: object, name: str) -> None:
    cell = json.dumps(form) if name == "x.csv" else form
    path = write_rows(tmp_path / name, [{"premise": cell, "hypothesis": "h", "label": "neutral"}])
    assert only(path).premise == TABLE


@pytest.mark.parametrize("form", PLAIN)
@pytest.mark.parametrize("spell", [lambda form: form, json.dumps, repr])
def test_the_title_may_stand_in_a_column(tmp_path: Path, form: object, spell: object) -> None:
    assert callable(spell)
    row = {"premise": spell(form), "hypothesis": "h", "label": "neutral", "about": "Season"}
    path = write_rows(tmp_path / "x.jsonl", [row])
    assert only(path).premise == UNTITLED
    assert only(path, "?title=about").premise == TABLE


@pytest.mark.parametrize("spell", [lambda cells: cells, json.dumps, repr])
def test_rows_and_header_may_stand_in_columns_of_their_own(tmp_path: Path, spell: object) -> None:
    assert callable(spell)
    row = {"cells": spell(ROWS), "names": spell(HEADER), "about": "Season", "claim": "h", "label": "neutral"}
    path = write_rows(tmp_path / "x.jsonl", [row])
    assert only(path, "?premise=cells&header=names&title=about").premise == TABLE


def test_html_in_a_cell_is_a_table(tmp_path: Path) -> None:
    row = {"premise": HTML, "hypothesis": "h", "label": "neutral"}
    assert only(write_rows(tmp_path / "x.csv", [row])).premise == Table("Season", TABLE.rows, columns=TALL_COLUMNS)


@pytest.mark.parametrize("text", ["[[citation needed]] He left.", "['quoted'] start", "[1] A note.", "<b>bold</b>"])
def test_a_text_in_brackets_stays_a_text(tmp_path: Path, text: str) -> None:
    assert (
        only(write_rows(tmp_path / "x.csv", [{"premise": text, "hypothesis": "h", "label": "neutral"}])).premise == text
    )


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("T1.json", json.dumps(TITLED[0])),
        ("T1.csv", "Team,Won,Lost,Draw\nTarn,12,3,0\n"),
        ("T1.csv", "Team,Won\nTarn,12\n"),
        ("T1.html.csv", "Team#Won#Lost\nTarn#12,000#3\nVelm#1#2\n"),
        ("T1.tsv", "Team\tWon\tLost\tDraw\nTarn\t12\t3\t0\n"),
        ("T1.html", HTML),
    ],
)
def test_tables_of_a_folder_may_have_many_columns(tmp_path: Path, name: str, content: str) -> None:
    write(tmp_path / "tables" / name, content)
    for table in ("T1" if name.count(".") == 1 else "T1.html", name):
        path = write_rows(tmp_path / "x.csv", [{"table_id": table, "claim": "h", "label": "neutral"}])
        premise = only(path, f"?tables={tmp_path / 'tables'}").premise
        assert isinstance(premise, Table)
        assert premise.columns[0] == "Team"
        assert premise.rows[0].values[0] == "Tarn"


def test_all_missing_tables_are_named_at_once(tmp_path: Path) -> None:
    write(tmp_path / "tables" / "T1.json", json.dumps(TITLED[0]))
    rows = [{"table_id": f"T{n}", "claim": "h", "label": "neutral"} for n in (1, 2, 3, 2)]
    corpus = open_source(f"file:{write_rows(tmp_path / 'x.csv', rows)}?tables={tmp_path / 'tables'}")
    for read in (lambda: list(corpus.pairs()), corpus.digest):
        with pytest.raises(
            DataError, match=r"2 of 3 tables are missing from .*: 'T2' \(.*line 3\), 'T3' \(.*line 4\)\."
        ):
            read()


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"header": HEADER, "rows": [["a", "b"]]}, "line 1: row 1 of the table has 2 cells under 3 columns"),
        ({"header": [["a"], ["b", "c"]], "rows": [["a", "b"]]}, "the lines of the header have 1, 2 cells"),
        ({"header": 3, "rows": [["a", "b"]]}, "the header of the table should be a list of names"),
        ([HEADER], "line 1: the table has no rows"),
    ],
)
def test_tables_that_do_not_fit_are_refused(tmp_path: Path, table: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        only(write_rows(tmp_path / "x.jsonl", [{"premise": table, "hypothesis": "h"}]))


# ---- through data import


@pytest.mark.parametrize("form", [*TITLED, *PLAIN])
def test_every_form_is_imported(tmp_path: Path, form: object) -> None:
    (table,), _ = imported(write(tmp_path / "Season.json", json.dumps(form)))
    assert table.table == TABLE


def test_a_list_of_tables_is_not_one_table(tmp_path: Path) -> None:
    tables, _ = imported(write(tmp_path / "x.json", json.dumps(TITLED[:3])))
    assert [item.table for item in tables] == [TABLE] * 3
    infoboxes = [{"title": "Ada", "Born": "1815"}, {"title": "Ida", "Born": "1900"}]
    tables, _ = imported(write(tmp_path / "y.json", json.dumps(infoboxes)))
    assert [item.table.title for item in tables] == ["Ada", "Ida"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_header_may_have_several_lines(tmp_path: Path, delimiter: str) -> None:
    text = "".join(delimiter.join(line) + "\n" for line in [*TALL, *ROWS])
    (table,), _ = imported(write(tmp_path / "Season.csv", text), "?form=grid&header=2")
    assert table.table == Table("Season", TABLE.rows, columns=TALL_COLUMNS)
    assert join_header(TALL) == list(TALL_COLUMNS)
    assert grid_of({"header": TALL, "rows": ROWS}).columns == TALL_COLUMNS


def test_four_columns_are_a_table_and_three_are_one_when_asked(tmp_path: Path) -> None:
    wide = write(
        tmp_path / "a.csv", "sep=,\n".join(["", "Team,Won,Lost,Draw,\nTarn,12,3,0,\n"]).removeprefix("sep=,\n")
    )
    (table,), _ = imported(wide)
    assert table.table.columns == ("Team", "Won", "Lost", "Draw")
    narrow = write(tmp_path / "b.csv", "Team,Won,Lost\nTarn,12,3\n")
    assert imported(narrow)[0][0].table.columns == ()
    assert imported(narrow, "?form=grid")[0][0].table.columns == ("Team", "Won", "Lost")
    with pytest.raises(UsageError, match="'form' should be auto, infobox, grid"):
        imported(narrow, "?form=table")


def test_a_page_with_a_header_above_columns_gives_a_table(tmp_path: Path) -> None:
    page = f"<h1>Page</h1>{HTML}<table><tr><td>x<td>y<td>z</table>"
    (table,), notes = imported(write(tmp_path / "x.html", page))
    assert table.table == Table("Season", TABLE.rows, columns=TALL_COLUMNS)
    assert notes.counts == {"few-rows": 1, "skipped-tables": 1, "footnotes": 1}


def test_sources_and_hypotheses_take_an_encoding(tmp_path: Path) -> None:
    table = write(tmp_path / "Saison.csv", "Équipe;Gagné;Perdu;Nul\nTarn;12;3;0\n".encode("cp1252"))
    claims = write(tmp_path / "c.csv", "claim;verdict\nL’équipe a gagné.;supports\n".encode("cp1252"))
    for source, hypotheses in ((f"{table}?encoding=cp1252", str(claims)), (str(table), f"{claims}?encoding=cp1252")):
        with pytest.raises(DataError, match=r"is not UTF-8\. It looks like cp1252: add encoding=cp1252"):
            import_tables([source], hypotheses)
    found = import_tables([f"{table}?encoding=cp1252"], f"{claims}?encoding=cp1252")
    (line,) = map(json.loads, found.text.splitlines())
    assert (line["hypothesis"], line["label"], line["premise"]["columns"][0]) == (
        "L’équipe a gagné.",
        "entailment",
        "Équipe",
    )


def test_all_tables_that_hypotheses_miss_are_named_at_once(tmp_path: Path) -> None:
    write(tmp_path / "t" / "a.json", json.dumps(TITLED[0]))
    write(tmp_path / "t" / "b.json", json.dumps(TITLED[0]))
    claims = write(tmp_path / "c.csv", "table,claim,label\nx,h,E\na,h,E\ny,h,E\nx,i,E\n")
    with pytest.raises(DataError, match=r"line 2: there is no table 'x'.* Missing as well: 'y' \(.*line 4\)\."):
        import_tables([str(tmp_path / "t")], claims)


def test_a_label_of_hypotheses_is_asked_for_and_its_absence_said(tmp_path: Path) -> None:
    table = write(tmp_path / "a.json", json.dumps(TITLED[0]))
    claims = write(tmp_path / "c.csv", "claim,mark\nh,supports\ni,refutes\n")
    with pytest.raises(UsageError, match=r"'mark' could be one .* label=mark, or label=none"):
        import_tables([str(table)], claims)
    assert import_tables([str(table)], f"{claims}?label=mark").document["labels"] == {
        "contradiction": 1,
        "entailment": 1,
    }
    said = import_tables([str(table)], write(tmp_path / "d.csv", "claim,topic\nh,x\ni,y\n")).document["findings"]
    assert "no-labels" in {item["kind"] for item in said}


cells = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zs", "Zl", "Zp", "Cs"]), min_size=1, max_size=6)


@st.composite
def grids(draw: st.DrawFn) -> Table:
    width = draw(st.integers(4, 6))
    lines = st.lists(cells, min_size=width, max_size=width)
    rows = draw(st.lists(lines, min_size=1, max_size=4))
    return Table(draw(cells), tuple(Row("", tuple(row)) for row in rows), "", tuple(draw(lines)))


@given(grids())
def test_any_table_survives_being_written_and_imported_again(
    tmp_path_factory: pytest.TempPathFactory, table: Table
) -> None:
    folder = tmp_path_factory.mktemp("grid")
    (again,), _ = imported(write(folder / "x.jsonl", table_lines([Imported("x", table, "p")])))
    assert again.table == table
    pair = {"premise": json.loads(table.to_json()), "hypothesis": "h", "label": "neutral"}
    assert only(write(folder / "y.jsonl", json.dumps(pair) + "\n")).premise == table


@given(grids())
def test_any_table_survives_csv(tmp_path_factory: pytest.TempPathFactory, table: Table) -> None:
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator="\n").writerows([table.columns, *(row.values for row in table.rows)])
    path = write(tmp_path_factory.mktemp("csv") / "x.csv", stream.getvalue())
    (again,), _ = imported(path, "?form=grid&delimiter=comma")
    assert (again.table.columns, again.table.rows) == (table.columns, table.rows)


# ---- real tables


def test_scitab_through_file_is_scitab(data: Path) -> None:
    corpus = list(open_source("scitab/all", data).pairs())
    query = "premise=table_content_values&header=table_column_names&title=table_caption&id=id&group=table_id"
    own = list(open_source(f"file:{data / 'scitab' / 'sci_tab.json'}?{query}").pairs())
    assert [pair.gold for pair in own] == [pair.gold for pair in corpus]
    assert [pair.group for pair in own] == [pair.group for pair in corpus]
    for mine, theirs in zip(own, corpus, strict=True):
        assert isinstance(mine.premise, Table)
        assert isinstance(theirs.premise, Table)
        assert [len(row.values) for row in mine.premise.rows] == [len(row.values) for row in theirs.premise.rows]
