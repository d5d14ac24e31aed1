"""Name kinds of reasoning and draw their bars by label, for figures 2 and 3."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.papers.recipes import CellDocument, Chart
from nliprobe.report.bars import Bar

# The names of Appendix B, by their spelling in the released files.
KINDS = {
    "simplelookup": "simple lookup",
    "multirowreasoning": "multi-row reasoning",
    "entitytype": "entity type",
    "lexicalreasoning": "lexical reasoning",
    "namedentity": "named entities",
    "subjectiveoot": "subjective / out of table",
    "KCS": "knowledge & common sense",
    "coref": "coreference",
    "syntacticalteration": "syntactic alternations",
}


def kind_name(written: str) -> str:
    """Return the readable name of a kind of reasoning."""
    return KINDS.get(written, written)


def label_bars(cells: Sequence[CellDocument], panel: str, title: str, of: str = "") -> list[Chart]:
    """Draw one bar per row ``panel: kind``, in pieces by label; ``of`` names a column to write after the sum."""
    rows: dict[str, dict[str, float]] = {}
    for cell in cells:
        name, _, kind = cell["row"].partition(": ")
        if name == panel and kind and cell["ours"] is not None:
            rows.setdefault(kind, {})[cell["col"]] = cell["ours"]
    bars = []
    for kind, counts in rows.items():
        pieces = {label: counts[label] for label in "ENC" if label in counts}
        if not pieces:
            continue
        whole = f" of {counts[of]:g}" if of else ""
        each = ", ".join(f"{label} {_number(n)}" for label, n in pieces.items())
        text = f"{_number(sum(pieces.values()))}{whole} ({each})"
        bars.append(Bar(kind, tuple((label.lower(), n) for label, n in pieces.items()), text))
    return [Chart(title, bars)] if bars else []


def _number(count: float) -> str:
    """Write a count, or a mean of counts."""
    return f"{count:.0f}" if float(count).is_integer() else f"{count:.1f}"
