"""``nliprobe data stats``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli import _complete as complete
from nliprobe.cli import _options as options
from nliprobe.cli._output import echo


@click.command("stats")
@options.plugin_option
@click.argument("corpora", nargs=-1, required=True, metavar="CORPUS…", shell_complete=complete.corpora)
@click.option("--against", metavar="CORPUS", help="Corpus to look for overlap with, such as infotabs/train.")
@click.option(
    "--html", "page", type=click.Path(dir_okay=False, path_type=Path), help="Also write a page with bar charts."
)
@options.from_option
@options.format_option
def command(corpora: tuple[str, ...], against: str | None, page: Path | None, root: Path | None, form: str) -> None:
    """Describe the texts, labels and tables of corpora.

    Counts sizes, labels, lengths, words shared with the premise, authors and categories. A corpus without a split
    means all its splits that are on this machine.
    """
    from nliprobe.api.sources import open_source
    from nliprobe.corpora.statistics import stats_document
    from nliprobe.task.sources import split_names

    opened = [open_source(name, root) for text in corpora for name in split_names(text, root)]
    document = stats_document(opened, open_source(against, root) if against else None)
    if page is not None:
        from nliprobe.base.files import write_atomic
        from nliprobe.report.corpus import stats_page

        write_atomic(page, stats_page(document).encode("utf-8"))
    if form == "json":
        options.print_json(document)
        return
    from nliprobe.report.corpus import render_stats
    from nliprobe.report.terminal import new_console

    new_console().print(render_stats(document))
    if page is not None:
        echo(str(page))
