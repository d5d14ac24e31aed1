"""The parameters of ``chat:`` beside those that all services share."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property

from nliprobe.base.errors import UsageError
from nliprobe.models.chat.mode import AnswerMode

# What a request always has; extra= cannot change it.
_FIXED = frozenset({"model", "messages", "stream", "n", "stream_options"})


@dataclass(frozen=True)
class BudgetParams:
    """How much may be spent; 0 stands for no limit.

    Attributes:
        max_tokens_total: how many tokens all requests and answers of a run may have together.
        max_cost: how much they may cost together, in the currency of the prices.
        price_in: the price of a million tokens of requests.
        price_out: the price of a million tokens of answers.
    """

    max_tokens_total: int = 0
    max_cost: float = 0.0
    price_in: float = 0.0
    price_out: float = 0.0

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense, and a cap on cost without prices."""
        for item in fields(self):
            value = getattr(self, item.name)
            if not 0 <= value < math.inf:
                raise UsageError(f"'chat?{item.name}' should be 0 or more, not {value:g}.")
        if self.max_cost and not (self.price_in or self.price_out):
            raise UsageError("'chat?max_cost' needs the prices of a million tokens: price_in= and price_out=.")

    @property
    def priced(self) -> bool:
        """Whether prices are known."""
        return bool(self.price_in or self.price_out)

    def cost(self, tokens_in: float, tokens_out: float) -> float:
        """Return what tokens cost."""
        return (tokens_in * self.price_in + tokens_out * self.price_out) / 1e6


@dataclass(frozen=True)
class ChatParams:
    """What a chat model is asked, and how it should answer; all of it decides answers.

    Attributes:
        base_url: the address of the service, up to /chat/completions.
        version: the user's name for the model behind the service; without it answers are not kept across runs.
        prompt: a prompt file; without one, the default prompt.
        shots: how many examples of ``shots_from`` are shown before each pair.
        shots_from: a file of examples (JSON lines with premise, hypothesis and label).
        shots_seed: the seed with which they are drawn.
        answer: how the label is asked for: label, choice or json_schema.
        logprobs: whether probabilities of labels are computed from log probabilities.
        top_logprobs: how many tokens per place the service names for that.
        min_mass: how much of the probability labels must have together, from 0 to 1.
        temperature: 0 for the most likely answer; none leaves it to the service.
        top_p: the share of likely tokens that is drawn from; none leaves it to the service.
        max_tokens: how long an answer may be, reasoning included.
        seed: the seed of the service's draws, if it has any.
        extra: more fields of the request, as a JSON object.
    """

    base_url: str = ""
    version: str = ""
    prompt: str = ""
    shots: int = 0
    shots_from: str = ""
    shots_seed: int = 0
    answer: AnswerMode = AnswerMode.LABEL
    logprobs: bool = False
    top_logprobs: int = 20
    min_mass: float = 0.9
    temperature: float | None = 0.0
    top_p: float | None = None
    max_tokens: int = 256
    seed: int | None = None
    extra: str = ""

    def __post_init__(self) -> None:
        """Refuse values that make no sense."""
        if not self.base_url.strip():
            raise UsageError(
                "'chat' needs base_url=, the address of the service that it asks, such as "
                "base_url=http://localhost:8000/v1 or base_url=https://api.openai.com/v1."
            )
        if "/chat/completions" in self.base_url:
            raise UsageError(
                "'chat?base_url' should be the address before /chat/completions, which is added to it: usually it ends "
                "in /v1."
            )
        for name, low, high in (
            ("top_logprobs", 1, 1000),
            ("min_mass", 0.0, 1.0),
            ("max_tokens", 1, 10_000_000),
            ("shots", 0, 1000),
            ("temperature", 0.0, 100.0),
            ("top_p", 0.0, 1.0),
        ):
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                raise UsageError(f"'chat?{name}' should be from {low:g} to {high:g}, not {value:g}.")
        if bool(self.shots) != bool(self.shots_from):
            raise UsageError("'chat?shots' and 'chat?shots_from' belong together: how many examples, of which file.")
        _ = self.more

    @cached_property
    def more(self) -> Mapping[str, object]:
        """The fields of ``extra``."""
        if not self.extra:
            return {}
        try:
            fields = json.loads(self.extra)
        except ValueError:
            fields = None
        if not isinstance(fields, dict):
            raise UsageError(
                f"'chat?extra' should be a JSON object, such as {{\"reasoning_effort\": \"low\"}}, not '{self.extra}'."
            )
        taken = sorted(_FIXED & set(fields))
        if taken:
            raise UsageError(f"'chat?extra' cannot change {', '.join(taken)}.")
        return fields
