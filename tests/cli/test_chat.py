"""Runs of chat models on the command line: plan, cost, caps, kills, and no key anywhere."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.helpers import command, environment, nliprobe, nliprobe_json
from tests.models.chat_server import answers, chat_server, completion, far_apart, hypothesis_of, spec
from tests.models.fault_server import Exchange, FaultServer

pytest.importorskip("httpx2", reason="services are asked with httpx2, of nliprobe[http]")

PAIRS = 60


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with chat_server() as running:
        yield running


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    """Pairs whose premises come in turn, so that those of one premise are far from each other."""
    return far_apart(tmp_path, PAIRS)


@pytest.fixture
def cache(tmp_path: Path) -> dict[str, str]:
    return {"NLIPROBE_CACHE": str(tmp_path / "cache")}


def run(system: str, corpus: str, out: Path, *more: str) -> list[str]:
    return ["run", "--system", system, "--on", corpus, "--out", str(out), "--no-doctor", *more]


@pytest.mark.faults
@pytest.mark.parametrize("version", ["", "1"])
def test_a_killed_run_has_lost_what_was_under_way(
    server: FaultServer, corpus: str, tmp_path: Path, cache: dict[str, str], version: str
) -> None:
    def slow(exchange: Exchange) -> None:
        time.sleep(0.05)
        answers(exchange)

    server.usual = slow
    words = run(spec(server, concurrency=2, version=version), corpus, tmp_path / "run")
    process = subprocess.Popen(
        command(*words), env=environment(cache), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while len(server.asked) < 20 and process.poll() is None:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    before = len(server.asked)
    assert 20 <= before < PAIRS
    nliprobe(*words, env=cache)
    assert len(server.asked) <= PAIRS + 2
    asked = Counter(map(hypothesis_of, server.asked))
    assert len(asked) == PAIRS
    assert sum(count - 1 for count in asked.values()) <= 2, "only what had not come is asked again"
    if version:
        nliprobe(*run(spec(server, version=version), corpus, tmp_path / "another"), env=cache)
        assert sum(Counter(map(hypothesis_of, server.asked)).values()) == before + (len(server.asked) - before)
        assert len(server.asked) <= PAIRS + 2, "another run finds all answers in the cache"


def test_plan_shows_the_first_prompt_and_the_cost_and_asks_nothing(server: FaultServer, corpus: str) -> None:
    system = spec(server, price_in=2, price_out=8)
    done = nliprobe("plan", "--system", system, "--on", corpus)
    assert "[system]\nYou judge natural-language inference." in done.stdout
    assert "[user]\nPremise, a text:\nPremise 00.\n\nHypothesis:\nHypothesis 00 E\n\nAnswer with" in done.stdout
    assert f"tokens to send in {PAIRS} requests" in done.stdout
    assert "cost about 0.0" in done.stdout
    document = nliprobe_json("plan", "--system", system, "--on", corpus)["systems"][0]
    assert document["prompt"].startswith("[system]\n")
    assert document["estimate"]["requests"] == PAIRS
    assert 5_000 < document["estimate"]["tokens_in"] < 30_000
    assert document["estimate"]["cost"] == pytest.approx(
        (2 * document["estimate"]["tokens_in"] + 8 * document["estimate"]["tokens_out"]) / 1e6
    )
    assert server.asked == []


@pytest.mark.parametrize(("form", "shown"), [("json", '{"title": '), ("html", "<table>"), ("para", "The ")])
def test_plan_names_the_form_of_tables(server: FaultServer, form: str, shown: str) -> None:
    done = nliprobe("plan", "--system", spec(server, represent=form), "--on", "builtin/tables-dev?limit=2")
    prompt = done.stdout.partition("[user]\n")[2]
    assert prompt.startswith("Premise, a table")
    assert prompt.partition("\n")[2].startswith(shown)


def test_examples_are_written_by_plan_and_shown_to_the_model(
    server: FaultServer, tmp_path: Path, cache: dict[str, str]
) -> None:
    file = tmp_path / "shots.jsonl"
    done = nliprobe("plan", "--on", "builtin/tables-train?sample=60", "--represent", "json", "--examples", str(file))
    assert f"examples written to {file}" in done.stderr
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert {line["form"] for line in lines} == {"json"}
    assert {line["label"] for line in lines} == {"E", "N", "C"}
    system = spec(server, represent="json", shots=3, shots_from=file)
    nliprobe(*run(system, "builtin/tables-dev?limit=2", tmp_path / "run"), env=cache)
    messages = server.asked[0].body["messages"]
    assert [turn["role"] for turn in messages] == ["system", *(["user", "assistant"] * 3), "user"]
    assert sorted(turn["content"] for turn in messages[2:7:2]) == ["contradiction", "entailment", "neutral"]
    for turn in messages[1:8:2]:
        assert turn["content"].startswith('Premise, a table as a JSON object:\n{"title": ')


@pytest.mark.faults
def test_no_key_and_no_password_anywhere(
    server: FaultServer, corpus: str, tmp_path: Path, cache: dict[str, str]
) -> None:
    key, password = "sk-very-secret-0123456789", "pass-word-42"

    def echo(exchange: Exchange) -> None:
        # A service that repeats what it was sent, in an error as well as in an answer.
        sent = exchange.asked.headers["authorization"]
        said = f"you sent {sent}" + (f" and {password}" if sent.startswith("Basic") else "")
        if exchange.asked.number % 2:
            exchange.json({"error": {"message": said}}, 400)
        else:
            exchange.json(completion(said))

    server.usual = echo
    keyed = spec(server, key_env="MY_SECRET_KEY", version="1")
    basic = spec(server).replace("http://", f"http://me:{password}@")
    said = ""
    for number, system in enumerate((keyed, basic)):
        folder = tmp_path / f"run{number}"
        env = {**cache, "MY_SECRET_KEY": key}
        for words in (
            run(system, corpus, folder),
            ["report", str(folder), "--out", str(folder / "r.html")],
        ):
            done = subprocess.run(command(*words), capture_output=True, text=True, env=environment(env), check=False)
            said += done.stdout + done.stderr
        done = subprocess.run(
            command("plan", "--system", system, "--on", corpus),
            capture_output=True,
            text=True,
            env=environment(env),
            check=False,
        )
        said += done.stdout + done.stderr
    assert {asked.headers.get("authorization", "")[:6] for asked in server.asked} == {"Bearer", "Basic "}
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 10
    for secret in (key, password):
        assert secret not in said
        for path in files:
            assert secret.encode() not in path.read_bytes(), path
