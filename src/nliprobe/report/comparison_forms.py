"""A comparison as a text that can be kept: Markdown, a page, JSON or what the console shows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from nliprobe.analysis.compare.documents import CompareDocument
from nliprobe.base.errors import UsageError, option
from nliprobe.report._markdown_text import inline, paragraph
from nliprobe.report.comparison import (
    DETECTABLE_WORDS,
    KINDS,
    MARGIN_WORDS,
    TEST_WORDS,
    answer_words,
    comparison_cells,
    decided,
    margin_words,
    ordered_systems,
    overall_cells,
    points,
    side_warnings,
    side_words,
)
from nliprobe.report.comparison_answer import answer_lines
from nliprobe.report.comparison_many import most_telling
from nliprobe.report.words import percent, probability

FORMS = {".html": "html", ".md": "markdown", ".json": "json", ".txt": "text"}


def form_of(path: str | Path) -> str:
    """Return the form that the ending of a file's name says."""
    form = FORMS.get(Path(path).suffix.lower())
    if form is None:
        raise UsageError(
            f"A comparison cannot be written as {path}: its name should end in {', '.join(FORMS)}; or say which of "
            f"these it is with {option('format', 'html', python='form')}."
        )
    return form


def comparison_text(document: CompareDocument, form: str) -> str:
    """Write a comparison in one of the forms."""
    if form == "json":
        return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    if form == "markdown":
        return comparison_markdown(document)
    if form == "html":
        from nliprobe.report.compare_page import comparison_page

        return comparison_page(document)
    if form == "text":
        return _console_text(document)
    raise UsageError(f"A comparison is written as {', '.join(FORMS.values())}, not as '{form}'.")


def comparison_markdown(document: CompareDocument) -> str:
    """Write a comparison as Markdown: what tells systems apart, every comparison, and cases that flip."""
    several, sure = len(document["systems"]) > 2, decided(document)
    parts = ["# Comparison", *(f"**{inline(line)}**" for line in side_warnings(document))]
    parts.append("\n".join(f"{n}. {inline(side_words(side))}" for n, side in enumerate(ordered_systems(document), 1)))
    parts += [paragraph(line) for line in answer_lines(document)]
    if several and sure:
        rows = [
            [
                item["corpus"],
                item["probe"],
                KINDS[item["kind"]],
                f"{item['told_apart']} of {item['compared']}",
                probability(item["smallest_p"]),
            ]
            for item in document["separations"]
        ]
        heads = ["corpus", "probe", "by", "pairs told apart", "least adj. p"]
        parts += ["## What tells the systems apart", table(heads, rows)]
    heads = ["corpus", "by", "probe", "n", "left", "right", "difference", "fixed", "broken", "adj. p", "", "seen from"]
    heads += ["constant"]
    heads += [] if document["margin"] is None else [f"margin {100 * document['margin']:g}"]
    for pair in document["pairs"]:
        parts.append(f"## {inline(pair['left'])} (left) and {inline(pair['right'])} (right)")
        rows = [
            [
                entry["corpus"],
                KINDS[entry["kind"]],
                *comparison_cells(entry, decided=sure),
                points(entry["detectable"]),
                percent(entry["constant"]),
                *([] if document["margin"] is None else [margin_words(entry)]),
            ]
            for entry in pair["comparisons"]
        ]
        parts.append(table(heads, rows))
        if pair["overall"]:
            rows = [
                [item["family"], KINDS[item["kind"]], *overall_cells(item, decided=sure)] for item in pair["overall"]
            ]
            parts.append(table(["family", "by", "n", "left", "right", "difference", "adj. p", ""], rows))
        entry = most_telling(pair["comparisons"])
        if entry is not None:
            flips = [("fixed", flip) for flip in entry["fixed_examples"]]
            flips += [("broken", flip) for flip in entry["broken_examples"]]
            lines = [
                f"- {word}: {inline(flip['hypothesis'])} (left {inline(answer_words(flip['left']))}; "
                f"right {inline(answer_words(flip['right']))}; {inline(flip['case_id'])})"
                for word, flip in flips
            ]
            parts += [f"{inline(entry['probe'])} on {inline(entry['corpus'])}:", "\n".join(lines)]
    words = [TEST_WORDS, DETECTABLE_WORDS, *([] if document["margin"] is None else [MARGIN_WORDS])]
    parts += [paragraph(line) for line in (*words, *document["differences"], *document["notes"])]
    return "\n\n".join(parts) + "\n"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(
        "| " + " | ".join(inline(cell) if cell != "---" else cell for cell in line) + " |" for line in lines
    )


def _console_text(document: CompareDocument) -> str:
    from io import StringIO

    from nliprobe.report.comparison import print_comparison
    from nliprobe.report.terminal import new_console

    stream = StringIO()
    console = new_console(stream)
    console.width = 80
    print_comparison(document, console)
    return stream.getvalue()
