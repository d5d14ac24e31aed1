"""``nliprobe data``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from nliprobe.cli import _complete as complete
from nliprobe.cli import _options as options
from nliprobe.cli._output import echo, secho
from nliprobe.cli.agreement import command as agreement
from nliprobe.cli.artifacts_verb import command as artifacts
from nliprobe.cli.evidence_verb import command as evidence
from nliprobe.cli.guessability_verb import command as guessability
from nliprobe.cli.import_checklist_verb import command as import_checklist
from nliprobe.cli.import_verb import command as import_
from nliprobe.cli.stats_verb import command as stats


@click.group("data")
def command() -> None:
    """Find, list, check, describe and import corpora; measure how far raters agree and labels can be guessed."""


command.add_command(agreement)
command.add_command(artifacts)
command.add_command(evidence)
command.add_command(guessability)
command.add_command(import_)
command.add_command(import_checklist)
command.add_command(stats)


@command.command("ls")
@options.plugin_option
@options.from_option
@options.format_option
def ls(root: Path | None, form: str) -> None:
    """List corpora and splits, and which are on this machine."""
    from nliprobe.corpora import CORPORA
    from nliprobe.corpora.base import data_roots
    from nliprobe.corpora.check import availability

    available = availability(data_roots(root))
    if form == "json":
        items = [
            {"corpus": item.corpus, "split": item.split, "folder": None if item.folder is None else str(item.folder)}
            for item in available
        ]
        options.print_json({"schema": "nliprobe/data-ls/1", "corpora": items})
        return
    for name, kind in CORPORA:
        splits = [item for item in available if item.corpus == name]
        if not splits:
            secho(f"{name}:{kind.argument}" if kind.argument else name, bold=True, nl=False)
            echo(f"  {kind.title} ({kind.licence})")
            continue
        here = sum(item.folder is not None for item in splits)
        secho(name, bold=True, nl=False)
        echo(f"  {kind.title} ({kind.licence}); {here} of {len(splits)} splits here")
        for item in splits:
            pairs = kind.splits[item.split].pairs
            size = f"{pairs:>9,} pairs" if pairs is not None else f"{'':>15}"
            echo(f"  {name + '/' + item.split:<28} {size}  {'here' if item.folder is not None else '-'}")
    echo("To see which folders were searched: nliprobe data where")


@command.command("where")
@options.from_option
def where(root: Path | None) -> None:
    """Show where corpora are searched for and found."""
    from nliprobe.corpora import CORPORA
    from nliprobe.corpora.base import data_roots
    from nliprobe.corpora.check import availability

    roots = data_roots(root)
    echo(f"looked in: {', '.join(map(str, roots)) or 'nowhere (set NLIPROBE_DATA or use --from DIR)'}")
    available = availability(roots)
    for name, kind in CORPORA:
        folders = sorted({str(item.folder) for item in available if item.corpus == name and item.folder is not None})
        if any(item.corpus == name for item in available):
            echo(f"{name:<12} {', '.join(folders) if folders else f'not here; comes from {kind.home}'}")


@command.command("check")
@options.plugin_option
@click.argument("corpora", nargs=-1, required=True, metavar="CORPUS…", shell_complete=complete.corpora)
@options.from_option
@options.format_option
def check(corpora: tuple[str, ...], root: Path | None, form: str) -> None:
    """Compare corpora with what they should hold.

    They are read from beginning to end; the exit code is 1 if they differ. A corpus without a split means all its
    splits that are on this machine.
    """
    from nliprobe.api.sources import open_source
    from nliprobe.corpora.check import check_corpus
    from nliprobe.report.words import plural
    from nliprobe.task.sources import split_names

    reports = [check_corpus(open_source(name, root)) for text in corpora for name in split_names(text, root)]
    if form == "json":
        options.print_json({"schema": "nliprobe/data-check/1", "corpora": [asdict(report) for report in reports]})
    else:
        for report in reports:
            labels = ", ".join(f"{label} {n:,}" for label, n in report.labels.items())
            tables = f", {plural(report.tables, 'table')}" if report.tables else ""
            echo(f"{report.name}: {report.pairs:,} pairs ({labels}), {report.unlabelled:,} unlabelled{tables}")
            if report.duplicates:
                echo(f"  {report.duplicates:,} contents occur twice or more, {report.conflicts:,} with other labels")
            if report.replaced:
                echo(
                    f"  {plural(report.replaced, 'pair')} with a character that cannot be read (\ufffd): a cut emoji, "
                    "or text that went through another encoding"
                )
            if report.columns and not any(report.columns in notice for notice in report.notices):
                echo(f"  {report.columns}")
            for notice in report.notices:
                secho(f"  {notice}", fg="yellow")
            if not report.problems and not report.notices:
                secho("  as expected", fg="green")
            for problem in report.problems:
                secho(f"  {problem}", fg="red")
    if any(report.problems for report in reports):
        raise click.exceptions.Exit(1)
