"""Compute tables 3 and 4: averages over a benchmark and over the checklist."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.papers.recipes import Cell, Computed, Folders, Value

_BENCHMARK = "multinli/dev-matched"
_NOTES = [
    "MNLI-test: not measured, because its labels are not public and the paper's checkpoints are not here.",
    f"MiniLM and its twin without premises are not in the paper: the row MNLI-test gives their accuracy on "
    f"{_BENCHMARK}, the row of the checklist that on our examples.",
]


def averages(folders: Folders, checklist: str, models: Sequence[str], unmeasured: Sequence[Cell]) -> Computed:
    """Fill a table of averages.

    Args:
        folders: where the public list is.
        checklist: the paper's name for the row about the checklist.
        models: the columns of the table.
        unmeasured: the printed cells that cannot be computed here.
    """
    from nliprobe.papers.checklist._gold import measured, not_measured, over_seeds
    from nliprobe.papers.checklist._public import NOTE, public_mean, read_public
    from nliprobe.papers.checklist.answers_file import HYPOTHESIS_ONLY, WITH_PREMISE

    table = read_public(folders)
    values: dict[Cell, float | Value | None] = dict.fromkeys(unmeasured)
    values.update({Cell(checklist, model): public_mean(table, model) for model in models})
    notes = [NOTE, *_NOTES]
    for col, name in (("MiniLM", WITH_PREMISE), ("MiniLM, no premise", HYPOTHESIS_ONLY)):
        scored = measured(name)
        if scored is None:
            notes.append(not_measured(col))
            continue
        values[Cell("MNLI-test", col)] = over_seeds(scored.answers.benchmark(_BENCHMARK), scored.answers.by(_BENCHMARK))
        values[Cell(checklist, col)] = over_seeds(scored.overall, scored.answers.by())
    return Computed(values, notes)
