"""The stress tests that keep a pair's label: distraction by a tautology, and spelling."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.probes.test_probes import cases_of

from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.language.spelling import NEIGHBOURS, is_content_word, is_word
from nliprobe.probes.suite import build_probe, probe_specs
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.labels import C, E
from nliprobe.task.pair import Pair
from nliprobe.task.relations import SAME
from nliprobe.task.table import Row, Table
from nliprobe.testing._probes import RULES, Probing
from nliprobe.testing._rules import hold

TABLE = Table("Emily", (Row("Born", ("1950",)),))
FIVE = "and true is true and true is true and true is true and true is true and true is true"
SPECS = ["stress.overlap", "stress.negation", "stress.length", "stress.spelling", "stress.spelling?kind=keyboard&n=2"]


def only(spec: str, pair: Pair, seed: int = 0) -> Case:
    (case,) = cases_of(spec, pair, seed)
    assert isinstance(case, Case), case
    return case


def reason(spec: str, pair: Pair) -> str:
    (skip,) = cases_of(spec, pair)
    assert isinstance(skip, Skip), skip
    return skip.reason


# What users may have in their files: marks, scripts, emoji, spaces at the ends.
pieces = st.sampled_from(
    ["The", "dogs", "are", "sleeping", "quietly", "café", "cafe\u0301", "👩‍🔬", "כלבים", "القاهرة", "1950", "don't",
     "Emily", ".", "...", " .", "?", "“no.”", "  ", "\n", "and true is true", "x-ray", "brown", "friends"]
)  # fmt: skip
sentences = st.lists(pieces, min_size=1, max_size=9).map(" ".join)
some_pairs = st.builds(Pair, sentences, st.one_of(sentences, st.just(TABLE)), sentences, st.sampled_from([None, E, C]))


@pytest.mark.parametrize("spec", SPECS)
@given(pair=some_pairs, other=some_pairs, seed=st.integers(0, 3))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_contract_is_kept(spec: str, pair: Pair, other: Pair, seed: int) -> None:
    hold("probe", spec, RULES, Probing(spec, seed, pair, [other], []))


# Distraction -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "stressed"),
    [
        ("The man left.", "The man left and true is true."),
        ("The man left", "The man left and true is true"),
        ("The man left . ", "The man left and true is true . "),
        ("Did he leave?", "Did he leave and true is true?"),
        ("He left... ", "He left and true is true... "),
        ("Mr. Brown left. He ran!", "Mr. Brown left. He ran and true is true!"),
        ('He said "no."', 'He said "no." and true is true'),
        ("He paid (twice).", "He paid (twice) and true is true."),
        ("He left 👩‍🔬", "He left 👩‍🔬 and true is true"),
        ("غادر الرجل؟", "غادر الرجل and true is true؟"),
        ("彼は去った。", "彼は去った and true is true。"),
    ],
)
def test_the_tautology_stands_before_the_last_mark(text: str, stressed: str) -> None:
    case = only("stress.overlap", Pair("p", "He left.", text, E))
    assert (case.premise, case.hypothesis, case.gold, case.expects) == ("He left.", stressed, E, SAME)
    negated = only("stress.negation", Pair("p", TABLE, text))
    assert negated.hypothesis == stressed.replace("true is true", "false is not true")
    assert (negated.premise, negated.gold, negated.expects) == (TABLE, None, SAME)
    longer = only("stress.length", Pair("p", text, "He left.", C))
    assert longer.premise == stressed.replace("and true is true", FIVE)
    assert (longer.hypothesis, longer.gold, longer.certainty) == ("He left.", C, Certainty.CERTAIN)


@given(st.text("abc ,", min_size=1), st.sampled_from([".", "!", "?", ". ", "", "?\n"]))
def test_one_sentence_becomes_what_the_release_makes_of_it(words: str, mark: str) -> None:
    """The rule of the release: everything up to the first mark, the addition, the mark and the spaces after it."""
    text = "a" + words.strip() + "b" + mark
    before, *marks = re.split(r"([.!?]\s*)", text)
    assert only("stress.overlap", Pair("p", "x", text)).hypothesis == f"{before} and true is true{''.join(marks[:1])}"


def test_distraction_says_why_it_does_not_apply() -> None:
    assert reason("stress.length", Pair("p", TABLE, "He left.")) == (
        "the premise is a table, which has no sentence to make longer"
    )
    assert reason("stress.overlap", Pair("p", "He left.", " ... ")) == "the hypothesis has no words"
    assert reason("stress.negation", Pair("p", "He left.", "")) == "the hypothesis has no words"
    assert reason("stress.length", Pair("p", "\n", "He left.")) == "the premise has no words"
    already = Pair("p", f"He left {FIVE}.", "He left and true is true.")
    assert reason("stress.overlap", already) == "the hypothesis has the added words already"
    assert reason("stress.length", already) == "the premise has the added words already"
    assert only("stress.negation", already).hypothesis == "He left and true is true and false is not true."


def test_a_long_premise_gets_the_same_words() -> None:
    text = "word " * 3000
    case = only("stress.length", Pair("p", text, "He left."))
    assert case.premise == f"{text.rstrip()} {FIVE} "


# Spelling --------------------------------------------------------------------------------------------------


def differing(case: Case) -> list[tuple[str, str]]:
    before, after = case.source.hypothesis.split(" "), case.hypothesis.split(" ")
    return [(old, new) for old, new in zip(before, after, strict=True) if old != new]


@pytest.mark.parametrize("kind", ["swap", "keyboard"])
@given(words=st.lists(pieces, min_size=1, max_size=9), seed=st.integers(0, 9))
@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
def test_exactly_one_content_word_is_misspelled_by_one_slip(kind: str, words: list[str], seed: int) -> None:
    pair = Pair("p", "They rest.", " ".join(words), E)
    (case,) = cases_of(f"stress.spelling?kind={kind}", pair, seed)
    if isinstance(case, Skip):
        assert case.reason.startswith("the hypothesis ")
        return
    ((old, new),) = differing(case)
    assert is_content_word(old)
    assert not is_word(new)
    assert len(old) == len(new)
    places = [place for place in range(len(old)) if old[place] != new[place]]
    if kind == "swap":
        first, second = places
        assert (second, new[first], new[second]) == (first + 1, old[second], old[first])
    else:
        (place,) = places
        assert new[place] in NEIGHBOURS[old[place]]
    assert (case.gold, case.expects, case.premise) == (E, SAME, "They rest.")
    assert [facet.value for facet in case.facets] == [old]


def test_n_words_are_misspelled_or_none() -> None:
    pair = Pair("p", TABLE, "Brown dogs are sleeping quietly under trees.")
    case = only("stress.spelling?n=3", pair)
    assert len(differing(case)) == 3
    assert len(case.facets) == 3
    assert reason("stress.spelling?n=5", pair) == "the hypothesis has fewer than 5 words that can be misspelled"
    with pytest.raises(UsageError, match="at least 1"):
        build_probe("stress.spelling?n=0")
    with pytest.raises(UsageError, match="kind"):
        build_probe("stress.spelling?kind=letters")


def test_spelling_says_why_it_does_not_apply() -> None:
    assert reason("stress.spelling", Pair("p", "x", " ")) == "the hypothesis is empty"
    assert reason("stress.spelling", Pair("p", "x", "Emily is 30.")) == (
        "the hypothesis has no word that can be misspelled"
    )


def test_the_draw_depends_on_pair_and_seed() -> None:
    text = "Brown dogs are sleeping quietly under large trees."
    by_pair = {only("stress.spelling", Pair(name, "x", text)).hypothesis for name in "abcdefghij"}
    by_seed = {only("stress.spelling", Pair("p", "x", text), seed).hypothesis for seed in range(10)}
    assert min(len(by_pair), len(by_seed)) > 1
    assert build_probe("stress.spelling").reads


def test_the_name_of_the_family_stands_for_all_tests() -> None:
    specs = list(probe_specs(["gold", "stress", "swap", "stress.spelling?kind=keyboard"]))
    assert specs[0] == "gold"
    assert specs[-2:] == ["swap", "stress.spelling?kind=keyboard"]
    assert {"stress.length", "stress.negation", "stress.overlap", "stress.spelling"} <= set(specs[1:-2])
    assert all(name.startswith("stress.") for name in specs[1:-2])
    assert list(probe_specs(["stres", "stress?n=2"])) == ["stres", "stress?n=2"]
    with pytest.raises(NotFoundError, match="stres"):
        build_probe("stres")
