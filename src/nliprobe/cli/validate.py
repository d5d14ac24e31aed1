"""``nliprobe validate``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.cli import _options as options
from nliprobe.cli._output import echo, secho
from nliprobe.cli._values import read_value

if TYPE_CHECKING:
    from nliprobe.api.validate import Option, Report


@click.command("validate")
@options.plugin_option
@click.argument("targets", nargs=-1, required=True, metavar="PATH…")
@click.option("--plugins", is_flag=True, help="Import the plugins that files of options name, which runs their code.")
@options.from_option
@options.format_option
def command(targets: tuple[str, ...], plugins: bool, root: Path | None, form: str) -> None:
    """Check files of options, contracts, templates and corpora without running anything.

    PATH is a YAML file (sections of options, a contract, or templates), a file of pairs, or a corpus in the form that
    --on takes, such as file:my.csv?premise=text&label=y. The labels of a corpus are checked for balance, conflicts and
    leaks. The exit code is 1 if there are errors.
    """
    from nliprobe.api.validate import to_json, validate

    reports = validate(targets, verbs=option_readers(), root=root, plugins=plugins)
    if form == "json":
        options.print_json(to_json(reports))
    else:
        for report in reports:
            _print(report)
    if any(report.count("error") for report in reports):
        raise click.exceptions.Exit(1)


def _print(report: Report) -> None:
    secho(f"{report.target} ({report.kind})", bold=True)
    if report.facts:
        labels = report.facts["labels"]
        counts = ", ".join(f"{label} {n:,}" for label, n in labels.items()) if isinstance(labels, dict) else ""
        echo(f"  {report.facts['pairs']:,} pairs ({counts or 'no labels'})")
    for finding in report.findings:
        secho(f"  {finding.level}", fg="red" if finding.level == "error" else "yellow", nl=False)
        echo(f" {finding.place + ': ' if finding.place else ''}{finding.message}")
    if not report.findings:
        secho("  nothing wrong", fg="green")


def option_readers() -> dict[str, dict[str, Option]]:
    """Return the options of every verb that reads options from a file, by the names they have there."""
    from nliprobe.api.validate import Option
    from nliprobe.cli.main import VERBS, cli

    by_verb: dict[str, dict[str, Option]] = {}
    context = click.Context(cli, info_name="nliprobe")
    for verb in VERBS:
        verb_command = cli.get_command(context, verb) if isinstance(cli, click.Group) else None
        if verb_command is None or not any(item.name == "config" for item in verb_command.params):
            continue
        verb_context = click.Context(verb_command, info_name=verb, parent=context)
        by_verb[verb] = {
            name: Option(str(item.name), _reader(item, verb_context))
            for name, item in options.options_in_files(verb_command).items()
        }
    return by_verb


def _reader(item: click.Parameter, context: click.Context) -> Callable[[object], object]:
    return lambda given: read_value(item, given, context)
