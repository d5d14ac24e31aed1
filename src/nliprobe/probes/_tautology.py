"""The base of the distraction tests: words that are true by their form are added to one text, and the label stays.

The words, how often and to which text are those of Naik et al. (2018). Their release puts them before the *first* full
stop, question or exclamation mark and drops all that follows; here they come before the *last* one, and nothing is
dropped. The two agree for a text of one sentence without abbreviations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.probes import Probe
from nliprobe.probes._new_pairs import Side
from nliprobe.task.case import Case, Skip
from nliprobe.task.edits import replace_in_hypothesis, replace_in_premise
from nliprobe.task.pair import Pair
from nliprobe.task.relations import SAME
from nliprobe.task.source import Pool

TRUE = "and true is true"
FALSE = "and false is not true"
# What may end a sentence, in the scripts whose marks differ from the Latin ones, too.
_MARKS = ".!?…。！？؟۔।"


@dataclass(frozen=True)
class TautologyProbe(Probe):
    """Adds a tautology to one text of a pair: the same is said, so the label and the answer stay.

    Class attributes:
        added: the words.
        side: the text that gets them.
    """

    added: ClassVar[str]
    side: ClassVar[Side] = Side.HYPOTHESIS

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield one case per pair."""
        text = pair.premise if self.side is Side.PREMISE else pair.hypothesis
        if not isinstance(text, str):
            yield self.skip("the premise is a table, which has no sentence to make longer")
        elif not any(map(str.isalnum, text)):
            yield self.skip(f"the {self.side} has no words")
        elif self.added in text:
            yield self.skip(f"the {self.side} has the added words already")
        else:
            replace = replace_in_premise if self.side is Side.PREMISE else replace_in_hypothesis
            end = sentence_end(text)
            yield self.case(pair, (replace(text, (end, end), f" {self.added}"),), expects=SAME, gold=pair.gold)


def sentence_end(text: str) -> int:
    """Return where the last word of a text ends: before the marks that close its last sentence, and their spaces.

    >>> sentence_end("He left."), sentence_end("He left . "), sentence_end('He said "no."')
    (7, 7, 13)
    """
    end = len(text)
    while end and (text[end - 1] in _MARKS or text[end - 1].isspace()):
        end -= 1
    return end
