"""Over- and under-used keys: how often people need the rows of a key, and how often a system uses them (Fig. 15)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.evidence.documents import KeysUse, KeyUse

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.analysis.evidence.measures import UnitUse

# Below this many pairs the interval of a difference is wider than 18 points to each side. The seed looks at keys
# with at least 180 occurrences (evidence-probes, Fig. 15).
LEAST = 30
EVERY_LABEL = "all"


def key_use(use: UnitUse, keys: Sequence[str], labels: Sequence[str], *, least: int = LEAST) -> KeysUse:
    """Compare how often each key is needed and used, over all pairs and over those of each label.

    A key counts once per pair, however many rows have it; case is ignored.

    Args:
        use: the pairs.
        keys: the key of each unit; units without one are left out.
        labels: the gold label of each pair.
        least: in how many pairs a key must occur.
    """
    from nliprobe.stats.paired import holm

    spelled, pair, marked, used = _occurrences(use, keys)
    entries: list[KeyUse] = []
    rare: set[str] = set()
    for label in (EVERY_LABEL, *dict.fromkeys(sorted(labels))):
        for key, at in _places(spelled, pair, labels, label):
            if len(at) >= least:
                entries.append(_entry(use, label, key, pair[at], marked[at], used[at]))
            elif label == EVERY_LABEL:
                rare.add(key)
    for entry, adjusted in zip(entries, holm([entry["p"] for entry in entries]), strict=True):
        entry["p_holm"] = adjusted
    entries.sort(key=lambda entry: (entry["label"] != EVERY_LABEL, entry["label"], -abs(entry["difference"])))
    return KeysUse(least=least, rare=len(rare), keys=entries)


def _occurrences(
    use: UnitUse, keys: Sequence[str]
) -> tuple[list[str], NDArray[np.int64], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return a line per pair and key: the key, the pair, whether a row of it is marked, whether one is used."""
    import numpy as np

    seen: dict[tuple[int, str], list[bool]] = {}
    for pair, key, marked, used in zip(use.pair.tolist(), keys, use.marked.tolist(), use.used.tolist(), strict=True):
        if key.strip():
            flags = seen.setdefault((pair, key.strip().casefold()), [False, False])
            flags[0] |= marked
            flags[1] |= used
    flat = np.array(list(seen.values()), dtype=bool).reshape(-1, 2)
    pairs = np.array([pair for pair, _ in seen], dtype=np.int64)
    return [key for _, key in seen], pairs, flat[:, 0], flat[:, 1]


def _places(
    spelled: Sequence[str], pair: NDArray[np.int64], labels: Sequence[str], label: str
) -> Iterator[tuple[str, NDArray[np.int64]]]:
    import numpy as np

    places: dict[str, list[int]] = {}
    for place, (key, number) in enumerate(zip(spelled, pair.tolist(), strict=True)):
        if label in (EVERY_LABEL, labels[number]):
            places.setdefault(key, []).append(place)
    for key in sorted(places):
        yield key, np.array(places[key], dtype=np.int64)


def _entry(
    use: UnitUse,
    label: str,
    key: str,
    pair: NDArray[np.int64],
    marked: NDArray[np.bool_],
    used: NDArray[np.bool_],
) -> KeyUse:
    import numpy as np

    from nliprobe.stats.grouped import group_sums, mean_difference_interval
    from nliprobe.stats.sign_flip import sign_flip_p

    sums, sizes = group_sums(used.astype(np.int64) - marked.astype(np.int64), use.clusters[pair])
    interval = mean_difference_interval(sums, sizes)
    return KeyUse(
        label=label,
        key=key,
        n=len(pair),
        groups=int((sizes > 0).sum()),
        needed=float(marked.mean()),
        used=float(used.mean()),
        difference=float(used.mean() - marked.mean()),
        ci95=None if interval is None else [interval.low, interval.high],
        p=sign_flip_p(sums[sizes > 0]),
        p_holm=1.0,
    )
