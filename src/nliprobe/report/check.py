"""The console report of ``nliprobe check``: whether a run is whole, and what is wrong with which file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.analysis.check import CheckDocument
from nliprobe.report._tables import print_to, titled
from nliprobe.report.words import plural

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


def print_check(document: CheckDocument, console: Console | None = None) -> None:
    """Print what a check gave to a console, by default to standard output."""
    print_to(console, render_check(document))


def render_check(document: CheckDocument) -> RenderableType:
    """Turn what a check gave into something Rich can print: the decision first, then what is wrong."""
    from rich.console import Group
    from rich.text import Text

    style = "bold green" if document["sound"] else "bold red" if document["faults"] else "bold yellow"
    head = Text(f"Run {document['run']}  ", style="bold").append(check_words(document), style=style)
    unfinished = [
        f"{item['system']}: {plural(item['shards'], 'shard')} of answers"
        + ("" if item["expected"] is None else f" of {item['expected']:,}")
        for item in document["unfinished"]
    ]
    return Group(
        head,
        *titled("Damaged", [item["problem"] for item in document["faults"]]),
        *titled("Unfinished", unfinished),
        *titled("Not covered by a record", document["others"]),
    )


def check_words(document: CheckDocument) -> str:
    """Say in a sentence what a check gave."""
    size = f"{plural(document['verified'], 'file')}, {document['bytes']:,} bytes"
    if document["faults"]:
        return (
            f"damaged: {plural(len(document['faults']), 'file')} missing or altered. Repair it by repeating the "
            "command that made it."
        )
    if not document["verifiable"]:
        return f"cannot be verified: a run of format {document['format']} keeps no digests. All its files can be read."
    if document["state"] == "unfinished":
        return f"unfinished: what is there is as it was written ({size}). Continue it by the command that made it."
    return f"complete: every file is as it was written ({size})."
