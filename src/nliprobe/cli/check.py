"""``nliprobe check``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli import _options as options


@click.command("check")
@options.config_option
@click.argument("run", type=options.RUN)
@options.format_option
def command(run: Path, form: str) -> None:
    """Compare every byte of a run with its records, for an archive or after a disk has failed.

    Nothing is written. The exit code is 0 if the run is complete and every file is as it was written, otherwise 1.
    """
    from nliprobe.api.face import check

    checked = check(run)
    if form == "json":
        options.print_json(checked.document)
    else:
        from nliprobe.report.check import print_check

        print_check(checked.document)
    if not checked:
        raise click.exceptions.Exit(1)
