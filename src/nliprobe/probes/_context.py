"""Say what around a number could change what it means: denials, alternatives, comparisons, more clauses."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from nliprobe.probes._facts import Facts
from nliprobe.probes._topics import stem

_DENIAL = re.compile(
    r"n['’]t\b|\b(?:not|never|no|none|nobody|nothing|neither|nor|without|hardly|barely|scarcely|cannot|failed|fails|"
    r"lacks?|lacked|yet)\b",
    re.IGNORECASE,
)
# Without any of these, there is no denial.
_DENIAL_HINTS = ("n't", "n’t", "no", "never", "neither", "with", "hardly", "barely", "scarce", "fail", "lack", "yet")
# They belong to a governing word.
_NO_DENIAL = re.compile(r"\b(?:no|not) (?:more|less|fewer|later|earlier) than\b", re.IGNORECASE)
_PLAIN_DENIAL = re.compile(r"n['’]t\b|\b(?:not|never)\b", re.IGNORECASE)
# Words under which a statement is not simply true or false, compares two things, or speaks of parts.
_OPEN = re.compile(
    r"\?|\b(?:or (?!more|less|fewer|over|above|under|below|older|younger|longer|shorter|later|earlier|higher|"
    r"lower|so\b)|if|unless|would|could|might|may|can|should|must|will|probably|likely|unlikely|maybe|perhaps|"
    r"possibly|"
    r"supposed(?:ly)?|expected|planned|hoped|considered|either|whether|except|excluding|besides|twice|times|half of|"
    r"average|combined|combining|per|each|every|both|difference|between (?!\$?\d)|compared|"
    r"(?:most|all|some|many) of|than (?!\$?\d|an?\b|one|two|three|"
    r"four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|"
    r"twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|half)|same|consecutive(?:ly)?|continuous(?:ly)?|"
    r"annual(?:ly)?|yearly|almost all|turned|anniversary|as (?:many|much|long|old) as)\b",
    re.IGNORECASE,
)
# Without any of these words and a question mark, nothing of it is there, and the pattern is slow.
_OPEN_HINTS_TEXT = """
or if unless would could might may can should must will probably likely unlikely maybe perhaps possibly supposed
supposedly expected planned hoped considered either whether except excluding besides twice times half average combined
combining per each every both difference between compared most all some many than same consecutive consecutively
continuous continuously annual annually yearly almost turned anniversary as
"""
_OPEN_HINTS = frozenset(_OPEN_HINTS_TEXT.split())
# More than one clause, or a list of statements, some of which may be false by themselves.
_MORE = re.compile(
    r"[,;:()]|\b(?:and|but|while|which|who|whose|that|when|where|although|though|because|as well as|along with|until|"
    r"after|before|despite|including|also|then|featuring|starring|with|by|only|first|last|again|later|still|once)\b",
    re.IGNORECASE,
)
# What follows an amount that is a distance to something else: "three years before", "200 million over".
_DISTANCE = re.compile(
    r"\s*(?:later|earlier|before|after|apart|prior|more|less|fewer|longer|older|younger|higher|lower|taller|shorter|over|"
    r"above|under|below|between|times|each|per|into|out of|from now|straight|in a row|anniversary|different decades)\b|"
    r"\s*(?:st|nd|rd|th)\b|\s*[-–/]\s*\d|\s*of (?:his|her|its|their|the|those|these)\b",
    re.IGNORECASE,
)
# What comes before a number that is no amount of what the row says: "his 50s", "No. 4", "a third of".
_NOT_AMOUNT = re.compile(
    r"\b(?:his|her|their|its|my|your|early|mid|late) $|(?:\bno\.?|#|\btop|\bpart|\bchapter|\bvolume|\bnumber|\bage of|"
    r"\bin every|\bout of|\bevery|\beach|\banother|\bnext|\bother|\bthe (?:last|past|first|final|other)) $",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"[,;:()]|\b(?:and|but|while|which|who|whose|that|when|where|although|though|because|until|after|by|with)\b",
    re.IGNORECASE,
)
_MARRIED_TIMES = re.compile(r"\bmarried (?:\w+ ){1,3}times\b", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]+")
# Words that add nothing that could be false in a hypothesis about the title.
_FILLER_TEXT = """
a an the not is was were are be been being has had have having did does do of in on at to for from by with as it its
it's he she his her they their them this there over under more less than about around nearly almost least most just
only up years year decade decades century centuries months days hours hour minutes minute long old age aged time times
total released came out born died passed away when band group film movie album song artist musician singer actor
actress man woman person people city country town company organization horse painting artwork work one whole entire
own since until after before during active career performing music together making movies recorded running runtime run
length fall spring summer winter autumn season late early mid middle end beginning s
"""
FILLERS = frozenset([stem(word) for word in _FILLER_TEXT.split()])


class Context(NamedTuple):
    """What of a hypothesis decides how sure a perturbation of it is.

    Attributes:
        denials: how many denials it has.
        plain_denial: where the only denial is, if it is *not* or *never* in a simple clause; else -1.
        open: whether something in it keeps a number from simply deciding the label.
    """

    denials: int
    plain_denial: int
    open: bool


def is_plain(context: Context) -> bool:
    """Tell whether a number of a hypothesis may decide its label: nothing is open, and at most its clause is denied."""
    return not context.open and (context.denials == 0 or context.plain_denial >= 0)


MASK = "_"


def without_title(text: str, names: Collection[str]) -> str:
    """Return a hypothesis with the names of what it is about blanked out: "Definitely Maybe" supposes nothing."""
    for name in names:
        place = text.find(name)
        if place >= 0 and len(name) > 2:
            text = text.replace(name, MASK * len(name))
    return text


@lru_cache(maxsize=16)
def context_of(text: str) -> Context:
    """Return what of a hypothesis decides how sure a perturbation of it is."""
    lower = text.lower()
    denials: list[re.Match[str]] = []
    if any(hint in lower for hint in _DENIAL_HINTS):
        plain = _NO_DENIAL.sub(lambda match: "x" * len(match[0]), text)
        denials = [match for match in _DENIAL.finditer(plain) if not plain.startswith("-", match.end())]
    only = denials[0] if len(denials) == 1 else None
    is_plain = only is not None and _JOINED.search(text) is None and _PLAIN_DENIAL.fullmatch(only[0]) is not None
    is_open = "?" in text or not _OPEN_HINTS.isdisjoint(_LETTERS.findall(lower))
    if is_open:
        is_open = _OPEN.search(_MARRIED_TIMES.sub("married", text)) is not None
    return Context(len(denials), only.start() if only and is_plain else -1, is_open)


@lru_cache(maxsize=64)  # every mention of a long text asks for the same
def has_words(pattern: re.Pattern[str], text: str) -> bool:
    """Tell whether a pattern is anywhere in a text."""
    return pattern.search(text) is not None


def is_amount(text: str, start: int, stop: int) -> bool:
    """Tell whether a number says how much or when, and is no distance to something else or part of another phrase."""
    if "married" in text.lower() and has_words(_MARRIED_TIMES, text):
        return True
    return _DISTANCE.match(text, stop) is None and _NOT_AMOUNT.search(text, max(0, start - 24), start) is None


def nothing_else(text: str, span: tuple[int, int], facts: Facts) -> bool:
    """Tell whether a text is one statement whose words outside a span are known or say nothing that could be false."""
    rest = text[: span[0]] + " " + text[span[1] :]
    if _MORE.search(rest.rstrip(" .!")) is not None:
        return False
    # All words of the premise are read only where those of its title are not enough.
    strange = {stem(word) for word in _LETTERS.findall(rest.lower())} - FILLERS - facts.title
    return not strange or strange <= facts.words
