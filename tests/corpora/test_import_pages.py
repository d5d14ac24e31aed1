"""Infoboxes in pages of HTML: what is read, what is counted, and pages that nobody should have written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora import pages
from tests.corpora.pages import page, rows

from nliprobe.base.errors import DataError, UsageError
from nliprobe.corpora.infobox._decode import decode


def one(text: str) -> dict[str, list[str]]:
    found, _ = page(text)
    assert len(found) == 1
    return rows(found[0])


class TestPages:
    def test_a_person_is_split_at_the_subheading(self) -> None:
        found, notes = page(pages.PERSON)
        assert [table.title for table in found] == ["Mira Voss", "Mira Voss"]
        assert rows(found[0]) == pages.PERSON_ROWS
        assert rows(found[1]) == pages.COUNCIL_ROWS
        assert notes.counts == {
            "loose-text": 1, "sections": 1, "images": 2, "captions": 2, "footnotes": 3, "hidden": 2, "title-lines": 1,
        }  # fmt: skip

    def test_a_film_with_open_tags_and_cells_that_span_rows(self) -> None:
        found, notes = page(pages.FILM)
        assert [table.title for table in found] == ["The Tin Lantern"]
        assert rows(found[0]) == pages.FILM_ROWS
        assert notes.counts == {"images": 1, "captions": 1, "footnotes": 2}

    def test_a_city_with_groups_coordinates_and_tables_inside(self) -> None:
        found, notes = page(pages.CITY)
        assert [rows(table) for table in found] == [
            {"Coordinates": ["41°52′N 87°37′W"], "Country": ["Velmark"], "Native name": ["Тарн на Велте"],
             "Founded": ["1203"]},
            {"Total": ["234.1 km2 (90.4 sq mi)"], "Water": ["6.9 km2"]},
            {"Total": ["41,200"]},
            {"Name": ["Ida Quill"], "Party": ["Blue List"]},
        ]  # fmt: skip
        assert notes["loose-text"] == 1
        assert notes["sections"] == 3

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("<tr><th rowspan=2>A<td>1<tr><td>2", {"A": ["1", "2"]}),
            ("<tr><th>K<td>v<tr><th rowspan=2>A<td><img><tr><td>2", {"K": ["v"], "A": ["2"]}),
            ("<tr><th rowspan=2>Area<th>Total<td>5<tr><th>Water<td>1", {"Area: Total": ["5"], "Area: Water": ["1"]}),
            ("<tr><th>A<td rowspan=3>x<tr><th>B<tr><th>C", {"A": ["x"], "B": ["x"], "C": ["x"]}),
            ("<tr><th>A<td>1<td>2", {"A": ["1", "2"]}),
            ("<tr><td>A<td>1", {"A": ["1"]}),
        ],
    )
    def test_cells_that_span(self, text: str, expected: dict[str, list[str]]) -> None:
        assert one(f"<table class=infobox><caption>T</caption>{text}</table>") == expected

    def test_sections_in_titles_or_joined(self) -> None:
        found, _ = page(pages.CITY, sections="title")
        assert [table.title for table in found][1:] == ["Tarn – Area", "Tarn – Population (2020)", "Tarn – Mayor"]
        (joined,), notes = page(pages.CITY, sections="join")
        assert joined.keys == (
            "Coordinates", "Country", "Native name", "Founded", "Total", "Water", "Population (2020): Total", "Name",
            "Party",
        )  # fmt: skip
        assert not notes["sections"]
        assert not notes["repeated-keys"]

    def test_infoboxes_come_first_and_others_on_demand(self) -> None:
        text = "<table><tr><td>A<td>b</table>" + pages.FILM + "<table><tr><td>x<td>y<td>z</table>"
        assert [table.title for table in page(text)[0]] == ["The Tin Lantern"]
        found, notes = page(text, "all")
        assert len(found) == 2
        assert notes["skipped-tables"] == 1
        assert rows(page(text, "1")[0][0]) == {"A": ["b"]}
        assert rows(page(text, "3")[0][0]) == {"x": ["y", "z"]}
        with pytest.raises(DataError, match="has 3 tables, so there is no table 4"):
            page(text, "4")
        with pytest.raises(UsageError, match="select= should be"):
            page(text, "0")

    def test_a_table_inside_a_layout_table_counts_once(self) -> None:
        inner = "<table class=infobox><caption>T</caption><tr><th>K<td>v</table>"
        found, _ = page(f"<table><tr><td>menu<td>{inner}</table>")
        assert [rows(table) for table in found] == [{"K": ["v"]}]
        found, _ = page(f"<table><tr><td>{inner.replace('class=infobox', '')}</table>")
        assert [rows(table) for table in found] == [{"K": ["v"]}]

    def test_a_header_of_columns_is_no_row(self) -> None:
        found, notes = page("<h1>T</h1><table><tr><th>Field<th>Value<tr><td>Born<td>1965<tr><td>Died<td>2001</table>")
        assert rows(found[0]) == {"Born": ["1965"], "Died": ["2001"]}
        assert found[0].title == "T"
        assert notes.counts == {"column-headers": 1}

    @pytest.mark.parametrize(
        ("text", "title"),
        [
            ("<title>P - Wikipedia</title><h1>H</h1><table class=infobox><caption>C</caption>%s</table>", "C"),
            ("<title>P - Wikipedia</title><h1>H</h1><table class=infobox><tr><th colspan=2>A</th>%s</table>", "A"),
            ("<title>P - Wikipedia</title><h1>H <i>h</i></h1><table class=infobox>%s</table>", "H h"),
            ("<title>P - Wikipedia</title><table class=infobox>%s</table>", "P"),
            ("<table class=infobox>%s</table>", ""),
        ],
    )
    def test_where_the_title_comes_from(self, text: str, title: str) -> None:
        found, _ = page(text % "<tr><th>K<td>v")
        assert [table.title for table in found] == [title]

    @pytest.mark.parametrize(
        ("cell", "values"),
        [
            ("a<br>b<br/>c</br>d", ["a", "b", "c", "d"]),
            ("<ul><li>a<ul><li>b</ul><li>c</ul>", ["a", "b", "c"]),
            ("<p>a<p>b</p>", ["a", "b"]),
            ("a &amp; b &#60;c&gt; &bogus;", ["a & b <c> &bogus;"]),
            ("a<script>alert('<td>x</td>')</script>b", ["ab"]),
            ("a<span style='DISPLAY : none'>x</span>b<span hidden>y</span>", ["ab"]),
            ("benzo[a]pyrene[12]", ["benzo[a]pyrene"]),
            ("x<sup>2</sup>", ["x2"]),
            ("H<sub>2</sub>O", ["H2O"]),
            ("<table><tr><td>a<td>b<tr><td>c</table>d", ["a b", "c", "d"]),
            ("a<span style='display:none'>x", ["a"]),
            ("<b>a</i></div>b", ["ab"]),
            ("a\u200bb\u00ad", ["ab"]),
        ],
    )
    def test_what_a_cell_says(self, cell: str, values: list[str]) -> None:
        assert one(f"<table class=infobox><tr><th>K</th><td>{cell}</td></tr><tr><th>L<td>w</table>") == {
            "K": values,
            "L": ["w"],
        }

    def test_hidden_rows_and_tables_are_not_read(self) -> None:
        text = "<table class=infobox><tr style='display:none'><th>K<td>v<tr><th>L<td>w</table>"
        assert one(text + "<div hidden><table class=infobox><tr><th>M<td>x</table></div>") == {"L": ["w"]}

    def test_a_heading_without_rows_is_counted(self) -> None:
        _, notes = page("<table class=infobox><caption>T</caption><tr><th>A<tr><th>B<tr><th>K<td>v</table>")
        assert notes.counts == {"empty-headings": 1, "sections": 1}

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("<p>no table</p>", "holds no table"),
            ("<table><tr><td>a<td>b<td>c</table>", "none of keys and values"),
        ],
    )
    def test_pages_without_infobox_say_so(self, text: str, message: str) -> None:
        with pytest.raises(DataError, match=message):
            page(text)
        with pytest.raises(DataError, match=r"none is an infobox|holds no table"):
            page(text, "infobox")


SOUP = [
    "<table>", "<table class=infobox>", "</table>", "<tr>", "</tr>", "<th>", "</th>", "<td>", "<td rowspan=2>", "</td>",
    "<caption>", "</caption>", "<b>", "</b>", "<div>", "</div>", "<br>", "<ul>", "<li>", "</ul>", "<img>", "<sup>",
    "</sup>", "<p hidden>", "</p>", "<script>", "</script>", "<!--", "-->", "<tbody>", "[1]", "key", "value", "&lt;",
    "<", "&#0;",
]  # fmt: skip


class TestHostilePages:
    MANY = 20_000

    @pytest.mark.parametrize("tag", ["<div>", "<b>", "<sup>[1", "<span style='display:none'>", "<li>", "</td-x>"])
    def test_no_depth_is_too_deep(self, tag: str) -> None:
        text = f"<table class=infobox><tr><th>K<td>v{tag * self.MANY}<tr><th>L<td>w</table>"
        assert one(text)["L"] == ["w"]

    def test_tables_in_tables_without_end(self) -> None:
        text = "<table class=infobox><tr><th>K<td>" * self.MANY + "v"
        assert list(one(text)) == ["K"]

    def test_spans_without_measure(self) -> None:
        text = "<table class=infobox>" + "<tr><th rowspan=99999999999 colspan=999999>K<td rowspan=-1 colspan=x>v" * 300
        assert "v" in one(text)["K"]

    def test_a_cell_of_ten_megabytes(self) -> None:
        found, notes = page(f"<table class=infobox><tr><th>K<td>{'word ' * 2_000_000}</table>")
        assert len(found[0].rows[0].values[0]) == 9_999_999
        assert not notes.counts

    def test_null_bytes_are_counted(self) -> None:
        found, notes = page("<table class=infobox>\0<tr><th>K\0<td>v\0w\x07</table>")
        assert rows(found[0]) == {"K": ["vw"]}
        assert notes.counts == {"characters": 4}

    @given(st.lists(st.sampled_from(SOUP), max_size=40))
    def test_any_soup_gives_tables_or_a_sentence(self, pieces: list[str]) -> None:
        try:
            found, _ = page("".join(pieces))
        except DataError:
            return
        for table in found:
            assert all(row.key and row.values and all(row.values) for row in table.rows)
            assert "[1]" not in table.to_json()


class TestDecode:
    def test_encodings(self) -> None:
        declared = b'<meta charset="%s">'
        assert decode(b"\xef\xbb\xbfJos\xc3\xa9", "p", declared=True) == "José"
        assert decode("José".encode("utf-16"), "p") == "José"
        assert decode(declared % b"iso-8859-1" + b"Jos\xe9 \x80", "p", declared=True).endswith("José €")
        assert decode(declared % b"shift_jis" + "東京".encode("shift_jis"), "p", declared=True).endswith("東京")
        assert decode(b'{"a": "charset=koi8-r"}', "p") == '{"a": "charset=koi8-r"}'

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"a\nJos\xe9", "p, line 2: byte 0xe9 is not UTF-8. It looks like cp1252: add encoding=cp1252, or save"),
            (b"<meta charset=utf-8>\xff", r"line 1: byte 0xff is not UTF-8\..* The page declares utf-8\."),
            (b"<meta charset=klingon>", "declares the encoding 'klingon', which is unknown"),
            (b"<meta charset=hex>", "declares the encoding 'hex', which is unknown"),
        ],
    )
    def test_wrong_bytes(self, content: bytes, message: str) -> None:
        with pytest.raises(DataError, match=message):
            decode(content, "p", declared=True)
