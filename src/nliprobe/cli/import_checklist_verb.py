"""``nliprobe data import-checklist``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.cli import _options as options
from nliprobe.cli._output import echo

if TYPE_CHECKING:
    from nliprobe.api.import_checklist import ChecklistImportDocument


@click.command("import-checklist")
@click.argument("raw", metavar="RAW[?…]")
@click.option(
    "-o", "--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="JSONL file of pairs to write."
)
@click.option(
    "--tests", metavar="FILE[?…]",
    help="What is known about each line of RAW, in the same order: CSV, TSV, JSON or JSONL with the columns test_name, "
    "test_case, capability, type (MFT, INV, DIR), label and expects; or suite.test_ranges as JSON.",
)  # fmt: skip
@click.option(
    "--predictions", metavar="FILE?form=…",
    help="File of predictions, a line per line of RAW. form says what a line holds: pred_only, softmax, binary_conf, "
    "pred_and_conf or pred_and_softmax.",
)  # fmt: skip
@click.option(
    "--answers", type=click.Path(dir_okay=False, path_type=Path), help="JSONL file to write, with --predictions."
)
@click.option(
    "--labels", default="", metavar="MAP",
    help="What codes mean, and the order of probabilities: entailment,neutral,contradiction or 1:E;0:C.",
)  # fmt: skip
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@options.format_option
def command(
    raw: str, out: Path, tests: str | None, predictions: str | None, answers: Path | None, labels: str, force: bool,
    form: str,
) -> None:  # fmt: skip
    """Make a corpus, and answers, from the raw files of a CheckList suite.

    RAW is what suite.to_raw_file wrote: an example per line, as Python shows it, as JSON, between tabs or as text. Say
    which field is the premise if fields have no names: raw.txt?premise=1&hypothesis=2. For lines of text, say what is
    between premise and hypothesis: raw.txt?separator=[SEP]. With header=1 the first line is skipped. A raw file holds
    no labels; --tests adds what is known.
    """
    from nliprobe.api.import_checklist import import_checklist

    document = import_checklist(
        raw, out, tests=tests, predictions=predictions, answers=answers, labels=labels, force=force
    )
    if form == "json":
        options.print_json(document)
        return
    for line in _lines(document):
        echo(line)


def _lines(document: ChecklistImportDocument) -> Iterator[str]:
    from nliprobe.report.words import plural

    labels = ", ".join(f"{label} {number:,}" for label, number in document["labels"].items())
    about = f" of {plural(document['tests'], 'test')} ({labels})" if document["tests"] else ""
    yield f"{document['written']}  {plural(document['examples'], 'example')}{about}"
    if document["compared"]:
        yield f"  {document['compared']:,} are compared with the first example of their test case"
    if document["answers"] is not None:
        yield f"{document['answers']}  {plural(document['answered'] or 0, 'answer')}"
    for note in document["notes"]:
        yield f"note: {note}"
    system = document["system"] or "MODEL"
    yield f"Next: nliprobe run --on '{document['source']}' --system {system} --out …"
