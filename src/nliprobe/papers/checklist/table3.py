"""Table 3: the average accuracy of three models."""

from __future__ import annotations

from nliprobe.papers.recipes import Cell, Computed, Folders, recipe


@recipe("checklist:table3", "Average accuracy on MNLI-test and on the checklist")
def table3(folders: Folders) -> Computed:
    """Average the public list, and the shipped answers."""
    from nliprobe.papers.checklist._averages import averages
    from nliprobe.papers.checklist._public import THREE

    return averages(folders, "CheckListNLI", THREE, [Cell("MNLI-test", model) for model in THREE])
