"""``--no-doctor`` is possible everywhere the doctor looks, and every report tells it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.helpers import nliprobe, nliprobe_json
from tests.cli.test_doctor import MODEL

import nliprobe as package
from nliprobe.store.run import RunFolder

TOLD = "It was not examined (--no-doctor)"
ON = ("--on", "builtin/sentences-dev")


@pytest.fixture
def permuted(tmp_path: Path) -> str:
    (tmp_path / "good.py").write_text(MODEL)
    return f"python:{tmp_path / 'good.py'}:answer?labels=entailment,neutral,contradiction&name=permuted"


def test_every_report_tells_that_nobody_looked(tmp_path: Path, permuted: str) -> None:
    out, page, text = str(tmp_path / "run"), tmp_path / "page.html", tmp_path / "page.md"
    nliprobe("run", "--quiet", "--system", permuted, *ON, "--out", out, code=1)
    nliprobe("run", "--quiet", "--no-doctor", "--system", permuted, *ON, "--out", out)
    for _ in range(2):
        [system] = RunFolder.open(tmp_path / "run").systems
        assert system.doctor is not None
        assert system.doctor.status == "off"
        assert TOLD in nliprobe("show", out).stdout
        assert TOLD in " ".join(nliprobe("show", out, "--by", "style").stdout.split())
        document = nliprobe_json("show", out)
        assert TOLD in document["notes"]["permuted"][0]
        assert document["run"]["systems"][0]["doctor"] == "off"
        nliprobe("report", out, "--out", str(page))
        nliprobe("report", out, "--format", "markdown", "--out", str(text))
        assert TOLD in page.read_text()
        assert TOLD in text.read_text()
        assert TOLD in package.open_run(out)._repr_html_()
        # A later run of the same folder asks nothing more, and does not hide how its answers were asked.
        nliprobe("run", "--quiet", "--system", permuted, *ON, "--out", out)


def test_comparisons_and_gates_tell_it(tmp_path: Path, permuted: str) -> None:
    out, contract = str(tmp_path / "run"), tmp_path / "contract.yaml"
    good = permuted.replace(
        "entailment,neutral,contradiction&name=permuted", "contradiction,entailment,neutral&name=good"
    )
    nliprobe("run", "--quiet", "--system", good, *ON, "--out", out)
    nliprobe("run", "--quiet", "--no-doctor", "--system", good, "--system", permuted, *ON, "--out", out)
    statuses = {item.name: item.doctor and item.doctor.status for item in RunFolder.open(tmp_path / "run").systems}
    assert statuses == {"good": "ok", "permuted": "off"}
    document = nliprobe_json("compare", out, "--left", "good", "--right", "permuted")
    assert [note for note in document["notes"] if TOLD in note] == [
        f"permuted: Doctor: {TOLD}: the order of its labels was not checked."
    ]
    contract.write_text(
        "limits:\n- corpus: builtin/sentences-dev\n  probe: gold\n  metric: accuracy\n  at_least: 0.0\n"
    )
    gated = package.gate(out, baseline=out, system="permuted", baseline_system="permuted")
    assert any(TOLD in note for note in gated.document["notes"])


def test_a_checklist_tells_it(tmp_path: Path) -> None:
    out = tmp_path / "run"
    package.run({"E": lambda premises, hypotheses: ["E"] * len(premises)}, "checklist?n=2", out=out, doctor=False)
    document = nliprobe_json("show", str(out), "--checklist")
    assert any(TOLD in note for note in document["notes"])


def test_a_configuration_and_python_switch_it_off_too(tmp_path: Path, permuted: str) -> None:
    config = tmp_path / "nliprobe.yaml"
    options = {"system": permuted, "on": "builtin/sentences-dev", "out": str(tmp_path / "a"), "no-doctor": True}
    config.write_text(json.dumps({"run": options}))
    nliprobe("run", "--quiet", "--config", str(config))
    nliprobe(
        "run", "--quiet", "--system", permuted, *ON, "--out", str(tmp_path / "b"), env={"NLIPROBE_RUN_NO_DOCTOR": "1"}
    )
    run = package.run(permuted, "builtin/sentences-dev", out=tmp_path / "c", doctor=False)
    assert TOLD in run.summary()["notes"]["permuted"][0]
    for name in "abc":
        [system] = RunFolder.open(tmp_path / name).systems
        assert system.doctor is not None
        assert system.doctor.status == "off"


def test_a_run_against_the_advice_of_the_doctor_tells_that(tmp_path: Path, permuted: str) -> None:
    out = str(tmp_path / "run")
    nliprobe("run", "--quiet", "--system", permuted, *ON, "--out", out, "--labels", "entailment,neutral,contradiction")
    assert "Doctor: Its labels are in another order than declared" in nliprobe_json("show", out)["notes"]["permuted"][0]


def test_score_without_the_doctor(tmp_path: Path) -> None:
    from nliprobe.api.sources import open_source

    pairs = list(open_source("builtin/sentences-dev").pairs())
    answers = tmp_path / "answers.jsonl"
    lines = [{"id": pair.id, "label": {"E": 0, "N": 1, "C": 2}[str(pair.gold)]} for pair in pairs]
    answers.write_text("".join(json.dumps(line) + "\n" for line in lines))
    words = ("score", *ON, "--predictions", str(answers), "--labels", "contradiction,entailment,neutral")
    assert "seem to be in another order" in nliprobe_json(*words)["notes"][0]
    document = nliprobe_json(*words, "--no-doctor")
    assert TOLD in document["notes"][0]
    assert "another order" not in json.dumps(document["notes"])
    shown = " ".join(nliprobe(*words, "--no-doctor").stdout.split())
    assert "not examined (--no-doctor)" in shown
    given = [str(pair.gold) for pair in pairs]
    scored = package.score(given, "builtin/sentences-dev", doctor=False)
    assert TOLD in scored.document["notes"][-1]
