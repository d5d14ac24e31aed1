"""``nliprobe show``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli import _options as options


@click.command("show")
@options.config_option
@click.argument("run", type=click.Path(path_type=Path))
@options.format_option
@options.seed_option
def command(run: Path, form: str, seed: int) -> None:
    """Show what a run found: accuracies with intervals, and the changes of answer that no edit justifies."""
    from nliprobe.analysis.summary import summarise
    from nliprobe.store.run import RunFolder

    document = summarise(RunFolder.open(run), seed=seed)
    if form == "json":
        options.print_json(document)
        return
    from nliprobe.report.console import print_document

    print_document(document)
