"""Premises that somebody types or pastes."""

from __future__ import annotations

import pytest

from nliprobe.api.typed import MOST_WORDS, PREMISE_FORMS, read_premise
from nliprobe.base.errors import DataError, UsageError
from nliprobe.task.table import Row, Table

FILM = Table("Up", (Row("Year", ("2009",)), Row("Voices", ("Ed Asner", "Jordan Nagai"))))


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("lines", "Up\nYear: 2009\nVoices: Ed Asner\nVoices: Jordan Nagai"),
        ("lines", "  title: Up \r\n\r\nYear:2009\r\nVoices : Ed Asner\r\nVoices:  Jordan   Nagai"),
        ("columns", "key,value\ntitle,Up\nYear,2009\nVoices,Ed Asner\nVoices,Jordan Nagai"),
        ("columns", "title\tUp\nYear\t2009\nVoices\tEd Asner\nVoices\tJordan Nagai"),
        ("json", '{"title": "Up", "Year": 2009, "Voices": ["Ed Asner", "Jordan Nagai"]}'),
        ("auto", '{"title": "Up", "Year": 2009, "Voices": ["Ed Asner", "Jordan Nagai"]}'),
        ("auto", '{\n "title": ["Up"],\n "Year": ["2009"],\n "Voices": ["Ed Asner", "Jordan Nagai"]\n}'),
        ("auto", "<table class=infobox><caption>Up<tr><th>Year<td>2009<tr><th>Voices<td>Ed Asner<br>Jordan Nagai"),
    ],
)
def test_a_table_can_be_typed_in_many_forms(form: str, text: str) -> None:
    assert read_premise(text, form).premise == FILM


@pytest.mark.parametrize(
    ("text", "columns", "rows"),
    [
        ("Name\tGold\tSilver\nJapan\t8\t1\nItaly\t3\t2", "Name Gold Silver", ["Japan 8 1", "Italy 3 2"]),
        ("Name,Gold,Silver\nJapan,8,1\nItaly,3,2", "Name Gold Silver", ["Japan 8 1", "Italy 3 2"]),
        # A spreadsheet copies a cell with a line break between quotes, and empty rows as tabs.
        ('N\tA\tB\tC\r\n"South\nKorea"\t3\t2\t1\r\n\t\t\t\r\n', "N A B C", ["South Korea 3 2 1"]),
        ("| Name | Gold |\n|:---|---:|\n| Japan | 8 |\n| Italy | 3 |\n", "Name Gold", ["Japan 8", "Italy 3"]),
        # An empty cell at the end stays one, and a bar in a cell is written with a backslash.
        ("| Name | Gold |\n|---|---|\n| A \\| B ||\n| C | |", "Name Gold", ["A | B ", "C "]),
        ("| Name | Gold\n|---|---\n| Japan | 8", "Name Gold", ["Japan 8"]),
        ("Name | Gold\n--- | ---\nJapan | 8", "Name Gold", ["Japan 8"]),
    ],
)
def test_tables_with_a_header_are_pasted_as_they_are_copied(text: str, columns: str, rows: list[str]) -> None:
    table = read_premise(text, "columns", title="Games").premise
    assert isinstance(table, Table)
    assert (table.title, " ".join(table.columns)) == ("Games", columns)
    assert [" ".join(row.values) for row in table.rows] == rows


@pytest.mark.parametrize(
    "page",
    [
        # Google Sheets, Excel and LibreOffice: no cell is a heading.
        "<table xmlns='http://www.w3.org/1999/xhtml'><colgroup><col/></colgroup><tbody><tr><td data-sheets-value='{}'>"
        "Name</td><td>Gold</td><td>Silver</td></tr><tr><td>South Korea</td><td>8</td><td></td></tr></tbody></table>",
        "<table border=0 cellpadding=0><!--StartFragment--> <col width=64 span=3> <tr height=20><td height=20>Name</td>"
        "<td>Gold</td><td>Silver</td></tr> <tr><td>South<br>Korea</td><td align=right>8</td><td></td></tr></table>",
        # The title in a cell across the table, or an empty row, is not the header.
        "<table><tr><td colspan=3></td></tr><tr><td>Name<td>Gold<td>Silver</tr><tr><td>South Korea<td>8<td></table>",
        # Beside a table for the layout of a page, the one inside it is meant.
        "<table><tr><td>Menu<td><table><tr><th>Name<th>Gold<th>Silver<tr><td>South Korea<td>8<td></table><td>News"
        "</table>",
    ],
)
def test_cells_are_pasted_as_a_spreadsheet_copies_them(page: str) -> None:
    read = read_premise(page).premise
    assert read == Table("", (Row("", ("South Korea", "8", "")),), columns=("Name", "Gold", "Silver"))


def test_a_title_above_the_header_of_pasted_cells_is_the_title() -> None:
    cells = "<table><tr><t{0} colspan=3>Games<tr><td>Name<td>Gold<td>Silver<tr><td>Japan<td>8<td>1</table>"
    table = Table("Games", (Row("", ("Japan", "8", "1")),), columns=("Name", "Gold", "Silver"))
    assert [read_premise(cells.format(kind)).premise for kind in "dh"] == [table] * 2


def test_of_a_pasted_page_the_table_that_says_what_it_is_is_read() -> None:
    cells = "<table><tr><td>a<td>b<td>c<tr><td>d<td>e<td>f</table>"
    films = "<table><caption>Up<tr><th>Year<td>2009<tr><th>Voices<td>Ed Asner<br>Jordan Nagai</table>"
    assert read_premise(cells + films).premise == FILM


def test_three_columns_under_one_title_are_keys_and_values() -> None:
    read = read_premise("Up,Year,2009\nUp,Voices,Ed Asner\nUp,Voices,Jordan Nagai", "columns")
    assert read.premise == FILM


def test_scripts_in_a_pasted_page_are_dropped_and_counted() -> None:
    page = (
        "<div onclick=evil()><script>steal()</script><table class=infobox><caption>Up<img src=x onerror=evil()>"
        "</caption><tr><th>Year<td>2009<script>steal()</script></td></tr>"
        "<tr><th>Cut<td><svg onload=evil()>one</svg>two</tr></table>"
    )
    read = read_premise(page)
    assert isinstance(read.premise, Table)
    assert not any(word in read.premise.to_json() for word in ("steal", "evil", "<", "onerror"))
    assert any("script" in note for note in read.notes)


def test_texts_stay_texts() -> None:
    for text in ("One: two, three\tfour.", "< 5 is less than 6", "[sic] he said", "{x} is a set", "[" * 5000):
        assert read_premise(text).premise == text
    assert read_premise("a\r\nb\x00c").premise == "a\nbc"


@pytest.mark.parametrize(
    ("form", "text", "words"),
    [
        ("auto", "  \r\n ", "empty"),
        ("lines", "Year: 2009", "no title"),
        ("lines", "Up\nno colon here", "Line 2"),
        ("lines", "Up\n: value", "Line 2"),
        ("lines", "Up", "no rows"),
        ("html", "no table here", "no HTML of a table"),
        ("html", "<table><tr><td>a<td>b<td>c</table>", "none of three columns or more. Paste"),
        (
            "html",
            "<table><tr><th colspan=3>Up<tr><th>Year<td colspan=2>2009<tr><th>Cut<td colspan=2>one</table>",
            "no rows",
        ),
        ("html", "<table><tr><td>a<tr><td>b</table>", "none of three columns or more. Paste"),
        ("html", "<table><tr><th>a<td>b</table><table><tr><th>c<td>d</table>", "expected one table"),
        ("columns", 'a\tb\tc\td\n"x\ty', "line 2: 2 fields"),
        ("columns", "title,key,value\nUp,a,b\nDown,a,b", "expected one table"),
        ("json", "{", "not JSON"),
        ("json", '{"a": {"title": "x", "k": "v"}, "b": {"title": "y", "k": "v"}}', "expected one table"),
        ("columns", "only one field", "one field"),
        ("text", '{"title": "Up", "Year": "2009"}', "is a table to whoever reads it"),
        ("text", "word " * (MOST_WORDS + 1), "3,001 words"),
        ("text", "x" * 100_000, "100,000 characters: at most 60,000"),
        ("lines", "Up\n" + "\n".join(f"k{n}: v" for n in range(1000)), "2,000 cells"),
        ("columns", "a,b,c,d\n" + "1,2,3,4\n" * 250, "1,004 cells: at most 1,000"),
    ],
)
def test_what_is_no_premise_is_a_sentence(form: str, text: str, words: str) -> None:
    with pytest.raises(DataError, match=words):
        read_premise(text, form)


def test_keys_that_a_table_does_not_have_are_no_cells() -> None:
    table = read_premise("a,b,c,d\n" + "1,2,3,4\n" * 249, "columns").premise
    assert isinstance(table, Table)
    assert len(table.rows) == 249


def test_unknown_forms_are_refused() -> None:
    with pytest.raises(UsageError, match="lines"):
        read_premise("x", "yaml")
    assert "auto" in PREMISE_FORMS


def test_the_title_of_the_form_is_for_tables_without_one() -> None:
    assert read_premise("Year: 2009", "lines", title=" Up ").premise == Table("Up", (Row("Year", ("2009",)),))
    named = read_premise("Up\nYear: 2009", "lines", title="Other").premise
    assert isinstance(named, Table)
    assert named.title == "Up"
