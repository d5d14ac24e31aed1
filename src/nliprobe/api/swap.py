"""The swap evaluation as rows of a frame."""

from __future__ import annotations

from collections.abc import Iterator

from nliprobe.analysis.swap.documents import Swap
from nliprobe.api._frames import end_cells, with_ends

_TEXTS = ("system", "corpus", "gold", "verdict", "reading", "control")
_COUNTS = ("n", "groups", "unanswered")
_SHARES = ("original", "swapped", "drop")
_REST = ("constant", "chance", "control_original", "control_swapped", "control_drop", "same", "divergence")


def swap_columns() -> dict[str, type[str] | type[int] | type[float] | type[bool]]:
    """Return the columns of the frame with their types."""
    return {
        **dict.fromkeys(_TEXTS[:3], str),
        "doubtful": bool,
        **dict.fromkeys(_COUNTS, int),
        **dict.fromkeys(with_ends(_SHARES), float),
        **dict.fromkeys(_TEXTS[3:], str),
        **dict.fromkeys(_REST, float),
    }


def swap_rows(swap: Swap | None) -> Iterator[dict[str, object]]:
    """Yield a row per system, corpus and gold label."""
    for entry in [] if swap is None else swap["entries"]:
        kept = {row["label"]: row for row in entry["consistency"]}
        for row in entry["labels"]:
            control, consistent = row["control"], kept.get(row["label"]) if row["doubtful"] else None
            yield {
                "system": entry["system"],
                "corpus": entry["corpus"],
                "gold": row["label"],
                "doubtful": row["doubtful"],
                **{name: dict(row)[name] for name in (*_COUNTS, *_SHARES)},
                **end_cells("original", row["original_ci95"]),
                **end_cells("swapped", row["swapped_ci95"]),
                **end_cells("drop", row["drop_ci95"]),
                "verdict": row["verdict"],
                "reading": row["reading"],
                "control": None if control is None else control["system"],
                "constant": row["constant"],
                "chance": row["chance"],
                "control_original": None if control is None else control["original"],
                "control_swapped": None if control is None else control["swapped"],
                "control_drop": None if control is None else control["drop"],
                "same": None if consistent is None else consistent["same"]["rate"],
                "divergence": None if consistent is None else consistent["mean"],
            }
