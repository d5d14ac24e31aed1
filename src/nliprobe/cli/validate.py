"""``nliprobe validate``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.cli import _options as options
from nliprobe.cli._output import echo, secho

if TYPE_CHECKING:
    from nliprobe.api.validate import Option, Report


@click.command("validate")
@options.plugin_option
@click.argument("targets", nargs=-1, required=True, metavar="PATH…")
@options.from_option
@options.format_option
def command(targets: tuple[str, ...], root: Path | None, form: str) -> None:
    """Check files of options, contracts, templates and corpora without running anything.

    PATH is a YAML file (sections of options, a contract, or templates), a file of pairs, or a corpus in the form that
    --on takes, such as file:my.csv?premise=text&label=y. The labels of a corpus are checked for balance, conflicts and
    leaks. The exit code is 1 if there are errors.
    """
    from nliprobe.api.validate import to_json, validate

    reports = validate(targets, verbs=_verbs(), root=root)
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


def _verbs() -> dict[str, dict[str, Option]]:
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
            flag.lstrip("-").replace("-", "_"): Option(item.name, _reader(item, verb_context))
            for item in verb_command.params
            if item.name is not None and item.name != "config"
            for flag in item.opts
        }
    return by_verb


def _reader(item: click.Parameter, context: click.Context) -> Callable[[object], object]:
    def read(given: object) -> object:
        many = bool(getattr(item, "multiple", False)) or item.nargs != 1
        value = [given] if many and not isinstance(given, list) else given
        if not many and isinstance(given, list | dict):
            raise ValueError(f"one value is expected, not {given!r}.")
        try:
            return item.type_cast_value(context, value)
        except click.BadParameter as error:
            raise ValueError(error.message) from None

    return read
