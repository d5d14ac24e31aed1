"""A function or program that was edited between two calls of one command never makes a run of two models."""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.helpers import NO_BYTECODE

import nliprobe
from nliprobe.api.resolve import Request
from nliprobe.api.run import RunResult
from nliprobe.api.run import run as run_request
from nliprobe.base.errors import NliprobeError, StoreError
from nliprobe.store.run import RunFolder

FUNCTION = """
from helper import WORD

def answer(pairs):
    return ["E" if WORD in hypothesis else "N" for _, hypothesis in pairs]
"""
HELPER = "WORD = 'is'\n"
PROGRAM = """
import json, sys
from helper import WORD
for line in sys.stdin:
    item = json.loads(line)
    print(json.dumps({"id": item["id"], "label": "E" if WORD in item["hypothesis"] else "N"}), flush=True)
"""


def ask(system: str, out: Path) -> RunResult:
    return run_request(Request(["builtin/sentences-dev?limit=12"], [system]), out)


def edit(path: Path, old: str, new: str) -> None:
    """Edit a file so that its size and time stay the same."""
    state = path.stat()
    path.write_text(path.read_text().replace(old, new))
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert path.stat().st_size == state.st_size


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name, text in (("mine.py", FUNCTION), ("helper.py", HELPER), ("program.py", PROGRAM)):
        (tmp_path / name).write_text(text)
    (tmp_path / "package").mkdir()
    (tmp_path / "package/__init__.py").write_text("")
    (tmp_path / "package/model.py").write_text(FUNCTION.replace("from helper", "from .helper"))
    (tmp_path / "package/helper.py").write_text(HELPER)
    for module in ("helper", "mine", "package", "package.model", "package.helper"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    return tmp_path


COMMAND = f"command:{shlex.quote(sys.executable)} program.py"


@pytest.mark.parametrize(
    ("system", "file", "named"),
    [
        ("python:mine.py:answer", "mine.py", "mine.py"),
        ("python:mine.py:answer", "helper.py", "helper.py"),
        ("python:mine:answer", "mine.py", "mine.py"),
        ("python:package.model:answer", "package/model.py", "package/model.py"),
        ("python:package.model:answer", "package/helper.py", "package/helper.py"),
        (COMMAND, "program.py", "program.py"),
        (COMMAND, "helper.py", "program.py: helper.py"),
        (f"command:{shlex.quote(sys.executable)} -m program", "program.py", "-m program: program.py"),
        ("command:./program.sh", "program.sh", "./program.sh"),
    ],
)
@pytest.mark.parametrize("version", ["", "?version=1"])
def test_an_edited_model_is_refused(here: Path, system: str, file: str, named: str, version: str) -> None:
    (here / "program.sh").write_text(f"#!/bin/sh\nexec {shlex.quote(sys.executable)} program.py # is\n")
    (here / "program.sh").chmod(0o755)
    ask(system + version, here / "run")
    assert ask(system + version, here / "run").tally is None, "the same command again costs nothing"
    content = (here / file).read_text()
    old = next(word for word in ("'is'", "# is", '"N"') if word in content)
    edit(here / file, old, {"'is'": "'no'", "# is": "# no", '"N"': '"C"'}[old])
    with pytest.raises(StoreError, match=r"has another system named .* changed since the run was begun") as error:
        ask(system + version, here / "run")
    assert f": {named} changed since" in str(error.value)
    assert "Choose another folder" in str(error.value)
    assert "or another name with name=" in str(error.value)
    beside = ask(f"{system}{version}{'&' if version else '?'}name=edited", here / "run")
    assert len(beside.run.systems) == 2, "under another name it is another system of the run"


def test_a_run_that_was_broken_off_is_not_continued_by_an_edited_model(here: Path) -> None:
    request = Request(["builtin/sentences-dev"], [f"{COMMAND}?name=m"], probes=["gold", "swap"])
    program = here / "program.py"
    program.write_text(
        PROGRAM.replace("for line in", "for number, line in enumerate(").replace("stdin:", "stdin):")
        + "    if number == 60:\n        print('nonsense', flush=True)\n"
    )
    with pytest.raises(NliprobeError, match="printed a line that is not JSON: nonsense"):
        run_request(request, here / "run")
    assert not RunFolder.open(here / "run").complete
    program.write_text(PROGRAM)
    with pytest.raises(StoreError, match=r"program.py changed since the run was begun"):
        run_request(request, here / "run")


def test_a_program_edited_while_it_is_asked_is_not_started_again(here: Path) -> None:
    text = PROGRAM.replace("import json, sys", "import json, os, sys").replace(
        "    item =",
        "    if not os.path.exists('edited'):\n"
        "        open('edited', 'w').close()\n"
        "        open('helper.py', 'a').write('WORD = 0')\n"
        "        os._exit(1)\n"
        "    item =",
    )
    (here / "program.py").write_text(text)
    (here / "edited").write_text("")
    ask(f"{COMMAND}?name=m", here / "good")
    (here / "edited").unlink()
    with pytest.raises(NliprobeError, match=r"helper.py changed after the program .* was named.*of two models"):
        ask(f"{COMMAND}?name=m2", here / "run")


def load(path: Path, name: str = "given") -> Callable[..., object]:
    """Import a file as a notebook would after a reload."""
    specification = importlib.util.spec_from_file_location(name, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    function = module.predict
    assert callable(function)
    return function  # type: ignore[no-any-return]


def test_an_edited_function_in_memory_is_refused(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = (
        "def size(text):\n    return len(text)\n"
        "def predict(premises, hypotheses):\n    return ['E' if size(text) > 40 else 'N' for text in hypotheses]\n"
    )
    (here / "given.py").write_text(source)
    monkeypatch.delitem(sys.modules, "given", raising=False)
    on = "builtin/sentences-dev?limit=12"
    nliprobe.run(load(here / "given.py"), on, out=here / "run")
    nliprobe.run(load(here / "given.py"), on, out=here / "run")
    edit(here / "given.py", "len(text)", "max(99,1)")
    with pytest.raises(StoreError, match="has another system named 'predict'"):
        nliprobe.run(load(here / "given.py"), on, out=here / "run")


def test_the_record_says_what_a_system_was_made_from(here: Path) -> None:
    folder = ask("python:mine.py:answer", here / "run").run
    assert set(folder.systems[0].made_from) == {"mine.py", "helper.py"}
    [file] = (here / "run/systems").glob("*.json")
    assert set(json.loads(file.read_text())["made_from"]) == {"mine.py", "helper.py"}
    (here / "answers.jsonl").write_text(
        "".join(json.dumps({"id": name, "label": "E"}) + "\n" for name in folder.read("pairs")["pair_id"])
    )
    told = ask("predictions:answers.jsonl", here / "told").run
    assert set(told.systems[0].made_from) == {"answers.jsonl"}


SCRIPT = """
import sys
import nliprobe
from helper import WORD

def size(text):
    return len(text)

def predict(premises, hypotheses):
    return ["E" if size(text) > 40 or WORD in text else "N" for text in hypotheses]

if __name__ == "__main__":
    nliprobe.run(predict, "builtin/sentences-dev?limit=12", out="run")
    print("drawn")
"""


@pytest.mark.parametrize(
    ("file", "old", "new", "named"),
    [
        ("script.py", "'drawn'", "'drawn in colours'", ""),
        ("script.py", "> 40", "> 30", "the code of predict"),
        ("script.py", "len(text)", "len(text) + 1", "the code of predict"),
        ("helper.py", "is", "no", "helper.py, the code of predict"),
    ],
)
def test_a_function_of_a_script_is_known_by_its_code(here: Path, file: str, old: str, new: str, named: str) -> None:
    (here / "script.py").write_text(SCRIPT.replace('"drawn"', "'drawn'"))

    environment = {**os.environ, **NO_BYTECODE}

    def start() -> str:
        command = [sys.executable, "script.py"]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False).stderr

    assert start() == start() == ""
    (here / file).write_text((here / file).read_text().replace(old, new))
    said = start()
    assert (f"{named} changed since the run was begun" in said) if named else said == ""
