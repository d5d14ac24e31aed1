"""Separation: which corpora and probes tell systems apart, and which systems none of them does."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from statistics import fmean

from nliprobe.analysis.compare.correction import shown
from nliprobe.analysis.compare.documents import ComparedPair, Comparison, Separation

# Enough letters for any number of overlapping groups: a … z, then A … Z, then two letters each.
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def separations(systems: Sequence[str], pairs: Sequence[ComparedPair], *, every: bool) -> list[Separation]:
    """Rank corpora and probes by how many pairs of systems they tell apart.

    Args:
        systems: the names of the systems, in their order.
        pairs: all pairs that were compared, corrected.
        every: whether each system was compared with each other one.
    """
    places: dict[tuple[str, str, str], list[tuple[str, str, Comparison]]] = {}
    for pair in pairs:
        for entry in pair["comparisons"]:
            place = entry["corpus"], entry["probe"], entry["kind"]
            places.setdefault(place, []).append((pair["left"], pair["right"], entry))
    found = [_separation(systems, entries, every=every) for entries in places.values()]
    return sorted(
        (item for item in found if item["compared"]),
        key=lambda item: (-item["told_apart"], 2.0 if item["smallest_p"] is None else item["smallest_p"]),
    )


def _separation(systems: Sequence[str], entries: Sequence[tuple[str, str, Comparison]], *, every: bool) -> Separation:
    compared = [(left, right, entry) for left, right, entry in entries if entry["n"]]
    rates: dict[str, list[float]] = {name: [] for name in systems}
    for left, right, entry in compared:
        if entry["left"] is not None and entry["right"] is not None:
            rates[left].append(entry["left"])
            rates[right].append(entry["right"])
    means = {name: fmean(values) for name, values in rates.items() if values}
    apart = {frozenset((left, right)) for left, right, entry in compared if shown(entry)}
    complete = every and len(compared) == len(means) * (len(means) - 1) // 2
    ranked = sorted(means, key=lambda name: -means[name])
    first = entries[0][2]
    return Separation(
        corpus=first["corpus"],
        probe=first["probe"],
        kind=first["kind"],
        compared=len(compared),
        told_apart=len(apart),
        smallest_p=min((entry["p_holm"] for *_, entry in compared if entry["p_holm"] is not None), default=None),
        rates=means,
        letters=letters(ranked, apart) if complete else None,
    )


def letters(names: Sequence[str], apart: Collection[frozenset[str]]) -> dict[str, str]:
    """Give letters to systems so that two share one exactly if they are not told apart (a compact letter display).

    Args:
        names: the systems, best first.
        apart: the pairs that are told apart.

    >>> letters(["a", "b", "c"], {frozenset("ac")})
    {'a': 'a', 'b': 'ab', 'c': 'b'}
    """
    columns: list[set[str]] = [set(names)]
    for pair in sorted(apart, key=lambda pair: sorted(map(names.index, pair))):
        one, other = pair
        # Insert and absorb (Piepho, 2004): a column with both is split, and columns within others are dropped.
        split = [part for column in columns if pair <= column for part in (column - {one}, column - {other})]
        columns = _maximal([column for column in columns if not pair <= column] + split)
    order = sorted(columns, key=lambda column: sorted(map(names.index, column)))
    return {name: "".join(_letter(place) for place, column in enumerate(order) if name in column) for name in names}


def _maximal(columns: Iterable[set[str]]) -> list[set[str]]:
    kept: list[set[str]] = []
    for column in sorted(columns, key=len, reverse=True):
        if not any(column <= larger for larger in kept):
            kept.append(column)
    return kept


def _letter(place: int) -> str:
    if place < len(_LETTERS):
        return _LETTERS[place]
    return f"({place + 1})"
