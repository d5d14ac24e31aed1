"""``nliprobe annotate new, ls, status, open, block, unblock, withdraw``: projects for raters and their owners."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli import _complete as complete
from nliprobe.cli import _options as options
from nliprobe.cli._annotate_options import database_option
from nliprobe.cli._output import echo

TASKS = ("verify", "evidence", "write", "counterfactual", "settle", "judge")
# Bytes of a file of instructions; the store takes as many characters.
_LONGEST_INSTRUCTIONS = 100_000
STRATA = ("group", "label", "category", "none")


@click.command("new")
@options.plugin_option
@click.argument("project")
@click.argument("corpora", nargs=-1, required=True, metavar="CORPUS…", shell_complete=complete.corpora)
@click.option(
    "--task", required=True, metavar="TASK",
    help=f"What raters do: {', '.join(TASKS)}. For settle, CORPUS is a queue that nliprobe review wrote.",
)  # fmt: skip
@database_option
@click.option("--raters", default=5, show_default=True, type=click.IntRange(min=1), help="Raters per item.")
@click.option("--most", type=click.IntRange(min=1), metavar="N", help="Items per rater. By default all.")
@click.option("--k", type=click.IntRange(min=1), metavar="N", help="Pairs per template, table or other group.")
@click.option("--items", type=click.IntRange(min=1), metavar="N", help="Items in all, drawn evenly. By default all.")
@click.option(
    "--pilot", default=0, show_default=True, type=click.IntRange(min=0), metavar="N",
    help="Items of a pilot. The others wait until you open the next batch.",
)  # fmt: skip
@click.option("--batch", type=click.IntRange(min=1), metavar="N", help="Items per batch. By default all in one.")
@click.option(
    "--attention", multiple=True, metavar="CORPUS",
    help="Pairs whose label nobody doubts. They are mixed in to see who reads with care.",
)  # fmt: skip
@click.option(
    "--attention-every", default=10, show_default=True, type=click.IntRange(min=2), metavar="N",
    help="With --attention: one item among N is such a pair.",
)  # fmt: skip
@click.option(
    "--evenly", type=click.Choice(STRATA), default="group", show_default=True, help="Hand items out evenly over this."
)
@click.option("--partition", metavar="LABELS", help="How finely labels are told apart, such as E|NC.")
@click.option("--title", default="", help="What raters read above their work. By default the name of the project.")
@click.option(
    "--instructions", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
    help="Markdown file with instructions for raters.",
)  # fmt: skip
@click.option("--suggest", is_flag=True, help="With --task settle: show raters the label that the probe expects.")
@options.from_option
@options.seed_option
def new(
    project: str,
    corpora: tuple[str, ...],
    task: str,
    database: str,
    raters: int,
    most: int | None,
    k: int | None,
    items: int | None,
    pilot: int,
    batch: int | None,
    attention: tuple[str, ...],
    attention_every: int,
    evenly: str,
    partition: str | None,
    title: str,
    instructions: Path | None,
    suggest: bool,
    root: Path | None,
    seed: int,
) -> None:
    """Make a project: items for raters in a store.

    Labels stay hidden from raters. CORPUS is any source of pairs, such as infotabs/dev or checklist?n=50.
    """
    from nliprobe.api.people import ProjectPlan, new_project
    from nliprobe.people.items.of_pairs import Stratum

    plan = ProjectPlan(
        task=task,
        on=corpora,
        attention=attention,
        attention_every=attention_every,
        raters_per_item=raters,
        most_per_rater=most,
        per_group=k,
        most_items=items,
        pilot=pilot,
        batch=batch,
        stratum=Stratum(evenly),
        blind=not suggest,
        title=title,
        instructions="" if instructions is None else _instructions(instructions),
        options={} if partition is None else {"partition": partition},
        root=root,
        seed=seed,
    )
    made = new_project(database, project, plan)
    wanted = made.items * made.project.raters_per_item
    echo(
        f"{project}: {made.items:,} items, {made.attention:,} attention items, {wanted:,} judgements wanted, "
        f"{made.batches} batch{'' if made.batches == 1 else 'es'}"
    )
    for reason, count in made.left_out.items():
        echo(f"  {count:,} pairs left out: {reason}", err=True)
    if made.batches > 1:
        echo(f"Only the first batch is open. The next one: nliprobe annotate open {project}", err=True)


def _instructions(path: Path) -> str:
    from nliprobe.base.limited import read_limited

    return read_limited(path, _LONGEST_INSTRUCTIONS, "Shorten the instructions: raters read them before they begin.")


@click.command("ls")
@database_option
@options.format_option
def ls(database: str, form: str) -> None:
    """List the projects of a store."""
    from nliprobe.people.store import open_store
    from nliprobe.people.store.progress import read_progress
    from nliprobe.people.store.projects import read_projects

    with open_store(database, make=False) as store:
        found = [(project, read_progress(store, project.name)) for project in read_projects(store)]
    entries = [
        {
            "project": project.name,
            "task": project.task,
            "items": sum(batch.items for batch in progress.batches),
            "wanted": sum(batch.wanted for batch in progress.batches),
            "judged": sum(batch.judged for batch in progress.batches),
        }
        for project, progress in found
    ]
    if form == "json":
        options.print_json({"schema": "nliprobe/people-ls/1", "projects": entries})
        return
    for entry in entries:
        echo(
            f"{entry['project']}  {entry['task']}, {entry['items']:,} items, {entry['judged']:,} of "
            f"{entry['wanted']:,} judgements"
        )


@click.command("status")
@click.argument("project")
@database_option
@options.format_option
def status(project: str, database: str, form: str) -> None:
    """Show how far a project is, how far its raters agree, and who should be looked at."""
    from nliprobe.api.people_status import project_status

    document = project_status(database, project)
    if form == "json":
        options.print_json(document)
        return
    from nliprobe.cli._annotate_status import status_lines

    for line in status_lines(document):
        echo(line)


@click.command("open")
@click.argument("project")
@click.option("--batches", type=click.IntRange(min=0), metavar="N", help="Open so many batches. By default one more.")
@database_option
def open_(project: str, batches: int | None, database: str) -> None:
    """Open the next batch of a project, after the pilot or after a look at the raters."""
    from nliprobe.people.store import open_store
    from nliprobe.people.store.progress import read_progress
    from nliprobe.people.store.projects import ProjectChanges, change_project, read_project

    with open_store(database, make=False) as store:
        before = read_project(store, project).batches_open
        there = max((batch.batch + 1 for batch in read_progress(store, project).batches), default=0)
        wanted = before + 1 if batches is None else batches
        number = min(there, wanted)
        if number != before:
            change_project(store, project, ProjectChanges(batches_open=number))
    every = ", which are all that it has" if number < wanted else ""
    echo(f"{project}: {number} batch{'' if number == 1 else 'es'} open{every}")


@click.command("block")
@click.argument("project")
@click.argument("rater")
@click.option("--reason", default="", help="Why, for the log.")
@database_option
def block(project: str, rater: str, reason: str, database: str) -> None:
    """Let nothing of a rater count. Their items are open again for others."""
    from nliprobe.people.store import open_store
    from nliprobe.people.store.raters import block_rater

    with open_store(database, make=False) as store:
        done = block_rater(store, project, rater, reason)
    echo(f"{rater} is blocked: {done.judgements:,} judgements no longer count, and their items are open again")


@click.command("unblock")
@click.argument("project")
@click.argument("rater")
@database_option
def unblock(project: str, rater: str, database: str) -> None:
    """Let a blocked rater work again. What they said counts again where nobody has taken their place."""
    from nliprobe.people.store import open_store
    from nliprobe.people.store.raters import unblock_rater

    with open_store(database, make=False) as store:
        done = unblock_rater(store, project, rater)
    echo(f"{rater} may work again: {done.judgements:,} judgements count again")


@click.command("withdraw")
@click.argument("project")
@click.argument("rater")
@database_option
@click.confirmation_option(prompt="Delete everything that this rater said?")
def withdraw(project: str, rater: str, database: str) -> None:
    """Delete what a rater said, as they may ask for. Their items are open again for others."""
    from nliprobe.people.store import open_store
    from nliprobe.people.store.projects import OWNER
    from nliprobe.people.store.raters import withdraw_rater

    with open_store(database, make=False) as store:
        done = withdraw_rater(store, project, rater, entered_by=OWNER)
    echo(f"{rater} has withdrawn: {done.judgements:,} judgements deleted")
