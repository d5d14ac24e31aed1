"""Negate the main clause of a sentence, or take its negation away, by rules of English.

*Not* goes behind an auxiliary ("was not released"); other verbs take *do* ("did not release", "does not have"). A
negation that is there is taken out ("did not win" becomes "won"). Every result says what may keep the sentence from
being one plain clause: then the negation may deny only a part of what it says.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from nliprobe.language.verbs import bases, participles, past_of, third_of, verb_forms
from nliprobe.language.words import WordSpan, word_spans

VERSION = 1  # raised when sentences are negated in another way

_BE = frozenset(["is", "are", "was", "were", "am"])
_MODALS = frozenset(["can", "could", "will", "would", "shall", "should", "must", "may", "might"])
# "must not" does not deny "must".
_OPEN = _MODALS - {"can", "will"}
_HAVE = frozenset(["has", "have", "had"])
_DO = frozenset(["do", "does", "did"])
_AUXILIARIES = _BE | _MODALS | _HAVE | _DO
_NOT = frozenset(["not", "never"])
# "won't" and "can't" are not the verb and "n't".
_SHORT = {"won't": "will", "can't": "can", "cannot": "can", "shan't": "shall"}
# One of these is in every text that has a negative word; most have none.
_NEGATIVE_SIGNS = ("not", "never", "n't", "n’t")
# Words whose meaning reaches over a negation: it denies them, and not what the sentence says of its subject.
_SCOPE_TEXT = """
all every each everyone everybody everything some someone somebody something any anyone anybody anything many much most
several both either half few fewer little only also too just even still already yet always often sometimes usually
rarely seldom again almost nearly mainly mostly partly certainly probably possibly maybe perhaps exactly about
approximately around roughly no none nobody nothing nowhere neither nor without hardly barely
scarcely another other others ever once twice entire entirely whole completely very really currently originally
primarily recently likely solely total since until best
"""
_SCOPE = frozenset(_SCOPE_TEXT.split())
# Words that compare; what they say is denied as a whole.
_COMPARING = frozenset(["least", "less", "more", "fewer", "than", "over", "under", "above", "below", "before", "after"])
_NUMBERS_TEXT = "one two three four five six seven eight nine ten eleven twelve dozen hundred thousand million"
_COUNTING = _COMPARING | frozenset(_NUMBERS_TEXT.split())
_SOME_OF = re.compile(rf"\b(?:\d+|{_NUMBERS_TEXT.replace(' ', '|')}) of (?:the|his|her|its|their|these|those)\b", re.I)
# Words that only a denied sentence has.
_DENIED_ONLY = frozenset(["any", "anything", "anyone", "anybody", "anywhere", "ever", "yet", "either"])
# Words that join clauses or begin one inside the sentence.
_JOINING_TEXT = """
and or but because if unless when while that which who whom whose where although though whereas so as despite besides
however therefore then
"""
_DENYING_TEXT = "no none nobody nothing nowhere neither nor without hardly barely scarcely"
_DENYING = frozenset(_DENYING_TEXT.split())
_JOINING = frozenset(_JOINING_TEXT.split())
_MARKS = re.compile(r"[,;:?!\"“”()\n]|\.(?=\s+[A-Z][a-z])")
_LONGEST_SUBJECT = 10
_MOST_WORDS = 60

NO_VERB = "no verb of the hypothesis is one that the rules can negate"
LONG = "the hypothesis is too long for one clause"
SUBJECT = "the hypothesis has no plain subject"
DENIED = "a denial in the hypothesis is not that of its verb"


class Negated(NamedTuple):
    """A change that negates a sentence, or takes its negation away.

    Attributes:
        span: what is replaced.
        after: what replaces it.
        removed: whether a negation was taken away.
        subject: where what comes before the verb ends.
        joined: whether a word or mark may join it to another clause.
        scoped: whether the meaning of a word in it reaches over a negation: *only*, *some*, *since*.
        compares: whether it has a word that compares.
    """

    span: tuple[int, int]
    after: str
    removed: bool
    subject: int
    joined: bool
    scoped: bool
    compares: bool


def negate(text: str, verb_at: int | None = None, subject: int = 0) -> Negated | str:
    """Return the change that negates a sentence, or the reason why the rules cannot.

    Args:
        text: a sentence.
        verb_at: where its main verb begins, if that is known; else the rules look for it.
        subject: where its subject ends, if that is known; a verb that no auxiliary goes with is looked for there.

    >>> def said(text, subject=0):
    ...     change = negate(text, subject=subject)
    ...     return text[: change.span[0]] + change.after + text[change.span[1] :]
    >>> said("It was made in 1979."), said("Ann has two sons."), said("Ann wrote it.", 3), said("Ann did not win.")
    ('It was not made in 1979.', 'Ann does not have two sons.', 'Ann did not write it.', 'Ann won.')
    """
    if len(text) > _MOST_WORDS * 10:
        return LONG
    words = word_spans(text)
    if len(words) > _MOST_WORDS:
        return LONG
    place = _verb(words, verb_at, subject)
    if isinstance(place, str):
        return place
    change = _taken_out(words, place) or _put_in(words, place)
    if change is None or isinstance(change, str):
        return change or NO_VERB
    span, after, removed = change
    after = after.upper() if text.isupper() else after
    rest = {word for word, start, _ in words if not span[0] <= start < span[1] and start >= subject}
    lower = text.lower()
    negatives = 0
    if any(sign in lower for sign in _NEGATIVE_SIGNS):
        negatives = len([word for word, _, _ in words if word in _NOT or word in _SHORT or word.endswith("n't")])
    if negatives != removed or not rest.isdisjoint(_DENYING) or (removed and not rest.isdisjoint(_DENIED_ONLY)):
        return DENIED
    finite, start, _ = words[place]
    joined = (
        _MARKS.search(text, subject) is not None
        or not rest.isdisjoint(_JOINING)
        or not _AUXILIARIES.isdisjoint([word for word, _, _ in words[place + 1 :]])
    )
    # "has not been active for ten years" is about the last ten years.
    scoped = not rest.isdisjoint(_SCOPE) or ("for" in rest and finite in _HAVE) or finite in _OPEN
    # "At least three are not known" does not deny "at least three are known".
    before = {word for word, begin, _ in words[:place] if begin >= subject}
    scoped = scoped or not before.isdisjoint(_COUNTING) or (" of " in lower and _SOME_OF.search(text) is not None)
    # "A bridge is not open" may be about another bridge.
    scoped = scoped or (not subject and words[0][0] in ("a", "an"))
    return Negated(span, after, removed, start, joined, scoped, not rest.isdisjoint(_COMPARING))


_Words = tuple[WordSpan, ...]
_Change = tuple[tuple[int, int], str, bool]


def _verb(words: _Words, verb_at: int | None, subject: int) -> int | str:
    """Return which word is the finite verb of the main clause."""
    if verb_at is not None:
        places = [place for place, (_, start, _) in enumerate(words) if start == verb_at]
        return places[0] if places else NO_VERB
    forms = verb_forms()
    for place, (word, start, _) in enumerate(words):
        if start < subject:
            continue
        if place > _LONGEST_SUBJECT:
            break
        if word in _AUXILIARIES or word in _SHORT or word.endswith("n't"):
            return place if place else SUBJECT
        first = place == 0 or words[place - 1][1] < subject
        if first and subject:
            if word == "never" and place + 1 < len(words):
                return place + 1
            if word in forms:
                return place
        if word in _JOINING:
            return SUBJECT
    return NO_VERB


def _taken_out(words: _Words, place: int) -> _Change | str | None:
    """Return the change that takes a negation of the verb away, if it has one."""
    word, start, stop = words[place]
    after = words[place + 1] if place + 1 < len(words) else ("", stop, stop)
    then = words[place + 2] if place + 2 < len(words) else ("", after[2], after[2])
    if place and words[place - 1][0] == "never":
        return (words[place - 1][1], start), "", True
    if word in _SHORT:
        return (start, stop), _SHORT[word], True
    short = word.removesuffix("n't")
    if short != word:
        if short in _DO:
            return _restored((start, after[2]), short, after[0])
        return ((start, stop), short, True) if short in _AUXILIARIES else None
    if after[0] == "not" and word in _DO:
        return _restored((start, then[2]), word, then[0])
    if after[0] in _NOT and word in _AUXILIARIES:
        return (stop, after[2]), "", True
    return None


def _restored(span: tuple[int, int], do: str, verb: str) -> _Change | str:
    """Return a verb without *do not*: "does not have" becomes "has"."""
    if verb not in bases():
        return NO_VERB
    if do == "did":
        return span, past_of(verb), True
    return span, third_of(verb) if do == "does" else verb, True


def _put_in(words: _Words, place: int) -> _Change | None:
    """Return the change that negates the verb."""
    word, start, stop = words[place]
    after = words[place + 1][0] if place + 1 < len(words) else ""
    if word == "can":
        return (start, stop), "cannot", False
    if word in _BE or word in _MODALS or (word in _HAVE and (after in participles() or after.endswith("ed"))):
        return (stop, stop), " not", False
    form = verb_forms().get(word)
    if word == "have":
        return (start, stop), "do not have", False
    if form is None or word in _DO:
        return None
    return (start, stop), f"{'did' if form.past else 'does'} not {form.base}", False
