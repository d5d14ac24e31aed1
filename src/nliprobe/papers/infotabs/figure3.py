"""Figure 3: the kinds of reasoning that a model gets right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.papers.infotabs._reasoning import kind_name, label_bars
from nliprobe.papers.recipes import Cell, CellDocument, Chart, Computed, Folders, Value, recipe

if TYPE_CHECKING:
    from nliprobe.papers.infotabs.answers_file import Answers

_NOTES = [
    "The figure has no printed numbers, so the cells only have our values; 'pairs' is how many pairs need the kind.",
    "The paper's figure is of RoBERTa_L with the table as a paragraph, which is not available; ours is named under "
    "'by'. Counts are means over seeds.",
]
_PANELS = ("dev", "alpha3")


def _draw(cells: Sequence[CellDocument]) -> list[Chart]:
    charts: list[Chart] = []
    for panel in _PANELS:
        charts += label_bars(cells, panel, f"{panel}: right answers by kind of reasoning and label", of="pairs")
    return charts


@recipe("infotabs:figure3", "Right answers by kind of reasoning", _draw)
def figure3(folders: Folders) -> Computed:
    """Score the answers of the encoder."""
    from nliprobe.papers.infotabs.answers_file import find_answers

    recorded = find_answers("para", folders.answers)
    values: dict[Cell, float | Value | None] = {}
    notes = list(_NOTES)
    for panel in _PANELS:
        values.update(_panel(panel, recorded, folders))
        if recorded is None or not _asked(panel, recorded):
            notes.append(f"{panel}: not measured (there are no answers 'para' to these pairs).")
    return Computed(values, notes)


def _asked(panel: str, recorded: Answers) -> str:
    """Return the split with the pairs of a panel that was asked; the experts' pairs of dev are also in dev itself."""
    names = [f"infotabs/reasoning-{panel}", *(["infotabs/dev"] if panel == "dev" else [])]
    return next((name for name in names if name in recorded.digests), "")


def _panel(panel: str, recorded: Answers | None, folders: Folders) -> dict[Cell, float | Value | None]:
    from nliprobe.papers.infotabs._scores import over_seeds, read_gold, right_by_kind

    asked = "" if recorded is None else _asked(panel, recorded)
    gold = read_gold(asked or f"infotabs/reasoning-{panel}", folders.root)
    needed = Counter(kind for kinds in gold.reasoning for kind in kinds)
    answers = [] if recorded is None or not asked else recorded.to(asked, gold.digest, gold.letters)
    right = [right_by_kind(gold, letters) for letters in answers]
    values: dict[Cell, float | Value | None] = {}
    for kind, n in needed.most_common():
        row = f"{panel}: {kind_name(kind)}"
        values[Cell(row, "pairs")] = n
        for label in "ENC":
            counts = [by_kind[kind, label] for by_kind in right]
            values[Cell(row, label)] = over_seeds(counts, recorded.by) if recorded is not None and counts else None
    return values
