"""Transitions by hand, and against a slow count of random runs."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.analysis.runs import Asked, MakeRun, derived, pair

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.transitions import prohibited_percent, transition_averages, transitions
from nliprobe.stats.intervals import Interval, mean_interval
from nliprobe.task.case import Case, Certainty
from nliprobe.task.labels import LabelSet
from nliprobe.task.relations import Relation

A, B, C = pair("a", group="t1"), pair("b", group="t2"), pair("c", group="t2")
CASES = [A, *(derived(f"a{k}", A) for k in range(4)), B, *(derived(f"b{k}", B) for k in range(3)), C, derived("c0", C)]
ANSWERS = {
    **dict(zip(["a", "a0", "a1", "a2", "a3"], "EENCC", strict=True)),
    **dict(zip(["b", "b0", "b1"], "NNE", strict=True)),
    "b2": None,
    "c": None,
    "c0": "C",
}


def test_transitions_by_hand(make_run: MakeRun) -> None:
    (entry,) = transitions(read_run(make_run({"x/dev": CASES}, [Asked("m", ANSWERS)])))
    assert (entry["system"], entry["corpus"], entry["probe"]) == ("m", "x/dev", "rows.delete")
    assert entry["labels"] == ["E", "N", "C"]
    assert (entry["n"], entry["pairs"], entry["groups"], entry["unanswered"]) == (6, 2, 2, 2)
    assert entry["relations"] == {"E>EN N>N C>NC": 6}
    assert entry["counts"] == {
        "E": {"E": 1, "N": 1, "C": 2},
        "N": {"E": 1, "N": 1, "C": 0},
        "C": {"E": 0, "N": 0, "C": 0},
    }
    assert entry["row_percent"]["E"] == {"E": 25.0, "N": 25.0, "C": 50.0}
    assert entry["row_percent"]["C"] == {"E": None, "N": None, "C": None}
    assert entry["prohibited_counts"]["E"] == {"E": 0, "N": 0, "C": 2}
    assert entry["prohibited_counts"]["N"] == {"E": 1, "N": 0, "C": 0}
    # All transitions from E are of one table: no interval.
    assert entry["prohibited"]["E"] == {"n": 4, "count": 2, "rate": 0.5, "ci95": None}
    assert entry["prohibited"]["C"] == {"n": 0, "count": 0, "rate": None, "ci95": None}
    overall = entry["prohibited_overall"]
    assert (overall["n"], overall["count"], overall["rate"]) == (6, 3, 0.5)
    assert overall["ci95"] is None, "two tables do not tell how far tables differ"
    assert entry["changed"]["rate"] == pytest.approx(4 / 6)


def test_labels_from_which_everything_is_allowed_have_no_rate(make_run: MakeRun) -> None:
    inserted = [derived(f"{base.id}i", base, "rows.insert", "E>E N>ENC C>C") for base in (A, B, C)]
    answers = {"a": "N", "ai": "E", "b": "E", "bi": "E", "c": "E", "ci": "E"}
    (entry,) = transitions(read_run(make_run({"x/dev": [A, B, C, *inserted]}, [Asked("m", answers)])))
    assert entry["prohibited"]["N"] == {"n": 1, "count": 0, "rate": None, "ci95": None}
    # Two pairs of one table: one group, no interval.
    assert entry["prohibited"]["E"] == {"n": 2, "count": 0, "rate": 0.0, "ci95": None}
    assert entry["prohibited_overall"]["ci95"] is None


def test_two_way_answers_break_only_what_no_reading_allows(make_run: MakeRun) -> None:
    answers = {"a": "NC", "a0": "NC", "a1": "E", "a2": "NC", "a3": "E", "b": "E", "b0": "NC", "b1": "E", "b2": "E"}
    cases = CASES[:9]
    (entry,) = transitions(read_run(make_run({"x/dev": cases}, [Asked("m", answers, "E|NC")])))
    assert entry["labels"] == ["E", "NC"]
    assert entry["counts"] == {"E": {"E": 2, "NC": 1}, "NC": {"E": 2, "NC": 2}}
    assert entry["prohibited_counts"] == {"E": {"E": 0, "NC": 0}, "NC": {"E": 2, "NC": 0}}


def test_blocks_outside_the_declared_partition_get_their_own_row(make_run: MakeRun) -> None:
    (entry,) = transitions(read_run(make_run({"x/dev": CASES[:5]}, [Asked("m", {**ANSWERS, "a0": "NC"})])))
    assert entry["labels"] == ["E", "N", "C", "NC"]
    assert entry["counts"]["E"] == {"E": 0, "N": 1, "C": 2, "NC": 1}
    assert entry["prohibited_counts"]["E"]["NC"] == 0


def test_uncertain_cases_and_cases_of_two_bases_are_left_out(make_run: MakeRun) -> None:
    cases = [
        A,
        B,
        derived("a1", A),
        derived("a2", A, certainty=Certainty.LIKELY),
        derived("ab", A, bases=("a", "b")),
        derived("free", A, relation=None),
    ]
    data = read_run(make_run({"x/dev": cases}, [Asked("m", dict.fromkeys([case.id for case in cases], "E"))]))
    (entry,) = transitions(data)
    assert (entry["n"], entry["uncertain"]) == (1, 1)
    (everything,) = transitions(data, certainty=list(Certainty))
    assert (everything["n"], everything["uncertain"]) == (2, 0)


def test_transitions_without_any_answer_are_empty_but_there(make_run: MakeRun) -> None:
    (entry,) = transitions(read_run(make_run({"x/dev": CASES}, [Asked("m", dict.fromkeys(ANSWERS))])))
    assert (entry["n"], entry["unanswered"], entry["changed"]["rate"]) == (0, 8, None)


def test_systems_that_were_not_asked_have_no_transitions(make_run: MakeRun) -> None:
    assert transitions(read_run(make_run({"x/dev": CASES}, [Asked("m", {"a": "E"})]))) == []


def test_averages_count_every_corpus_the_same(make_run: MakeRun) -> None:
    def corpus(name: str, after: str) -> tuple[list[Case], dict[str, str]]:
        bases = [pair(f"{name}{number}") for number in range(len(after))]
        edited = [derived(f"{base.id}x", base) for base in bases]
        answers = dict.fromkeys([base.id for base in bases], "E")
        return [*bases, *edited], {**answers, **{case.id: label for case, label in zip(edited, after, strict=True)}}

    first, first_answers = corpus("x", "CCEE")
    second, second_answers = corpus("y", "CEEEEEEE")
    run = make_run({"x/dev": first, "y/dev": second}, [Asked("m", {**first_answers, **second_answers})])
    entries = transitions(read_run(run))
    (average,) = transition_averages(entries)
    assert (average["system"], average["probe"], average["corpora"]) == ("m", "rows.delete", ["x/dev", "y/dev"])
    assert average["prohibited"]["E"]["rate"] == pytest.approx((2 / 4 + 1 / 8) / 2)
    assert average["prohibited"]["N"] == {"corpora": 0, "rate": None, "ci95": None}
    ends = [Interval(*(entry["prohibited"]["E"]["ci95"] or ())) for entry in entries]
    assert average["prohibited"]["E"]["ci95"] == list(mean_interval([0.5, 0.125], list(ends)) or ())


labels = st.none() | st.sampled_from(["E", "N", "C", "NC"])
rules = st.sampled_from(["E>EN N>N C>NC", "E>E N>ENC C>C", "E>EC N>NC C>C", "E>N N>N C>N"])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(labels, st.lists(st.tuples(rules, labels), max_size=4)), min_size=1, max_size=12))
def test_counts_equal_a_slow_count(
    make_run: MakeRun, drawn: list[tuple[str | None, list[tuple[str, str | None]]]]
) -> None:
    cases, answers = [], {}
    counts: Counter[tuple[str, str]] = Counter()
    prohibited: Counter[tuple[str, str]] = Counter()
    silent = 0
    for number, (before, edits) in enumerate(drawn):
        base = pair(f"p{number}", group=f"t{number // 2}")
        cases.append(base)
        answers[base.id] = before
        for place, (rule, after) in enumerate(edits):
            case = derived(f"p{number}-{place}", base, relation=rule)
            cases.append(case)
            answers[case.id] = after
            if before is None or after is None:
                silent += 1
                continue
            counts[before, after] += 1
            prohibited[before, after] += not Relation.parse(rule)(LabelSet.of(before)) & LabelSet.of(after)
    entries = transitions(read_run(make_run({"x/dev": cases}, [Asked("m", answers)], shard=5)))
    assert len(entries) == (1 if any(edits for _, edits in drawn) else 0)
    for entry in entries:
        assert entry["unanswered"] == silent
        for old in entry["labels"]:
            assert entry["counts"][old] == {new: counts[old, new] for new in entry["labels"]}
            assert entry["prohibited_counts"][old] == {new: prohibited[old, new] for new in entry["labels"]}
            assert entry["prohibited"][old]["count"] == sum(prohibited[old, new] for new in entry["labels"])
        assert entry["prohibited_overall"]["count"] == prohibited.total()
        assert entry["changed"]["count"] == sum(n for (old, new), n in counts.items() if old != new)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.sampled_from("ENC"), st.sampled_from("ENC")), min_size=1, max_size=30),
    st.lists(st.sampled_from(["E", "N", "C", "EN", "EC", "NC"]), min_size=3, max_size=3),
)
def test_what_is_prohibited_of_shares_is_the_rate_of_the_moves(
    make_run: MakeRun, moves: list[tuple[str, str]], allowed: list[str]
) -> None:
    relation = Relation.of(dict(zip("ENC", allowed, strict=True)))
    bases = [pair(f"p{number}", group=f"t{number}") for number in range(len(moves))]
    cases = [case for base in bases for case in (base, derived(f"{base.id}x", base, "rows.x", str(relation)))]
    answers: dict[str, str | None] = {}
    for base, (before, after) in zip(bases, moves, strict=True):
        answers |= {base.id: before, f"{base.id}x": after}
    (entry,) = transitions(read_run(make_run({"x/dev": cases}, [Asked("m", answers)])))
    for label, percent in prohibited_percent(entry["row_percent"], relation).items():
        rate = entry["prohibited"][label]["rate"]
        assert percent == (None if rate is None else pytest.approx(100 * rate))
        for new, ends in entry["row_percent_ci95"][label].items():
            share = entry["row_percent"][label][new]
            assert (ends is None) == (share is None)
            assert ends is None or share is None or ends[0] - 1e-9 <= share <= ends[1] + 1e-9
