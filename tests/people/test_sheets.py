"""Annotation sheets: written without labels, read back with what people agree on."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pytest
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa
from tests.cli.helpers import nliprobe, nliprobe_json

from nliprobe.base.cells import restore
from nliprobe.base.errors import DataError
from nliprobe.people.sheets import LETTERS, Item, judge, read_sheets, write_sheets
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.table import Row, Table

PAIRS = [
    Pair(f"x/{group}/{number}", f'Premise "{number}",', f"Hypothesis {number}.", LabelSet.of(label), group)
    for group, label in (("a.one", "E"), ("a.two", "C"), ("a.three", "N"))
    for number in range(8)
]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def fill(path: Path, answers: dict[str, str]) -> None:
    present = rows(path)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(present[0]))
        writer.writeheader()
        writer.writerows({**row, "label": answers.get(row["item"], "")} for row in present)


def test_tables_are_written_row_by_row(tmp_path: Path) -> None:
    table = Table("K2", (Row("Height", ("8,611 m",)), Row("Ranges", ("Karakoram", "Asia"))), "Mountain")
    [path] = write_sheets([Pair("x/y/1", table, "It is high.", None, "t")], tmp_path, k=1, raters=1)
    assert rows(path)[0]["premise"] == "K2\nHeight: 8,611 m\nRanges: Karakoram; Asia"


def key(folder: Path) -> dict[str, dict[str, str]]:
    import json

    return {item["item"]: item for item in json.loads((folder / "key.json").read_text())["items"]}


def test_sheets_hide_labels_and_have_orders_of_their_own(tmp_path: Path) -> None:
    first, second = write_sheets(PAIRS, tmp_path, k=5, raters=2)
    one, two = ([line["item"] for line in rows(path)] for path in (first, second))
    assert len(one) == 15
    assert sorted(one) == sorted(two)
    assert one != two
    text = first.read_text(encoding="utf-8-sig")
    assert "a.one" not in text
    again = write_sheets(PAIRS, tmp_path / "again", k=5, raters=2)
    assert again[0].read_bytes() == first.read_bytes()


def test_what_people_say_is_measured_and_flagged(tmp_path: Path) -> None:
    first, second = write_sheets(PAIRS, tmp_path, k=5, raters=2)
    gold = {name: item["gold"] for name, item in key(tmp_path).items()}
    fill(
        first, {name: {"E": "entailment", "N": "neutral", "C": "contradiction"}[label] for name, label in gold.items()}
    )
    # The second rater finds the neutral ones contradictory.
    fill(second, {name: "C" if label == "N" else label for name, label in gold.items()})
    document = read_sheets(tmp_path)
    flags = {item["template"]: item["flags"] for item in document["templates"]}
    assert flags == {"a.one": [], "a.two": [], "a.three": ["people do not give its label", "people do not agree"]}
    assert (document["ratings"], document["missing"]) == (30, 0)
    assert document["agree_with_gold"] == pytest.approx(25 / 30)


def test_kappas_are_those_of_statsmodels() -> None:
    import numpy as np

    draw = random.Random(3)
    items = {f"q{n}": Item(f"q{n}", f"id{n}", f"t{n % 4}", draw.choice(LETTERS)) for n in range(60)}
    raters = {
        f"r{r}": {name: item.gold if draw.random() < 0.7 else draw.choice(LETTERS) for name, item in items.items()}
        for r in range(3)
    }
    document = judge(items, raters)
    table = np.array(
        [[sum(rated[name] == letter for rated in raters.values()) for letter in LETTERS] for name in items]
    )
    assert document["fleiss_kappa"] == pytest.approx(fleiss_kappa(table))
    decided = [(name, row) for name, row in zip(items, table, strict=True) if row.max() >= 2]
    square = np.zeros((3, 3))
    for name, row in decided:
        square[row.argmax(), LETTERS.index(items[name].gold)] += 1
    assert document["cohen_kappa"] == pytest.approx(cohens_kappa(square, return_results=False))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("item,", "thing,", 1), "should have the columns item and label"),
        (lambda text: text.replace("q0001", "q9999"), "'q9999' is no item of these sheets"),
        (lambda text: text.replace(".,,", ".,maybe so,", 1), "line"),
        (lambda text: text + "q0001,a,b,E,\nq0001,a,b,E,\n", "judged twice"),
        (lambda text: text + '"q0001', "this is not CSV"),
    ],
)
def test_bad_sheets_are_sentences(change, message: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    [path] = write_sheets(PAIRS, tmp_path, k=2, raters=1)
    path.write_text(change(path.read_text(encoding="utf-8-sig")))
    with pytest.raises(DataError, match=message):
        read_sheets(tmp_path)


def test_annotate_verbs(tmp_path: Path) -> None:
    out = tmp_path / "sheets"
    nliprobe("annotate", "write", "builtin/sentences-dev", "--k", "1", "--out", str(out))
    assert (
        "holds sheets already"
        in nliprobe("annotate", "write", "builtin/sentences-dev", "--out", str(out), code=1).stderr
    )
    for path in sorted(out.glob("sheet-*.csv")):
        fill(path, {name: item["gold"] for name, item in key(out).items()})
    document = nliprobe_json("annotate", "read", str(out))
    assert document["agree_with_gold"] == 1.0
    assert "0 of" in nliprobe("annotate", "read", str(out)).stdout


FORMULAS = ['=HYPERLINK("http://x","click")', "+1+1", "-2+3", "@SUM(A1)", "\tx", "\rx", "'=1", "''@x", "-5", "'tis so"]


def test_a_sheet_holds_no_formula_and_is_read_back_exactly(tmp_path: Path) -> None:
    pairs = [Pair(f"x/{n}", text, text, LabelSet.of("E"), f"g{n}") for n, text in enumerate(FORMULAS)]
    [path] = write_sheets(pairs, tmp_path, k=1, raters=1)
    shown = [row[name] for row in rows(path) for name in ("premise", "hypothesis")]
    assert not [cell for cell in shown if cell[:1] in "=+@\t\r" or (cell[:1] == "-" and cell != "-5")]
    assert sorted(map(restore, shown)) == sorted(FORMULAS * 2)
    fill(path, {row["item"]: "E" for row in rows(path)})
    assert read_sheets(tmp_path)["agree_with_gold"] == 1.0
