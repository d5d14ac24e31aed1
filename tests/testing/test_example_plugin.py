"""The example plugin as its users meet it: installed, listed, run and tested; and plugins that cannot be imported."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.helpers import ROOT, environment, nliprobe, nliprobe_json

from nliprobe.store.run import RunFolder

EXAMPLE = ROOT / "examples" / "nliprobe-example-plugin"


def path_with(folder: Path) -> dict[str, str]:
    """The environment of a process that finds what is installed in a folder."""
    present = os.environ.get("PYTHONPATH")
    return {"PYTHONPATH": os.pathsep.join([str(folder), *([present] if present else [])])}


def by_hand(folder: Path, name: str, point: str) -> None:
    """What an installer leaves for entry points to be found."""
    info = folder / f"{name.replace('-', '_')}-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text(f"[nliprobe.plugins]\n{point}\n")


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the plugin installed: by pip where the build tool is here, for it must not be downloaded."""
    folder = tmp_path_factory.mktemp("plugin")
    source = folder / "source"
    shutil.copytree(EXAMPLE, source, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    target = folder / "site"
    if importlib.util.find_spec("hatchling") is not None and importlib.util.find_spec("pip") is not None:
        words = ["install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--target", str(target)]
        subprocess.run([sys.executable, "-m", "pip", *words, str(source)], check=True)
    else:
        shutil.copytree(source / "src" / "nliprobe_example", target / "nliprobe_example")
        by_hand(target, "nliprobe-example-plugin", "example = nliprobe_example")
    return target


def test_example_is_listed(installed: Path) -> None:
    found = nliprobe_json("ls", "--strict-plugins", env=path_with(installed))
    for kind, name in (
        ("probes", "hypothesis.case"),
        ("representations", "list"),
        ("models", "keyword"),
        ("corpora", "weather"),
    ):
        [item] = [item for item in found[kind] if item["name"] == name]
        assert item["about"].endswith(".")


def test_example_runs(installed: Path, tmp_path: Path) -> None:
    env = path_with(installed)
    words = ["run", "--on", "builtin/tables-dev?limit=30", "--probes", "gold,hypothesis.case", "--out", "r"]
    nliprobe(*words, "--system", "keyword?represent=list", "--quiet", cwd=tmp_path, env=env)
    inputs = tmp_path / "inputs.jsonl"
    nliprobe("plan", "--on", "builtin/tables-dev?limit=3", "--represent", "list", "-o", str(inputs), env=env)
    assert "\\n- " in inputs.read_text()
    assert [system.represent for system in RunFolder.open(tmp_path / "r").systems] == ["list"]
    # A run is plain data: it can be read where the plugin is not installed.
    assert "hypothesis.case" in nliprobe("show", "r", cwd=tmp_path).stdout


def test_each_file_of_the_example_is_short() -> None:
    files = sorted((EXAMPLE / "src" / "nliprobe_example").glob("*.py"))
    assert len(files) == 5
    assert not [path.name for path in files if len(path.read_text(encoding="utf-8").splitlines()) > 40]


def test_example_corpus_and_model_run_together(installed: Path, tmp_path: Path) -> None:
    env = path_with(installed)
    nliprobe("run", "--on", "weather", "--system", "keyword?share=0.8", "--out", "w", "--quiet", cwd=tmp_path, env=env)
    [score] = nliprobe_json("show", "w", cwd=tmp_path)["scores"]
    assert (score["corpus"], score["n"], score["groups"]) == ("weather/test", 6, 2)


def test_example_passes_its_own_tests(installed: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-W", "error"],
        cwd=installed.parent / "source",
        env=environment(path_with(installed)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "8 passed" in done.stdout


@pytest.fixture
def failing(tmp_path: Path) -> dict[str, str]:
    folder = tmp_path / "failing"
    by_hand(folder, "failing-plugin", "failing = failing_plugin")
    (folder / "failing_plugin.py").write_text("raise RuntimeError('no weights here')\n")
    return path_with(folder)


def test_failing_plugin_is_named_and_skipped(failing: dict[str, str]) -> None:
    done = nliprobe("ls", "probes", env=failing)
    assert "rows.delete" in done.stdout
    assert done.stderr == (
        "nliprobe: the plugin 'failing' (failing_plugin) failed to import and is skipped: "
        "RuntimeError: no weights here\n"
    )
    # What needs no plugin does not even look at it.
    assert nliprobe("plan", "--on", "builtin/sentences-dev?limit=2", env=failing).stderr == ""
    unknown = nliprobe("plan", "--on", "builtin/sentences-dev", "--probes", "failing.probe", env=failing, code=1)
    assert "'failing' (failing_plugin) failed to import" in unknown.stderr
    assert "There is no probe named 'failing.probe'." in unknown.stderr


@pytest.mark.parametrize("kind", [(), ("probes",), ("runs",)])
def test_strict_plugins_fails_for_a_failing_plugin(failing: dict[str, str], kind: tuple[str, ...]) -> None:
    done = nliprobe("ls", *kind, "--strict-plugins", env=failing, code=1)
    assert "no weights here" in done.stderr


def test_a_plugin_that_exits_is_skipped_too(tmp_path: Path) -> None:
    by_hand(tmp_path, "leaving-plugin", "leaving = leaving_plugin")
    (tmp_path / "leaving_plugin.py").write_text("raise SystemExit(7)\n")
    assert "SystemExit: 7" in nliprobe("ls", "models", env=path_with(tmp_path)).stderr
