"""The samples that were read by hand are sound: whole, with labels and types of their own, about rows that exist."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from nliprobe.language.cells.records import CellType
from nliprobe.task.pair import Pair
from nliprobe.task.sources import open_source
from nliprobe.task.table import Table

TESTS = Path(__file__).parents[1]


def rows_of(path: str) -> list[dict[str, str]]:
    with (TESTS / path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


PAIRS = rows_of("probes/samples/perturbations.csv")
CELLS = rows_of("language/samples/cells.csv")


@pytest.fixture(scope="module")
def pairs(data: Path) -> dict[str, Pair]:
    splits = [open_source(f"infotabs/{split}", data) for split in ("train", "alpha1", "alpha3")]
    return {pair.id: pair for split in splits for pair in split.pairs()}


def test_each_pair_was_read() -> None:
    assert len({row["pair_id"] for row in PAIRS}) == len(PAIRS) == 300
    assert set(Counter(row["kind"] for row in PAIRS).values()) == {50}
    assert {row["label"] for row in PAIRS} == {"E", "N", "C"}


def test_each_cell_has_a_type() -> None:
    assert len({(row["corpus"], row["table"], row["key"]) for row in CELLS}) == len(CELLS) == 300
    assert {kind for row in CELLS for kind in row["type"].split("|")} == {str(kind) for kind in CellType}
    assert sum("|" in row["type"] for row in CELLS) <= 30


def test_what_was_read_is_in_the_corpus(pairs: dict[str, Pair]) -> None:
    for row in PAIRS:
        pair = pairs[row["pair_id"]]
        assert isinstance(pair.premise, Table)
        assert set(filter(None, row["rows"].split(";"))) <= set(pair.premise.keys), row
        assert row["agrees"] == ("yes" if row["label"] == str(pair.gold) else "no"), row
    keys = {
        (pair.id.rpartition("/")[0], pair.group, key)
        for pair in pairs.values()
        if isinstance(pair.premise, Table)
        for key in pair.premise.keys
    }
    assert [row for row in CELLS if (row["corpus"], row["table"], row["key"]) not in keys] == []
