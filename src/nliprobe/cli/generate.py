"""``nliprobe generate``."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.cli import _options as options
from nliprobe.cli._output import echo
from nliprobe.templates.limits import MOST_EXAMPLES

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar


@click.command("generate")
@options.config_option
@click.argument("templates", metavar="TEMPLATES")
@click.option("--n", type=click.IntRange(1, MOST_EXAMPLES), help="Examples per template; a tenth of it for knowledge.")
@click.option("--total", type=click.IntRange(min=1), help="Examples of all table templates together, instead of --n.")
@click.option(
    "--only", multiple=True, callback=options._split, metavar="NAME,…", help="Only these capabilities or template ids."
)
@click.option(
    "--by", metavar="PLACEHOLDER", help="Draw examples for each value of this placeholder and each gender of names."
)
@options.seed_option
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="File or folder to write.")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(min=1), help="Templates drawn at once.")
@options.format_option
def command(
    templates: str,
    n: int | None,
    total: int | None,
    only: tuple[str, ...],
    by: str | None,
    seed: int,
    out: Path,
    workers: int,
    form: str,
) -> None:
    """Draw examples from templates into a file.

    TEMPLATES is checklist (the library), a YAML file, or a folder of YAML files; for executable hypotheses about tables
    it is tables, tables:PATH (a file or folder of your own) or "tables?world=twins&from=infotabs/train". OUT ends in
    .parquet, .jsonl, .csv or .tsv; without an ending it is a folder that Hugging Face's datasets can read. The same
    seed gives the same examples on every machine.
    """
    from nliprobe.api.face import generate
    from nliprobe.report.words import plural

    with ExitStack() as shown:
        bars: list[ProgressBar[int]] = []

        label = "examples" if templates.startswith("tables") else "templates"

        def progress(done: int, length: int) -> None:
            if not sys.stderr.isatty():
                return
            if not bars:
                bars.append(shown.enter_context(click.progressbar(length=length, label=label, file=sys.stderr)))
            bars[0].update(done - bars[0].pos)

        generated = generate(
            templates, out, n=n, total=total, only=only, by=by or "", seed=seed, workers=workers, progress=progress
        )
    if form == "json":
        options.print_json(generated.document)
        return
    tallies = generated.templates
    place = out if out.exists() else f"{out.with_suffix('')}, a folder of shards"
    examples = sum(tally.distinct for tally in tallies)
    echo(f"{plural(examples, 'example')} of {plural(len(tallies), 'template')} written to {place}")
    short = [tally for tally in tallies if tally.distinct < tally.asked]
    for tally in short[:10]:
        sentence = f"  {tally.template} has only {tally.distinct:,} distinct examples, and gives them all."
        if not tally.exhausted:
            sentence = f"  {tally.template}: {tally.drawn:,} draws gave only {tally.distinct:,} distinct examples."
        echo(sentence)
    if len(short) > 10:
        echo(f"  and {len(short) - 10} more have fewer than were asked for; --format json names them.")
