"""Measures of evidence over arrays: by hand, by properties, and for models whose use of evidence is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.analysis.evidence.baselines import EVERY, NONE, OVERLAP, RANDOM, baselines, most_shared
from nliprobe.analysis.evidence.keys import key_use
from nliprobe.analysis.evidence.measures import (
    UnitUse,
    mean,
    pair_counts,
    pair_kinds,
    place_use,
    position_use,
    precisions,
    rate,
    recalls,
    unit_use,
    use_measures,
)
from nliprobe.stats.intervals import wilson

# Four pairs of three tables: all used with one extra; one of two used; only another; nothing.
USE = unit_use(
    [4, 3, 3, 2],
    [{0, 1}, {0, 2}, {1}, {0}],
    [{0, 1, 3}, {2}, {0}, set()],
    [True, False, True, True],
    ["t1", "t1", "t2", "t3"],
)


@st.composite
def uses(draw: st.DrawFn) -> UnitUse:
    n = draw(st.integers(1, 12))
    sizes = [draw(st.integers(1, 6)) for _ in range(n)]
    marked = [draw(st.sets(st.integers(0, size - 1), min_size=1)) for size in sizes]
    used = [draw(st.sets(st.integers(0, size - 1))) for size in sizes]
    right = [draw(st.booleans()) for _ in range(n)]
    groups = [draw(st.sampled_from("abcdefgh")) for _ in range(n)]
    return unit_use(sizes, marked, used, right, groups)


def test_measures_by_hand() -> None:
    measures = use_measures(USE)
    assert precisions(pair_counts(USE)).tolist() == [2 / 3, 1.0, 0.0, 0.0]
    assert recalls(pair_counts(USE)).tolist() == [1.0, 0.5, 0.0, 0.0]
    assert measures["n"] == 4
    assert measures["groups"] == 3
    assert measures["precision"]["mean"] == pytest.approx((2 / 3 + 1) / 4)
    assert measures["precision_where_some"] == {"n": 3, "mean": pytest.approx((2 / 3 + 1) / 3), "ci95": None}
    assert measures["recall"]["mean"] == pytest.approx(1.5 / 4)
    assert measures["exact"]["count"] == 0
    kinds = [measures["kinds"][kind]["count"] for kind in ("all", "partial", "irrelevant_only", "nothing")]
    assert kinds == [1, 1, 1, 1]
    assert (measures["wrong"]["count"], measures["wrong"]["n"]) == (2, 4)
    # Both denominators of "no attention": one of four pairs, one of the two wrong ones.
    assert measures["kinds"]["nothing"]["rate"] == 0.25
    assert (measures["nothing_of_wrong"]["count"], measures["nothing_of_wrong"]["n"]) == (1, 2)
    assert measures["accuracy"]["count"] == 3
    assert [measures["right"][kind]["count"] for kind in ("all", "partial", "irrelevant_only", "nothing")] == [
        1,
        0,
        1,
        1,
    ]
    assert measures["accuracy_by"]["partial"] == {"n": 1, "count": 0, "rate": 0.0, "ci95": list(wilson(0, 1) or ())}
    assert measures["marked_per_pair"]["mean"] == 1.5
    assert measures["used_per_pair"]["mean"] == 1.25
    assert measures["marked_counts"] == {"1": 2, "2": 2}
    assert measures["used_counts"] == {"0": 1, "1": 2, "3": 1}


def test_exact_needs_no_extras() -> None:
    same = use_measures(unit_use([3, 3], [{0}, {0}], [{0}, {0, 1}], [True, True], ["a", "b"]))
    assert (same["kinds"]["all"]["count"], same["exact"]["count"]) == (2, 1)


def test_a_table_whose_every_row_is_relevant() -> None:
    measures = use_measures(unit_use([2, 2], [{0, 1}, {0, 1}], [{0, 1}, set()], [True, True], ["a", "b"]))
    assert [measures["kinds"][kind]["count"] for kind in ("all", "irrelevant_only", "nothing")] == [1, 0, 1]
    assert measures["precision_where_some"]["mean"] == 1.0


def test_pairs_without_marks_and_wrong_places_are_refused() -> None:
    with pytest.raises(ValueError, match="1 pairs have no marked unit"):
        use_measures(unit_use([2], [set()], [{0}], [True], ["a"]))
    with pytest.raises(ValueError, match="not places of 2 units"):
        unit_use([2], [{2}], [set()], [True], ["a"])


def test_no_pair_gives_no_number() -> None:
    measures = use_measures(unit_use([], [], [], [], []))
    assert measures["n"] == 0
    assert measures["precision"] == measures["marked_per_pair"] == {"n": 0, "mean": None, "ci95": None}
    assert measures["kinds"]["all"] == {"n": 0, "count": 0, "rate": None, "ci95": None}
    assert baselines(unit_use([], [], [], [], []), np.zeros(0, dtype=bool)) == []


@given(uses())
def test_kinds_and_right_answers_add_up(use: UnitUse) -> None:
    measures = use_measures(use)
    kinds = [measures["kinds"][kind]["count"] for kind in ("all", "partial", "irrelevant_only", "nothing")]
    right = [measures["right"][kind]["count"] for kind in ("all", "partial", "irrelevant_only", "nothing")]
    assert sum(kinds) == measures["n"]
    assert measures["wrong"]["count"] == kinds[2] + kinds[3]
    assert sum(right) == measures["accuracy"]["count"]
    assert sum(measures["used_counts"].values()) == measures["n"]
    assert measures["exact"]["count"] <= measures["kinds"]["all"]["count"]
    for item in (measures["precision"], measures["recall"], measures["precision_where_some"]):
        if item["mean"] is not None and item["ci95"] is not None:
            assert 0 <= item["ci95"][0] <= item["mean"] + 1e-9
            assert item["mean"] - 1e-9 <= item["ci95"][1] <= 1


@given(uses(), st.randoms(use_true_random=False))
def test_the_order_of_pairs_changes_nothing(use: UnitUse, random: object) -> None:
    n = len(use.right)
    order = sorted(range(n), key=lambda _: random.random())  # type: ignore[attr-defined]
    sizes = np.bincount(use.pair, minlength=n)
    places = np.split(np.arange(len(use.pair)), np.cumsum(sizes)[:-1])
    flat = np.concatenate([places[number] for number in order])
    moved = UnitUse(
        np.repeat(np.arange(n), sizes[order]),
        use.marked[flat],
        use.used[flat],
        use.right[order],
        use.clusters[order],
    )
    one, other = use_measures(use), use_measures(moved)
    assert one["kinds"] == other["kinds"]
    assert one["right"] == other["right"]
    assert one["recall"]["mean"] == pytest.approx(other["recall"]["mean"])
    assert one["precision"]["ci95"] == (
        None if other["precision"]["ci95"] is None else pytest.approx(other["precision"]["ci95"], abs=1e-9)
    )
    assert place_use(use) == place_use(moved)


@given(uses())
def test_using_a_marked_unit_more_never_lowers_recall_and_using_another_never_raises_precision(use: UnitUse) -> None:
    before = pair_counts(use)
    for place in np.flatnonzero(~use.used).tolist():
        more = use.used.copy()
        more[place] = True
        after = pair_counts(use._replace(used=more))
        assert (recalls(after) >= recalls(before)).all()
        if use.marked[place]:
            assert (precisions(after) >= precisions(before)).all()
            assert (pair_kinds(after) <= pair_kinds(before)).all()
        elif before.used[use.pair[place]]:
            assert (precisions(after) <= precisions(before)).all()


@given(uses())
def test_perfect_users_score_everything_and_ignorers_nothing(use: UnitUse) -> None:
    right = np.ones(len(use.right), dtype=bool)
    perfect = use_measures(use._replace(used=use.marked, right=right))
    for item in (perfect["precision"], perfect["recall"], perfect["precision_where_some"]):
        assert item["mean"] == 1.0
    for share in (perfect["exact"], perfect["kinds"]["all"], perfect["right"]["all"], perfect["accuracy"]):
        assert share["rate"] == 1.0
    ignorer = use_measures(use._replace(used=np.zeros_like(use.used)))
    assert ignorer["precision"]["mean"] == ignorer["recall"]["mean"] == 0.0
    assert ignorer["precision_where_some"]["mean"] is None
    assert ignorer["nothing_of_wrong"]["rate"] == ignorer["kinds"]["nothing"]["rate"] == 1.0


@given(uses())
def test_the_baselines_are_what_such_models_would_get(use: UnitUse) -> None:
    by_name = {item["name"]: item for item in baselines(use, use.marked)}
    every = use_measures(use._replace(used=np.ones_like(use.used)))
    assert by_name[EVERY]["precision"] == pytest.approx(every["precision"]["mean"])
    assert by_name[EVERY]["recall"] == by_name[EVERY]["all"] == 1.0
    assert by_name[NONE]["nothing"] == 1.0
    assert by_name[OVERLAP]["exact"] == 1.0
    # The average over all draws of one unit per pair, one draw after the other.
    n, sizes = len(use.right), np.bincount(use.pair)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    sums = dict.fromkeys(("precision", "recall", "exact", "all", "partial", "irrelevant_only"), 0.0)
    for number in range(n):
        only = use.where(np.arange(n) == number)
        for place in range(int(sizes[number])):
            drawn = use_measures(only._replace(used=np.arange(int(sizes[number])) == place))
            for name in ("precision", "recall"):
                sums[name] += (drawn[name]["mean"] or 0) / sizes[number] / n
            sums["exact"] += drawn["exact"]["count"] / sizes[number] / n
            for name in ("all", "partial", "irrelevant_only"):
                sums[name] += drawn["kinds"][name]["count"] / sizes[number] / n  # type: ignore[literal-required]
    assert {name: by_name[RANDOM][name] for name in sums} == pytest.approx(sums)  # type: ignore[literal-required]
    assert starts[-1] == len(use.pair)


def test_most_shared_ignores_words_that_all_units_have_and_words_that_hold_sentences_together() -> None:
    units = [
        "The height of Kestrel Hut is 2,310 m",
        "The beds of Kestrel Hut are 48",
        "The owner of Kestrel Hut is Ann",
    ]
    assert most_shared("Kestrel Hut has 48 beds.", units) == [False, True, False]
    assert most_shared("Kestrel Hut is red.", units) == [False, False, False]
    assert most_shared("The owner has beds.", units) == [False, True, True]
    assert most_shared("anything", []) == []
    assert most_shared("Ann", ["Ann"]) == [True]


def test_first_middle_and_last_units() -> None:
    # A model that reads only the first row.
    use = unit_use([3, 1, 2], [{1}, {0}, {0, 1}], [{0}, {0}, {0}], [True] * 3, ["a", "b", "c"])
    first, middle, last = position_use(use)
    assert (first["position"], first["used"]["rate"], first["marked"]["count"]) == ("first", 1.0, 2)
    assert (middle["used"]["count"], middle["used"]["n"], middle["used_of_marked"]["n"]) == (0, 1, 1)
    # A table of one row has a first row and no last one.
    assert (last["used"]["count"], last["used"]["n"]) == (0, 2)
    assert [item["position"] for item in place_use(use)] == ["0", "1", "2"]
    assert sum(item["marked"]["n"] for item in place_use(use)) == 6


def test_intervals_widen_where_pairs_share_tables() -> None:
    happened = np.tile([True] * 3 + [False] * 3, 10)
    apart, together = np.arange(60), np.repeat(np.arange(20), 3)
    assert rate(happened, apart)["ci95"] == pytest.approx(list(wilson(30, 60) or ()))
    alone, shared = rate(happened, apart)["ci95"], rate(happened, together)["ci95"]
    assert alone is not None
    assert shared is not None
    assert shared[0] < alone[0] < alone[1] < shared[1]
    values = mean(happened.astype(np.float64), together)["ci95"]
    assert values == pytest.approx(shared)


def test_keys_that_are_used_more_or_less_than_they_are_needed() -> None:
    # Ten tables with the same two keys: people need the first one, the model uses the second one.
    sizes, groups = [2] * 40, [f"t{number % 10}" for number in range(40)]
    labels = ["E" if number < 25 else "C" for number in range(40)]
    use = unit_use(sizes, [{0}] * 40, [{1}] * 40, [True] * 40, groups)
    found = key_use(use, ["Born", "Type "] * 40, labels, least=20)
    assert [(item["label"], item["key"], item["n"]) for item in found["keys"]] == [
        ("all", "born", 40),
        ("all", "type", 40),
        ("E", "born", 25),
        ("E", "type", 25),
    ]
    born = found["keys"][0]
    assert (born["needed"], born["used"], born["difference"], born["groups"]) == (1.0, 0.0, -1.0, 10)
    assert born["p"] == pytest.approx(2 / 2**10)
    assert born["p_holm"] == pytest.approx(4 * born["p"])
    assert born["ci95"] is not None
    assert found["rare"] == 0
    assert key_use(use, ["Born", "Type"] * 40, labels, least=41) == {"least": 41, "rare": 2, "keys": []}


def test_a_key_counts_once_per_pair_and_units_without_key_do_not() -> None:
    use = unit_use([3], [{0}], [{1}], [True], ["a"])
    [every, _] = key_use(use, ["Born", "born", ""], ["E"], least=1)["keys"]
    assert (every["n"], every["needed"], every["used"]) == (1, 1.0, 1.0)
