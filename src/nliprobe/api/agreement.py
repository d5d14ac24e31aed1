"""How far people agree with one another and with gold, from spec strings to the document ``nliprobe/agreement/1``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

from nliprobe.analysis.agreement import AgreementDocument, measure
from nliprobe.corpora.ratings import open_ratings

SCHEMA = "nliprobe/agreement/1"


class AgreementsDocument(TypedDict):
    """What ``nliprobe data agreement --format json`` writes."""

    schema: str
    seed: int
    files: list[AgreementDocument]


def agreement(
    texts: Sequence[str],
    root: Path | None = None,
    *,
    first: int | None = None,
    at_least: int | None = None,
    seed: int = 0,
) -> AgreementsDocument:
    """Read files of ratings, or those of corpora, and measure the agreement in each.

    Args:
        texts: what :func:`nliprobe.corpora.ratings.open_ratings` takes.
        root: the folder above the corpora.
        first: how many ratings of each item count; by default all, or as many as the corpus's protocol says.
        at_least: the votes that make a majority; by default more than half of an item's ratings.
        seed: decides ties.
    """
    files = [ratings for text in texts for ratings in open_ratings(text, root)]
    measured = [measure(ratings, first=first, at_least=at_least, seed=seed) for ratings in files]
    return {"schema": SCHEMA, "seed": seed, "files": measured}
