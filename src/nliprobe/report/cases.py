"""Failing cases on the console: what was asked, with the edit marked in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.report.diff import render_diff
from nliprobe.report.drawn import MEANINGS, SIGNS
from nliprobe.report.failing import Shown

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

_COLOURS = {"E": "green", "N": "yellow", "C": "magenta"}


def render_cases(cases: Sequence[Shown], warnings: Sequence[str] = ()) -> RenderableType:
    """Turn failing cases into something Rich can print; deleted rows are struck through."""
    from rich.console import Group
    from rich.text import Text

    said = [Text(line, style="yellow") for line in warnings]
    if not cases:
        return Group(*said, Text("No failing case is left by these filters."))
    return Group(*said, *(part for case in cases for part in (_case(case), "")))


def _case(case: Shown) -> RenderableType:
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    head = Text(f"{case['system']} · {case['probe']} · {case['pair']} · {case['case']}", style="dim")
    summary = Text("  answered ") if case["before"] is None else Text("  before ").append_text(_label(case["before"]))
    if case["before"] is not None:
        summary.append(", after ")
    summary.append_text(_label(case["answer"]))
    if case["allowed"]:
        summary.append("; right is " if case["before"] is None else "; allowed: ")
    for place, letter in enumerate(case["allowed"]):
        summary.append(" or " if place else "").append_text(_label(letter))
    if case["expected"]:
        summary.append(f"; expected: {case['expected']}")
    parts: list[RenderableType] = [head, Text(f"  {case['hypothesis']}", style="bold"), summary]
    if case["moved"]:
        parts.append(Text(f"  {case['moved']}"))
    if case["edit"]:
        parts.append(Text(f"  {case['edit']}"))
    if "diff" in case:
        parts += [Text(f"  {case['original']}")] if "original" in case else []
        return Group(*parts, Padding(render_diff(case["diff"]), (0, 0, 0, 2)))
    if "sentences" in case:
        parts += [_unit(item["text"], item["mark"], removed=item["removed"]) for item in case["sentences"]]
        return Group(*parts, *_legend(case))
    if "rows" not in case:
        parts.append(Text(f"  Premise: {case.get('premise', '')}"))
        return Group(*parts)
    parts.append(Text(f"  {case.get('title', '')}", style="underline"))
    parts += [_unit(f"{row['key']}: {row['value']}", row["mark"], removed=row["removed"]) for row in case["rows"]]
    return Group(*parts, *_legend(case))


def _unit(text: str, mark: str, *, removed: bool) -> RenderableType:
    """Show a row or a sentence: a minus if it was taken out, a sign for who needs or uses it."""
    from rich.padding import Padding
    from rich.text import Text

    out, style = ("-", "red strike") if removed else (" ", "")
    return Padding(Text(f"{out}{SIGNS[mark]} ").append(text, style=style), (0, 0, 0, 2))


def _legend(case: Shown) -> list[RenderableType]:
    from rich.text import Text

    units = [*case.get("rows", []), *case.get("sentences", [])]
    marks = [mark for mark in MEANINGS if any(unit["mark"] == mark for unit in units)]
    words = "  ".join(f"{SIGNS[mark]} {MEANINGS[mark]}" for mark in marks)
    return [Text(f"  {words}", style="dim")] if marks else []


def _label(letters: str) -> Text:
    from rich.text import Text

    return Text(letters, style=f"bold {_COLOURS.get(letters, '')}".strip())
