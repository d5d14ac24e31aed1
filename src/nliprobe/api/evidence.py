"""Model evidence as rows of a frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nliprobe.analysis.evidence.documents import KIND_NAMES, EvidenceEntry

_NAMES = ("corpus", "grade", "unit", "method")
_SHARES = ("precision", "precision_low", "precision_high", "recall", "recall_low", "recall_high", "exact", *KIND_NAMES)
_RIGHT = ("accuracy", *(f"right_{kind}" for kind in KIND_NAMES), "without_all", "grounded", "used_per_pair")


def evidence_columns() -> dict[str, type[str] | type[int] | type[float]]:
    """Return the columns of the frame with their types."""
    texts = dict.fromkeys(("system", "baseline", *_NAMES), str)
    return {**texts, "n": int, "pairs": int, **dict.fromkeys((*_SHARES, *_RIGHT), float)}


def evidence_rows(entries: Sequence[EvidenceEntry]) -> Iterator[dict[str, object]]:
    """Yield a row per entry, and after the first entry of a corpus, grade and method those of what needs no model."""
    seen: set[tuple[object, ...]] = set()
    for entry in entries:
        place = {name: dict(entry)[name] for name in _NAMES}
        size = {"n": entry["n"], "pairs": entry["pairs"]}
        precision, recall = entry["precision"], entry["recall"]
        yield {
            "system": entry["system"],
            **place,
            **size,
            "precision": precision["mean"],
            **_ends("precision", precision["ci95"]),
            "recall": recall["mean"],
            **_ends("recall", recall["ci95"]),
            "exact": entry["exact"]["rate"],
            **{kind: entry["kinds"][kind]["rate"] for kind in KIND_NAMES},
            "accuracy": entry["accuracy"]["rate"],
            **{f"right_{kind}": entry["right"][kind]["rate"] for kind in KIND_NAMES},
            "without_all": entry["without_all"]["rate"],
            "grounded": entry["grounded"]["rate"],
            "used_per_pair": entry["used_per_pair"]["mean"],
        }
        if entry["n"] and tuple(place.values()) not in seen:
            seen.add(tuple(place.values()))
            for baseline in entry["baselines"]:
                shares = {name: dict(baseline)[name] for name in ("precision", "recall", "exact", *KIND_NAMES)}
                yield {"baseline": baseline["name"], **place, **size, **shares}


def _ends(name: str, ends: Sequence[float] | None) -> dict[str, float | None]:
    return {f"{name}_low": None if ends is None else ends[0], f"{name}_high": None if ends is None else ends[1]}
