"""Reading the reply of a chat service: what was written, why it ended, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from nliprobe.models.chat.likelihood import Token, read_tokens
from nliprobe.models.failures import InputsFailed


class Usage(NamedTuple):
    """How many tokens a request and its answer had; ``estimated`` where the service does not say."""

    tokens_in: int
    tokens_out: int
    estimated: bool = False


class Completion(NamedTuple):
    """An answer of a chat service.

    Attributes:
        text: what the model wrote.
        problem: why it counts as no answer although something came back, or nothing.
        tokens: its tokens, where log probabilities were asked for and given.
        usage: what it cost, if the service says so.
    """

    text: str
    problem: str
    tokens: list[Token]
    usage: Usage | None


# No request has more tokens: a larger number is a mistake of the service, and would exhaust every budget.
_MOST_TOKENS = 10**9
_ENDS = {
    "length": "it was cut off at max_tokens",
    "content_filter": "the service's filter stopped it",
}


def read_completion(content: object) -> Completion:
    """Read the JSON of a reply.

    Raises:
        InputsFailed: it is not an answer of a chat service.
    """
    record = content if isinstance(content, Mapping) else {}
    choices = record.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(choice, Mapping) or not isinstance(message, Mapping):
        keys = ", ".join(sorted(str(key) for key in record)[:8]) or "nothing"
        raise InputsFailed(
            f"the reply is not that of a chat service: it has {keys}, and no choices with a message. "
            "base_url= should be the address before /chat/completions, which often ends in /v1"
        )
    text = _text(message.get("content"))
    refusal = message.get("refusal")
    reason = str(choice.get("finish_reason"))
    problem = _ENDS.get(reason, "")
    if not problem and isinstance(refusal, str) and refusal:
        text, problem = text or refusal, "the model refused"
    return Completion(text, problem, read_tokens(choice.get("logprobs")), _usage(record.get("usage")))


def _text(content: object) -> str:
    """Return the text of a message, which may come in parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else ()
    texts = [part.get("text") for part in parts if isinstance(part, Mapping)]
    return "".join(text for text in texts if isinstance(text, str))


def _usage(usage: object) -> Usage | None:
    counts = [usage.get(key) for key in ("prompt_tokens", "completion_tokens")] if isinstance(usage, Mapping) else []
    numbers = [count for count in counts if isinstance(count, int) and not isinstance(count, bool)]
    if len(numbers) < 2 or not all(0 <= number <= _MOST_TOKENS for number in numbers):
        return None
    return Usage(numbers[0], numbers[1])
