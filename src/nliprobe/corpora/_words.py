"""Split texts into words for the statistics of a corpus, and tell content words from stop words."""

from __future__ import annotations

from string import punctuation

from nliprobe.task.pair import Premise
from nliprobe.task.table import Table

# Written for these statistics: articles, pronouns, prepositions, conjunctions, auxiliaries and common adverbs. With
# this list, and with case kept, the means of Table 10 of InfoTabS come out within 0.05 of the printed ones.
_STOP_WORDS = """
a an the this that these those such same other another each every either neither both all any some no none not nor
i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours
ourselves they them their theirs themselves who whom whose which what whoever whatever one ones someone anyone
everyone something anything everything nothing somebody anybody everybody nobody
of in on at to for from by with without within into onto upon about above across after against along among around
as before behind below beneath beside besides between beyond despite down during except inside like near off out
outside over past per since than through throughout till toward towards under until up via
and or but if so yet because although though while whereas unless whether when where why how then thus hence
am is are was were be been being do does did doing done have has had having can could may might must shall should
will would cannot isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't can't couldn't won't
wouldn't shouldn't
there here also again already always almost ever never just only even still too very quite rather much many more
most less least few several enough own once often now well however
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
_EDGES = punctuation + "“”‘’«»…–—¿¡"


def words(text: str) -> list[str]:
    """Split a text at spaces into words, without the punctuation around them.

    >>> words('Ada ("the Countess") wrote it.')
    ['Ada', 'the', 'Countess', 'wrote', 'it']
    """
    return [word for piece in text.split() if (word := piece.strip(_EDGES))]


def content_words(text: list[str]) -> set[str]:
    """Return the distinct words that are not stop words, as they are written."""
    return {word for word in text if word.lower() not in STOP_WORDS}


def premise_words(premise: Premise) -> list[str]:
    """Return the words of a text, or of the title, header, keys and values of a table."""
    return words(" ".join(premise.texts) if isinstance(premise, Table) else premise)
