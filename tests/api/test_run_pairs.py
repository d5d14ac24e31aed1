"""Pairs and cases of a run for raters, and plans of projects before they are made."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import nliprobe
from nliprobe.api.people import ProjectPlan, attention_pairs, plan_project
from nliprobe.api.run_pairs import RunChoice, run_pairs
from nliprobe.base.errors import DataError, NotFoundError
from nliprobe.people.items.of_pairs import Stratum
from nliprobe.store.run import RunFolder
from nliprobe.task.pair import Pair
from nliprobe.task.sources import open_source

ON = "builtin/sentences-dev"


def always(premises: list[str], hypotheses: list[str]) -> list[str]:
    return ["E"] * len(premises)


def by_length(premises: list[str], hypotheses: list[str]) -> list[str]:
    return ["ENC"[len(hypothesis) % 3] for hypothesis in hypotheses]


def by_words(premises: list[str], hypotheses: list[str]) -> list[str]:
    return ["ENC"[len(f"{one} {other}".split()) % 3] for one, other in zip(premises, hypotheses, strict=True)]


def said(pair: Pair) -> tuple[str, str]:
    both = [str(pair.premise)], [pair.hypothesis]
    return by_length(*both)[0], by_words(*both)[0]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two systems that read the pair, one that always says the same."""
    folder = tmp_path_factory.mktemp("runs") / "one"
    systems = {"length": by_length, "words": by_words, "same": always}
    nliprobe.run(systems, ON, ["gold", "swap"], folder, doctor=False)
    return folder


def answers(run: Path, system: str) -> dict[str, str]:
    frame = RunFolder.open(run).predictions(system, ["case_id", "label"])
    return dict(frame.iter_rows())


def test_all_pairs_are_those_of_the_corpus(run: Path) -> None:
    pairs = {pair.id: pair for pair in run_pairs(run, RunChoice.PAIRS).pairs()}
    known = {pair.id: pair for pair in open_source(ON).pairs()}
    assert pairs.keys() == known.keys()
    for id_, pair in pairs.items():
        assert (pair.premise, pair.hypothesis, pair.gold, pair.group) == (
            known[id_].premise, known[id_].hypothesis, known[id_].gold, known[id_].group,
        )  # fmt: skip


def test_systems_disagree_where_two_readers_say_different_things(run: Path) -> None:
    expected = {pair.id for pair in open_source(ON).pairs() if len(set(said(pair))) == 2}
    assert 0 < len(expected) < 141
    assert {pair.id for pair in run_pairs(run, RunChoice.DISAGREE).pairs()} == expected


def test_pairs_that_some_reader_gets_wrong(run: Path) -> None:
    expected = {pair.id for pair in open_source(ON).pairs() if set(said(pair)) != {str(pair.gold)}}
    assert {pair.id for pair in run_pairs(run, RunChoice.WRONG).pairs()} == expected


def test_broken_expectations_are_edited_cases_under_their_own_ids(run: Path) -> None:
    broken = list(run_pairs(run, RunChoice.BROKEN).pairs())
    known = {pair.id: pair for pair in open_source(ON).pairs()}
    assert broken
    cases = answers(run, "length")
    assert all(pair.id in cases and pair.id not in known for pair in broken)
    texts = {(pair.hypothesis, pair.premise) for pair in known.values()}
    assert all((pair.premise, pair.hypothesis) in texts for pair in broken), "a swap exchanges both"


def test_a_run_without_any_is_a_sentence(tmp_path: Path) -> None:
    nliprobe.run({"same": always}, ON, ["gold"], tmp_path / "run", doctor=False)
    for choice in (RunChoice.DISAGREE, RunChoice.BROKEN):
        with pytest.raises(DataError, match="nothing to judge"):
            run_pairs(tmp_path / "run", choice)
    with pytest.raises(NotFoundError):
        run_pairs(tmp_path / "nowhere", RunChoice.PAIRS)


def test_so_many_items_are_drawn_evenly_over_strata() -> None:
    plan = ProjectPlan("verify", ["builtin/tables-dev"], most_items=30, stratum=Stratum.LABEL, seed=3)
    planned = plan_project(plan)
    assert Counter(item.stratum for item in planned.items) == {"E": 10, "N": 10, "C": 10}
    assert planned == plan_project(plan)


def test_attention_pairs_are_those_whose_answer_is_known() -> None:
    drawn = attention_pairs("builtin/tables-dev", "verify", {}, most=7)
    assert len(list(drawn.pairs())) == 7
    assert [pair.id for pair in drawn.pairs()] == [
        pair.id for pair in attention_pairs("builtin/tables-dev", "verify", {}, most=7).pairs()
    ]
    with pytest.raises(DataError, match="No pair of builtin"):
        attention_pairs("builtin/sentences-dev", "evidence", {}, most=7)
    planned = plan_project(ProjectPlan("verify", [ON], attention=[drawn], most_items=5))
    assert (planned.asked, planned.attention, planned.batches) == (5, 7, 1)
