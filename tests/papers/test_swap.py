"""The table of the swap paper, and the page whose numbers come from shipped answers."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from nliprobe.base.errors import DataError
from nliprobe.papers.recipes import Cell, Folders, Value
from nliprobe.papers.swap import results
from nliprobe.papers.swap.answers_file import BENCH, BENCHED, NAMES, RELEASED, SHIPPED, STRESS, SWAP, find_answers
from nliprobe.papers.swap.table1 import table1
from nliprobe.papers.swap.table2 import ALL_FOUR, table2
from nliprobe.papers.swap.table3 import table3

PAGE = Path(__file__).parents[2] / "docs" / "results" / "swap-and-stress.md"


def test_the_printed_table_is_whole_and_its_differences_are_those_of_its_columns() -> None:
    printed = table1.printed()
    assert len(printed) == 6 * 3 * 6
    assert printed[Cell("ADV E", "Diff-Test")] == -0.006
    for (row, column), value in printed.items():
        if column in ("Dev", "Test"):
            drop = value - printed[Cell(row, f"Swap-{column}")]
            assert printed[Cell(row, f"Diff-{column}")] == pytest.approx(drop, abs=1e-9)


def test_the_deviation_of_every_printed_row_is_the_printed_one() -> None:
    printed = table2.printed()
    computed = table2.compute(Folders()).values
    deviations = [cell for cell in printed if cell.col == "Devi"]
    assert len(deviations) == 25
    for cell in deviations:
        assert computed[cell] == pytest.approx(printed[cell], abs=0.001)
    # With the 25 % column, as the text says, many rows do not agree.
    others = {cell: computed[Cell(cell.row, ALL_FOUR)] for cell in deviations}
    assert sum(ours != pytest.approx(printed[cell], abs=0.001) for cell, ours in others.items()) == 20


def test_every_printed_ratio_is_that_of_the_printed_scores() -> None:
    computed = table2.compute(Folders()).values
    ratios = [(cell, value) for cell, value in table2.printed().items() if cell.col.startswith("R")]
    assert len(ratios) == 25 * 2 * 4
    for cell, value in ratios:
        assert computed[cell] == pytest.approx(value, abs=0.51)


def test_every_model_was_asked_everything() -> None:
    for name in BENCHED:
        answers = find_answers(name, None)
        assert answers is not None
        assert set(answers.asked) == {*BENCH, *RELEASED}
        for corpus in BENCH:
            assert set(answers.asked[corpus].cases) == {"gold", SWAP, *STRESS}
        assert len(answers.seeds) == (3 if answers.encoder == "all-MiniLM-L6-v2" else 1)
    assert {path.name.removesuffix(".json.gz") for path in SHIPPED.iterdir()} == set(NAMES)


@pytest.mark.results
def test_table1_has_our_models_beside_the_printed_ones(data: Path) -> None:
    computed = table1.compute(Folders(data))
    for row, column in table1.printed():
        assert isinstance(computed.values[Cell(row, column)], Value), "a network of the zoo has its place beside it"
    for model in ("MiniLM", "linear SVM hypothesis only", "KIM", "ADV over ESIM", "CBOW hypothesis only"):
        for label in "ECN":
            cells = [computed.values[Cell(f"{model} {label}", name)] for name in ("Test", "Swap-Test", "Diff-Test")]
            numbers: list[float] = []
            for cell in cells:
                assert isinstance(cell, Value)
                assert cell.ci95 is not None
                assert cell.number is not None
                assert cell.ci95[0] < cell.number < cell.ci95[1]
                numbers.append(cell.number)
            before, after, drop = numbers
            assert drop == pytest.approx(before - after, abs=1e-9)


def test_a_model_that_was_asked_less_has_fewer_cells(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nliprobe.papers.swap.answers_file.BENCHED", ("swap-svm",))
    monkeypatch.setattr("nliprobe.papers.swap.answers_file.ZOO", ())
    shipped = json.loads(gzip.decompress((SHIPPED / "swap-svm.json.gz").read_bytes()))
    shipped["asked"] = {"snli/dev": shipped["asked"]["snli/dev"]}
    shipped["seeds"] = {"0": {"snli/dev": shipped["seeds"]["0"]["snli/dev"]}}
    (tmp_path / "swap-svm.json.gz").write_bytes(gzip.compress(json.dumps(shipped).encode()))
    computed = table1.compute(Folders(data, tmp_path))
    assert Cell("linear SVM C", "Dev") in computed.values
    assert Cell("linear SVM C", "Test") not in computed.values
    assert "linear SVM: not measured on snli/test." in computed.notes


@pytest.mark.results
def test_the_page_holds_what_the_answers_give(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run python scripts/swap_results.py after new answers or a change of a probe."""
    monkeypatch.setenv("NLIPROBE_DATA", str(data))
    text = PAGE.read_text(encoding="utf-8")
    assert [match[1] for match in results.BLOCK.finditer(text)] == list(results.BLOCKS)
    assert results.fill_blocks(text) == text


def test_verdicts_name_the_labels_in_the_order_of_the_table() -> None:
    text = PAGE.read_text(encoding="utf-8")
    [block] = [match[2] for match in results.BLOCK.finditer(text) if match[1] == "table"]
    rows = [line.split(" | ") for line in block.strip().splitlines()[2:]]
    assert len(rows) == len(BENCH) * len(BENCHED)
    for cells in rows:
        assert re.fullmatch(r"control \||(?:[a-z ]+, ){2}[a-z ]+ \|", cells[-1]), cells[-1]


def test_shares_over_seeds() -> None:
    assert str(results.spread([0.5])) == "50.0"
    assert str(results.spread([0.4, 0.6])) == "50.0 ± 14.1"


def test_table_3_is_whole_and_reads_what_was_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    printed = table3.printed()
    assert len(printed) == 5 * 9
    # The best of each column, as the paper's text says: mostly between 25 and 75 %.
    best = {column: max((value, cell.row) for cell, value in printed.items() if cell.col == column)[1] for column in (
        "MR", "CR", "MPQA", "SUBJ", "TREC", "SICK-E", "SICK-R", "MRPC accuracy")}  # fmt: skip
    assert list(best.values()) == ["50%", "50%", "25%", "75%", "100%", "75%", "50%", "50%"]
    monkeypatch.setattr("nliprobe.papers.swap.transfer_file.SHIPPED", tmp_path)
    empty = table3.compute(Folders())
    assert set(empty.values.values()) == {None}
    assert "no results of models trained here" in empty.notes[-1]
    (tmp_path / "infersent.json").write_text(json.dumps(measured_transfer()))
    computed = table3.compute(Folders()).values
    value = computed[Cell("25%", "MR")]
    assert isinstance(value, Value)
    assert value.number == pytest.approx(75.0)
    assert value.sd == pytest.approx(100 * 0.02 / 2**0.5)
    assert value.ci95 == pytest.approx((70.0, 80.0))
    assert value.by == "infersent, trained here on snli/train-100k"
    related = computed[Cell("mean GloVe", "SICK-R")]
    assert isinstance(related, Value)
    assert related.number == pytest.approx(0.75)
    constant = computed[Cell("constant answer", "MR")]
    assert isinstance(constant, Value)
    assert constant.number == 50.0
    assert computed[Cell("0%", "MR")] is None
    document = measured_transfer()
    document["rows"][0]["system"] = "nobody"  # type: ignore[index]
    (tmp_path / "infersent.json").write_text(json.dumps(document))
    with pytest.raises(DataError, match="has no results of it"):
        table3.compute(Folders())
    (tmp_path / "infersent.json").write_text("{}")
    with pytest.raises(DataError, match="in format 1"):
        table3.compute(Folders())


def measured_transfer() -> dict[str, object]:
    """Results of two seeds and of mean GloVe on two tasks."""

    def result(task: str, value: float) -> dict[str, object]:
        measure = {"value": value, "ci95": [value - 0.05, value + 0.05], "n": 10}
        related = task == "sick-r"
        return {
            "task": task,
            "width": 4,
            "accuracy": None if related else measure,
            "f1": None,
            "pearson": measure if related else None,
            "folds": [],
            "fold_sd": None,
            "penalties": [1.0],
            "over_glove": None,
            "notes": [],
        }

    systems = [
        {"system": name, "spec": "trained", "baseline": name == "glove", "results": [
            result("mr", value), result("sick-r", value)]}
        for name, value in (("a", 0.74), ("b", 0.76), ("glove", 0.75))
    ]  # fmt: skip
    without = {"answer": None, "accuracy": 0.5, "f1": None, "pearson": 0.0}
    tasks: list[dict[str, object]] = [
        {
            "task": name,
            "title": "",
            "metric": "accuracy",
            "items": 10,
            "tested": 10,
            "folds": None,
            "classes": [],
            "constant": without,
            "chance": {"accuracy": 0.5, "f1": None, "pearson": 0.0},
            "notes": [],
        }
        for name in ("mr", "sick-r")
    ]
    return {
        "format": 1,
        "by": "infersent, trained here on snli/train-100k",
        "rows": [{"row": "25%", "system": "a"}, {"row": "25%", "system": "b"}],
        "document": {"schema": "nliprobe/transfer/1", "seed": 0, "tasks": tasks, "systems": systems, "notes": []},
    }
