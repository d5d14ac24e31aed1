"""``inv.surface``: write the same sentence in another way: contractions, the full stop, quotation marks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.base.errors import UsageError, did_you_mean
from nliprobe.probes import PROBES, Probe
from nliprobe.probes._texts import Change, edit_texts, texts_of
from nliprobe.task.about import About
from nliprobe.task.case import Case, Skip
from nliprobe.task.edits import Edits, replace_in_hypothesis
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.relations import SAME
from nliprobe.task.source import Pool

_VERBS = "is|are|was|were|does|do|did|has|have|had|would|could|should"
_LONG = re.compile(rf"\b(?:(?P<verb>(?i:{_VERBS})) not|(?P<will>[Ww]ill) not|(?P<can>[Cc]an) ?not)\b")
_SHORT = re.compile(rf"\b(?:(?P<verb>(?i:{_VERBS}))n['’]t|(?P<will>[Ww])on['’]t|(?P<can>[Cc]an)['’]t)\b")
_CURLY = str.maketrans({"“": '"', "”": '"', "„": '"', "’": "'", "‘": "'"})
_SPACES = re.compile(r" {2,}")
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")
# A full stop that belongs to the word before it.
_ABBREVIATED = re.compile(
    r"(?:\.|\b(?:[^\W\d_]|Inc|Ltd|Jr|Sr|Co|Corp|Bros|etc|St|Mt|Mr|Mrs|Ms|Dr|Prof|No|vs|al|approx|ca|Jan|Feb|Mar|Apr|Aug|"
    r"Sept?|Oct|Nov|Dec))$"
)


@PROBES.register("inv.surface")
@dataclass(frozen=True)
class InvSurface(Probe):
    """Write the texts another way, one case per ``kind`` that changes something: contraction, stop, quotes or all."""

    kind: str = "all"

    about: ClassVar[About] = About(
        "Contractions, full stops or quotation marks are written the other way. No answer may change.",
        "The answer depends on how a sentence is written down.",
    )

    def __post_init__(self) -> None:
        if self.kind not in ("all", *_KINDS):
            raise UsageError(f"'inv.surface?kind' is not '{self.kind}'. {did_you_mean(self.kind, ['all', *_KINDS])}")

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield the same words written in another way."""
        kinds = list(_KINDS) if self.kind == "all" else [self.kind]
        nothing = True
        for kind in kinds:
            edits = _KINDS[kind](pair)
            if not edits:
                continue
            nothing = False
            yield self.case(pair, edits, expects=SAME, facets=(Facet("surface", kind),))
        if nothing:
            yield self.skip(f"there is nothing to write otherwise ({', '.join(kinds)})")


def _contraction(pair: Pair) -> Edits:
    """Contract if something can be contracted, else spell out; questions have another word order and are left out."""
    texts = [text for text in texts_of(pair) if "?" not in text]
    pattern, rewrite = (_LONG, _contracted) if any(_LONG.search(text) for text in texts) else (_SHORT, _spelt_out)

    def changes(text: str) -> list[Change]:
        if "?" in text:
            return []
        return [Change(match.start(), match.end(), rewrite(match)) for match in pattern.finditer(text)]

    return edit_texts(pair, changes)


def _contracted(match: re.Match[str]) -> str:
    if match["verb"]:
        return f"{match['verb']}n't"
    return f"{match['will'][0]}on't" if match["will"] else f"{match['can']}'t"


def _spelt_out(match: re.Match[str]) -> str:
    if match["verb"]:
        return f"{match['verb']} not"
    return f"{match['will']}ill not" if match["will"] else f"{match['can']}not"


def _stop(pair: Pair) -> Edits:
    """Remove the last full stop of the hypothesis, or add one."""
    text = pair.hypothesis
    end = len(text.rstrip())
    if text[:end].endswith(".") and not _ABBREVIATED.search(text[: end - 1]) and text[: end - 1].strip():
        return (replace_in_hypothesis(text, (end - 1, end), ""),)
    if end and text[end - 1].isalnum() and not _ABBREVIATED.search(text[:end]):
        return (replace_in_hypothesis(text, (end, end), "."),)
    return ()


def _quotes(pair: Pair) -> Edits:
    """Make curly marks straight, or straight ones curly if none is curly, and join runs of spaces."""
    curly = any(text != text.translate(_CURLY) for text in texts_of(pair))

    def changes(text: str) -> Sequence[Change]:
        spaces = [Change(match.start(), match.end(), " ") for match in _SPACES.finditer(text)]
        return [*spaces, *(_straightened(text) if curly else _curled(text))]

    return edit_texts(pair, changes)


def _straightened(text: str) -> list[Change]:
    return [
        Change(place, place + 1, mark.translate(_CURLY))
        for place, mark in enumerate(text)
        if mark != mark.translate(_CURLY)
    ]


def _curled(text: str) -> list[Change]:
    changes = [Change(match.start(), match.end(), "’") for match in _APOSTROPHE.finditer(text)]
    places = [place for place, mark in enumerate(text) if mark == '"']
    # An odd number of marks is no pair of quotation marks, and one after a digit may mean inches.
    if len(places) % 2 == 0 and not any(place and text[place - 1].isdigit() for place in places):
        changes += [Change(place, place + 1, "“" if number % 2 == 0 else "”") for number, place in enumerate(places)]
    return changes


_KINDS: dict[str, Callable[[Pair], Edits]] = {"contraction": _contraction, "stop": _stop, "quotes": _quotes}
