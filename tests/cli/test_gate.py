"""``compare`` and ``gate`` as users call them: output, files and exit codes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from tests.analysis.gates import SITUATIONS, Situation, situation
from tests.analysis.runs import Asked, pair, write_run
from tests.analysis.schemas import validate
from tests.cli.helpers import nliprobe, nliprobe_json

from nliprobe.store.record import SystemStatus

SAYS = {
    "better": "better: 75.0 to 95.8",
    "worse": "FAIL  accuracy of gold on x/dev: worse: 75.0 to 50.0",
    "equal": "Passed: 2 checks",
    "noisy": "not surely worse: 75.0 to 71.7",
    "missing probe": "missing: the baseline has 120 cases, this run none",
    "new probe": "new: 120 cases that the baseline does not have",
    "fewer cases": "40 cases of the baseline are not in this run",
    "other label order": "FAIL  accuracy of gold on x/dev: worse: 75.0 to 0.0",
    "other suite version": "missing: none of the baseline's cases is in this run",
    "other seed": "The seeds differ: 0 left, 7 right.",
    "empty facet": "FAIL  prohibited of rows.delete on x/dev, genre=letter: there is nothing to compute",
}


@pytest.fixture
def worse(tmp_path: Path) -> Situation:
    return situation("worse", tmp_path)


@pytest.mark.parametrize("name", SITUATIONS)
def test_gate_has_the_exit_code_of_the_situation(tmp_path: Path, name: str) -> None:
    built = situation(name, tmp_path)
    against = ["--baseline", str(built.before.path)]
    if built.contract:
        (tmp_path / "contract.yaml").write_text(built.contract)
        against = ["--contract", str(tmp_path / "contract.yaml")]
    done = nliprobe("gate", str(built.after.path), *against, code=built.code, env={"COLUMNS": "300"})
    if name == "corrupt run":
        assert done.stderr.count("\n") == 1
        assert "is damaged" in done.stderr
    else:
        assert SAYS[name] in done.stdout


def test_gate_writes_json_and_junit(tmp_path: Path, worse: Situation) -> None:
    words = ["gate", str(worse.after.path), "--baseline", str(worse.before.path)]
    file = tmp_path / "out" / "junit.xml"
    document = json.loads(nliprobe(*words, "--format", "json", "--junit", str(file), code=3).stdout)
    validate("gate", document)
    assert document["passed"] is False
    root = ET.parse(file).getroot()
    assert (root.get("tests"), root.get("failures")) == ("2", "1")
    [failure] = root.findall(".//failure")
    assert "worse: 75.0 to 50.0" in str(failure.get("message"))


def test_gate_writes_a_contract_that_its_run_keeps_and_a_worse_one_breaks(tmp_path: Path, worse: Situation) -> None:
    file = tmp_path / "contract.yaml"
    done = nliprobe("gate", str(worse.before.path), "--write", str(file))
    assert "5 checks written" in done.stderr
    assert "Passed: 5 checks" in nliprobe("gate", str(worse.before.path), "--contract", str(file)).stdout
    failed = nliprobe("gate", str(worse.after.path), "--contract", str(file), code=3).stdout
    assert "FAIL  accuracy of gold on x/dev: lower bound of accuracy" in failed
    again = nliprobe("gate", str(worse.before.path), "--write", str(file), code=2)
    assert "exists. Choose another name" in again.stderr


def test_gate_says_what_a_contract_misspells(tmp_path: Path, worse: Situation) -> None:
    file = tmp_path / "contract.yaml"
    file.write_text("contract: 1\nchecks: [{corpus: x/dev, probe: rows.delet, metric: prohibited, at_most: 0.1}]\n")
    done = nliprobe("gate", str(worse.before.path), "--contract", str(file), code=1)
    assert "has no probe 'rows.delet' on x/dev. Did you mean 'rows.delete'?" in done.stderr


def test_gate_needs_something_to_hold_the_run_against(worse: Situation) -> None:
    assert "--baseline RUN or --contract FILE" in nliprobe("gate", str(worse.before.path), code=2).stderr


def test_compare_of_two_runs(worse: Situation) -> None:
    words = ["compare", str(worse.before.path), str(worse.after.path)]
    document = nliprobe_json(*words)
    validate("compare", document)
    assert [(item["kind"], item["fixed"], item["broken"]) for item in document["pairs"][0]["comparisons"]] == [
        ("gold", 0, 30),
        ("expects", 0, 0),
    ]
    text = nliprobe(*words).stdout
    assert "Right answers" in text
    assert "worse" in text
    assert "Broken on x/dev, gold, right answers  5 of 30" in text


def test_compare_of_two_systems_of_one_run(tmp_path: Path) -> None:
    systems = [Asked("one", {"a": "E", "b": "N"}), Asked("two", {"a": "E", "b": "E"})]
    run = write_run(tmp_path, {"x": [pair("a", "E"), pair("b", "E")]}, systems)
    assert "Left   one in" in nliprobe("compare", str(run.path)).stdout
    missing = nliprobe("compare", str(run.path), "--left", "one", code=2).stderr
    assert "2 systems: 'one', 'two'" in missing
    assert "--right" in missing
    assert (
        "Use one or the other" in nliprobe("compare", str(run.path), "--left", "one", "--systems", "one", code=2).stderr
    )
    page = tmp_path / "page.html"
    assert str(page) in nliprobe("compare", str(run.path), "-o", str(page)).stdout
    assert "No difference is shown between one and two." in page.read_text(encoding="utf-8")
    text = nliprobe("compare", str(run.path), "--left", "one", "--right", "two").stdout
    assert "Fixed on x, gold, right answers  1 of 1" in text
    assert "left N (allowed E); right E (allowed E)" in text


def test_compare_of_runs_with_nothing_in_common(tmp_path: Path) -> None:
    runs = [write_run(tmp_path, {name: [pair(name, "E")]}, [Asked("m", {name: "E"})]) for name in ("x", "y")]
    done = nliprobe("compare", str(runs[0].path), str(runs[1].path), code=1)
    assert "have no case in common. The corpus x is only in the left run." in done.stderr


def test_importing_the_verbs_loads_nothing_heavy() -> None:
    rooms = "nliprobe.cli.compare, nliprobe.cli.gate, " + ", ".join(
        f"nliprobe.report.{name}" for name in ("comparison", "gate_text", "junit")
    )
    heavy = ("numpy", "polars", "rich", "scipy", "yaml")
    code = f"import sys, {rooms}; print([name for name in {heavy} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_gate_says_how_many_cases_a_margin_needs(tmp_path: Path, worse: Situation) -> None:
    file = tmp_path / "contract.yaml"
    lines = ["at_least: 0.5", "non_inferior: 0.05", "better_by: 0.01"]
    checks = "\n".join(f"  - {{corpus: x/dev, probe: gold, metric: accuracy, {line}}}" for line in lines)
    file.write_text(f"contract: 2\nchecks:\n{checks}\n")
    words = ["gate", str(worse.after.path), "--contract", str(file), "--baseline", str(worse.before.path)]
    text = nliprobe(*words, "--suggest-n", "0.01", code=3, env={"COLUMNS": "80"}).stdout
    assert "Cases for a margin of 1 point." in text
    assert max(map(len, text.splitlines())) <= 80
    document = json.loads(nliprobe(*words, "--suggest-n", "0.01", "--format", "json", code=3).stdout)
    validate("gate", document)
    found = {item["name"]: item for item in document["suggestions"]}
    name = "accuracy of gold on x/dev"
    assert list(found) == [name, f"{name}, non_inferior", f"{name}, better_by"]
    for item in found.values():
        assert item["n"] == 120
        assert item["n_needed"] == 2 * item["groups_needed"] > 120, "two cases per group, as here"
        assert f"{item['n_needed']:,} in {item['groups_needed']:,}" in text
    for wrong in ("0", "1", "-0.1", "nan", "x"):
        refused = nliprobe(*words, "--suggest-n", wrong, code=2).stderr
        assert "A margin to suggest cases for lies between 0 and 1" in refused or "'--suggest-n': 'x' is not" in refused


def test_gate_appends_a_summary_that_is_markdown_whatever_the_names(tmp_path: Path) -> None:
    hostile = "a|b\x1b[31m ```</summary><script>x</script> [l](http://h) \u202e\n| c"
    cases = [pair(f"{hostile}{number}", "E") for number in range(30)]
    asked = [Asked(hostile, {case.id: "N" for case in cases})]
    run = write_run(tmp_path, {"x|y/dev": cases}, asked, shard=50)
    contract = tmp_path / "c|d.yaml"
    lines = [f'{{corpus: "x|y/dev", probe: gold, metric: accuracy, at_least: {limit}}}' for limit in (0.5, 0.0)]
    contract.write_text(f"contract: 2\nchecks: [{', '.join(lines)}]\n")
    summary = tmp_path / "summary.md"
    summary.write_text("# Earlier step\n")
    words = ["gate", str(run.path), "--contract", str(contract), "--cases", "1", "--suggest-n", "0.05"]
    nliprobe(*words, "--summary", str(summary), code=3)
    text = summary.read_text(encoding="utf-8")
    assert text.startswith("# Earlier step\n")
    assert "\x1b" not in text
    assert "\u202e" not in text
    page = MarkdownIt("gfm-like", {"linkify": False}).disable("linkify").render(text)
    heads, cells = ([len(re.findall(f"<{tag}[ >]", row)) for row in page.split("<tr>")] for tag in ("th", "td"))
    # Eight columns and two checks, then four columns and two suggestions; no name breaks a row.
    assert [count for count in heads if count] == [8, 4]
    assert [count for count in cells if count] == [8, 8, 4, 4]
    assert not re.search("<script|<a |<img", page)
    assert page.count("<details>") == page.count("</details>") == page.count("</summary>") == 1


def test_a_run_that_is_being_written_supports_no_verdict(tmp_path: Path, worse: Situation) -> None:
    cases = [pair(f"p{number:03d}", "E", group=f"t{number // 2}") for number in range(120)]
    asked = [Asked("m", {case.id: "E" for case in cases})]
    going = write_run(tmp_path, {"x/dev": cases}, asked, shard=50, status=SystemStatus.RUNNING.value)
    text = nliprobe("compare", str(worse.before.path), str(going.path)).stdout
    assert "No verdict: a run is not complete." in text
    assert "better" not in text.replace("below 0.05 is better", "").replace("below \n0.05 is better", "")
    for runs in ((going, worse.before), (worse.before, going)):
        refused = nliprobe("gate", str(runs[0].path), "--baseline", str(runs[1].path), code=1).stderr
        assert f"{going.path.name} is not complete: a gate would decide on half of it" in refused


def test_compare_shows_hostile_text_as_text_within_the_terminal(tmp_path: Path) -> None:
    hostile = "x\x1b[31m[bold]\u202e|" + "y" * 120
    cases = [pair(f"{hostile}{number}", "E") for number in range(30)]
    answers = [dict.fromkeys((case.id for case in cases), label) for label in "ENC"]
    systems = [Asked(f"{hostile}{number}", said) for number, said in enumerate(answers)]
    run = write_run(tmp_path, {f"{hostile}/dev": cases}, systems, shard=50)
    names = ",".join(system.name for system in systems[:2])
    for words in ([], ["--systems", names], ["--margin", "0.1"]):
        text = nliprobe("compare", str(run.path), *words, env={"COLUMNS": "80"}).stdout
        assert not set("\x1b\u202e") & set(text)
        assert "[bold]" in text.replace("\n", "")
        assert max(map(len, text.splitlines())) <= 80
