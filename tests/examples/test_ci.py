"""The examples for pipelines: their shell steps, run here as far as a shell can."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import nliprobe

CI = Path(__file__).parents[2] / "examples" / "ci"
PROBE = "run: {system: small, on: 'file:pairs.csv'}\n"
CONTRACT = "contract: 2\nchecks: [{{corpus: pairs, probe: gold, metric: accuracy, at_least: {limit}, on: estimate}}]\n"


def github_steps() -> list[str]:
    action = yaml.safe_load((CI / "nliprobe-gate" / "action.yml").read_text(encoding="utf-8"))
    assert all(step["shell"] == "bash" for step in action["runs"]["steps"])
    return [step["run"] for step in action["runs"]["steps"]]


def gitlab_steps() -> list[str]:
    steps: list[str] = yaml.safe_load((CI / "gitlab.yml").read_text(encoding="utf-8"))["nliprobe"]["script"]
    return steps


@pytest.mark.parametrize("limit", [0.0, 1.0])
@pytest.mark.parametrize("forge", ["github", "gitlab"])
def test_the_steps_pass_and_fail_as_the_contract_says(tmp_path: Path, forge: str, limit: float) -> None:
    lines = [f"A man in hat {n} sleeps.,A man sleeps.,{label}" for n, label in enumerate(["entailment", "neutral"] * 5)]
    (tmp_path / "pairs.csv").write_text("\n".join(["premise,hypothesis,label", *lines]) + "\n")
    (tmp_path / "probe.yaml").write_text(PROBE)
    (tmp_path / "contract.yaml").write_text(CONTRACT.format(limit=limit))
    program = tmp_path / "bin" / "nliprobe"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m nliprobe "$@"\n')
    program.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(Path(nliprobe.__file__).parents[1]),
        "CONFIG": "probe.yaml", "CONTRACT": "contract.yaml", "OUT": "runs/candidate",
        "GITHUB_STEP_SUMMARY": "gate.md",
    }  # fmt: skip
    codes = [
        subprocess.run(["bash", "-eo", "pipefail", "-c", step], cwd=tmp_path, env=environment).returncode
        for step in (github_steps() if forge == "github" else gitlab_steps())
    ]
    assert codes == [0, 3 if limit else 0]
    assert ("FAILED: 1 of 1 check" if limit else "Passed: 1 check") in (tmp_path / "gate.md").read_text()
    assert (tmp_path / "gate.xml").is_file()
