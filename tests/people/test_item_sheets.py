"""Sheets of items: handed out, filled in as people do, and read back as judgements."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from tests.people.reviewed import new_queue

from nliprobe.base.errors import DataError, StoreError, UsageError
from nliprobe.people.item_sheets import read_item_sheets, write_item_sheets
from nliprobe.people.items.of_pairs import items_of
from nliprobe.people.items.of_queues import settle_items
from nliprobe.people.items.of_templates import AskedTemplate, bin_items
from nliprobe.people.records import Item
from nliprobe.people.review.files import read_queue
from nliprobe.people.tasks import TASKS
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.sources import open_source
from nliprobe.task.table import Row, Table

VERIFY = TASKS.get("verify")({})
TABLE = Table("K2", (Row("Height", ("8,611 m",)), Row("Ranges", ("Karakoram", "Asia"))), "Mountain")
PAIRS = [Pair(f"secret/{n}", TABLE, f"={n}", LabelSet.of("E"), "secret-group") for n in range(6)]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def fill(path: Path, **cells: str) -> None:
    """Fill the same cells of every line in."""
    lines = rows(path)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(lines[0]))
        writer.writeheader()
        writer.writerows({**line, **cells} for line in lines)


def test_a_sheet_shows_what_the_task_shows_and_comes_back_as_judgements(tmp_path: Path) -> None:
    items = list(items_of(VERIFY, PAIRS, attention=["secret/3"]).items)
    first, second = write_item_sheets(VERIFY, items, tmp_path, ["ann", "ben"], seed=1)
    assert [path.name for path in (first, second)] == ["sheet-ann.csv", "sheet-ben.csv"]
    assert list(rows(first)[0]) == ["item", "premise", "hypothesis", "label", "remark"]
    assert "secret" not in first.read_text(encoding="utf-8-sig")
    assert rows(first)[0]["premise"] == "K2\nHeight: 8,611 m\nRanges: Karakoram; Asia"
    assert all(row["hypothesis"].startswith("'=") for row in rows(first))
    assert sorted(row["item"] for row in rows(first)) == sorted(row["item"] for row in rows(second))
    assert [row["item"] for row in rows(first)] != [row["item"] for row in rows(second)]
    fill(first, label="entails", remark="=fine")
    judgements = read_item_sheets(VERIFY, items, [first, second], given=7.0)
    assert {judgement.rater for judgement in judgements} == {"ann"}
    assert len(judgements) == 6
    one = judgements[0]
    assert (one.answer, one.given, one.seconds, one.remark) == ({"label": "E"}, 7.0, None, "=fine")


@pytest.mark.parametrize(
    ("delimiter", "first", "encoding"),
    [
        (";", "", "utf-8-sig"),  # saved where a comma is the decimal point
        (";", "sep=;\r\n", "utf-8"),
        ("\t", "", "utf-16"),  # saved as Unicode text
        (",", "", "utf-8"),
    ],
)
def test_a_sheet_is_read_as_spreadsheets_save_it(delimiter: str, first: str, encoding: str, tmp_path: Path) -> None:
    items = list(items_of(VERIFY, PAIRS).items)
    [path] = write_item_sheets(VERIFY, items, tmp_path, ["ann"])
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter)
    writer.writerow(rows(path)[0])
    # Empty cells at the end of a line may be missing, and lines that once were filled are there.
    writer.writerows([row["item"], row["premise"], row["hypothesis"], "entails"] for row in rows(path))
    writer.writerows([[""] * 5] * 3)
    path.write_bytes((first + stream.getvalue()).encode(encoding))
    judgements = read_item_sheets(VERIFY, items, [path], given=7.0)
    assert len(judgements) == 6
    assert {str(one.answer) for one in judgements} == {"{'label': 'E'}"}
    # The line that is wrong has its number of the file.
    path.write_bytes((first + stream.getvalue().replace("entails", "perhaps", 1)).encode(encoding))
    with pytest.raises(DataError, match=f"line {5 if first else 4}: The answer"):
        read_item_sheets(VERIFY, items, [path], given=7.0)


def test_raters_get_the_items_that_are_theirs(tmp_path: Path) -> None:
    items = list(items_of(VERIFY, PAIRS).items)
    mine = [item.name for item in items[:2]]
    [path] = write_item_sheets(VERIFY, items, tmp_path, ["ann"], assigned={"ann": mine})
    assert sorted(row["item"] for row in rows(path)) == sorted(mine)
    with pytest.raises(DataError, match="'ben' is to judge 'q9'"):
        write_item_sheets(VERIFY, items, tmp_path, ["ben"], assigned={"ben": ["q9"]})
    with pytest.raises(StoreError, match="may be filled in"):
        write_item_sheets(VERIFY, items, tmp_path, ["ann"])
    for wrong in ("a/b", "../a", "a\0"):
        with pytest.raises(UsageError, match="cannot be the name of a sheet"):
            write_item_sheets(VERIFY, items, tmp_path / "new", [wrong])


def passage() -> list[Item]:
    return list(items_of(TASKS.get("evidence")({}), [Pair("x/1", "It rained. We left.", "h", None, "g")]).items)


def template() -> list[Item]:
    return bin_items(TASKS.get("bid")({}), [AskedTemplate("t", "{N} > {M}", 0.5, information={"E": 0.5})])


@pytest.mark.parametrize(
    ("name", "cells", "answer"),
    [
        ("judge", {"label": "E", "odd": "x"}, {"label": "E", "odd": True}),
        ("judge", {"label": "E"}, {"label": "E", "odd": False}),
        ("evidence", {"units": "2, 1"}, {"units": [0, 1], "outside": False}),
        ("evidence", {"units": "none", "outside": "yes"}, {"units": [], "outside": True}),
        ("evidence", {"outside": "1"}, {"units": [], "outside": True}),
        ("write", {"true": "a", "false": "b", "undecided": "c"}, {"true": "a", "false": "b", "undecided": "c"}),
        ("bid", {"b2": "4", "b5": "1"}, {"points": [0, 4, 0, 0, 1]}),
        ("pick", {"bin": "3"}, {"bin": 3}),
        ("predict", {"label": "neutral"}, {"label": "N"}),
    ],
)
def test_cells_are_answers_as_people_write_them(
    name: str, cells: dict[str, str], answer: object, tmp_path: Path
) -> None:
    task = TASKS.get(name)({})
    items = template() if name in ("bid", "pick") else passage()
    if name in ("judge", "write", "predict"):
        items = list(items_of(task, PAIRS[:1]).items)
    [path] = write_item_sheets(task, items, tmp_path, ["ann"])
    fill(path, **cells)
    assert [judgement.answer for judgement in read_item_sheets(task, items, [path], given=0.0)] == [answer]


def test_units_are_numbered_as_people_count(tmp_path: Path) -> None:
    marking = TASKS.get("evidence")({})
    [path] = write_item_sheets(marking, passage(), tmp_path, ["ann"])
    assert rows(path)[0]["premise"] == "1. It rained.\n2. We left."
    assert "sentences" not in rows(path)[0]
    tables = list(items_of(marking, PAIRS[:1]).items)
    [path] = write_item_sheets(marking, tables, tmp_path, ["ben"])
    assert rows(path)[0]["premise"] == "K2\n1. Height: 8,611 m\n2. Ranges: Karakoram; Asia"


def test_a_queue_can_be_settled_in_a_sheet(tmp_path: Path) -> None:
    settle = TASKS.get("settle")({})
    items = settle_items(read_queue(new_queue(tmp_path)), blind=False)
    [path] = write_item_sheets(settle, items[:1], tmp_path, ["ann"])
    assert rows(path)[0]["suggested"] == "C"
    fill(path, verdict="accept")
    [judgement] = read_item_sheets(settle, items, [path], given=0.0)
    assert judgement.answer == {"verdict": "accept", "label": "C"}


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ({"label": "perhaps"}, "line 2: The answer has \"perhaps\" under 'label': expected E, N or C"),
        ({"label": "E", "remark": "x" * 5_001}, "at most 5,000 characters"),
    ],
)
def test_what_is_no_answer_is_named_with_its_line(cells: dict[str, str], sentence: str, tmp_path: Path) -> None:
    text = Pair("x/1", "It rained.", "h", None, "g")
    items = list(items_of(VERIFY, [text]).items)
    [path] = write_item_sheets(VERIFY, items, tmp_path, ["ann"])
    fill(path, **cells)
    with pytest.raises(DataError) as error:
        read_item_sheets(VERIFY, items, [path], given=0.0)
    assert sentence in str(error.value)


def test_units_that_are_no_numbers_are_sentences(tmp_path: Path) -> None:
    marking = TASKS.get("evidence")({})
    for place, text in enumerate(("first", "0", "3", "1.5")):
        [path] = write_item_sheets(marking, passage(), tmp_path / str(place), ["ann"])
        fill(path, units=text)
        with pytest.raises(DataError, match=r"sheet-ann\.csv, line 3"):
            read_item_sheets(marking, passage(), [path], given=0.0)


def test_tables_cannot_be_edited_in_a_sheet(tmp_path: Path) -> None:
    task = TASKS.get("counterfactual")({})
    with pytest.raises(UsageError, match="do not fit into the cells"):
        write_item_sheets(task, list(items_of(task, PAIRS).items), tmp_path, ["ann"])


def test_any_source_fits_into_sheets(tmp_path: Path) -> None:
    for number, source in enumerate(("builtin/tables-dev", "checklist?n=1")):
        items = list(items_of(VERIFY, list(open_source(source).pairs())[:30]).items)
        [path] = write_item_sheets(VERIFY, items, tmp_path / str(number), ["ann"])
        fill(path, label="N")
        assert len(read_item_sheets(VERIFY, items, [path], given=0.0)) == 30
