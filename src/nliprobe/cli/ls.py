"""``nliprobe ls``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NotRequired, TypedDict

import click

from nliprobe.base.errors import UsageError
from nliprobe.cli import _options as options
from nliprobe.cli._output import echo, secho

if TYPE_CHECKING:
    from nliprobe.api.listed import ListedRun

KINDS = ("corpora", "evidence", "probes", "models", "representations", "runs")
# Only when asked for: there are hundreds.
TEMPLATES = "templates"
# Systems of a run that its line names.
_SYSTEMS = 2
# What a probe may declare about itself, and how it is printed.
NEEDS = {
    "needs_pool": "draws from other premises of the corpus",
    "reads_evidence": "only where the evidence of a pair is marked",
    "expensive": "many cases per pair",
}


class Entry(TypedDict):
    """One line of a list; ``needs`` is there for probes, with the names of :data:`NEEDS`."""

    name: str
    about: str
    needs: NotRequired[list[str]]


@click.command("ls")
@options.plugin_option
@click.argument("kind", type=click.Choice([*KINDS, TEMPLATES]), required=False)
@click.argument("where", type=click.Path(path_type=Path), required=False, metavar="[DIR]")
@click.option(
    "--in", "folder", default="runs", show_default=True, type=click.Path(path_type=Path),
    help="Folder with runs, the same as DIR.",
)  # fmt: skip
@click.option(
    "--verdicts", is_flag=True,
    help="With runs: compute what each of them shows, unless it is known; the cache keeps it for later lists.",
)  # fmt: skip
@click.option("--strict-plugins", is_flag=True, help="Exit with 1 if an installed plugin cannot be imported.")
@click.option(
    "--covers",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="With templates: a public list (checklist_master.tsv). Shows which of its templates the library covers.",
)
@options.format_option
def command(
    kind: str | None,
    where: Path | None,
    folder: Path,
    verdicts: bool,
    strict_plugins: bool,
    covers: Path | None,
    form: str,
) -> None:
    """List corpora, evidence, probes, models, representations, runs or templates. By default all except templates.

    DIR is the folder whose runs are listed, with those in folders below it.
    """
    if (where is not None or verdicts) and kind != "runs":
        raise UsageError("A folder and --verdicts are for runs: nliprobe ls runs DIR --verdicts.")
    folder = folder if where is None else where
    if kind == TEMPLATES:
        _templates(covers, form)
        return
    names = [kind] if kind else KINDS
    lists = {name: _registered(name) for name in names if name != "runs"}
    runs = _runs(folder, verdicts=verdicts) if "runs" in names else None
    if form == "json":
        # In the order of KINDS, where runs come last.
        options.print_json({"schema": "nliprobe/ls/1", **lists, **({} if runs is None else {"runs": runs})})
    else:
        _print(lists)
        if runs is not None:
            _print_runs(runs, folder)
    if strict_plugins:
        from nliprobe.base.registry import scan_plugins

        if scan_plugins():  # each was named when it failed
            raise click.exceptions.Exit(1)


def _print(lists: dict[str, list[Entry]]) -> None:
    for name, items in lists.items():
        secho(name, bold=True)
        width = max((len(item["name"]) for item in items), default=0)
        for item in items:
            needs = "; ".join(NEEDS[name] for name in item.get("needs", ()))
            echo(f"  {item['name']:<{width}}  {item['about']}{f' ({needs})' if needs else ''}")
        if not items:
            echo("  none")


def _print_runs(runs: list[ListedRun], folder: Path) -> None:
    secho("runs", bold=True)
    width = max((len(item["name"]) for item in runs), default=0)
    for item in runs:
        for line in _run_lines(item, width):
            echo(line)
    if not runs:
        echo(f"  none in {folder}")
    if any(item["state"] == "complete" and item["verdicts"] is None for item in runs):
        echo("What a run shows is listed, too, once it has been computed: nliprobe ls runs --verdicts", err=True)


def _run_lines(item: ListedRun, width: int) -> Iterator[str]:
    """Write a run as one line, and below it the answer for each system."""
    when = item["created"][:16].replace("T", " ") if item["created"] else " " * 16
    systems = item["systems"]
    names = f" ({', '.join(systems[:_SYSTEMS])}{', …' if len(systems) > _SYSTEMS else ''})" if systems else ""
    yield f"  {item['name']:<{width}}  {when}  {item['about']}{names}"
    for text in item["verdicts"] or ():
        yield f"    {text}"


def _registered(kind: str) -> list[Entry]:
    from nliprobe.base.registry import Registry
    from nliprobe.corpora import CORPORA
    from nliprobe.models import MODELS
    from nliprobe.probes import PROBES
    from nliprobe.represent import REPRESENTATIONS
    from nliprobe.task.evidenced import EVIDENCE

    registries: dict[str, Registry[object]] = {
        "corpora": CORPORA,  # type: ignore[dict-item]
        "evidence": EVIDENCE,  # type: ignore[dict-item]
        "probes": PROBES,  # type: ignore[dict-item]
        "models": MODELS,  # type: ignore[dict-item]
        "representations": REPRESENTATIONS,  # type: ignore[dict-item]
    }
    return [_entry(name, thing) for name, thing in registries[kind]]


def _entry(name: str, thing: type[object]) -> Entry:
    from nliprobe.probes.base import Probe

    # Users write some names with an argument: file:PATH.
    argument = getattr(thing, "argument", "")
    written = f"{name}:{argument}" if argument else name
    first_line = (thing.__doc__ or "").strip().split("\n")[0].replace("``", "")
    if not issubclass(thing, Probe):
        return {"name": written, "about": first_line}
    return {
        "name": written,
        "about": thing.about.line or first_line,
        "needs": [declared for declared in NEEDS if getattr(thing, declared)],
    }


def _runs(folder: Path, *, verdicts: bool) -> list[ListedRun]:
    from nliprobe.api.listed import listed_runs

    return list(listed_runs(folder, verdicts=verdicts))


def _templates(covers: Path | None, form: str) -> None:
    from nliprobe.templates.library import load_library

    library = load_library()
    if covers is None:
        items: list[Entry] = [
            {"name": one.id, "about": f"{one.capability}, {one.label}: {one.premise.text} → {one.hypothesis.text}"}
            for one in library
        ]
        if form == "json":
            options.print_json({"schema": "nliprobe/ls/1", TEMPLATES: items})
        else:
            _print({TEMPLATES: items})
        return
    from nliprobe.analysis.checklist.accuracies import read_template_accuracies
    from nliprobe.api.coverage import coverage

    document = coverage(library, read_template_accuracies(covers).patterns)
    if form == "json":
        options.print_json(document)
        return
    for capability in dict.fromkeys(row["capability"] for row in document["rows"]):
        rows = [row for row in document["rows"] if row["capability"] == capability]
        gaps = [row for row in rows if not row["covered_by"]]
        secho(f"{capability}: {len(rows) - len(gaps)} of {len(rows)}", bold=True)
        for row in gaps:
            echo(f"  not covered: {row['id']}  {row['premise']} → {row['hypothesis']}")
    echo(f"{document['covered']} of {document['public']} public templates are covered")
    for name in document["unknown"]:
        echo(f"  a tag names {name}, which is not in {covers}")
