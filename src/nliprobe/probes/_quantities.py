"""Find the quantity of a sentence that can be widened and changed with a known effect.

A sentence with *n* things entails the same with *less than k* things (n < k) only where the number is read as it is and
the rest of the sentence keeps the direction. So a quantity is left out where it is widened already, where it belongs to
a definite phrase, a list, a ratio or a compound, and where its sentence denies, asks, requests, supposes,
compares or is about every case.
"""

from __future__ import annotations

import re

from nliprobe.language.numbers import Kind, Manner, Number, find_numbers
from nliprobe.language.sentences import split_sentences

CURRENCIES = frozenset("$£€¥")
PERCENT = frozenset(["%", "percent", "pct"])
# Words before a number that make it definite, count on from something, or read it as a bound.
_BEFORE_TEXT = """
the a an this these those my your his her its our their whose all both each every any another other no first last next
past top bottom final previous following remaining only same within until till before under than times between per or
versus vs number numbers plus minus what such either neither most level age aged
"""
_BEFORE = frozenset(_BEFORE_TEXT.split())
# Before digits they may begin a range or an area: "from 3", "650 metres by 300".
_BEFORE_DIGITS = frozenset(["by", "to", "from", "through"])
_LAST_WORD = re.compile(r"[^\W\d_]*(?:['’][^\W\d_]*)+$|[^\W\d_]+$|.$", re.DOTALL)
_NUMBER_WORD = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty"
_ANY_NUMBER = rf"(?:[$£€]?\s*\d|(?:{_NUMBER_WORD})\b)"
# What comes before a number that is the second one of a ratio or a list, follows an ordinal ("the first of 3"), or says
# how many the things are that were just named ("A and B are two reasons").
_LISTED = re.compile(
    rf"(?:\d|\b(?:one|{_NUMBER_WORD}|hundred|thousand|million|billion|percent|pct)|%)"
    r"\s*(?:,|and|,\s*and|or|to|in|of|of\s+the|out\s+of|through)\s*$"
    r"|\b(?:first|second|third|last|\w+th|\d+(?:st|nd|rd))\s+of\s*$|(?<!here)\s(?:are|were)\s*$",
    re.IGNORECASE,
)
# What follows a number that is one end of a ratio, an item of a list, a factor or a part of a compound.
_AFTER = re.compile(
    rf"""\s*(?:[-‐‑–—/*+=×:'’°)]|\d
    | (?:more|fewer|less|other|others|additional|further|extra|such|different|consecutive|straight|successive|equal
      |or|to|times|plus|minus|hundred|out\s+of)\b
    | of\s+(?:every|each|the\s+(?:most|\w+est))\b | (?:,|and|,\s*and|,\s*or|in|of|of\s+the)\s*{_ANY_NUMBER}
    | (?:second|minute|hour|day|night|week|month|year|yr|inch|foot|yard|mile|acre|pound|ton|dollar|cent|degree)\b)""",
    re.IGNORECASE | re.VERBOSE,
)
_QUESTION = re.compile(
    r"\?|\bhow\s+(?:many|much|long|far|old)\b|^\W*(?:how|what|why|where|who|which|whose|do|does|did|is|are|was|were|can|"
    r"could|would|will|should|have|has|had|may|might|when)\b",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"\bplease\b|\blet['’]?s\b|^\W*(?:take|add|use|turn|go|walk|continue|see|look|note|give|send|call|visit|allow|make|buy|"
    r"choose|consider|enclose|join|help|imagine|let|keep|wait|try|tell|put|get|ask|find|follow|bring|set)\b",
    re.IGNORECASE,
)
# Anywhere in the sentence: denial, supposition, possibility, comparison, alternatives, examples, rates, sums.
_SENTENCE = re.compile(
    r"""n['’]t\b|[=×]|\d\s*[+*]\s*\(?\d|\b(?:
    not|no|never|nobody|none|nothing|neither|nor|without|hardly|barely|scarcely|rarely|seldom|few|fewer|less|lack|lacks
    |lacked|fail|fails|failed|den(?:y|ies|ied)|refuse[sd]?|doubt(?:s|ed)?|unless|except|unable|prevent(?:s|ed)?
    |avoid(?:s|ed)?|cannot|dont|didnt|cant|isnt|wasnt|nowhere|instead|rather
    |if|whether|assum(?:e|es|ed|ing)|suppos(?:e|es|ed|ing)|provided|in\s+case|otherwise
    |may|might|can|could|should|would|must|maybe|perhaps|possibly|probably|potentially|allow(?:s|ed)?
    |or|than|compared|ratio|versus|twice|thrice|double[ds]?|half|times
    |includ(?:e|es|ed|ing)|such\s+as|for\s+example|for\s+instance|e\.g
    |per|each(?!\s+other)|every|everyone|everybody|everything|any|anyone|anybody|anything|whenever|whoever|always|only
    |apiece|an?\s+(?:day|night|week|month|year|hour|minute|second|piece|person)|at\s+(?:best|worst)|tops
    |too|enough|minimum|maximum|limit|limits|limited|eligible|require[sd]?|requirement|want|wants|wanted
    |unlikely|likely|told|asked|ordered|minds|thumbs
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
# Before the number: what is said of all cases reverses the direction for what restricts them, and so may a plural
# without an article at the beginning: "Gifts of $40 help".
_UNIVERSAL = re.compile(
    r"\ball\b|\bthe\s+(?:most\s|\w+est\b)|\b(?:most|those|people|persons|companies|families)\s+(?:\w+\s+)?(?:with|who|that|having)\b",
    re.IGNORECASE,
)
_BARE_PLURAL = re.compile(
    r"\W*(?:(?!the\b|these\b|those\b)\w+\s+){0,2}?(?!(?:as|is|was|has|this|his|its|always|across)\b)\w+s\s+"
    r"(?:of|with|for|from|over|at|in|having)\s*$",
    re.IGNORECASE,
)
# After the number: the things are told apart one by one, which says how many they are.
_PARTS = re.compile(
    rf":|--|[–—]|\s-\s|,\s*(?:an?\s|{_ANY_NUMBER})[^,;.]{{1,40}}?\band\s+(?:an?\s|the\s|{_ANY_NUMBER})"
    r"|\b(?:one(?!\s+another\b)|the\s+(?:others?|rest)|both|respectively|another|namely|remaining|remainder)\b",
    re.IGNORECASE,
)
_SAME_MEASURE = re.compile(r"\s+\w+\s*[(/]\s*\d")
_OF_DEFINITE = re.compile(rf"\s+of\s+(?:the|these|those|them|us|his|her|its|their|our|my)\b(?!\s+{_ANY_NUMBER})")
_CAPITAL = re.compile(r"\s*[A-Z]")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;\"“”'‘(–—-])\s*$")
_NEAR = 40
_LEAST = 2
# How many quantities of a text are tried; each one is looked at together with its whole sentence.
_MOST = 8

NO_NUMBER = "the sentence has no number"
NO_QUANTITY = "no number of the sentence says how many or how much"
NOT_PLAIN = "no quantity of the sentence is a plain number from 2 on before what it counts"
SCOPE = (
    "the sentence denies, asks, requests, supposes, compares or counts up, so the effect of another number is not sure"
)


def quantity_of(text: str) -> Number | str:
    """Return the first quantity of a text that can be widened, or the reason why there is none."""
    numbers = find_numbers(text)
    quantities = [number for number in numbers if number.kind is Kind.QUANTITY]
    if not quantities:
        return NO_QUANTITY if numbers else NO_NUMBER
    plain = [number for number in quantities if _stands_plain(text, number)][:_MOST]
    spans = split_sentences(text) if plain else ()
    for number in plain:
        start, stop = next((span for span in spans if span[0] <= number.start < span[1]), (0, len(text)))
        counted_from = next(other.stop for other in numbers if other.start >= start)
        is_turned = _is_turned(text, number, (start, stop), counted_from)
        if not is_turned and not _is_repeated(numbers, number):
            return number
    return SCOPE if plain else NOT_PLAIN


def _stands_plain(text: str, number: Number) -> bool:
    """Tell whether a number stands before what it counts, and nothing else is said about it."""
    value, unit, stop = number.value, number.unit, number.phrase[1]
    if value is None or value < _LEAST or number.upper is not None or number.modifier is not None:
        return False
    is_vague = text[number.start : number.start + 2].lower() in ("a ", "an")
    if number.manner is Manner.WORDS and (value.denominator != 1 or is_vague):
        return False
    if unit in PERCENT and value >= 100:
        return False
    if _AFTER.match(text, stop) or _SAME_MEASURE.match(text, stop) or _begins_badly(text, number):
        return False
    if unit in CURRENCIES:
        # "$400 pays for it" is true of more money, too.
        return _SENTENCE_START.search(text[: number.phrase[0]][-_NEAR:]) is None
    if unit in PERCENT:
        return True
    if not unit:
        return _OF_DEFINITE.match(text, stop) is not None
    # A name such as "Two Towers" is written with capital letters; "Two Asian men" is none.
    return not _CAPITAL.match(text, stop) or unit in text[stop : stop + _NEAR]


def _begins_badly(text: str, number: Number) -> bool:
    start = number.phrase[0]
    before = text[max(0, start - _NEAR) : start]
    if text[start].isupper() and _SENTENCE_START.search(before) is None:
        return True  # a capital letter inside a sentence: a name
    if _LISTED.search(before):
        return True
    word = _LAST_WORD.search(before.rstrip())
    if word is None:
        return False
    last = word[0].lower().replace("’", "'")
    if last.isalpha():
        return last in _BEFORE or (last in _BEFORE_DIGITS and number.manner is not Manner.WORDS)
    return last in "*/=+−×÷#&([~" or last.isdigit() or "'" in last or (last in "-–—." and before == before.rstrip())


def _is_turned(text: str, number: Number, span: tuple[int, int], counted_from: int) -> bool:
    """Tell whether the sentence around a number may turn the effect of widening it.

    What is counted may be told apart from ``counted_from`` on, the end of the first number of the sentence.
    """
    start, stop = span
    sentence = text[start:stop]
    return (
        _SENTENCE.search(sentence) is not None
        or _QUESTION.search(sentence) is not None
        or _REQUEST.search(sentence) is not None
        or _UNIVERSAL.search(text, start, number.start) is not None
        or _BARE_PLURAL.match(text[start : number.phrase[0]]) is not None
        or _PARTS.search(text, counted_from, stop) is not None
    )


def _is_repeated(numbers: tuple[Number, ...], number: Number) -> bool:
    """Tell whether the same value is in the text a second time, so that the text would contradict itself."""
    return sum(other.value == number.value for other in numbers) > 1
