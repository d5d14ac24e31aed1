"""The quality of raters by hand: agreement with and without their own vote, attention, time, marks, flags."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.people.marked import BAD, crowd

from nliprobe.base.errors import DataError, UsageError
from nliprobe.people.counted import counted, ids_of, marked_pairs
from nliprobe.people.marks import marks_agreement
from nliprobe.people.quality.constant import Constant
from nliprobe.people.quality.flags import FlagKind, QualityRule
from nliprobe.people.quality.raters import Quality, RaterReport, Times, quality_of
from nliprobe.people.quality.templates import judged_templates
from nliprobe.people.records import Item, Json, Judgement, JudgementState
from nliprobe.people.tasks import TASKS
from nliprobe.people.tasks.labels import LabelTask
from nliprobe.stats.agreement import Share

VERIFY, EVIDENCE = TASKS.get("verify")({}), TASKS.get("evidence")({})


def item(name: str, **options: str) -> Item:
    expected = {"label": options["expected"]} if "expected" in options else None
    hidden: dict[str, Json] = {"gold": options["gold"]} if "gold" in options else {}
    return Item(name, {"premise": "p", "hypothesis": name}, hidden, expected=expected)


def said(rater: str, labels: str, *, seconds: float | None = None) -> list[Judgement]:
    """Return what a rater says about the items q0, q1 …; a space is no judgement."""
    return [
        Judgement(f"q{place}", rater, {"label": label}, float(place), seconds)
        for place, label in enumerate(labels)
        if label != " "
    ]


def report(quality: Quality, rater: str) -> RaterReport:
    return next(one for one in quality.raters if one.rater == rater)


ITEMS = [item(f"q{place}", gold=gold) for place, gold in enumerate("ENCEN")]
SAID = [*said("ann", "ENCEN"), *said("ben", "ENCEC"), *said("cat", "CCCNN"), *said("dan", "EN  ")]


def test_agreement_by_hand() -> None:
    quality = quality_of(VERIFY, ITEMS, SAID)
    # Majorities (more than half): q0 E (3 of 4), q1 N (3 of 4), q2 C (3 of 3), q3 E (2 of 3), q4 N (2 of 3).
    ann, ben, cat, dan = (report(quality, name) for name in ("ann", "ben", "cat", "dan"))
    assert [one.majority for one in (ann, ben, cat, dan)] == [Share(5, 5), Share(4, 5), Share(2, 5), Share(2, 2)]
    # Without her own vote Ann's others are tied on q3 (E, N) and q4 (C, N), and say E, N, C on the rest.
    assert ann.others == Share(3, 3)
    # Ben's others are tied on q3, and say E, N, C, N on the rest.
    assert ben.others == Share(3, 4)
    # Cat's others say E, N, C, E, and are tied on q4.
    assert cat.others == Share(1, 4)
    assert [one.gold for one in (ann, ben, cat)] == [Share(5, 5), Share(4, 5), Share(2, 5)]
    assert cat.said == {"E": 0, "N": 2, "C": 3}
    assert quality.raters[0].rater in ("ann", "dan")
    assert quality.worst == cat
    assert quality.constants is not None
    # Gold is E, N, C, E, N: the first of the two commonest.
    assert quality.constants[:3] == (Constant("E", Share(2, 5)), Constant("E", Share(2, 5)), None)
    assert quality.estimate is not None
    assert quality.constants.accuracy[1] == pytest.approx(quality.estimate.labels.mean(axis=0).max())
    assert quality.chance == pytest.approx(1 / 3)
    assert {one.rater: [flag.kind for flag in one.flags] for one in quality.raters} == {
        "ann": [FlagKind.FEW], "ben": [FlagKind.FEW], "cat": [FlagKind.FEW, FlagKind.DISAGREES], "dan": [FlagKind.FEW],
    }  # fmt: skip


def test_the_numbers_are_those_of_the_agreement_document() -> None:
    quality = quality_of(VERIFY, ITEMS, SAID)
    assert quality.agreement is not None
    for row in quality.agreement["by_rater"]:
        own = report(quality, row["rater"])
        assert (own.judgements, own.majority) == (row["ratings"], Share(row["majority"]["right"], row["majority"]["n"]))
        assert own.gold == Share(row["gold"]["right"], row["gold"]["n"])
    assert quality.agreement["accuracy"]["right"] == 5


def test_what_was_revised_or_made_void_does_not_count() -> None:
    old = [replace(judgement, state=JudgementState.REVISED) for judgement in said("ann", "CCCCC")]
    void = [replace(judgement, state=JudgementState.VOID) for judgement in said("eve", "CCCCC")]
    assert quality_of(VERIFY, ITEMS, [*old, *void, *SAID]).raters == quality_of(VERIFY, ITEMS, SAID).raters
    assert len(counted(ITEMS, [*SAID, *old, *void])) == len(SAID)
    with pytest.raises(DataError, match="'ann' has two judgements of 'q0' that count"):
        counted(ITEMS, [*SAID, *said("ann", "C")])
    with pytest.raises(DataError, match="'ann' judged 'q9', which is no item here"):
        counted(ITEMS, [Judgement("q9", "ann", {"label": "E"}, 0.0)])
    with pytest.raises(DataError, match="Two items are named 'q0'"):
        counted([ITEMS[0], ITEMS[0]], [])


def test_the_order_of_a_store_does_not_matter() -> None:
    assert quality_of(VERIFY, ITEMS, SAID[::-1]).raters == quality_of(VERIFY, ITEMS, SAID).raters


def test_attention_items_count_apart() -> None:
    checks = [item("q5", expected="E"), item("q6", expected="C")]
    judgements = [*SAID, *said("ann", "     EC")[-2:], *said("cat", "     NC")[-2:]]
    quality = quality_of(VERIFY, [*ITEMS, *checks], judgements)
    assert report(quality, "ann").attention == Share(2, 2)
    assert report(quality, "cat").attention == Share(1, 2)
    assert report(quality, "ben").attention == Share(0, 0)
    assert report(quality, "ann").judgements == 5
    assert quality.agreement is not None
    assert quality.agreement["items"] == 5
    reasons = {flag.kind: flag.reason for flag in report(quality, "cat").flags}
    assert reasons[FlagKind.ATTENTION] == "1 of 2 attention items right"
    assert quality.constants is not None
    assert quality.constants.attention == Constant("C", Share(1, 2))


def test_the_best_constant_need_not_be_the_same_for_all_measures() -> None:
    items = [*(item(f"q{place}", gold="C") for place in range(4)), item("q4", gold="E"), item("q5")]
    checks = [item(f"q{place}", expected="N") for place in (6, 7)]
    quality = quality_of(VERIFY, [*items, *checks], [*said("ann", "EEECECNN"), *said("ben", "EEECEC E")])
    assert quality.constants is not None
    majority, gold, attention, (estimated, value) = quality.constants
    assert majority == Constant("E", Share(4, 6))
    assert gold == Constant("C", Share(4, 5))
    assert attention == Constant("N", Share(2, 2))
    assert estimated == "E"
    assert 0.5 < value < 0.8


def test_what_nobody_knows_has_no_constant() -> None:
    quality = quality_of(VERIFY, [item("q0"), item("q1")], [*said("ann", "EN"), *said("ben", "CE")])
    assert quality.constants is not None
    assert (quality.constants.gold, quality.constants.attention) == (None, None)
    # Two raters who never agree have no majority to agree with.
    assert quality.constants.majority.rate.value is None


def long(pattern: str) -> str:
    return pattern * 10


def test_flags_say_why() -> None:
    many = [item(f"q{place}") for place in range(30)]
    judgements = [
        *said("ann", long("ENC"), seconds=12.0),
        *said("ben", long("ENC"), seconds=10.0),
        *said("cat", long("ENC"), seconds=2.0),
        *said("dan", long("EEE"), seconds=11.0),
        *said("eve", long("NCE")),
    ]
    quality = quality_of(VERIFY, many, judgements)
    reasons = {one.rater: {flag.kind: flag.reason for flag in one.flags} for one in quality.raters}
    assert reasons["ann"] == reasons["ben"] == {}
    assert reasons["cat"] == {FlagKind.FAST: "takes 2.0 s per item, the median rater 10.5 s"}
    assert reasons["dan"][FlagKind.ONE_ANSWER] == "says E in 100 % of the judgements, the majority in 33 %"
    assert set(reasons["eve"]) == {FlagKind.DISAGREES, FlagKind.WORSE_THAN_GUESSING}
    assert reasons["eve"][FlagKind.DISAGREES].startswith("agrees with the others by 0 % (95 % interval up to 11 %)")
    assert report(quality, "ann").seconds == Times(30, 12.0, 12.0, 12.0)
    assert report(quality, "eve").seconds is None
    assert quality.raters[-1].rater == "eve"
    few = quality_of(VERIFY, many, judgements, QualityRule(few=31))
    assert all(one.flags[0].kind is FlagKind.FEW for one in few.raters)


def test_one_answer_is_no_flag_where_the_majority_gives_it_too() -> None:
    many = [item(f"q{place}") for place in range(30)]
    quality = quality_of(VERIFY, many, [*said("ann", "E" * 30), *said("ben", "E" * 30), *said("cat", "E" * 30)])
    assert all(one.flags == () for one in quality.raters)


def test_two_blocks_are_told_apart_in_their_partition() -> None:
    task = TASKS.get("verify")({"partition": "E|NC"})
    judgements = [
        Judgement("q0", rater, {"label": label}, 0.0) for rater, label in (("ann", "NC"), ("ben", "NC"), ("cat", "E"))
    ]
    quality = quality_of(task, [item("q0", gold="C")], judgements)
    assert report(quality, "ann").gold == Share(1, 1)
    assert quality.agreement is not None
    assert quality.agreement["partition"] == "E|NC"
    assert quality.chance == 0.5


def marking(seed: int) -> tuple[list[Item], list[Judgement]]:
    """Return a project of the task *evidence* with the simulated crowd of marks."""
    pairs, _ = crowd(seed)
    items, judgements = [], []
    for number, pair in enumerate(pairs):
        rows: list[Json] = [[key, ["v"]] for key in pair.keys]
        content: dict[str, Json] = {"premise": {"title": "t", "rows": rows}, "hypothesis": pair.hypothesis}
        items.append(Item(f"q{number}", content, {"pair_id": f"x/{number}", "table": pair.table}))
        EVIDENCE.check_item(items[-1])
        for mark in pair.marks:
            units: list[Json] = [place for place, bit in enumerate(mark.bits[:-1]) if bit == "1"]
            answer = EVIDENCE.checked(items[-1], {"units": units, "outside": mark.bits[-1] == "1"})
            judgements.append(Judgement(f"q{number}", mark.rater, answer, 0.0))
    return items, judgements


@pytest.mark.parametrize("seed", range(3))
def test_marks_are_measured_as_the_agreement_of_marks_does(seed: int) -> None:
    items, judgements = marking(seed)
    quality = quality_of(EVIDENCE, items, judgements)
    expected = {one.rater: one for one in marks_agreement(marked_pairs(items, judgements)).raters}
    pairs, _ = crowd(seed)
    original = {one.rater: one for one in marks_agreement(pairs).raters}
    for one in quality.raters:
        assert one.marks == expected[one.rater]
        assert one.marks.all == original[one.rater].all
        assert one.marks.others == original[one.rater].others
    # Those who mark everything or nothing are right about many rows, and rank last all the same.
    assert {one.rater for one in quality.raters[-len(BAD) :]} == set(BAD)
    assert quality.marks is not None
    assert quality.agreement is None
    flags = {one.rater: {flag.kind for flag in one.flags} for one in quality.raters}
    assert FlagKind.NOTHING in flags["none"]
    assert all(FlagKind.DISAGREES in flags[rater] for rater in BAD if rater != "none")
    assert not any(FlagKind.DISAGREES in flags[rater] for rater in flags if rater not in BAD)


def test_written_texts_have_no_votes_and_no_rank() -> None:
    task = TASKS.get("write")({})
    texts: dict[str, Json] = {"true": "a", "false": "b", "undecided": "c"}
    asked = Item("q0", {"premise": "p"})
    quality = quality_of(task, [asked], [Judgement("q0", "ann", texts, 0.0, 60.0), Judgement("q0", "ben", texts, 1.0)])
    assert [one.rater for one in quality.raters] == ["ann", "ben"]
    assert (quality.worst, quality.constants, quality.chance, quality.estimate) == (None, None, None, None)
    assert quality.raters[0].seconds == Times(1, 60.0, 60.0, 60.0)


def test_bids_without_a_favourite_are_no_votes() -> None:
    task = TASKS.get("bid")({})
    asked = Item("q0", {"template": "t"}, {"truth": "2"})
    bids = {"ann": [0, 5, 0, 0, 0], "ben": [0, 3, 2, 0, 0], "cat": [0, 2, 2, 1, 0]}
    judgements = [Judgement("q0", rater, {"points": list(points)}, 0.0) for rater, points in bids.items()]
    quality = quality_of(task, [asked], judgements)
    assert {one.rater: one.gold for one in quality.raters} == {
        "ann": Share(1, 1), "ben": Share(1, 1), "cat": Share(0, 0),
    }  # fmt: skip
    assert quality.chance == 0.2


def test_verdicts_are_votes() -> None:
    task = TASKS.get("settle")({})
    asked = Item("q0", {"premise": "p", "hypothesis": "h", "original": "o"})
    answers = [("ann", "fix", "E"), ("ben", "fix", "E"), ("cat", "reject", "")]
    judgements = [Judgement("q0", who, {"verdict": verdict, "label": label}, 0.0) for who, verdict, label in answers]
    quality = quality_of(task, [asked], judgements)
    assert report(quality, "cat").majority == Share(0, 1)
    assert report(quality, "cat").said == {"E": 0, "N": 0, "C": 0, "reject": 1}
    # What guessing gets does not depend on what was said so far: with one verdict alone it would be right always.
    for said in (judgements, judgements[:2]):
        assert quality_of(task, [asked], said).chance == 0.25


def test_without_judgements_there_is_nobody() -> None:
    for name in TASKS.names():
        quality = quality_of(TASKS.get(name)({}), [], [])
        assert (quality.raters, quality.worst, quality.agreement) == ((), None, None)


def test_items_of_one_pair_get_ids_of_their_own() -> None:
    twice = [Item("a", {}, {"pair_id": "x/1"}), Item("b", {}, {"pair_id": "x/1"}), Item("c", {}, {"pair_id": "x/2"})]
    assert ids_of([*twice, Item("d", {})]) == {"a": "x/1#a", "b": "x/1#b", "c": "x/2", "d": "d"}


def test_templates_are_judged_as_sheets_judge_them() -> None:
    task = TASKS.get("judge")({})
    assert isinstance(task, LabelTask)
    items = [
        Item(f"q{place}", {"premise": "p", "hypothesis": f"h{place}"}, {"group": group, "gold": "E"})
        for place, group in enumerate(("good", "good", "bad", "bad"))
    ]
    judgements = [
        Judgement(f"q{place}", rater, {"label": label, "odd": False}, 0.0)
        for rater, labels in (("ann", "EEEE"), ("ben", "EECN"))
        for place, label in enumerate(labels)
    ]
    document = judged_templates(task, items, judgements)
    assert {one["template"]: one["flags"] for one in document["templates"]} == {
        "good": [],
        "bad": ["people do not give its label", "people do not agree"],
    }
    assert document["agree_with_gold"] == 6 / 8
    two = TASKS.get("judge")({"partition": "E|NC"})
    assert isinstance(two, LabelTask)
    with pytest.raises(UsageError, match=r"in E\|N\|C"):
        judged_templates(two, items, [])
