"""Training pairs that pass through a probe first."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.helpers import nliprobe as cli

import nliprobe
from nliprobe.api.sources import open_source
from nliprobe.api.through import PassedThrough, Through
from nliprobe.base.errors import DataError, StoreError, UsageError
from nliprobe.corpora.held import HeldPairs
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair

PAIRS = [
    Pair(f"p{place}", f"premise {place}", f"hypothesis {place}", LabelSet.of("ENC"[place % 3])) for place in range(300)
]
SOURCE = HeldPairs.of_pairs("mine", [*PAIRS, Pair("none", "a text", "no label")])


def changed(through: Through) -> set[str]:
    kept = {pair.id: pair for pair in SOURCE.pairs()}
    return {pair.id for pair in PassedThrough(SOURCE, through).pairs() if pair != kept[pair.id]}


def test_only_pairs_of_the_labels_are_swapped_and_keep_them() -> None:
    passed = list(PassedThrough(SOURCE, Through("swap", 1.0, "N,C")).pairs())
    assert [pair.id for pair in passed] == [pair.id for pair in SOURCE.pairs()], "order and ids stay"
    assert [pair.gold for pair in passed] == [pair.gold for pair in SOURCE.pairs()]
    for before, after in zip(SOURCE.pairs(), passed, strict=True):
        swapped = (before.hypothesis, before.premise)
        texts = swapped if str(before.gold) in "NC" and before.gold else (before.premise, before.hypothesis)
        assert (after.premise, after.hypothesis) == texts


def test_entailments_have_no_label_after_a_swap_so_they_stay() -> None:
    swapped = changed(Through("swap"))
    assert {str(pair.gold) for pair in PAIRS if pair.id in swapped} == {"N", "C"}


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 5))
def test_a_larger_share_holds_the_smaller_one(first: float, second: float, seed: int) -> None:
    small, large = sorted((first, second))
    assert changed(Through("swap", small, "N,C", seed)) <= changed(Through("swap", large, "N,C", seed))


def test_about_the_share_is_swapped_whatever_the_label() -> None:
    swapped = changed(Through("swap", 0.5, "N,C"))
    counts = Counter(str(pair.gold) for pair in PAIRS if pair.id in swapped)
    assert set(counts) == {"N", "C"}
    assert all(30 <= number <= 70 for number in counts.values())
    assert changed(Through("swap", 0.0, "N,C")) == set()
    assert changed(Through("swap", 0.5, "N,C", 1)) != changed(Through("swap", 0.5, "N,C", 2))


def test_another_probe_or_draw_is_another_source() -> None:
    throughs = [
        Through("swap"),
        Through("swap", 0.5),
        Through("swap", 0.5, "N"),
        Through("swap", 0.5, "N", 1),
        Through("stress.overlap"),
    ]
    assert len({PassedThrough(SOURCE, through).digest() for through in throughs}) == len(throughs)
    assert len({PassedThrough(SOURCE, through).name for through in throughs}) == len(throughs)


def test_a_probe_with_a_pool_and_many_cases_gives_one_of_them() -> None:
    texts = [f"There are {number} dogs in the park." for number in range(20, 60)]
    source = HeldPairs.of_pairs("dogs", [Pair("", text, "A dog barks.", LabelSet.of("N")) for text in texts])
    passed = PassedThrough(source, Through("stress.numerical"))
    assert list(passed.pairs()) == list(passed.pairs())
    pairs = list(passed.pairs())
    assert len(pairs) == len(texts)
    assert {str(pair.gold) for pair in pairs} == {"E", "N", "C"}, "one of the three pairs of each sentence, drawn"
    assert all("dogs" in pair.hypothesis for pair in pairs)


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_shares_outside_0_to_1_are_refused(share: float) -> None:
    with pytest.raises(UsageError, match="should be a share from 0 to 1"):
        Through("swap", share)


def test_labels_that_do_not_exist_are_refused() -> None:
    with pytest.raises(UsageError, match="some of E, N, C, not 'X'"):
        Through("swap", 1.0, "N,X")


def test_a_probe_that_applies_to_nothing_is_an_error() -> None:
    source = open_source("builtin/tables-train")
    with pytest.raises(DataError, match="No pair of builtin/tables-train passes through swap"):
        list(PassedThrough(source, Through("swap")).pairs())


def test_a_model_that_learnt_from_swapped_pairs_is_another_one(tmp_path: Path) -> None:
    corpus, kept = "builtin/sentences-train", tmp_path / "kept"
    for _ in range(2):
        nliprobe.train("svm", corpus, kept, through="swap", through_share=0.5, through_labels="N,C")
    with pytest.raises(StoreError, match="holds another trained model"):
        nliprobe.train("svm", corpus, kept)
    with pytest.raises(UsageError, match="no probe: name it with"):
        nliprobe.train("svm", corpus, kept, through_share=0.5)


def test_the_command_says_what_was_learnt_from(tmp_path: Path) -> None:
    out = str(tmp_path / "kept")
    cli("train", "svm", "--train", "builtin/sentences-train", "--through", "swap", "--through-share", "0.5", "-o", out)
    record = json.loads((tmp_path / "kept" / "trained.json").read_text(encoding="utf-8"))
    assert record["train"] == ["builtin/sentences-train?through=swap&share=0.5&labels=all&through_seed=0"]
    wrong = cli("train", "svm", "--train", "builtin/sentences-train", "--through", "swop", "-o", out, code=1)
    assert "Did you mean 'swap'" in wrong.stderr
