"""The pytest plugin, run by pytest inside pytest."""

from __future__ import annotations

import subprocess
import sys
from fnmatch import fnmatchcase as fnmatch
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest
from tests.analysis.gates import SITUATIONS, situation
from tests.analysis.runs import Asked, pair, write_run
from tests.pytest_plugin.inner import Inner

from nliprobe.store.record import SystemStatus

COMPARING = """contract: 2
run: {after}
baseline: {before}
checks:
  - {{corpus: x/dev, probe: gold, metric: accuracy, not_worse: 0}}
  - {{corpus: x/dev, probe: rows.delete, metric: broken, not_worse: 0}}
"""
# Passed and failed of the two checks above; a contract that cannot be decided fails with all of them.
EXPECTED = {
    "better": (2, 0), "worse": (1, 1), "equal": (2, 0), "noisy": (2, 0), "missing probe": (0, 2), "new probe": (2, 0),
    "fewer cases": (2, 0), "other label order": (1, 1), "other suite version": (1, 1), "other seed": (2, 0),
    "empty facet": (0, 1), "corrupt run": (0, 2),
}  # fmt: skip
SAYS = {
    "worse": "*accuracy of gold on x/dev: shown to be worse: right 75.0 to 50.0 on 120 cases*",
    "missing probe": "*could not be decided.*has no probe 'rows.delete' on x/dev*",
    "other suite version": "*missing: none of these 120 cases can be compared with the baseline*",
    "empty facet": "*genre=letter: there is nothing to compute prohibited from*",
    "corrupt run": "*could not be decided.*is damaged*",
}
SMALL = """contract: 2
run: {{system: small, on: 'file:pairs.csv'{more}}}
checks:
  - {{corpus: pairs, probe: gold, metric: accuracy, at_least: 0.99}}
  - {{corpus: pairs, probe: gold, metric: accuracy, at_least: 0.01, on: estimate}}
  - {{corpus: pairs, probe: gold, metric: unanswered, at_most: 0.9}}
"""


@pytest.fixture
def inner(tmp_path: Path) -> Inner:
    folder = tmp_path / "inner"
    folder.mkdir()
    return Inner(folder)


def write_pairs(folder: Path) -> None:
    lines = [f'A man in hat {n} sleeps.,"A man sleeps.",entailment' for n in range(6)]
    lines += [f'A woman reads book {n}.,"Nobody reads.",contradiction' for n in range(6)]
    (folder / "pairs.csv").write_text("\n".join(["premise,hypothesis,label", *lines]) + "\n")


class Situations(NamedTuple):
    """What one inner pytest said of the contracts of all situations: lines, and the outcomes by contract."""

    text: str
    outcomes: dict[str, list[str]]


@pytest.fixture(scope="module")
def situations(tmp_path_factory: pytest.TempPathFactory) -> Situations:
    """Let one pytest decide all situations: starting a process for each takes longer than everything else."""
    inner = Inner(tmp_path_factory.mktemp("situations"))
    for name in SITUATIONS:
        folder = inner.path / name.replace(" ", "-")
        folder.mkdir()
        built = situation(name, folder)
        text = COMPARING.format(after=built.after.path.name, before=built.before.path.name)
        if built.contract:
            text = built.contract.replace("contract: 2", f"contract: 2\nrun: {built.after.path.name}")
        (folder / "c.nliprobe.yaml").write_text(text)
    # Here the plugin is found by its entry point, as by everybody who installs it.
    result = inner.run("--junitxml=out.xml", "-o", "junit_family=xunit1", found=True)
    outcomes: dict[str, list[str]] = {}
    for case in ET.parse(inner.path / "out.xml").getroot().findall(".//testcase"):
        said = "failed" if case.findall("failure") else "error" if case.findall("error") else "passed"
        outcomes.setdefault(str(case.get("file")).split("/")[0], []).append(said)
    return Situations(result.text, outcomes)


@pytest.mark.parametrize("name", SITUATIONS)
def test_a_contract_decides_every_situation(situations: Situations, name: str) -> None:
    folder = name.replace(" ", "-")
    passed, failed = EXPECTED[name]
    assert sorted(situations.outcomes[folder]) == ["failed"] * failed + ["passed"] * passed
    if name in SAYS:
        lines = [line for line in situations.text.splitlines() if fnmatch(line, SAYS[name])]
        assert lines, situations.text[-3000:]
    assert "Traceback" not in situations.text


def test_a_failed_check_shows_cases_and_properties(inner: Inner) -> None:
    built = situation("worse", inner.path)
    text = COMPARING.format(after=built.after.path.name, before=built.before.path.name)
    (inner.path / "c.nliprobe.yaml").write_text(text)
    result = inner.run("--junitxml=out.xml", "--nliprobe-cases", "2")
    result.stdout.fnmatch_lines(["m · gold · p030 · p030", "  answered N; right is E", "m · gold · p031 · p031"])
    result.stdout.no_fnmatch_line("*p032*")
    cases = ET.parse(inner.path / "out.xml").getroot().findall(".//testcase")
    assert [case.get("name") for case in cases] == ["accuracy of gold on x/dev", "broken of rows.delete on x/dev"]
    for case in cases:
        found = {str(item.get("name")): str(item.get("value")) for item in case.findall(".//property")}
        assert found["nliprobe.n"] == "120"
        assert found["nliprobe.groups"] == "60"
    nothing = inner.run("--nliprobe-cases", "0")
    nothing.stdout.no_fnmatch_line("*p030*")


def test_hostile_text_stays_text(inner: Inner) -> None:
    name = "p\x1b[31m [bold] </testcase> \u202e"
    cases = [pair(f"{name}{n}", "E") for n in range(30)]
    run = write_run(inner.path, {"x/dev": cases}, [Asked("m", {case.id: "N" for case in cases})], shard=50)
    line = "{corpus: x/dev, probe: gold, metric: accuracy, at_least: 0.5}"
    (inner.path / "c.nliprobe.yml").write_text(f"contract: 2\nrun: {run.path.name}\nchecks: [{line}, {line}]\n")
    result = inner.run("--junitxml=out.xml", "--color=no")
    result.assert_outcomes(failed=2)
    assert "\x1b" not in result.text
    assert "[bold] </testcase>" in result.text
    names = [case.get("name") for case in ET.parse(inner.path / "out.xml").getroot().findall(".//testcase")]
    assert names == ["accuracy of gold on x/dev", "accuracy of gold on x/dev #2"]


NO_CONTRACTS = {
    "contract: 2\nchecks: [{corpus: x, probe: gold, metric: accuracy, at_least: 0.1}]": "does not say which run",
    "contract: 2\nrun: r\nchecks: [{corpus: x, probe: gold, metric: acuracy, at_least: 0.1}]": "Did you mean",
}


def test_a_file_that_is_no_contract_is_an_error_in_a_sentence(inner: Inner) -> None:
    for number, text in enumerate(NO_CONTRACTS):
        (inner.path / f"c{number}.nliprobe.yaml").write_text(text)
    result = inner.run()
    result.assert_outcomes(error=len(NO_CONTRACTS))
    for message in NO_CONTRACTS.values():
        result.stdout.fnmatch_lines([f"*{message}*"])
    assert "Traceback" not in result.text


def test_what_cannot_be_decided_says_why(inner: Inner) -> None:
    built = situation("equal", inner.path)
    status = SystemStatus.RUNNING.value
    going = write_run(inner.path, {"x/dev": [pair("a", "E")]}, [Asked("m", {"a": "E"})], status=status)
    text = COMPARING.format(after=going.path.name, before=built.before.path.name)
    (inner.path / "a-going.nliprobe.yaml").write_text(text)
    line = "{corpus: x/dev, probe: rows.delet, metric: broken, at_most: 0.5}"
    (inner.path / "b-unknown.nliprobe.yaml").write_text(
        f"contract: 2\nrun: {built.before.path.name}\nchecks: [{line}]\n"
    )
    result = inner.run()
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(
        ["*could not be decided.*is not complete*", "*has no probe 'rows.delet' on x/dev. Did you mean 'rows.delete'?*"]
    )


def test_a_contract_makes_its_run_and_keeps_it_only_where_it_says(inner: Inner) -> None:
    folder = inner.path / "there"
    folder.mkdir()
    write_pairs(folder)
    (folder / "c.nliprobe.yaml").write_text(SMALL.format(more=""))
    # Paths start at the contract, wherever pytest was started.
    inner.run("there").assert_outcomes(passed=2, failed=1)
    assert sorted(path.name for path in folder.iterdir()) == ["c.nliprobe.yaml", "pairs.csv"]
    (folder / "c.nliprobe.yaml").write_text(SMALL.format(more=", out: runs/kept"))
    inner.run("there").assert_outcomes(passed=2, failed=1)
    first = (folder / "runs" / "kept" / "run.json").read_bytes()
    inner.run("there").assert_outcomes(passed=2, failed=1)
    assert (folder / "runs" / "kept" / "run.json").read_bytes() == first


MARKED = """
import pytest

CALLS = []

def always(premises, hypotheses):
    with open("asked.txt", "a") as stream:
        stream.write("x")
    return ["entailment"] * len(premises)

@pytest.mark.parametrize("number", range(4))
@pytest.mark.nliprobe(system=always, on="file:pairs.csv", doctor=False)
def test_marked(nliprobe_run, number):
    [score] = nliprobe_run.summary()["scores"]
    assert score["accuracy"] == 0.5
"""


def test_a_mark_makes_one_run_for_all_that_say_the_same(inner: Inner) -> None:
    write_pairs(inner.path)
    (inner.path / "test_it.py").write_text(MARKED)
    inner.run("--strict-markers").assert_outcomes(passed=4)
    assert (inner.path / "asked.txt").read_text() == "x"


def test_workers_of_xdist_share_what_one_of_them_makes(inner: Inner, monkeypatch: pytest.MonkeyPatch) -> None:
    write_pairs(inner.path)
    (inner.path / "test_it.py").write_text(MARKED)
    (inner.path / "c.nliprobe.yaml").write_text(SMALL.format(more=""))
    temporary = inner.path / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    inner.run("-p", "xdist", "-n", "2").assert_outcomes(failed=1, passed=6)
    assert (inner.path / "asked.txt").read_text() == "x"
    assert not [path for path in temporary.iterdir() if path.name.startswith("nliprobe-pytest")]


WRONG_MARKS = {
    "": "nliprobe_run needs a mark: @pytest.mark.nliprobe",
    "@pytest.mark.nliprobe(system='small')": "does not say 'on'",
    "@pytest.mark.nliprobe('small', 'builtin', sed=1)": "no option 'sed'. Did you mean 'seed'?",
    "@pytest.mark.nliprobe('small', 'builtin', on='x')": "says 'on' twice",
    "@pytest.mark.nliprobe('a', 'b', 'c', 'd')": "takes at most system, on, probes",
    "@pytest.mark.nliprobe('small', 'bultin')": "Did you mean 'builtin'?",
}


def test_a_wrong_mark_fails_in_a_sentence(inner: Inner) -> None:
    for number, mark in enumerate(WRONG_MARKS):
        text = f"import pytest\n\n{mark}\ndef test_it_{number}(nliprobe_run): pass\n"
        (inner.path / f"test_{number}.py").write_text(text)
    result = inner.run()
    result.assert_outcomes(error=len(WRONG_MARKS))
    for number, message in enumerate(WRONG_MARKS.values()):
        block = result.text.split(f"ERROR at setup of test_it_{number} ")[1].split("ERROR at setup")[0]
        assert message in block
    result.stdout.no_fnmatch_line("*During handling*")


def test_the_plugin_loads_nothing_until_it_is_used() -> None:
    heavy = ("numpy", "polars", "yaml", "rich", "hypothesis")
    code = f"""
import sys
import pytest
before = set(sys.modules)
import nliprobe.pytest_plugin
new = set(sys.modules) - before
print(sorted(name for name in new if name.split('.')[0] in {heavy} or name.startswith('nliprobe.')))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['nliprobe.pytest_plugin']"
