"""The commands of the project: hooks and make agree, and the scripts behind make do what they say."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from scripts.check_added_files import problems as added_problems
from scripts.check_wheel import NEEDED, tracked
from scripts.check_wheel import problems as wheel_problems
from scripts.lock import pins
from scripts.lowest import lowest

ROOT = Path(__file__).parents[2]
needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
needs_git = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a checkout of git")


def hooks() -> list[dict[str, object]]:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert [repository["repo"] for repository in config["repos"]] == ["local"]
    return list(config["repos"][0]["hooks"])


def made_by(target: str) -> list[str]:
    """Return the commands that make would run for a target, were everything installed."""
    command = ["make", "--dry-run", "--assume-old=pyproject.toml", target, "VENV=.venv", "PYTEST="]
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS"))}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@needs_make
def test_hooks_are_the_commands_of_make_lint() -> None:
    entries = [str(hook["entry"]) for hook in hooks() if hook["id"] != "added-files"]
    linting = [line for line in made_by("lint") if line.startswith((".venv/bin/ruff", ".venv/bin/mypy"))]
    assert entries == linting
    assert len(entries) == 3


def test_commands_of_the_hooks_exist() -> None:
    for hook in hooks():
        assert hook["language"] == "system"
        program, *words = str(hook["entry"]).split()
        name = program.removeprefix(".venv/bin/")
        if name == "python":
            assert (ROOT / words[0]).is_file()
        else:
            lint = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("\nlint = [")[2].partition("]")[0]
            assert f'"{name}>=' in lint


@needs_make
def test_integration_runs_the_tests_with_lint_and_manual_and_then_all_others() -> None:
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    made = [line.removeprefix("make test") for line in lines if line.startswith("make ")]
    assert made == ["", "-torch", "-studio", "-results", "-corpora", "-faults", "-properties"]
    commands = "\n".join(made_by("test"))
    for part in ("ruff check", "ruff format --check", "mypy", "sphinx-build -W", "-m pytest"):
        assert part in commands
    assert "tests/training tests/models" in "\n".join(made_by("test-torch"))
    load, studio = "tests/studio/load", "\n".join(made_by("test-studio"))
    assert f"-m 'studio and not simulation' tests --ignore {load}" in studio
    assert "NLIPROBE_LOAD_JUDGEMENTS=20000 " in studio
    assert f"-m studio {load}" in studio
    for name in ("results", "corpora"):
        assert f"-m {name} tests" in "\n".join(made_by(f"test-{name}"))
    assert "-m 'faults and not studio' tests" in "\n".join(made_by("test-faults"))
    # Together these targets run every test but the simulations: what one leaves out, another one runs.
    left_out = re.search(r"-m '(.+)'\"$", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert left_out is not None
    names = left_out.group(1).removeprefix("not ").split(" and not ")
    assert sorted(names) == ["corpora", "faults", "results", "simulation", "studio"]


@needs_make
def test_help_names_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = makefile.partition(".PHONY:")[2].partition("\n")[0].split()
    # Under `make test` this is a make inside a make, which would say which folder it enters.
    command = ["make", "--no-print-directory", "help"]
    shown = [line.split()[1] for line in subprocess.check_output(command, cwd=ROOT, text=True).splitlines()]
    assert shown == targets


def test_large_files_and_copies_of_corpora_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpora = tmp_path / "corpora"
    corpora.mkdir()
    (corpora / "dev.tsv").write_bytes(b"premise\thypothesis\n" * 200)
    work = tmp_path / "work"
    (work / "shared").mkdir(parents=True)
    monkeypatch.chdir(work)
    files = {"fine.py": b"x = 1\n", "large.bin": b"0" * 1_000_001, "copy.tsv": (corpora / "dev.tsv").read_bytes()}
    files["shared/notes.txt"] = b"anything"
    for name, content in files.items():
        Path(name).write_bytes(content)
    sentences = list(added_problems([Path(name) for name in files], corpora))
    assert [sentence.split()[0] for sentence in sentences] == ["large.bin", "copy.tsv", "shared/notes.txt"]
    assert len(list(added_problems([Path("copy.tsv")], None))) == 0


@needs_git
def test_a_wheel_with_a_hole_or_a_guest_is_refused() -> None:
    whole = tracked()
    assert list(wheel_problems([*whole, "nliprobe-1.dist-info/METADATA"], whole)) == []
    assert list(wheel_problems(whole - {"nliprobe/py.typed"}, whole)) == [
        "missing: nliprobe/py.typed",
        "nothing of this kind ships: nliprobe/py.typed",
    ]
    assert list(wheel_problems(whole | {"tests/conftest.py"}, whole)) == ["should not ship: tests/conftest.py"]
    without = {name for name in whole if not name.endswith(".tsv")}
    kinds = [kind for kind in NEEDED if kind.endswith(".tsv")]
    assert list(wheel_problems(without, without)) == [f"nothing of this kind ships: {kind}" for kind in kinds]


def test_the_lock_leaves_out_builds_of_one_machine_and_installers() -> None:
    assert pins("torch==2.13.0+cpu  # via x\npip==26.3\n\nnumpy==2.4.6\n") == ["torch==2.13.0  # via x", "numpy==2.4.6"]


def test_lowest_versions_refuse_other_bounds() -> None:
    assert list(lowest(["scikit-learn>=1.4"])) == ["scikit-learn==1.4"]
    with pytest.raises(SystemExit, match="a lower bound and no other"):
        list(lowest(["numpy>=1.26,<3"]))


# More files than this are a detour: how far a reader goes to follow one pair of InfoTabS into a run.
# What is not needed for it is not entered: no journal where nothing was broken off, no repair of texts that are whole.
# The steps of a run are a file of their own, because two engines take them.
FILES_OF_THE_WALK = 31


@pytest.mark.parametrize(("limit", "status"), [(FILES_OF_THE_WALK, 0), (5, 1)])
def test_the_walk_counts_files_and_obeys_its_limit(limit: int, status: int) -> None:
    command = [sys.executable, str(ROOT / "scripts" / "walk.py"), "--max-files", str(limit)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == status, done.stdout + done.stderr
    assert "api/run.py" in done.stdout
    assert (f"More than {limit} files" in done.stdout) == bool(status)
