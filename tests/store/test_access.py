"""Single cases and pages of cases: the same as reading everything and choosing."""

from __future__ import annotations

import tempfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.analysis.runs import Asked, derived, pair, write_run

from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.base.hashing import digest
from nliprobe.store import run as run_module
from nliprobe.store.access import CaseFilter
from nliprobe.store.index import CaseIndex, Place
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case, Status
from nliprobe.task.labels import LabelSet

PROBES = ("rows.delete", "rows.permute")


def cases_of(corpus: str, count: int) -> list[Case]:
    """Pairs, each with two cases derived from it, under ids as they are in real runs."""
    made: list[Case] = []
    for number in range(count):
        base = pair(digest(corpus, str(number)), "ENC"[number % 3])
        made += [base, *(derived(digest(base.id, probe), base, probe) for probe in PROBES)]
    return made


def a_run(folder: Path, *, shard: int = 4, settled: bool = True) -> RunFolder:
    cases = {name: cases_of(name, 7) for name in ("x/dev", "y/dev")}
    every = [case.id for items in cases.values() for case in items]
    answers = {name: "ENC"[place % 3] if place % 5 else None for place, name in enumerate(every)}
    some = dict.fromkeys(every[: len(every) // 2], "E")
    systems = [Asked("m", answers), Asked("half", some)]
    return write_run(folder, cases, systems, shard=shard, status="complete" if settled else "running")


@pytest.mark.parametrize("settled", [True, False])
def test_a_case_comes_with_everything_about_it(tmp_path: Path, settled: bool) -> None:
    run = RunFolder.open(a_run(tmp_path, settled=settled).path)
    assert bool(list(run.path.glob("index/*"))) == settled
    everything = run.read("cases")
    half = set(run.predictions("half")["case_id"])
    for row in everything.rows(named=True):
        one = run.case(row["case_id"])
        assert one.case == row
        assert one.pair is not None
        assert one.pair["pair_id"] == row["pair_id"]
        answer = run.predictions("m").row(by_predicate=pl.col("case_id") == row["case_id"], named=True)
        assert one.answers["m"].input_id == answer["input_id"]
        label = one.answers["m"].prediction.label
        assert (None if label is None else str(label)) == answer["label"]
        assert ("half" in one.answers) == (row["case_id"] in half)
    with pytest.raises(NotFoundError, match="has no case 'nobody'"):
        run.case("nobody")


def test_answers_in_another_order_are_matched_by_id(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    expected = {name: run.case(name).answers["m"] for name in run.read("cases")["case_id"]}
    wanted = CaseFilter(system="m", label="C")
    page = run.page(wanted, limit=100).cases
    for number, path in enumerate(run.files("predictions/folder-0")):
        run.write("predictions/folder-0", number, pl.read_parquet(path).reverse())
    run.finish(run.system("m"), "2024-01-02T00:00:00Z")
    again = RunFolder.open(run.path)
    assert {name: again.case(name).answers["m"] for name in expected} == expected
    assert again.page(wanted, limit=100).cases.equals(page)


filters = st.builds(
    CaseFilter,
    st.sampled_from([None, "x/dev", "y/dev", "z/dev"]),
    st.sampled_from([None, "gold", *PROBES, "swap"]),
    st.just("m"),
    st.sampled_from([None, "E", "N", "C", "NC"]),
    st.sampled_from([None, *(item.value for item in Status)]),
) | st.builds(CaseFilter, st.sampled_from([None, "x/dev"]), st.sampled_from([None, "gold"]))


@pytest.fixture(scope="module")
def shared_run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return a_run(tmp_path_factory.mktemp("access"))


@settings(max_examples=60, deadline=None)
@given(wanted=filters, limit=st.integers(1, 50))
def test_pages_together_are_what_the_filter_lets_through(shared_run: RunFolder, wanted: CaseFilter, limit: int) -> None:
    run = shared_run
    expected = run.read("cases")
    for column, value in (("corpus", wanted.corpus), ("probe", wanted.probe)):
        expected = expected if value is None else expected.filter(pl.col(column) == value)
    if wanted.system is not None:
        answers = run.predictions(wanted.system)
        for column, value in (("label", wanted.label), ("status", wanted.status)):
            answers = answers if value is None else answers.filter(pl.col(column) == value)
        expected = expected.join(answers, on="case_id", how="semi", maintain_order="left")
    pages: list[pl.DataFrame] = []
    after: str | None = None
    while True:
        page = run.page(wanted, limit=limit, after=after)
        assert page.cases.height <= limit
        pages.append(page.cases)
        after = page.after
        if after is None:
            break
        assert page.cases.height == limit
    assert pl.concat(pages).equals(expected)


def test_pages_say_what_they_cannot_do(shared_run: RunFolder) -> None:
    with pytest.raises(UsageError, match="at least one case, not 0"):
        shared_run.page(limit=0)
    with pytest.raises(UsageError, match="needs the system"):
        shared_run.page(CaseFilter(label="E"))
    with pytest.raises(NotFoundError, match="no system 'n'"):
        shared_run.page(CaseFilter(system="n"))
    with pytest.raises(NotFoundError, match="has no case 'x'"):
        shared_run.page(after="x")


@pytest.mark.parametrize("indexed", [True, False])
def test_a_run_of_one_small_shard_needs_no_index(
    tmp_path: Path, indexed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    several = a_run(tmp_path)
    ids = several.read("cases")["case_id"].to_list()
    monkeypatch.setattr(run_module, "UNINDEXED_CASES", len(ids) - indexed)
    run = RunFolder.open(a_run(tmp_path, shard=99).path)
    assert len(run.files("cases")) == 1
    assert bool(list(run.path.glob("index/*"))) == indexed
    assert [run.case(name) for name in ids] == [several.case(name) for name in ids]
    wanted = CaseFilter(system="m", label="N")
    assert run.page(wanted, limit=5, after=ids[7]).cases.equals(several.page(wanted, limit=5, after=ids[7]).cases)
    with pytest.raises(NotFoundError, match="has no case 'x'"):
        run.case("x")


@pytest.mark.parametrize("damage", ["gone", "torn", "other", "shifted"])
def test_an_index_that_is_not_right_is_made_again_in_memory(tmp_path: Path, damage: str) -> None:
    import numpy as np

    run = a_run(tmp_path)
    ids = run.read("cases")["case_id"].to_list()
    wanted = CaseFilter(system="m", label="N")
    expected = [run.case(name) for name in ids], run.page(wanted, limit=99).cases
    [index] = run.path.glob("index/*.npy")
    if damage == "gone":
        index.unlink()
    elif damage == "torn":
        index.write_bytes(index.read_bytes()[:100])
    elif damage == "other":
        np.save(index, np.zeros(3))
    else:
        table = np.load(index)
        np.save(index, np.stack([table[0] + np.uint64(1), table[1]]))
    before = sorted((path, path.stat().st_mtime_ns) for path in run.path.rglob("*"))
    again = RunFolder.open(run.path)
    assert [again.case(name) for name in ids] == expected[0]
    assert RunFolder.open(run.path).page(wanted, limit=99).cases.equals(expected[1])
    assert sorted((path, path.stat().st_mtime_ns) for path in run.path.rglob("*")) == before, "readers only read"


def test_a_run_that_grows_is_indexed_again(tmp_path: Path) -> None:
    run = a_run(tmp_path, settled=False)
    last = run.files("cases")[-1]
    name = pl.read_parquet(last)["case_id"][0]
    written = [path for path in run.path.rglob(last.name) if path.is_file()]
    hidden = [path.rename(path.with_suffix(".hidden")) for path in written]
    watching = RunFolder.open(run.path)
    with pytest.raises(NotFoundError):
        watching.case(name)
    for path in hidden:
        path.rename(path.with_suffix(".parquet"))
    assert watching.case(name).id == name
    assert watching.page(CaseFilter(corpus="y/dev", system="m"), limit=99).cases.height == 21


ids = st.lists(
    st.one_of(st.integers(0, 99).map(lambda n: digest(str(n))), st.text(max_size=20), st.just("0" * 16 + "1")),
    unique=True,
    max_size=30,
)


@settings(max_examples=60)
@given(st.lists(ids, max_size=4))
def test_index_finds_every_id_whatever_it_looks_like(shards: list[list[str]]) -> None:
    index = CaseIndex.build((number, pl.Series(items, dtype=pl.String)) for number, items in enumerate(shards))
    with tempfile.TemporaryDirectory() as name:
        index.save(Path(name) / "i.npy")
        loaded = CaseIndex.load(Path(name) / "i.npy")
        assert loaded is not None
        for number, items in enumerate(shards):
            for row, item in enumerate(items):
                assert Place(number, row) in loaded.find(item)
            assert set(range(len(items))) <= set(loaded.rows(pl.Series(items, dtype=pl.String), number).tolist())


def test_two_cases_with_one_key_are_told_apart(tmp_path: Path) -> None:
    key = "0123456789abcdef"
    first, second = pair(key + "aaaaaaaa", "E"), pair(key + "bbbbbbbb", "N")
    run = write_run(tmp_path, {"x": [first, second]}, [Asked("m", {first.id: "E", second.id: "N"})])
    assert run.case(second.id).answers["m"].prediction.label == LabelSet.of("N")
    assert run.page(CaseFilter(system="m", label="N")).cases["case_id"].to_list() == [second.id]
