"""Lexicons of common words: whole entries, and forms that follow the rules of English or are known exceptions."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import nliprobe.language.lexicons as lexicons

FOLDER = Path(lexicons.__file__).parent
SIZES = {
    "profession": 80, "gradable": 60, "object": 100, "colour": 12, "trait": 60, "synonym-adj": 50, "antonym-adj": 60,
    "action": 60, "transitive": 40, "acquire": 15, "exchange": 30, "kin": 20, "relative": 16, "table-object": 40,
    "room": 12, "place": 25, "food": 25, "drink": 12, "subject": 20, "sport": 20, "instrument": 20, "event": 25,
    "emotion": 20, "factive": 15, "nonfactive": 12, "unit": 12, "taxon": 160, "trait-of-class": 40,
}  # fmt: skip
VERBS = ("action", "transitive", "acquire")
FIELDS = {
    **dict.fromkeys(VERBS, "text third past participle gerund"),
    **dict.fromkeys(("factive", "nonfactive"), "text past"),
    "profession": "text plural workplace", "object": "text plural", "unit": "text plural quantity",
    "gradable": "text comparative superlative opposite opposite_comparative", "synonym-adj": "text synonym",
    "antonym-adj": "text antonym", "exchange": "text past base converse converse_base thing",
    "kin": "text inverse gender plural symmetric", "relative": "text gender plural", "instrument": "text player",
    "event": "text definite", "taxon": "text plural class class_plural",
    "trait-of-class": "text third class_plural member",
}  # fmt: skip
CLASSES = {
    "bird": "birds", "fish": "fish", "mammal": "mammals", "insect": "insects", "reptile": "reptiles",
    "flower": "flowers", "tree": "trees", "fruit": "fruits", "vegetable": "vegetables",
}  # fmt: skip
PLURALS = {
    "child": "children", "foot": "feet", "goose": "geese", "grandchild": "grandchildren", "midwife": "midwives",
    "mouse": "mice", "scarf": "scarves", "shelf": "shelves", "stepchild": "stepchildren", "wife": "wives",
    "wolf": "wolves", "godchild": "godchildren", "mango": "mangoes", "mosquito": "mosquitoes", "potato": "potatoes",
}  # fmt: skip
UNCHANGED = {
    "carp", "cod", "deer", "goldfish", "grapefruit", "haddock", "halibut", "mackerel", "moose", "salmon", "sheep",
    "swordfish", "trout", "tuna",
}  # fmt: skip
PAST = {
    "bear": "bore", "become": "became", "buy": "bought", "catch": "caught", "choose": "chose",
    "cut": "cut", "deal": "dealt", "do": "did", "draw": "drew", "drive": "drove", "feed": "fed", "feel": "felt",
    "find": "found", "fly": "flew", "forget": "forgot", "forgive": "forgave", "get": "got", "give": "gave",
    "go": "went", "hear": "heard", "hide": "hid", "keep": "kept", "know": "knew", "learn": "learnt", "lend": "lent",
    "let": "let", "lose": "lost", "make": "made", "overhear": "overheard", "pay": "paid", "read": "read",
    "regret": "regretted", "ride": "rode", "say": "said", "see": "saw", "sell": "sold", "send": "sent", "sing": "sang",
    "sleep": "slept", "steal": "stole", "sublet": "sublet", "swear": "swore", "sweep": "swept", "swim": "swam",
    "take": "took", "teach": "taught", "tell": "told", "think": "thought", "wear": "wore", "win": "won",
    "write": "wrote",
}  # fmt: skip
# Only those of which the participle is not the past form.
PARTICIPLES = {
    "choose": "chosen", "do": "done", "draw": "drawn", "drive": "driven", "fly": "flown", "forgive": "forgiven",
    "go": "gone", "hide": "hidden", "ride": "ridden", "see": "seen", "sing": "sung", "steal": "stolen", "swim": "swum",
    "take": "taken", "wear": "worn", "write": "written",
}  # fmt: skip
THIRD = {"do": "does", "go": "goes", "have": "has"}
# Of two syllables, and yet compared with -er.
SHORT_COMPARATIVES = {"clever": "cleverer", "quiet": "quieter"}


@cache
def rows(stem: str) -> tuple[dict[str, str], ...]:
    text = (FOLDER / f"{stem}.tsv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return tuple(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def pairs(stem: str, left: str, right: str) -> Iterator[tuple[str, str]]:
    return ((row[left], row[right]) for row in rows(stem))


def plural(noun: str) -> str:
    if noun.endswith("-in-law"):
        return plural(noun.removesuffix("-in-law")) + "-in-law"
    head, space, last = noun.rpartition(" ")
    if last in UNCHANGED:
        return noun
    if last in PLURALS:
        return head + space + PLURALS[last]
    if last.endswith("y") and last[-2] not in "aeiou":
        return head + space + last[:-1] + "ies"
    return noun + ("es" if last.endswith(("s", "x", "z", "ch", "sh")) else "s")


def doubles(verb: str) -> bool:
    """Whether a verb of one syllable doubles its last letter: one vowel, then one consonant other than w, x and y."""
    return re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb) is not None


def third(verb: str) -> str:
    if verb in THIRD:
        return THIRD[verb]
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh")) else "s")


def past(verb: str) -> str:
    if verb in PAST:
        return PAST[verb]
    if doubles(verb):
        return verb + verb[-1] + "ed"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ied"
    return verb + ("d" if verb.endswith("e") else "ed")


def gerund(verb: str) -> str:
    if doubles(verb):
        return verb + verb[-1] + "ing"
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1] + "ing"
    return verb + "ing"


def syllables(word: str) -> int:
    """How often a word's vowels begin anew; y between vowels is a consonant, and a last e after a consonant is mute."""
    plain = re.sub(r"(?<=[aeiou])y(?=[aeiou])", "-", word)
    found = len(re.findall(r"[aeiouy]+", plain))
    return found - 1 if re.search(r"[aeiouy].*[^aeiouyl]e$", plain) else found


def comparative(adjective: str) -> str:
    if adjective in SHORT_COMPARATIVES:
        return SHORT_COMPARATIVES[adjective]
    count = syllables(adjective)
    if count == 1:
        stem = adjective + adjective[-1] if doubles(adjective) else adjective.removesuffix("e")
        return stem + "er"
    if count == 2 and adjective.endswith("y") and not adjective.startswith("un"):
        return adjective[:-1] + "ier"
    return f"more {adjective}"


def superlative(made: str) -> str:
    return f"most {made[5:]}" if made.startswith("more ") else made[:-2] + "est"


def heads(phrase: str) -> tuple[str, str]:
    verb, space, rest = phrase.partition(" ")
    return verb, space + rest


def unordered(stem: str, field: str) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in pairs(stem, "text", field)}


@pytest.mark.parametrize("stem", SIZES)
def test_entries_are_whole(stem: str) -> None:
    found = rows(stem)
    assert len(found) >= SIZES[stem]
    assert len({row["text"].lower() for row in found}) == len(found)
    for row in found:
        assert None not in row, row
        assert list(row) == FIELDS.get(stem, "text").split()
        for cell in row.values():
            assert cell, row
            assert cell == " ".join(cell.split()), row


@pytest.mark.parametrize("stem", [stem for stem in SIZES if stem != "event"])
def test_texts_have_no_article(stem: str) -> None:
    assert not [row for row in rows(stem) if re.match(r"(a|an|the) ", row["text"], re.IGNORECASE)]


def test_events_have_both_articles() -> None:
    for text, definite in pairs("event", "text", "definite"):
        noun = definite.removeprefix("the ")
        assert definite == f"the {noun}"
        assert text == f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def test_workplaces_have_an_article() -> None:
    for row in rows("profession"):
        word = row["workplace"].partition(" ")[2]
        vowel = word[0] in "aeiou" and not word.startswith("uni")
        assert row["workplace"] == f"{'an' if vowel else 'a'} {word}"


@pytest.mark.parametrize("stem", ["profession", "object", "kin", "relative", "unit", "taxon"])
def test_plurals(stem: str) -> None:
    assert [(text, made) for text, made in pairs(stem, "text", "plural") if made != plural(text)] == []


def test_comparison_follows_the_rules() -> None:
    for row in rows("gradable"):
        assert row["comparative"] == comparative(row["text"])
        assert row["superlative"] == superlative(row["comparative"])
        assert row["opposite_comparative"] == comparative(row["opposite"])


def test_gradable_opposites_agree() -> None:
    known = {row["text"]: row for row in rows("gradable")}
    opposites = [row["opposite"] for row in known.values()]
    assert len(set(opposites)) == len(opposites)
    for row in known.values():
        assert row["opposite"] != row["text"]
        if other := known.get(row["opposite"]):
            assert other["opposite"] == row["text"]
            assert other["comparative"] == row["opposite_comparative"]


def test_synonyms_are_not_antonyms() -> None:
    same = unordered("synonym-adj", "synonym")
    opposed = unordered("antonym-adj", "antonym") | unordered("gradable", "opposite")
    assert all(len(pair) == 2 for pair in same | opposed)
    assert same & opposed == set()


def test_no_synonym_is_reached_from_an_antonym() -> None:
    """What is the same as one word cannot be the opposite of what is the same as that word."""
    same = dict(pairs("synonym-adj", "text", "synonym"))
    for left, right in pairs("antonym-adj", "text", "antonym"):
        assert same.get(left, left) != same.get(right, right)


def test_traits_are_independent_by_these_files() -> None:
    traits = {row["text"] for row in rows("trait")}
    related = unordered("synonym-adj", "synonym") | unordered("antonym-adj", "antonym")
    assert [pair for pair in related | unordered("gradable", "opposite") if pair <= traits] == []
    assert traits & {row["text"] for row in rows("emotion")} == set()


@pytest.mark.parametrize("stem", VERBS)
def test_verb_forms(stem: str) -> None:
    for row in rows(stem):
        verb, rest = heads(row["text"])
        assert row["third"] == third(verb) + rest
        assert row["past"] == past(verb) + rest
        assert row["participle"] == PARTICIPLES.get(verb, past(verb)) + rest
        assert row["gerund"] == gerund(verb) + rest


@pytest.mark.parametrize(
    ("stem", "base", "made"),
    [
        ("factive", "text", "past"),
        ("nonfactive", "text", "past"),
        ("exchange", "base", "past"),
        ("exchange", "converse_base", "converse"),
    ],
)
def test_past_forms(stem: str, base: str, made: str) -> None:
    for text, form in pairs(stem, base, made):
        verb, rest = heads(text)
        assert form == past(verb) + rest


def test_the_text_of_an_exchange_is_its_past() -> None:
    assert all(text == made for text, made in pairs("exchange", "text", "past"))


def test_factive_and_nonfactive_share_nothing() -> None:
    assert not {row["text"] for row in rows("factive")} & {row["text"] for row in rows("nonfactive")}


def test_kin_inverses_agree() -> None:
    known = {row["text"]: row for row in rows("kin")}
    for row in known.values():
        assert row["gender"] in {"m", "f", "-"}
        assert row["symmetric"] == ("yes" if row["inverse"] == row["text"] else "no")
        if row["inverse"] != "-":
            assert known[row["inverse"]]["gender"] == "-"
        if row["gender"] == "-":
            assert known[row["inverse"]]["inverse"] == row["text"]
    assert all(row["gender"] in {"m", "f", "-"} for row in rows("relative"))


def test_classes_of_taxa() -> None:
    found = {(row["class"], row["class_plural"]) for row in rows("taxon")}
    assert found == set(CLASSES.items())


def test_members_are_taxa_of_their_class() -> None:
    members = {(row["class_plural"], row["plural"]) for row in rows("taxon")}
    for row in rows("trait-of-class"):
        if row["class_plural"] in CLASSES.values():
            assert (row["class_plural"], row["member"]) in members
        verb, _ = heads(row["text"])
        assert heads(row["third"])[0] == {"have": "has", "are": "is"}.get(verb, third(verb))
