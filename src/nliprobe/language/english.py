"""Small rules of English: articles, plurals, numbers in words, lists, clock times, pronouns, directions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
             "twelve": "twelfth"}  # fmt: skip
_IRREGULAR = {
    "child": "children", "person": "people", "man": "men", "woman": "women", "foot": "feet", "tooth": "teeth",
    "goose": "geese", "mouse": "mice", "sheep": "sheep", "fish": "fish", "deer": "deer", "ox": "oxen",
    "knife": "knives", "wife": "wives", "life": "lives", "leaf": "leaves", "shelf": "shelves", "wolf": "wolves",
    "loaf": "loaves", "half": "halves", "scarf": "scarves", "potato": "potatoes", "tomato": "tomatoes",
    "hero": "heroes", "echo": "echoes",
}  # fmt: skip
_PRONOUNS = {
    "f": ("she", "her", "her", "herself"),
    "m": ("he", "him", "his", "himself"),
}
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_PROPER = """
african afro american anglican anglo asian british buddhist caribbean catholic celtic christian european gothic hindu
islamic jewish latin muslim oriental orthodox protestant scandinavian slavic victorian western
"""
DIRECTIONS = ("north", "east", "south", "west")
_TURNS = {"right": 1, "back": 2, "left": 3}
# Numbers whose sound begins with a vowel; words whose sound and first letter disagree are in article-exceptions.tsv.
_AN_NUMBERS = re.compile(r"(8|11|18)(?!\d)|8\d|8\d\d|(11|18)\d{3}(?!\d)")

# Countries and regions whose names are plurals or phrases, which have an article in sentences.
_THE_PLACES = re.compile(
    r"United \w|(?:Kingdom|Republic|Commonwealth|Isle|State|Province) of |"
    r"(?:Netherlands|Philippines|Bahamas|Maldives|Gambia|Middle East|Soviet Union|U\.S\.|USA?|U\.?K\.?)(?!\w)|"
    r"[A-Z]\w+(?: \w+)? (?:Republic|Empire|Kingdom|Islands|Federation|Emirates)$"
)
# What infoboxes list as instruments and people name without an article.
_NO_ARTICLE = frozenset(
    {
        "beatboxing", "electronics", "percussion", "production", "programming", "rapping", "sampling", "singing",
        "vocal", "vocals", "voice", "whistling",
    }
)  # fmt: skip


def article(text: str) -> str:
    """Return the indefinite article of a phrase, by the sound it begins with.

    >>> article("doctor"), article("engineer"), article("university"), article("hour"), article("8-year-old")
    ('a', 'an', 'a', 'an', 'an')
    """
    word = re.split(r"[\s-]", text.strip(), maxsplit=1)[0]
    if word[:1].isdigit():
        return "an" if _AN_NUMBERS.match(word) else "a"
    lower = word.lower()
    known = _exceptions()
    for length in range(len(lower), 2, -1):
        if lower[:length] in known:
            return known[lower[:length]]
    if word.isupper() and not any(letter in "AEIOU" for letter in word[1:]):  # said letter by letter: an X-ray
        return "an" if word[0] in "AEFHILMNORSX" else "a"
    return "an" if lower[:1] in "aeiou" else "a"


def with_article(text: str) -> str:
    """Put the indefinite article before a phrase."""
    return f"{article(text)} {text}"


def placed(name: str) -> str:
    """Return the name of a place as it stands in a sentence, some with the definite article.

    >>> placed("France"), placed("United States"), placed("Czech Republic"), placed("the Gambia")
    ('France', 'the United States', 'the Czech Republic', 'the Gambia')
    """
    return f"the {name}" if _THE_PLACES.match(name) else name


def instrument(name: str) -> str:
    """Return an instrument as it stands in a sentence, with the definite article; voices and the like have none.

    >>> instrument("Bassoon"), instrument("drums"), instrument("Vocals"), instrument("backing vocals")
    ('the bassoon', 'the drums', 'vocals', 'backing vocals')
    """
    term = termed(name)
    return term if term.rpartition(" ")[2].lower() in _NO_ARTICLE else f"the {term}"


def termed(text: str) -> str:
    """Return a term as it stands inside a sentence: without the capital that cells begin with, proper names aside.

    >>> termed("Actor"), termed("Oil on canvas"), termed("French"), termed("K-pop"), termed("Latin pop")
    ('actor', 'oil on canvas', 'French', 'K-pop', 'Latin pop')
    """
    from nliprobe.language import wordnet

    first, space, rest = text.partition(" ")
    if not first[:1].isupper() or not first[1:].islower() or rest != rest.lower():
        return text
    lower = first.lower()
    common = lower not in _proper_words() and (wordnet.lemma(lower, "noun") or wordnet.lemma(lower, "adj"))
    return lower + space + rest if common else text


def plural(noun: str) -> str:
    """Return the plural of a noun by rule; in a phrase, of its last word.

    >>> plural("box"), plural("city"), plural("child"), plural("toy"), plural("paper knife")
    ('boxes', 'cities', 'children', 'toys', 'paper knives')
    """
    head, space, last = noun.rpartition(" ")
    lower = last.lower()
    if lower in _IRREGULAR:
        plural_last = _IRREGULAR[lower]
    elif re.search(r"(s|x|z|ch|sh)$", lower):
        plural_last = last + "es"
    elif re.search(r"[^aeiou]y$", lower):
        plural_last = last[:-1] + "ies"
    else:
        plural_last = last + "s"
    return head + space + plural_last


def capital(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def number_words(number: int) -> str:
    """Write a whole number in words; from a million on, in digits.

    >>> number_words(0), number_words(42), number_words(115), number_words(2000), number_words(-3)
    ('zero', 'forty-two', 'one hundred and fifteen', 'two thousand', 'minus three')
    """
    if number < 0:
        return f"minus {number_words(-number)}"
    if number < 20:
        return _ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")
    if number < 1000:
        hundreds, rest = divmod(number, 100)
        return f"{_ONES[hundreds]} hundred" + (f" and {number_words(rest)}" if rest else "")
    if number < 1_000_000:
        thousands, rest = divmod(number, 1000)
        joint = " and " if 0 < rest < 100 else " "
        return f"{number_words(thousands)} thousand" + (f"{joint}{number_words(rest)}" if rest else "")
    return f"{number:,}"


def ordinal(number: int) -> str:
    """Write a whole number as an ordinal in words.

    >>> ordinal(1), ordinal(22), ordinal(12), ordinal(30)
    ('first', 'twenty-second', 'twelfth', 'thirtieth')
    """
    words = number_words(number)
    head, mark, last = words.rpartition("-") if "-" in words else words.rpartition(" ")
    if last in _ORDINALS:
        ordinal_last = _ORDINALS[last]
    elif last.endswith("y"):
        ordinal_last = last[:-1] + "ieth"
    else:
        ordinal_last = last + "th"
    return head + mark + ordinal_last


def joined(items: Sequence[str], word: str = "and") -> str:
    """Write items as a list in a sentence: *A, B and C*."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {word} {items[-1]}"


def pronoun(gender: str, form: int) -> str:
    """Return a pronoun of a gender; the form is 0 for he, 1 for him, 2 for his and 3 for himself."""
    return _PRONOUNS[gender][form]


def clock(minutes: int) -> str:
    """Write minutes since midnight on a twelve-hour clock.

    >>> clock(485), clock(0), clock(720), clock(780)
    ('8:05 am', '12 am', '12 pm', '1 pm')
    """
    hours, rest = divmod(minutes % 1440, 60)
    hour = hours % 12 or 12
    return f"{hour}{f':{rest:02}' if rest else ''} {'am' if hours < 12 else 'pm'}"


def turned(direction: str, turn: str) -> str:
    """Return the compass direction after a turn.

    >>> turned("north", "left"), turned("west", "right"), turned("east", "back")
    ('west', 'north', 'west')
    """
    return DIRECTIONS[(DIRECTIONS.index(direction) + _TURNS[turn]) % 4]


@cache
def _proper_words() -> frozenset[str]:
    """Return words that keep their capital, lower-cased: of countries, languages, peoples, genres and styles."""
    from nliprobe.language.lexicon import Lexicon, load_lexicon

    words = set(_PROPER.split())
    for name in ("COUNTRY", "LANGUAGE"):
        lexicon = load_lexicon(name)
        if isinstance(lexicon, Lexicon):
            words.update(word.lower() for entry in lexicon.entries for cell in entry for word in cell.split())
    return frozenset(words)


@cache
def _exceptions() -> dict[str, str]:
    from nliprobe.language.lexicon import Lexicon, lexicon_names, load_lexicon

    if "ARTICLE_EXCEPTIONS" not in lexicon_names():
        return {}
    lexicon = load_lexicon("ARTICLE_EXCEPTIONS")
    assert isinstance(lexicon, Lexicon)
    return dict(zip(lexicon.column("text"), lexicon.column("article"), strict=True))
