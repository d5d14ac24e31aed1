"""What is exported: the cases of a suite, or those of a run together with the answers of its systems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.api.exchange.stored import StoredShard, stored_shards
from nliprobe.api.exchange.suite_file import of_suite_file, refuse_suite
from nliprobe.api.plan import ReadingSystem
from nliprobe.api.resolve import Request, check_sources
from nliprobe.base.errors import NotFoundError, StoreError, UsageError, flag, option
from nliprobe.engine.stages import SHARD_SIZE, Shard, read_shard, shards
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader, build_representation
from nliprobe.store.run import MANIFEST, RunFolder
from nliprobe.store.soundness import State
from nliprobe.task.case import Case, Input
from nliprobe.task.labels import Partition
from nliprobe.task.table import Table

if TYPE_CHECKING:
    from nliprobe.api.export import ExportRequest
    from nliprobe.probes.suite import Suite


class Batch(NamedTuple):
    """Some cases with their corpora and with what a model reads for each."""

    number: int
    corpora: list[str]
    cases: list[Case]
    inputs: list[Input]


@dataclass(frozen=True)
class View:
    """How cases are shown: the representation of tables, the premise control, and the seed of its draws."""

    represent: str
    control: Control
    seed: int

    def reader(self) -> Reader:
        """Return what makes texts of cases."""
        return Reader(build_representation(self.represent), self.control, seed=self.seed, keyed=False)

    @property
    def form(self) -> str:
        """How a prompt names the way in which tables are written; empty where no table is shown."""
        shown = self.control in (Control.FULL, Control.SWAPPED)
        return build_representation(self.represent).form if shown else ""

    def form_of(self, case: Case) -> str:
        """Return how the premise of a case is written; empty for a text."""
        return self.form if isinstance(case.premise, Table) else ""


@dataclass(frozen=True)
class Origin:
    """Where the exported cases come from.

    Attributes:
        name: the run folder, or the corpora of the suite.
        suite_hash: which suite it is.
        partitions: the labels of each corpus, by its name.
        probes: the specs of the probes.
        view: how cases are shown.
        total: how many cases there are, if that is known before they are made.
        run: the run, if it is one.
        suite: the suite, if it is one.
    """

    name: str
    suite_hash: str
    partitions: dict[str, Partition]
    probes: tuple[str, ...]
    view: View
    total: int | None = None
    run: RunFolder | None = None
    suite: Suite | None = None

    @property
    def partial(self) -> bool:
        """Whether the run is unfinished or damaged."""
        return self.run is not None and self.run.state is not State.COMPLETE

    def batches(self) -> Iterator[Batch]:
        """Yield all cases in their order, in bounded memory."""
        reader = self.view.reader()
        if self.run is not None:
            for stored in stored_shards(self.run):
                yield _read(stored, [reader.read(case) for case in stored.cases])
        elif self.suite is not None:
            system = ReadingSystem(reader)
            for shard in shards(self.suite, SHARD_SIZE, pools=reader.needs_pool):
                yield _read(shard, read_shard(system, shard))


def _read(shard: Shard | StoredShard, inputs: list[Input]) -> Batch:
    return Batch(shard.number, shard.corpora, shard.cases, inputs)


def open_origin(request: ExportRequest) -> Origin:
    """Open the run or the suite that a request names; a run that is not complete is an error unless allowed."""
    request = of_suite_file(request)
    view = View(request.represent or "para", Control.parse(request.premise or "full"), request.seed or 0)
    view.reader()  # says at once if there is no such representation
    return _suite(request, view) if request.what is None else _run(request, view)


def open_run(request: ExportRequest) -> Origin:
    """Open the run that a request names, for formats that hold results."""
    if of_suite_file(request).what is None:
        raise UsageError(f"{option('to', request.to)} writes the results of a run: name the folder of one.")
    return open_origin(request)


def _suite(request: ExportRequest, view: View) -> Origin:
    if not request.on:
        raise UsageError(
            f"Name what to export: a run folder, a file of options, or a suite with {option('on', 'CORPUS')} and "
            f"{option('probes', 'PROBE')}."
        )
    if request.partial:
        raise UsageError(f"{flag('partial')} belongs to a run, and a suite is always whole: leave it out.")
    suite = Request(request.on, (), request.probes or ("gold",), root=request.root, seed=view.seed).suite()
    check_sources(suite.sources)
    return Origin(
        ", ".join(source.name for source in suite.sources),
        suite.hash,
        {source.name: source.partition for source in suite.sources},
        tuple(probe.spec for probe in suite.probes),
        view,
        suite=suite,
    )


def _run(request: ExportRequest, view: View) -> Origin:
    path = Path(str(request.what))
    refuse_suite(request, f"{path} is a run")
    if view.control is Control.SWAPPED:
        raise UsageError(
            f"Other premises are drawn from the corpora, which a run does not hold: instead of {path}, name the suite "
            f"with {option('on', 'CORPUS')}."
        )
    if not (path / MANIFEST).is_file():
        # What nliprobe plan writes has the inputs of a suite, but not which of them are compared.
        what = "it is a file" if path.is_file() else f"it has no {MANIFEST}" if path.is_dir() else "it is not there"
        raise NotFoundError(
            f"{path} is not a run: {what}. Name a run folder, a file of options, or a suite with "
            f"{option('on', 'CORPUS')} and {option('probes', 'PROBE')}."
        )
    run = RunFolder.open(path, partial=request.partial)
    if run.state is State.UNFINISHED and not request.partial:
        raise StoreError(
            f"The run {path} is unfinished: some cases were never asked. Repeat the command that made it, which "
            f"continues it, or export what is there with {flag('partial')}."
        )
    counts, suite = run.record.counts, run.record.suite
    return Origin(
        str(path),
        suite.hash,
        {item.name: item.partition for item in run.corpora},
        tuple(item.spec for item in suite.probes),
        view,
        None if counts is None else counts.cases,
        run=run,
    )
