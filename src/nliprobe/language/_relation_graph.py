"""Ask WordNet what it says about the words of a list, and note it as arrays of numbers."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.language._wordnet_sources import PARTS, Pos, Source
from nliprobe.language.wordnet import source
from nliprobe.language.words import FUNCTION_WORDS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The paper's features are 1 - n/8: a word that lies eight steps above has 0 like one that does not lie there at all.
MOST_STEPS = 7
# Besides the function words that vectors leave out. Words of place stay, whose opposites matter ("up" and "down").
_PRONOUNS_AND_AUXILIARIES = """
i me my mine myself we us our ours you your yours he him his himself she her hers herself itself they them their theirs
who whom whose which what these those there here am being do does did doing having will would can could shall should
may might must not no nor but if then than so because while when where how why such too very n't 's 're 've 'll 'd 'm
"""
UNRELATED = FUNCTION_WORDS | frozenset(_PRONOUNS_AND_AUXILIARIES.split())

# WordNet has "people" only as a group of its own kind; "men" it has as a form of "man".
_MORE_FORMS = {("people", "noun"): ("person",)}


class Base(NamedTuple):
    """A base form as WordNet has it."""

    pos: Pos
    word: str


class _Numbers:
    """Numbers for things in the order in which they come."""

    def __init__(self) -> None:
        self.things: list[Hashable] = []
        self._numbers: dict[Hashable, int] = {}

    def of(self, thing: Hashable) -> int:
        number = self._numbers.setdefault(thing, len(self.things))
        if number == len(self.things):
            self.things.append(thing)
        return number

    def known(self, thing: Hashable) -> int | None:
        return self._numbers.get(thing)


def graph(words: Sequence[str]) -> dict[str, NDArray[np.int32]]:
    """Return what WordNet says about words.

    Returns:
        ``words``: how many they are; ``bases``: rows (word, base form); ``senses``: rows (word, synset); ``above``:
        rows (synset, a synset above it, steps); ``opposites``: rows (base form, base form), both ways.
    """
    import numpy as np

    wordnet = source()
    bases, synsets = _Numbers(), _Numbers()
    word_bases: list[tuple[int, int]] = []
    word_senses: list[tuple[int, int]] = []
    opposites: dict[Base, list[str]] = {}
    for place, word in enumerate(words):
        if word in UNRELATED:
            continue
        forms = [
            Base(pos, form) for pos in PARTS for form in (*wordnet.lemmas(word, pos), *_MORE_FORMS.get((word, pos), ()))
        ]
        meanings = {base: wordnet.senses(base.word, base.pos) for base in forms}
        common = {
            base: tuple(key for key in keys if base.word in wordnet.synset(key).words)
            for base, keys in meanings.items()
        }
        if any(common.values()):  # then it is not only a name
            meanings = common
        for base, keys in meanings.items():
            if not keys:
                continue
            word_bases.append((place, bases.of(base)))
            word_senses += [(place, synsets.of(key)) for key in keys]
            if base not in opposites:
                opposites[base] = _opposites(wordnet, base)
    pairs = {
        pair
        for base, others in opposites.items()
        for other in others
        if (number := bases.known(Base(base.pos, other))) is not None
        for pair in ((bases.of(base), number), (number, bases.of(base)))
    }
    arrays: dict[str, list[tuple[int, ...]]] = {
        "bases": sorted(set(word_bases)),
        "senses": sorted(set(word_senses)),
        "above": sorted(_above(wordnet, synsets)),
        "opposites": sorted(pairs),
    }
    widths = {"above": 3}
    made = {
        name: np.array(rows, dtype=np.int32).reshape(len(rows), widths.get(name, 2)) for name, rows in arrays.items()
    }
    return {"words": np.array([len(words)], dtype=np.int32), **made}


def _opposites(wordnet: Source, base: Base) -> list[str]:
    pairs = (pair for key in wordnet.senses(base.word, base.pos) for pair in wordnet.synset(key).antonyms)
    return [pair.opposite.lower() for pair in pairs if pair.word.lower() == base.word]


def _above(wordnet: Source, synsets: _Numbers) -> Iterator[tuple[int, int, int]]:
    """Yield for each synset those above it, with the shortest way to each."""
    hypernyms: dict[Hashable, tuple[Hashable, ...]] = {}

    def over(key: Hashable) -> tuple[Hashable, ...]:
        if key not in hypernyms:
            hypernyms[key] = wordnet.synset(key).hypernyms
        return hypernyms[key]

    # Those above get numbers as they come, too, but only those that words have are asked for what is above them.
    for number, key in enumerate(tuple(synsets.things)):
        seen = {key}  # WordNet 3.0 has a cycle (inhibit, restrain)
        level = [key]
        for steps in range(1, MOST_STEPS + 1):
            level = [up for up in dict.fromkeys(up for low in level for up in over(low)) if up not in seen]
            seen.update(level)
            yield from ((number, synsets.of(up), steps) for up in level)
