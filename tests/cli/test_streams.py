"""What reaches standard output and the terminal: the document, and nothing that models or data put between."""

from __future__ import annotations

import ast
import json
import os
import pty
import subprocess
from pathlib import Path

import pytest
from tests.cli.helpers import ROOT, command, environment, nliprobe

from nliprobe.report.terminal import new_console

# Prints in every way there is, at import, while it answers, from a thread and at the end.
MODEL = r"""
import atexit, ctypes, os, subprocess, sys, threading, time

print("PRINTED at import")
atexit.register(print, "PRINTED at exit")

over = threading.Event()

def chatter():
    while not over.wait(0.001):
        print("PRINTED by a thread", flush=True)

def end():  # Python itself aborts if a thread holds the lock of a stream at its end
    over.set()
    thread.join()

thread = threading.Thread(target=chatter, daemon=True)
thread.start()
atexit.register(end)

def answer(pairs):
    print("PRINTED while answering")
    sys.__stdout__.write("PRINTED to the first stdout\n")
    os.write(1, b"PRINTED to the descriptor\n")
    ctypes.CDLL(None).puts(b"PRINTED by C")
    subprocess.run(["echo", "PRINTED by a child"])
    return ["E" for _ in pairs]
"""
HOSTILE = "\x1b]0;title\x07\x1b[2J\x9b31m\u202egpj.exe\x00\r\x08[/bold][link=http://x]"
FORBIDDEN = [*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), "\u202e", "\u2066"]


def steering(text: str) -> list[str]:
    return [letter for letter in text if letter in FORBIDDEN and letter not in "\n\t"]


@pytest.fixture
def model(tmp_path: Path) -> str:
    (tmp_path / "model.py").write_text(MODEL, encoding="utf-8")
    return f"python:{tmp_path / 'model.py'}:answer"


def test_what_a_model_prints_is_not_in_a_json_document(model: str, tmp_path: Path) -> None:
    on = ("--on", "builtin/sentences-dev?limit=4")
    for words in (("doctor", model), ("plan", "--system", model, *on)):
        done = nliprobe(*words, "--format", "json")
        assert json.loads(done.stdout)["schema"].startswith("nliprobe/")
        if words[0] == "doctor":
            for how in ("at import", "while", "to the first", "to the descriptor", "by C", "by a child", "by a thread"):
                assert f"PRINTED {how}" in done.stderr
    done = nliprobe("run", "--system", model, *on, "-o", str(tmp_path / "run"))
    assert "PRINTED" not in done.stdout
    assert done.stdout.startswith("Run ")
    assert "PRINTED while answering" in done.stderr


def test_a_document_in_a_file_is_whole_and_comes_after_what_was_there(model: str, tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text("before\n", encoding="utf-8")
    with path.open("a") as out:
        subprocess.run(
            command("doctor", model, "--format", "json"), stdout=out, stderr=subprocess.PIPE, env=environment(),
            check=True,
        )  # fmt: skip
    first, _, document = path.read_text(encoding="utf-8").partition("\n")
    assert first == "before"
    assert json.loads(document)["schema"] == "nliprobe/doctor/2"


def test_what_a_plugin_prints_is_not_in_a_json_document(tmp_path: Path) -> None:
    plugin = tmp_path / "mine.py"
    plugin.write_text("print('PRINTED')\n", encoding="utf-8")
    done = nliprobe("ls", "probes", "--plugin", str(plugin), "--format", "json")
    assert json.loads(done.stdout)["schema"] == "nliprobe/ls/1"
    assert done.stderr == "PRINTED\n"


def test_help_and_version_are_on_standard_output() -> None:
    for words in (("--help",), ("run", "--help"), ("data", "import", "-h"), ("--version",)):
        done = nliprobe(*words)
        assert done.stdout
        assert done.stderr == ""


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    path = tmp_path / "own.jsonl"
    rows = [
        {
            "id": f"{HOSTILE}{place}",
            "premise": f"{HOSTILE} {place}",
            "hypothesis": HOSTILE,
            "label": label,
            "kind": HOSTILE,
        }
        for place, label in enumerate("ENCC")
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_data_steers_no_terminal(hostile: Path, tmp_path: Path) -> None:
    run = str(tmp_path / "run")
    source = f"file:{hostile}?facets=kind"
    name = "name=%1b[31mred[/x]"
    asked = ("run", "--system", f"majority?{name}", "--train", source, "--on", source, "-o", run)
    contract = str(tmp_path / "c.yaml")
    for words in (
        asked, ("show", run), ("show", run, "--failing", "3"), ("show", run, "--by", "kind"),
        ("gate", run, "--write", contract), ("gate", run, "--contract", contract), ("data", "check", source),
        ("data", "stats", source), ("ls", "runs", "--in", str(tmp_path)), ("plan", "--on", source),
        ("show", run, "--failing", "3", "--format", "json"), ("show", run, "--format", "json"),
        ("show", run, "--by", "kind", "--format", "json"),
    ):  # fmt: skip
        done = nliprobe(*words)
        assert steering(done.stdout + done.stderr) == [], words
    shown = json.loads(nliprobe("show", run, "--failing", "3", "--format", "json").stdout)
    assert shown["cases"][0]["hypothesis"] == HOSTILE


def test_errors_steer_no_terminal(hostile: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.csv"
    wrong.write_text('premise,hypothesis,label\na,b,"\x1b[31m\u202exyz"\n', encoding="utf-8")
    yaml = tmp_path / "wrong.yaml"
    yaml.write_text('run:\n  "o\\e[31m\\x9b": 1\n', encoding="utf-8")
    for words, code in (
        (("data", "check", f"file:{wrong}"), 1),
        (("validate", f"file:{wrong}"), 1),
        (("validate", str(yaml)), 1),
        (("run", "--config", str(yaml), "--system", "majority", "--on", "x", "-o", "y"), 2),
        (("show", "no\x1b[31m\x9bsuch"), 1),
        (("no\x1b[31msuch",), 2),
        (("ls", "no\x1b[31msuch"), 2),
        (("run", "--\x1b[31m"), 2),
    ):
        done = nliprobe(*words, code=code)
        assert steering(done.stdout + done.stderr) == [], words
        assert done.stderr or done.stdout


def test_a_terminal_gets_colours_from_us_and_nothing_from_data(hostile: Path, tmp_path: Path) -> None:
    run = str(tmp_path / "run")
    name = "name=\x1b[5mblink[/x]"
    words = command(
        "run", "--system", f"majority?{name}", "--train", f"file:{hostile}", "--on", f"file:{hostile}", "-o", run
    )
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        words, stdout=theirs, stderr=theirs, stdin=theirs, env=environment({"TERM": "xterm"})
    ) as process:
        os.close(theirs)
        content = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            content += piece
    os.close(ours)
    text = content.decode("utf-8")
    assert process.returncode == 0, text
    assert "␛[5mblink[/x]" in text
    assert "\x1b[5m" not in text
    assert "\x1b[1m" in text  # ours: bold


def test_a_console_shows_brackets_and_escapes_as_they_are() -> None:
    import io

    from rich.table import Table

    stream = io.StringIO()
    table = Table()
    table.add_column("\x1b[31mhead[/x]")
    table.add_row("[bold]\x9bcell\u202e :smile:")
    new_console(stream).print(table, "[/nothing]")
    assert steering(stream.getvalue()) == []
    for text in ("␛[31mhead[/x]", "[bold]\ufffdcell\ufffd :smil", "[/nothing]"):
        assert text in stream.getvalue()


def test_verbs_print_through_one_place() -> None:
    """What is printed otherwise would go to standard error when output is redirected, and could steer the terminal."""
    home, names = ROOT / "src" / "nliprobe", {"print", "click.echo", "click.secho", "Console"}
    paths = [path for room in ("cli", "report", "api", "people") for path in sorted((home / room).rglob("*.py"))]
    calls = [
        (path.name, ast.unparse(node.func))
        for path in paths
        if path.name not in ("_output.py", "terminal.py", "remote_job.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    ]
    wrong = [(name, called) for name, called in calls if called in names]
    assert wrong == []


def test_a_narrow_encoding_is_no_error_and_json_keeps_its_value(hostile: Path, tmp_path: Path) -> None:
    run = tmp_path / "rün"
    source = f"file:{hostile}"
    nliprobe("run", "--quiet", "--system", "majority", "--train", source, "--on", source, "-o", str(run))
    narrow = {"PYTHONIOENCODING": "ascii"}
    assert "best constant" in nliprobe("show", str(run), env=narrow).stdout
    document = json.loads(nliprobe("show", str(run), "--format", "json", env=narrow).stdout)
    assert document["run"]["folder"].endswith("rün")
