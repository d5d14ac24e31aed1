"""Tables 3 and 4: averages over a benchmark and over the checklist."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.papers.recipes import Cell, Computed, Folders, Value

_BENCHMARK = "multinli/dev-matched"
_NOTES = [
    "MNLI-test: not measured, for its labels are not public and the paper's checkpoints are not here.",
    f"MiniLM and its twin without premises are no rows of the paper: beside MNLI-test stands their accuracy on "
    f"{_BENCHMARK}, beside the checklist that on the examples of ours.",
]


def averages(folders: Folders, checklist: str, models: Sequence[str], unmeasured: Sequence[Cell]) -> Computed:
    """Fill a table of averages.

    Args:
        folders: where the public list is.
        checklist: the paper's name of the row about the checklist.
        models: its columns.
        unmeasured: the printed cells that cannot be computed here.
    """
    from nliprobe.papers.checklist._gold import over_seeds, scores
    from nliprobe.papers.checklist._public import NOTE, public_mean, read_public
    from nliprobe.papers.checklist.answers_file import HYPOTHESIS_ONLY, WITH_PREMISE

    table = read_public(folders)
    values: dict[Cell, float | Value | None] = dict.fromkeys(unmeasured)
    values.update({Cell(checklist, model): public_mean(table, model) for model in models})
    for col, name in (("MiniLM", WITH_PREMISE), ("MiniLM, no premise", HYPOTHESIS_ONLY)):
        found = scores(name)
        values[Cell("MNLI-test", col)] = over_seeds(found.answers.benchmark(_BENCHMARK), found.answers.by(_BENCHMARK))
        values[Cell(checklist, col)] = over_seeds(found.overall, found.answers.by())
    return Computed(values, [NOTE, *_NOTES])
