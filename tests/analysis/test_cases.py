"""Reading a run: ids become row numbers, whatever the order and the shards."""

from __future__ import annotations

import polars as pl
import pytest
from tests.analysis.runs import Asked, MakeRun, derived, pair

from nliprobe.analysis.cases import NONE, NOT_ASKED, read_answers, read_cases, read_run
from nliprobe.analysis.shard_columns import masks
from nliprobe.base.errors import StoreError
from nliprobe.store.frames import read_frame
from nliprobe.task.case import Certainty

A, B = pair("a", "E", group="t"), pair("b", "NC", group="t")
CASES = {
    "x/dev": [A, derived("a1", A), derived("a2", A, "swap", "N>N C>C", certainty=Certainty.LIKELY)],
    "y/dev": [B, derived("b1", B, bases=("b", "a"), relation=None), pair("c")],
}
ANSWERS = {"a": "E", "a1": "N", "a2": None, "b": "NC", "b1": "C", "c": "E"}


@pytest.mark.parametrize("shard", [1, 2, 100])
def test_read_cases_numbers_everything(make_run: MakeRun, shard: int) -> None:
    cases = read_cases(make_run(CASES, [], shard=shard))
    assert cases.ids.to_list() == ["a", "a1", "a2", "b", "b1", "c"]
    assert cases.corpora == ("x/dev", "y/dev")
    assert cases.corpus.tolist() == [0, 0, 0, 1, 1, 1]
    probes = [cases.probes[number] for number in cases.probe]
    assert probes == ["gold", "rows.delete", "swap", "gold", "rows.delete", "gold"]
    assert cases.gold.tolist() == [1, 0, 0, 6, 0, 0]
    assert [cases.rule_texts[number] if number != NONE else None for number in cases.expects] == [
        None,
        "E>EN N>N C>NC",
        "E>ENC N>N C>C",
        None,
        None,
        None,
    ]
    assert cases.base.tolist() == [NONE, 0, 0, NONE, NONE, NONE]
    assert cases.pair.tolist() == [0, 0, 0, 1, 1, 2]
    assert cases.group.tolist() == [0, 0, 0, 0, 0, 1]
    assert cases.wanted([Certainty.CERTAIN]).tolist() == [True, True, False, True, True, True]


def test_slices_follow_corpora_and_probes(make_run: MakeRun) -> None:
    slices = list(read_cases(make_run(CASES, [])).slices())
    assert [(part.corpus, part.probe, part.rows.tolist()) for part in slices] == [
        ("x/dev", "gold", [0]),
        ("x/dev", "rows.delete", [1]),
        ("x/dev", "swap", [2]),
        ("y/dev", "gold", [3, 5]),
        ("y/dev", "rows.delete", [4]),
    ]
    assert slices[3].clusters.tolist() == [0, 1]


def test_answers_become_masks(make_run: MakeRun) -> None:
    data = read_run(make_run(CASES, [Asked("m", ANSWERS, "E|NC", "none")]))
    (system,) = data.systems
    assert system.answers.tolist() == [1, 2, 0, 6, 4, 1]
    assert (system.name, str(system.partition), system.premise) == ("m", "E|NC", "none")


def test_answers_are_matched_by_id_not_by_place(make_run: MakeRun) -> None:
    run = make_run(CASES, [Asked("m", ANSWERS)])
    for path in run.files("predictions/folder-0"):
        run.write("predictions/folder-0", int(path.stem), read_frame(path).reverse())
    run.finish(run.system("m"), "2024-01-02T00:00:00Z")
    assert read_answers(run, read_cases(run), "m").tolist() == [1, 2, 0, 6, 4, 1]


def test_cases_never_asked_are_not_unanswered(make_run: MakeRun) -> None:
    run = make_run(CASES, [Asked("m", {"a": "E", "a2": None, "c": "C"})])
    assert read_answers(run, read_cases(run), "m").tolist() == [1, NOT_ASKED, 0, NOT_ASKED, NOT_ASKED, 4]


def test_a_base_that_is_not_there_is_an_error(make_run: MakeRun) -> None:
    run = make_run({"x/dev": [A, derived("a1", A, bases=("gone",))]}, [])
    with pytest.raises(StoreError, match=r"a1 .* is derived from gone, which the run does not hold"):
        read_cases(run)


def test_a_case_given_twice_is_an_error(make_run: MakeRun) -> None:
    run = make_run({"x/dev": [A, derived("a1", A), derived("a1", A)]}, [])
    with pytest.raises(StoreError, match="same case_id twice"):
        read_cases(run)


def test_a_pair_that_is_not_there_is_an_error(make_run: MakeRun) -> None:
    run = make_run({"x/dev": [derived("a1", A, bases=())]}, [])
    with pytest.raises(StoreError, match="of the pair 'a', but not the pair"):
        read_cases(run)


def test_a_corpus_unknown_to_the_manifest_is_an_error(make_run: MakeRun) -> None:
    run = make_run(CASES, [], suite={"corpora": [{"name": "x/dev", "digest": "d", "partition": "E|N|C"}]})
    with pytest.raises(StoreError, match="of the corpus 'y/dev': expected one of x/dev"):
        read_cases(run)


def test_a_run_without_cases_says_so(make_run: MakeRun) -> None:
    with pytest.raises(StoreError, match="has no cases yet"):
        read_cases(make_run({"x/dev": []}, []))


def test_masks_name_what_is_no_label() -> None:
    assert masks(pl.Series(["E", None, "NC", "ENC"])).to_list() == [1, 0, 6, 7]
    with pytest.raises(StoreError, match="holds 'maybe', which is not a label set"):
        masks(pl.Series(["E", "maybe"]))
