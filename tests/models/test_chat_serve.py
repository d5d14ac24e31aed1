"""Chat models against a real server of the protocol: ``transformers serve`` with models that are made here."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from nliprobe.base.registry import Spec
from nliprobe.models import MODELS
from nliprobe.task.case import Input, Status
from nliprobe.task.labels import LabelSet

for package in ("torch", "transformers", "fastapi", "uvicorn", "openai", "httpx2"):
    pytest.importorskip(package, reason="a real chat server needs transformers[serving] and nliprobe[http]")

ASKED = [Input(f"{n:024x}", (f"Premise {n // 3}.",), f"Hypothesis {n}.") for n in range(6)]
WORD = "neutral"
START_SECONDS = 120


def tokenizer() -> Any:
    """One token per byte, and a chat template."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    vocabulary = {character: place for place, character in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    bytewise = Tokenizer(models.BPE(vocab={**vocabulary, "<|end|>": 256, "<|turn|>": 257}, merges=[]))
    bytewise.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bytewise.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=bytewise,
        eos_token="<|end|>",
        pad_token="<|end|>",
        additional_special_tokens=["<|turn|>"],
    )
    fast.chat_template = "{% for m in messages %}<|turn|>{{ m.role }}: {{ m.content }}\n{% endfor %}<|turn|>assistant: "
    return fast


def save(folder: Path, *, word: str = "") -> None:
    """Save a tiny language model: a random one, or one that says a word of different letters whatever it is asked.

    The second knows only the last token: without attention and feed-forward layers, each token is followed by the one
    that the last matrix names.
    """
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    fast = tokenizer()
    width = 272 if word else 16
    config = LlamaConfig(
        vocab_size=258, hidden_size=width, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2,
        max_position_embeddings=8192, eos_token_id=256, bos_token_id=256, pad_token_id=256,
    )  # fmt: skip
    torch.manual_seed(0)
    model = LlamaForCausalLM(config)
    if word:
        layer = model.model.layers[0]
        with torch.no_grad():
            for weight in (layer.self_attn.o_proj.weight, layer.mlp.down_proj.weight, model.lm_head.weight):
                weight.zero_()
            model.model.embed_tokens.weight.copy_(torch.eye(258, width))
            follows = [fast(" ").input_ids[0], *fast(word).input_ids, 256]
            for token, following in pairwise(follows):
                model.lm_head.weight[following, token] = 1.0
    model.save_pretrained(folder)
    fast.save_pretrained(folder)


@contextlib.contextmanager
def serving(logs: Path) -> Iterator[str]:
    """Serve, until the block ends, every model that is asked for by its folder."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    program = "from transformers.cli.transformers import main; main()"
    words = ["serve", "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    env = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    log = logs / "serve.log"
    with log.open("wb") as stream:
        process = subprocess.Popen([sys.executable, "-c", program, *words], env=env, stdout=stream, stderr=stream)
    try:
        _wait(f"http://127.0.0.1:{port}/health", process, log)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=5) as answer:
            if answer.status == 200:
                return
        time.sleep(0.2)
    pytest.fail("transformers serve does not start: " + log.read_text(errors="replace")[-2000:])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("serve")) as url:
        yield url


@pytest.fixture(scope="module")
def random_model(tmp_path_factory: pytest.TempPathFactory, server: str) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("random")
    save(folder)
    return folder, server


def ask(folder: Path, url: str, **parameters: object) -> tuple[list[Any], list[str]]:
    given = "&".join(f"{name}={value}" for name, value in {"base_url": url, "max_tokens": 12, **parameters}.items())
    model = MODELS.get("chat").from_spec(Spec.parse(f"chat:{folder}?{given}"), None)
    try:
        return list(model.predict(ASKED)), model.notes()
    finally:
        model.close()


def test_a_random_model_gives_no_answer_and_all_of_it_is_counted(random_model: tuple[Path, str]) -> None:
    given, notes = ask(*random_model)
    assert {item.status for item in given} == {Status.NO_ANSWER}
    assert all(item.raw for item in given)
    assert notes[0].startswith("6 of 6 answers to the last command count as no answer (")
    assert "6 requests" in notes[1]
    assert "estimated" not in notes[1], "the server counts tokens"


def test_what_the_server_does_not_take_is_left_out_and_said(random_model: tuple[Path, str]) -> None:
    given, notes = ask(*random_model, answer="choice", logprobs=1, concurrency=1)
    assert {item.status for item in given} == {Status.NO_ANSWER}
    assert "answer=choice is not supported" in notes[0]
    assert "structured_outputs" in notes[0]


def test_a_run_of_it_is_complete_and_reported(
    random_model: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import nliprobe

    monkeypatch.setenv("NLIPROBE_CACHE", str(tmp_path / "cache"))
    folder, url = random_model
    run = nliprobe.run(
        f"chat:{folder}?base_url={url}&max_tokens=4",
        "builtin/tables-dev?limit=4",
        probes=["gold"],
        out=tmp_path / "run",
        doctor=False,
    )
    assert run.complete
    assert run.predictions()["status"].unique().to_list() == ["no answer"]
    run.report(tmp_path / "report.html")
    assert "no answer" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_model_that_says_a_label_is_read(tmp_path: Path, server: str) -> None:
    save(tmp_path, word=WORD)
    given, notes = ask(tmp_path, server, seed=3, top_p=0.9, answer="json_schema")
    assert [(item.label, item.raw) for item in given] == [(LabelSet.of("N"), None)] * 6
    assert len(notes) == 1
    assert notes[0].startswith("Spent: ")
