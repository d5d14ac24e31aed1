"""The Markdown summary of a gate, for a pull request or the summary page of a pipeline."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nliprobe.analysis.compare.contract import RELATIVE
from nliprobe.analysis.compare.documents import GateCheck, GateDocument
from nliprobe.analysis.failures import Failure
from nliprobe.report._markdown_text import inline, paragraph
from nliprobe.report.comparison import side_words
from nliprobe.report.gate_text import (
    SUGGESTION_COLUMNS,
    cases_text,
    head_lines,
    suggestion_cells,
    suggestion_head,
    verdict_words,
)
from nliprobe.report.words import NOTHING, around, percent, plural

_COLUMNS = ("", "Check", "Value", "Constant", "Bound", "Limit", "n", "Groups")
_LEFT = 2
# A value and a limit that compare with the baseline are differences, in points.
_DIFFERENCES = ("not_worse", "non_inferior", "better_by", "missing", "new")
_SIGNS = {"at_least": "≥", "at_most": "≤", "not_worse": "≥", "non_inferior": "≥", "better_by": "≥"}


def gate_markdown(document: GateDocument) -> str:
    """Write what a gate decided as Markdown: the verdict, a table with failed checks first, then cases.

    No text of a corpus or a name is read as markup, and there are no links.
    """
    checks = sorted(document["checks"], key=lambda check: check["passed"])
    sides = [side for side in (document["run"], document["baseline"]) if side is not None]
    warnings = [line for side in sides for line in side["integrity"]["warnings"]]
    parts = [
        f"## nliprobe gate: {inline(verdict_words(document))}",
        paragraph(" ".join(f"{line.rstrip('.')}." for line in _head(document))),
        *(f"**{inline(line)}**" for line in warnings),
        _table(_COLUMNS, [_cells(check) for check in checks], _LEFT),
        "Values in percent with 95 % intervals; differences from the baseline in points, and a positive one is better. "
        "Constant: what the best constant answer gets. The bound is what decides.",
    ]
    failed = [check for check in checks if not check["passed"]]
    if failed:
        parts += [
            "### Why it failed",
            "\n".join(f"- {inline(check['name'])}: {inline(check['reason'])}" for check in failed),
        ]
    parts += [_details(check["name"], check["cases"]) for check in failed if check["cases"]]
    if document["suggestions"]:
        rows = [suggestion_cells(item) for item in document["suggestions"]]
        parts += ["### How many cases", paragraph(suggestion_head(document["suggestions"]))]
        parts.append(_table(SUGGESTION_COLUMNS, rows, 1))
    if document["notes"]:
        parts += ["### Notes", "\n".join(f"- {inline(note)}" for note in document["notes"])]
    return "\n\n".join(parts) + "\n"


def _head(document: GateDocument) -> list[str]:
    first, *others = [side_words(document["run"]), *head_lines(document)]
    return [f"{first}, {others[0]}", *others[1:]] if others else [first]


def _cells(check: GateCheck) -> tuple[str, ...]:
    compared = check["kind"] in _DIFFERENCES
    limit = NOTHING
    if check["limit"] is not None and check["kind"] in _SIGNS:
        limit = f"{_SIGNS[check['kind']]} {_number(check['limit'], sign=compared)}"
    return (
        "pass" if check["passed"] else "FAIL",
        f"{check['name']}, {check['kind']}" if check["kind"] in RELATIVE else check["name"],
        around(check["value"], check["ci95"], sign=compared),
        percent(check["constant"]),
        _number(check["bound"], sign=compared),
        limit,
        NOTHING if check["n"] is None else f"{check['n']:,}",
        NOTHING if check["groups"] is None else f"{check['groups']:,}",
    )


def _number(share: float | None, *, sign: bool) -> str:
    return percent(share) if share is None or not sign else f"{100 * share:+.1f}"


def _details(name: str, cases: Sequence[Failure]) -> str:
    """Show cases in a block that is folded; no text of theirs can close its fence."""
    text = cases_text(cases)
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    summary = f"<summary>{inline(name)}: {plural(len(cases), 'case')}</summary>"
    return f"<details>{summary}\n\n{fence}text\n{text}\n{fence}\n\n</details>"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> str:
    """Write a table whose first columns are words and whose others are numbers."""
    rule = ["---"] * left + ["---:"] * (len(columns) - left)
    lines = [columns, rule, *([inline(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
