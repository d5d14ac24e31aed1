"""Faults from outside: kill -9 at any moment, a full disk, Ctrl-C."""

from __future__ import annotations

import json
import random
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest
from tests.cli.helpers import NO_BYTECODE, Forked, command, environment, nliprobe

from nliprobe.store.run import RunFolder

pytestmark = pytest.mark.faults

# Answers by content, slowly enough that a kill hits the middle of things. What a test changes about it is in the
# environment, because an edited file would be another model.
MODEL = """
import hashlib, os, time

if "MUST_NOT_LOAD" in os.environ:
    raise SystemExit("the model must not be loaded, not even by the doctor")

def answer(pairs):
    time.sleep(float(os.environ.get("DELAY", "0.002")) * len(pairs) / 16)
    return ["ENC"[hashlib.sha1((p + h).encode()).digest()[0] % 3] for p, h in pairs]
"""
KILLS = 12
NOT_LOADED = {"MUST_NOT_LOAD": "1"}


def words(tmp_path: Path, out: str, *more: str) -> list[str]:
    (tmp_path / "model.py").write_text(MODEL)
    return [
        "run", "--quiet", "--system", f"python:{tmp_path / 'model.py'}:answer?version=1",
        "--on", "builtin/tables-dev", "--probes", "gold,rows.delete,rows.permute?n=12",
        "--shard-size", "256", "--out", str(tmp_path / out), *more,
    ]  # fmt: skip


def answers(path: Path) -> dict[str, tuple[object, ...]]:
    run = RunFolder.open(path)
    assert run.complete
    frame = run.predictions(run.systems[0].name)
    assert frame["case_id"].n_unique() == frame.height, "every case once"
    cases = run.read("cases")
    assert set(cases["case_id"]) == set(frame["case_id"])
    assert run.read("pairs")["pair_id"].n_unique() == run.read("pairs").height == 216
    return {row[0]: row[1:] for row in frame.rows()}


@pytest.mark.studio
def test_run_survives_kill_9_at_random_moments(tmp_path: Path) -> None:
    nliprobe("--version")  # the process from which others are forked is there
    started = time.monotonic()
    nliprobe(*words(tmp_path, "undisturbed"), env={"NLIPROBE_CACHE": str(tmp_path / "cache-a")})
    longest = time.monotonic() - started
    expected = answers(tmp_path / "undisturbed")
    moments = random.Random(20)
    kills = rounds = 0
    while kills < KILLS:
        rounds += 1
        out = f"disturbed{rounds}"
        env = environment({"NLIPROBE_CACHE": str(tmp_path / f"cache-{rounds}")})
        code = -signal.SIGKILL
        while code == -signal.SIGKILL:
            with Forked(words(tmp_path, out), tmp_path, env) as process:
                try:
                    # From its beginning until after the end; the last one may end by itself.
                    code = process.wait(moments.uniform(0, 1.1) * longest if kills < KILLS else None)
                except TimeoutError:
                    code = process.kill()
                    kills += code == -signal.SIGKILL
                errors = process.complained()
        assert code == 0, errors
        assert answers(tmp_path / out) == expected


def test_a_full_disk_is_one_sentence_and_nothing_half_written(tmp_path: Path) -> None:
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (6_000, 6_000))

    done = subprocess.run(
        command(*words(tmp_path, "run")), env=environment(NO_BYTECODE), capture_output=True, text=True,
        preexec_fn=small_files, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "No space left to write" in done.stderr
    assert "continues where it stopped" in done.stderr
    assert not [path for path in tmp_path.rglob("*") if path.name.endswith(".partial")]
    nliprobe(*words(tmp_path, "run"))
    nliprobe(*words(tmp_path, "undisturbed"))
    assert answers(tmp_path / "run") == answers(tmp_path / "undisturbed")


def test_ctrl_c_finishes_the_shard_and_says_how_to_continue(tmp_path: Path) -> None:
    run = words(tmp_path, "run")
    slow = environment({"DELAY": "0.02"})  # the end must not come first
    process = subprocess.Popen(command(*run), env=slow, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not list((tmp_path / "run").glob("predictions/*/00001.parquet")):
        assert time.monotonic() < deadline
        assert process.poll() is None, "the run ended before it could be interrupted"
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "all kept. Continue with: nliprobe run" in errors
    assert not RunFolder.open(tmp_path / "run").complete
    nliprobe(*words(tmp_path, "run"))
    nliprobe(*words(tmp_path, "undisturbed"))
    assert answers(tmp_path / "run") == answers(tmp_path / "undisturbed")


@pytest.mark.parametrize("out", ["run"])
def test_a_complete_run_is_free(tmp_path: Path, out: str) -> None:
    nliprobe(*words(tmp_path, out))
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / out).rglob("*")}
    done = nliprobe(*words(tmp_path, out), env=NOT_LOADED)
    assert "is complete" in done.stderr
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / out).rglob("*")} == before


def test_a_new_folder_with_a_warm_cache_asks_nothing(tmp_path: Path) -> None:
    nliprobe(*words(tmp_path, "first"))
    nliprobe(*words(tmp_path, "second"), env=NOT_LOADED)
    assert answers(tmp_path / "second") == answers(tmp_path / "first")


# Waits in Python until it may go on, or computes outside Python, where no handler of signals can run.
SLOW = """
import hashlib, pathlib, time

here = pathlib.Path(__file__).parent

def answer(pairs, how):
    if any("SLOW" in hypothesis for _, hypothesis in pairs):
        (here / "started").touch()
        if how == "outside":
            hashlib.pbkdf2_hmac("sha256", b"x", b"y", 20_000_000)
        while not (here / "go").exists():
            time.sleep(0.02)
        (here / "ended").touch()
    return ["E" for _ in pairs]
"""


@pytest.mark.parametrize("how", ["inside", "outside"])
def test_the_first_ctrl_c_is_acknowledged_while_a_slow_model_is_asked(tmp_path: Path, how: str) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    rows = [{"premise": "a", "hypothesis": f"SLOW {number}", "label": "ENC"[number % 3]} for number in range(40)]
    (tmp_path / "own.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    asked = command(
        "run", "--quiet", "--system", f"python:{tmp_path / 'slow.py'}:answer?how={how}", "--shard-size", "20",
        "--on", f"file:{tmp_path / 'own.jsonl'}", "--out", str(tmp_path / "run"),
    )  # fmt: skip
    with subprocess.Popen(asked, env=environment(), stderr=subprocess.PIPE, text=True) as process:
        while not (tmp_path / "started").exists():
            assert process.poll() is None, process.stderr and process.stderr.read()
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        line = next(line for line in process.stderr if "Ctrl-C" in line)
        assert line == "nliprobe: stopping after the current shard; press Ctrl-C again to stop at once.\n"
        assert not (tmp_path / "ended").exists()
        if how == "outside":
            process.kill()
            return
        (tmp_path / "go").touch()
        rest = process.stderr.read()
    assert process.returncode == 130
    assert "Stopped after 20 cases, all kept. Continue with: nliprobe run" in rest
    assert "press Ctrl-C" not in rest
