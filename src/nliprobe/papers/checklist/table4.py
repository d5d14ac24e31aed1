"""Table 4: the average accuracy of five models."""

from __future__ import annotations

from nliprobe.papers.recipes import Cell, Computed, Folders, recipe


@recipe("checklist:table4", "Average accuracy of all systems")
def table4(folders: Folders) -> Computed:
    """Average the public list, and the shipped answers."""
    from nliprobe.papers.checklist._averages import averages
    from nliprobe.papers.checklist._public import MODELS, THREE

    unmeasured = [Cell("MNLI-test", model) for model in THREE]
    unmeasured += [Cell(f"MNLI-test {part}", "DeBERTa") for part in ("matched", "mismatched")]
    return averages(folders, "CheckList", tuple(MODELS), unmeasured)
