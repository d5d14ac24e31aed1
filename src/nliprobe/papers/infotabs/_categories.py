"""Compute the share of each printed category among the tables of a split; all others together are "Other"."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

OTHER = "Other"


def category_percents(
    split: str, root: Path | None, printed: Collection[str], spelt: Mapping[str, str]
) -> dict[str, float]:
    """Return the percentage of each printed category; ``spelt`` gives the corpus's word if it differs."""
    from nliprobe.papers.infotabs._statistics import split_statistics

    shares = {entry["category"]: 100 * entry["share"] for entry in split_statistics(split, root)["categories"]}
    names = [name for name in printed if name != OTHER]
    percents = {name: shares.pop(spelt.get(name, name), 0.0) for name in names}
    return {**percents, OTHER: sum(shares.values())}
