"""The table of a grid: scores, ratios and deviations by hand, and what stands beside them."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.analysis.runs import Asked, MakeRun, derived, pair
from tests.analysis.schemas import validate

from nliprobe.analysis.cases import RunData, read_run
from nliprobe.analysis.grid import GridNumbers, GridSystem, common_name, genres, grid_numbers
from nliprobe.analysis.grid_documents import GridDeviation, GridRow
from nliprobe.api.grid import GridAbout, grid_document
from nliprobe.api.grid_cell import CellResult
from nliprobe.task.case import Case, Certainty

SAME = "E>E N>N C>C"
TEST = "stress.overlap"
MATCHED, MISMATCHED = "corpus/dev-matched", "corpus/dev-mismatched"
SIZE = 36


def corpus(prefix: str) -> list[Case]:
    pairs = [pair(f"{prefix}{place}", "ENC"[place % 3], group=f"{prefix}g{place // 2}") for place in range(SIZE)]
    return [case for base in pairs for case in (base, derived(f"{base.id}+", base, TEST, SAME, gold=str(base.gold)))]


CASES = {MATCHED: corpus("a"), MISMATCHED: corpus("b")}


def answers(matched: int, mismatched: int) -> dict[str, str | None]:
    """Answers of which so many of twelve are right in the test, and all to the pairs as they are."""
    given: dict[str, str | None] = {}
    for cases, right in ((CASES[MATCHED], matched), (CASES[MISMATCHED], mismatched)):
        for place, case in enumerate(cases):
            wrong = "N" if str(case.gold) != "N" else "C"
            good = place // 2 < right * SIZE // 12 or case.probe == "gold"
            given[case.id] = str(case.gold) if good else wrong
    return given


def made(make_run: MakeRun, scores: dict[tuple[float, int], tuple[int, int]]) -> tuple[RunData, list[GridSystem]]:
    systems = [GridSystem(f"m-{share:g}-{seed}", "m", share, seed) for share, seed in scores]
    asked = [Asked(item.system, answers(*right)) for item, right in zip(systems, scores.values(), strict=True)]
    return read_run(make_run(CASES, asked)), systems


def row(numbers: GridNumbers, test: str, genre: str) -> GridRow:
    [found] = [item for item in numbers.rows if (item["test"], item["genre"]) == (test, genre)]
    return found


def moved(numbers: GridNumbers, test: str = TEST) -> GridDeviation:
    [found] = [item for item in numbers.deviations if item["test"] == test]
    return found


def test_numbers_by_hand(make_run: MakeRun) -> None:
    data, systems = made(make_run, {(0.0, 0): (8, 8), (0.5, 0): (6, 12), (1.0, 0): (4, 8)})
    numbers = grid_numbers([data], systems, [0.5, 1.0])
    first = row(numbers, TEST, "matched")
    assert (first["corpus"], first["n"], first["groups"], first["likely"]) == (MATCHED, SIZE, SIZE // 2, False)
    assert [score["accuracy"] for score in first["scores"]] == pytest.approx([8 / 12, 6 / 12, 4 / 12])
    assert [score["ratio"] for score in first["scores"]] == pytest.approx([1, 6 / 8, 4 / 8])
    assert [score["sd"] for score in first["scores"]] == [None] * 3
    assert (first["constant"], first["chance"]) == ({"label": "E", "accuracy": pytest.approx(1 / 3)}, 1 / 3)
    assert [score["ratio"] for score in row(numbers, TEST, "mismatched")["scores"]] == pytest.approx([1, 12 / 8, 1])
    entry = moved(numbers)
    assert entry["deviation"] == pytest.approx((6 / 8 - 1) ** 2 + (4 / 8 - 1) ** 2 + (12 / 8 - 1) ** 2)
    assert (entry["shares"], entry["genres"]) == ([0.5, 1.0], ["matched", "mismatched"])
    assert entry["noise"] is not None
    assert entry["noise_high"] is not None
    assert 0 < entry["noise"] < entry["noise_high"]
    assert entry["training_noise"] is None


def test_pairs_as_they_are_stand_first_and_do_not_move(make_run: MakeRun) -> None:
    data, systems = made(make_run, {(0.0, 0): (8, 6), (1.0, 0): (4, 6)})
    numbers = grid_numbers([data], systems, [1.0])
    assert [item["test"] for item in numbers.rows] == ["gold", "gold", TEST, TEST]
    assert [score["accuracy"] for score in row(numbers, "gold", "matched")["scores"]] == [1, 1]
    assert moved(numbers, "gold")["deviation"] == 0


def test_only_the_chosen_shares_are_added_up(make_run: MakeRun) -> None:
    data, systems = made(make_run, {(0.0, 0): (8, 8), (0.25, 0): (4, 4), (0.5, 0): (6, 8)})
    assert moved(grid_numbers([data], systems, [0.5]))["deviation"] == pytest.approx(1 / 16)
    assert moved(grid_numbers([data], systems, [0.0, 0.25, 0.5]))["deviation"] == pytest.approx(1 / 16 + 2 / 4)
    assert moved(grid_numbers([data], systems, []))["deviation"] is None


def test_seeds_have_a_mean_and_a_spread_and_say_what_training_again_gives(make_run: MakeRun) -> None:
    data, systems = made(make_run, {(0.0, 0): (8, 8), (0.0, 1): (6, 8), (1.0, 0): (4, 8), (1.0, 1): (6, 8)})
    numbers = grid_numbers([data], systems, [1.0])
    before, after = row(numbers, TEST, "matched")["scores"]
    assert before["accuracy"] == pytest.approx(7 / 12)
    assert before["seeds"] == [0, 1]
    assert before["sd"] == pytest.approx(abs(8 - 6) / 12 / 2**0.5)
    assert after["ratio"] == pytest.approx(fmean([4 / 8, 6 / 6])), "each seed is compared with itself"
    entry = moved(numbers)
    assert entry["by_seed"] == pytest.approx([1 / 4, 0])
    assert entry["deviation"] == pytest.approx(1 / 8)
    # Without any edited pair, the other seed moves the score from 8 to 6 and back.
    assert entry["training_noise"] == pytest.approx(fmean([(6 / 8 - 1) ** 2, (8 / 6 - 1) ** 2]))
    assert entry["training_noise_high"] == pytest.approx((8 / 6 - 1) ** 2)
    assert (entry["reading"], entry["p"]) == ("sampling", 1), "one seed does not move at all"


def test_p_values_are_corrected_for_all_deviations_of_the_table(make_run: MakeRun) -> None:
    data, systems = made(make_run, {(0.0, 0): (12, 12), (1.0, 0): (2, 2)})
    entries = grid_numbers([data], systems, [1.0]).deviations
    assert [entry["test"] for entry in entries] == ["gold", TEST]
    unedited, edited = entries
    assert unedited["p"] == unedited["p_holm"] == 1
    assert edited["p"] is not None
    assert edited["p_holm"] == pytest.approx(2 * edited["p"])
    assert edited["reading"] == "moved"


def test_a_large_change_is_shown_unless_another_seed_gives_as_much(make_run: MakeRun) -> None:
    data, systems = made(make_run, {(0.0, 0): (12, 12), (1.0, 0): (2, 2)})
    entry = moved(grid_numbers([data], systems, [1.0]))
    assert entry["reading"] == "moved"
    assert entry["ci95"] is not None
    assert 0 < entry["ci95"][0] < entry["deviation"] < entry["ci95"][1]  # type: ignore[operator]
    scores = {(0.0, 0): (12, 12), (0.0, 1): (4, 4), (1.0, 0): (4, 4), (1.0, 1): (0, 0)}
    data, systems = made(make_run, scores)
    entry = moved(grid_numbers([data], systems, [1.0]))
    assert entry["reading"] == "training"


@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from("ENC"), min_size=2 * SIZE, max_size=2 * SIZE), st.integers(1, 3))
def test_identical_answers_do_not_deviate(make_run: MakeRun, given: Sequence[str], shares: int) -> None:
    said: dict[str, str | None] = {
        case.id: letter for cases in CASES.values() for case, letter in zip(cases, given, strict=True)
    }
    systems = [GridSystem(f"m-{place}", "m", place / 4, 0) for place in range(shares + 1)]
    data = read_run(make_run(CASES, [Asked(item.system, said) for item in systems]))
    for entry in grid_numbers([data], systems, [item.share for item in systems]).deviations:
        assert entry["deviation"] in (0, None), "None where nothing is right, so that there is nothing to divide by"
        assert entry["reading"] in ("sampling", None)
        assert not entry["noise"]


def test_nothing_to_divide_by(make_run: MakeRun) -> None:
    data, systems = made(make_run, {(0.0, 0): (0, 6), (1.0, 0): (4, 6)})
    numbers = grid_numbers([data], systems, [1.0])
    assert row(numbers, TEST, "matched")["scores"][1]["ratio"] is None
    entry = moved(numbers)
    assert (entry["deviation"], entry["ci95"], entry["noise"], entry["reading"]) == (None, None, None, None)


def test_a_training_that_is_missing_leaves_a_gap(make_run: MakeRun) -> None:
    data, systems = made(make_run, {(0.0, 0): (8, 8), (0.5, 0): (6, 6)})
    missing = GridSystem("m-1-0", "m", 1.0, 0)
    numbers = grid_numbers([data], [*systems, missing], [0.5, 1.0])
    scores = row(numbers, TEST, "matched")["scores"]
    assert [score["accuracy"] for score in scores] == [pytest.approx(8 / 12), pytest.approx(6 / 12), None]
    assert moved(numbers)["deviation"] is None
    gone = [GridSystem("gone-0", "gone", 0.0, 0)]
    assert {item["model"] for item in grid_numbers([data], [*systems, *gone], [0.5]).rows} == {"m"}


def test_likely_labels_are_counted_apart(make_run: MakeRun) -> None:
    pairs = [pair(f"p{place}", "ENC"[place % 3]) for place in range(6)]
    new = [
        derived(f"{base.id}-new", base, "stress.antonymy", None, gold="C", bases=(),
                certainty=Certainty.LIKELY if place % 2 else Certainty.CERTAIN)
        for place, base in enumerate(pairs)
    ]  # fmt: skip
    said = dict.fromkeys((case.id for case in [*pairs, *new]), "C")
    run = make_run({"x": [*pairs, *new]}, [Asked("m", said)])
    numbers = grid_numbers([read_run(run)], [GridSystem("m", "m", 0.0, None)], [])
    assert [(item["test"], item["likely"], item["n"]) for item in numbers.rows] == [
        ("gold", False, 6),
        ("stress.antonymy", False, 3),
        ("stress.antonymy", True, 3),
    ]


def test_corpora_that_are_tests_themselves(make_run: MakeRun) -> None:
    data, systems = made(make_run, {(0.0, 0): (8, 6), (1.0, 0): (4, 6)})
    released = {f"set/words-{genre}": [pair(f"{genre}{place}", "C") for place in range(6)] for genre in ("x", "y")}
    said = {case.id: "C" for cases in released.values() for case in cases}
    run = make_run(released, [Asked(item.system, said) for item in systems])
    numbers = grid_numbers([data, read_run(run)], systems, [1.0], [list(released)])
    assert [(item["test"], item["genre"]) for item in numbers.rows][-2:] == [("set/words", "x"), ("set/words", "y")]
    assert moved(numbers, "set/words")["deviation"] == 0
    assert numbers.constant == {}, "right answers to pairs of one label do not make a constant"


def test_a_system_that_always_answers_the_same_is_named(make_run: MakeRun) -> None:
    many = [pair(f"p{place}", "ENC"[place % 3]) for place in range(24)]
    one = [pair(f"q{place}", "C") for place in range(24)]
    runs = [
        read_run(make_run({name: cases}, [Asked("m", dict.fromkeys((case.id for case in cases), "C"))]))
        for name, cases in (("x", many), ("y", one))
    ]
    assert grid_numbers(runs, [GridSystem("m", "m", 0.0, None)], []).constant == {"m": "C"}


def test_names_of_tests_and_genres() -> None:
    assert genres(["a/dev-matched?limit=5", "a/dev-mismatched?limit=5"]) == ["matched", "mismatched"]
    assert genres(["a/dev?limit=5", "a/dev?limit=6"]) == ["dev?limit=5", "dev?limit=6"]
    assert genres(["snli/dev", "multinli/dev"]) == ["snli/dev", "multinli/dev"]
    assert common_name(["snli/dev", "multinli/dev"]) == "snli/dev + multinli/dev"


def test_documents_follow_the_schema(make_run: MakeRun) -> None:
    data, systems = made(make_run, {(0.0, 0): (8, 6), (0.0, 1): (0, 6), (1.0, 0): (4, 6)})
    missing = GridSystem("m-1-1", "m", 1.0, 1)
    ended = [*((item, CellResult(dev=(0.5, 0.6))) for item in systems), (missing, CellResult(error="no memory"))]
    document = grid_document([data], ended, GridAbout({"m": "esim"}, ["x/train"], ["x/dev"]), [1.0])
    validate("grid", document)
    assert document["shares"] == [0.0, 1.0]
    assert [item["error"] for item in document["trainings"]] == [None, None, None, "no memory"]
    assert document["trainings"][0]["dev"] == 0.6
