"""Tell sentences that stand by themselves from those that lean on what is around them.

The rules are cautious: a sentence stands by itself only if nothing in it is known to point elsewhere. They look at
words alone, so they know no antecedents: a pronoun among the first four words counts as pointing elsewhere, a later one
only if no name comes before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

# Raised when the same sentence would be judged otherwise.
VERSION = 1

_QUOTES = "\"'“‘«([{`*•-–— "
_PRONOUNS_TEXT = """
he she it they him her them his hers its their theirs himself herself itself themselves he's she's it's they're he'd
she'd they'd they've it'd
"""
_PRONOUNS = frozenset(_PRONOUNS_TEXT.split())
_POINTING_TEXT = """
this these that those such here that's this's
"""
_POINTING = frozenset(_POINTING_TEXT.split())
_CONNECTIVES_TEXT = """
however but and or nor so therefore thus hence then also moreover furthermore additionally besides nevertheless
nonetheless instead otherwise still yet meanwhile later afterwards afterward subsequently finally eventually
consequently accordingly similarly likewise conversely alternatively indeed rather another other others both neither
either each some most many few several all none one two three only even except unless not no yes yeah yep nope ok okay
well oh first second third firstly secondly thirdly next last lastly again too because which who whose where hopefully
unfortunately fortunately surprisingly ultimately soon since
"""
_CONNECTIVES = frozenset(_CONNECTIVES_TEXT.split())
_OPENINGS = (
    "in addition", "as a result", "for example", "for instance", "in contrast", "by contrast", "on the other hand",
    "after that", "before that", "at the same time", "at that time", "at the time", "in particular", "in fact",
    "of course", "in turn", "in this", "in these", "in that", "in such", "on this", "on that", "with this", "by this",
    "from this", "as such", "even so", "that is", "in other words", "in response", "in return", "as well", "to this",
    "in short", "in conclusion", "after this", "before this", "until then", "since then", "by then", "for this",
    "in spite of", "despite this", "because of this", "due to this", "the latter", "the former", "the other",
    "the same", "the rest", "the two", "the three", "the pair", "the first", "the second", "the third", "the next",
    "the last", "together,", "similar ", "interestingly", "as noted", "as mentioned",
    "the following", "one of them", "some of them", "most of them", "a year later", "a few", "a second", "a third",
    "an additional", "a further", "as well as", "more than that", "what is more", "in the same", "for his", "for her",
)  # fmt: skip
_ANYWHERE = re.compile(
    r"\b(?:the (?:latter|former|above|aforementioned|said|same)|aforementioned|respectively|as follows|above-mentioned|"
    r"(?:this|these|such) (?!that\b|as\b|a\b|an\b)[a-z]+|those [a-z]+|"
    r"(?:of|like|than|in|by|to|from|with|for) (?:this|that|these|those)\b(?=[.,;])|"
    r"(?:he|she|they|it) (?:too|also)|do(?:es|ing)? so|did so|likewise|the (?:two|three|four) [a-z]+)\b",
    re.IGNORECASE,
)
_THERE = re.compile(r"there (?:is|are|was|were|has|have|had|will|may|can|exist)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_DEFINITE = re.compile(r"(?:[Tt]he|[Ii]ts|[Tt]heir|[Hh]is|[Hh]er|[Oo]ur|[Mm]y) (?=[a-z0-9])")
_NAMED = re.compile(r"(?<=[\s(\"“'‘])(?:the )?[A-Z][\w'’.-]*")
_SPEAKER = re.compile(r"[^\W\d_a-z][^\s:.!?,;]{0,24}(?: [^\s:.!?,;]{1,24}){0,3}\s?:\s+\S")
_STEPS = re.compile(r"how to\b", re.IGNORECASE)
_LISTED = re.compile(r"\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]\s+\S")
_TAKES_BACK = re.compile(
    r"\b(?:denie[sd]|deny|denial|false|untrue|hoax|rumou?rs?|myths?|debunk\w*|retract\w*|refute\w*|incorrect\w*|wrong\w*|"
    r"mistaken\w*|disput\w*|contrary|actually|in reality|not true|correction|cancel\w*|reverse[sd]?|overturn\w*|"
    r"apart from|except\w*|unless|instead of|no longer|never again|however|although|though|but)\b",
    re.IGNORECASE,
)
_SEQUENCE = re.compile(
    r"\b(?:then|later|afterwards?|subsequently|soon|eventually|finally|meanwhile|next|previously|earlier|now|again|still|"
    r"no longer|already|after (?:that|this|which)|before (?:that|this)|the (?:next|following|previous|same) "
    r"(?:day|week|month|year|morning|evening|night|season|decade)|at first|by then|since then|until then|today|"
    r"yesterday|tomorrow)\b",
    re.IGNORECASE,
)
_HAPPENED = re.compile(
    r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bbe )(?<!\bbeen )(?<!\bhas )(?<!\bhave )(?<!\bcan be )\b(?:"
    r"[a-z]{2,}ed|went|came|took|made|found|got|left|said|told|gave|began|became|won|lost|met|saw|ran|fell|sold|bought|"
    r"wrote|fought|built|grew|led|brought|thought|felt|held|kept|spent|sent|broke|drove|ate|drank|sat|stood|heard|knew|"
    r"threw|caught|paid|put|set|shot|died)\b"
)
_ABOUT_TEXT = re.compile(
    r"\b(?:mention\w*|text|passage|paragraph|sentences?|context|excerpt|article|statement|author|narrator|speaker|writer|"
    r"(?:not|n't|never) (?:say|said|state|stated|specif\w*|tell|told|clear|known|sure)|unknown|unclear|unsure|premise|"
    r"documents?|e-?mails?|letter|lesson|podcast|episode|conversation|interview|transcript|summary|story|"
    r"discuss\w*|talk\w*|refer\w*|stated|described|listed|according to|said to be)\b",
    re.IGNORECASE,
)
_NO_NAMES = frozenset({"the", "a", "an", "in", "on", "at", "for", "with", "by", "when", "while", "as", "if"})
_REPORTS = re.compile(
    r"[\"“”«»]|(?<!\w)['‘]|\b(?:sa(?:ys?|id)|stat(?:es?|ed)|alleg\w+|assert\w*|claim\w*|argu\w+|wr(?:ites?|ote)|tweet\w*|"
    r"according to|titled|entitled|published|suggest\w*|believ\w+|think\w*|thought|suppos\w+|reported\w*|predict\w*)\b",
    re.IGNORECASE,
)
_COUNTS = re.compile(
    r"\b(?:(?:more|less|fewer|greater|higher|lower|older|younger|longer|shorter) than|at least|over|under|between|"
    r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|several|multiple|many|few) (?:[a-z-]+ ){0,2}[a-z-]+s|"
    r"total|totals|altogether|exactly|in all|only|just|at most|no more than|none|nothing|nobody|no one|ever|never|"
    r"always|every|all|last|final|most recent|so far)\b",
    re.IGNORECASE,
)
# Shorter sentences are fragments or answers.
_FEWEST = 4


@lru_cache(maxsize=65_536)
def leans_back(sentence: str) -> bool:
    """Tell whether a sentence may point to what comes before it, by a pronoun, a connective or a reference.

    >>> leans_back("He was born in 1900."), leans_back("Paris is the capital of France.")
    (True, False)
    """
    text = sentence.lstrip(_QUOTES)
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    if len(words) < _FEWEST or "?" in sentence:
        return True
    low = text.lower().replace("’", "'")
    if words[0] in _CONNECTIVES or words[0] in _POINTING or low.startswith(_OPENINGS):
        return True
    if words[0] == "there" and not _THERE.match(text):
        return True
    if text[:1].islower() or _ANYWHERE.search(text):
        return True
    if any(word in _PRONOUNS for word in words[:4]):
        return True
    return _pronoun_without_name(text)


def is_definite(sentence: str) -> bool:
    """Tell whether a sentence begins with something that has to be known already: *the film*, *its capital*."""
    return _DEFINITE.match(sentence.lstrip(_QUOTES)) is not None


def takes_back(sentence: str) -> bool:
    """Tell whether a sentence may restrict or correct another one, so that without it the other says more."""
    return _TAKES_BACK.search(sentence) is not None


def is_turn(sentence: str) -> bool:
    """Tell whether a sentence begins with its speaker."""
    return _SPEAKER.match(sentence) is not None


def narrates(sentences: Sequence[str]) -> bool:
    """Tell whether the order of some sentences may say something: events one after another, or steps of a list."""
    if any(_SEQUENCE.search(text) or _LISTED.match(text) or _STEPS.match(text) for text in sentences):
        return True
    return sum(_HAPPENED.search(text) is not None for text in sentences) > 1


def is_about_the_text(hypothesis: str) -> bool:
    """Tell whether a hypothesis may speak about what the text says or leaves out, and not about the world."""
    return _ABOUT_TEXT.search(hypothesis) is not None


def reports(sentence: str) -> bool:
    """Tell whether a sentence tells what somebody says or what something is called, and does not say it itself."""
    return _REPORTS.search(sentence) is not None


def is_about_everything(hypothesis: str) -> bool:
    """Tell whether a hypothesis counts or excludes, so that people may take what a text does not say for false."""
    return _COUNTS.search(hypothesis) is not None


def _pronoun_without_name(text: str) -> bool:
    for found in _WORD.finditer(text):
        if found[0].lower().replace("’", "'") in _PRONOUNS:
            # The first word of a sentence has a capital, too: it counts only if another name or number follows.
            return _NAMED.search(text, 0, found.start()) is None and not _opens_with_name(text)
    return False


def _opens_with_name(text: str) -> bool:
    first = _WORD.match(text)
    if first is None:
        return False
    return first[0].lower() not in {
        "the",
        "a",
        "an",
        "in",
        "on",
        "at",
        "for",
        "with",
        "by",
        "when",
        "while",
        "as",
        "if",
    }
