"""Disks that are full or read-only: every verb that writes says so in a sentence, and leaves nothing half-written."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.cli.helpers import NO_BYTECODE, command, environment, nliprobe

pytestmark = pytest.mark.faults

# The words of a verb; OUT is where it writes, RUN a run, HERE a folder with what it reads.
WRITERS = {
    "report.html": "report RUN -o OUT/r.html",
    "report.md": "report RUN -o OUT/r.md",
    "report.json": "report RUN -o OUT/r.json",
    "gate --write": "gate RUN --write OUT/contract.yaml",
    "gate --junit": "gate RUN --contract HERE/contract.yaml --junit OUT/junit.xml",
    "train majority": "train majority --train builtin/sentences-train -o OUT/model",
    "train svm": "train svm --train builtin/sentences-train -o OUT/model",
    "plan": "plan --on builtin/sentences-dev?limit=5 -o OUT/inputs.jsonl",
    "generate parquet": "generate checklist --n 2 --only negation -o OUT/x.parquet",
    "generate jsonl": "generate checklist --n 2 --only negation -o OUT/x.jsonl",
    "generate csv": "generate checklist --n 2 --only negation -o OUT/x.csv",
    "generate tsv": "generate checklist --n 2 --only negation -o OUT/x.tsv",
    "generate folder": "generate checklist --n 2 --only negation -o OUT/x",
    "generate tables parquet": "generate tables --total 30 -o OUT/x.parquet",
    "generate tables csv": "generate tables --total 30 -o OUT/x.csv",
    "generate tables folder": "generate tables --total 30 -o OUT/x",
    "run": "run --system majority --train builtin/sentences-train --on builtin/sentences-dev?limit=5 -o OUT/run",
    "annotate": "annotate write builtin/sentences-dev?limit=5 -o OUT/sheets",
    "guessability csv": "data guessability builtin/sentences-train -o OUT/hard.csv",
    "guessability parquet": "data guessability builtin/sentences-train -o OUT/hard.parquet",
    "import": "data import HERE/table.json -o OUT/corpus.jsonl",
    "import --template": "data import HERE/table.json --template OUT/sheet.csv",
    "stats --html": "data stats builtin/sentences-dev --html OUT/stats.html",
    "reproduce --html": "reproduce swap:table2 --html OUT/page.html",
}
PRINTERS = (
    "--help", "--version", "ls", "ls templates --format json", "show RUN", "show RUN --format json",
    "show RUN --failing 2", "show RUN --by style", "compare RUN RUN2", "gate RUN --contract HERE/contract.yaml",
    "doctor majority --train builtin/sentences-train", "plan --on builtin/sentences-dev", "data ls", "data where",
    "data check builtin/sentences-dev", "data stats builtin/sentences-dev", "data import HERE/table.json -o -",
    "data guessability builtin/sentences-train",
    "validate HERE/contract.yaml", "cache where", "reproduce --list", "reproduce --list --format json",
    "score --on builtin/sentences-dev?limit=5 --predictions HERE/answers.jsonl --labels E,N,C --in-order",
)  # fmt: skip


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("here")
    for name, seed in (("run", "0"), ("run2", "1")):
        nliprobe(
            "run", "--quiet", "--system", "majority", "--train", "builtin/sentences-train", "--seed", seed,
            "--on", "builtin/sentences-dev?limit=30", "-o", str(folder / name),
        )  # fmt: skip
    nliprobe("gate", str(folder / "run"), "--write", str(folder / "contract.yaml"))
    table = {"title": ["Paris"], "Country": ["France"], "Population": ["2 million"]}
    (folder / "table.json").write_text(json.dumps(table), encoding="utf-8")
    (folder / "answers.jsonl").write_text('{"label": "E"}\n' * 5, encoding="utf-8")
    return folder


def words(line: str, here: Path, out: Path | None = None) -> list[str]:
    names = {"RUN2": here / "run2", "RUN": here / "run", "HERE": here, "OUT": out}
    shown = []
    for word in line.split():
        for name, path in names.items():
            if word.startswith(name):
                word = f"{path}{word.removeprefix(name)}"
        shown.append(word)
    return shown


# Calls verbs one after the other in one process, which is much quicker; the first argument is what standard output is.
DRIVER = """
import json, os, sys
from nliprobe.cli.main import main

plain, shown, (output, *lines) = sys.stdout, sys.stderr, json.loads(sys.argv[1])
results = []
for line in lines:
    reading, writing = os.pipe()
    before = os.dup(2)
    os.dup2(writing, 2)
    os.close(writing)
    sys.stdout, sys.stderr = plain, open(2, "w", closefd=False)
    os.dup2(os.open(output, os.O_WRONLY), 1)
    sys.argv = ["nliprobe", *line]
    try:
        main()
    except SystemExit as end:
        code = end.code
    except BaseException as error:
        code = f"Traceback: {error!r}"
    sys.stderr.flush()
    os.dup2(before, 2)
    os.dup2(before, 1)  # standard output is standard error now, and the pipe must end
    with open(reading) as errors:
        results.append((code, errors.read()))
shown.write(json.dumps(results))
"""


class Ended(NamedTuple):
    """How a verb ended, and what it wrote to standard error."""

    code: int | str
    errors: str


def drive(
    lines: Sequence[Sequence[str]],
    *,
    within: Sequence[str] = (),
    stdout: str = os.devnull,
    env: Mapping[str, str] | None = None,
    before: Callable[[], None] | None = None,
) -> list[Ended]:
    driver = [*within, sys.executable, "-c", DRIVER, json.dumps([stdout, *lines])]
    done = subprocess.run(driver, capture_output=True, text=True, env=environment(env), preexec_fn=before, check=False)
    assert done.returncode == 0, done.stderr
    return [Ended(*item) for item in json.loads(done.stderr)]


def refused(ended: Sequence[Ended], names: Iterable[str], *sentences: str) -> None:
    """Check that each verb ended in a sentence."""
    for name, (code, errors) in zip(names, ended, strict=True):
        assert code in (1, 2), (name, code, errors)
        last = errors.splitlines()[-1]
        assert last.startswith("nliprobe: "), (name, errors)
        assert not sentences or any(sentence in last for sentence in sentences), (name, errors)


def left(folder: Path) -> list[str]:
    """Return what a verb left half-written."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [str(path) for path in files if ".partial" in str(path) or not path.stat().st_size]


def small_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))


def test_a_full_disk_is_a_sentence(here: Path, tmp_path: Path) -> None:
    lines = [words(line, here, tmp_path / str(place)) for place, line in enumerate(WRITERS.values())]
    ended = drive(lines, env={**NO_BYTECODE, "NLIPROBE_CACHE": str(tmp_path / "cache")}, before=small_files)
    refused(ended, WRITERS, "No space left to write")
    assert left(tmp_path) == []


def test_a_file_where_a_folder_should_be_is_a_sentence(here: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    lines = [words(line, here, tmp_path / "file") for line in WRITERS.values()]
    refused(drive(lines), WRITERS, "Cannot write", "is not a folder")
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_path_that_cannot_be_is_a_sentence(here: Path) -> None:
    lines = [words(line, here, Path("/proc/none")) for line in WRITERS.values()]
    refused(drive(lines), WRITERS, "Cannot write")


@pytest.mark.parametrize("options", ["ro", "size=4k"])
def test_a_mount_that_is_read_only_or_full_is_a_sentence(options: str, here: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    filled = "" if options == "ro" else f"&& cat /dev/zero > {out}/zeros 2> {os.devnull}"
    mounting = f"mount -t tmpfs -o {options} none {out}"
    if subprocess.run(["unshare", "-rm", "sh", "-c", mounting], capture_output=True, check=False).returncode:
        pytest.skip("file systems cannot be mounted here without privileges")
    script = f'{mounting} {filled}; "$@"; code=$?; test -z "$(find {out} -name "*.partial")" && exit $code'
    lines = [words(line, here, out) for line in WRITERS.values()]
    ended = drive(lines, within=["unshare", "-rm", "sh", "-c", script, "sh"])
    refused(ended, WRITERS, "Read-only file system" if options == "ro" else "No space left to write")


def test_a_cache_that_cannot_be_written_or_cleared_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "answers").write_text("not a folder", encoding="utf-8")
    (tmp_path / "models").write_text("not a folder", encoding="utf-8")
    asked = ["run", "--system", "svm", "--train", "builtin/sentences-train", "--on", "builtin/sentences-dev?limit=3"]
    lines = [[*asked, "-o", str(tmp_path / "run")], ["cache", "clear", "--yes"]]
    refused(drive(lines, env={"NLIPROBE_CACHE": str(tmp_path)}), ("run", "clear"))


def test_a_full_standard_output_is_a_sentence(here: Path) -> None:
    ended = drive([words(line, here) for line in PRINTERS], stdout="/dev/full")
    refused(ended, PRINTERS, "Cannot write to standard output: No space left on device.")


def test_a_full_standard_error_does_not_stop_the_work(here: Path, tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command(*words(WRITERS["run"], here, tmp_path)), stdout=subprocess.PIPE, stderr=full, text=True,
            env=environment(), check=False,
        )  # fmt: skip
    assert done.returncode == 0
    assert "Accuracy" in done.stdout


def test_devices_and_pipes_are_written_to_and_never_replaced(here: Path, tmp_path: Path) -> None:
    # Only through links and pipes of its own: replacing a device would break the machine that runs the test.
    full, pipe = tmp_path / "full.json", tmp_path / "pipe.jsonl"
    full.symlink_to("/dev/full")
    refused(drive([words(f"report RUN -o {full}", here)]), ["report"], f"No space left to write {full}")
    assert full.is_symlink()
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        nliprobe("plan", "--on", "builtin/sentences-dev?limit=5", "-o", str(pipe))
        assert reader.stdout is not None
        assert len(reader.stdout.read().splitlines()) == 5
    assert pipe.is_fifo()
