"""Users' own infoboxes: JSON, CSV, ids, hypotheses; tables that are written and imported again; InfoTabS."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora import pages
from tests.corpora.files import write
from tests.corpora.pages import page, rows

from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.corpora.file import FileCorpus
from nliprobe.corpora.infobox._cells import _FOOTNOTE, _WIDTHLESS
from nliprobe.corpora.infobox._checks import is_foreign, table_from
from nliprobe.corpora.infobox._draft import plain
from nliprobe.corpora.infobox.hypotheses import pair_lines, read_hypotheses, table_lines, template
from nliprobe.corpora.infobox.notes import Notes
from nliprobe.corpora.infobox.read import Imported, ImportOptions, read_tables
from nliprobe.corpora.infotabs import InfoTabs
from nliprobe.represent.html_table import HtmlTable
from nliprobe.task.table import Row, Table
from nliprobe.testing.strategies import tables, unicode_tables


def imported(path: Path, content: str | bytes, **options: object) -> tuple[list[Imported], Notes]:
    notes = Notes()
    how = ImportOptions(**options)  # type: ignore[arg-type]
    return read_tables([str(write(path, content))], notes, how), notes


class TestObjects:
    TABLE = Table("Ada", (Row("Born", ("1815",)), Row("Fields", ("mathematics", "computing"))))

    @pytest.mark.parametrize(
        "content",
        [
            {"title": ["Ada"], "Born": ["1815"], "Fields": ["mathematics", "computing"]},
            {"Title": "Ada", "Born": 1815, "Fields": ["mathematics", "computing"]},
            {"title": "Ada", "rows": [["Born", ["1815"]], ["Fields", ["mathematics", "computing"]]]},
            {"title": "Ada", "rows": [{"key": "Born", "value": 1815}, {"key": "Fields", "values": ["mathematics",
             "computing"]}]},
            [{"title": "Ada", "Born": "1815", "Fields": ["mathematics", "computing"]}],
            {"tables": [{"title": "Ada", "Born": "1815", "Fields": ["mathematics", "computing"]}]},
            {"T1": {"title": "Ada", "Born": "1815", "Fields": ["mathematics", "computing"]}},
        ],
    )  # fmt: skip
    def test_every_shape(self, tmp_path: Path, content: object) -> None:
        (found,), notes = imported(tmp_path / "a.json", json.dumps(content))
        assert found.table == self.TABLE
        assert found.id == ("T1" if isinstance(content, Mapping) and "T1" in content else "a")
        assert notes.counts == {"few-rows": 1}

    def test_lines_and_what_is_counted(self, tmp_path: Path) -> None:
        text = '{"title": "A", "k": "1", "k": ["2", "1"], "": "x", "n": null, "e": ["", "y"], "l": 1.50}\n{"k": true}\n'
        found, notes = imported(tmp_path / "some.json", text, category="Thing")
        assert [item.id for item in found] == ["a", "some"]
        assert rows(found[0].table) == {"k": ["1", "2"], "e": ["y"], "l": ["1.50"]}
        assert found[1].table == Table("some", (Row("k", ("true",)),), "Thing")
        assert notes.counts == {"few-rows": 1, "empty-keys": 1, "empty-values": 2, "repeated-keys": 1, "untitled": 1}

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("[1]", r"a\.json, item 1: expected an object of keys and values"),
            ('{"title": "t", "Born": ["x", {"c": 1}]}', r"a\.json, 'Born', value 2: expected a text.* found an object"),
            ('{"title": "t", "Born": {"c": 1}}', r"a\.json, 'Born': expected a text, a number"),
            ('{"title": "t", "rows": [["a", "b"], ["c"]]}', r"a\.json, row 2: expected"),
            ('{"title": "t", "rows": [{"key": null, "value": 1}]}', "row 1: the key should be a text, but is null"),
            (
                '{"title": "t", "columns": ["a"], "rows": [["", ["b", "c"]]]}',
                "row 1 of the table has 2 cells",
            ),
            ('{"title": "t",\n "b" 1}', r"a\.json, line 2: this is not JSON"),
            ('{"a": 1}\n{"a": ', r"a\.json, line 2: this is not JSON"),
            ("[]", "the list is empty"),
            ("[" * 100_000, "nested too deeply"),
            ("  ", "is empty"),
        ],
    )
    def test_wrong_shapes_name_the_place(self, tmp_path: Path, text: str, message: str) -> None:
        with pytest.raises(DataError, match=message):
            imported(tmp_path / "a.json", text)

    def test_halves_of_characters_and_long_numbers(self, tmp_path: Path) -> None:
        (found,), notes = imported(
            tmp_path / "a.json", '{"title": "t", "k": "\\ud800x\\u0000", "n": ' + "9" * 5000 + "}"
        )
        assert found.table.rows[0] == Row("k", ("\ufffdx",))
        assert notes["characters"] == 2
        assert notes["long-cells"] == 1


class TestColumns:
    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("a.csv", "title,Ada\nBorn,1815\nFields,mathematics\nFields,computing\n"),
            ("a.csv", "Key;Value\ntitle;Ada\nBorn;1815\nFields;mathematics\nFields;computing\n"),
            ("a.csv", 'key,value,title\nBorn,1815,Ada\nFields,"mathematics\ncomputing",Ada\n'),
            ("a.csv", "Ada,Born,1815\r\nAda,Fields,mathematics\r\nAda,Fields,computing\r\n"),
            ("a.tsv", "title\tkey\tvalue\nAda\tBorn\t1815\n\nAda\tFields\tmathematics\nAda\tFields\tcomputing\n"),
            ("a.csv", "\ufeffattribute|value\ntitle|Ada\nBorn|1815\nFields|mathematics\nFields|computing\n"),
        ],
    )
    def test_separators_headers_and_titles(self, tmp_path: Path, name: str, text: str) -> None:
        (found,), _ = imported(tmp_path / name, text)
        assert found.table == TestObjects.TABLE

    def test_a_column_of_ids_tells_tables_apart(self, tmp_path: Path) -> None:
        text = "table,title,category,key,value\nT1,Tarn,City,Area,5\nT2,Tarn,River,Length,9\nT1,,,Mayor,Ida\n"
        found, _ = imported(tmp_path / "a.csv", text)
        assert [(item.id, item.table) for item in found] == [
            ("T1", Table("Tarn", (Row("Area", ("5",)), Row("Mayor", ("Ida",))), "City")),
            ("T2", Table("Tarn", (Row("Length", ("9",)),), "River")),
        ]

    def test_a_key_on_lines_apart_is_merged_and_counted(self, tmp_path: Path) -> None:
        (found,), notes = imported(tmp_path / "a.csv", "title,T\na,1\na,1\nb,2\nc,3\na,1\na,4\n")
        assert rows(found.table) == {"a": ["1", "1", "4"], "b": ["2"], "c": ["3"]}
        assert notes.counts == {"repeated-keys": 1}

    def test_quotes_in_tsv_are_characters(self, tmp_path: Path) -> None:
        (found,), _ = imported(tmp_path / "a.tsv", 'title\tX\nNickname\t"Chaos" (callsign)\n')
        assert rows(found.table) == {"Nickname": ['"Chaos" (callsign)']}

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("a\nb\n", "line 1: one field where a key and a value are expected"),
            ("a,b\nc,d,e\n", "line 2: 3 fields where the first line has 2"),
            ("a,b,c,d\n", "nothing below it: expected the rows of a table"),
            ('a,b\n"c"d,e\n', "line 2: the quotes do not match"),
            ('a,b\n"c,e\n', "line 2: the quotes do not match"),
            ("key,value\n", "nothing below it"),
        ],
    )
    def test_wrong_lines(self, tmp_path: Path, text: str, message: str) -> None:
        with pytest.raises(DataError, match=message):
            imported(tmp_path / "a.csv", text)


class TestReading:
    def test_ids_are_distinct_and_folders_are_in_order(self, tmp_path: Path) -> None:
        for name in ("b/x.json", "b/x.csv", "b/y.json"):
            write(tmp_path / name, "k,v\n" if name.endswith("csv") else '{"title": "T", "k": "v"}')
        write(tmp_path / "b" / "readme.txt", "hello")
        notes = Notes()
        found = read_tables([str(tmp_path / "b"), str(write(tmp_path / "p q.html", pages.CITY))], notes)
        assert [item.id for item in found] == [
            "x", "x-2", "y", "p_q", "p_q-area", "p_q-population-2020", "p_q-mayor",
        ]  # fmt: skip
        assert notes["other-files"] == 1
        assert notes["few-rows"] == 6
        assert notes["non-english"] == 1

    def test_small_tables_can_be_left_out(self, tmp_path: Path) -> None:
        found, notes = imported(tmp_path / "city.html", pages.CITY, min_rows=3)
        assert [item.id for item in found] == ["city"]
        assert notes["left-out"] == 3
        assert not notes["few-rows"]

    def test_title_and_category_are_the_users(self, tmp_path: Path) -> None:
        (found,), _ = imported(tmp_path / "f.html", pages.FILM, title="Lantern", category="Movie")
        assert (found.table.title, found.table.category) == ("Lantern", "Movie")
        with pytest.raises(UsageError, match="title= is for one table, but 4 were found"):
            imported(tmp_path / "c.html", pages.CITY, title="x")

    def test_what_is_not_there(self, tmp_path: Path) -> None:
        write(tmp_path / "page.html", pages.FILM)
        with pytest.raises(NotFoundError, match=r"Did you mean 'page\.html'"):
            read_tables([str(tmp_path / "pag.html")], Notes())
        with pytest.raises(UsageError, match="does not say what it is"):
            read_tables([str(write(tmp_path / "page.doc", "x"))], Notes())
        (tmp_path / "empty").mkdir()
        with pytest.raises(NotFoundError, match="holds no file that ends in"):
            read_tables([str(tmp_path / "empty")], Notes())

    @pytest.mark.parametrize(
        ("text", "foreign"),
        [
            ("José Ángel Łódź", False), ("Athens (Αθήνα)", False), ("Αθήνα", True), ("5 μm", False), ("Ω", False),
            ("전소미", True), ("李小龍 (traditional)", True), ("/ˈdʒɔːndɪs/", False), ("12 [34] %", False),
            ("Corinth Κόρινθος", True), ("Republic of Bulgaria България", False),
        ],
    )  # fmt: skip
    def test_what_counts_as_not_english(self, text: str, foreign: bool) -> None:
        assert is_foreign(text) is foreign


class TestHypotheses:
    def tables(self, tmp_path: Path, text: str = pages.CITY) -> list[Imported]:
        return imported(tmp_path / "tarn.html", text)[0]

    def read(self, path: Path, text: str, found: Sequence[Imported], labels: str = "") -> tuple[list[object], Notes]:
        notes = Notes()
        return list(read_hypotheses(write(path, text), found, notes, labels)), notes

    def test_pairs_are_what_file_reads(self, tmp_path: Path) -> None:
        found = self.tables(tmp_path)
        path = write(
            tmp_path / "h.csv",
            "table,hypothesis,label,author\ntarn,Tarn is old.,E,ada\nTARN-AREA,Tarn has water.,-,bob\n"
            "tarn-mayor,,N,bob\n",
        )
        notes = Notes()
        lines = pair_lines(read_hypotheses(path, found, notes), sections=True)
        corpus = FileCorpus(write(tmp_path / "my.jsonl", lines))
        pairs = list(corpus.pairs())
        assert [pair.premise for pair in pairs] == [found[0].table, found[1].table]
        assert [pair.hypothesis for pair in pairs] == ["Tarn is old.", "Tarn has water."]
        assert [str(pair.gold) for pair in pairs] == ["E", "None"]
        record = json.loads(lines.splitlines()[1])
        assert (record["table"], record["section"], record["author"]) == ("tarn-area", "Area", "bob")
        assert notes.counts == {"blank-hypotheses": 1, "no-hypotheses": 2}

    def test_one_table_needs_no_name(self, tmp_path: Path) -> None:
        found = self.tables(tmp_path, pages.FILM)
        read, notes = self.read(tmp_path / "h.jsonl", '{"hypothesis": "It is long.", "label": 1}', found, "C,E")
        assert [getattr(item, "label", "") for item in read] == ["entailment"]
        assert not notes.counts

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("table,hypothesis\ntran,x\n", r"line 2: there is no table 'tran'. Did you mean 'tarn'\?"),
            ("table,hypothesis\nTarn,x\n", "4 tables are called 'Tarn'. Name one by its id: tarn, tarn-area"),
            ("hypothesis\nx\n", "does not say its table, and there are 4"),
            ("table,claims\ntarn,x\n", "there is no column 'hypothesis'"),
            ("table,hypothesis,label\ntarn,x,perhaps\n", "line 2: unknown label 'perhaps'"),
            ("table,hypothesis,label\ntarn,x,2\n", 'for example labels="entailment,neutral,contradiction"'),
            ("table,hypothesis,premise\ntarn,x,y\n", "the column 'premise' is one that import writes"),
        ],
    )
    def test_wrong_lines(self, tmp_path: Path, text: str, message: str) -> None:
        with pytest.raises(DataError, match=message):
            self.read(tmp_path / "h.csv", text, self.tables(tmp_path))

    def test_tables_and_template_are_read_again(self, tmp_path: Path) -> None:
        found = self.tables(tmp_path)
        again, _ = imported(tmp_path / "again.jsonl", table_lines(found))
        assert [(item.id, item.table, item.section) for item in again] == [
            (item.id, item.table, item.section) for item in found
        ]
        sheet = template(found)
        assert len(list(csv.reader(io.StringIO(sheet)))) == 1 + 3 * len(found)
        read, notes = self.read(tmp_path / "h.csv", sheet.replace("Tarn,,", "Tarn,x,"), found)
        assert len(read) == 12
        assert not notes.counts


def flat(table: Table) -> Table:
    """The table as import can give it back: texts on one line."""
    cells = tuple(Row(plain(row.key), tuple(plain(value) for value in row.values)) for row in table.rows)
    return Table(plain(table.title), cells, table.category)


def as_csv(table: Table) -> str:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(["title", "category", "key", "value"])
    writer.writerows([table.title, table.category, row.key, value] for row in table.rows for value in row.values)
    return stream.getvalue()


def as_html(table: Table) -> str:
    form = HtmlTable()
    return form.head(table) + "".join(form.row(row, table.title, ()) for row in table.rows) + form.tail(table)


def as_wikipedia(table: Table, style: int) -> str:
    """The table in an infobox with pictures, notes, hidden dates and lists."""
    from html import escape

    parts = [f'<table class="infobox"><tbody><tr><th colspan=2 class="infobox-above">{escape(table.title)}</th></tr>']
    for number, row in enumerate(table.rows):
        values = [f"<a href='x'>{escape(value)}</a>" for value in row.values]
        values[0] += '<sup class="reference"><a>[7]</a></sup><span style="display:none"> (1965-05-05)</span>'
        kind = (number + style) % 3
        if kind == 0:
            cell = "<br />".join(values)
        elif kind == 1:
            cell = '<div class="plainlist"><ul>' + "".join(f"<li>{value}</li>\n" for value in values) + "</ul></div>"
        else:
            cell = '<style>x{}</style><div class="hlist"><ul><li>' + "<li>".join(values) + "</ul></div>"
        parts.append("<tr><td colspan=2 class=infobox-image><img src=x>caption</td></tr>" if kind == 1 else "")
        parts.append(f'<tr><th class="infobox-label"><b>{escape(row.key)}</b></th><td>{cell}</td></tr>\n')
    return "".join([*parts, "</tbody></table>"])


distinct = st.one_of(tables(), unicode_tables()).map(flat).filter(
    lambda table: len(set(table.keys)) == len(table.rows) and not {"title", "Title"} & set(table.keys)
)  # fmt: skip


class TestRoundTrips:
    """A table written in some form and imported again is the same table."""

    @given(distinct)
    def test_html(self, table: Table) -> None:
        assert page(as_html(table))[0] == [Table(table.title, table.rows)]

    @given(distinct, st.integers(0, 2))
    def test_wikipedia(self, table: Table, style: int) -> None:
        found, notes = page(as_wikipedia(table, style))
        assert found == [Table(table.title, table.rows)]
        assert notes["footnotes"] == len(table.rows)

    @given(distinct)
    def test_json_and_csv(self, table: Table) -> None:
        from nliprobe.corpora.infobox._columns import read_columns
        from nliprobe.corpora.infobox._objects import read_objects

        for drafts in (read_objects(table.to_json(), "a.json"), read_columns(as_csv(table), "a.csv")):
            assert [table_from(draft, Notes()) for draft in drafts] == [table]


@pytest.fixture
def infoboxes(data: Path) -> Path:
    folder = data / "infotabs" / "tables" / "json"
    if not folder.is_dir():
        pytest.skip("NLIPROBE_DATA has no infotabs/tables/json")
    return folder


@pytest.mark.corpora
class TestInfoTabs:
    """The public infoboxes come in whole, from JSON and from pages made of them."""

    def test_json_is_as_the_corpus_reads_it(self, infoboxes: Path) -> None:
        notes = Notes()
        found = read_tables([str(infoboxes)], notes)
        corpus = InfoTabs("train", infoboxes.parents[1])
        assert len(found) == 2719
        differ = [item.id for item in found if item.table != flat(_uncategorised(corpus.tables.get(item.id, "")))]
        # Its first row has no key.
        assert differ == ["T2172"]
        assert notes.counts == {"few-rows": 29, "non-english": 45, "empty-keys": 1, "repeated-keys": 3}

    def test_pages_made_of_them_read_as_they_are(self, infoboxes: Path) -> None:
        found = read_tables([str(infoboxes)], Notes())
        exact = 0
        differ: list[str] = []
        for number, item in enumerate(found):
            text = as_html(item.table) if number % 4 else as_wikipedia(item.table, number)
            read = page(text)[0]
            exact += read == [item.table]
            if read != [item.table] and read != [_seen(item.table)]:
                differ.append(item.id)
        # Others lose a footnote mark or characters of no width; these a bullet before a key or a value that is a mark.
        assert differ == ["T16", "T388", "T932"]
        assert exact == 2563


def _uncategorised(table: Table) -> Table:
    return Table(table.title, table.rows)


def _seen(table: Table) -> Table:
    def seen(text: str) -> str:
        return plain(_FOOTNOTE.sub("", text).translate(_WIDTHLESS))

    cells = tuple(Row(seen(row.key), tuple(seen(value) for value in row.values)) for row in table.rows)
    return Table(seen(table.title), cells)
