"""The stress tests as rows of a frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nliprobe.analysis.stress_documents import StressEntry
from nliprobe.api._frames import end_cells, with_ends

_TEXTS = ("system", "corpus", "test")
_COUNTS = ("n", "groups", "unanswered")
_SHARES = ("original", "stressed", "drop")


def stress_columns() -> dict[str, type[str] | type[int] | type[float] | type[bool]]:
    """Return the columns of the frame with their types."""
    return {
        **dict.fromkeys(_TEXTS, str),
        "likely": bool,
        **dict.fromkeys(_COUNTS, int),
        **dict.fromkeys(with_ends(_SHARES), float),
        "changed": float,
        "constant": str,
        "constant_accuracy": float,
        "control": str,
        "control_accuracy": float,
    }


def stress_rows(entries: Sequence[StressEntry]) -> Iterator[dict[str, object]]:
    """Yield a row per system, corpus and test."""
    for entry in entries:
        changed, constant, control = entry["changed"], entry["constant"], entry["control"]
        yield {
            **{name: dict(entry)[name] for name in (*_TEXTS, "likely", *_COUNTS, *_SHARES)},
            **end_cells("original", entry["original_ci95"]),
            **end_cells("stressed", entry["stressed_ci95"]),
            **end_cells("drop", entry["drop_ci95"]),
            "changed": None if changed is None else changed["rate"],
            "constant": None if constant is None else constant["label"],
            "constant_accuracy": None if constant is None else constant["accuracy"],
            "control": None if control is None else control["system"],
            "control_accuracy": None if control is None else control["value"],
        }
