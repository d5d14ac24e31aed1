"""Flips: cases that one side has right and the other wrong, with their texts, for people to read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from nliprobe.analysis.cases import NONE
from nliprobe.analysis.compare.documents import Flip, FlipSide
from nliprobe.analysis.expected import allowed_labels, expected_words
from nliprobe.analysis.matching import read_some
from nliprobe.task.labels import SETS

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from nliprobe.analysis.cases import Cases
    from nliprobe.analysis.compare.pairing import Side
    from nliprobe.task.labels import Partition

# Enough to see what kind of case it is; the ids lead to the rest.
SHOWN = 5


class Flipped(NamedTuple):
    """All flips of one kind in one direction, and the list that a few of them go into."""

    into: list[Flip]
    kind: Literal["gold", "expects"]
    partition: Partition
    left_side: Side
    right_side: Side
    left: NDArray[np.int64]
    right: NDArray[np.int64]


def describe_flips(pairs: Iterable[Sequence[Flipped]], *, shown: int = SHOWN) -> None:
    """Fill in a few examples of each kind, for one or more pairs of systems; the texts of a run are read once.

    Case ids are hashes, so the first ones in their order are a random sample, and always the same one.
    """
    import numpy as np
    import polars as pl

    chosen: dict[Path, list[tuple[Flipped, list[tuple[int, int, str]]]]] = {}
    for item in (item for flipped in pairs for item in flipped):
        ids = item.left_side.cases.ids.gather(item.left)
        smallest = pl.DataFrame({"id": ids}).with_row_index().bottom_k(shown, by="id").sort("id")
        order = smallest["index"].to_numpy().astype(np.int64)
        flips = zip(item.left[order].tolist(), item.right[order].tolist(), ids.gather(order).to_list(), strict=True)
        chosen.setdefault(item.left_side.run.path, []).append((item, list(flips)))
    for found in chosen.values():
        wanted = pl.Series([case for _, rows in found for _, _, case in rows], dtype=pl.String).unique()
        if len(wanted):
            _describe(found, _texts(found[0][0].left_side, wanted))


def _describe(
    chosen: Sequence[tuple[Flipped, Sequence[tuple[int, int, str]]]], texts: Mapping[str, tuple[str, str, str | None]]
) -> None:
    for item, rows in chosen:
        left, right = item.left_side, item.right_side
        for here, there, case in rows:
            pair_id, hypothesis, edits = texts[case]
            # Both sides are judged by the expectation of the left one, which is the same.
            expected = left.cases.expects[here] if item.kind == "expects" else left.cases.gold[here]
            item.into.append(
                Flip(
                    case_id=case,
                    pair_id=pair_id,
                    hypothesis=hypothesis,
                    edits=edits,
                    left=_side(left, here, item, int(expected), left.cases),
                    right=_side(right, there, item, int(expected), left.cases),
                )
            )


def _side(side: Side, row: int, item: Flipped, expected: int, cases: Cases) -> FlipSide:
    answer = str(SETS[side.answers[row]]) or None
    if item.kind == "gold":
        allowed = str(item.partition.coarsen(SETS[expected]))
        return FlipSide(before=None, answer=answer, allowed=allowed, expected="")
    base = side.cases.base[row]
    before = None if base == NONE else SETS[side.answers[base]]
    return FlipSide(
        before=None if before is None else str(before),
        answer=answer,
        allowed=allowed_labels(cases.rules[expected], [] if before is None else [item.partition.coarsen(before)]),
        expected=expected_words(cases.rules[expected]),
    )


def _texts(side: Side, wanted: pl.Series) -> dict[str, tuple[str, str, str | None]]:
    """Read the pair id, hypothesis and edits of some cases."""
    cases = read_some(side.run, "cases", wanted, ["case_id", "pair_id", "edits"])
    pairs = read_some(side.run, "pairs", cases["pair_id"], ["pair_id", "hypothesis"])
    joined = cases.join(pairs, on="pair_id", how="left")
    return {row["case_id"]: (row["pair_id"], row["hypothesis"], row["edits"]) for row in joined.iter_rows(named=True)}
