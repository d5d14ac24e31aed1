"""``nliprobe ls``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli import _options as options

KINDS = ("corpora", "probes", "models", "representations", "runs")
# Only when asked for: there are hundreds.
TEMPLATES = "templates"


@click.command("ls")
@options.plugin_option
@click.argument("kind", type=click.Choice([*KINDS, TEMPLATES]), required=False)
@click.option(
    "--in", "folder", default="runs", show_default=True, type=click.Path(path_type=Path), help="Where runs are."
)
@click.option("--strict-plugins", is_flag=True, help="Exit with 1 when an installed plugin cannot be imported.")
@click.option(
    "--covers",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="With templates: a public list (checklist_master.tsv); says which of it the library covers, and the gaps.",
)
@options.format_option
def command(kind: str | None, folder: Path, strict_plugins: bool, covers: Path | None, form: str) -> None:
    """List corpora, probes, models, representations, runs or templates; without a word, all but templates."""
    if kind == TEMPLATES:
        _templates(covers, form)
        return
    found = {name: _runs(folder) if name == "runs" else _registered(name) for name in ([kind] if kind else KINDS)}
    if form == "json":
        options.print_json({"schema": "nliprobe/ls/1", **found})
    else:
        _print(found, folder)
    if strict_plugins:
        from nliprobe.base.registry import scan_plugins

        if scan_plugins():  # each was named when it failed
            raise click.exceptions.Exit(1)


def _print(found: dict[str, list[dict[str, str]]], folder: Path) -> None:
    for name, items in found.items():
        click.secho(name, bold=True)
        width = max((len(item["name"]) for item in items), default=0)
        for item in items:
            click.echo(f"  {item['name']:<{width}}  {item['about']}")
        if not items:
            click.echo(f"  none{f' in {folder}' if name == 'runs' else ''}")


def _registered(kind: str) -> list[dict[str, str]]:
    from nliprobe.base.registry import Registry
    from nliprobe.corpora import CORPORA
    from nliprobe.models import MODELS
    from nliprobe.probes import PROBES
    from nliprobe.represent import REPRESENTATIONS

    registries: dict[str, Registry[object]] = {
        "corpora": CORPORA,  # type: ignore[dict-item]
        "probes": PROBES,  # type: ignore[dict-item]
        "models": MODELS,  # type: ignore[dict-item]
        "representations": REPRESENTATIONS,  # type: ignore[dict-item]
    }
    return [
        {"name": _written(name, thing), "about": (thing.__doc__ or "").strip().split("\n")[0]}
        for name, thing in registries[kind]
    ]


def _written(name: str, thing: type[object]) -> str:
    """A name as users write it, with what must follow it: ``file:PATH``."""
    argument = getattr(thing, "argument", "")
    return f"{name}:{argument}" if argument else name


def _runs(folder: Path) -> list[dict[str, str]]:
    from nliprobe.base.errors import NliprobeError
    from nliprobe.store.run import MANIFEST, RunFolder

    found = []
    for path in sorted(folder.glob(f"**/{MANIFEST}")):
        try:
            run = RunFolder.open(path.parent)
        except NliprobeError as error:
            found.append({"name": str(path.parent), "about": str(error)})
            continue
        corpora = ", ".join(item.name for item in run.corpora)
        found.append(
            {
                "name": str(path.parent),
                "about": f"{run.status.value}: {len(run.systems)} systems on {corpora}",
            }
        )
    return found


def _templates(covers: Path | None, form: str) -> None:
    from nliprobe.templates.library import load_library

    library = load_library()
    if covers is None:
        items = [
            {"name": one.id, "about": f"{one.capability}, {one.label}: {one.premise.text} → {one.hypothesis.text}"}
            for one in library
        ]
        if form == "json":
            options.print_json({"schema": "nliprobe/ls/1", TEMPLATES: items})
        else:
            _print({TEMPLATES: items}, Path())
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
        click.secho(f"{capability}: {len(rows) - len(gaps)} of {len(rows)}", bold=True)
        for row in gaps:
            click.echo(f"  not covered: {row['id']}  {row['premise']} → {row['hypothesis']}")
    click.echo(f"{document['covered']} of {document['public']} public templates are covered")
    for name in document["unknown"]:
        click.echo(f"  a tag names {name}, which is not in {covers}")
