"""``wmd-3`` of all 7,200 dev and test pairs of InfoTabS, against a plain loop over the sentences of each table.

The plain loop gets the words of every sentence for free and makes the distances of two sentences' words with one
product; it measures each sentence with ``ot.emd2``. Ours starts from the tables. Both must choose the same rows.
"""

from __future__ import annotations

import statistics
import time
from importlib import import_module
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from measure import corpora, report
from nliprobe.api.sources import open_source
from nliprobe.language.vectors import find_vectors
from nliprobe.represent._bags import Bag, Space
from nliprobe.represent.para import Para
from nliprobe.represent.wmd import Wmd
from nliprobe.task.case import Segments
from nliprobe.task.pair import Pair
from nliprobe.task.table import Table

SPLITS = ("dev", "alpha1", "alpha2", "alpha3")
K = 3
REPEATS = 3
# Pairs that one of the two reads before it is the other's turn.
TURN = 300


class Asked(NamedTuple):
    """A pair as the plain loop finds it: its table, its sentences, and the bags of everything."""

    table: Table
    texts: list[str]
    hypothesis: Bag | None
    rows: list[Bag | None]


def costs(space: Space, one: Bag, other: Bag) -> NDArray[np.float64]:
    (x, xx), (y, yy) = space.of(one.places), space.of(other.places)
    return np.sqrt(np.maximum(xx[:, None] + yy - 2.0 * (x @ y.T), 0.0))


def plain(para: Para, space: Space, asked: list[Asked]) -> list[Segments]:
    emd2 = import_module("ot").emd2
    chosen = []
    for item in asked:
        distances = []
        for row in item.rows:
            if item.hypothesis is None or row is None:
                distances.append(inf)
                continue
            one, other = item.hypothesis, row
            distance = emd2(one.counts / one.total, other.counts / other.total, costs(space, one, other))
            distances.append(round(float(distance), 9))
        nearest = sorted(np.argsort(distances, kind="stable")[:K].tolist())
        chosen.append(para.assemble(item.table, [item.texts[place] for place in nearest]))
    return chosen


def ours(wmd: Wmd, pairs: list[Pair]) -> list[Segments]:
    return [wmd.segments(pair.premise, pair.hypothesis) for pair in pairs if isinstance(pair.premise, Table)]


def main() -> None:
    root = corpora()
    if root is None or not (root / "glove").is_dir():
        print("wmd: NLIPROBE_DATA has no InfoTabS or no word vectors in 'glove'; skipped")
        return
    pairs = [pair for split in SPLITS for pair in open_source(f"infotabs/{split}", root).pairs()]
    para, space = Para(), Space(find_vectors())
    asked = []
    for pair in pairs:
        assert isinstance(pair.premise, Table)
        texts = para.row_texts(pair.premise)
        asked.append(Asked(pair.premise, texts, space.bag(pair.hypothesis), [space.bag(text) for text in texts]))
    ours(Wmd(K, find_vectors()), pairs[:9])  # imports POT and reads the list of words
    fast, slow, differing, wmd = [], [], 0, Wmd(K, find_vectors())
    for _ in range(REPEATS):
        wmd = Wmd(K, find_vectors())
        spent = [0.0, 0.0]
        # In turns, so that both see the same load of the machine.
        for first in range(0, len(pairs), TURN):
            start = time.perf_counter()
            expected = plain(para, space, asked[first : first + TURN])
            middle = time.perf_counter()
            found = ours(wmd, pairs[first : first + TURN])
            spent = [spent[0] + middle - start, spent[1] + time.perf_counter() - middle]
            differing += sum(one != other for one, other in zip(expected, found, strict=True))
        slow.append(spent[0])
        fast.append(spent[1])
    assert differing == 0, f"{differing} times other rows are chosen"
    report(
        "wmd",
        {
            "pairs": len(pairs),
            "sentences": sum(len(item.rows) for item in asked),
            "distances_computed": wmd.nearest.measured,
            "other_rows_chosen": differing,
            "plain_seconds": statistics.median(slow),
            "ours_seconds": statistics.median(fast),
            "ratio": statistics.median(one / other for one, other in zip(slow, fast, strict=True)),
            "must": {"ratio": 3, "other_rows_chosen": 0},
        },
    )


if __name__ == "__main__":
    main()
