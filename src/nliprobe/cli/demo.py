"""``nliprobe demo``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli._output import echo, secho

SYSTEMS = (
    "small",
    "small?premise=none&name=small, hypothesis only",
    "svm?represent=para&name=SVM",
    "svm?premise=none&name=SVM, hypothesis only",
)
TRAIN = ("builtin/tables-train", "builtin/sentences-train")
# Five examples of each template of the checklist: a slice of every capability.
ON = ("builtin/sentences-dev", "builtin/tables-dev", "checklist?n=5")
PROBES = ("gold", "swap", "rows.delete")


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
    """Probe a network that comes with the package, and an SVM trained on the spot, and show what they really use.

    Nothing is downloaded: network, sentences, tables and the checklist come with the package.
    """
    from nliprobe.api.face import run
    from nliprobe.report.console import print_document
    from nliprobe.report.hero import short_answers

    demo_run = run(SYSTEMS, ON, PROBES, out, train=TRAIN, say=lambda line: echo(line, err=True))
    document = demo_run.summary()
    print_document(document)
    echo()
    for line in short_answers(document):
        secho(line, bold=True)
    page = demo_run.report()
    echo(f"The page to send to a colleague: {page.absolute()}")
