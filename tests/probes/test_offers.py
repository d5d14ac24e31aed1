"""Edits whose effect is known, and edits by hand that turn out to be one of them."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from nliprobe.probes.offers import known_edit, offered_cases
from nliprobe.task.case import Certainty
from nliprobe.task.pair import Pair, Premise
from nliprobe.task.relations import DELETE, INSERT, PERMUTE, SAME, SWAPPED, UNCONSTRAINED, together
from nliprobe.task.table import Row, Table
from nliprobe.testing import strategies

PERSON = Table(
    "Emily Blunt",
    (Row("Born", ("23 February 1983", "London")), Row("Occupation", ("Actress",)), Row("Spouse", ("John Krasinski",))),
)
ABOUT = Pair("typed/1", PERSON, "Emily Blunt was born in London.")
TEXT = Pair("typed/1", "The man plays a guitar. Anna owns two cats.", "The man is outside.")


def test_each_probe_that_needs_only_the_pair_offers_its_cases() -> None:
    table, text = ({case.probe.partition("?")[0] for case in offered_cases(pair)} for pair in (ABOUT, TEXT))
    assert {"rows.delete", "rows.permute", "dir.negate", "inv.surface"} <= table
    assert {"sentences.delete", "sentences.permute", "swap", "dir.negate"} <= text
    assert not {name for name in table | text if name.startswith(("gold", "rows.insert", "hypothesis."))}


@settings(max_examples=25)
@given(strategies.pairs())
def test_every_offer_changes_the_pair_and_has_a_rule(pair: Pair) -> None:
    for case in offered_cases(pair):
        assert case.expects is not None
        assert (case.premise, case.hypothesis) != (pair.premise, pair.hypothesis)


def test_an_edit_by_hand_that_a_probe_makes_has_its_rule() -> None:
    for pair in (ABOUT, TEXT):
        for case in offered_cases(pair):
            known = known_edit(pair, case.premise, case.hypothesis)
            assert known is not None
            assert (known.expects, known.certainty) == (case.expects, case.certainty)


def test_without_a_gold_label_a_swap_has_what_logic_demands() -> None:
    known = known_edit(TEXT, TEXT.hypothesis, str(TEXT.premise))
    assert known is not None
    assert known.expects == SWAPPED
    assert known.certainty is Certainty.CERTAIN


@given(st.permutations(range(3)), st.sets(st.integers(0, 2), max_size=2))
def test_rows_that_are_taken_out_and_moved_have_the_relation_of_the_set(order: list[int], gone: set[int]) -> None:
    after = Table(PERSON.title, tuple(PERSON.rows[place] for place in order if place not in gone))
    known = known_edit(ABOUT, after, ABOUT.hypothesis)
    kinds = [
        *[DELETE] * bool(gone),
        *[PERMUTE] * ([place for place in order if place not in gone] != sorted(set(order) - gone)),
    ]
    if not kinds:
        assert known is None
        return
    assert known is not None
    assert known.expects == together(kinds)


def test_a_new_row_is_likely_and_only_if_its_key_is_new() -> None:
    new = PERSON.insert(1, Row("Died", ("never",)))
    known = known_edit(ABOUT, new, ABOUT.hypothesis)
    assert known is not None
    assert (known.expects, known.certainty) == (INSERT.relation, Certainty.LIKELY)
    again = PERSON.insert(1, Row("BORN", ("1901",)))
    assert known_edit(ABOUT, again, ABOUT.hypothesis) is None


def test_nothing_is_known_about_other_edits() -> None:
    others: list[tuple[Premise, str]] = [
        (PERSON.update(0, Row("Born", ("1901",))), ABOUT.hypothesis),
        (PERSON.retitle("Emma Stone"), ABOUT.hypothesis),
        (PERSON.delete(0), "Emily Blunt was born in Paris."),
        ("A text.", ABOUT.hypothesis),
        (Table(PERSON.title, ()), ABOUT.hypothesis),
        (PERSON, "Emily Blunt lives in London."),
        (PERSON, ABOUT.hypothesis),
    ]
    for premise, hypothesis in others:
        assert known_edit(ABOUT, premise, hypothesis) is None


def test_in_tables_of_many_columns_only_the_order_says_nothing() -> None:
    games = Table("Games", tuple(Row("", (f"team {n}", str(n))) for n in range(4)), "", ("team", "points"))
    pair = Pair("typed/1", games, "Two teams have points.")
    gone = known_edit(pair, games.delete(0).delete(0), pair.hypothesis)
    moved = known_edit(pair, games.permute([3, 2, 1, 0]), pair.hypothesis)
    assert gone is not None
    assert gone.expects == UNCONSTRAINED
    assert moved is not None
    assert (moved.expects, moved.certainty) == (SAME, Certainty.CERTAIN)
    order = Pair("typed/1", games, "The last team has points.")
    likely = known_edit(order, games.permute([3, 2, 1, 0]), order.hypothesis)
    assert likely is not None
    assert likely.certainty is Certainty.LIKELY
