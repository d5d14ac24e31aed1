"""Negations of the main clause: where *not* goes, how verbs change, what is taken away, what is not plain."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.language.negation import DENIED, LONG, NO_VERB, SUBJECT, Negated, negate
from nliprobe.language.verbs import bases, participles, past_of, third_of, verb_forms


def said(text: str, subject: int = 0) -> str:
    change = negate(text, subject=subject)
    assert isinstance(change, Negated), change
    return text[: change.span[0]] + change.after + text[change.span[1] :]


def change_of(text: str, subject: int = 0) -> Negated:
    change = negate(text, subject=subject)
    assert isinstance(change, Negated), change
    return change


@pytest.mark.parametrize(
    ("text", "subject", "negated"),
    [
        ("The bridge was opened in 1920.", 0, "The bridge was not opened in 1920."),
        ("The bridge has a length of 40 metres.", 10, "The bridge does not have a length of 40 metres."),
        ("The bridge had two owners.", 10, "The bridge did not have two owners."),
        ("The choir has recorded four albums.", 9, "The choir has not recorded four albums."),
        ("The choir has been active.", 9, "The choir has not been active."),
        ("Orla Venn wrote the novel.", 9, "Orla Venn did not write the novel."),
        ("Orla Venn studies rocks.", 9, "Orla Venn does not study rocks."),
        ("Orla Venn can swim.", 0, "Orla Venn cannot swim."),
        ("The sons of Orla Venn are farmers.", 0, "The sons of Orla Venn are not farmers."),
        ("THE BRIDGE WAS OPENED.", 0, "THE BRIDGE WAS NOT OPENED."),
    ],
)
def test_negation_follows_english(text: str, subject: int, negated: str) -> None:
    assert said(text, subject) == negated


@pytest.mark.parametrize(
    ("text", "subject", "plain"),
    [
        ("The bridge was not opened in 1920.", 0, "The bridge was opened in 1920."),
        ("The bridge wasn't opened.", 0, "The bridge was opened."),
        ("Orla Venn did not win a prize.", 0, "Orla Venn won a prize."),
        ("Orla Venn doesn't have a sister.", 0, "Orla Venn has a sister."),
        ("Orla Venn cannot swim.", 0, "Orla Venn can swim."),
        ("Orla Venn won’t swim.", 0, "Orla Venn will swim."),
        ("Orla Venn never painted a horse.", 9, "Orla Venn painted a horse."),
        ("Orla Venn has never painted a horse.", 0, "Orla Venn has painted a horse."),
    ],
)
def test_negation_is_taken_away(text: str, subject: int, plain: str) -> None:
    assert said(text, subject) == plain
    assert change_of(text, subject).removed


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", NO_VERB),
        ("Nothing to see", NO_VERB),
        ("Was it opened?", SUBJECT),
        # What the relative clause takes for granted would not be denied.
        ("The bridge, which is long, was opened in 1920.", SUBJECT),
        ("The bridge has no owner.", DENIED),
        ("Orla Venn has never won anything.", DENIED),
        ("Orla Venn was seen by a man who did not wave.", DENIED),
        ("Orla Venn did not frobnicate.", NO_VERB),
        ("word " * 2_000, LONG),
    ],
)
def test_negation_says_why_it_is_not_possible(text: str, reason: str) -> None:
    assert negate(text) == reason


@pytest.mark.parametrize(
    ("text", "joined", "scoped", "compares"),
    [
        ("The bridge was opened in 1920.", False, False, False),
        ("The bridge was opened, a day late.", True, False, False),
        ("The bridge was opened and closed in 1920.", True, False, False),
        ("The bridge was opened when it was new.", True, False, False),
        ("The bridge was only opened in 1920.", False, True, False),
        ("All of the bridge was painted.", False, True, False),
        ("The bridge was over 40 metres long.", False, False, True),
        # Denied, it would be about the last ten years.
        ("The bridge has been open for ten years.", False, True, False),
        ("The bridge must be painted.", False, True, False),
        ("At least three bridges are open.", False, True, True),
        ("A bridge is open.", False, True, False),
        ("The bridge was closed in two of the years.", False, True, False),
    ],
)
def test_negation_knows_what_is_not_plain(text: str, joined: bool, scoped: bool, compares: bool) -> None:
    change = change_of(text)
    assert (change.joined, change.scoped, change.compares) == (joined, scoped, compares)


# Forms that belong to one verb only: "found" is the past of "find", "lay" that of "lie" and a verb of its own.
FORMS = sorted(
    (form, verb.base, verb.past)
    for form, verb in verb_forms().items()
    if (past_of if verb.past else third_of)(verb.base) == form and verb.base not in ("have", "do")
)


@given(st.sampled_from(FORMS), st.sampled_from(["in 1920", "with Orla", "the old bridge"]))
def test_negation_and_its_removal_are_inverse(verb: tuple[str, str, bool], rest: str) -> None:
    form, base, past = verb
    text = f"Orla Venn {form} {rest}."
    negated = said(text, len("Orla Venn"))
    assert negated == f"Orla Venn {'did' if past else 'does'} not {base} {rest}."
    assert said(negated) == text


@given(st.text(max_size=300))
def test_any_text_is_negated_or_refused(text: str) -> None:
    change = negate(text)
    if isinstance(change, Negated):
        start, stop = change.span
        assert 0 <= start <= stop <= len(text)
        assert text[:start] + change.after + text[stop:] != text


def test_participles_are_no_third_persons() -> None:
    assert {"recorded", "won", "been", "written"} <= participles()
    assert not participles() & {third_of(base) for base in bases()}
