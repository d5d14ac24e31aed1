"""Whole runs against a service: nothing is asked twice that was answered, and no secret is kept or printed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.helpers import command, environment, nliprobe, nliprobe_json
from tests.models import fault_server as faults
from tests.models.fault_server import Exchange, FaultServer, status

from nliprobe.base.interrupts import ONE_PRESS
from nliprobe.store.run import RunFolder

pytestmark = pytest.mark.faults

pytest.importorskip("httpx2", reason="services are asked with httpx2, which is not installed")

PAIRS = 90
SECRETS = ("S3cr3tPassw0rd", "S3cr3tQueryValue", "sk-S3cr3tKey", "bWU6UzNjcjN0UGFzc3cwcmQ")


def words(folder: Path, spec: str, out: str = "run") -> list[str]:
    rows = [
        {"premise": f"premise {n}", "hypothesis": f"this is {'ENC'[n % 3]}", "label": "ENC"[n % 3]}
        for n in range(PAIRS)
    ]
    (folder / "own.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    source = f"file:{folder / 'own.jsonl'}"
    return ["run", "--no-doctor", "--system", spec, "--on", source, "--shard-size", "60", "--out", str(folder / out)]


def journalled(folder: Path, names: set[str]) -> bool:
    text = "".join(path.read_text() for path in (folder / "run").glob("journal/*/*.jsonl"))
    return all(name in text for name in names)


def wait_until(true: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        assert process.poll() is None, process.stderr and process.stderr.read()
        time.sleep(0.01)


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()


def press_ctrl_c_twice(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    assert any("press Ctrl-C again to stop at once" in line for line in process.stderr)
    time.sleep(ONE_PRESS + 0.1)
    process.send_signal(signal.SIGINT)


@pytest.mark.parametrize("version", ["", "&version=1"])
@pytest.mark.parametrize("stop", [kill, press_ctrl_c_twice])
def test_a_run_that_is_broken_off_asks_nothing_again_that_was_answered(
    tmp_path: Path, own_cache: Path, stop: Callable[[subprocess.Popen[str]], None], version: str
) -> None:
    """The service answers some requests and then hangs: what it answered is known, and what was in flight was not."""
    with FaultServer(script=[faults.answer] * 5, usual=faults.hang) as server:
        spec = f"http:{server.url}?batch=4&concurrency=2&retries=0{version}"
        with subprocess.Popen(
            command(*words(tmp_path, spec)), env=environment(), stderr=subprocess.PIPE, text=True
        ) as process:
            wait_until(lambda: len(server.asked) == 7, process)
            answered = {name for asked in server.asked[:5] for name in asked.ids}
            wait_until(lambda: journalled(tmp_path, answered), process)
            stop(process)
        assert process.returncode in (-signal.SIGKILL, 130, 1)
        assert len(answered) == 20
        server.usual = faults.answer
        # How it is asked may change: it is the same service.
        spec = f"http:{server.url}?batch=7&concurrency=3{version}"
        done = nliprobe(*words(tmp_path, spec))
        rest = [name for asked in server.asked[7:] for name in asked.ids]
        assert len(rest) == len(set(rest)) == PAIRS - 20
        assert not set(rest) & answered
        assert "70 inputs asked, 20 known before" in done.stderr
        run = RunFolder.open(tmp_path / "run")
        assert run.complete
        assert run.predictions(run.systems[0].name)["status"].to_list() == ["ok"] * PAIRS
        assert not (tmp_path / "run" / "journal").exists()

        count = len(server.asked)
        nliprobe(*words(tmp_path, spec, "again"))
        assert sum(server.sizes()[count:]) == (0 if version else PAIRS)


def test_failed_inputs_are_asked_again_by_the_same_command_and_no_others(tmp_path: Path) -> None:
    lock, seen = threading.Lock(), set[str]()

    def flaky(exchange: Exchange) -> None:
        """Refuse every pair that ends in 7 the first time that it comes alone."""
        with lock:
            bad = [p["id"] for p in exchange.asked.body["pairs"] if p["premise"].endswith("7") and p["id"] not in seen]
            if len(exchange.asked.ids) == 1:
                seen.update(bad)
        (status(422) if bad else faults.answer)(exchange)

    with FaultServer(usual=flaky) as server:
        spec = f"http:{server.url}?batch=8&concurrency=3"
        done = nliprobe(*words(tmp_path, spec))
        assert "90 inputs asked, 0 known before, 9 failed (the same command asks them again)" in done.stderr
        count = len(server.asked)
        nliprobe(*words(tmp_path, spec))
        assert sum(server.sizes()[count:]) == 9
    assert RunFolder.open(tmp_path / "run").systems[0].failed == 0


def test_no_secret_is_in_a_run_the_cache_a_report_or_an_output(tmp_path: Path, own_cache: Path) -> None:
    """The service repeats all it was sent in good answers, failed ones and errors."""

    def repeats(exchange: Exchange) -> None:
        told = f"{exchange.asked.headers} {exchange.asked.path}"
        number = exchange.asked.number
        if number % 5 == 1:
            exchange.json({"detail": told}, 422)
        elif number % 5 == 2:
            exchange.json({"error": told}, 500, {"Retry-After": "0", "X-Told": told})
        elif number % 5 == 3:
            exchange.json({"answers": [{**row, "label": told} for row in faults.answers_to(exchange.asked)]})
        else:
            exchange.json({"answers": [{**row, "raw": told} for row in faults.answers_to(exchange.asked)]})

    texts: list[str] = []

    def noted(*asked: str, code: int = 0) -> None:
        # All that the libraries below would say is written, too.
        done = nliprobe(*asked, "--plugin", str(tmp_path / "noisy.py"), env={"MY_KEY": "sk-S3cr3tKey"}, code=code)
        texts.extend([done.stdout, done.stderr])

    (tmp_path / "noisy.py").write_text("import logging\nlogging.basicConfig(level=1)\n")
    with FaultServer(usual=repeats) as server:
        host = f"127.0.0.1:{server.port}/nli%3Fapi_key=S3cr3tQueryValue"
        key = f"http:http://{host}?key_env=MY_KEY&retries=1&batch=3&version=1"
        word = f"http:http://me:S3cr3tPassw0rd@{host}?retries=1&batch=3"
        noted(*words(tmp_path, key))
        noted(*words(tmp_path, word, "second"))
        assert {"Bearer sk-S3cr3tKey", "Basic bWU6UzNjcjN0UGFzc3cwcmQ="} == {
            asked.headers["authorization"] for asked in server.asked
        }
        assert {asked.path for asked in server.asked} == {"/nli?api_key=S3cr3tQueryValue"}
        server.usual = lambda exchange: exchange.json({"detail": str(exchange.asked)}, 401)
        noted(*words(tmp_path, word, "refused"), code=1)
        noted("doctor", key.replace("version=1", "version=2"), code=1)
        noted(*words(tmp_path, word.replace("retries=1", "retries")), code=2)
    texts.append(json.dumps(nliprobe_json("show", str(tmp_path / "run"))))
    nliprobe("report", str(tmp_path / "run"), "-o", str(tmp_path / "report.html"))
    (tmp_path / "out.txt").write_text("\n".join(texts))
    assert "HTTP Request: POST http://127.0.0.1" in "".join(texts), "the libraries were heard"
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert own_cache in {parent for path in files for parent in path.parents}
    assert len(files) > 10
    frames = [RunFolder.open(tmp_path / out) for out in ("run", "second")]
    raws = [raw or "" for run in frames for raw in run.predictions(run.systems[0].name)["raw"].to_list()]
    assert any("***" in raw for raw in raws), "what the service repeated was there, and was taken out"
    for secret in SECRETS:
        assert not [raw for raw in raws if secret in raw]
        assert not [path for path in files if secret.encode() in path.read_bytes()]
        assert not [path for path in files if secret in str(path)]


def test_the_doctor_sees_answers_that_depend_on_their_place_in_a_batch(tmp_path: Path) -> None:
    def by_place(exchange: Exchange) -> None:
        rows = faults.answers_to(exchange.asked)
        exchange.json({"answers": [{**row, "label": "ENC"[place % 3]} for place, row in enumerate(rows)]})

    with FaultServer(usual=by_place) as server:
        done = nliprobe("doctor", f"http:{server.url}?batch=64", env=dict(os.environ))
    assert "depend on their place in the batch" in done.stdout
