"""The probes of rows on the corpora themselves, where they are: how many cases, and why not more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from nliprobe.api.sources import open_source
from nliprobe.base.errors import NotFoundError
from nliprobe.language.values import split_cell
from nliprobe.probes.suite import build_probe
from nliprobe.task.case import Case
from nliprobe.task.relations import UNCONSTRAINED
from nliprobe.task.source import PairSource, Pool
from nliprobe.task.table import Table

TESTS = ("infotabs/alpha1", "infotabs/alpha2", "infotabs/alpha3")


def source(name: str) -> PairSource:
    try:
        return open_source(name)
    except NotFoundError:
        pytest.skip(f"{name} is not on this machine")


def tables(*names: str) -> Iterator[Table]:
    for name in names:
        yield from Pool.of(source(name)).tables.values()


def test_edits_of_infotabs_are_as_many_as_the_pages_say() -> None:
    counts: Counter[str] = Counter()
    for name in TESTS:
        split = source(name)
        pool = Pool.of(split)
        for spec in ("rows.delete", "rows.insert", "rows.update", "rows.permute", "rows.compose"):
            probe = build_probe(spec)
            for pair in split.pairs():
                for item in probe.cases(pair, pool):
                    counts[spec if isinstance(item, Case) else f"{spec}: {item.reason}"] += 1
    assert counts == {
        "rows.delete": 55_170,
        "rows.insert": 5_157,
        "rows.insert: no other table of the category has a row with a new key": 243,
        "rows.update": 3_474,
        "rows.update: no row has several values": 1_287,
        "rows.update: no other table of the category has the key of a row with several values": 351,
        "rows.update: the value that was drawn would change nothing": 288,
        "rows.permute": 5_400,
        "rows.compose": 5_157,
        "rows.compose: no other table of the category has a row with a new key": 243,
    }


@pytest.mark.parametrize("name", ["tabfact/small-test", "scitab/all"])
def test_edits_of_records_prohibit_nothing(name: str) -> None:
    split = source(name)
    pool = Pool.of(split)
    pairs = list(split.pairs())[::20]
    for spec in ("rows.delete?n=1", "rows.insert", "rows.update", "rows.compose"):
        probe = build_probe(spec)
        cases = [item for pair in pairs for item in probe.cases(pair, pool) if isinstance(item, Case)]
        assert cases
        assert {case.expects for case in cases} == {UNCONSTRAINED}


@pytest.mark.parametrize(
    "names", [("infotabs/dev", *TESTS), ("tabfact/small-test",), ("scitab/all",)], ids=lambda x: x[0]
)
def test_cut_cells_join_back(names: tuple[str, ...]) -> None:
    for table in tables(*names):
        for row in table.rows:
            for cell in row.values:
                pieces: list[str] = []
                done = 0
                for start, stop in split_cell(cell, row.key):
                    assert done <= start < stop
                    pieces += [cell[done:start], cell[start:stop]]
                    done = stop
                assert "".join([*pieces, cell[done:]]) == cell
