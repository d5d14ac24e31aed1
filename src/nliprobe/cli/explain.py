"""``nliprobe explain``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.base.errors import UsageError
from nliprobe.cli import _options as options
from nliprobe.cli._output import echo

if TYPE_CHECKING:
    from nliprobe.api.explain import ExplainOptions
    from nliprobe.task.explanation import ExplainDocument
    from nliprobe.task.pair import Pair


@click.command("explain")
@options.config_option
@options.plugin_option
@click.argument("run", type=options.RUN, required=False)
@click.option(
    "--case", "cases", multiple=True, metavar="ID",
    help="With RUN: case to explain. The first characters of its id are enough. Repeatable.",
)  # fmt: skip
@click.option(
    "--system", "systems", multiple=True, metavar="SYSTEM",
    help="With RUN: name of a system of the run, by default all. Otherwise: system to ask, such as small. Repeatable.",
)  # fmt: skip
@click.option("--premise", metavar="TEXT", help="Without RUN: premise, a text.")
@click.option(
    "--table", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
    help="Without RUN: premise, a table in a JSON, CSV, TSV or HTML file.",
)  # fmt: skip
@click.option("--hypothesis", metavar="TEXT", help="Without RUN: hypothesis.")
@options.train_option
@click.option(
    "--pool", metavar="CORPUS",
    help="Corpus in which to look for similar pairs by the model's own vectors, such as multinli/dev-matched or "
    "checklist. A pair's own template and its variations are left out.",
)  # fmt: skip
@click.option(
    "--neighbours",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="With --pool: how many similar pairs.",
)
@click.option(
    "--masks", type=click.IntRange(min=2, max=100_000), default=500, show_default=True,
    help="How many edits of the pair are asked for words, and for rows or sentences; all of them if there are fewer.",
)  # fmt: skip
@options.represent_option
@options.labels_option
@options.from_option
@options.seed_option
@click.option(
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.html",
    help="Page to write instead of printing. It is a single file that loads nothing from the network.",
)  # fmt: skip
@options.format_option
def command(
    run: Path | None,
    cases: tuple[str, ...],
    systems: tuple[str, ...],
    premise: str | None,
    table: Path | None,
    hypothesis: str | None,
    train: tuple[str, ...],
    pool: str | None,
    neighbours: int,
    masks: int,
    represent: str | None,
    labels: str,
    root: Path | None,
    seed: int,
    out: Path | None,
    form: str,
) -> None:
    """Explain single answers: the words, rows and sentences they rest on, and what a model finds similar.

    Words are weighed by LIME: the system is asked the pair without some of its words many times. Rows of a table and
    sentences of a passage are weighed in the same way. Beside every explanation stands how far it can be trusted: how
    much of the answers it explains, and what the system answers without the named words, compared with others.
    """
    from nliprobe.api.explain import ExplainOptions, explain_pairs
    from nliprobe.api.resolve import Request
    from nliprobe.cli._explain_progress import ExplainProgress
    from nliprobe.explain.lime import LimeOptions

    if out is not None and (form == "json" or out.suffix.lower() != ".html"):
        raise UsageError(
            f"-o writes a page, so its file should end in .html, not '{out.name}'. JSON is printed: --format json."
        )
    with ExplainProgress() as progress:
        wanted = ExplainOptions(LimeOptions(masks, seed), pool, neighbours, root, progress.advance)
        if run is not None:
            own = {"premise": premise, "table": table, "hypothesis": hypothesis}
            _refuse({**own, "train": train, "represent": represent, "labels": labels})
            document = _of_run(run, cases, systems, wanted)
        else:
            if cases:
                raise UsageError("--case needs the run that holds it: nliprobe explain RUN --case ID.")
            request = Request((), systems, (), train, root, seed, labels, represent)
            document = explain_pairs(request, [_pair(systems, premise, table, hypothesis)], wanted)
    if form == "json":
        options.print_json(document)
        return
    if out is not None:
        from nliprobe.base.files import write_atomic
        from nliprobe.report.explained_page import explained_page

        write_atomic(out, explained_page(document).encode("utf-8"))
        echo(str(out))
        return
    from nliprobe.report.explained import render_explained
    from nliprobe.report.terminal import new_console

    new_console().print(render_explained(document), highlight=False)


def _refuse(given: dict[str, object]) -> None:
    named = [f"--{name}" for name, value in given.items() if value]
    if named:
        raise UsageError(f"{', '.join(named)} cannot be used with a run: it says itself what was asked, and how.")


def _of_run(run: Path, cases: tuple[str, ...], systems: tuple[str, ...], wanted: ExplainOptions) -> ExplainDocument:
    from nliprobe.api.explain import explain_cases
    from nliprobe.api.face import open_run

    if not cases:
        raise UsageError(
            "Name a case of the run with --case ID. Ids of failing cases are in the report, and in the JSON of "
            "'nliprobe show RUN --failing 5'."
        )
    return explain_cases(open_run(run).folder, cases, systems, wanted)


def _pair(systems: tuple[str, ...], premise: str | None, table: Path | None, hypothesis: str | None) -> Pair:
    from nliprobe.corpora.one_table import read_table
    from nliprobe.task.pair import Pair

    if not systems or hypothesis is None or (premise is None) == (table is None):
        raise UsageError(
            "Name a run and a --case; or a --system with a --hypothesis, and either a --premise or a --table."
        )
    return Pair("given", read_table(table) if table is not None else premise or "", hypothesis)
