"""From what WordNet says about single words to the relations of pairs of words, as sorted arrays."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from nliprobe.language._relation_graph import MOST_STEPS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

# A code has a bit each for three relations, then three bits for the steps up and three for the steps down.
_SYNONYMS, _OPPOSITES, _SIBLINGS, _UP, _DOWN = 0, 1, 2, 3, 6
_CODES = 1 << 9
# A number that ends in steps is some number times this, plus the steps.
_STEPS = MOST_STEPS + 1
_WIDTHS = {"words": (), "bases": (2,), "senses": (2,), "above": (3,), "opposites": (2,)}


@cache
def decoded() -> NDArray[np.float32]:
    """Return the features of each code; nobody may change them."""
    import numpy as np

    codes = np.arange(_CODES)
    flags = [(codes >> bit) & 1 for bit in (_SYNONYMS, _OPPOSITES)]
    steps = [(codes >> bit) & MOST_STEPS for bit in (_UP, _DOWN)]
    ways = [np.where(steps_of > 0, 1 - steps_of / _STEPS, 0) for steps_of in steps]
    table = np.stack([*flags, *ways, (codes >> _SIBLINGS) & 1], axis=1).astype(np.float32)
    table.setflags(write=False)
    return table


def pair_table(
    arrays: Mapping[str, NDArray[np.int32]], compact: Numbers, size: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    """Return the keys of all related pairs, sorted, and their codes.

    Args:
        arrays: what WordNet says; see :func:`~nliprobe.language._relation_graph.graph`.
        compact: a smaller number for each word.
        size: how many of these there are; the key of a pair is first * size + second.
    """
    import numpy as np

    word, synset = compact[arrays["senses"][:, 0]], arrays["senses"][:, 1].astype(np.int64)
    low, high, steps = (column.astype(np.int64) for column in arrays["above"].T)

    def keys(first: Numbers, second: Numbers) -> Numbers:
        return _distinct(first * size + second)

    synonyms = keys(*_joined(synset, word, synset, word))
    owner, base = compact[arrays["bases"][:, 0]], arrays["bases"][:, 1].astype(np.int64)
    same = keys(*_joined(base, owner, base, owner))
    opposites = keys(*_opposite_words(arrays["opposites"].astype(np.int64), owner, base))
    # Each word with the synsets above it, then with their words, by the shortest way.
    reached, climber = _joined(low, high * _STEPS + steps, synset, word)
    synsets = high.max(initial=0) + 1
    climbs = _shortest(climber * synsets * _STEPS + reached)
    climber, reached = np.divmod(climbs, synsets * _STEPS)
    summit, climbed = np.divmod(reached, _STEPS)
    climb, second = _joined(summit, climber * _STEPS + climbed, synset, word)
    first, climbed_of = np.divmod(climb, _STEPS)
    up_keys, up_steps = np.divmod(_shortest((first * size + second) * _STEPS + climbed_of), _STEPS)
    strangers = _absent(up_keys, same)
    up_keys, up_steps = up_keys[strangers], up_steps[strangers]
    down_keys = up_keys % size * size + up_keys // size
    direct = climbed == 1
    siblings = keys(*_joined(summit[direct], climber[direct], summit[direct], climber[direct]))
    siblings = siblings[_absent(siblings, synonyms)]

    every = _distinct(np.concatenate([synonyms, opposites, siblings, up_keys, down_keys]))
    codes = np.zeros(len(every), dtype=np.uint16)
    for bit, some in ((_SYNONYMS, synonyms), (_OPPOSITES, opposites), (_SIBLINGS, siblings)):
        codes[np.searchsorted(every, some)] |= np.uint16(1 << bit)
    for bit, some in ((_UP, up_keys), (_DOWN, down_keys)):
        codes[np.searchsorted(every, some)] |= (up_steps << bit).astype(np.uint16)
    return every.astype(np.uint32 if size < 1 << 16 else np.uint64), codes


def require_sound(arrays: Mapping[str, NDArray[np.int32]]) -> None:
    """Raise a :class:`ValueError` if these are not arrays of a graph."""
    import numpy as np

    for name, width in _WIDTHS.items():
        if name not in arrays or arrays[name].dtype != np.int32 or arrays[name].shape[1:] != width:
            raise ValueError(f"'{name}' is not what was expected")
    words = int(arrays["words"][0]) if len(arrays["words"]) == 1 else -1
    if any(arrays[name].min(initial=0) < 0 for name in _WIDTHS) or any(
        arrays[name][:, 0].max(initial=-1) >= words for name in ("bases", "senses")
    ):
        raise ValueError("it names words that it does not have")


def _joined(left_key: Numbers, left: Numbers, right_key: Numbers, right: Numbers) -> tuple[Numbers, Numbers]:
    """Return every left value beside every right value that has the same key."""
    import numpy as np

    order = np.argsort(right_key, kind="stable")
    right_key, right = right_key[order], right[order]
    start = np.searchsorted(right_key, left_key, "left")
    count = np.searchsorted(right_key, left_key, "right") - start
    # The n-th partner of each left value: a running number less that of its first partner.
    nth = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    return np.repeat(left, count), right[np.repeat(start, count) + nth]


def _opposite_words(opposites: Numbers, owner: Numbers, base: Numbers) -> tuple[Numbers, Numbers]:
    words, others = _joined(opposites[:, 0], opposites[:, 1], base, owner)[::-1]
    return _joined(others, words, base, owner)


def _distinct(numbers: Numbers) -> Numbers:
    """Return each number once, sorted; ``np.unique`` takes five times as long for millions of them."""
    import numpy as np

    ordered = np.sort(numbers)
    return ordered[np.flatnonzero(np.diff(ordered, prepend=-1))]


def _absent(numbers: Numbers, others: Numbers) -> NDArray[np.bool_]:
    """Tell which numbers are not among others, which are sorted."""
    import numpy as np

    if not len(others):
        return np.ones(len(numbers), dtype=np.bool_)
    places = np.minimum(np.searchsorted(others, numbers), len(others) - 1)
    absent: NDArray[np.bool_] = others[places] != numbers
    return absent


def _shortest(ways: Numbers) -> Numbers:
    """Return of numbers that end in steps the one with the fewest steps for each beginning."""
    import numpy as np

    ways = np.sort(ways)
    beginnings = ways // _STEPS
    return ways[np.flatnonzero(np.diff(beginnings, prepend=-1))]
