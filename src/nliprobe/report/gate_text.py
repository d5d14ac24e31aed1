"""The console report of ``gate``: whether a run passes, check by check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.compare.documents import GateDocument, Suggestion
from nliprobe.analysis.failures import Failure
from nliprobe.report._tables import new_table, print_to, titled
from nliprobe.report.cases import render_cases
from nliprobe.report.comparison import side_words
from nliprobe.report.failing import shown_failure
from nliprobe.report.terminal import new_console
from nliprobe.report.words import NOTHING, percent, plural

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

CORRECTIONS = {
    "holm": "The bounds hold together for all checks of the contract (Holm, 5 %).",
    "none": "Each check of the contract has its own 95 % interval; they do not hold together.",
}


def print_gate(document: GateDocument, console: Console | None = None) -> None:
    """Print what a gate decided to a console, by default to standard output."""
    print_to(console, render_gate(document))


def render_gate(document: GateDocument) -> RenderableType:
    """Turn what a gate decided into something Rich can print: a line per check, the decision last."""
    from rich.console import Group
    from rich.text import Text

    parts: list[RenderableType] = [Text("Gate  ", style="bold").append(side_words(document["run"]), style="not bold")]
    parts += [Text(line, style="dim") for line in head_lines(document)]
    parts.append("")
    for check in document["checks"]:
        line = Text("pass  ", style="green") if check["passed"] else Text("FAIL  ", style="bold red")
        parts.append(line.append(f"{check['name']}: {check['reason']}", style="not bold default"))
    for check in document["checks"]:
        if check["cases"]:
            parts += ["", Text(check["name"], style="bold cyan"), _cases(check["cases"])]
    parts += _suggestions(document["suggestions"]) + titled("Notes", document["notes"])
    verdict = Text(verdict_words(document), style="bold green" if document["passed"] else "bold red")
    return Group(*parts, "", verdict)


def head_lines(document: GateDocument) -> list[str]:
    """Say what a run was compared with, and what its bounds mean."""
    against = [] if document["baseline"] is None else [f"the baseline {side_words(document['baseline'])}"]
    against += [] if document["contract"] is None else [f"the contract {document['contract']}"]
    said = [f"compared with {' and '.join(against)}"] if against else []
    return said if document["correction"] is None else [*said, CORRECTIONS[document["correction"]]]


def verdict_words(document: GateDocument) -> str:
    """Say whether a run passes."""
    failed = sum(not check["passed"] for check in document["checks"])
    total = plural(len(document["checks"]), "check")
    return f"FAILED: {failed} of {total}" if failed else f"Passed: {total}"


def cases_text(cases: Sequence[Failure], width: int = 100) -> str:
    """Write cases as plain text, whatever the terminal: for the output of other programs."""
    console = new_console()
    pieces = console.render(_cases(cases), console.options.update(width=width))
    lines = "".join(piece.text for piece in pieces if not piece.control).splitlines()
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def suggestion_cells(item: Suggestion) -> tuple[str, ...]:
    """Write a suggestion as the cells of a row: check, what there is, what it allows, what the margin needs."""
    now = f"{item['n']:,} in {item['groups']:,}"
    needed = NOTHING
    if item["n_needed"] is not None and item["groups_needed"] is not None:
        needed = f"{item['n_needed']:,} in {item['groups_needed']:,}"
    return item["name"], now, percent(item["reach"]), needed if not item["reason"] else item["reason"]


SUGGESTION_COLUMNS = ("Check", "Cases in groups", "Reach", "Needed")


def suggestion_head(items: Sequence[Suggestion]) -> str:
    """Say what the suggestions are for."""
    margin = items[0]["margin"]
    return (
        f"Cases for a margin of {100 * margin:g} point{'' if margin == 0.01 else 's'}. Reach: the margin that the "
        "cases of this run allow, in points. More cases are taken to vary like these; against a baseline for 80 of 100 "
        "samples."
    )


def _suggestions(items: Sequence[Suggestion]) -> list[RenderableType]:
    from rich.text import Text

    if not items:
        return []
    table = new_table()
    for place, column in enumerate(SUGGESTION_COLUMNS):
        table.add_column(column, justify="right" if place > 0 else "left", overflow="fold")
    for item in items:
        table.add_row(*map(Text, suggestion_cells(item)))
    return ["", Text(suggestion_head(items), style="bold cyan"), table]


def _cases(cases: Sequence[Failure]) -> RenderableType:
    shown = [shown_failure(item) for item in cases]
    for case in shown:
        case["answer"] = case["answer"] or "nothing"
    return render_cases(shown)
