"""The face of a chat service for the fault-injecting server: OpenAI's chat completions, right and wrong ones."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.models.fault_server import Asked, Behaviour, Exchange, FaultServer

WORDS = {"E": "entailment", "N": "neutral", "C": "contradiction"}
_HYPOTHESIS = re.compile(r"Hypothesis:\n(.*)\n\nAnswer with", re.DOTALL)


def hypothesis_of(asked: Asked) -> str:
    """The hypothesis of the last turn of a prompt."""
    match = _HYPOTHESIS.search(asked.body["messages"][-1]["content"])
    assert match is not None, asked.body["messages"]
    return match[1]


def word_of(asked: Asked) -> str:
    """The label that the last letter of the hypothesis names."""
    return WORDS.get(hypothesis_of(asked)[-1:], "neutral")


def completion(text: str | None, finish: str | None = "stop", **more: Any) -> dict[str, Any]:
    """The reply of a service; ``usage``, ``message`` and ``logprobs`` replace or add fields."""
    message = {"role": "assistant", "content": text, **more.get("message", {})}
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": finish}
    if "logprobs" in more:
        choice["logprobs"] = more["logprobs"]
    reply = {"id": "chatcmpl-1", "object": "chat.completion", "model": "m", "choices": [choice]}
    usage = more.get("usage", {"prompt_tokens": 100, "completion_tokens": 2, "total_tokens": 102})
    return reply if usage is None else {**reply, "usage": usage}


def says(text: str | None, finish: str | None = "stop", **more: Any) -> Behaviour:
    """Answer with a text."""
    return lambda exchange: exchange.json(completion(text, finish, **more))


def answers(exchange: Exchange) -> None:
    """Answer with the label that the hypothesis names."""
    exchange.json(completion(word_of(exchange.asked)))


def weighed(text: str, **likely: float) -> Behaviour:
    """Answer with a text, and the log probabilities of its first token, which is the first of those given here."""
    others = [{"token": token, "logprob": math.log(share), "bytes": None} for token, share in likely.items()]
    rest = {"token": text.removeprefix(str(others[0]["token"])), "logprob": 0.0, "top_logprobs": []}
    return says(text, logprobs={"content": [{**others[0], "top_logprobs": others}, rest]})


def refuses(field: str, sentence: str, usual: Callable[[Exchange], None] = answers, code: int = 400) -> Behaviour:
    """Answer, except for requests with a field that the service does not take."""

    def behave(exchange: Exchange) -> None:
        if field in exchange.asked.body:
            exchange.json({"error": {"message": sentence, "type": "invalid_request_error", "param": field}}, code)
        else:
            usual(exchange)

    return behave


def spec(server: FaultServer, **parameters: object) -> str:
    """The system that asks the server."""
    given: Mapping[str, object] = {"base_url": f"http://127.0.0.1:{server.port}/v1", "retries": 2, **parameters}
    return "chat:tiny?" + "&".join(f"{name}={value}" for name, value in given.items())


def chat_server() -> FaultServer:
    """A server that answers as a chat service does."""
    return replace(FaultServer(), usual=answers)


def far_apart(folder: Path, pairs: int) -> str:
    """Write pairs whose premises come in turn, so that those of one premise are far from each other."""
    lines = [
        {"premise": f"Premise {n % 20:02d}.", "hypothesis": f"Hypothesis {n:02d} {'ENC'[n % 3]}", "label": "ENC"[n % 3]}
        for n in range(pairs)
    ]
    path = folder / "pairs.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return f"file:{path}"
