"""Probabilities of labels from the log probabilities of tokens."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.models.chat.likelihood import Token, Weighed, read_tokens, weigh
from nliprobe.models.written_label import read_label
from nliprobe.task.labels import LabelSet

LABELS = {LabelSet.of("E"): "entailment", LabelSet.of("N"): "neutral", LabelSet.of("C"): "contradiction"}


def weighed(text: str, first: dict[str, float], rest: str, lead: str = "", least: float = 0.9) -> Weighed:
    """Weigh an answer made of tokens: a lead, the token with alternatives, and the rest."""
    tokens = [Token(lead, {}), Token(next(iter(first)), {t: math.log(p) for t, p in first.items()}), Token(rest, {})]
    return weigh(tokens, text, read_label(text, list(LABELS.values())).start, LABELS, least)


def test_tokens_that_begin_a_label_are_summed() -> None:
    likely = {"ent": 0.5, " entail": 0.1, "Ent": 0.1, "neutral": 0.15, "N": 0.05, '"contra': 0.06, "The": 0.02}
    shares, mass = weighed("entailment", likely, "ailment")
    assert mass == pytest.approx(0.96)
    assert shares == pytest.approx((0.7 / 0.96, 0.2 / 0.96, 0.06 / 0.96))


def test_a_token_of_two_labels_counts_for_none() -> None:
    labels = {LabelSet.of("E"): "supported", LabelSet.of("NC"): "sure not"}
    tokens = [Token("supported", {"supported": math.log(0.6), "s": math.log(0.3), "sure": math.log(0.1)})]
    shares = weigh(tokens, "supported", 0, labels, 0.5).shares
    assert shares is not None
    assert shares[0] == pytest.approx(0.6 / 0.7)
    assert shares[1:] == (None, None)
    assert weigh(tokens, "supported", 0, labels, 0.9).shares is None


def test_a_token_may_be_the_word_and_more() -> None:
    assert weighed("neutral.", {"neutral.": 0.9, "neutrality": 0.05}, "").mass == pytest.approx(0.9)
    assert weighed("neutral", {"neutral": 0.9, " ": 0.05, "": 0.05}, "").mass == pytest.approx(0.9)


def test_too_little_mass_is_nothing() -> None:
    shares, mass = weighed("neutral", {"neutral": 0.5, "maybe": 0.5}, "")
    assert shares is None
    assert mass == pytest.approx(0.5)
    assert weighed("neutral", {"neutral": 0.5, "maybe": 0.5}, "", least=0.5).shares == (0.0, 1.0, 0.0)


def test_the_label_is_found_behind_what_comes_before() -> None:
    likely = {' "neu': 0.8, ' "ent': 0.2}
    assert weighed('{"label": "neutral"}', likely, 'tral"}', '{"label":').shares == pytest.approx((0.2, 0.8, 0.0))
    text = "<think>entailment?</think>\nneutral"
    assert weighed(text, {"neutral": 1.0}, "", "<think>entailment?</think>\n").shares == (0.0, 1.0, 0.0)
    # Reasoning that the service cut off the answer, and marks of the chat format.
    assert weighed("neutral", {"neutral": 1.0}, "<|end|>", "<think>entailment?</think>").shares == (0.0, 1.0, 0.0)


def test_tokens_that_are_not_the_answer_give_nothing() -> None:
    assert weighed("neutral", {"contra": 1.0}, "diction") == (None, 0.0)
    assert weighed("neutral", {"x neutral": 1.0}, "") == (None, 0.0), "the token begins with something else"
    assert weigh([], "neutral", 0, LABELS, 0.9) == (None, 0.0)
    assert weigh([Token("neutral", {"neutral": 0.0})], "neutral", -1, LABELS, 0.9) == (None, 0.0)


def test_reading_what_services_send() -> None:
    other = {"token": "n", "logprob": -1.0, "bytes": [110]}
    sent = {"content": [{"token": "e", "logprob": -0.5, "top_logprobs": [other, {**other, "logprob": -9999.0}]}]}
    assert read_tokens(sent) == [Token("e", {"n": -1.0, "e": -0.5})]
    assert read_tokens({"content": [{"token": "e", "logprob": 1e-9}]}) == [Token("e", {"e": 0.0})]
    wrongs: list[object] = [None, {}, {"content": None}, {"content": ["e"]}, {"content": [{"token": "e"}]}, [], "x"]
    for wrong in wrongs:
        assert read_tokens(wrong) == []
    assert read_tokens({"content": [{"token": "e", "logprob": math.nan}]}) == []
    assert read_tokens({"content": [{"token": "e", "logprob": -(10**400), "top_logprobs": 5}]}) == [
        Token("e", {"e": -9999.0})
    ]
    assert read_tokens({"tokens": ["e"], "token_logprobs": [-1.0]}) == [], "the older protocol"


@given(st.dictionaries(st.text(max_size=12) | st.sampled_from(["ent", "neu", "c"]), st.floats(0.001, 1.0), min_size=1))
def test_shares_are_probabilities(likely: dict[str, float]) -> None:
    total = sum(likely.values())
    tokens = [Token("neutral", {token: math.log(share / total) for token, share in likely.items()})]
    shares, mass = weigh(tokens, "neutral", 0, LABELS, 0.0)
    assert mass <= 1 + 1e-9
    if shares is not None:
        assert sum(share for share in shares if share is not None) == pytest.approx(1.0)
