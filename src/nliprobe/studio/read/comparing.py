"""Two systems of a run side by side: where their answers differ, and whether one is shown to be better."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.responses import Response

from nliprobe.analysis.browse.browsing import Browser
from nliprobe.analysis.browse.wanted import UNANSWERED
from nliprobe.analysis.compare.documents import CompareDocument, Comparison
from nliprobe.api.reading import run_content
from nliprobe.report.comparison import KINDS, comparison_cells, decided
from nliprobe.report.comparison_answer import answer_lines
from nliprobe.report.comparison_many import constant_of
from nliprobe.report.words import percent
from nliprobe.studio.calls import Call
from nliprobe.studio.jobs import JobState
from nliprobe.studio.read.apart import APART
from nliprobe.studio.read.asked import Asked, options
from nliprobe.studio.read.browsing import open_browser
from nliprobe.studio.rendering import render

COLUMNS = (
    "corpus",
    "probe",
    "what",
    "n",
    "constant",
    "left",
    "right",
    "difference",
    "fixed",
    "broken",
    "adj. p",
    "reading",
)


def compare_page(call: Call) -> Response:
    """Show two systems of a run side by side."""
    with open_browser(call) as (runs, path, browser):
        names = browser.systems
        left, right = _chosen(call, names)
        known: dict[str, Any] = {
            "key": call.path["key"],
            "name": runs.name(path),
            "systems": names,
            "left": left,
            "right": right,
        }
        if left == right:
            return render(call, "read/compare.html", **known, table=None, tested=None, waiting="")
        asked = Asked(((name, value) for name, value in call.query.multi_items() if name in ("corpus", "probe")), names)
        content = run_content(path)
        apart = call.studio.part(APART)
        jobs, job_key = call.studio.jobs, f"compare {path} {content} {left} {right}"
        job = jobs.find(job_key) or jobs.ask(
            job_key, f"{left} and {right} compared", lambda job: _tested(apart.comparison(path, left, right))
        )
        if job.state is JobState.FAILED:  # it is said once; whoever loads the page again has it tried again
            jobs.forget(job_key)
        counts = browser.counts(asked.wanted)
        return render(
            call,
            "read/compare.html",
            **known,
            table=_table(browser, asked, left, right),
            words=lambda answer: "no answer" if answer == UNANSWERED else answer,
            asked=asked,
            choices={name: options(getattr(counts, name), asked.get(name)) for name in ("corpus", "probe")},
            tested=job.result if job.state is JobState.DONE else None,
            waiting="" if job.state is JobState.DONE else job.said or "The paired tests are being computed.",
            failed=job.state is JobState.FAILED,
        )


def _chosen(call: Call, names: Sequence[str]) -> tuple[str, str]:
    """Return the two systems that an address names; by default the first two."""
    left, right = (call.query.get(side, "") for side in ("left", "right"))
    first = left if left in names else next((name for name in names if name != right), "")
    second = right if right in names else next((name for name in names if name != first), first)
    return first, second


def _table(browser: Browser, asked: Asked, left: str, right: str) -> dict[str, object]:
    """Count cases by both answers; each number leads to its cases."""
    crossed = browser.crossed(asked.wanted, left, right)
    columns = list(dict.fromkeys(answer for row in crossed.values() for answer in row))
    rows = [
        {
            "answer": one,
            "cells": [
                {
                    "count": row.get(two, 0),
                    "query": asked.query(system=left, answer=one, other=right, other_answer=two),
                    "same": one == two,
                }
                for two in columns
            ],
        }
        for one, row in crossed.items()
    ]
    return {"columns": columns, "rows": rows}


def _tested(document: CompareDocument) -> dict[str, object]:
    """Prepare the paired tests of two systems for the page."""
    sure = decided(document)
    entries = [entry for pair in document["pairs"] for entry in pair["comparisons"]]
    return {
        "answer": answer_lines(document),
        "columns": COLUMNS,
        "rows": [_cells(entry, sure=sure) for entry in entries],
        "flips": [
            (f"{entry['corpus']}, {entry['probe']}", word, flip["case_id"], flip["hypothesis"])
            for entry in entries
            for word, flips in (("fixed", entry["fixed_examples"]), ("broken", entry["broken_examples"]))
            for flip in flips
        ],
        "notes": [*document["differences"], *document["notes"]],
    }


def _cells(entry: Comparison, *, sure: bool) -> list[str]:
    probe, n, *rest = comparison_cells(entry, decided=sure)
    return [entry["corpus"], probe, KINDS[entry["kind"]], n, percent(constant_of(entry)), *rest]
