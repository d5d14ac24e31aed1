"""Tell from the words around a number what it says: how many, which year, what time, or a part of a name."""

from __future__ import annotations

import re
from fractions import Fraction

from nliprobe.language.numbers._cardinals import CARDINALS, ORDINALS
from nliprobe.language.numbers._tokens import Token, touch, word_at
from nliprobe.language.numbers.records import Kind

_LABELS = """
page pages pp p chapter chapters section sections figure figures fig figs table tables room highway route interstate
gate flight channel number numbers no nos volume vol part step level phase type types class grade category case title
article act scene form line item rule building floor apartment apt pier platform track exit lot model size group
appendix exhibit note footnote question problem paragraph row column box version windows verse psalm bus train seat
suite district precinct ward route road hwy i us box area zone sector team formula catch code zip extension ext
"""
LABELS = frozenset(_LABELS.split())
# Words that are capitalised only because a sentence begins.
_STARTS = """
the a an this that these those it he she they we you i his her its their our my in on at from with for after before
during when while although though however but and so if as because since by there here what who where why how is are was
were do does did have has had not no yes some many most all both each several about over under more less nearly almost
only just around approximately exactly of to at least up between among within into about or than then only even until
till through out off per every another next last past first other total well oh uh um yeah okay now today yesterday
plus also
"""
_STARTERS = frozenset(_STARTS.split())
_YEAR_BEFORE_TEXT = """
in since by from until till during before after year early late mid spring summer fall autumn winter circa fiscal fy to
january february march april may june july august september october november december through season
"""
_YEAR_BEFORE = frozenset(_YEAR_BEFORE_TEXT.split())
# "5 U.S.C.", "61 Fed. Reg.": volumes of laws.
_LAW = frozenset(["u", "fed", "cfr", "stat", "usc"])
_CLOCK_BEFORE = frozenset(["at", "by", "until", "till", "before", "after", "past", "around", "about"])
_YEARS = (1100, 2100)
_IRREGULAR_PLURALS_TEXT = """
people men women children feet teeth mice geese sheep fish deer police percent pence dice data criteria media persons
cattle oxen workmen policemen firemen fishermen businessmen congressmen gentlemen horsemen craftsmen salesmen lbs
kids folks times species series aircraft grand bucks hp mph km kg cm mm kmph cc mpg rpm ml mg oz ft
"""
_IRREGULAR_PLURALS = frozenset(_IRREGULAR_PLURALS_TEXT.split())
_SURE_NOUNS_TEXT = """
seconds minutes hours days weeks months years yrs decades centuries miles inches yards metres meters kilometers pounds
dollars cents points students players members workers
"""
_SURE_NOUNS = _IRREGULAR_PLURALS | frozenset(_SURE_NOUNS_TEXT.split())
_UNITS_TEXT = """
k km kg g m cm mm ml l mg lb lbs oz ft hp mph kph kmph kmh hrs hr h min mins sec secs cc mpg rpm bn mn x w kw mw gb mb
tb ghz mhz hz db pm in yd yds yr yrs deg c f cents p percent pct
"""
UNITS = frozenset(_UNITS_TEXT.split())
_ORDINAL_ENDS = frozenset(["st", "nd", "rd", "th"])
_NOT_PLURAL = re.compile(r"(?:ss|us|is|ous)$|^(?:was|has|is|as|this|his|its|does|us|yes|always|perhaps|sometimes)$")
# How many words may be between a number and the end of what it counts.
_FURTHEST = 4
# Words that cannot stand between a number and what it counts.
_FUNCTION_TEXT = """
a an the and or but nor so yet if because as that which who whom whose when where while than then is are was were be
been being am has have had do does did will would can could shall should may might must to in on at by from with for
into onto over under up down out off about after before between during through within without against along across
near i you he she it we they me him us them my your his her its our their this these those there here not n't just
also too very only per each every any some all both of
"""
_FUNCTION = frozenset(_FUNCTION_TEXT.split())
_ONE_BEFORE_TEXT = """
no any every some this that each which another other such the first last next only big little good bad new old right
wrong whole as same loved single
"""
_ONE_BEFORE = frozenset(_ONE_BEFORE_TEXT.split())


def is_function_word(word: str) -> bool:
    """Tell whether a word cannot be what is counted."""
    return word in _FUNCTION


def is_plural(word: str) -> bool:
    """Tell whether a word looks like a plural noun, or a unit that counts like one."""
    if word in _IRREGULAR_PLURALS:
        return True
    return len(word) > 2 and word.endswith("s") and word not in _FUNCTION and _NOT_PLURAL.search(word) is None


def counted(tokens: list[Token], stop: int) -> str:
    """Return the plural noun that follows a number, past a few other words; an empty text if there is none."""
    place = stop
    for step in range(_FURTHEST):
        if (word_at(tokens, place) == "-" and touch(tokens, place - 1) and touch(tokens, place)) or (
            step and word_at(tokens, place) == "and"
        ):
            place += 1
        word = word_at(tokens, place)
        if not word.isalpha() or word in _FUNCTION:
            return ""
        if is_plural(word):
            # The "men" of "two men's shirts" is not what is counted; it has an apostrophe and is no plain word.
            return word if word_at(tokens, place + 1) not in ("'", "’") else ""
        place += 1
    return ""


def is_one_a_number(tokens: list[Token], index: int) -> bool:
    """Tell the number in "one man" and "one of them" from the pronoun in "no one", "this one" and "one should"."""
    before, after = word_at(tokens, index - 1), word_at(tokens, index + 1)
    if after == "of":
        return before not in ("no", "any", "every", "this", "that", "which")
    if after == "-":
        return word_at(tokens, index + 2) in (
            "year",
            "hour",
            "day",
            "week",
            "month",
            "mile",
            "half",
            "third",
            "quarter",
            "minute",
        )
    if after in ("hundred", "thousand", "million", "billion", "half", "third", "quarter", "percent", "dozen", "or"):
        return True
    if after == "to":
        return word_at(tokens, index + 2) in CARDINALS
    if (
        before in ORDINALS
        or not after
        or not after[0].isalpha()
        or after in _FUNCTION
        or after.endswith(("'s", "n't", "'ll", "'d"))
    ):
        return False
    return before not in _ONE_BEFORE and after not in ("another", "day", "thing", "else", "way", "side", "hand")


def word_kind(tokens: list[Token], first: int, stop: int, value: Fraction) -> Kind:
    """Tell what a number in words says."""
    before, after = word_at(tokens, first - 1), word_at(tokens, stop)
    if after == "o'clock" or (after in ("am", "pm") and value <= 12):
        return Kind.TIME
    if (
        before in LABELS
        and not counted(tokens, stop)
        and before not in ("no", "i", "us", "area", "team", "problem", "case", "line")
    ):
        return Kind.NAME
    if after == "past" or _is_clock(tokens, first, stop, value):
        return Kind.TIME
    return Kind.QUANTITY


def range_kind(tokens: list[Token], first: int, stop: int, ends: tuple[Fraction, Fraction]) -> Kind:
    """Tell what a range of digits says: "3-5 days", "pages 14-15", "between 1990 and 1997"."""
    if word_at(tokens, first - 1) in LABELS:
        return Kind.NAME
    are_years = all(_YEARS[0] <= end < _YEARS[1] and end.denominator == 1 for end in ends)
    is_plain = all("," not in token.text for token in tokens[first:stop])
    return Kind.YEAR if are_years and is_plain and not counted(tokens, stop) else Kind.QUANTITY


def is_unit_of_time(tokens: list[Token], index: int) -> bool:
    """Tell the "second" of "a second later" and "per second" from the ordinal of "a second man"."""
    before, after = word_at(tokens, index - 1), word_at(tokens, index + 1)
    if before in ("per", "one", "each", "every", "split", "-") or (index and tokens[index - 1].kind == "digits"):
        return True
    goes_on = (
        after[:1].isalpha() and after not in _FUNCTION and after not in ("later", "ago", "longer", "more", "earlier")
    )
    return before == "a" and not goes_on


def digit_kind(tokens: list[Token], first: int, stop: int, value: Fraction) -> Kind:
    """Tell what a number in digits says."""
    before, noun = word_at(tokens, first - 1), counted(tokens, stop)
    text = tokens[first].text
    is_plain = stop == first + 1 and text.isdigit()
    if (
        is_plain
        and len(text) == 4
        and _YEARS[0] <= value < _YEARS[1]
        and not _counts_thousands(tokens, stop, before, noun)
    ):
        return Kind.YEAR
    if is_plain and len(text) == 3 and before == "in" and not noun and word_at(tokens, stop) not in ("%", "percent"):
        return Kind.YEAR
    if is_plain and len(text) > 1 and text[0] == "0":
        return Kind.NAME
    if stop == first + 1 and (word_at(tokens, stop) in _LAW or _is_named(tokens, first, noun)):
        return Kind.NAME
    if is_plain and _is_clock(tokens, first, stop, value):
        return Kind.TIME
    return Kind.QUANTITY


def _counts_thousands(tokens: list[Token], stop: int, before: str, noun: str) -> bool:
    """Tell the number in "1500 men" from a year: "in 1998 sales fell", "the act of 1970 clearly mandates"."""
    if before in _YEAR_BEFORE or not noun or tokens[stop].is_capital:
        return False
    if noun in _SURE_NOUNS and noun in (word_at(tokens, stop), word_at(tokens, stop + 1)):
        return True
    return noun == word_at(tokens, stop) and before not in ("of", "the", "and")


def _is_clock(tokens: list[Token], first: int, stop: int, value: Fraction) -> bool:
    """Tell whether "at five" is a time: nothing is counted, and the number is one of a clock."""
    if word_at(tokens, first - 1) not in _CLOCK_BEFORE or value.denominator != 1 or not 1 <= value <= 12:
        return False
    after = word_at(tokens, stop)
    return not after or (not after[0].isalnum() and after not in "%-$°") or (after in _FUNCTION and after != "of")


def _is_named(tokens: list[Token], first: int, noun: str) -> bool:
    """Tell whether a number belongs to the word before it: "Apollo 11", "page 3", "Section 5"."""
    before = word_at(tokens, first - 1)
    if before == "." and word_at(tokens, first - 2) in ("no", "nos", "vol", "fig", "p", "pp", "sec", "ch"):
        return touch(tokens, first - 2)
    if not before or not before[0].isalpha():
        # A mark at the beginning of a line: "2. The committee …".
        return False
    if before in LABELS:
        return not noun or before not in ("no", "i", "us", "area", "team", "problem", "case", "line", "p", "form")
    name = tokens[first - 1]
    # After a name, a word in -s is rather a verb: "Circular 50 provides".
    if (
        not name.is_capital
        or before in _STARTERS
        or noun in _SURE_NOUNS
        or (noun and noun != word_at(tokens, first + 1))
    ):
        return False
    return name.text != "I" and not name.text.endswith(("'s", "’s"))


def follows_ordinal_end(tokens: list[Token], index: int) -> bool:
    """Tell whether the digits at a place are an ordinal: "21st", or "21 st" as some corpora write it."""
    end = word_at(tokens, index + 1)
    return end in _ORDINAL_ENDS and (touch(tokens, index) or tokens[index + 1].start - tokens[index].stop == 1)
