"""The probes of sentences: T4's relations for the sentences of a passage, and where they are only likely."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.api.sources import open_source
from nliprobe.language.content import content_words
from nliprobe.language.sentences import split_sentences
from nliprobe.probes._donors import is_self_contained
from nliprobe.probes.suite import Suite, build_probe
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.edits import apply_edits
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.source import Pool
from nliprobe.task.table import Row, Table
from nliprobe.task.units import Sentences

STANDING = "Rome is in Italy. Oslo lies on a fjord. Ulm has a tall church."
LEANING = "Rome is in Italy. It has many churches. They are old."
PAIR = Pair("p", STANDING, "Ulm has a church.", LabelSet.of("E"), "g")
OTHERS = {"x": "Ada King wrote books for children in Bath. She died.", "y": "Kim Lee plays chess for Norway."}
POOL = Pool({"g": STANDING, **OTHERS})


def made(spec: str, pair: Pair = PAIR, seed: int = 0) -> list[Case]:
    return [item for item in build_probe(spec, seed).cases(pair, POOL) if isinstance(item, Case)]


def skipped(spec: str, pair: Pair) -> str:
    [skip] = build_probe(spec).cases(pair, POOL)
    assert isinstance(skip, Skip)
    return skip.reason


def test_each_sentence_is_deleted_in_turn() -> None:
    cases = made("sentences.delete")
    assert [case.premise for case in cases] == [
        "Oslo lies on a fjord. Ulm has a tall church.",
        "Rome is in Italy. Ulm has a tall church.",
        "Rome is in Italy. Oslo lies on a fjord.",
    ]
    assert {str(case.expects) for case in cases} == {"E>EN N>N C>NC"}
    assert {case.certainty for case in cases} == {Certainty.CERTAIN}


def test_what_points_back_makes_a_deletion_likely() -> None:
    cases = made("sentences.delete", Pair("p", LEANING, "Rome has a church.", group="g"))
    assert [case.certainty for case in cases] == [Certainty.LIKELY] * 3
    last = made(
        "sentences.delete", Pair("p", "Ulm has a tall church. It is old. Oslo lies on a fjord.", "h", group="g")
    )
    assert [case.certainty for case in last] == [Certainty.LIKELY, Certainty.LIKELY, Certainty.CERTAIN]


@pytest.mark.parametrize(
    "hypothesis", ["The text does not mention Ulm.", "Ulm has only one church.", "Ulm has more than 3 churches."]
)
def test_what_the_hypothesis_is_about_can_make_a_deletion_likely(hypothesis: str) -> None:
    cases = made("sentences.delete", Pair("p", STANDING, hypothesis, group="g"))
    assert {case.certainty for case in cases} == {Certainty.LIKELY}


def test_dialogues_and_disputed_claims_are_likely() -> None:
    talk = Pair("p", "Anna: Rome is in Italy.\nBen: Oslo lies on a fjord.\nAnna: Ulm has a church.", "h", group="g")
    disputed = Pair("p", STANDING, "h", group="g", facets=(Facet("claim_label", "DISPUTED"),))
    for pair in (talk, disputed):
        for spec in ("sentences.delete", "sentences.permute", "sentences.insert"):
            assert {case.certainty for case in made(spec, pair)} == {Certainty.LIKELY}


def with_evidence(*units: int, alone: bool = False, grade: Grade = Grade.GOLD, gold: str = "E") -> Pair:
    evidence = Evidence(units, grade, alone=alone)
    return Pair("p", STANDING, "Ulm has a church.", LabelSet.of(gold), "g", evidence)


def test_evidence_says_what_a_deletion_means() -> None:
    def relations(spec: str, pair: Pair) -> list[str]:
        return [str(case.expects) for case in made(spec, pair)]

    needed, same, unknown = "E>N N>N C>N", "E>E N>N C>C", "E>EN N>N C>NC"
    pair = with_evidence(2)
    assert relations("sentences.delete", pair) == [same, same, needed]
    assert relations("sentences.delete?which=relevant", pair) == [needed]
    assert relations("sentences.delete?which=irrelevant", pair) == [same, same]
    assert relations("sentences.delete?which=all-relevant", with_evidence(0, 2)) == [needed]
    # Each suffices alone: one of them less says nothing, all of them less do.
    twice = with_evidence(0, 2, alone=True)
    assert relations("sentences.delete", twice) == [unknown, same, unknown]
    assert relations("sentences.delete?which=relevant", twice) == [unknown, unknown]
    [every] = made("sentences.delete?which=all-relevant", twice)
    assert (str(every.expects), every.premise) == (needed, "Oslo lies on a fjord.")
    # They were judged one by one, so that nobody knows what the rest says together.
    assert every.certainty is Certainty.LIKELY


def test_nothing_is_left_where_every_sentence_is_relevant() -> None:
    every = with_evidence(0, 1, 2, alone=True)
    assert skipped("sentences.delete?which=all-relevant", every) == "every sentence is relevant"
    assert skipped("sentences.delete?which=irrelevant", every) == "every sentence is relevant"
    assert skipped("sentences.delete?which=relevant", PAIR) == "nobody marked the evidence of the pair"


def test_one_sentence_of_the_evidence_is_kept() -> None:
    cases = made("sentences.keep", with_evidence(0, 2, alone=True, gold="C"))
    assert [case.premise for case in cases] == ["Rome is in Italy.", "Ulm has a tall church."]
    assert {(str(case.gold), str(case.expects)) for case in cases} == {("C", "E>E N>N C>C")}
    assert len(made("sentences.keep?n=1", with_evidence(0, 2, alone=True))) == 1
    assert skipped("sentences.keep", with_evidence(0, 2)) == "the sentences of the evidence are needed together"
    assert skipped("sentences.keep", with_evidence()) == "no sentence is relevant"
    assert skipped("sentences.keep", PAIR) == "nobody marked the evidence of the pair"


def test_a_kept_sentence_is_certain_only_if_it_says_what_the_hypothesis_says() -> None:
    text = "Rain water for the garden is collected in three tanks. Oslo lies on a fjord."
    near = Pair("p", text, "Rain is collected in tanks to water the garden.", None, "g", Evidence((0,)))
    far = Pair("p", text, "Nobody wastes money on hoses in a dry summer.", None, "g", Evidence((0,)))
    assert [case.certainty for case in made("sentences.keep", near)] == [Certainty.CERTAIN]
    assert [case.certainty for case in made("sentences.keep", far)] == [Certainty.LIKELY]


def test_an_inserted_sentence_is_about_something_else_and_stands_by_itself() -> None:
    [case] = made("sentences.insert")
    assert str(case.expects) == "E>E N>ENC C>C"
    inserted = case.edits[0].after.strip()
    assert inserted in ("Ada King wrote books for children in Bath.", "Kim Lee plays chess for Norway.")
    assert len(made("sentences.insert?n=5")) == 2
    # A word of the hypothesis is enough to leave a sentence out.
    [chess] = made("sentences.insert?n=5", Pair("p", STANDING, "The children slept.", group="g"))
    assert "chess" in chess.edits[0].after


def test_no_sentence_comes_between_a_reference_and_what_it_points_to() -> None:
    pair = Pair("p", LEANING, "h", group="g")
    places = {case.edits[0].unit for seed in range(40) for case in made("sentences.insert", pair, seed)}
    assert places == {0, 3}


def test_where_no_sentence_fits_there_is_a_reason() -> None:
    probe = build_probe("sentences.insert")
    [skip] = probe.cases(PAIR, Pool({"g": STANDING}))
    assert skip == Skip(
        "sentences.insert", "no sentence of another passage is about something else and stands by itself"
    )


@pytest.mark.parametrize(
    "sentence",
    ["He won.", "The film was shot in Rome by Lee.", "Anna: I live in Rome now.", "In the novel Lee goes to Rome.",
     "Lee said it was her last Book.", "- Rome is in Italy, Europe.", "Who lives in Rome with Lee?",
     "We went to Rome with Ada."],
)  # fmt: skip
def test_sentences_that_need_their_passage_are_no_donors(sentence: str) -> None:
    assert not is_self_contained(sentence)


def test_orders_differ_and_nothing_is_lost() -> None:
    cases = made("sentences.permute?n=9")
    texts = {str(case.premise) for case in cases}
    assert len(texts) == 5
    assert STANDING not in texts
    assert {case.certainty for case in cases} == {Certainty.CERTAIN}
    assert all(Counter(text) == Counter(STANDING) for text in texts)
    told = Pair("p", "Tom dropped the cup. Ann cried. Bob left.", "h", group="g")
    assert {case.certainty for case in made("sentences.permute", told)} == {Certainty.LIKELY}


def test_given_sentences_come_before_those_that_rules_find() -> None:
    text = "One title Two titles. Three"
    pair = Pair("p", text, "h", group="g", sentences=((0, 9), (10, 21), (22, 27)))
    assert [case.premise for case in made("sentences.delete", pair)] == [
        "Two titles. Three",
        "One title Three",
        "One title Two titles.",
    ]


BAD = {
    "one sentence": ("Rome is in Italy.", "there is one sentence only"),
    "no full stop": ("rome is in italy and oslo lies on a fjord", "there is one sentence only"),
    "empty": ("", "the premise is empty"),
    "white space": (" \n\t ", "the premise is empty"),
    "marks only": ("... !!", "there is one sentence only"),
}


@pytest.mark.parametrize("spec", ["sentences.delete", "sentences.permute", "sentences.insert", "sentences.keep"])
@pytest.mark.parametrize("name", BAD)
def test_bad_passages_are_skipped_with_a_reason(spec: str, name: str) -> None:
    text, reason = BAD[name]
    assert skipped(spec, Pair("p", text, "h", group="g", evidence=Evidence((0,)))) == reason
    assert skipped(spec, Pair("p", Table("t", (Row("k", ("v",)),)), "h")) == "the premise is a table, not a text"


def test_capitals_bullets_and_long_passages_have_units() -> None:
    assert len(made("sentences.delete", Pair("p", "THE SHIP SANK. NOBODY DIED. THE END CAME.", "h", group="g"))) == 3
    assert len(made("sentences.delete", Pair("p", "We need:\n- bread. Fresh.\n- milk\n", "h", group="g"))) == 3
    long = Pair("p", "Oslo lies on a fjord. " * 2_999 + "Ulm has a church.", "Ulm has a church.", group="g")
    assert len(made("sentences.delete?n=3", long)) == 3
    assert len(made("sentences.permute", long)) == 1
    assert len(made("sentences.insert", long)) == 1


def test_the_suite_knows_how_sentences_are_cut() -> None:
    for spec in ("sentences.delete", "sentences.insert", "sentences.permute", "sentences.keep"):
        assert build_probe(spec).reads
    suite = Suite.build([open_source("builtin/passages-dev")], ["sentences.delete"])
    assert "reads" in str(suite.description)


def test_a_perfect_reader_of_the_built_in_passages_keeps_every_relation() -> None:
    # It answers by the evidence: the label if what it needs is there, else neutral.
    for pair in open_source("builtin/passages-dev").pairs():
        assert pair.evidence is not None
        assert pair.gold is not None
        assert isinstance(pair.premise, str)
        needed = [pair.premise[slice(*pair.sentences[place])] for place in pair.evidence.units]

        def answer(text: object, needed: list[str] = needed, pair: Pair = pair) -> str:
            there = (any if pair.evidence and pair.evidence.alone else all)(piece in str(text) for piece in needed)
            return str(pair.gold) if there and needed else "N"

        assert answer(pair.premise) == str(pair.gold)
        for spec in ("", "?which=relevant", "?which=irrelevant", "?which=all-relevant"):
            for case in made(f"sentences.delete{spec}", pair):
                assert answer(case.premise) in str(case.expects).split(f"{pair.gold}>")[1].split()[0]
        for case in made("sentences.keep", pair):
            assert answer(case.premise) == str(pair.gold)
        for case in [*made("sentences.permute", pair), *made("sentences.insert", pair)]:
            assert answer(case.premise) == str(pair.gold)


@given(st.integers(0, 50))
def test_cases_depend_on_nothing_but_pair_and_seed(seed: int) -> None:
    for spec in ("sentences.insert?n=2", "sentences.permute?n=2"):
        assert [case.id for case in made(spec, seed=seed)] == [case.id for case in made(spec, seed=seed)]


def premises(data: Path) -> Iterator[Sentences]:
    """Yield all distinct premises of ANLI, Climate-FEVER and SummEdits, with their sentences."""
    seen: set[str] = set()
    for path in sorted((data / "anli").glob("*/*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            seen.add(json.loads(line)["context"])
    for path in sorted((data / "summedits").glob("*.json")):
        seen |= {record["doc"] for record in json.loads(path.read_text(encoding="utf-8"))}
    yield from (Sentences(text, split_sentences(text)) for text in sorted(seen))
    for pair in open_source("climate-fever/claims").pairs():
        assert isinstance(pair.premise, str)
        yield Sentences(pair.premise, pair.sentences)
        yield Sentences(pair.premise, split_sentences(pair.premise))


def test_sentences_of_real_premises_join_byte_for_byte(data: Path) -> None:
    count = 0
    for passage in premises(data):
        count += 1
        joined, done = "", 0
        for start, stop in passage.spans:
            joined += passage.premise[done:start] + passage.premise[start:stop]
            done = stop
        assert joined + passage.premise[done:] == passage.premise
        assert passage.permute(range(len(passage))) == passage
        # The pieces are what a person would read: none is empty or begins with white space.
        assert all(piece == piece.strip() and piece for piece in passage.parts)
    assert count > 4_000


@pytest.mark.parametrize(
    "name", ["anli/r1-dev", "anli/r3-dev", "climate-fever/claims", "summedits/samsum", "summedits/news"]
)
def test_edits_of_real_premises_make_what_the_case_asks(data: Path, name: str) -> None:
    source = open_source(f"{name}?limit=400")
    pool = Pool.of(source)
    specs = ("sentences.delete?n=4", "sentences.permute?n=2", "sentences.insert?n=2", "sentences.keep")
    probes = [build_probe(spec) for spec in specs]
    for pair in source.pairs():
        for probe in probes:
            for case in probe.cases(pair, pool):
                if isinstance(case, Case):
                    assert apply_edits(pair.premise, pair.hypothesis, case.edits)[0] == case.premise
                    assert case.premise != pair.premise
                    if probe.name == "sentences.insert":
                        shared = content_words(case.edits[0].after) & content_words(pair.hypothesis)
                        assert not shared


def test_climate_fever_leaves_nothing_in_92_pairs(data: Path) -> None:
    probe = build_probe("sentences.delete?which=all-relevant")
    items = [item for pair in open_source("climate-fever/claims").pairs() for item in probe.cases(pair, None)]
    reasons = Counter(item.reason for item in items if isinstance(item, Skip))
    assert reasons == {"every sentence is relevant": 92, "nobody marked the evidence of the pair": 628}
    assert sum(isinstance(item, Case) for item in items) == 907 - 92
