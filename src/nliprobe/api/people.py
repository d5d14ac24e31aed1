"""Projects for raters: from a corpus or a review queue to items in a store, and sheets out of it and into it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.api.resolve import open_sources
from nliprobe.base.errors import DataError, UsageError, option
from nliprobe.base.seeds import draws
from nliprobe.corpora.held import HeldPairs
from nliprobe.people.items.batches import evenly, in_batches
from nliprobe.people.items.of_pairs import Stratum, items_of, per_group
from nliprobe.people.items.of_queues import settle_items
from nliprobe.people.records import LEASE_SECONDS, RATERS_PER_ITEM, Content, Item, Project
from nliprobe.people.review.files import read_queue
from nliprobe.people.tasks import TASKS
from nliprobe.task.pair import Pair
from nliprobe.task.source import PairSource

if TYPE_CHECKING:
    from nliprobe.people.store import Database

# Sheets go around by mail: their items are kept for two weeks.
SHEET_SECONDS = 14 * 24 * 3600.0
# Tasks whose items only a study can make: they ask about a system, and what it does must be known.
_OF_STUDIES = ("predict", "bid", "pick")


@dataclass(frozen=True)
class ProjectPlan:
    """What a project asks and of whom.

    Attributes:
        task: the name of the task.
        on: corpora, in any form that :func:`nliprobe.run` takes; for the task *settle*, one review queue.
        attention: corpora whose pairs nobody doubts; they become hidden attention items.
        attention_every: one item among so many is an attention item.
        raters_per_item: how many people judge each item.
        most_per_rater: how many items one rater may judge; None for all.
        per_group: so many pairs of each group (template, table); None for all.
        most_items: so many items in all, drawn evenly over strata; None for all.
        pilot: how many items come first, before the owner opens the rest.
        batch: how many items are in each later batch; None for all.
        stratum: what items are handed out evenly over.
        blind: whether raters of the task *settle* do not see the label that the probe expects.
        title: what raters read above their work.
        instructions: Markdown for raters.
        options: what the task needs to know, such as the partition of labels.
        lease_seconds: how long an item stays with a rater who does not answer.
        root: the folder above the corpora.
        seed: of all draws.
    """

    task: str
    on: Sequence[str | PairSource]
    attention: Sequence[str | PairSource] = ()
    attention_every: int = 10
    raters_per_item: int = RATERS_PER_ITEM
    most_per_rater: int | None = None
    per_group: int | None = None
    most_items: int | None = None
    pilot: int = 0
    batch: int | None = None
    stratum: Stratum = Stratum.GROUP
    blind: bool = True
    title: str = ""
    instructions: str = ""
    options: Content | None = None
    lease_seconds: int = LEASE_SECONDS
    root: Path | None = None
    seed: int = 0


class PlannedProject(NamedTuple):
    """A project that could be made.

    Attributes:
        plan: what it asks and of whom.
        items: its items in their batches, attention items among them.
        left_out: how many pairs the task cannot ask about, by reason.
    """

    plan: ProjectPlan
    items: tuple[Item, ...]
    left_out: dict[str, int]

    @property
    def attention(self) -> int:
        """How many attention items there are."""
        return sum(item.expected is not None for item in self.items)

    @property
    def asked(self) -> int:
        """How many items there are besides attention items."""
        return len(self.items) - self.attention

    @property
    def batches(self) -> int:
        """How many batches there are."""
        return len({item.batch for item in self.items})


class NewProject(NamedTuple):
    """A project that was made.

    Attributes:
        project: the project.
        items: how many items it has, attention items not counted.
        attention: how many attention items.
        batches: how many batches; only the first is open.
        left_out: how many pairs the task cannot ask about, by reason.
    """

    project: Project
    items: int
    attention: int
    batches: int
    left_out: dict[str, int]


def new_project(database: str | Path, name: str, plan: ProjectPlan) -> NewProject:
    """Make a project in a store.

    Args:
        database: the SQLite file or URL of the store, which is made if there is none.
        name: the name of the project.
        plan: what it asks and of whom.

    Raises:
        DataError: there is nothing that the task could ask about.
        UsageError: the task cannot be made from corpora.
    """
    from nliprobe.people.store import open_store

    planned = plan_project(plan)
    check_plan(name, planned)
    with open_store(database) as store:
        return make_project(store, name, planned)


def plan_project(plan: ProjectPlan) -> PlannedProject:
    """Make the items of a project without keeping anything, and count what cannot be asked.

    Raises:
        DataError: there is nothing that the task could ask about.
        UsageError: the task cannot be made from corpora.
    """
    if plan.task in _OF_STUDIES:
        raise UsageError(f"The task '{plan.task}' asks about a system: its items are made by nliprobe study new.")
    items, left_out = _items(plan)
    if not any(item.expected is None for item in items):
        raise DataError(f"Nothing to judge: {_reasons(left_out) or 'the corpus has no pairs'}.")
    if plan.most_items is not None:
        drawn = evenly([item for item in items if item.expected is None], seed=plan.seed)[: plan.most_items]
        items = [*(item for item in items if item.expected is not None), *drawn]
    batched = in_batches(items, pilot=plan.pilot, size=plan.batch, seed=plan.seed)
    return PlannedProject(plan, tuple(batched), left_out)


def attention_pairs(
    corpus: str, task: str, options: Content, *, most: int, root: Path | None = None, seed: int = 0
) -> PairSource:
    """Draw pairs of a corpus whose right answer is known, for attention items.

    Args:
        corpus: the spec of the corpus.
        task: the name of the task.
        options: what the task needs to know.
        most: how many pairs.
        root: the folder above the corpora.
        seed: of the draw.

    Raises:
        DataError: no answer about any pair of the corpus is known.
    """
    asks = TASKS.get(task)(options)
    pairs = [
        pair
        for pair in _pairs([corpus], root)
        if asks.known(pair) is not None and not isinstance(asks.content_of(pair), str)
    ]
    if not pairs:
        raise DataError(f"No pair of {corpus} has a known answer to the task '{task}': choose other attention items.")
    drawn = draws(seed, "attention", corpus).sample(pairs, min(most, len(pairs)))
    return HeldPairs.of_pairs(f"{corpus} (attention)", drawn)


def check_plan(name: str, planned: PlannedProject) -> Project:
    """Return the project that a plan gives, or raise an error if its name or one of its rules cannot be."""
    from nliprobe.people.store.projects import check_project

    plan = planned.plan
    project = Project(
        name=name,
        task=plan.task,
        title=plan.title or name,
        instructions=plan.instructions or TASKS.get(plan.task).about,
        options=plan.options or {},
        raters_per_item=plan.raters_per_item,
        most_per_rater=plan.most_per_rater,
        attention_every=plan.attention_every if planned.attention else 0,
        batches_open=1,
        lease_seconds=plan.lease_seconds,
        seed=plan.seed,
    )
    check_project(project)
    return project


def make_project(store: Database, name: str, planned: PlannedProject) -> NewProject:
    """Keep a planned project in an open store."""
    from nliprobe.people.store.projects import create_project

    project = check_plan(name, planned)
    create_project(store, project, planned.items)
    return NewProject(project, planned.asked, planned.attention, planned.batches, planned.left_out)


def hand_out_sheets(
    database: str | Path, name: str, raters: Sequence[str], folder: Path, *, items: int | None = None
) -> list[Path]:
    """Write a sheet per rater with items that are kept for them; the rules are those of handing out one by one.

    Args:
        database: the store.
        name: the project.
        raters: pseudonyms; new ones join the project.
        folder: where the sheets go.
        items: how many items a sheet has; by default as many as the rater may judge.
    """
    from nliprobe.people.item_sheets import sheet_paths, write_item_sheets
    from nliprobe.people.store import open_store
    from nliprobe.people.store.projects import read_items, read_project, task_of
    from nliprobe.people.store.sheets import lend_items

    if not raters or len(set(raters)) < len(raters):
        raise UsageError(f"Name each rater once, with {option('rater', 'NAME')}.")
    with open_store(database, make=False) as store:
        project = read_project(store, name)
        every = read_items(store, name)
        most = len(every) if items is None else items
        # What may be missing from the sheets is found before items are lent.
        task = task_of(project)
        if not task.cells:
            raise UsageError(f"Answers to the task '{project.task}' do not fit into the cells of a sheet.")
        sheet_paths(folder, raters)
        given = {rater: [item.name for item in lend_items(store, name, rater, most, SHEET_SECONDS)] for rater in raters}
        return write_item_sheets(task, every, folder, raters, assigned=given, seed=project.seed)


def take_files(database: str | Path, name: str, files: Iterable[Path]) -> dict[str, int]:
    """Take the judgements of filled sheets and of exports of Label Studio into the store, unless one is wrong.

    Args:
        database: the store.
        name: the project.
        files: sheets, and files that end in ``.json``.

    Returns:
        How many judgements are new, known and not needed, and how many annotations were skipped or empty.
    """
    from nliprobe.people.exchange.label_studio_read import EMPTY, SKIPPED, read_label_studio
    from nliprobe.people.item_sheets import read_item_sheets
    from nliprobe.people.store import open_store
    from nliprobe.people.store.projects import read_items, read_project, task_of
    from nliprobe.people.store.sheets import add_judgements

    every = list(files)
    with open_store(database, make=False) as store:
        project = read_project(store, name)
        task, items, now = task_of(project), read_items(store, name), store.clock()
        sheets = [path for path in every if path.suffix != ".json"]
        judgements = list(read_item_sheets(task, items, sheets, given=now)) if sheets else []
        left_out: Counter[str] = Counter()
        for path in every:
            if path.suffix == ".json":
                annotated = read_label_studio(path, task, project.task, items, given=now)
                judgements += annotated.judgements
                left_out.update(annotated.left_out)
        done = add_judgements(store, name, judgements)._asdict()
        return {**done, "skipped": left_out[SKIPPED], "empty": left_out[EMPTY]}


def _items(plan: ProjectPlan) -> tuple[list[Item], dict[str, int]]:
    if plan.task == "settle":
        return _queued(plan), {}
    task = TASKS.get(plan.task)(plan.options or {})
    pairs = _pairs(plan.on, plan.root)
    if plan.per_group is not None:
        pairs = per_group(pairs, plan.per_group, seed=plan.seed)
    known = _pairs(plan.attention, plan.root)
    sure = {pair.id for pair in known}
    both = next((pair.id for pair in pairs if pair.id in sure), None)
    if both is not None:
        # It would be asked once as a question and once as a check; and pairs that are to be judged are in doubt.
        raise DataError(f"The pair '{both:.80}' is to be judged and is an attention item, too: choose others.")
    made = items_of(task, [*pairs, *known], stratum=plan.stratum, attention=sure)
    return list(made.items), made.left_out


def _queued(plan: ProjectPlan) -> list[Item]:
    if len(plan.on) != 1 or not isinstance(plan.on[0], str):
        raise UsageError("The task 'settle' takes one review queue: the file that nliprobe review FILE writes.")
    if plan.attention:
        raise UsageError("The task 'settle' has no attention items: nobody knows yet what is right about its cases.")
    return settle_items(read_queue(Path(plan.on[0])), blind=plan.blind)


def _pairs(on: Sequence[str | PairSource], root: Path | None) -> list[Pair]:
    return [pair for source in open_sources(on, root) for pair in source.pairs()]


def _reasons(left_out: dict[str, int]) -> str:
    return ", ".join(f"{count:,} pairs left out because {reason}" for reason, count in left_out.items())
