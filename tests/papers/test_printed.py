"""The printed values: all items are there, and the numbers copied from the paper are plausible as a whole."""

from __future__ import annotations

from collections import Counter

import pytest

from nliprobe.base.errors import NotFoundError
from nliprobe.papers.recipes import Cell, find_recipes, recipes

TABLES = {1: 10, 2: 12, 3: 20, 4: 8, 5: 16, 6: 24, 7: 16, 8: 27, 9: 17, 10: 17, 11: 52, 12: 10, 13: 24, 14: 46}
FIGURES = {2: 3, 3: 0, 6: 1}
# What the text says beside tables and figures.
TEXTS = {"alpha2": 2, "appendixf": 6}


def printed(item: str) -> dict[Cell, float]:
    [found] = find_recipes(f"infotabs:{item}")
    return found.printed()


def test_every_item_is_there_in_order_with_all_its_cells() -> None:
    expected = {f"infotabs:table{n}": cells for n, cells in TABLES.items()}
    expected |= {f"infotabs:{name}": cells for name, cells in TEXTS.items()}
    expected |= {f"infotabs:figure{n}": cells for n, cells in FIGURES.items()}
    mine = find_recipes("infotabs")
    found = {one.item: len(one.printed()) for one in mine}
    assert found == expected
    assert list(found) == list(expected)
    assert mine == [one for one in recipes() if one.item.startswith("infotabs:")]
    assert [one.item for one in mine if one.draw is not None] == [f"infotabs:figure{n}" for n in FIGURES]


def test_unknown_items_have_a_suggestion() -> None:
    with pytest.raises(NotFoundError, match="Did you mean 'infotabs:table2'"):
        find_recipes("infotabs:tabel2")


@pytest.mark.parametrize("item", [one.item.partition(":")[2] for one in find_recipes("infotabs")])
def test_no_cell_is_written_twice(item: str) -> None:
    from importlib import resources

    lines = resources.files("nliprobe.papers.infotabs").joinpath(f"{item}.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "row,col,paper"
    assert len(lines) - 1 == len(printed(item))


def test_table_1_adds_up_to_what_the_text_says() -> None:
    cells = printed("table1")
    assert sum(value for cell, value in cells.items() if cell.col == "tables") == 2540
    assert sum(value for cell, value in cells.items() if cell.col == "pairs") == 23_738


def test_categories_add_up_to_a_hundred_but_for_dev() -> None:
    sums: Counter[str] = Counter()
    for item in ("table11", "table12"):
        for cell, value in printed(item).items():
            sums[cell.col] += value  # type: ignore[assignment]
    assert {split: round(total, 2) for split, total in sums.items()} == {
        "train": 99.99,
        "dev": 104.5,
        "alpha1": 100.0,
        "alpha2": 100.0,
        "alpha3": 100.0,
    }


def test_annotators_of_train_are_some_of_all() -> None:
    cells = printed("table8")
    for split in ("dev", "alpha1", "alpha2", "alpha3"):
        assert cells[Cell("annotators_in_train", split)] <= cells[Cell("annotators", split)]
        assert cells[Cell("unique_keys_in_train", split)] < cells[Cell("unique_keys", split)]
        assert cells[Cell("pairs_of_train_annotators", split)] <= 1800


def test_mean_f1_of_table_13_is_near_the_accuracy_of_tables_6_and_7() -> None:
    accuracy = {"Para": printed("table6"), "TabFact": printed("table7")}
    f1 = printed("table13")
    for premise, cells in accuracy.items():
        for split in ("dev", "alpha1", "alpha2", "alpha3"):
            labels = [f1[Cell(f"{premise} {split}", label)] for label in ("entailment", "neutral", "contradiction")]
            assert sum(labels) / 3 == pytest.approx(cells[Cell(f"RoBERTa_L {premise}", split)], abs=2.2)
