"""The scripts that take trainings to a GPU machine and bring answers back."""

from __future__ import annotations

import importlib
import json
import sys
import tarfile
from pathlib import Path
from types import ModuleType

import pytest

from nliprobe.corpora import CORPORA
from nliprobe.papers.checklist._genders import ASKED
from nliprobe.papers.evidence._flips import RELOCATE
from nliprobe.papers.evidence._relevant import PROBE
from nliprobe.papers.infotabs.answers_file import NAMES
from nliprobe.papers.swap import answers_file as swap
from nliprobe.probes.suite import build_probe, probe_specs

GPU = Path(__file__).parents[2] / "benchmarks" / "gpu"
INFOTABS = sorted(GPU.glob("infotabs_*.json"))


def script(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(GPU))
    monkeypatch.delitem(sys.modules, name, raising=False)
    return importlib.import_module(name)


@pytest.mark.parametrize("sizes", [[], [5], [40, 40, 40], [90, 10, 50, 45, 3, 2, 1]])
def test_archives_hold_every_file_within_the_limit(
    sizes: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = script("job", monkeypatch)
    monkeypatch.setattr(job, "LARGEST", 100_000 + 2048)
    answers, out = tmp_path / "plan" / "answers", tmp_path / "out"
    answers.mkdir(parents=True)
    out.mkdir()
    for number, size in enumerate(sizes):
        (answers / f"{number}.jsonl.gz").write_bytes(bytes(1000 * size))
    job.pack(list(answers.iterdir()), out)
    names: list[str] = []
    for path in out.iterdir():
        with tarfile.open(path) as archive:
            inside = archive.getmembers()
        assert sum(member.size for member in inside) <= job.LARGEST
        names += [member.name for member in inside]
    assert sorted(names) == [f"plan/{number}.jsonl.gz" for number in range(len(sizes))]


def test_a_plan_that_takes_too_long_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = script("job", monkeypatch)
    monkeypatch.setattr(job, "WORK", tmp_path)
    # It starts another process, which must end too, or waiting for the group would take its time.
    monkeypatch.setattr(job, "COMMAND", ("/bin/sh", "-c", "sleep 600 & wait"))
    assert job.run(tmp_path / "plan.json", 1) == 1


@pytest.mark.parametrize("plan", INFOTABS, ids=[path.stem for path in INFOTABS])
def test_every_asking_of_infotabs_has_a_place_and_says_what_was_read(
    plan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = script("keep", monkeypatch)
    for system in json.loads(plan.read_text(encoding="utf-8"))["systems"]:
        assert system["seeds"] == [0, 1, 2]
        for suite in system["ask"]:
            about = keep.describe(system, suite, plan)
            assert about.system in NAMES
            read = {"struct": "struct", "tabattn": "keyvalue"}.get(suite["name"], "para")
            assert about.represent == (suite["name"][-5:] if "wmd" in suite["name"] else read)
            assert all("carry" not in name for name in about.train)


def test_every_name_of_infotabs_is_asked() -> None:
    asked = [
        suite["name"]
        for plan in INFOTABS
        for system in json.loads(plan.read_text(encoding="utf-8"))["systems"]
        for suite in system["ask"]
    ]
    assert sorted(asked) == sorted(NAMES)


def test_the_plan_of_the_checklist_asks_the_cells_of_tables_5_and_6() -> None:
    plan = json.loads((GPU / "checklist_minilm.json").read_text(encoding="utf-8"))
    for system in plan["systems"]:
        assert [suite["on"] for suite in system["ask"] if suite["name"].endswith("-cells")] == [[ASKED]]


def test_the_plan_of_evidence_names_what_there_is_and_every_asking_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    keep = script("keep_evidence", monkeypatch)
    plan = json.loads((GPU / "evidence_minilm.json").read_text(encoding="utf-8"))
    askings = {suite["name"]: suite for system in plan["systems"] for suite in system["ask"]}
    for suite in askings.values():
        for probe in suite.get("probes", []):
            assert build_probe(probe).name == probe.partition("?")[0]
        for name in suite["on"]:
            corpus, _, split = name.partition("/")
            assert split in CORPORA.get(corpus).splits
    assert sorted(asked.answers for kept in keep.RUNS.values() for asked in kept.systems) == sorted(askings)
    for kept in keep.RUNS.values():
        # A system that sees no premise needs the answers to those cases only whose hypothesis a probe changes.
        for asked in kept.systems:
            assert [name.partition("?")[0] for name in kept.on] == askings[asked.answers]["on"]
    # What the recipes read was asked.
    rows = set(askings["para-rows"]["probes"])
    assert {"rows.delete", "rows.insert", "rows.update", "rows.permute", "rows.compose?ops=insert+delete"} <= rows
    assert {PROBE, RELOCATE} <= set(askings["para-counterfactual"]["probes"])


def test_the_plan_of_swap_asks_what_its_tables_read(monkeypatch: pytest.MonkeyPatch) -> None:
    keep = script("keep_swap", monkeypatch)
    plan = json.loads((GPU / "swap_minilm.json").read_text(encoding="utf-8"))
    askings = {suite["name"]: suite for system in plan["systems"] for suite in system["ask"]}
    assert sorted(asked.answers for kept in keep.RUNS.values() for asked in kept.systems) == sorted(askings)
    for kept in keep.RUNS.values():
        for asked in kept.systems:
            assert askings[asked.answers]["on"] == list(kept.on)
    for name in ("nli-bench", "nli-hypothesis-bench"):
        assert askings[name]["probes"] == ["gold", swap.SWAP, *swap.STRESS]
        for probe in askings[name]["probes"]:
            assert build_probe(probe).spec == probe
    assert [f"swap-{family}" for family in keep.ENCODERS] == list(swap.BENCHED)
    for name in {*swap.BENCH, *swap.RELEASED}:
        corpus, _, split = name.partition("/")
        assert split in CORPORA.get(corpus).splits


def test_the_plan_of_tables_asks_what_its_results_read(monkeypatch: pytest.MonkeyPatch) -> None:
    keep = script("keep_tables", monkeypatch)
    monkeypatch.setattr(keep, "PLAN", GPU / "tables_minilm.json")
    plan = json.loads(keep.PLAN.read_text(encoding="utf-8"))
    askings = {suite["name"]: suite for system in plan["systems"] for suite in system["ask"]}
    kept = [*keep.asked("perturbed", keep.FAMILIES[:2]), *keep.asked("tables", keep.FAMILIES)]
    kept += keep.asked("twins", keep.FAMILIES)
    assert sorted(one.answers for one in kept) == sorted(askings)
    premises = {system["name"]: system.get("premise", "full") for system in plan["systems"]}
    assert all(one.premise == premises[one.family] for one in kept)
    assert set(askings["para-perturbed"]["probes"]) == {"gold", *probe_specs(["hypothesis"])}
    assert keep.corpora_of("twins")[0].startswith("tables?world=twins&from=infotabs/")


@pytest.mark.parametrize("plan", sorted(GPU.glob("*_minilm*.json")), ids=lambda path: path.stem)
def test_what_a_plan_names_is_carried(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare = script("prepare", monkeypatch)
    names = prepare.named(prepare.systems_of([plan]))
    assert names
    for name in names:
        made_by_package = name.startswith((prepare.TEXTS, "checklist", "templates:", "tables?"))
        assert made_by_package or name.partition("?")[0] in prepare.CORPORA


@pytest.mark.parametrize("missing", ["para-rows-1", "held-out-sample-0"])
def test_runs_whose_answers_are_not_all_there_are_left_out(
    missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keep = script("keep_evidence", monkeypatch)
    runs = script("runs", monkeypatch)
    plan = GPU / "evidence_minilm.json"
    made: list[list[str]] = []
    monkeypatch.setattr(runs.subprocess, "run", lambda words, check: made.append(words))
    kept = keep.RUNS["rows" if missing.startswith("para") else "sample"]
    for asked in kept.systems:
        for seed in range(3):
            if f"{asked.answers}-{seed}" != missing:
                (tmp_path / f"{asked.answers}-{seed}.jsonl.gz").touch()
    assert not runs.make_run(plan, tmp_path, kept, tmp_path / "run")
    assert "there are not answers of all seeds of" in capsys.readouterr().out
    (tmp_path / f"{missing}.jsonl.gz").touch()
    assert runs.make_run(plan, tmp_path, kept, tmp_path / "run")
    [words] = made
    assert words.count("--system") == 3 * len(kept.systems)
