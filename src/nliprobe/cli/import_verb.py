"""``nliprobe data import``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.cli import _options as options
from nliprobe.cli._output import echo, echo_json

if TYPE_CHECKING:
    from nliprobe.api.import_tables import ImportDocument

# The text lists this many tables; JSON has them all.
_SHOWN = 20


@click.command("import")
@click.argument("sources", nargs=-1, required=True, metavar="FILE[?…]…")
@click.option(
    "--hypotheses", metavar="FILE[?…]",
    help="CSV, TSV, JSON or JSONL with the columns table (an id or a title), hypothesis and label. Columns, delimiter, "
    "quoting and encoding can be named as for file:, as in mine.csv?hypothesis=claim&encoding=cp1252.",
)  # fmt: skip
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path, allow_dash=True),
    help="JSONL file to write, or - for standard output. By default nothing is written.",
)  # fmt: skip
@click.option(
    "--template", "sheet", type=click.Path(dir_okay=False, path_type=Path),
    help="Also write a CSV file to fill in with hypotheses.",
)  # fmt: skip
@click.option(
    "--select", default="auto", show_default=True, metavar="auto|infobox|all|N",
    help="Which tables of a page to read. auto: infoboxes if there are any, otherwise tables of keys and values or "
    "with a header above several columns. N: only the N-th table.",
)  # fmt: skip
@click.option(
    "--sections", type=click.Choice(["split", "title", "join"]), default="split", show_default=True,
    help="At sub-headings, split the table; split it and add the sub-heading to the title; or keep one table (join).",
)  # fmt: skip
@click.option("--title", default="", help="Title of the table, if there is only one.")
@click.option("--category", default="", help="Category of all tables, such as Person.")
@click.option(
    "--labels", default="", metavar="MAP", help="What codes mean: entailment,neutral,contradiction or 1:E;0:C."
)
@click.option(
    "--min-rows", type=click.IntRange(min=1), default=1, show_default=True, help="Leave out tables with fewer rows."
)
@click.option("--strict", is_flag=True, help="Write nothing and exit with 1 if there is a warning.")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@options.format_option
def command(
    sources: tuple[str, ...], hypotheses: str | None, out: Path | None, sheet: Path | None, select: str, sections: str,
    title: str, category: str, labels: str, min_rows: int, strict: bool, force: bool, form: str,
) -> None:  # fmt: skip
    """Make a corpus from your own infoboxes and tables.

    FILE is an HTML page, JSON, or CSV with key and value or with a header above many columns; a folder of such files;
    or - for standard input. It may be followed by form=infobox or form=grid, header=N (lines), delimiter and encoding,
    as in results.csv?form=grid&encoding=cp1252. With --hypotheses the result is a corpus, to be used as file:PATH.
    Without, it holds only the tables, which import can read again.
    """
    from nliprobe.api.import_tables import import_tables
    from nliprobe.base.errors import DataError, UsageError
    from nliprobe.corpora.infobox.pages import PageOptions
    from nliprobe.corpora.infobox.read import ImportOptions

    to_stdout = out is not None and str(out) == "-"
    if to_stdout and form == "json":
        raise UsageError("The corpus and --format json cannot both go to standard output: write the corpus to a file.")
    reading = ImportOptions(PageOptions(select, sections), title, category, min_rows)
    imported = import_tables(
        sources, hypotheses, options=reading, labels=labels, out=None if to_stdout else out, sheet=sheet, force=force,
        strict=strict,
    )  # fmt: skip
    document = imported.document
    stopped = strict and document["warnings"] > 0
    if to_stdout and not stopped:
        echo_json(imported.text, nl=False)
    if form == "json":
        options.print_json(document)
    else:
        for line in _lines(document):
            echo(line, err=to_stdout)
    if stopped:
        raise DataError("There are warnings, and with --strict nothing is written.")
    if not document["tables"]:
        raise DataError("No table is left to write.")
    if document["content"] == "pairs" and not document["pairs"]:
        raise DataError(f"{hypotheses} holds no hypothesis: fill in the column 'hypothesis'.")
    if form == "text" and not to_stdout:
        for line in _next(document, asked=out is not None):
            echo(line)


def _lines(document: ImportDocument) -> Iterator[str]:
    tables = document["tables"]
    labels = ", ".join(f"{label} {number:,}" for label, number in document["labels"].items())
    pairs = f", {_count(document['pairs'], 'pair')} ({labels})" if document["pairs"] else ""
    yield f"{_count(len(tables), 'table')}{pairs}"
    width = max((len(table["id"]) for table in tables[:_SHOWN]), default=0)
    for table in tables[:_SHOWN]:
        section = f" ({table['section']})" if table["section"] else ""
        about = f", {_count(table['hypotheses'], 'hypothesis')}" if document["content"] == "pairs" else ""
        yield f"  {table['id']:<{width}}  {_count(table['rows'], 'row')}{about}  {table['title']}{section}"
    if len(tables) > _SHOWN:
        yield f"  … and {len(tables) - _SHOWN:,} more (all with --format json)"
    for finding in document["findings"]:
        yield f"{finding['level']}: {finding['count']:,} {finding['text']}"
        if finding["level"] == "warning":
            yield from (f"  {example}" for example in finding["examples"])


def _next(document: ImportDocument, *, asked: bool) -> Iterator[str]:
    written = document["written"]
    if not asked:
        yield "Nothing was written: add -o FILE.jsonl."
    elif document["content"] == "pairs":
        yield f"{written} is written. Next: nliprobe data check file:{written}"
    else:
        yield f"{written} holds the tables. To make pairs: nliprobe data import {written} --hypotheses FILE.csv -o …"
    if document["template"]:
        yield f"{document['template']} is written: fill in the hypotheses, and give it to --hypotheses."


def _count(number: int, noun: str) -> str:
    several = "hypotheses" if noun == "hypothesis" else f"{noun}s"
    return f"{number:,} {noun if number == 1 else several}"
