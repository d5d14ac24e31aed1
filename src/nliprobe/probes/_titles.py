"""Replaces the title of a table wherever a text names it, and refuses where the title may be an ordinary word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nliprobe.base.identity import kept_by_identity
from nliprobe.language.english import article, plural
from nliprobe.probes._texts import Change, changed
from nliprobe.task.table import Table

# Words that open sentences as often as they are titles: "It was released in 2017." may be about anything.
_ORDINARY_TEXT = """
a about above after again against all almost alone along already also although always am among an and another any
anything are around as at away back be because been before behind being below beside between beyond both but by can
cannot come could did do does doing done down during each either else enough even ever every everybody everyone
everything few first for forever forget from further gone good got had has have he hello help her here hers herself
him himself his how i if in inside into is it its itself just last later less let like little look many may maybe me
mine more most much must my near neither never next no nobody none nor not nothing now of off often old on once one
only or other others our ours out outside over own perhaps please quite same see seven she should since so some
somebody someone something soon still such than thanks that the their theirs them then there these they thing this
those though three through till time to today together tomorrow tonight too two under until up upon us very wait was
we well were what when where whether which while who whom whose why will with within without wonder would yes
yesterday yet you young your yours zero four five six eight nine ten eleven twelve hundred thousand million
january february march april june july august september october november december monday tuesday wednesday thursday
friday saturday sunday people
"""
_ORDINARY = frozenset(_ORDINARY_TEXT.split())
# Headings of a part of an infobox that the makers of InfoTabS's files took for its title.
_HEADINGS = frozenset(
    {
        "personal information",
        "free agent",
        "history",
        "runways",
        "geography",
        "last completed",
        "background information",
    }
)
_HONORIFICS = re.compile(r"(?:the )?(?:right )?(?:honou?rable|hon\.?|sir|dame|dr\.?|lord|lady|chevalier|saint)", re.I)
# Letters after a name: "John Macleod, FRS".
_AFTER_NAME = re.compile(r",(?: [A-Z][A-Za-z]{0,3}[A-Z]\b,?)+$")
# Where the name of the country or state follows the comma.
_PLACE = re.compile(r"\b(?:city|cities|town|village|place|settlement|country|state|county|district)\b", re.I)
# Rows that only persons have.
_PERSON_KEYS = frozenset({"born", "birthname", "died", "dateofbirth", "dateofdeath", "birthdate"})
# The makers of some files joined what stood on two lines: "BrugesBrugge", "David GilmourCBE".
_JOINED = re.compile(r"\b(?!(?:Mc|Mac|De|Di|Da|Du|La|Le|Lo|Van|Fitz)[A-Z][a-zà-ÿ]+\b)\w*[a-zà-ÿ][A-ZÀ-Ý]")
_NAME = re.compile(r"[A-ZÀ-Ý][\w’'.-]*")
# What follows the subject of a sentence.
_VERB = re.compile(
    r"(?:['’]s?\b|,)? (?:is|was|has|had|have|are|were|did|does|do|will|would|can|could|may|might|must|never|only|also|"
    r"always|and|or|not|currently|originally|became|began|brought|built|came|cost|fell|fought|gave|got|grew|held|kept|"
    r"knew|led|left|lost|made|met|ran|rose|sang|saw|sold|sent|spent|stood|taught|took|went|won|wrote|[a-z]+n['’]t|"
    r"[a-z]+ed|[a-z]+s(?! (?:are|were|have|had|do|did|can|could|will|would|may|might|must)\b))\b|['’]s\b"
)
_QUOTES = "\"'“”‘’«»"

COMMON = "the title may be an ordinary word of the hypothesis"
NOT_NAMED = "the hypothesis does not name the title"


class NotReplaced(Exception):
    """A text in which a title cannot be replaced safely, with the reason in a few words."""


@dataclass(frozen=True)
class Title:
    """A title as people say it.

    Attributes:
        text: the title as the table has it.
        spoken: without what is in brackets, other languages, honours and letters after a name.
        core: for a place, also without the state or country after the comma.
        first: the first name of a person, else empty.
        last: the surname of a person, else empty.
        noun: whether it is the name of a kind of thing, such as "Emperor penguin", which has a plural.
        person: whether the table says that it is about a person.
    """

    text: str
    spoken: str
    core: str
    first: str = ""
    last: str = ""
    noun: bool = False
    person: bool = False

    @property
    def usable(self) -> bool:
        """Whether the title can be put into other texts: it reads as the name of something."""
        words = self.spoken.split()
        return (
            0 < len(words) <= 8
            and any(letter.isalpha() for letter in self.spoken)
            and not _JOINED.search(self.spoken)
            and "/" not in self.spoken
            and self.spoken.lower() not in _HEADINGS
            and not (len(words) == 1 and self.spoken.lower() in _ORDINARY)
            and not (len(words) > 3 and all(len(word) == 1 for word in words))
            and (not self.person or len(words) == 1 or bool(self.first))
        )

    @property
    def numbered(self) -> bool:
        """Whether the title has a number, which a hypothesis may be about."""
        return re.search(r"\d|\b[IVX]{2,}\b", self.text) is not None


@kept_by_identity(4096)
def title_of(table: Table) -> Title:
    """Read the title of a table."""
    parts = [part.strip(" ,") for part in re.split(r"\s{2,}|\s*[(\[]|\s+,\s", table.title.strip()) if part.strip(" ,")]
    named = [part for part in parts if not _HONORIFICS.fullmatch(part)]
    spoken = _AFTER_NAME.sub("", named[0] if named else table.title.strip())
    place = spoken.count(",") == 1 and _PLACE.search(table.category)
    core = spoken.partition(",")[0] if place else spoken
    words = spoken.split()
    person = is_person(table)
    first, last = (words[0], words[-1]) if person and _is_full_name(words) else ("", "")
    noun = len(words) > 1 and words[0][:1].isupper() and all(word.islower() for word in words[1:])
    return Title(table.title, spoken, core, first, last, noun, person)


def is_person(table: Table) -> bool:
    """Tell whether a table is about one person, by its category or by rows that only persons have."""
    return table.category.lower() in ("person", "people") or any(
        "".join(key.lower().split()) in _PERSON_KEYS for key in table.keys
    )


@dataclass(frozen=True)
class Replaced:
    """The places where a text names a title, with what stands there instead.

    Attributes:
        changes: the spans, in order.
        whole: whether the title itself occurs, not only parts of a person's name.
        doubtful: whether a part of the name, a plural or a longer name was involved.
    """

    changes: tuple[Change, ...]
    whole: bool
    doubtful: bool


def replace_title_in(text: str, old: Title, new: Title) -> Replaced:
    """Find every place where a text names a title: the title itself, possessives, and parts of a person's name.

    Raises:
        NotReplaced: an occurrence may be an ordinary word.
    """
    changes: list[Change] = []
    doubtful = False
    forms = {" ".join(old.text.split()): new.spoken, old.spoken: new.spoken, old.core: new.core}
    for mine, theirs in forms.items():
        for start, stop in _occurrences(text, mine, taken=changes):
            written = text[start:stop]
            _check_is_title(text, start, stop, mine, noun=old.noun)
            is_plural = len(written) > len(mine)
            after = _fitted(written, theirs, noun=old.noun and new.noun)
            changes.append(_grown(text, start, stop, plural(after) if is_plural else after))
            doubtful |= is_plural or _in_longer_name(text, start, stop)
    whole = bool(changes)
    if old.first and new.first:
        parts, unclear = _parts_of_name(text, old, new, changes)
        changes += parts
        doubtful |= unclear or bool(parts)
    ordered = tuple(sorted(changes))
    rest = changed(text, [Change(item.start, item.stop, "\0") for item in ordered])
    if any(_anywhere(rest, form) for form in (old.spoken, old.core)):
        raise NotReplaced(COMMON)
    return Replaced(ordered, whole, doubtful)


def names_title(text: str, title: Title) -> bool:
    """Tell whether a title occurs in a text, in any case."""
    return any(_anywhere(text, form) is not None for form in (title.spoken, title.core))


def words_left(text: str, title: Title) -> bool:
    """Tell whether a text has a word of a title, or one made from it: "Cuban" of "Republic of Cuba"."""
    stems = {_stem(word) for word in re.findall(r"[^\W\d_]{4,}", title.text.lower())} - {"with", "from", "univ"}
    return any(_stem(word) in stems for word in re.findall(r"[^\W\d_]{4,}", text.lower()))


def _stem(word: str) -> str:
    return word[:4]


def _is_full_name(words: Sequence[str]) -> bool:
    return 2 <= len(words) <= 4 and all(
        _NAME.fullmatch(word) or word in ("de", "von", "van", "der", "la") for word in words
    )


def _pattern(form: str, *, more: str = "") -> str:
    words = r"\s+".join(re.escape(word) for word in form.split())
    return rf"(?<!\w){words}{more}(?!\w)"


def _anywhere(text: str, form: str) -> re.Match[str] | None:
    return re.search(_pattern(form), text, re.IGNORECASE)


def _occurrences(text: str, form: str, taken: Sequence[Change]) -> Iterator[tuple[int, int]]:
    """Yield the places of a form in any case; a name of a kind of thing may be in the plural."""
    words = form.split()
    more = "s?" if len(words) > 1 and all(word.islower() for word in words[1:]) else ""
    for match in re.finditer(_pattern(form, more=more), text, re.IGNORECASE):
        if not any(item.start < match.end() and match.start() < item.stop for item in taken):
            yield match.span()


def _check_is_title(text: str, start: int, stop: int, form: str, *, noun: bool) -> None:
    """Refuse an occurrence that may be made of ordinary words."""
    written = text[start:stop]
    if not any(letter.isalpha() for letter in form):
        raise NotReplaced(COMMON)  # "1984" may be a year
    words = form.split()
    if len(words) > 1:
        # "come on over" is no album; "emperor penguin" is the animal all the same.
        capitals = [word for word in written.split()[1:] if word[:1].isupper()]
        wanted = [word for word in words[1:] if word[:1].isupper()]
        if wanted and not capitals and not noun:
            raise NotReplaced(COMMON)
        return
    plain = form.isalpha() and form[1:].islower()
    if written != form and (plain or not written[:1].isupper()):
        raise NotReplaced(COMMON)
    if form.strip("!?.").lower() in _ORDINARY and form.isalpha():
        # In capitals inside a sentence it is meant as a name, unless all words have capitals.
        others = [word for word in re.findall(r"[^\W\d_]+", text[:start] + text[stop:]) if len(word) > 3]
        capitals = [word for word in others if word[0].isupper()]
        if _opens(text, start) or 2 * len(capitals) > len(others) or form == "I":
            raise NotReplaced(COMMON)
    elif _opens(text, start) and plain and not _VERB.match(text[stop:]):
        raise NotReplaced(COMMON)  # "Common themes …"


def _opens(text: str, start: int) -> bool:
    """Tell whether a place is the beginning of a sentence, where every word has a capital."""
    before = text[:start].rstrip()
    if before and before[-1] in _QUOTES:
        return False
    return not before or before[-1] in ".!?:;"


def _in_longer_name(text: str, start: int, stop: int) -> bool:
    """Tell whether another capitalised word stands right before or after a name."""
    after = re.match(r" ([^\W\d_]+)", text[stop:])
    before = re.search(r"([^\W\d_]+) $", text[:start])
    follows = after is not None and after[1][0].isupper() and after[1] != "I"
    precedes = before is not None and before[1][0].isupper() and not _opens(text, before.start())
    return follows or precedes or re.match(r"[-–][^\W\d_]", text[stop:]) is not None


def _fitted(written: str, after: str, *, noun: bool) -> str:
    """Begin a name of a kind of thing with a small letter where the old one does."""
    return after[:1].lower() + after[1:] if noun and written[:1].islower() else after


def _grown(text: str, start: int, stop: int, after: str) -> Change:
    """Widen a change by what depends on the name: the possessive after it and the article before it."""
    if text[stop : stop + 2] in ("'s", "’s"):
        after, stop = f"{after}{text[stop]}s", stop + 2
    elif re.match(r"['’] [a-z]", text[stop:]) and not re.search(r"['‘’]", text[:start]) and text[stop - 1] in "sS":
        after, stop = f"{after}{text[stop]}" + ("" if after.endswith("s") else "s"), stop + 1
    if lead := re.search(r"\b([Aa])n? $", text[:start]):
        right = article(after)
        after, start = f"{right.capitalize() if lead[1] == 'A' else right} {after}", lead.start()
    elif after.startswith("The ") and (lead := re.search(r"\b[Tt]he $", text[:start])):
        after = after.removeprefix("The ")
    return Change(start, stop, after)


def _parts_of_name(text: str, old: Title, new: Title, taken: Sequence[Change]) -> tuple[list[Change], bool]:
    """Replace what else names the person: the name with a middle name, the surname, the first name.

    Returns:
        The changes, and whether a part is left that may be of somebody else.
    """
    changes: list[Change] = []
    unclear = False
    with_middle = rf"(?<!\w){re.escape(old.first)}(?: [A-Z][\w.]*){{1,2}} {re.escape(old.last)}(?!\w)"
    for pattern, after in ((with_middle, new.spoken), (_pattern(old.last), new.last), (_pattern(old.first), new.first)):
        for match in re.finditer(pattern, text):
            if any(item.start < match.end() and match.start() < item.stop for item in (*taken, *changes)):
                continue
            ordinary = match.group().lower() in _ORDINARY and _opens(text, match.start())
            if ordinary or (pattern != with_middle and _in_longer_name(text, match.start(), match.end())):
                unclear = True
            else:
                changes.append(_grown(text, match.start(), match.end(), after))
    return changes, unclear
