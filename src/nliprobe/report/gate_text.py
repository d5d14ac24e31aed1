"""The console report of ``gate``: whether a run passes, check by check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.analysis.compare.documents import GateDocument
from nliprobe.report._tables import print_to, titled
from nliprobe.report.comparison import side_words
from nliprobe.report.words import plural

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


def print_gate(document: GateDocument, console: Console | None = None) -> None:
    """Print what a gate decided to a console, by default to standard output."""
    print_to(console, render_gate(document))


def render_gate(document: GateDocument) -> RenderableType:
    """Turn what a gate decided into something Rich can print: a line per check, the decision last."""
    from rich.console import Group
    from rich.text import Text

    parts: list[RenderableType] = [Text("Gate  ", style="bold").append(side_words(document["run"]), style="not bold")]
    against = [] if document["baseline"] is None else [f"the baseline {side_words(document['baseline'])}"]
    against += [] if document["contract"] is None else [f"the contract {document['contract']}"]
    parts += [Text(f"compared with {' and '.join(against)}", style="dim"), ""]
    for check in document["checks"]:
        line = Text("pass  ", style="green") if check["passed"] else Text("FAIL  ", style="bold red")
        parts.append(line.append(f"{check['name']}: {check['reason']}", style="not bold default"))
    parts += titled("Notes", document["notes"])
    failed = sum(not check["passed"] for check in document["checks"])
    total = plural(len(document["checks"]), "check")
    verdict = Text(f"FAILED: {failed} of {total}", style="bold red")
    return Group(*parts, "", verdict if failed else Text(f"Passed: {total}", style="bold green"))
