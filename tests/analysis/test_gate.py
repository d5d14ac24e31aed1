"""Gates: twelve constructed situations with their exact outcome, contracts, and the documents' schema."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analysis.gates import DELETED, PAIRS, SITUATIONS, a_run, situation, wrong
from tests.analysis.runs import Asked, MakeRun, derived, pair
from tests.analysis.schemas import validate

from nliprobe.analysis.compare import documents
from nliprobe.analysis.compare.comparison import compare
from nliprobe.analysis.compare.contract import Contract, ContractCheck, contract_text, read_contract
from nliprobe.analysis.compare.documents import GateCheck, GateDocument
from nliprobe.analysis.compare.gate import gate, write_contract
from nliprobe.analysis.integrity import WHOLE
from nliprobe.analysis.summary import summarise
from nliprobe.base.errors import DataError, StoreError, UsageError
from nliprobe.report.comparison import in_words
from nliprobe.report.junit import junit
from nliprobe.store.record import Counts, SystemStatus

HEAD = "contract: 1\nchecks:\n"
LINE = "  - {corpus: x/dev, probe: gold, metric: accuracy, at_least: 0.5}\n"


@pytest.mark.parametrize("name", SITUATIONS)
def test_gate_decides_every_situation(tmp_path: Path, name: str) -> None:
    built = situation(name, tmp_path)
    if built.code == 1:
        with pytest.raises(StoreError, match="is damaged"):
            gate(built.after, baseline=built.before)
        return
    if built.contract:
        (tmp_path / "contract.yaml").write_text(built.contract)
        document = gate(built.after, contract=read_contract(tmp_path / "contract.yaml"))
    else:
        document = gate(built.after, baseline=built.before)
    validate("gate", document)
    found = [(check["metric"], check["probe"], check["kind"], check["passed"]) for check in document["checks"]]
    assert found == built.checks
    assert document["passed"] == (built.code == 0)
    assert document["notes"] == list(built.notes)


def test_another_seed_is_compared_on_common_cases(tmp_path: Path) -> None:
    built = situation("other seed", tmp_path)
    kept = gate(built.after, baseline=built.before)["checks"][1]
    assert "on 80 cases" in kept["reason"]
    assert "40 cases of the baseline are not in this run" in kept["reason"]


def test_a_suite_with_nothing_in_common_fails(tmp_path: Path) -> None:
    before = a_run(tmp_path, PAIRS, wrong(PAIRS, range(0)))
    others = [pair(f"q{number}", "E") for number in range(5)]
    document = gate(a_run(tmp_path, others, wrong(others, range(0)), seed=3), baseline=before)
    validate("gate", document)
    [check] = document["checks"]
    assert (check["kind"], check["passed"], document["passed"]) == ("suite", False, False)
    assert "no case in common. The seeds differ" in check["reason"]


def test_a_margin_forgives_a_small_loss(tmp_path: Path) -> None:
    built = situation("worse", tmp_path)  # 25 points below, interval about -33 to -17
    assert not gate(built.after, baseline=built.before, margin=0.1)["passed"]
    forgiven = gate(built.after, baseline=built.before, margin=0.2)
    assert forgiven["passed"]
    assert forgiven["checks"][0]["limit"] == -0.2
    with pytest.raises(UsageError, match="margin is a fraction"):
        gate(built.after, baseline=built.before, margin=5)


@pytest.mark.parametrize("size", [1, 20])
@pytest.mark.parametrize("lost", [4, 6, 30])
def test_one_rule_decides_in_compare_gate_and_words(tmp_path: Path, size: int, lost: int) -> None:
    cases = [pair(f"p{number:03}", "E", group=f"t{number // size}") for number in range(120)]
    before, after = (a_run(tmp_path, cases, wrong(cases, range(some))) for some in (0, lost))
    [entry] = compare(before, after)["comparisons"]
    [check] = gate(after, baseline=before)["checks"]
    # Cases of their own lose by McNemar's test from six on; those of two of six tables never do.
    significant = size == 1 and lost >= 6
    assert entry["p"] == (2.0 ** (1 - lost) if size == 1 else 2.0 ** (1 - -(-lost // size)))
    assert (in_words(entry) == "worse") == significant
    assert (not check["passed"]) == significant
    assert check["reason"].startswith("worse: " if significant else "not surely worse: ")


def test_a_margin_is_read_from_intervals_that_hold_together(make_run: MakeRun) -> None:
    # Ten corpora, each 10 points worse: alone the interval of each lies below -2 points, together it does not.
    corpora = {f"c{place}": [pair(f"c{place}-{n:03}", "E") for n in range(100)] for place in range(10)}
    said = {case.id: "E" for cases in corpora.values() for case in cases}
    worse = {name: "N" if int(name[-3:]) < 10 else label for name, label in said.items()}
    before, after = (make_run(corpora, [Asked("m", answers)], shard=1000) for answers in (said, worse))
    entries = compare(before, after)["comparisons"]
    assert all((entry["ci95"] or [0, 0])[1] < -0.02 < (entry["ci95_family"] or [0, 0])[1] for entry in entries)
    assert not gate(after, baseline=before)["passed"]
    assert gate(after, baseline=before, margin=0.02)["passed"]


def test_a_system_that_falls_silent_does_not_pass(tmp_path: Path) -> None:
    cases = [*PAIRS, *DELETED]
    before = a_run(tmp_path, cases, wrong(cases, range(0)))
    silent = {**wrong(PAIRS, range(0)), **dict.fromkeys([case.id for case in DELETED], None)}
    document = gate(a_run(tmp_path, cases, silent), baseline=before)
    assert [(check["kind"], check["passed"]) for check in document["checks"]] == [
        ("not_worse", True),
        ("missing", False),
    ]
    assert "did not answer 120 cases" in document["checks"][1]["reason"]


def test_a_run_without_any_expectation_does_not_pass(make_run: MakeRun) -> None:
    run = make_run({"x": [pair("a")]}, [Asked("m", {"a": "E"})])
    assert not gate(run, baseline=run)["passed"]


@pytest.mark.parametrize("what", ["status", "answers", "cases"])
def test_half_a_run_is_an_error(tmp_path: Path, what: str) -> None:
    built = situation("equal", tmp_path)
    run = built.after
    if what == "status":
        run.systems = tuple(replace(item, status=SystemStatus.RUNNING) for item in run.systems)
    elif what == "answers":
        run.shard("predictions/folder-0", 1).unlink()
    else:
        run.record = replace(run.record, counts=Counts(10_000, 10_000, 1))
    with pytest.raises(StoreError, match="not complete" if what == "status" else "is damaged"):
        gate(run, baseline=built.before)


def test_the_baseline_system_is_the_one_of_the_same_name(make_run: MakeRun) -> None:
    cases = {"x": [pair("a", "E"), pair("b", "E")]}
    right, bad = {"a": "E", "b": "E"}, {"a": "N", "b": "N"}
    before = make_run(cases, [Asked("old", right), Asked("m", bad)])
    after = make_run(cases, [Asked("m", right)])
    document = gate(after, baseline=before)
    assert document["baseline"] is not None
    assert document["baseline"]["system"] == "m"
    assert document["checks"][0]["value"] == 1.0
    assert gate(after, baseline=before, baseline_system="old")["checks"][0]["value"] == 0.0
    with pytest.raises(UsageError, match="baseline_system="):
        gate(make_run(cases, [Asked("other", right)]), baseline=before)
    with pytest.raises(UsageError, match="nothing to compare the run with"):
        gate(after)


def test_a_written_contract_is_kept_by_its_own_run(make_run: MakeRun) -> None:
    cases = [*PAIRS, *DELETED]
    silent = {case.id: None if number % 9 == 0 else "E" for number, case in enumerate(cases)}
    control = Asked("control", dict.fromkeys([case.id for case in cases], "N"), premise="none")
    run = make_run({"x/dev": cases}, [Asked("m", silent), control], shard=100)
    for slack in (0.0, 0.01):
        contract = write_contract(run, system="m", slack=slack)
        kept = gate(run, contract=contract)
        assert kept["passed"], [check for check in kept["checks"] if not check["passed"]]
        for check in kept["checks"]:
            assert check["bound"] is not None
            assert check["limit"] is not None
            assert abs(check["bound"] - check["limit"]) < slack + 0.00101
    assert {check.metric for check in contract.checks} == {"accuracy", "macro_f1", "gain", "prohibited", "unanswered"}
    assert contract.system == "m"


def test_a_written_contract_is_broken_by_a_worse_run(tmp_path: Path) -> None:
    built = situation("worse", tmp_path)
    contract = write_contract(built.before)
    document = gate(built.after, contract=contract)
    validate("gate", document)
    failed = [(check["metric"], check["probe"]) for check in document["checks"] if not check["passed"]]
    assert failed[:2] == [("accuracy", "gold"), ("macro_f1", "gold")]
    both = gate(built.after, contract=contract, baseline=built.before)
    assert len(both["checks"]) == len(document["checks"]) + 2


def check_of(document: GateDocument, metric: str) -> GateCheck:
    [found] = [item for item in document["checks"] if item["metric"] == metric]
    return found


def test_the_unfavourable_bound_decides_unless_the_estimate_is_asked_for(tmp_path: Path) -> None:
    run = situation("equal", tmp_path).before  # 75 % right, 75 % of the relations kept
    limits = [
        ContractCheck("x/dev", "gold", "accuracy", "at_least", 0.75),
        ContractCheck("x/dev", "rows.delete", "prohibited", "at_most", 0.25),
        ContractCheck("x/dev", "rows.delete", "changed", "at_most", 1.0),
    ]
    strict = gate(run, contract=Contract(tuple(limits)))
    shown = summarise(run)
    accuracy, prohibited = check_of(strict, "accuracy"), check_of(strict, "prohibited")
    assert accuracy["ci95"] == shown["scores"][0]["ci95_clustered"]
    assert prohibited["value"] == shown["transitions"][0]["prohibited_overall"]["rate"]
    # The third check passes first; then two are left, whose bounds hold together.
    assert accuracy["level"] == prohibited["level"] == 0.975
    assert (accuracy["bound"] or 0) < (accuracy["ci95"] or [])[0]
    assert (prohibited["bound"] or 0) > (prohibited["ci95"] or [])[1]
    alone = gate(run, contract=Contract(tuple(limits), correction="none"))
    assert check_of(alone, "accuracy")["bound"] == (accuracy["ci95"] or [])[0]
    assert check_of(alone, "prohibited")["bound"] == (prohibited["ci95"] or [])[1]
    assert [item["passed"] for item in strict["checks"]] == [False, False, True]
    by_number = [replace(item, on="estimate") for item in limits]
    lax = gate(run, contract=Contract(tuple(by_number)))
    assert check_of(lax, "accuracy")["bound"] == 0.75
    assert check_of(lax, "accuracy")["passed"]


def test_without_an_interval_the_bound_cannot_be_met(make_run: MakeRun) -> None:
    a = pair("a", "E", group="t")
    run = make_run({"x": [a, derived("a1", a), derived("a2", a)]}, [Asked("m", {"a": "E", "a1": "E", "a2": "E"})])
    limit = ContractCheck("x", "rows.delete", "prohibited", "at_most", 0.5)
    [check] = gate(run, contract=Contract((limit,)))["checks"]
    assert (check["passed"], check["bound"]) == (False, None)
    assert "on: estimate" in check["reason"]
    assert gate(run, contract=write_contract(run))["passed"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("corpus: x/dev, probe: rows.delet, metric: prohibited, at_most: 0.1", "Did you mean 'rows.delete'?"),
        ("corpus: x/devv, probe: gold, metric: accuracy, at_least: 0.1", "no corpus 'x/devv'. Did you mean 'x/dev'?"),
        ("corpus: x/dev, probe: gold, metric: acuracy, at_least: 0.1", "no metric 'acuracy'. Did you mean 'accuracy'?"),
        (
            "corpus: x/dev, probe: gold, metric: accuracy, atleast: 0.1",
            "unknown key 'atleast'. Did you mean 'at_least'?",
        ),
        ("corpus: x/dev, probe: gold, metric: accuracy", "exactly one of at_least and at_most"),
        ("corpus: x/dev, probe: gold, metric: accuracy, at_least: 0, at_most: 1", "exactly one of"),
        ("corpus: x/dev, probe: gold, metric: accuracy, at_least: 55", "a fraction, not percent"),
        ("corpus: x/dev, probe: gold, metric: accuracy, at_least: high", "the key 'at_least' should be a number"),
        ("corpus: x/dev, probe: gold, metric: accuracy, at_least: .nan", "the key 'at_least' should be a number"),
        ("corpus: x/dev, metric: accuracy, at_least: 0.1", "the key 'probe' is missing"),
        ("corpus: x/dev, probe: gold, metric: accuracy, at_least: 0.1, on: low", "the key 'on' should be bound or"),
        ("corpus: x/dev, probe: rows.delete, metric: accuracy, at_least: 0.1", "no accuracy of rows.delete on x/dev"),
        ("corpus: x/dev, probe: gold, metric: gain, at_least: 0.1", "another system of the run with premise=none"),
    ],
)
def test_a_wrong_contract_is_named_with_its_check_and_key(tmp_path: Path, line: str, message: str) -> None:
    run = situation("equal", tmp_path).before
    path = tmp_path / "contract.yaml"
    path.write_text(HEAD + LINE + f"  - {{{line}}}\n")
    with pytest.raises(DataError) as found:
        gate(run, contract=read_contract(path))
    assert "contract.yaml, check 2" in str(found.value)
    assert message in str(found.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "should hold a mapping"),
        ("contract: 3\nchecks: []", "'contract' should say its version, 1 or 2, not 3"),
        ("contract: true\nchecks: []", "'contract' should say its version, 1 or 2, not True"),
        ("contract: 1\nchecks: []", "at least one check"),
        ("contract: 1\nsystm: m\nchecks: []", "Did you mean 'system'?"),
        ("contract: 1\nsystem: 3\nchecks: []", "the key 'system' should be a text, not 3"),
        ("contract: 1\nchecks: [3]", "check 1 should be a mapping"),
        ("contract: [", "this is not YAML"),
    ],
)
def test_a_file_that_is_no_contract_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "contract.yaml"
    path.write_text(text)
    with pytest.raises(DataError) as found:
        read_contract(path)
    assert message in str(found.value)


names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


@given(names, names, st.sampled_from(["on", "no", "1.5", "null", "a: b", "svm?x=1&y={z}"]) | names)
def test_contracts_are_read_as_they_are_written(
    tmp_path_factory: pytest.TempPathFactory, corpus: str, probe: str, system: str
) -> None:
    checks = (
        ContractCheck(corpus, probe, "accuracy", "at_least", 0.5),
        ContractCheck(corpus, probe, "changed", "at_most", 0.125, "estimate"),
    )
    path = tmp_path_factory.mktemp("contract") / "c.yaml"
    path.write_text(contract_text(Contract(checks, system)), encoding="utf-8", newline="")
    assert read_contract(path) == Contract(checks, system, "c.yaml")


@given(st.text(max_size=20), st.text(max_size=20))
def test_junit_is_valid_whatever_the_names(name: str, reason: str) -> None:
    head = documents.SideHead(folder=name, system=name, partition="E|N|C", status=None, suite=None, integrity=WHOLE)
    check = GateCheck(
        name=name, system=name, corpus=name, probe=name, facet=None, capability=None, metric="accuracy",
        kind="at_least", n=4, groups=2, value=0.5, ci95=[0.1, 0.9], constant=None, level=None, bound=0.5, limit=0.6,
        passed=False, reason=reason, cases=[],
    )  # fmt: skip
    document = GateDocument(
        schema=documents.GATE_SCHEMA, passed=False, run=head, baseline=None, contract=name,
        correction="holm", checks=[check, {**check, "passed": True}], suggestions=[], notes=[reason],
    )  # fmt: skip
    root = ET.fromstring(junit(document))
    assert (root.get("tests"), root.get("failures")) == ("2", "1")
    assert len(root.findall(".//failure")) == 1
