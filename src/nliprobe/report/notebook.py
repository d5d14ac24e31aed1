"""What notebooks show of a result: a piece of HTML with inline styles, fit for light and dark, without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.averages import probe_averages
from nliprobe.analysis.documents import Ends, ScoreDocument, ShowDocument
from nliprobe.report.comparison import (
    KINDS,
    TEST_WORDS,
    comparison_cells,
    decided,
    margin_words,
    ordered_systems,
    points,
    side_warnings,
    side_words,
)
from nliprobe.report.gate_text import head_lines, verdict_words
from nliprobe.report.likely import by_certainty
from nliprobe.report.pages import render_page
from nliprobe.report.verdict import verdicts
from nliprobe.report.words import NOTHING, blind, constant_words, control_words, percent, plural
from nliprobe.task.case import IDENTITY

if TYPE_CHECKING:
    from nliprobe.analysis.compare.documents import CompareDocument, GateDocument

Cells = Sequence[str]


def run_html(document: ShowDocument) -> str:
    """Show a run: its verdict, the scorecard, and how often each probe's rule was broken."""
    run = document["run"]
    controls = blind(run["systems"])
    words = {item["name"]: control_words(item) for item in run["systems"]}
    shown = {name: f"{name} ({word})" if word else name for name, word in words.items()}
    scores = [
        (
            shown[entry["system"]],
            entry["corpus"],
            "as they are" if entry["probe"] == IDENTITY else f"after {entry['probe']}",
            percent(entry["accuracy"]),
            _ends(entry["ci95"]),
            constant_words(entry["constant"]),
            percent(entry["balanced"]),
            percent(entry["macro_f1"]),
            f"{entry['n']:,}",
            f"{entry['unanswered']:,}",
        )
        for entry in by_certainty(document["scores"])
    ]
    moved = [
        (
            average.system,
            average.probe,
            percent(average.broken["rate"]),
            _ends(average.broken["ci95"]),
            percent(average.likely["rate"]),
            percent(average.changed["rate"]),
        )
        for average in probe_averages(document)
        if average.system not in controls
    ]
    lines = [plural(run["cases"], "case"), plural(len(run["systems"]), "system")]
    return _fragment(
        title=f"Does it reason or guess? {run['folder']}",
        facts=", ".join([*lines, *(corpus["name"] for corpus in run["corpora"])]),
        warning=" ".join(run["integrity"]["warnings"]),
        verdicts=verdicts(document),
        tables=[
            _table("Accuracy, percent", ("system", "corpus", "pairs", "accuracy", "95 % interval",
                   "best constant", "labels alike", "macro F1", "n", "unanswered"), scores, 3),
            _table("Changes, percent", ("system", "probe", "prohibited", "95 % interval",
                   "likely only", "changed"), moved, 2),
        ],
        notes=[f"{name}: {line}" for name, found in document["notes"].items() for line in found],
    )  # fmt: skip


def refused_html(run: str, reason: str) -> str:
    """Show that a run cannot be read, and why."""
    return _fragment(title=run, warning=reason)


def score_html(document: ScoreDocument) -> str:
    """Show what a file of answers scores on a corpus."""
    numbers = (
        percent(document["accuracy"]), _ends(document["ci95"]),
        constant_words(document["constant"]), percent(document["balanced"]),
        percent(document["macro_f1"]), f"{document['n']:,}", f"{document['unanswered']:,}",
    )  # fmt: skip
    return _fragment(
        title=f"{document['system']} on {document['corpus']}",
        tables=[
            _table(
                "Percent",
                ("accuracy", "95 % interval", "best constant", "labels alike", "macro F1", "n", "unanswered"),
                [numbers],
                0,
            )
        ],
        notes=document["notes"],
    )


def comparison_html(document: CompareDocument) -> str:
    """Show what changed between two systems, or between each two of several."""
    several = len(document["systems"]) > 2
    rows = [
        (
            *([pair["left"], pair["right"]] if several else []),
            KINDS.get(entry["kind"], entry["kind"]),
            entry["corpus"],
            *comparison_cells(entry, decided=decided(document)),
            points(entry["detectable"]),
            *([] if document["margin"] is None else [margin_words(entry)]),
        )
        for pair in document["pairs"]
        for entry in pair["comparisons"]
    ]
    heads = ["left system", "right system"] if several else []
    heads += ["kind", "corpus", "probe", "n", "left", "right", "difference", "fixed", "broken", "adj. p", ""]
    heads += ["seen from", *([] if document["margin"] is None else [f"margin {100 * document['margin']:g}"])]
    return _fragment(
        title=" compared with ".join(side_words(side) for side in ordered_systems(document)),
        warning=" ".join(side_warnings(document)),
        facts=f"percent; difference: right minus left, with 95 % interval; {TEST_WORDS}",
        tables=[_table("", heads, rows, 5 if several else 3)],
        notes=[*document["differences"], *document["notes"]],
    )


def gate_html(document: GateDocument) -> str:
    """Show whether a run passes, and why."""
    words = verdict_words(document)
    rows = [("pass" if check["passed"] else "FAIL", check["name"], check["reason"]) for check in document["checks"]]
    return _fragment(
        title=f"Gate: {document['run']['system']} in {document['run']['folder']}",
        warning="" if document["passed"] else words,
        verdicts=[words] if document["passed"] else [],
        facts="; ".join(head_lines(document)),
        tables=[_table("", ("", "check", "reason"), rows, 3)],
        notes=document["notes"],
    )


def _table(caption: str, heads: Cells, rows: Sequence[Cells], words: int) -> dict[str, object]:
    """A table whose first columns are words and whose others are numbers."""
    return {"caption": caption, "heads": heads, "rows": rows, "words": words}


def _fragment(
    *,
    title: str,
    facts: str = "",
    warning: str = "",
    verdicts: Sequence[str] = (),
    tables: Sequence[dict[str, object]] = (),
    notes: Sequence[str] = (),
) -> str:
    shown = [table for table in tables if table["rows"]]
    return render_page(
        "notebook.html",
        title=title,
        facts=facts,
        warning=warning,
        verdicts=verdicts,
        tables=shown,
        notes=notes,
    )


def _ends(ends: Ends) -> str:
    return NOTHING if ends is None else f"{100 * ends[0]:.1f} to {100 * ends[1]:.1f}"
