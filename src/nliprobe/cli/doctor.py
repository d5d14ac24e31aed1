"""``nliprobe doctor``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli import _complete as complete
from nliprobe.cli import _options as options
from nliprobe.cli._output import echo, secho


@click.command("doctor")
@options.config_option
@options.plugin_option
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM…", shell_complete=complete.models)
@options.train_option
@click.option("--on", multiple=True, metavar="CORPUS", help="Labelled corpus for checking a file of answers.")
@options.labels_option
@options.from_option
@options.seed_option
@options.format_option
def command(
    systems: tuple[str, ...],
    train: tuple[str, ...],
    on: tuple[str, ...],
    labels: str,
    root: Path | None,
    seed: int,
    form: str,
) -> None:
    """Check on obvious pairs whether a system's labels are in order and whether it looks at the premise.

    The exit code is 1 if labels are in the wrong order. Every run makes this check before it asks a system for the
    first time.
    """
    from nliprobe.api.face import doctor

    verdicts = doctor(systems, on=on, train=train, labels=labels, root=root, seed=seed)
    if form == "json":
        items = [{"system": name, **verdict.to_json()} for name, verdict in verdicts.items()]
        options.print_json({"schema": "nliprobe/doctor/2", "systems": items})
    else:
        for name, verdict in verdicts.items():
            colour = {"ok": "green", "permuted": "red"}.get(verdict.status, "yellow")
            secho(f"{name}: {verdict.status}", fg=colour, bold=True, nl=False)
            echo(f", {verdict.right} of {verdict.n} right ({verdict.asked} questions)" if verdict.n else "")
            for finding in verdict.findings:
                echo(f"  {finding}")
    if any(verdict.status == "permuted" for verdict in verdicts.values()):
        raise click.exceptions.Exit(1)
