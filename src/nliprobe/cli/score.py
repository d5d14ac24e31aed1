"""``nliprobe score``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.base.spec import Spec
from nliprobe.cli import _options as options


@click.command("score")
@options.config_option
@options.on_option
@click.option(
    "--predictions", "answers", required=True, type=click.Path(exists=True, path_type=Path),
    help="File of answers, in any format that file: reads (CSV, TSV, JSON lines, JSON, Parquet, Arrow, a folder), with "
    "an id (or premise and hypothesis) and a label or scores.",
)  # fmt: skip
@click.option("--labels", default="", help="Order of the scores, such as contradiction,entailment,neutral.")
@click.option("--in-order", is_flag=True, help="The file has no ids and answers every pair in the corpus's order.")
@options.from_option
@options.format_option
def command(on: tuple[str, ...], answers: Path, labels: str, in_order: bool, root: Path | None, form: str) -> None:
    """Score a file of answers on a corpus: accuracy and macro-F1 with 95 % intervals."""
    from nliprobe.api.resolve import Request
    from nliprobe.api.score import score

    params = {"name": answers.name, **({"labels": labels} if labels else {}), **({"in_order": "1"} if in_order else {})}
    system = str(Spec("predictions", str(answers), tuple(sorted(params.items()))))
    document = score(Request(on, [system], root=root))
    if form == "json":
        options.print_json(document)
        return
    from nliprobe.report.console import print_document

    print_document(document)
