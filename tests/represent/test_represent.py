from __future__ import annotations

import json

import pytest
from hypothesis import given

from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.represent import REPRESENTATIONS
from nliprobe.represent.controls import DUMMY, Control
from nliprobe.represent.reader import Reader, build_representation
from nliprobe.task.case import identity_case, input_id
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool
from nliprobe.task.table import Row, Table
from nliprobe.testing import contract_tests
from nliprobe.testing.strategies import tables

DRESSAGE = Table(
    "Dressage",
    (
        Row("Highest governing body", ("International Federation for Equestrian Sports (FEI)",)),
        Row("Equipment", ("Horse", "horse tack")),
        Row("Mixed gender", ("Yes",)),
    ),
    "Sports",
)
GRID = Table("raptors", (Row("", ("mark baker", "3")), Row("", ("marcus banks", "5"))), "", ("player", "no"))


def sentence(key: str, *values: str, title: str = "T") -> str:
    return "".join(build_representation("para").segments(Table(title, (Row(key, values),)), "h"))


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (("Equipment", "horse", "horse tack"), "The equipment of T are horse, horse tack."),
        (("Born", "14 June 1961"), "T was born on 14 June 1961."),
        (("Died", "5 October 2004"), "T was died on 5 October 2004."),
        (("Released", "May 6, 2016"), "T was released on May 6, 2016."),
        (("Founded", "1891"), "T was founded in 1891."),
        (("Recorded", "Abbey Road"), "The recorded of T is Abbey Road."),
        (("Mixed gender", "yes"), "T has mixed gender."),
        (("Olympic", "No"), "T does not have olympic."),
        (("Pasteurized", "Yes"), "T is pasteurized."),
        (("Country", "Ireland"), "The country of T is Ireland."),
        (("Years active", "1990-2001"), "The years active of T are 1990-2001."),
        (("Genres", "jazz"), "The genres of T are jazz."),
        (("Number of employees", "12"), "The number of employees of T is 12."),
        (("Status", "open"), "The status of T is open."),
        (("ISBN", "12"), "The ISBN of T is 12."),
        (("Label", "Parlophone Inc."), "The label of T is Parlophone Inc."),
        (("Coach", "Ann  \n Lee"), "The coach of T is Ann Lee."),
    ],
)
def test_para_writes_the_seeds_sentences(row: tuple[str, ...], expected: str) -> None:
    assert sentence(*row) == expected


def test_representations_of_a_known_table() -> None:
    def text(name: str, table: Table = DRESSAGE) -> str:
        return "".join(build_representation(name).segments(table, "h"))

    assert text("para") == (
        "The highest governing body of Dressage is International Federation for Equestrian Sports (FEI). "
        "The equipment of Dressage are Horse, horse tack. Dressage has mixed gender."
    )
    assert text("struct") == (
        "title : Dressage ; Highest governing body : International Federation for Equestrian Sports (FEI)"
        " ; Equipment : Horse , horse tack ; Mixed gender : Yes"
    )
    assert json.loads(text("json"))["Equipment"] == ["Horse", "horse tack"]
    assert text("html").startswith("<table><caption>Dressage</caption><tr><th>Highest governing body</th><td>Inter")
    assert text("html").endswith("<td>Horse<br>horse tack</td></tr><tr><th>Mixed gender</th><td>Yes</td></tr></table>")
    assert text("html", GRID).count("<tr>") == 3
    assert "<th>player</th><th>no</th></tr><tr><td>mark baker</td><td>3</td></tr>" in text("html", GRID)
    assert "&lt;b&gt;" in text("html", Table("t", (Row("k", ("<b>",)),)))
    assert text("markdown").splitlines()[4:6] == [
        "| Highest governing body | International Federation for Equestrian Sports (FEI) |",
        "| Equipment | Horse, horse tack |",
    ]
    assert (
        text("para", GRID) == "raptors. The player is mark baker, the no is 3. The player is marcus banks, the no is 5."
    )
    assert text("struct", GRID) == "title : raptors ; player : mark baker , no : 3 ; player : marcus banks , no : 5"
    assert json.loads(text("json", GRID)) == {
        "title": "raptors",
        "columns": ["player", "no"],
        "rows": [["mark baker", "3"], ["marcus banks", "5"]],
    }
    assert "| player | no |\n| --- | --- |\n| mark baker | 3 |" in text("markdown", GRID)


test_every_representation_keeps_the_contract = contract_tests("representation", *REPRESENTATIONS.names())


@given(tables())
def test_json_is_json(table: Table) -> None:
    text = "".join(build_representation("json").segments(table, "h"))
    content = json.loads(text, object_pairs_hook=list)
    assert [key for key, _ in content] == ["title", *table.keys]


@given(tables())
def test_markdown_keeps_every_row_on_a_line(table: Table) -> None:
    text = "".join(build_representation("markdown").segments(table, "h"))
    assert len(text.split("\n")) == 4 + len(table.rows)


def test_unknown_representation_and_parameters() -> None:
    with pytest.raises(NotFoundError, match=r"Did you mean 'para'\?"):
        build_representation("pra")
    with pytest.raises(UsageError, match="takes no parameters"):
        build_representation("para?k=1")


def reader(control: Control, *, keyed: bool = False) -> Reader:
    return Reader(build_representation("para"), control, seed=0, keyed=keyed)


def test_reader_controls() -> None:
    pair = Pair("c/s/1", DRESSAGE, "Dressage needs a horse.", group="T1")
    assert reader(Control.FULL).read_pair(pair).premise.startswith("The highest governing body")
    assert reader(Control.NONE).read_pair(pair).segments == ()
    assert reader(Control.DUMMY).read_pair(pair).premise == DUMMY
    text = Pair("c/s/2", "A dog runs.", "A dog.")
    assert reader(Control.FULL).read_pair(text).segments == ("A dog runs.",)


def test_reader_swapped_gives_every_pair_another_premise_of_its_split() -> None:
    pairs = [Pair(f"c/s/{n}", f"premise {n // 2}", f"h{n}", group=f"g{n // 2}") for n in range(10)]
    pool = Pool({pair.group: pair.premise for pair in pairs})
    swapped = reader(Control.SWAPPED)
    swapped.enter(pool)
    seen = {pair.premise: swapped.read_pair(pair).premise for pair in pairs}
    assert all(own != other for own, other in seen.items())
    assert sorted(seen.values()) == sorted(map(str, seen))
    with pytest.raises(DataError, match="at least two"):
        reader(Control.SWAPPED).enter(Pool({"g": "only"}))


def test_reader_ids() -> None:
    pair, twin = Pair("c/s/1", "p", "h"), Pair("c/s/2", "p", "h")
    plain, keyed = reader(Control.FULL), reader(Control.FULL, keyed=True)
    assert plain.read_pair(pair).id == plain.read_pair(twin).id == input_id("p", "h")
    assert keyed.read_pair(pair).id != keyed.read_pair(twin).id
    assert keyed.read(identity_case(pair)).key == "c/s/1"


def test_control_names() -> None:
    with pytest.raises(NotFoundError, match=r"no premise control 'non'. Did you mean 'none'\?"):
        Control.parse("non")
