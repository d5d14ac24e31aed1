"""Gives the person that a table is about another name, in the title, the cells and the hypothesis alike, or refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

from nliprobe.probes._persons import (
    ABOUT_NAMES,
    OTHER_FORM,
    OTHER_GENDER,
    TOO_FEW,
    Refused,
    other_forms,
    other_gender,
)
from nliprobe.probes._texts import Change, texts_of
from nliprobe.task.pair import Pair, Premise
from nliprobe.task.table import Table

if TYPE_CHECKING:
    from nliprobe.probes._names import Names

# Rows that only persons have, and rows that animals, bands and monarchs have.
_PERSON_KEYS = frozenset({"born", "birth name", "died", "date of birth", "date of death"})
_OTHER_KEYS = frozenset(
    {"species", "breed", "sex", "sire", "dam", "owner", "trainer", "jockey"}
    | {"members", "past members", "current members"}
    | {"reign", "coronation", "house", "dynasty", "regnal name", "consort", "venerated in", "canonized", "feast"}
)
# Rows in which a part of the name is that of the person or of the family.
_FAMILY = re.compile(
    r"(?:birth |full )?names?|born(?: as)?|spouses?(?:\(s\))?|wi(?:fe|ves)|husbands?|(?:domestic )?partners?(?:\(s\))?|"
    r"child(?:ren)?|parents?(?:\(s\))?|fathers?|mothers?|relatives?|siblings?|brothers?|sisters?|family",
    re.IGNORECASE,
)
_PART = re.compile(r"[A-Z][a-zà-öø-ÿ]{2,}")
_ADDRESS = re.compile(
    r"(?:https?://|www\.)\S+|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|co|tv|info|de|uk|fr|me|us)\b\S*", re.I
)
_ABOUT_NAMES = re.compile(
    r"\b(known as|goes by|went by|alias\w*|pseudonym\w*|surnames?|last name|first name|maiden|nick\w*|names?|named|"
    r"initials?|letters?|spell\w*|called|stage|jr|sr|junior|senior)\b",
    re.IGNORECASE,
)
_PLACE_BEFORE = re.compile(r"\b(?:in|at|from|near|into|inside|the)\s+$", re.IGNORECASE)

PARTS_ELSEWHERE = "a part of the person's name occurs in something else"


def not_a_person(table: Table) -> bool:
    """Tell whether a table has rows that only animals, bands, monarchs and saints have."""
    return any(key.lower() in _OTHER_KEYS for key in table.keys)


def person_parts(premise: Premise, names: Names) -> list[str]:
    """Return the parts of a table's title if it is the plain name of a person; else nothing."""
    if not isinstance(premise, Table) or premise.columns or not_a_person(premise):
        return []
    parts = premise.title.split()
    plain = 2 <= len(parts) <= 4 and all(_PART.fullmatch(part) for part in parts) and len(set(parts)) == len(parts)
    person = any(key.lower() in _PERSON_KEYS for key in premise.keys)
    return parts if plain and person and parts[0] in names.known else []


def renaming(pair: Pair, parts: Sequence[str], names: Names, random: Random) -> dict[str, str]:
    """Draw another name for the person of a table: a new part for each part of the name, none of which occurs.

    Raises:
        Refused: a part of the name may mean something else somewhere.
    """
    _check(pair, parts)
    gender = names.known[parts[0]]
    if other_gender(gender, [pair.hypothesis]):
        raise Refused(OTHER_GENDER)
    taken = {word for text in texts_of(pair) for word in re.findall(r"[^\W\d_]+", text)}
    drawn: dict[str, str] = {}
    for place, part in enumerate(parts):
        first = part in names.known and place < len(parts) - 1
        options = names.others(gender, taken) if first else [name for name in names.surnames if name not in taken]
        if not options:
            raise Refused(TOO_FEW)
        drawn[part] = random.choice(options)
        taken.add(drawn[part])
    return drawn


def renamed(text: str, drawn: Mapping[str, str]) -> list[Change]:
    """Return the changes that put the new name in the place of the old one, in web addresses as well."""
    changes = list(_in_addresses(text, drawn))
    for match in re.finditer(rf"\b(?:{'|'.join(drawn)})\b", text):
        if not any(change.start < match.end() and match.start() < change.stop for change in changes):
            changes.append(Change(match.start(), match.end(), drawn[match.group()]))
    return changes


def _check(pair: Pair, parts: Sequence[str]) -> None:
    hypothesis, table = pair.hypothesis, pair.premise
    if _ABOUT_NAMES.search(hypothesis):
        raise Refused(ABOUT_NAMES)
    either = "|".join(parts)
    whole, anywhere = re.compile(rf"\b(?:{either})\b"), re.compile(either, re.IGNORECASE)
    for row in table.rows if isinstance(table, Table) else ():
        if anywhere.search(row.key):
            raise Refused(PARTS_ELSEWHERE)
        for value in row.values:
            _check_text(value, whole, anywhere, family=_FAMILY.fullmatch(row.key.strip()) is not None)
    _check_text(hypothesis, whole, anywhere, family=True)
    if any(_PLACE_BEFORE.search(hypothesis[: match.start()]) for match in whole.finditer(hypothesis)):
        raise Refused(PARTS_ELSEWHERE)
    words = set(re.findall(r"[^\s,;:!()\"“”]+", hypothesis))
    cells = set(re.findall(r"[^\s,;:!()\"“”]+", " ".join(texts_of(pair)[:-1])))
    # Also what is garbled, such as "_ukasiewicz" for "Lukasiewicz".
    unknown = {re.sub(r"(?:['’]s?|\.)$", "", word) for word in words} - cells - set(parts)
    if other_forms(parts, unknown) or any(re.search(r"\w[?_]\w|^_", word) for word in unknown):
        raise Refused(OTHER_FORM)


def _check_text(text: str, whole: re.Pattern[str], anywhere: re.Pattern[str], *, family: bool) -> None:
    """Refuse a text in which a part of the name is in another word, or may belong to something else."""
    addresses = [match.span() for match in _ADDRESS.finditer(text)]
    for match in anywhere.finditer(text):
        if any(start <= match.start() and match.end() <= stop for start, stop in addresses):
            continue
        exact = whole.match(text, match.start())
        # A part counts as the person's in a row about the family, or next to another part of the name.
        beside = exact and (
            whole.match(text, match.end() + 1) or re.search(rf"(?:{whole.pattern}) $", text[: match.start()])
        )
        if not exact or not (family or beside):
            raise Refused(PARTS_ELSEWHERE)


def _in_addresses(text: str, drawn: Mapping[str, str]) -> Iterator[Change]:
    for address in _ADDRESS.finditer(text):
        after = address.group()
        for part, new in drawn.items():
            after = re.sub(re.escape(part), new.lower(), after, flags=re.IGNORECASE)
        if after != address.group():
            yield Change(address.start(), address.end(), after)
