"""``nliprobe demo``."""

from __future__ import annotations

from pathlib import Path

import click

SYSTEMS = (
    "svm?represent=para&name=SVM",
    "svm?premise=none&name=SVM, hypothesis only",
    "majority?premise=none&name=majority",
)
TRAIN = ("builtin/tables-train", "builtin/sentences-train")
ON = ("builtin/tables-dev", "builtin/sentences-dev")
PROBES = ("gold", "rows.delete", "rows.permute", "swap")


@click.command("demo")
@click.option(
    "--out",
    default="runs/demo",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder.",
)
def command(out: Path) -> None:
    """Train a small model on the built-in corpus, probe it, and show what it really uses.

    Needs no network, no corpus and no model: everything comes with the package.
    """
    from nliprobe.analysis.summary import summarise
    from nliprobe.api.resolve import Request
    from nliprobe.api.run import run
    from nliprobe.report.console import print_document

    result = run(Request(ON, SYSTEMS, PROBES, TRAIN), out, say=lambda line: click.echo(line, err=True))
    print_document(summarise(result.run))
    click.echo(f"The run is in {out}. More with: nliprobe show {out} --format json", err=True)
