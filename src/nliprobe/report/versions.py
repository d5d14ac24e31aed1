"""The versions of a pair on the console: originals and counterfactuals side by side, with the answers to both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.counterfactual.versions import PairVersion
from nliprobe.report.diff import render_diff, shown_diff
from nliprobe.report.words import NOTHING, cut
from nliprobe.task.case import IDENTITY
from nliprobe.task.table import Table

if TYPE_CHECKING:
    from rich.console import RenderableType


def render_versions(versions: Sequence[PairVersion]) -> RenderableType:
    """Turn the versions of a pair into something Rich can print."""
    from rich.console import Group

    return Group(*(part for version in versions for part in _parts(version)))


def version_lines(version: PairVersion) -> list[str]:
    """Say what made a counterfactual, how sure its label is, and what systems answered to both."""
    maker = "its corpus" if version["probe"] == IDENTITY else f"{version['probe']}, {version['certainty']}"
    before, after = version["before"]["gold"] or NOTHING, version["after"]["gold"] or NOTHING
    lines = [f"made by {maker}: gold {before} → {after}"]
    lines += [
        f"{item['system']} {item['before'] or 'no answer'} → {item['after'] or 'no answer'}"
        for item in version["answers"]
    ]
    return lines


def _parts(version: PairVersion) -> list[RenderableType]:
    from rich.padding import Padding
    from rich.text import Text

    head, *answers = version_lines(version)
    parts: list[RenderableType] = ["", Text(f"Other version, {head}", style="bold"), Text("; ".join(answers))]
    before, after = version["before"], version["after"]
    if version["kind"] == "table":
        tables = Table.from_json(before["premise"]), Table.from_json(after["premise"])
        diff = shown_diff(*tables, (before["hypothesis"], after["hypothesis"]))
        return [*parts, Padding(render_diff(diff), (0, 0, 0, 2))]
    sides = (("original", before), ("as asked", after))
    parts += [Text(f"  {name}: {cut(side['premise'])}") for name, side in sides]
    if before["hypothesis"] != after["hypothesis"]:
        parts += [Text(f"  {name}, hypothesis: {cut(side['hypothesis'])}") for name, side in sides]
    return parts
