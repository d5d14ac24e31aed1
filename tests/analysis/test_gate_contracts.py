"""Contracts of version 2: facets, capabilities, baselines, bounds that hold together, and how many cases are needed."""

from __future__ import annotations

from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analysis.checklists import Made, answers, examples
from tests.analysis.gates import PAIRS, a_run, situation, wrong
from tests.analysis.runs import Asked, MakeRun, derived, pair
from tests.analysis.schemas import validate

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.checklist.document import checklist_document
from nliprobe.analysis.compare.contract import Contract, ContractCheck, Kind, contract_text, read_contract
from nliprobe.analysis.compare.contract_run import RunSource
from nliprobe.analysis.compare.deciding import Demand, decide
from nliprobe.analysis.compare.documents import GateCheck
from nliprobe.analysis.compare.gate import gate, write_contract
from nliprobe.analysis.facets import facet_scores
from nliprobe.analysis.measures import Measure, Measures, share_measure
from nliprobe.analysis.summary import summarise
from nliprobe.base.errors import DataError, UsageError
from nliprobe.report.gate_markdown import gate_markdown
from nliprobe.stats.intervals import Interval
from nliprobe.stats.paired import holm
from nliprobe.store.run import RunFolder
from nliprobe.task.pair import Facet

GENRES = [
    pair(f"p{n:03d}", "ENC"[n % 3], f"t{n // 2}", facets=[Facet("genre", "letter" if n % 4 else "fiction")])
    for n in range(120)
]
SAID = {case.id: "E" if n % 5 else "N" for n, case in enumerate(GENRES)}
EDITED = [derived(f"d{n:03d}", source) for n, source in enumerate(GENRES)]
MOVED = {case.id: "C" if n % 6 == 0 else "E" for n, case in enumerate(EDITED)}


def a_check(kind: Kind, limit: float, metric: str = "accuracy", probe: str = "gold", **others: object) -> ContractCheck:
    return ContractCheck("x/dev", probe, metric, kind, limit, **others)  # type: ignore[arg-type]


def decided(run: RunFolder, *checks: ContractCheck, baseline: RunFolder | None = None) -> list[GateCheck]:
    document = gate(run, contract=Contract(checks), baseline=baseline, cases=2, suggest=0.05)
    validate("gate", document)
    return document["checks"]


def test_measures_are_the_numbers_of_show(make_run: MakeRun) -> None:
    control = Asked("blind", dict.fromkeys([*SAID, *MOVED], "N"), premise="none")
    run = make_run({"x/dev": [*GENRES, *EDITED]}, [Asked("m", {**SAID, **MOVED}), control], shard=100)
    shown, found = summarise(run), Measures(read_run(run), "m")
    score, moved, gain = shown["scores"][0], shown["transitions"][0], shown["gains"][0]
    expected = {
        ("gold", "accuracy"): (score["accuracy"], score["ci95"], score["n"]),
        ("gold", "macro_f1"): (score["macro_f1"], score["macro_f1_ci95"], score["n"]),
        ("gold", "balanced"): (score["balanced"], score["balanced_ci95"], score["n"]),
        ("gold", "gain"): (gain["gain"], gain["ci95"], gain["n"]),
        ("rows.delete", "prohibited"): (*(moved["prohibited_overall"][key] for key in ("rate", "ci95")), moved["n"]),
        ("rows.delete", "broken"): (*(moved["prohibited_overall"][key] for key in ("rate", "ci95")), moved["n"]),
        ("rows.delete", "changed"): (moved["changed"]["rate"], moved["changed"]["ci95"], moved["n"]),
    }
    for (probe, metric), numbers in expected.items():
        measure = found.measure("x/dev", probe, metric)
        assert measure is not None
        assert (measure.value, measure.ends(), measure.n) == numbers, metric
    by_gold = found.measure("x/dev", "gold", "accuracy")
    assert by_gold is not None
    assert by_gold.constant == 1 / 3
    assert len(by_gold.against) == score["n"] - score["correct"]
    assert found.measure("x/dev", "rows.delete", "gain") is None
    assert Measures(read_run(run), "blind").measure("x/dev", "gold", "gain") is None


def test_a_facet_is_measured_as_show_breaks_it_down(make_run: MakeRun) -> None:
    run = make_run({"x/dev": [*GENRES, *EDITED]}, [Asked("m", {**SAID, **MOVED})], shard=100)
    shown = facet_scores(run, "genre")
    for value in ("letter", "fiction"):
        accuracy, prohibited = decided(
            run,
            a_check("at_least", 0.99, facet=("genre", value)),
            a_check("at_most", 0.0, "prohibited", "rows.delete", facet=("genre", value)),
        )
        for check, entries in ((accuracy, shown["accuracy"]), (prohibited, shown["prohibited"])):
            [entry] = [item for item in entries if item["value"] == value]
            assert (check["value"], check["ci95"], check["n"]) == (entry["rate"], entry["ci95"], entry["n"])
            assert check["groups"] == entry["groups"]
            assert check["facet"] == f"genre={value}"
        assert len(accuracy["cases"]) == len(prohibited["cases"]) == 2
        assert all(case["gold"] != case["answer"] for case in accuracy["cases"])
        assert all(case["answer"] not in case["allowed"] for case in prohibited["cases"])
    [crossed] = decided(run, a_check("at_least", 0.0, facet=("genre,label", "fiction, E")))
    assert crossed["n"] == sum(n % 4 == 0 and n % 3 == 0 for n in range(120))


def test_a_capability_is_measured_as_the_checklist_shows_it(make_run: MakeRun) -> None:
    made = [Made(f"quantifier.{n}", "quantifier", "ENC"[n % 3]) for n in range(8)]
    cases = {item.id: examples(item, 10) for item in made}
    said: dict[str, str | None] = {}
    for number, item in enumerate(made):
        said |= answers(cases[item.id], 3 + number % 5, "N" if item.gold != "N" else "E")
    run = make_run({"checklist/all": [case for some in cases.values() for case in some]}, [Asked("m", said)], shard=100)
    [entry] = checklist_document(run)["capabilities"]
    for metric, keys in (("accuracy", ("accuracy", "ci95")), ("balanced", ("balanced", "balanced_ci95"))):
        limit = ContractCheck("", "", metric, "at_least", 0.9, capability="quantifier")
        [check] = decided(run, limit)
        assert (check["value"], check["ci95"], check["n"]) == (entry[keys[0]], entry[keys[1]], entry["n"])  # type: ignore[literal-required]
        assert (check["groups"], check["capability"], check["corpus"], check["passed"]) == (
            8,
            "quantifier",
            None,
            False,
        )
    [same] = decided(run, ContractCheck("", "", "accuracy", "not_worse", 0.0, capability="quantifier"), baseline=run)
    assert same["passed"]
    assert same["n"] == 80


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (a_check("at_least", 0.1, facet=("gener", "letter")), "no pair of the run"),
        (a_check("at_least", 0.1, facet=("genre", "leter")), "has genre=leter. Did you mean 'letter'?"),
        (
            ContractCheck("", "", "accuracy", "at_least", 0.1, capability="negation"),
            "holds no labelled pair",
        ),
        (a_check("non_inferior", 0.1, probe="rows.delet"), "Did you mean 'rows.delete'?"),
        (a_check("non_inferior", 0.1, probe="rows.delete"), "no accuracy of rows.delete"),
    ],
)
def test_what_a_run_does_not_have_is_named(make_run: MakeRun, check: ContractCheck, message: str) -> None:
    run = make_run({"x/dev": [*GENRES, *EDITED]}, [Asked("m", {**SAID, **MOVED})], shard=100)
    with pytest.raises(DataError) as found:
        gate(run, contract=Contract((check,)), baseline=run)
    assert "contract, check 1" in str(found.value)
    assert message.lower() in str(found.value).lower()


def test_an_unknown_capability_is_named_with_the_nearest(make_run: MakeRun) -> None:
    some = examples(Made("quantifier.some", "quantifier"), 3)
    run = make_run({"checklist/all": some}, [Asked("m", {case.id: "E" for case in some})])
    with pytest.raises(DataError, match=r"no capability 'quantifer'. Did you mean 'quantifier'?"):
        gate(run, contract=Contract((ContractCheck("", "", "accuracy", "at_least", 0.1, capability="quantifer"),)))
    elsewhere = ContractCheck("checklist/al", "", "accuracy", "at_least", 0.1, capability="quantifier")
    with pytest.raises(DataError, match=r"no corpus 'checklist/al'. Did you mean 'checklist/all'?"):
        gate(run, contract=Contract((elsewhere,)))


@pytest.mark.parametrize(
    ("name", "not_worse", "non_inferior", "better"),
    [
        ("better", True, True, True),
        ("worse", False, False, False),
        ("equal", True, True, False),
        # 3 points below by chance: no loss is shown, and a loss of 8 points is not excluded either.
        ("noisy", True, False, False),
        ("other label order", False, False, False),
    ],
)
def test_the_three_kinds_of_comparing_with_a_baseline(
    tmp_path: Path, name: str, not_worse: bool, non_inferior: bool, better: bool
) -> None:
    built = situation(name, tmp_path)
    kinds: list[tuple[Kind, float]] = [("not_worse", 0.0), ("non_inferior", 0.08), ("better_by", 0.0)]
    found = decided(built.after, *(a_check(kind, limit) for kind, limit in kinds), baseline=built.before)
    assert [check["passed"] for check in found] == [not_worse, non_inferior, better], [c["reason"] for c in found]
    [plain, _] = gate(built.after, baseline=built.before)["checks"]
    # Measured on the same cases, and with the same rule as without a contract.
    assert {check["value"] for check in found} == {plain["value"]}
    assert {tuple(check["ci95"] or ()) for check in found} == {tuple(plain["ci95"] or ())}
    assert found[0]["passed"] == plain["passed"]
    by_number = decided(built.after, a_check("non_inferior", 0.04, on="estimate"), baseline=built.before)
    assert by_number[0]["passed"] == (name in ("better", "equal", "noisy"))


def test_a_lower_rate_of_prohibited_changes_is_better(make_run: MakeRun) -> None:
    cases = {"x/dev": [*GENRES, *EDITED]}
    before = make_run(cases, [Asked("m", {**SAID, **MOVED})], shard=100)
    after = make_run(cases, [Asked("m", {**SAID, **MOVED, **dict.fromkeys(list(MOVED)[:60], "N")})], shard=100)
    [check] = decided(after, a_check("better_by", 0.0, "prohibited", "rows.delete"), baseline=before)
    rates = [Measures(read_run(run), "m").measure("x/dev", "rows.delete", "prohibited") for run in (before, after)]
    assert all(rate is not None for rate in rates)
    assert check["value"] == pytest.approx(rates[0].value - rates[1].value)  # type: ignore[union-attr,operator]
    assert (check["value"] or 0) > 0
    [silent] = decided(after, a_check("non_inferior", 0.1, "unanswered"), baseline=before)
    assert (silent["value"], silent["passed"]) == (0.0, True)


@pytest.mark.parametrize(("better", "passed"), [(3, False), (4, False), (5, True)])
def test_a_handful_of_cases_shows_no_gain_that_a_coin_would_not(make_run: MakeRun, better: int, passed: bool) -> None:
    # All flips are for the better; with four of them a coin does as well one time in sixteen, with five in 32.
    cases = [pair(f"p{n}", "E") for n in range(300)]
    said = {case.id: "N" if place < 50 else "E" for place, case in enumerate(cases)}
    runs = [
        make_run({"x/dev": cases}, [Asked("m", said | dict.fromkeys(list(said)[:turned], "E"))], shard=300)
        for turned in (0, better)
    ]
    [check] = decided(runs[1], a_check("better_by", 0.0), baseline=runs[0])
    assert check["passed"] == passed
    assert ((check["bound"] or 0) > 0) == passed


def test_a_contract_that_compares_says_alone_what_is_compared(tmp_path: Path) -> None:
    built = situation("worse", tmp_path)
    contract = Contract((a_check("not_worse", 0.0, "broken", "rows.delete"),))
    document = gate(built.after, baseline=built.before, contract=contract)
    assert [check["metric"] for check in document["checks"]] == ["broken"]
    assert document["passed"]
    with pytest.raises(UsageError, match=r"check 1 compares with a baseline .not_worse., and there is none"):
        gate(built.after, contract=contract)


def test_nothing_left_to_compare_never_passes(tmp_path: Path) -> None:
    built = situation("other suite version", tmp_path)
    kinds: list[Kind] = ["not_worse", "non_inferior", "better_by"]
    found = decided(
        built.after, *(a_check(kind, 0.9, "broken", "rows.delete") for kind in kinds), baseline=built.before
    )
    assert [(check["passed"], check["n"]) for check in found] == [(False, 0)] * 3
    assert all("missing: none of these 120 cases" in check["reason"] for check in found)


class _Normal:
    """The interval of a normal estimate."""

    def __init__(self, value: float, error: float) -> None:
        self.value, self.error = value, error

    def __call__(self, level: float) -> Interval:
        reach = NormalDist().inv_cdf((1 + level) / 2) * self.error
        return Interval(self.value - reach, self.value + reach)


def normal(value: float, error: float = 1.0) -> Measure:
    nothing = np.zeros(0, dtype=np.int64)
    return Measure(value, 10, np.ones(10, dtype=np.int64), _Normal(value, error), nothing)


@given(st.lists(st.tuples(st.floats(-1, 6), st.booleans()), min_size=1, max_size=8))
def test_the_steps_are_those_of_holm(estimates: list[tuple[float, bool]]) -> None:
    demands = [Demand(normal(value if up else -value), up, 0.0) for value, up in estimates]
    found = [decision.passed for decision in decide(demands, "holm")]
    pvalues = [min(1.0, 2 * (1 - NormalDist().cdf(value))) for value, _ in estimates]
    adjusted = holm(pvalues)
    assert all(passed == (p <= 0.05) for passed, p in zip(found, adjusted, strict=True) if abs(p - 0.05) > 1e-9)
    alone = [decision.passed for decision in decide(demands, "none")]
    assert all(single for single, joint in zip(alone, found, strict=True) if joint)


def test_estimates_are_no_part_of_the_family() -> None:
    bound = Demand(normal(2.1), True, 0.0)
    others = [Demand(normal(-5.0), True, 0.0, "estimate")] * 20
    first, *rest = decide([bound, *others], "holm")
    assert (first.passed, first.level) == (True, 0.95)
    assert not any(decision.passed or decision.level for decision in rest)


def test_a_contract_rarely_passes_a_check_whose_truth_misses_the_limit() -> None:
    # Eight rates of exactly 70 %, demanded to be at least 70 %: any pass is a mistake.
    draw = np.random.default_rng(3)
    rows, mistakes, alone = np.arange(200), 0, 0
    for _ in range(300):
        happened = draw.random((8, 200)) < 0.7
        demands = [Demand(share_measure(rows, row, rows, ~row), True, 0.7) for row in happened]
        mistakes += any(decision.passed for decision in decide(demands, "holm"))
        alone += any(decision.passed for decision in decide(demands, "none"))
    assert mistakes / 300 < 0.05
    assert alone / 300 > 0.1


def test_a_written_contract_leaves_no_room_for_its_own_run_to_fail(make_run: MakeRun) -> None:
    # Many checks: the bounds that hold together are farther than those of single intervals.
    corpora = {f"c{n}": [pair(f"c{n}-{k}", "E") for k in range(20 + n)] for n in range(12)}
    said = {case.id: "E" if place % 3 else "N" for cases in corpora.values() for place, case in enumerate(cases)}
    run = make_run(corpora, [Asked("m", said)], shard=500)
    contract = write_contract(run, slack=0.0)
    assert gate(run, contract=contract)["passed"]
    first = contract.checks[0]
    alone = Measures(read_run(run), "m").measure(first.corpus, first.probe, first.metric)
    assert alone is not None
    assert first.limit < (alone.ends() or [0])[0] - 0.02


@pytest.mark.parametrize("margin", [0.05, 0.02])
def test_suggested_cases_bring_the_bound_as_close_as_wanted(tmp_path: Path, margin: float) -> None:
    run = a_run(tmp_path, PAIRS, wrong(PAIRS, range(30)))
    contract = Contract((a_check("at_least", 0.5),))
    [said] = gate(run, contract=contract, suggest=margin)["suggestions"]
    assert (said["n"], said["groups"], said["level"]) == (120, 60, 0.95)
    assert said["groups_needed"] is not None
    assert said["n_needed"] == 2 * said["groups_needed"]
    # The same pairs again and again, as many as were suggested.
    right = np.array([n >= 30 for n in range(120)])
    times = said["groups_needed"] / 60
    many = np.tile(right, round(times))
    rows = np.arange(len(many))
    larger = share_measure(rows, many, rows // 2, ~many)
    reach = 0.75 - (larger.ends() or [0.0])[0]
    assert reach == pytest.approx(margin, rel=0.12)


def test_suggestions_against_a_baseline_and_where_nothing_can_be_told(tmp_path: Path, make_run: MakeRun) -> None:
    built = situation("noisy", tmp_path)
    plain = gate(built.after, baseline=built.before, suggest=0.05)["suggestions"]
    assert [item["name"] for item in plain] == ["accuracy of gold on x/dev", "holds of rows.delete on x/dev"]
    kinds = Contract((a_check("non_inferior", 0.05), a_check("not_worse", 0.0)))
    excluded, seen = gate(built.after, baseline=built.before, contract=kinds, suggest=0.05)["suggestions"]
    for item in (plain[0], excluded, seen):
        assert item["reach"] is not None
        assert item["n_needed"] is not None
        assert (item["n_needed"] > 120) == (item["reach"] > 0.05)
    small = [pair(f"q{n}", "E", group="t") for n in range(3)]
    run = make_run({"x/dev": small}, [Asked("m", {case.id: "E" for case in small})])
    [none] = gate(run, contract=Contract((a_check("at_least", 0.1),)), suggest=0.05)["suggestions"]
    assert (none["n_needed"], none["reason"]) == (None, "there is no interval to start from: too few groups")
    with pytest.raises(UsageError, match="lies between 0 and 1"):
        gate(run, baseline=run, suggest=5)


names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
limits = st.sampled_from([0.0, 0.125, 0.3, 0.999])


@st.composite
def contracts(draw: st.DrawFn) -> Contract:
    checks = []
    for kind in draw(st.lists(st.sampled_from(["at_least", "at_most", "not_worse", "non_inferior"]), min_size=1)):
        on, limit = draw(st.sampled_from(["bound", "estimate"])), draw(limits)
        if draw(st.booleans()):
            corpus = draw(st.just("") | names)
            check = ContractCheck(corpus, "", "accuracy", kind, limit, on, capability=draw(names))  # type: ignore[arg-type]
        else:
            facet = draw(st.none() | st.tuples(names, names))
            check = ContractCheck(draw(names), draw(names), "accuracy", kind, limit, on, facet)  # type: ignore[arg-type]
        checks.append(check)
    made = RunSource(
        system=tuple(draw(st.lists(names, min_size=1, max_size=2))),
        on=(draw(names),),
        texts=(("represent", draw(names)),),
        seed=draw(st.integers(0, 9)),
        doctor=draw(st.booleans()),
    )
    run = draw(st.none() | st.builds(RunSource, names) | st.just(made))
    baseline, correction = draw(st.none() | names), draw(st.sampled_from(["holm", "none"]))
    return Contract(tuple(checks), draw(st.none() | names), "c.yaml", correction, baseline, run)  # type: ignore[arg-type]


@given(contracts())
def test_every_contract_is_read_as_it_is_written(tmp_path_factory: pytest.TempPathFactory, contract: Contract) -> None:
    path = tmp_path_factory.mktemp("contract") / "c.yaml"
    path.write_text(contract_text(contract), encoding="utf-8", newline="")
    assert read_contract(path) == contract


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("contract: 1\nchecks: [{corpus: x, probe: gold, facet: a=b, metric: accuracy, at_least: 0}]",
         "check 1: the key 'facet' needs contract: 2"),
        ("contract: 1\nbaseline: x\nchecks: []", "the key 'baseline' needs contract: 2"),
        ("contract: 1\nchecks: [{corpus: x, probe: gold, metric: balanced, at_least: 0}]", "no metric 'balanced'"),
        ("contract: 2\ncorrection: bh\nchecks: [{}]", "'correction' should be holm or none, not 'bh'"),
        ("contract: 2\nrun: 3\nchecks: [{}]", "should be a run folder or a mapping"),
        ("contract: 2\nrun: {system: small}\nchecks: [{}]", "the key 'on' is missing"),
        ("contract: 2\nrun: {system: small, on: []}\nchecks: [{}]", "'on' should be a text or a list of texts"),
        ("contract: 2\nrun: {system: small, on: x, seed: a}\nchecks: [{}]", "'seed' should be a whole number"),
        ("contract: 2\nrun: {system: small, on: x, doctor: 1}\nchecks: [{}]", "'doctor' should be true or false"),
        ("contract: 2\nrun: {sytem: small, on: x}\nchecks: [{}]", "Did you mean 'system'?"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_contract_of_its_version_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "contract.yaml"
    path.write_text(text.replace("[{}]", "[{corpus: x, probe: gold, metric: accuracy, at_least: 0}]"))
    with pytest.raises(DataError) as found:
        read_contract(path)
    assert message in str(found.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("corpus: x, probe: gold, facet: genre, metric: accuracy, at_least: 0.1", "such as genre=fiction, not 'genre'"),
        ("corpus: x, probe: gold, facet: {a: b, c: d}, metric: accuracy, at_least: 0.1", "such as genre=fiction"),
        ("capability: negation, probe: gold, metric: accuracy, at_least: 0.1", "a capability and a probe"),
        ("capability: negation, metric: gain, at_least: 0.1", "a capability has no gain, but accuracy"),
        ("capability: [a], metric: accuracy, at_least: 0.1", "the key 'capability' should be a text"),
        ("corpus: x, probe: gold, metric: macro_f1, non_inferior: 0.1", "compares case by case, and macro_f1 is not"),
        ("corpus: x, probe: gold, metric: accuracy, non_inferior: -0.1", "can never be met or missed"),
        ("corpus: x, probe: gold, metric: accuracy, non_inferior: 1", "can never be met or missed"),
        ("corpus: x, probe: gold, metric: accuracy, better_by: 1.0", "can never be met or missed"),
        ("corpus: x, probe: gold, metric: accuracy, not_worse: 0, at_least: 0.1", "needs exactly one of"),
        ("corpus: x, probe: gold, metric: accuracy, non_inferor: 0.1", "Did you mean 'non_inferior'?"),
    ],
)
def test_a_wrong_check_of_version_2_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "contract.yaml"
    path.write_text(f"contract: 2\nchecks:\n  - {{{line}}}\n")
    with pytest.raises(DataError) as found:
        read_contract(path)
    assert "contract.yaml, check 1" in str(found.value)
    assert message in str(found.value)


def test_a_contract_of_version_1_keeps_its_meaning(tmp_path: Path) -> None:
    line = "{corpus: x/dev, probe: gold, metric: accuracy, at_least: 0.6}"
    (tmp_path / "old.yaml").write_text(f"contract: 1\nchecks: [{', '.join([line] * 9)}]")
    (tmp_path / "new.yaml").write_text(f"contract: 2\nchecks: [{', '.join([line] * 9)}]")
    run = situation("equal", tmp_path).before
    old, new = (gate(run, contract=read_contract(tmp_path / name)) for name in ("old.yaml", "new.yaml"))
    assert (old["correction"], new["correction"]) == ("none", "holm")
    assert [old["passed"], new["passed"]] == [True, False]


HOSTILE = "<script>x</script> | [a](http://b) `` ``` \x1b[31m \u202e x"


def test_the_summary_shows_failed_checks_first_and_hostile_text_as_text(make_run: MakeRun) -> None:
    cases = [pair(f"p{n} {HOSTILE}", "E", facets=[Facet("genre", HOSTILE[:-1])]) for n in range(30)]
    run = make_run({"x/dev": cases}, [Asked("m", {case.id: "N" for case in cases})], shard=50)
    checks = a_check("at_most", 1.0), a_check("at_least", 0.5, facet=("genre", HOSTILE[:-1]))
    text = gate_markdown(gate(run, contract=Contract(checks), cases=1, suggest=0.1))
    table = [line for line in text.splitlines() if line.startswith("| ")]
    assert table[2].startswith("| FAIL |")
    assert table[3].startswith("| pass |")
    assert "<script>" not in text.split("<details>")[0]
    assert "\x1b" not in text
    assert "[a](http" not in text.split("````")[0]
    # The fence is longer than any in the case, so that nothing inside closes it.
    assert text.count("\n````") == 2
    assert text.index("| FAIL") < text.index("### Why it failed") < text.index("### How many cases")
