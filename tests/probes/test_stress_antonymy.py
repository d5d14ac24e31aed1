"""stress.antonymy: one word differs, the label is contradiction, and the released sentences give the released form."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.probes.test_probes import cases_of

from nliprobe.base.errors import UsageError
from nliprobe.language.opposites import entries
from nliprobe.probes.suite import build_probe
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.edits import apply_edits
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.table import Row, Table
from nliprobe.testing._probes import RULES, Probing
from nliprobe.testing._rules import hold

SPEC = "stress.antonymy"


def only(premise: str | Table, hypothesis: str = "It rained.", spec: str = SPEC, seed: int = 0) -> Case:
    (case,) = cases_of(spec, Pair("p", premise, hypothesis), seed)
    assert isinstance(case, Case), case
    return case


def reason(premise: str | Table, hypothesis: str = "It rained.", spec: str = SPEC) -> str:
    (skip,) = cases_of(spec, Pair("p", premise, hypothesis))
    assert isinstance(skip, Skip), skip
    return skip.reason


def assert_one_word_differs(case: Case) -> None:
    """Beside the word, only *a* or *an* directly before it may differ."""
    assert isinstance(case.premise, str)
    before, after = case.premise.split(), case.hypothesis.split()
    assert len(before) == len(after)
    places = [place for place, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    facets = {facet.name: facet.value for facet in case.facets}
    word = places[-1]
    assert before[word].replace(facets["word"], facets["antonym"], 1) == after[word]
    assert len(places) == 1 or (
        places == [word - 1, word] and {before[word - 1].lower()[-2:], after[word - 1].lower()[-2:]} == {"a", "an"}
    )


def test_the_sentence_is_the_premise_and_its_opposite_the_hypothesis() -> None:
    case = only("The street was narrow.")
    assert (case.premise, case.hypothesis) == ("The street was narrow.", "The street was wide.")
    assert case.gold == LabelSet.of("C")
    assert (case.bases, case.expects) == ((), None)
    assert case.certainty is Certainty.CERTAIN
    assert case.facets == (Facet("word", "narrow"), Facet("antonym", "wide"), Facet("part_of_speech", "adj"))


def test_the_article_agrees() -> None:
    assert only("It was a significant day.").hypothesis == "It was an insignificant day."
    assert only("They followed the narrow street.").certainty is Certainty.LIKELY


def test_the_hypothesis_can_be_used_instead() -> None:
    case = only("It rained.", "The street was narrow.", f"{SPEC}?of=hypothesis")
    assert (case.premise, case.hypothesis) == ("The street was narrow.", "The street was wide.")


def test_one_word_is_drawn_and_n_gives_more() -> None:
    text = "The street was narrow, the weather was hot, and the bus was expensive."
    drawn = {only(text, seed=seed).hypothesis for seed in range(20)}
    assert len(drawn) == 3
    several = cases_of(f"{SPEC}?n=5", Pair("p", text, "It rained."))
    assert {case.hypothesis for case in several if isinstance(case, Case)} == drawn
    assert len({case.id for case in several if isinstance(case, Case)}) == 3
    with pytest.raises(UsageError, match="1 or more"):
        build_probe(f"{SPEC}?n=0")


def test_reasons_are_given() -> None:
    assert reason("It rained.").startswith("no word of the sentence")
    assert reason(" ") == "the sentence is empty"
    assert "table" in reason(Table("Rome", (Row("Size", ("large",)),)))


def test_the_words_are_part_of_what_the_probe_reads() -> None:
    assert build_probe(SPEC).reads


words = st.sampled_from(
    ["A", "a", "an", "The", "the", "two", "man", "woman", "good", "old", "narrow", "significant", "idea", "is", "was",
     "very", "walking", "not", "his", "outside", "half-empty", "Good", ",", ". ", "?", '"', "🙂", "רחוב", "شارع",
     "\u200f"]
)  # fmt: skip
sentences = st.lists(words, min_size=1, max_size=10).map(" ".join)


@given(premise=sentences, hypothesis=sentences, seed=st.integers(0, 3))
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_contract_is_kept_and_one_word_differs(premise: str, hypothesis: str, seed: int) -> None:
    pair, spec = Pair("p", premise, hypothesis), f"{SPEC}?n=2"
    hold("probe", spec, RULES, Probing(spec, seed, pair, [Pair("q", hypothesis, premise)], []))
    for case in cases_of(spec, pair, seed):
        if isinstance(case, Case):
            assert_one_word_differs(case)
            assert apply_edits(premise, hypothesis, case.edits) == (case.premise, case.hypothesis)


@given(place=st.integers(0, len(entries()) - 1))
@settings(max_examples=60, deadline=None)
def test_every_pair_of_words_can_be_used_or_is_kept_off(place: int) -> None:
    word = entries()[place].word
    for sentence in (f"It was {word}.", f"He saw a {word} car.", f"Two {word} were walking.", f"A {word} was walking."):
        for case in cases_of(SPEC, Pair("p", sentence, "It rained.")):
            if isinstance(case, Case):
                assert_one_word_differs(case)


@pytest.mark.parametrize(("genres", "at_least"), [("matched", 100), ("mismatched", 100)])
def test_the_released_premises_give_the_released_form(data: Path, genres: str, at_least: int) -> None:
    path = data / "nli_stress" / f"multinli_0.9_antonym_{genres}.txt"
    if not path.is_file():
        pytest.skip(f"there is no {path.name}")
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    made = [
        case
        for number, row in enumerate(rows)
        for case in cases_of(SPEC, Pair(str(number), row["sentence1"], row["sentence2"]))
        if isinstance(case, Case)
    ]
    assert len(made) >= at_least
    for case in made:
        assert case.premise == case.source.premise
        assert case.gold == LabelSet.of("C")
        assert_one_word_differs(case)
