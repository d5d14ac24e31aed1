"""The swap evaluation: golden numbers on a run made by hand, verdicts at their edges, consistency, what is left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analysis.runs import Asked, MakeRun, pair
from tests.analysis.schemas import validate

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.rates import Ends
from nliprobe.analysis.summary import summarise
from nliprobe.analysis.swap.consistency import NOT_ALL_LABELS
from nliprobe.analysis.swap.documents import Swap, SwapEntry, SwapLabel, Verdict
from nliprobe.analysis.swap.entries import swap
from nliprobe.analysis.swap.verdicts import HARDLY, INDIFFERENT, NOT_SHOWN, SILENT, SYMMETRIC, Drop, judge, keeps_label
from nliprobe.analysis.two_way import NO_SCORES
from nliprobe.store.record import SkippedPairs
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case, Certainty, Shares
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import DOUBTFUL_SWAP

E, N, C = (LabelSet.of(letter) for letter in "ENC")


def both(name: str, gold: str | None, group: str = "", *, doubtful: bool = False) -> list[Case]:
    """A pair and its swap, whose id is that of the pair with a stroke."""
    base = pair(name, gold, group or name)
    kept = gold in ("N", "C")
    swapped = Case(
        f"{name}'",
        "swap",
        base.source,
        "hypothesis",
        f"premise of {name}",
        bases=(name,),
        gold=LabelSet.of(gold) if gold and kept else None,
        certainty=Certainty.LIKELY if gold == "N" else Certainty.CERTAIN,
        facets=(DOUBTFUL_SWAP,) if doubtful else (),
    )
    return [base, swapped]


def cases_of(golds: Sequence[str | None]) -> list[Case]:
    return [case for number, gold in enumerate(golds) for case in both(f"p{number}", gold)]


def evaluation(run: RunFolder) -> Swap:
    validate("show", summarise(run))
    found = swap(run, read_run(run))
    assert found is not None
    return found


def entry(run: RunFolder, system: str = "m") -> SwapEntry:
    [item] = [item for item in evaluation(run)["entries"] if item["system"] == system]
    return item


def row(item: SwapEntry, label: str, *, doubtful: bool = True) -> SwapLabel:
    [one] = [each for each in item["labels"] if (each["label"], each["doubtful"]) == (label, doubtful)]
    return one


GOLDS: list[str | None] = [*"E" * 10, *"N" * 10, *"C" * 10, None]
# What is answered as it is, and swapped: E falls from 8 to 2, N from 9 to 6, C from 7 to 7; the last pair has no label.
BEFORE = "E" * 8 + "NN" + "N" * 9 + "E" + "C" * 7 + "EEE" + "E"
AFTER = "E" * 2 + "N" * 8 + "N" * 6 + "EEC" + "C" + "C" * 7 + "NNN" + "E"


def answers(before: str, after: str) -> dict[str, str | None]:
    pairs = zip(before, after, strict=True)
    return {
        f"p{number}{mark}": None if letter == "-" else letter
        for number, letters in enumerate(pairs)
        for mark, letter in zip(("", "'"), letters, strict=True)
    }


def test_golden_numbers(make_run: MakeRun) -> None:
    blind = Asked("blind", answers("C" * 31, "E" * 10 + "N" * 21), premise="none")
    run = make_run({"x": cases_of(GOLDS)}, [Asked("m", answers(BEFORE, AFTER)), blind])
    item = entry(run)
    assert (item["n"], item["unlabelled"], item["constant"], item["partition"]) == (30, 1, "E", "E|N|C")
    shares = {each["label"]: (each["original"], each["swapped"]) for each in item["labels"]}
    assert shares == {"E": (0.8, 0.2), "N": (0.9, 0.6), "C": (0.7, 0.7)}
    drops = {each["label"]: each["drop"] for each in item["labels"]}
    assert drops == {"E": pytest.approx(0.6), "N": pytest.approx(0.3), "C": 0}
    assert row(item, "N")["lost"] == {"E": 2, "C": 1}
    assert row(item, "N")["elsewhere"] == pytest.approx(2 / 20)
    assert [each["constant"] for each in item["labels"]] == [1, 0, 0]
    assert {each["chance"] for each in item["labels"]} == {1 / 3}
    assert row(item, "C")["control"] == {"system": "blind", "original": 1.0, "swapped": 0.0, "drop": 1.0}
    assert [each["verdict"] for each in item["labels"]] == ["expected", "undecided", "undecided"]
    assert {each["verdict"] for each in entry(run, "blind")["labels"]} == {"control"}


def test_intervals_are_those_of_a_paired_difference(make_run: MakeRun) -> None:
    """With one pair per group, the interval is Student's for the mean of the differences."""
    from scipy import stats

    random = np.random.default_rng(3)
    before = "".join(random.choice(list("CN"), 300, p=[0.8, 0.2]))
    after = "".join(random.choice(list("CN"), 300, p=[0.6, 0.4]))
    run = make_run({"x": cases_of(["C"] * 300)}, [Asked("m", answers(before, after))], shard=300)
    one = row(entry(run), "C")
    change = np.array([(b == "C") - 1 * (a == "C") for b, a in zip(before, after, strict=True)], dtype=float)
    low, high = stats.t.interval(0.95, 299, change.mean(), change.std(ddof=1) / np.sqrt(300))
    assert one["drop"] == pytest.approx(change.mean())
    assert one["drop_ci95"] == pytest.approx([low, high], abs=1e-3)


def test_intervals_are_near_those_of_a_bootstrap_over_groups(make_run: MakeRun) -> None:
    random = np.random.default_rng(5)
    groups = np.repeat(np.arange(60), 5)
    hard = random.random(60)[groups]
    before = np.where(random.random(300) < 0.9 - 0.3 * hard, "C", "N")
    after = np.where(random.random(300) < 0.9 - 0.7 * hard, "C", "N")
    cases = [case for number in range(300) for case in both(f"p{number}", "C", f"g{groups[number]}")]
    run = make_run({"x": cases}, [Asked("m", answers("".join(before), "".join(after)))], shard=600)
    one = row(entry(run), "C")
    change = (before == "C").astype(float) - (after == "C")
    sums = np.bincount(groups, weights=change)
    means = sums[random.integers(0, 60, (20_000, 60))].mean(axis=1) / 5
    assert one["groups"] == 60
    assert one["drop_ci95"] == pytest.approx(np.quantile(means, [0.025, 0.975]), abs=0.012)


@pytest.mark.parametrize(
    ("label", "ends", "expected"),
    [
        (E, [0.0001, 0.9], "expected"),
        (E, [0.0, 0.9], "warning"),
        (E, [-0.9, -0.1], "warning"),
        (C, [0.0201, 0.9], "shortcuts"),
        (C, [0.02, 0.9], "undecided"),
        (N, [0.0201, 0.9], "shortcuts"),
        (N, [0.02, 0.9], "undecided"),
        (C, [-0.02, 0.02], "no sign"),
        (C, [-0.0201, 0.02], "undecided"),
        (C, [-0.02, 0.0201], "undecided"),
        (C, [-0.9, -0.5], "undecided"),
        (E, None, "undecided"),
        (C, None, "undecided"),
        (LabelSet.of("NC"), [0.1, 0.2], "shortcuts"),
        (LabelSet.of("EN"), [0.1, 0.2], "shortcuts"),
        (LabelSet.of("EC"), [0.1, 0.2], "undecided"),
    ],
)
def test_verdicts_at_their_edges(label: LabelSet, ends: Ends, expected: Verdict) -> None:
    drop = Drop(ends, ends, [0.8, 0.9], [0.1, 0.2])
    assert judge(label, drop).verdict == expected
    assert judge(label, drop, control=True).verdict == "control"


def test_a_label_that_is_said_of_everything_is_not_praised() -> None:
    near = [-0.001, 0.001]
    assert judge(C, Drop(near, near, [0.97, 0.99], [0.96, 0.98])).reading == INDIFFERENT
    assert judge(C, Drop(near, near, [0.97, 0.99], None)).verdict == "undecided"
    assert judge(C, Drop(near, near, [0.5, 0.6], [0.1, 0.2])).verdict == "no sign"


def test_missing_answers_are_no_evidence() -> None:
    assert judge(C, Drop([0.3, 0.4], [-0.01, 0.01], [0.8, 0.9], [0.1, 0.2])).reading == SILENT
    assert judge(E, Drop([0.3, 0.4], [-0.01, 0.01])).reading == SILENT
    assert judge(C, Drop([0.3, 0.4], None)).reading == SILENT


def test_entailment_that_hardly_falls_is_said_to() -> None:
    assert judge(E, Drop([0.001, 0.01], [0.001, 0.01])).reading == HARDLY
    assert judge(E, Drop([-0.01, 0.01], [-0.01, 0.01])).reading == SYMMETRIC
    assert judge(E, Drop([-0.2, 0.4], [-0.2, 0.4])).reading == NOT_SHOWN


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=2).map(sorted))
def test_every_interval_has_one_verdict(ends: list[float]) -> None:
    for label in (E, N, C):
        verdict = judge(label, Drop(ends, ends, [0.8, 0.9], [0.1, 0.2])).verdict
        assert verdict in (("expected", "warning") if label == E else ("shortcuts", "no sign", "undecided"))


def test_which_labels_a_swap_keeps() -> None:
    kept = {text: keeps_label(LabelSet.of(text)) for text in ("E", "N", "C", "NC", "EN", "EC", "ENC")}
    assert kept == {"E": False, "N": True, "C": True, "NC": True, "EN": True, "EC": False, "ENC": False}


def test_unanswered_counts_as_wrong_and_decides_nothing(make_run: MakeRun) -> None:
    run = make_run({"x": cases_of([*"C" * 40, *"E" * 40])}, [Asked("m", answers("C" * 40 + "E" * 40, "-" * 80))])
    item = entry(run)
    assert row(item, "C")["swapped"] == 0
    assert row(item, "C")["unanswered"] == 40
    assert row(item, "C")["lost"] == {"": 40}
    assert {each["verdict"] for each in item["labels"]} == {"undecided"}


def test_a_constant_answer_is_a_control_and_never_praised(make_run: MakeRun) -> None:
    run = make_run({"x": cases_of(GOLDS)}, [Asked("m", dict.fromkeys(answers(BEFORE, AFTER), "C"))])
    assert {(each["verdict"], each["drop"]) for each in entry(run)["labels"]} == {("control", 0.0)}


def test_doubtful_neutrals_are_listed_and_left_out_of_a_second_row(make_run: MakeRun) -> None:
    cases = [case for number in range(12) for case in both(f"p{number}", "N", doubtful=number < 3)]
    run = make_run({"x": cases}, [Asked("m", answers("N" * 12, "EEE" + "N" * 9))])
    item = entry(run)
    assert [(each["doubtful"], each["n"], each["drop"]) for each in item["labels"]] == [(True, 12, 0.25), (False, 9, 0)]
    [corpus] = evaluation(run)["corpora"]
    assert (corpus["neutral"], corpus["doubtful"]) == (12, 3)
    assert [one["pair_id"] for one in corpus["doubtful_pairs"]] == ["p0", "p1", "p2"]
    assert corpus["doubtful_pairs"][0] == {
        "pair_id": "p0",
        "premise": "premise of p0",
        "hypothesis": "hypothesis",
        "answers": {"m": ["N", "E"]},
    }


def test_a_corpus_without_neutral_has_no_such_row(make_run: MakeRun) -> None:
    run = make_run(
        {"x": cases_of([*"E" * 6, *"C" * 6])},
        [Asked("m", answers("E" * 6 + "C" * 6, "N" * 6 + "C" * 6))],
        partitions={"x": "E|C"},
    )
    item = entry(run)
    assert [each["label"] for each in item["labels"]] == ["E", "C"]
    assert {each["chance"] for each in item["labels"]} == {0.5}


def test_two_labels_are_compared_as_two(make_run: MakeRun) -> None:
    cases = cases_of([*["E"] * 6, *["NC"] * 6])
    two = Asked("two", answers("E" * 12, "E" * 12) | {f"p{n}'": "NC" for n in range(6)}, partition="E|NC")
    three = Asked("m", answers("E" * 6 + "NCNCNC", "N" * 6 + "CNCNCN"))
    run = make_run({"x": cases}, [two, three], partitions={"x": "E|NC"})
    for name, kept in (("two", 0.0), ("m", 1.0)):
        item = entry(run, name)
        assert [(each["label"], each["swapped"]) for each in item["labels"]] == [("E", 0.0), ("NC", kept)]
        assert [each["label"] for each in item["consistency"]] == ["NC"]
    # N and C are one label here, so that moving between them is no change.
    assert entry(run)["consistency"][0]["same"]["rate"] == 1


def shares_of(names: Sequence[str], first: Shares, second: Shares) -> dict[str, Shares]:
    return {name: second if name.endswith("'") else first for name in names}


def test_divergence_of_probabilities(make_run: MakeRun) -> None:
    given = answers("C" * 6, "N" * 6)
    run = make_run(
        {"x": cases_of(["C"] * 6)},
        [Asked("m", given, shares=shares_of(list(given), (0.0, 0.1, 0.9), (0.0, 0.9, 0.1)))],
    )
    [one] = entry(run)["consistency"]
    expected = 0.8 * np.log2(9)
    assert one["mean"] == pytest.approx(expected, abs=1e-3)
    assert one["median"] == pytest.approx(expected, abs=1e-3)
    assert (one["scored"], one["same"]["rate"], one["above"]["rate"], one["missing"]) == (6, 0, 1, None)
    assert one["mean_ci95"] is not None
    assert one["mean_ci95"][0] < expected < one["mean_ci95"][1]


def test_a_two_way_system_has_the_divergence_of_its_two_labels(make_run: MakeRun) -> None:
    given = dict.fromkeys(answers("C" * 6, "C" * 6), "NC")
    run = make_run(
        {"x": cases_of(["C"] * 6)},
        [Asked("m", given, partition="E|NC", shares=shares_of(list(given), (0.1, None, None), (0.9, None, None)))],
    )
    [one] = entry(run)["consistency"]
    assert (one["label"], one["scored"]) == ("NC", 6)
    assert one["mean"] == pytest.approx(0.8 * np.log2(9), abs=1e-3)


def test_why_there_is_no_divergence(make_run: MakeRun) -> None:
    given = answers("C" * 6, "C" * 6)
    half = shares_of(list(given), (0.1, None, None), (0.9, None, None))
    run = make_run({"x": cases_of(["C"] * 6)}, [Asked("none", given), Asked("half", given, shares=half)])
    reasons = {name: entry(run, name)["consistency"][0]["missing"] for name in ("none", "half")}
    assert reasons == {"none": NO_SCORES, "half": NOT_ALL_LABELS}
    assert entry(run, "none")["consistency"][0]["same"]["rate"] == 1


def test_the_mean_divergence_is_near_a_bootstrap_over_groups(make_run: MakeRun) -> None:
    random = np.random.default_rng(11)
    cases = [case for number in range(200) for case in both(f"p{number}", "C", f"g{number // 4}")]
    given = answers("C" * 200, "C" * 200)
    shift = np.repeat(random.random(50), 4) * random.random(200)
    shares: dict[str, Shares] = {}
    for number, away in enumerate(shift):
        shares[f"p{number}"] = (0.05, 0.05, 0.9)
        shares[f"p{number}'"] = (0.05, 0.05 + 0.8 * float(away), 0.9 - 0.8 * float(away))
    run = make_run({"x": cases}, [Asked("m", given, shares=shares)], shard=400)
    [one] = entry(run)["consistency"]
    after = 0.05 + 0.8 * shift
    before = 0.9 - 0.8 * shift
    bits = ((after - 0.05) * np.log2(after / 0.05) + (0.9 - before) * np.log2(0.9 / before)) / 2
    means = bits.reshape(50, 4).mean(axis=1)[random.integers(0, 50, (20_000, 50))].mean(axis=1)
    assert one["mean"] == pytest.approx(bits.mean(), abs=1e-4)
    assert one["mean_ci95"] == pytest.approx(np.quantile(means, [0.025, 0.975]), abs=0.02)


def test_runs_without_swap_have_none(make_run: MakeRun) -> None:
    run = make_run({"x": [pair("p", "E")]}, [Asked("m", {"p": "E"})])
    assert summarise(run)["swap"] is None


def test_equal_texts_are_counted(make_run: MakeRun) -> None:
    skipped = [SkippedPairs("x", "swap", "premise and hypothesis are the same", 2)]
    run = make_run({"x": cases_of(["C"] * 6)}, [Asked("m", answers("C" * 6, "C" * 6))], skipped=skipped)
    [corpus] = evaluation(run)["corpora"]
    assert corpus["left_out"] == {"premise and hypothesis are the same": 2}
    assert (corpus["pairs"], corpus["swapped"], corpus["tables"]) == (6, 6, 0)
