"""``nliprobe demo``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli._output import echo, secho

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
    "-o",
    "--out",
    default="runs/demo",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the run.",
)
def command(out: Path) -> None:
    """Train and probe a small model on the built-in corpus, and show what it really uses.

    Nothing is downloaded: the corpus comes with the package.
    """
    from nliprobe.api.face import run
    from nliprobe.report.console import print_document
    from nliprobe.report.verdict import verdicts

    demo_run = run(SYSTEMS, ON, PROBES, out, train=TRAIN, say=lambda line: echo(line, err=True))
    document = demo_run.summary()
    print_document(document)
    echo()
    for verdict in verdicts(document):
        secho(verdict, bold=True)
    page = demo_run.report()
    echo(f"The page to send to a colleague: {page.absolute()}")
