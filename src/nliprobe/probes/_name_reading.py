"""Read a plain hypothesis against the facts of its table, so that the table can confirm the gold label.

The reader is a small and careful one: it says E or C only where every word of the hypothesis is the title, a value, a
word by which the row of that value is said, or says nothing by itself; elsewhere it says nothing. Of 1,000 hypotheses
of a public corpus, 100 and more have a wrong label, so a perturbation counts as certain only where gold label and
table agree.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from nliprobe.language.english import MONTHS
from nliprobe.language.row_phrases import ValueKind
from nliprobe.language.words import WordSpan, word_spans
from nliprobe.probes._table_names import DATED, YEAR, Known, RowNames, TableNames, words_of

VERSION = 1  # raised when the reader answers otherwise

# Longer hypotheses are not plain.
_MOST_WORDS = 40
_NEUTRAL_TEXT = """
a an the of in on at to for from by with is are was were be been being it its it's this has have had as he she his her
him their they them himself herself and who which that did does do one's 's also both named called known official
"""
_NEUTRAL = frozenset(_NEUTRAL_TEXT.split())
_PERSONAL = frozenset(["he", "she", "his", "her", "him", "himself", "herself"])
_PLACING = frozenset(["in", "from", "at", "near"])
_NOT = frozenset(["not", "never", "n't"])
# Words that compare, count, or limit: what they say is not read here.
_BLOCKING_TEXT = """
all every each everyone some any many much most several either half few fewer little only too just even still already
always often sometimes usually rarely again almost nearly mainly mostly partly probably possibly maybe exactly about
approximately around roughly least less more than over under before after since until between during without no none
nobody nothing neither nor or but because if unless when while where although though same different another other others
first last early late earlier later longer shorter older younger end beginning towards except single alone popular main
lead leading best biggest largest greatest favorite roles one two three four five six seven eight nine ten eleven twelve
dozen decade decades century centuries
"""
_BLOCKING = frozenset(_BLOCKING_TEXT.split())
# Words after which another name may say something else than that a row is wrong.
_SCOPED_TEXT = "no none without except unlike or if unless than other others neither nor nobody besides rather"
_SCOPED = frozenset(_SCOPED_TEXT.split())
_MONTHS = frozenset(month.lower() for month in MONTHS)


class _Class(Enum):
    """What a word does that no table explains."""

    NEUTRAL = 1
    PERSONAL = 2
    DENYING = 3
    BLOCKING = 4
    MONTH = 5


_CLASSES = {
    **dict.fromkeys(_BLOCKING, _Class.BLOCKING),
    **dict.fromkeys(_MONTHS, _Class.MONTH),
    **dict.fromkeys(_NOT, _Class.DENYING),
    **dict.fromkeys(_NEUTRAL, _Class.NEUTRAL),
    **dict.fromkeys(_PERSONAL, _Class.PERSONAL),
}
_PLACES = frozenset([ValueKind.PLACE, ValueKind.COUNTRY])


class Named(NamedTuple):
    """A name in a hypothesis.

    Attributes:
        span: where it is.
        text: the name as it is written.
        facts: the facts that list it; none for a name that the table does not have.
        whole: whether it is a whole value, not only a surname.
        placed: whether *in*, *from* or *at* stands before it, as before the name of a place.
    """

    span: tuple[int, int]
    text: str
    facts: tuple[int, ...]
    whole: bool
    placed: bool


class Reading(NamedTuple):
    """A hypothesis as the facts of a table explain it.

    Attributes:
        title: where the title stands, the first time.
        subject: where the subject ends, if the hypothesis begins with the title or a name of the table.
        names: the names in it, in order.
        said: the facts that its words say.
        verdict: E or C where the table certainly decides it, else empty.
        negated: whether it has a negation.
        strange: how many words are neither the table's nor empty.
        limited: whether a word counts, compares or limits.
        scoped: whether a word denies or excepts something.
        listed: whether the table has all names and numbers.
        personal: whether a pronoun speaks of a man or a woman.
    """

    title: tuple[int, int] | None
    subject: int
    names: tuple[Named, ...]
    said: frozenset[int]
    verdict: str
    negated: bool
    strange: int
    limited: bool
    scoped: bool
    listed: bool
    personal: bool

    @property
    def supported(self) -> bool:
        """Whether the table has all that the hypothesis names, and at most one word is open."""
        named = bool(self.names or self.said) and self.title is not None
        return named and self.listed and self.strange <= 1 and not (self.limited or self.scoped or self.negated)


@lru_cache(maxsize=16)  # the probes of one pair come one after the other
def read(facts: TableNames, text: str) -> Reading | None:
    """Read a hypothesis; None for one that is empty or too long to be plain."""
    words = _words(text)
    if not words:
        return None
    title: tuple[int, int] | None = None
    names: list[Named] = []
    said: set[int] = set()
    digits: list[str] = []
    dated = negated = scoped = limited = personal = False
    strange = 0
    subject = 0
    place, size = 0, len(words)
    spoken, by_name, by_word, own = facts.spoken, facts.names, facts.said, facts.titles
    while place < size:
        word, start, stop = words[place]
        if word in spoken and (length := _at(words, place, spoken[word])):
            span = (start, words[place + length - 1][2])
            title = title or span
            subject = subject or (span[1] if place == 0 or (place == 1 and words[0][0] == "the") else 0)
            place += length
            continue
        if word in by_name and (known := _known(by_name[word], words, place)) is not None:
            stop = words[place + len(known.words) - 1][2]
            names.append(Named((start, stop), text[start:stop], known.facts, known.whole, _placed(words, place)))
            subject = subject or (stop if place == 0 else 0)
            place += len(known.words)
            continue
        place += 1
        if word in by_word:
            said.update(by_word[word])
        elif word in own:
            continue
        elif word in _CLASSES:
            kind = _CLASSES[word]
            if kind is _Class.NEUTRAL:
                continue
            personal |= kind is _Class.PERSONAL
            negated |= kind is _Class.DENYING
            if kind is _Class.MONTH:
                digits.append(word)
                dated = True
            elif kind is _Class.BLOCKING:
                strange += 1
                limited = True
                scoped |= word in _SCOPED
        elif word.endswith("n't"):
            negated = True
        elif word[0].isdigit():
            digits.append(word)
        elif text[start].isupper() and place > 1:
            if names and not names[-1].facts and text[names[-1].span[1] : start] in (" ", ", "):
                last = names.pop()
                names.append(last._replace(span=(last.span[0], stop), text=text[last.span[0] : stop]))
            else:
                names.append(Named((start, stop), text[start:stop], (), whole=True, placed=_placed(words, place - 1)))
        else:
            strange += 1
            scoped |= word in _SCOPED
    listed = all(name.facts for name in names) and all(digit in facts.words for digit in digits)
    verdict = ""
    if not strange and title is not None:
        verdict = _verdict(facts, names, digits, said, dated=dated)
        if verdict and negated:
            verdict = "C" if verdict == "E" else "E"
    return Reading(
        title, subject, tuple(names), frozenset(said), verdict, negated, strange, limited, scoped, listed, personal
    )


_Words = tuple[WordSpan, ...]


def _words(text: str) -> _Words:
    if len(text) > _MOST_WORDS * 10:
        return ()
    words = word_spans(text)
    if len(words) > _MOST_WORDS:
        return ()
    if "'s" in text or "’s" in text:
        # A possessive belongs to the name before it.
        return tuple([(item[0][:-2], item[1], item[2] - 2) if item[0].endswith("'s") else item for item in words])
    return words


def _at(words: _Words, place: int, forms: list[tuple[str, ...]]) -> int:
    """Return how many words from a place on are a form of the title."""
    for form in forms:
        size = len(form)
        if size == 1 or tuple([word for word, _, _ in words[place : place + size]]) == form:
            return size
    return 0


def _placed(words: _Words, place: int) -> bool:
    before = words[place - 1][0] if place else ""
    if before == "the" and place > 1:
        before = words[place - 2][0]
    return before in _PLACING


def _known(listed: list[Known], words: _Words, place: int) -> Known | None:
    for known in listed:
        size = len(known.words)
        if size == 1 or tuple([word for word, _, _ in words[place : place + size]]) == known.words:
            return known
    return None


def _verdict(facts: TableNames, names: list[Named], digits: list[str], said: set[int], *, dated: bool) -> str:
    """Decide a hypothesis that speaks of one row; every word is explained."""
    rows = [facts.rows[at] for at in sorted(said)]
    if not rows:
        # "is a rapper": a term of one row, and nothing else.
        terms = [name for name in names if name.facts]
        alone = len(terms) == len(names) and names and not digits
        listed = set.intersection(*[set(name.facts) for name in terms]) if alone else set()
        return "E" if any(facts.rows[at].phrase.kind is ValueKind.TERM for at in listed) else ""
    if not names and not digits:
        return ""
    if all(_holds(facts, row, names, digits) for row in rows):
        return "E"
    if len(names) == 1 and not digits:
        return "C" if all(_excludes(facts, row, names[0]) for row in rows) else ""
    if digits and not names:
        years = [digit for digit in digits if YEAR.fullmatch(digit)]
        if len(years) == 1 and all(row.phrase.kind in DATED and len(row.years) == 1 for row in rows):
            return "C" if years[0] not in rows[0].years or dated or len(digits) > 1 else ""
    return ""


def _holds(facts: TableNames, row: RowNames, names: list[Named], digits: list[str]) -> bool:
    if not all(row.at in name.facts for name in names):
        return False
    return not digits or set(facts.row_words(row.at)).issuperset(digits)


def speaks_of(row: RowNames, name: Named) -> bool:
    """Tell whether a name may be meant as a value of a row: "made in Ohio" is not about who made it."""
    return name.placed == (row.phrase.kind in _PLACES)


def _excludes(facts: TableNames, row: RowNames, name: Named) -> bool:
    """Tell whether a row lists everything of its kind, and not this name."""
    if not (row.phrase.closed and row.phrase.kind.named and row.sure and row.texts):
        return False
    if not speaks_of(row, name):
        return False
    if row.at in name.facts:
        return False
    return {word for word in words_of(name.text) if len(word) > 2}.isdisjoint(facts.row_words(row.at))
