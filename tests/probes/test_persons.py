"""Names are exchanged only where a text treats them as persons, all mentions together; so are persons of tables."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from tests.probes.test_probes import cases_of

from nliprobe.probes._names import known_names
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.relations import SAME
from nliprobe.task.table import Row, Table

REVIEW = Path(__file__).parents[2] / "docs" / "review" / "names_fresh.csv"


def first(premise: str | Table, hypothesis: str, spec: str = "inv.names") -> Case | Skip:
    (item,) = cases_of(spec, Pair("p", premise, hypothesis))
    return item


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("Joshua trees grow in the desert.", "There are trees."),
        ("A girl stands behind a star of David.", "The star of David is a symbol."),
        ("The average Joe will not pay for it.", "People will not pay."),
        ("A tribute to Peter, Paul and Mary is underway.", "Mary sings."),
        ("The crowd enjoys Romeo and Juliet.", "Juliet was on stage."),
        ("They celebrate st. Patrick's day.", "Patrick was happy."),
        ("We ate at Wendy's.", "We ate."),
        ("She lives in Susan.", "She lives."),
        ("Hurricane Andrew hit the coast, and Andrew was strong.", "Andrew was a storm."),
        ("Lakshmi is the goddess of fortune.", "Lakshmi is a goddess."),
        ("A portrait of Emily hangs there. Emily smiled.", "Emily was painted for a portrait."),
        ("Napoleon lost. Elvis sang.", "Somebody sang."),
        ("Emily smiled.", "emily was happy."),
        ("Robert smiled.", "Bob was happy."),
        ("Katherine smiled.", "Kathrine was happy."),
        ('Milton "Richard" Simmons smiled.', "Richard smiled."),
        ("Emily/Susan was behind me.", "Emily stood there."),
        ("Roy said she was tired.", "Roy was tired."),
        ("He produced Gloria: In Her Own Words.", "He produced something about Gloria."),
        ("Emily smiled.", "Emily has two i's."),
    ],
)
def test_what_may_be_no_person_keeps_its_name(premise: str, hypothesis: str) -> None:
    assert isinstance(first(premise, hypothesis), Skip)
    assert isinstance(first(premise, hypothesis, "inv.gender"), Skip)


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("Emily's dog barked.", "A dog barked, and Emily laughed."),
        ("Who taught you? asked Daniel .", "Daniel asked something."),
        ("A boy runs.", "Billy runs with his book."),
        ("I gave it to Susan.", "Susan has it."),
    ],
)
def test_persons_get_another_name_for_certain(premise: str, hypothesis: str) -> None:
    item = first(premise, hypothesis)
    assert isinstance(item, Case)
    assert (item.expects, item.certainty) == (SAME, Certainty.CERTAIN)
    old = {"Emily", "Daniel", "Billy", "Susan"}
    assert not old & set(f"{item.premise} {item.hypothesis}".replace(".", " ").replace("'", " ").split())


TABLE = Table(
    "Denis Villeneuve",
    (
        Row("Born", ("Denis Marc Villeneuve , October 3, 1967 , Quebec",)),
        Row("Occupation", ("Director",)),
        Row("Relatives", ("Martin Villeneuve (brother)",)),
        Row("Website", ("www.denisvilleneuve.com",)),
    ),
    "Person",
)


def test_the_person_of_a_table_is_renamed_everywhere() -> None:
    item = first(TABLE, "Denis Villeneuve was born in Quebec; Villeneuve's brother is Martin.")
    assert isinstance(item, Case)
    assert isinstance(item.premise, Table)
    assert item.certainty is Certainty.LIKELY
    given, surname = item.premise.title.split()
    names = known_names()
    assert names.genders[given] == "m"
    assert surname in names.surnames
    values = [row.values[0] for row in item.premise.rows]
    assert values == [
        f"{given} Marc {surname} , October 3, 1967 , Quebec",
        "Director",
        f"Martin {surname} (brother)",
        f"www.{given.lower()}{surname.lower()}.com",
    ]
    assert item.hypothesis == f"{given} {surname} was born in Quebec; {surname}'s brother is Martin."


@pytest.mark.parametrize(
    ("row", "hypothesis"),
    [
        (Row("Labels", ("Villeneuve Records",)), "Denis Villeneuve directs."),
        (Row("Known for", ("the Villeneuves",)), "Denis Villeneuve directs."),
        (Row("Species", ("Dog",)), "Denis Villeneuve directs."),
        (Row("Members", ("Denis Villeneuve",)), "Denis Villeneuve directs."),
        (Row("Reign", ("1967",)), "Denis Villeneuve directs."),
        (Row("Genre", ("Drama",)), "Dennis Villenueve directs."),
        (Row("Genre", ("Drama",)), "Denis _illeneuve directs."),
        (Row("Genre", ("Drama",)), "He was born in Villeneuve."),
        (Row("Genre", ("Drama",)), "His name has two words."),
        (Row("Genre", ("Drama",)), "She was born in Quebec."),
        (Row("Denis", ("Drama",)), "He was born in Quebec."),
    ],
)
def test_a_table_whose_names_may_mean_something_else_stays(row: Row, hypothesis: str) -> None:
    table = Table(TABLE.title, (*TABLE.rows, row))
    assert isinstance(first(table, hypothesis), Skip)


@pytest.mark.parametrize(
    "title", ["Willem de Kooning", "Mary Poppins", "Jack Russell", "Prince", "Henry VIII", "J. K. Rowling"]
)
def test_titles_that_are_no_plain_names_of_persons_stay(title: str) -> None:
    keys = ("Born",) if title in ("Willem de Kooning", "Prince", "Henry VIII", "J. K. Rowling") else ("Origin",)
    table = Table(title, tuple(Row(key, ("1904",)) for key in keys))
    assert isinstance(first(table, f"{title} is old."), Skip)


def test_fresh_cases_were_read() -> None:
    with REVIEW.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) >= 200
    assert len({row["pair_id"].split("/")[0] for row in rows}) >= 4
    assert {row["verdict"] for row in rows} <= {"ok", "doubtful", "wrong"}
    assert all(row["note"] for row in rows if row["verdict"] != "ok")
    certain = [row for row in rows if row["certainty"] == "certain"]
    assert sum(row["verdict"] == "wrong" for row in certain) <= 0.02 * len(certain)


def test_swapped_neutral_pairs_are_likely() -> None:
    found = {}
    for gold in ("E", "N", "C", "NC", None):
        labels = None if gold is None else LabelSet.of(gold)
        (case,) = cases_of("swap", Pair("p", "A dog runs in the park.", "A dog runs.", labels))
        assert isinstance(case, Case)
        found[gold] = case
    assert {gold: case.certainty.value for gold, case in found.items()} == {
        "E": "certain", "N": "likely", "C": "certain", "NC": "likely", None: "likely",
    }  # fmt: skip
    assert {gold: str(case.gold) for gold, case in found.items() if case.gold} == {"N": "N", "C": "C"}
    # Whoever says N may be right to say E afterwards; whoever says C must stay with it, and nobody else may come to it.
    assert str(found["C"].expects) == str(found["E"].expects) == "E>EN N>EN C>C"
    assert str(found["N"].expects) == "E>EN N>N C>C"
    # Certainty is no part of a case's id.
    assert len({case.id for case in found.values()}) == 1
