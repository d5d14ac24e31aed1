from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import DataError
from nliprobe.base.records.read import Format, RecordFile
from nliprobe.corpora._parts import Golds, PairIds, facets_of
from nliprobe.task.labels import THREE_WAY, LabelMap, LabelSet, Partition
from nliprobe.task.pair import Facet
from nliprobe.task.table import Row, Table

FILE = RecordFile(Path("x.csv"), Format.CSV)


def test_content_ids_do_not_depend_on_the_order() -> None:
    first, second = PairIds("c/s"), PairIds("c/s")
    a, b = first.content("p", "a"), first.content("p", "b")
    assert (second.content("p", "b"), second.content("p", "a")) == (b, a)
    assert first.content("p", "a") == f"{a}#2"
    assert first.content("p", "a") == f"{a}#3"


def test_tables_have_content_ids_too() -> None:
    ids = PairIds("c")
    table = Table("t", (Row("k", ("v",)),))
    assert ids.content(table, "h") != ids.content(table.retitle("u"), "h")


@given(st.lists(st.sampled_from(["a", "b", "a#2", "a#3", "a#2#2"]), max_size=30))
def test_ids_are_always_distinct(names: list[str]) -> None:
    ids = PairIds("c/s")
    made = [ids.official(name) for name in names]
    assert len(set(made)) == len(names)


def test_golds_name_the_place_of_an_unknown_label() -> None:
    golds = Golds(LabelMap(), THREE_WAY)
    assert golds.read("Entailment", FILE, 2) == LabelSet.of("E")
    assert golds.read("-", FILE, 3) is None
    assert golds.read(None, FILE, 3) is None
    with pytest.raises(DataError, match=r"x\.csv, line 4: unknown label 'perhaps'"):
        golds.read("perhaps", FILE, 4)
    with pytest.raises(DataError, match=r"x\.csv, line 5: the label 1 is a code: declare what codes mean"):
        golds.read(1, FILE, 5)


def test_golds_refuse_what_the_partition_does_not_have() -> None:
    golds = Golds(LabelMap(), Partition.parse("E|C"))
    with pytest.raises(DataError, match=r"line 2: the label 'neutral' means N, which is not in E\|C\."):
        golds.read("neutral", FILE, 2)


def test_facets_may_have_many_values() -> None:
    record = {"a": ["x", "y"], "b": "", "c": None, "d": 3}
    assert facets_of(record, "abcde") == (Facet("a", "x"), Facet("a", "y"), Facet("d", "3"))
