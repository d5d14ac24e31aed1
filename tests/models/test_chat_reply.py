"""Replies of chat services: whatever JSON comes back is an answer, no answer, or the failure of its input."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.models.chat_server import completion

from nliprobe.models.chat.likelihood import weigh
from nliprobe.models.chat.reply import Usage, read_completion
from nliprobe.models.failures import InputsFailed
from nliprobe.models.written_label import read_label
from nliprobe.task.labels import LabelSet

LABELS = {LabelSet.of("E"): "entailment", LabelSet.of("N"): "neutral", LabelSet.of("C"): "contradiction"}
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from([*LABELS.values()])
)
NAMES = (
    "choices", "message", "content", "finish_reason", "logprobs", "top_logprobs", "token", "logprob", "usage",
    "prompt_tokens", "completion_tokens", "refusal", "text", "role",
)  # fmt: skip
KEYS = st.sampled_from(NAMES)
ANYTHING = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=20
)


@given(ANYTHING)
def test_whatever_comes_back_is_read_or_refused(content: object) -> None:
    with contextlib.suppress(InputsFailed):
        read_completion(content)


LOGPROB = LEAVES | st.integers(-(10**400), 10**400)
TOKEN = st.fixed_dictionaries(
    {"token": LEAVES, "logprob": LOGPROB, "top_logprobs": LEAVES | st.lists(ANYTHING, max_size=3)}
)
TOKENS = st.fixed_dictionaries({"content": st.lists(TOKEN, max_size=3)})
NUMBERS = st.integers(-1, 10**400) | LEAVES
USAGE = st.fixed_dictionaries({"prompt_tokens": NUMBERS, "completion_tokens": NUMBERS})


@given(
    ANYTHING, ANYTHING, ANYTHING | TOKENS, ANYTHING | USAGE, st.sampled_from(["neutral", '{"label": "neutral"}', "x"])
)
def test_whatever_is_in_a_reply_it_is_read(
    content: object, finish: object, logprobs: object, usage: object, text: str
) -> None:
    for said in (content, text):
        reply: dict[str, Any] = {
            "choices": [{"message": {"content": said}, "finish_reason": finish, "logprobs": logprobs}],
            "usage": usage,
        }
        read = read_completion(reply)
        label = read_label(read.text, list(LABELS.values()))
        shares, mass = weigh(read.tokens, read.text, label.start, LABELS, 0.9)
        assert shares is None or sum(share or 0.0 for share in shares) == pytest.approx(1.0)
        assert mass >= 0.0
    assert read.text == text


def test_usage() -> None:
    assert read_completion(completion("neutral")).usage == Usage(100, 2)
    odd: list[object] = [None, {}, {"prompt_tokens": 1}, {"prompt_tokens": True, "completion_tokens": 1}, 7]
    odd += [{"prompt_tokens": -1, "completion_tokens": 1}, {"prompt_tokens": 1, "completion_tokens": 10**400}]
    for usage in odd:
        assert read_completion(completion("neutral", usage=usage)).usage is None
