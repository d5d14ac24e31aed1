"""Pools know which pair of a group came first."""

from __future__ import annotations

from nliprobe.corpora.held import HeldPairs
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool


def test_a_pool_tells_repeated_premises_from_first_ones() -> None:
    pairs = [
        Pair("a", "A dog runs.", "An animal runs.", group="g"),
        Pair("b", "A dog runs.", "A cat runs.", group="g"),
        Pair("c", "A bird sings.", "A bird is silent.", group="g"),
        Pair("d", "A dog runs.", "A dog sleeps.", group="h"),
        Pair("e", "No group.", "None."),
    ]
    pool = Pool.of(HeldPairs.of_pairs("mine", pairs))
    assert [pool.repeats(pair) for pair in pairs] == [False, True, False, False, False]
