"""Runs of chat models: in which order they ask, what they cost, where caps stop them, and what is asked again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from tests.models.chat_server import chat_server, completion, far_apart, hypothesis_of, says, spec
from tests.models.fault_server import FaultServer

import nliprobe
from nliprobe.base.errors import ModelError, StoreError
from nliprobe.models.chat.budget import BudgetReached

pytest.importorskip("httpx2", reason="services are asked with httpx2, which is not installed")

PAIRS = 60


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with chat_server() as running:
        yield running


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Pairs whose premises come in turn, so that those of one premise are far from each other; and an empty cache."""
    monkeypatch.setenv("NLIPROBE_CACHE", str(tmp_path / "cache"))
    return far_apart(tmp_path, PAIRS)


def premises(server: FaultServer) -> list[str]:
    return [asked.body["messages"][-1]["content"].partition("\n\n")[0] for asked in server.asked]


def test_a_run_is_complete_and_then_free(server: FaultServer, corpus: str, tmp_path: Path) -> None:
    for _ in range(2):
        run = nliprobe.run(spec(server), corpus, out=tmp_path / "run", doctor=False)
        assert len(server.asked) == PAIRS
    assert run.complete
    assert run.scores()["accuracy"].to_list() == [1.0]


def test_all_hypotheses_of_a_premise_are_asked_together(server: FaultServer, corpus: str, tmp_path: Path) -> None:
    nliprobe.run(spec(server, concurrency=1), corpus, out=tmp_path / "run", doctor=False)
    assert premises(server) == sorted(premises(server))
    assert sum(one == two for one, two in pairwise(premises(server))) == PAIRS - 20


def test_a_cap_stops_the_run_and_a_higher_one_continues_it(server: FaultServer, corpus: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    # Each reply counts 102 tokens.
    low = spec(server, max_tokens_total=2000, max_tokens=8, concurrency=4)
    with pytest.raises(
        BudgetReached, match="The budget max_tokens_total=2,000 does not allow another request"
    ) as caught:
        nliprobe.run(low, corpus, out=folder, doctor=False)
    assert isinstance(caught.value, ModelError)
    assert "repeat the command with a higher cap to continue" in str(caught.value)
    first = len(server.asked)
    assert 15 <= first < 20
    with pytest.raises(BudgetReached):
        nliprobe.run(low, corpus, out=folder, doctor=False)
    assert len(server.asked) - first <= 1, "what was spent before counts"
    high = spec(server, max_cost=1, price_in=100, price_out=100, max_tokens=8)
    run = nliprobe.run(high, corpus, out=folder, doctor=False)
    assert run.complete
    assert len(server.asked) == PAIRS, "nothing is paid for twice"
    assert set(Counter(map(hypothesis_of, server.asked)).values()) == {1}
    said = json.dumps(run.summary()["notes"])
    assert f"Spent: {100 * PAIRS:,} + {2 * PAIRS:,} tokens (requests + answers), 0.612 at the given prices" in said
    assert f"for {PAIRS} requests" in said


def test_a_cap_that_the_doctor_reaches_is_raised_in_the_same_folder(
    server: FaultServer, corpus: str, tmp_path: Path
) -> None:
    def asked(version: int, cap: int, folder: str) -> int:
        before = len(server.asked)
        system = spec(server, max_tokens_total=cap, version=version, max_tokens=8)
        nliprobe.run(system, corpus, out=tmp_path / folder)
        return len(server.asked) - before

    with pytest.raises(BudgetReached, match="max_tokens_total=1,000"):
        asked(1, 1000, "capped")
    begun = len(server.asked)
    assert 0 < begun < 10
    assert begun + asked(1, 10**6, "capped") == asked(2, 10**6, "uncapped"), "nothing is paid for twice"


def test_answers_that_are_none_are_counted_and_reported(server: FaultServer, corpus: str, tmp_path: Path) -> None:
    server.usual = says("I would rather not say.")
    run = nliprobe.run(spec(server), corpus, out=tmp_path / "run", doctor=False)
    assert len(server.asked) == PAIRS
    summary = run.summary()
    assert (
        f"{PAIRS} of {PAIRS} answers to the last command count as no answer ({PAIRS}: it is not one of the labels)."
        in json.dumps(summary["notes"])
    )
    assert (summary["scores"][0]["accuracy"], summary["scores"][0]["unanswered"]) == (0.0, PAIRS)
    assert set(run.predictions()["raw"]) == {"I would rather not say."}
    assert "no answer" in run.report(tmp_path / "report.html").read_text(encoding="utf-8")


def test_what_the_doctor_asks_is_in_the_account(server: FaultServer, corpus: str, tmp_path: Path) -> None:
    server.usual = lambda exchange: exchange.json(completion("neutral"))
    said: list[str] = []
    nliprobe.run(spec(server), corpus, out=tmp_path / "run", say=said.append)
    assert "too few to tell whether its labels are in order" in " ".join(said)
    accounts = (tmp_path / "run" / "spent").rglob("*.jsonl")
    lines = [line for path in accounts for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == len(server.asked) > PAIRS


def test_a_changed_prompt_does_not_continue_a_run(server: FaultServer, corpus: str, tmp_path: Path) -> None:
    prompt = tmp_path / "mine.yaml"
    labels = "labels: {E: entailment, N: neutral, C: contradiction}"
    text = f"{labels}\nuser: |-\n  {{premise}}\n  Hypothesis:\n  {{hypothesis}}\n\n  Answer with a word."
    prompt.write_text(text, encoding="utf-8")
    system = spec(server, prompt=prompt)
    nliprobe.run(system, corpus, out=tmp_path / "run", doctor=False)
    prompt.write_text(text.replace("a word", "one word"), encoding="utf-8")
    with pytest.raises(StoreError, match=r"mine.yaml.* changed since the run was begun"):
        nliprobe.run(system, corpus, out=tmp_path / "run", doctor=False)
    assert len(server.asked) == PAIRS
