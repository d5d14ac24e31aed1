"""``nliprobe ls``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli import _options as options

KINDS = ("corpora", "probes", "models", "representations", "runs")


@click.command("ls")
@options.plugin_option
@click.argument("kind", type=click.Choice(KINDS), required=False)
@click.option(
    "--in", "folder", default="runs", show_default=True, type=click.Path(path_type=Path), help="Where runs are."
)
@click.option("--strict-plugins", is_flag=True, help="Exit with 1 when an installed plugin cannot be imported.")
@options.format_option
def command(kind: str | None, folder: Path, strict_plugins: bool, form: str) -> None:
    """List corpora, probes, models, representations or runs; without a word, all of them."""
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
    return [{"name": name, "about": (thing.__doc__ or "").strip().split("\n")[0]} for name, thing in registries[kind]]


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
        corpora = ", ".join(str(item["name"]) for item in run.corpora)
        found.append(
            {
                "name": str(path.parent),
                "about": f"{run.manifest.get('status')}: {len(run.systems)} systems on {corpora}",
            }
        )
    return found
