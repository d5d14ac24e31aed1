"""Cut texts into sentences by rules: where a passage says nothing about its sentences, these are its units.

A text is first cut where its lines say so (blank lines, bullets, turns of a dialogue, headings), and what is left of it
at marks that end a sentence. A cut too few is better than a cut too many: half a sentence says something else, while
two sentences in one unit are only a larger unit. Bullets and turns are one unit each, because what follows their first
sentence belongs to the item or the speaker.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

from nliprobe.base.hashing import digest
from nliprobe.language._blocks import Span, blocks

# Raised when the same text would be cut elsewhere.
_VERSION = 1

# Marks that end a sentence, with what closes around it and a reference to a note.
_CLOSE = "\"'”’»)\\]}"
_WIDE_CLOSE = "」』）】〉》”’"
_END = re.compile(
    rf"(?P<wide>[。！？｡]+[{_WIDE_CLOSE}]*)"
    rf"|(?<![.!?…।؟۔])(?P<mark>[.!?…।؟۔]+)(?P<close>[{_CLOSE}]*(?:\[\d{{1,3}}\])*(?: (?:''|[\"”])(?=\s|$))?)(?=\s|$)"
    # Without a space: "ran away.Police said".
    r"|(?P<tight>(?<=[a-z]{3})[.!?](?=(?:[A-Z][a-z]{2,}|It|He|We|In|At|On|As|If|So|No)[\s,]))"
)
_OPENING = "\"'“‘«([{¿¡`-–—•*#"
_WORD_BEFORE = re.compile(r"[^\s\"'“‘«(\[{/—–]+$")
_NEXT_WORD = re.compile(r"[^\W_]+(?:['’.&-][^\W_]+)*")
_INITIAL = re.compile(r"[^\W\d_]$")
# U.S, a.m, Ph.D, J.R.R: letters with full stops between them.
_DOTTED = re.compile(r"(?:[^\W\d_]{1,3}\.)+[^\W\d_]{1,2}$")
_LIST_MARK = re.compile(r"\(?(?:\d{1,3}|[A-Za-z])$")
_SPEECH = (
    "says|said|asks|asked|repl(?:y|ies|ied)|answer(?:s|ed)|add(?:s|ed)|shout(?:s|ed)|cried|cries|whisper(?:s|ed)|wrote|"
    "writes|explain(?:s|ed)|told|continued|insist(?:s|ed)|joked|recall(?:s|ed)|conclude[sd]|exclaim(?:s|ed)|murmur(?:s|ed)|"
    "mutter(?:s|ed)|demand(?:s|ed)|inquired|enquired|called|laughed|sighed|yelled|screamed|gasped|remarked|observed"
)
# Who said what is before: Mary asked, he said, murmured Charlotte.
_SAYS = re.compile(rf"(?:(?:[A-Z][\w'’.-]*\s+){{1,3}}|(?:he|she|they|we|I)\s+)(?:{_SPEECH})\b|(?:{_SPEECH})\s+[A-Z\w]")
# Words that hardly ever go on after an abbreviation but often begin a sentence.
_STARTERS_TEXT = """
the a an this that these those it he she they we you i his her its their our my in on at from with for after before
during when while although though however but and so if as because since by there here what who where why how it's
he's she's they're i'm is are was were do does did have has had not no yes one some many most all both each several
according also another then now today meanwhile moreover furthermore despite until upon under between
"""
_STARTERS = frozenset(_STARTERS_TEXT.split())
_MARKS = re.compile(r"[()\"“”]")
# A bracket or a quotation up to this length is not cut; a longer one may be a whole passage.
_LONGEST_BRACKET = 500
_LONGEST_QUOTATION = 200
# The longest word looked at before a full stop: texts without spaces stay linear.
_LONGEST_WORD = 40


def split_sentences(text: str) -> tuple[Span, ...]:
    """Return where the sentences of a text are: spans in order, never empty, without white space around them.

    What is between two spans (white space, a ``<br>``, a line of dashes) belongs to neither sentence.

    >>> text = "Dr. Lee lives in the U.S. She is 3.5 ft. tall (approx.). Why? Nobody knows..."
    >>> [text[start:stop] for start, stop in split_sentences(text)]
    ['Dr. Lee lives in the U.S.', 'She is 3.5 ft. tall (approx.).', 'Why?', 'Nobody knows...']
    """
    lower = not any(map(str.isupper, text))
    spans: list[Span] = []
    for block in blocks(text):
        pieces = [block.span] if block.whole else list(_cut(text, *block.span, lower=lower))
        fresh = len(spans)
        for start, stop in pieces:
            if any(map(str.isalnum, text[start:stop])):
                spans.append((start, stop))
            elif len(spans) > fresh:
                # Nothing but marks, such as a smiley: they belong to what is before them.
                spans[-1] = (spans[-1][0], stop)
    if spans or not text.strip():
        return tuple(spans)
    start = len(text) - len(text.lstrip())
    return ((start, len(text.rstrip())),)


@cache
def splitter_version() -> str:
    """Return what tells this splitter from another one: it changes when a text may be cut elsewhere."""
    return digest("sentences", str(_VERSION), *(f"{word} {kind}" for word, kind in sorted(_abbreviations().items())))


def _cut(text: str, start: int, stop: int, *, lower: bool) -> Iterator[Span]:
    """Yield the sentences of a part of a text that goes on from line to line."""
    kept = _kept_whole(text, start, stop)
    begin, shelter = start, 0
    for end in _END.finditer(text, start, stop):
        while shelter < len(kept) and kept[shelter][1] <= end.start():
            shelter += 1
        # The last mark inside a quotation may end the sentence around it, too.
        if shelter < len(kept) and kept[shelter][0] < end.start() and end.end() < kept[shelter][1]:
            continue
        if not _ends_sentence(text, begin, end, stop, lower=lower):
            continue
        yield begin, end.end()
        begin = end.end()
        while begin < stop and text[begin].isspace():
            begin += 1
    if begin < stop:
        yield begin, stop


def _ends_sentence(text: str, begin: int, end: re.Match[str], stop: int, *, lower: bool) -> bool:
    """Tell whether a mark ends the sentence that begins at a place, by what is before and after it."""
    if end.end() == stop or end["wide"]:
        return True
    if end["tight"]:
        word = _WORD_BEFORE.search(text, max(begin, end.start() - _LONGEST_WORD), end.start())
        return word is not None and word[0].isalpha() and word[0].islower()
    after = end.end()
    line_ends = False
    while after < stop and (text[after].isspace() or text[after] in _OPENING):
        line_ends |= text[after] == "\n"
        after += 1
    if after == stop:
        return False
    following = text[after]
    first = _NEXT_WORD.match(text, after, min(stop, after + _LONGEST_WORD))
    next_word = first[0] if first else ""
    if following.islower() and not lower and not next_word[1:2].isupper() and (end["close"] or not line_ends):
        return False
    if (end["close"] or end["mark"] != ".") and _SAYS.match(text, after, stop):
        return False
    if end["mark"] != ".":
        return following.isalnum() or not following.isascii()
    found = _WORD_BEFORE.search(text, max(begin, end.start() - _LONGEST_WORD), end.start())
    if found is None:
        # A full stop by itself, as in tokenised texts.
        return True
    return not _abbreviates(text, begin, found, next_word, lower=lower)


def _abbreviates(text: str, begin: int, found: re.Match[str], next_word: str, *, lower: bool) -> bool:
    """Tell whether the full stop after a word belongs to the word and not to the sentence."""
    before = found[0]
    starts = next_word.lower() in _STARTERS
    if not text[begin : found.start()].strip(_OPENING + " ") and _LIST_MARK.match(before):
        return True
    if before.isdigit():
        # A date such as 29. 12. 2022 or 29. August.
        return len(before) <= 2 and next_word[:1].isdigit() and len(next_word) in (2, 4)
    kind = None if len(before) == 1 and before.isupper() else _abbreviations().get(before.lower())
    if kind in ("title", "name") and before[0].islower() and not lower:
        kind = None  # ill, miss, mass: words of their own
    if kind in ("never", "title"):
        return True
    if kind == "number":
        return next_word[:1].isdigit()
    if kind is None and not _INITIAL.match(before) and not _DOTTED.match(before):
        return False
    # An initial, a dotted or a common abbreviation: it ends a sentence if a usual first word follows.
    return not starts


def _kept_whole(text: str, start: int, stop: int) -> list[Span]:
    """Return the brackets and short quotations of a part of a text, in order and none inside another."""
    spans: list[Span] = []
    opened: list[int] = []
    quoted: int | None = None
    curled: int | None = None
    straight = text.count('"', start, stop) % 2 == 0
    for mark in _MARKS.finditer(text, start, stop):
        place, letter = mark.start(), mark[0]
        if letter in "()" and text[max(start, place - 1)] in ":;":
            continue  # a smiley
        if letter == "(":
            opened.append(place)
        elif letter == ")":
            if opened and place - (first := opened.pop()) <= _LONGEST_BRACKET:
                spans.append((first, place + 1))
        elif letter == "“":
            curled = place
        elif letter == "”":
            if curled is not None and place - curled <= _LONGEST_QUOTATION:
                spans.append((curled, place + 1))
            curled = None
        elif straight:
            if quoted is None:
                quoted = place
            else:
                if place - quoted <= _LONGEST_QUOTATION:
                    spans.append((quoted, place + 1))
                quoted = None
    outer: list[Span] = []
    for span in sorted(spans, key=lambda item: (item[0], -item[1])):
        if not outer or span[0] >= outer[-1][1]:
            outer.append(span)
    return outer


@cache
def _abbreviations() -> dict[str, str]:
    lines = resources.files("nliprobe.language").joinpath("abbreviations.tsv").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines[1:])
