"""Variations: each template compared with the one it changes in a stated way, such as swapped arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.checklist.documents import TemplateEntry, VariationEntry
from nliprobe.analysis.scores import ends, interval_of

if TYPE_CHECKING:
    from nliprobe.analysis.checklist.cases import Unit


def variations(entries: Sequence[TemplateEntry], units: Sequence[Unit]) -> list[VariationEntry]:
    """Compare the accuracies of one system on templates and on those that they vary, the largest difference first.

    Variations of a template that is not in the run are left out.

    Args:
        entries: the templates of one system.
        units: what is known about the templates.
    """
    from nliprobe.stats.two_sample import difference_of_rates

    by_name = {entry["template"]: entry for entry in entries}
    compared: list[VariationEntry] = []
    for unit in units:
        mine, other = by_name.get(unit.template), by_name.get(unit.variation_of or "")
        if mine is None or other is None or mine["accuracy"] is None or other["accuracy"] is None:
            continue
        compared.append(
            VariationEntry(
                system=mine["system"],
                template=unit.template,
                of=other["template"],
                change=unit.change,
                accuracy=mine["accuracy"],
                of_accuracy=other["accuracy"],
                difference=mine["accuracy"] - other["accuracy"],
                ci95=ends(
                    difference_of_rates(
                        other["accuracy"], interval_of(other["ci95"]), mine["accuracy"], interval_of(mine["ci95"])
                    )
                ),
                gold=mine["gold"],
                of_gold=other["gold"],
                answers=mine["answers"],
                of_answers=other["answers"],
            )
        )
    return sorted(compared, key=lambda item: (-abs(item["difference"]), item["template"]))
