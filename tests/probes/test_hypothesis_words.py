"""Names, negations and modifiers of hypotheses: what is changed, what it does to the label, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.probes import Probe
from nliprobe.probes.suite import build_probe
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair, Premise
from nliprobe.task.source import Pool
from nliprobe.task.table import Row, Table

FILM = Table(
    "The Glass Harbour",
    (
        Row("Directed by", ("Orla Venn",)),
        Row("Produced by", ("Tomas Brandt", "Ilse Marrow")),
        Row("Starring", ("Petra Quill", "Hugo Sand", "Nils Ambrose")),
        Row("Release date", ("14 May 1994",)),
        Row("Running time", ("97 minutes",)),
        Row("Language", ("English",)),
    ),
    "Movie",
)
OTHER_FILM = Table(
    "Winter Orchard",
    (
        Row("Directed by", ("Mara Lindqvist",)),
        Row("Produced by", ("Conrad Ives",)),
        Row("Starring", ("Selma Hart", "Viktor Dane")),
        Row("Release date", ("2 June 2011",)),
        Row("Running time", ("141 minutes",)),
        Row("Language", ("French",)),
    ),
    "Movie",
)
SINGER = Table(
    "Ada Kessel",
    (
        Row("Born", ("3 April 1961 (age 57) Bremen, Germany",)),
        Row("Origin", ("Hamburg, Germany",)),
        Row("Occupation", ("Singer", "actress", "songwriter")),
        Row("Years active", ("1980-present",)),
        Row("President", ("Gustav Roth",)),
    ),
    "Musician",
)
BAND = Table(
    "The Copper Kites",
    (Row("Origin", ("Lyon, France",)), Row("Labels", ("Red Barn", "Oak Street"))),
    "Musician",
)
POOL = Pool({"film": FILM, "other": OTHER_FILM, "singer": SINGER, "band": BAND})


def probe(spec: str, seed: int = 0) -> Probe:
    return build_probe(spec, seed)


def pair(premise: Premise, hypothesis: str, label: str, name: str = "p") -> Pair:
    group = next((key for key, table in POOL.premises.items() if table is premise), "")
    return Pair(name, premise, hypothesis, LabelSet.of(label), group)


def asked(spec: str, premise: Premise, hypothesis: str, label: str, seed: int = 0) -> list[Case]:
    items = list(probe(spec, seed).cases(pair(premise, hypothesis, label), POOL))
    return [item for item in items if isinstance(item, Case)]


def facet(case: Case, name: str) -> str:
    return next(item.value for item in case.facets if item.name == name)


def by_rule(cases: Iterable[Case]) -> dict[str, Case]:
    return {facet(case, "rule"): case for case in cases}


# Names


def test_a_name_of_another_table_makes_a_true_statement_false() -> None:
    case = by_rule(asked("hypothesis.entity", FILM, "The Glass Harbour was directed by Orla Venn.", "E"))[
        "foreign-name"
    ]
    assert case.hypothesis == "The Glass Harbour was directed by Mara Lindqvist."
    assert (str(case.gold), case.certainty, facet(case, "effect")) == ("C", Certainty.CERTAIN, "flip")


@pytest.mark.parametrize(
    "hypothesis",
    [
        "The Glass Harbour was not directed by Orla Venn.",
        "The Glass Harbour was directed by Orla Venn or somebody else.",
        "Orla Venn was in The Glass Harbour.",  # which row it speaks of is open
        "Orla Venn directed a film.",  # nothing is said of the title
    ],
)
def test_a_foreign_name_is_not_certain_where_the_statement_is_open(hypothesis: str) -> None:
    cases = asked("hypothesis.entity", FILM, hypothesis, "E")
    assert cases
    assert all(case.certainty is not Certainty.CERTAIN for case in cases)


def test_another_name_of_the_row_keeps_a_true_statement_true() -> None:
    case = by_rule(asked("hypothesis.entity", FILM, "The Glass Harbour starred Hugo Sand.", "E"))["same-row"]
    assert case.hypothesis in {f"The Glass Harbour starred {name}." for name in ("Petra Quill", "Nils Ambrose")}
    assert (str(case.gold), case.certainty) == ("E", Certainty.CERTAIN)


def test_another_occupation_gets_its_article() -> None:
    cases = [asked("hypothesis.entity", SINGER, "Ada Kessel is a singer.", "E", seed) for seed in range(6)]
    texts = {by_rule(items)["same-row"].hypothesis for items in cases}
    assert texts == {"Ada Kessel is an actress.", "Ada Kessel is a songwriter."}


def test_a_name_of_two_roles_is_replaced_only_by_one_of_both() -> None:
    both = Table(
        "The Tin Lantern", (Row("Written by", ("Ann Roe", "Bo Hale")), Row("Starring", ("Ann Roe", "Cy Dorn"))), "Movie"
    )
    assert "same-row" not in by_rule(
        asked("hypothesis.entity", both, "Ann Roe wrote and starred in The Tin Lantern.", "E")
    )


def test_the_right_name_makes_a_false_statement_true_and_no_other_does() -> None:
    hypothesis = "The Glass Harbour was directed by Hugo Sand."
    for seed in range(10):
        cases = asked("hypothesis.entity", FILM, hypothesis, "C", seed)
        flips = [case for case in cases if str(case.gold) == "E"]
        assert [case.hypothesis for case in flips] == ["The Glass Harbour was directed by Orla Venn."]
        assert all(case.certainty is Certainty.LIKELY for case in cases if str(case.gold) == "C")


def test_where_a_thing_is_made_is_not_who_made_it() -> None:
    drink = Table("Zorro Cola", (Row("Manufacturer", ("Brill Foods",)),), "Food&Drink")
    assert "right-name" not in by_rule(asked("hypothesis.entity", drink, "Zorro Cola is made in Ohio.", "C"))


def test_a_town_is_replaced_by_a_town() -> None:
    case = by_rule(asked("hypothesis.entity", SINGER, "Ada Kessel originated in Hamburg.", "E"))["foreign-name"]
    assert case.hypothesis == "Ada Kessel originated in Lyon."
    assert case.certainty is Certainty.CERTAIN


# Negation


@pytest.mark.parametrize(
    ("hypothesis", "label", "after", "expected"),
    [
        ("The Glass Harbour was directed by Orla Venn.", "E", "The Glass Harbour was not directed by Orla Venn.", "C"),
        ("The Glass Harbour was directed by Hugo Sand.", "C", "The Glass Harbour was not directed by Hugo Sand.", "E"),
        ("The Glass Harbour starred Hugo Sand.", "E", "The Glass Harbour did not star Hugo Sand.", "C"),
        ("The Glass Harbour was not released in 1994.", "C", "The Glass Harbour was released in 1994.", "E"),
        ("The Glass Harbour was released in 1989.", "C", "The Glass Harbour was not released in 1989.", "E"),
    ],
)
def test_a_confirmed_clause_is_negated_for_certain(hypothesis: str, label: str, after: str, expected: str) -> None:
    (case,) = asked("hypothesis.negation", FILM, hypothesis, label)
    assert (case.hypothesis, str(case.gold), case.certainty) == (after, expected, Certainty.CERTAIN)


@pytest.mark.parametrize(
    ("hypothesis", "label"),
    [
        ("The Glass Harbour was a success.", "E"),  # no row says so
        ("The Glass Harbour was directed by Hugo Sand.", "E"),  # the label is wrong
        ("The Glass Harbour was directed by Orla Venn.", "C"),
        ("The Glass Harbour was only directed by Orla Venn.", "E"),
        ("The Glass Harbour was directed by Orla Venn and was loved.", "E"),
    ],
)
def test_what_the_table_does_not_confirm_is_not_certain(hypothesis: str, label: str) -> None:
    for case in asked("hypothesis.negation", FILM, hypothesis, label):
        assert case.certainty is Certainty.LIKELY


def test_a_text_that_says_the_same_confirms() -> None:
    premise = "The young woman is reading a book in the park."
    (case,) = asked("hypothesis.negation", premise, "The woman is reading.", "E")
    assert (case.hypothesis, case.certainty) == ("The woman is not reading.", Certainty.CERTAIN)
    (open_case,) = asked("hypothesis.negation", premise, "A woman is reading.", "E")  # it may be another woman
    assert open_case.certainty is Certainty.LIKELY


# Modifiers


def test_true_and_false_modifiers_of_a_true_statement() -> None:
    for seed in range(20):
        cases = by_rule(asked("hypothesis.modifier", FILM, "The Glass Harbour starred Hugo Sand.", "E", seed))
        true, false = cases["true-row-added"], cases["false-row-added"]
        assert (str(true.gold), str(false.gold)) == ("E", "C")
        assert true.certainty is false.certainty is Certainty.CERTAIN
        for case in (true, false):
            assert case.hypothesis.startswith("The Glass Harbour, which ")
            assert case.hypothesis.endswith(", starred Hugo Sand.")
        assert not any(name in false.hypothesis for name in ("Orla Venn", "Brandt", "1994", "97", "English"))


def test_a_false_modifier_keeps_a_false_statement_false_whatever_its_label_is_worth() -> None:
    cases = by_rule(asked("hypothesis.modifier", FILM, "The Glass Harbour was a flop.", "C"))
    assert (str(cases["false-row-added"].gold), cases["false-row-added"].certainty) == ("C", Certainty.CERTAIN)
    assert (str(cases["true-row-added"].gold), cases["true-row-added"].certainty) == ("C", Certainty.LIKELY)


def test_persons_are_who_and_have_no_president() -> None:
    texts = {
        case.hypothesis
        for seed in range(30)
        for case in asked("hypothesis.modifier", SINGER, "Ada Kessel is known in Japan.", "E", seed)
        if facet(case, "rule") == "true-row-added"
    }
    assert texts == {
        "Ada Kessel, who was born in 1961, is known in Japan.",
        "Ada Kessel, who comes from Hamburg, is known in Japan.",
        "Ada Kessel, who has been active since 1980, is known in Japan.",
        "Ada Kessel, who has worked as a singer, is known in Japan.",
        "Ada Kessel, who has worked as an actress, is known in Japan.",
        "Ada Kessel, who has worked as a songwriter, is known in Japan.",
    }


def test_a_plural_verb_makes_the_modifier_plural() -> None:
    texts = [
        case.hypothesis
        for seed in range(40)
        for case in asked("hypothesis.modifier", BAND, "The Copper Kites are popular.", "E", seed)
    ]
    assert "The Copper Kites, which have been with the label Red Barn, are popular." in texts
    assert not any(", which has" in text for text in texts)


def test_a_row_that_the_hypothesis_speaks_of_gives_no_modifier() -> None:
    table = Table("The Glass Harbour", (Row("Directed by", ("Orla Venn",)),), "Movie")
    assert not asked("hypothesis.modifier", table, "The Glass Harbour was directed by Orla Venn.", "E")


@pytest.mark.parametrize(
    "hypothesis", ["The Glass Harbour's cast is large.", "It was long.", "Old Glass Harbour is long."]
)
def test_no_modifier_where_the_title_is_not_followed_by_a_verb(hypothesis: str) -> None:
    assert not asked("hypothesis.modifier", FILM, hypothesis, "E")


def test_a_row_that_counts_excludes_no_name() -> None:
    school = Table("Carrow College", (Row("Doctoral students", ("80",)),), "University")
    thinker = Table("Ida Roth", (Row("Doctoral students", ("Max Lund",)),), "Person")
    pool = Pool({"school": school, "thinker": thinker})
    for spec in ("hypothesis.modifier", "hypothesis.entity"):
        for text in ("Carrow College has 80 doctoral students.", "Carrow College is known."):
            source = Pair("p", school, text, LabelSet.of("E"), "school")
            assert not [case for case in probe(spec).cases(source, pool) if isinstance(case, Case)]


def test_an_adjective_of_the_premise_keeps_an_entailment() -> None:
    premise = "A young girl is sitting on a red bench."
    cases = by_rule(asked("hypothesis.modifier", premise, "A girl is sitting on a bench.", "E"))
    assert cases["adjective-added"].certainty is Certainty.CERTAIN
    assert str(cases["opposite-added"].gold) == "C"
    assert cases["opposite-added"].certainty is Certainty.LIKELY


# All three

SPECS = ("hypothesis.entity", "hypothesis.negation", "hypothesis.modifier")
HOSTILE = [
    "",
    " ",
    "!!! ??? ...",
    "THE GLASS HARBOUR WAS DIRECTED BY ORLA VENN.",
    "the glass harbour was directed by orla venn",
    "The Glass Harbour was directed by Orla Venn " + "and then some " * 700,
    "The Glass Harbour " * 700,
    "İstanbul ﬁlm \u0000 \ud7ff was ’s ’s ’s.",
]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("hypothesis", HOSTILE)
@pytest.mark.parametrize("premise", [FILM, "A text about The Glass Harbour."], ids=["table", "text"])
def test_hostile_hypotheses_do_not_crash(spec: str, hypothesis: str, premise: Premise) -> None:
    for label in "EC":
        for case in asked(spec, premise, hypothesis, label):
            assert case.hypothesis != hypothesis


@pytest.mark.parametrize("spec", SPECS)
def test_neutral_and_unlabelled_pairs_are_left_alone(spec: str) -> None:
    text = "The Glass Harbour was directed by Orla Venn."
    for gold in (LabelSet.of("N"), None):
        (skip,) = probe(spec).cases(Pair("p", FILM, text, gold, "film"), POOL)
        assert isinstance(skip, Skip)


@pytest.mark.parametrize("spec", SPECS)
def test_cases_depend_on_the_seed_only(spec: str) -> None:
    text = "The Glass Harbour starred Hugo Sand."
    first = [asked(spec, FILM, text, "E", seed) for seed in range(5)]
    again = [asked(spec, FILM, text, "E", seed) for seed in range(5)]
    assert [[case.id for case in cases] for cases in first] == [[case.id for case in cases] for cases in again]


@pytest.mark.parametrize("spec", SPECS)
@given(label=st.sampled_from("EC"), effect=st.sampled_from(["preserve", "flip"]), n=st.integers(1, 2))
def test_effect_and_n_are_kept(spec: str, label: str, effect: str, n: int) -> None:
    cases = asked(f"{spec}?effect={effect}&n={n}", FILM, "The Glass Harbour starred Hugo Sand.", label)
    assert len(cases) <= n
    for case in cases:
        assert facet(case, "effect") == effect
        assert (str(case.gold) == label) == (effect == "preserve")


@pytest.mark.parametrize("spec", SPECS[:2])
def test_the_parser_counts_into_what_the_probe_reads(spec: str) -> None:
    if find_spec("spacy") is None:
        pytest.skip("spaCy is not installed")
    assert probe(f"{spec}?parser=spacy").reads != probe(spec).reads


def test_spacy_negates_where_the_rules_find_no_verb() -> None:
    if find_spec("spacy") is None:
        pytest.skip("spaCy is not installed")
    text = "The director of the movie The Glass Harbour lives in Norway."
    assert not asked("hypothesis.negation", FILM, text, "E")
    (case,) = asked("hypothesis.negation?parser=spacy", FILM, text, "E")
    assert case.hypothesis == "The director of the movie The Glass Harbour does not live in Norway."
