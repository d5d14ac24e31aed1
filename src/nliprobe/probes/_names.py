"""Finds first names of persons that may be exchanged, and refuses wherever a name could be something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import NamedTuple

from nliprobe.base.hashing import digest
from nliprobe.language.lexicon import Lexicon, load_lexicon
from nliprobe.probes._persons import (
    ABOUT_NAMES,
    NO_PERSON,
    NOT_ALONE,
    OTHER_FORM,
    OTHER_GENDER,
    TOO_FEW,
    Refused,
    coupled,
    elsewhere,
    is_person,
    may_be_person,
    mention,
    other_forms,
    other_gender,
    written_otherwise,
)
from nliprobe.probes._table_person import not_a_person
from nliprobe.probes._texts import Change, texts_of
from nliprobe.task.case import Certainty
from nliprobe.task.pair import Pair
from nliprobe.task.table import Table

# Months, places, plain words and people of scripture that are also first names: another name may say something else.
_WORDS_TEXT = """
April August Austin Brooklyn Carol Chad Charity Charlotte Chelsea Cherry Chase China Clay Crystal Daisy Dallas Dawn
Dean Drew Faith Florence Frank Georgia Grace Grant Guy Harmony Heather Holly Hope Houston Hunter India Iris Israel Ivy
Jack Jade Jasmine Jordan Joy June Kent Lance Lily Lincoln Madison Mark May Mercy Milan Miles Olive Paris Pat Pearl
Penny Peter Ray Regina Rich Robin Rob Rose Roman Ruby Sandy Savannah Sky Stone Summer Sydney Taylor Troy Tuesday
Victor Victoria Vienna Viola Violet Virginia Will Bill Art Gene Sue Abraham
Adam Eve Jesus Mohammed Moses Muhammad
"""
_WORDS = frozenset(_WORDS_TEXT.split())
# Capitalised only because they open a sentence, so they are no part of a name that follows.
_OPENERS_TEXT = """
After Although And As At Because Before Both But By Did Do Does During Either For From Had Has Have How If In Is Later
Like Maybe Neither Now On Only Or Perhaps So Since Soon That Then Though Through To Today Unlike Until Was What When
Where Which While Who Why With Without Yesterday
"""
_OPENERS = frozenset(_OPENERS_TEXT.split())
# Plain words that begin sentences and name nobody.
_STARTERS_TEXT = """
A All An Another Any Each Every He Her His It Its Many Most My No Nobody None One Other Others Our She Some Somebody
Someone Something That The Their There These They This Those Three Two We You Your
"""
_STARTERS = frozenset(_STARTERS_TEXT.split())
_TITLES_TEXT = "Dr Mr Mrs Ms Mx Prof Rev Sr Jr St Ste Sgt Capt Lt Gen Col Mt Ft No"
_TITLES = frozenset(_TITLES_TEXT.split())
# "the Elizabeth" is a ship and "van Lars" a surname.
_BEFORE_TEXT = "the a an von van de la le el al bin ibn da di dos del"
_BEFORE = frozenset(_BEFORE_TEXT.split())
# Where a sentence is about the name itself, another name says something else.
_ABOUT = re.compile(
    r"\b(names?|named|nam(?:ing|esakes?)|called|spell\w*|spelt|letters?|initials?|alphabet\w*|rhymes?|vowels?|"
    r"syllables?|pronounc\w*|nick\w*|[a-z]['’]s)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
# The characters between the end of a sentence and the first word of the next.
_OPENING = " \"'“‘("
_POSSESSIVE = re.compile(r"['’]s?$")
# Rows whose values are persons.
_PEOPLE = re.compile(
    r"(?:birth |full )?names?|born|spouses?(?:\(s\))?|wi(?:fe|ves)|husbands?|(?:domestic )?partners?(?:\(s\))?|"
    r"child(?:ren)?|parents?(?:\(s\))?|fathers?|mothers?|relatives?|siblings?|brothers?|sisters?|family|"
    r"(?:current |past )?members|staff|students?|players?|crew|cast|starring",
    re.IGNORECASE,
)

NO_NAME = "no known first name occurs"
LONGER = "a name may be part of a longer name"
IN_CELLS = "a cell with a name holds more than names"
IN_KEYS = "a name stands in a key or column of the table"


class NameSpan(NamedTuple):
    """A first name and its place in a text."""

    start: int
    stop: int
    name: str


@dataclass(frozen=True)
class Names:
    """First names that are used for one gender only, and surnames.

    Attributes:
        genders: the genders of the names that are recognised where they stand alone.
        known: the genders of all first names that are recognised as the first part of a full name.
        drawn: the names that others are replaced by.
        surnames: the surnames that others are replaced by.
        digest: a hash of the lexicons.
    """

    genders: Mapping[str, str]
    known: Mapping[str, str]
    drawn: tuple[str, ...]
    surnames: tuple[str, ...] = ()
    digest: str = ""

    @classmethod
    def of(cls, lexicon: Lexicon, given: Lexicon | None = None, surnames: Lexicon | None = None) -> Names:
        """Take the usable names from lexicons.

        Args:
            lexicon: names to recognise and to draw, with the fields text and gender.
            given: names to recognise only.
            surnames: surnames to draw.
        """
        own = _single(lexicon)
        known = {**_single(given), **own} if given is not None else own
        alone = {text: gender for text, gender in known.items() if text not in _WORDS}
        usable = {text: gender for text, gender in alone.items() if text not in NOT_ALONE}
        lexicons = [item for item in (lexicon, given, surnames) if item is not None]
        return cls(
            usable,
            known,
            tuple(text for text in own if text in usable),
            () if surnames is None else tuple(surnames.column("text")),
            digest(*(item.digest() for item in lexicons)),
        )

    def others(self, gender: str, taken: set[str]) -> list[str]:
        """Return the names of a gender that may be drawn and are not taken yet, sorted."""
        return [name for name in self.drawn if self.genders[name] == gender and name not in taken]

    def find(self, text: str) -> Iterator[NameSpan]:
        """Yield the first names in a text.

        Raises:
            Refused: a name is, or may be, part of a longer one.
        """
        words = list(_WORD.finditer(text))
        for place, word in enumerate(words):
            core = _POSSESSIVE.sub("", word.group())
            if core not in self.genders:
                if any(piece in self.genders for piece in re.split(r"[-'’]", core)):
                    raise Refused(LONGER)
                continue
            before = words[place - 1] if place else None
            after = words[place + 1] if place + 1 < len(words) else None
            known = after is not None and _POSSESSIVE.sub("", after.group()) in self.genders
            if _joined_before(text, before, word) or _joined_after(text, word, after, known=known):
                raise Refused(LONGER)
            yield NameSpan(word.start(), word.start() + len(core), core)

    def in_pair(self, pair: Pair) -> list[str]:
        """Return the distinct first names of a pair in the order they appear.

        Raises:
            Refused: there is none, or exchanging one would not be safe.
        """
        texts = texts_of(pair)
        names = list(dict.fromkeys(span.name for text in texts for span in self.find(text)))
        if not names:
            raise Refused(NO_NAME)
        if isinstance(pair.premise, Table):
            table = pair.premise
            if any(not _only_names(text) for text in texts[:-1] if any(self.find(text))):
                raise Refused(IN_CELLS)
            words = {word for text in (*table.keys, *table.columns, table.category) for word in _WORD.findall(text)}
            if words & set(self.genders):
                raise Refused(IN_KEYS)
        if _ABOUT.search(pair.hypothesis):
            raise Refused(ABOUT_NAMES)
        self._check_persons(pair, names)
        return names

    def _check_persons(self, pair: Pair, names: list[str]) -> None:
        """Refuse names that the texts do not treat as persons, and persons that occur under two names."""
        prose = [pair.hypothesis] if isinstance(pair.premise, Table) else texts_of(pair)
        persons: set[str] = set()
        if isinstance(pair.premise, Table):
            if not_a_person(pair.premise):
                raise Refused(NO_PERSON)
            for row in pair.premise.rows:
                spans = [span for value in row.values for span in self.find(value)]
                if spans and not _PEOPLE.fullmatch(row.key.strip()):
                    raise Refused(NO_PERSON)
                persons |= {span.name for span in spans}
            persons |= {span.name for span in self.find(pair.premise.title) if persons}
        for text in prose:
            for span in self.find(text):
                item = mention(text, span.start, span.stop)
                if any(other not in self.genders for other in coupled(text, span.start, span.stop)):
                    raise Refused(LONGER)
                if not may_be_person(item):
                    raise Refused(NO_PERSON)
                persons |= {span.name} if is_person(item, text) else set()
        if persons != set(names) or elsewhere(prose):
            raise Refused(NO_PERSON)
        if other_gender((self.genders[name] for name in names), prose):
            raise Refused(OTHER_GENDER)
        if other_forms(names, texts_of(pair)) or any(written_otherwise(names, text) for text in texts_of(pair)):
            raise Refused(OTHER_FORM)

    def others_named(self, text: str) -> bool:
        """Tell whether a text has capitalised words that may be names of somebody else."""
        for match in _WORD.finditer(text):
            core = _POSSESSIVE.sub("", match.group())
            opens = not (before := text[: match.start()].rstrip(_OPENING)) or before[-1] in ".!?"
            plain = core == "I" or (opens and (core in _OPENERS or core in _STARTERS))
            if core[0].isupper() and core not in self.genders and not plain:
                return True
        return False

    def exchange(self, pair: Pair, genders: Mapping[str, str], random: Random) -> dict[str, str]:
        """Draw a new name of the wanted gender for each name; all are different and none occurs in the pair."""
        taken = {_POSSESSIVE.sub("", word) for text in texts_of(pair) for word in _WORD.findall(text)}
        drawn: dict[str, str] = {}
        for name, gender in genders.items():
            options = self.others(gender, taken)
            if not options:
                raise Refused(TOO_FEW)
            drawn[name] = random.choice(options)
            taken.add(drawn[name])
        return drawn

    def changes(self, text: str, drawn: Mapping[str, str]) -> list[Change]:
        """Return the changes that put drawn names in the place of the names in a text."""
        return [Change(span.start, span.stop, drawn[span.name]) for span in self.find(text)]


def certainty_of(pair: Pair) -> Certainty:
    """Tell how sure it is that no answer may change: tables are about known persons, who are more than their rows."""
    return Certainty.LIKELY if isinstance(pair.premise, Table) else Certainty.CERTAIN


@cache
def known_names() -> Names:
    """Return the names of the package's own lexicon."""
    lexicons = [load_lexicon(name) for name in ("NAME", "GIVEN_NAME", "SURNAME")]
    return Names.of(*(item for item in lexicons if isinstance(item, Lexicon)))


def _single(lexicon: Lexicon) -> dict[str, str]:
    """Return the names of a lexicon that one gender has, with the gender."""
    genders: dict[str, set[str]] = {}
    for text, gender in zip(lexicon.column("text"), lexicon.column("gender"), strict=True):
        genders.setdefault(text, set()).add(gender)
    return {
        text: min(known)
        for text, known in sorted(genders.items())
        if len(known) == 1 and known <= {"f", "m"} and _WORD.fullmatch(text)
    }


def _joined_before(text: str, before: re.Match[str] | None, word: re.Match[str]) -> bool:
    if before is None:
        return False
    gap, previous = text[before.end() : word.start()], before.group()
    if "&" in gap or "/" in gap:
        return True
    if gap.strip() == ".":
        return previous.capitalize() in _TITLES or len(previous) == 1
    # 'Milton "Richard" Simmons' is one name.
    if gap.strip(' \t-–"“”') or "\n" in gap:
        return False
    if not previous[0].isupper():
        return previous in _BEFORE and not gap.strip()
    opens = not (start := text[: before.start()].rstrip(_OPENING)) or start[-1] in ".!?"
    return not (opens and previous in _OPENERS and gap == " ")


def _joined_after(text: str, word: re.Match[str], after: re.Match[str] | None, *, known: bool) -> bool:
    # What a colon follows may be a title: "Gloria: In Her Own Words".
    if re.match(r"[\s-]?\d|\s*[&/:]", text[word.end() :]):
        return True
    if after is None:
        return False
    gap = text[word.end() : after.start()]
    if "\n" in gap or not after.group()[0].isupper():
        return False
    # "Elizabeth, Queen of …" is somebody; "Elizabeth, Susan and …" are first names.
    return not gap.strip(' \t-–"“”') or (gap.strip() == "," and not known and not _alone(text, after))


def _alone(text: str, word: re.Match[str]) -> bool:
    """Tell whether a capitalised word is an item of a list, such as a name that is not known."""
    return re.match(r"\s*(?:$|[,.;:)]|and\b|or\b)", text[word.end() :]) is not None


def _only_names(cell: str) -> bool:
    """Tell whether a cell is a list of single words, each perhaps with a remark in brackets."""
    items = re.split(r"[,;/\n]|\band\b", re.sub(r"\([^()]*\)", "", cell))
    return all(len(item.split()) <= 1 for item in items)
