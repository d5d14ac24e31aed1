"""Tell names of persons, places and organisations from each other and from other texts."""

from __future__ import annotations

import re
from functools import cache

from nliprobe.language.cells._places import is_city, is_known_place
from nliprobe.language.cells.records import CellType
from nliprobe.language.lexicon import lower_column

_ORGANISATION = re.compile(
    r"\b(?:universit(?:y|ies)|université|universität|college|school|academy|institute|institut|polytechnic|conservatory|seminary"
    r"|records|recordings|recording|inc|ltd|llc|plc|gmbh|corp|corporation|compan(?:y|ies)|co|group|holdings|enterprises"
    r"|pictures|studios?|entertainment|productions|films|comics|press|publishing|publications|publishers|books|media|music"
    r"|bank|association|federation|union|league|club|party|committee|council|commission|ministry|department|agency|bureau"
    r"|parliament|assembly|senate|congress|house of|church|foundation|society|trust|stables?|orchestra|band|ensemble"
    r"|choir|team|f\.?c|army|navy|air force|police|airlines?|airways|motors|laborator(?:y|ies)|museum|gallery"
    r"|network|broadcasting|television|partners|brothers|bros|and sons|& sons|communications|systems|technologies"
    r"|industries|international|organi[sz]ation|court|office|brewery|distillery|distillers|farms?|racing|syndicate)\b"
    r"|\b(?:BBC|NBC|ABC|CBS|HBO|IBM|NASA|EMI|RCA|MGM|CNN|MTV|ESPN|FIFA|UEFA|NCAA|WWE|UFC|PBS|ITV|AMC|DC)\b",
    re.IGNORECASE,
)
_BUILDING = re.compile(
    r"\b(?:cemetery|park|churchyard|memorial|island|islands|river|mountains?|lake|valley|province|county|district|street|avenue"
    r"|road|square|stadium|arena|abbey|cathedral|basilica|castle|palace|hall|centre|center|theatre|theater|city|village|town"
    r"|ocean|sea|bay|coast|region|state|states|republic|kingdom|empire|airport|station|course|garden|gardens|beach|hills?"
    r"|forest|desert|museum|gallery|chapel|mausoleum|crematorium|plaza|north|south|east|west|europe|asia|africa|america|worldwide)\b",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"\b(?:sir|dr|mr|mrs|ms|prof|lord|lady|king|queen|prince|princess|pope|saint|emperor|jr|sr|iii|iv|vi{1,3}|sheikh|bin|ibn|al-\w+"
    r"|baron|duke|earl|count|viscount|general|captain|van|von|de la|abdul)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"(?<!\w)[^\W\d_][\w'’.-]*")
_INITIAL = re.compile(r"(?:[A-Z]\.\s?){1,3}")
_LOWER_CASE = """
of the de la del da di du van von der den and le el al bin ibn y e & for in on at by do dos das
"""
_PARTICLES = frozenset(_LOWER_CASE.split())
_APOSTROPHES = ("'", "’")  # d'Amico
_MOST_WORDS = 10


def name_type(text: str, expected: CellType | None) -> CellType:
    """Return the type of a text that is no number, date or amount, with what the key makes one expect.

    >>> name_type("Ann Lee", CellType.PERSON).value, name_type("Paris, France", None).value
    ('person', 'place')
    """
    if is_known_place(text):
        return CellType.PLACE
    if expected is CellType.TEXT:
        return CellType.TEXT
    if is_place(text) and (expected not in (CellType.PERSON, CellType.ORGANISATION) or "," in text):
        return CellType.PLACE
    if not looks_like_name(text):
        return CellType.TEXT
    names_organisation = _ORGANISATION.search(text) is not None
    if expected is CellType.PERSON:
        return CellType.ORGANISATION if names_organisation and not _is_person(text) else CellType.PERSON
    if expected in (CellType.ORGANISATION, CellType.PLACE):
        return expected
    if names_organisation:
        return CellType.ORGANISATION
    # Rows about births and deaths without a date say where.
    if expected is CellType.DATE and ("," in text or _BUILDING.search(text)):
        return CellType.PLACE
    return CellType.PERSON if _is_person(text) and expected is None else CellType.TEXT


def is_place(text: str) -> bool:
    """Tell whether a text is a known country, state or city, or ends in one after a comma: "Kent, Ohio, U.S."."""
    last = text.rpartition(",")[2].strip()
    if is_known_place(last) or (last == text and is_city(text)):
        return len(text.split()) <= _MOST_WORDS or "," in text
    return False


def looks_like_name(text: str) -> bool:
    """Tell whether all words that count begin with a capital letter or are of a script that has none."""
    words = [word for word in _WORD.findall(text) if word.lower() not in _PARTICLES]
    return 0 < len(words) <= _MOST_WORDS and not any(
        word[0].islower() and word[1:2] not in _APOSTROPHES for word in words
    )


def _is_person(text: str) -> bool:
    words = _WORD.findall(text)
    if not 2 <= len(words) <= 6 or "&" in text:
        return False
    return words[0].lower() in _given_names() or bool(_PERSON.search(text)) or bool(_INITIAL.match(text))


@cache
def _given_names() -> frozenset[str]:
    return frozenset([*lower_column("GIVEN_NAME"), *lower_column("NAME")])
