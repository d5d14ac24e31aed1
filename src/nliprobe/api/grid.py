"""A grid: models trained with other shares of edited pairs, each asked the same tests, and the table of both."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe import __version__
from nliprobe.api.grid_cell import CellResult
from nliprobe.api.grid_jobs import Job, train_all
from nliprobe.api.resolve import Request, check_sources, open_sources
from nliprobe.api.run import run
from nliprobe.api.through import PassedThrough, Through
from nliprobe.api.train import TrainRequest, check_request
from nliprobe.base.errors import StoreError, UsageError, option
from nliprobe.base.files import json_bytes, require_writable, write_atomic
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.task.pair import Pair
from nliprobe.task.source import PairSource
from nliprobe.training.trainer import Watcher

if TYPE_CHECKING:
    from nliprobe.analysis.cases import RunData
    from nliprobe.analysis.grid import GridSystem
    from nliprobe.analysis.grid_documents import GridDocument, GridModel, GridTraining
    from nliprobe.engine.steps import Progress

DOCUMENT = "grid.json"
RUNS = "runs"
# The tests of Naik et al. (2018); a family of probes stands for all of them.
TESTS = ("stress",)
# Those behind the deviations that the paper prints.
SHARES = (0.0, 0.5, 0.75, 1.0)
_LONGEST_NAME = 60


@dataclass(frozen=True)
class GridRequest:
    """What a user asks for.

    Attributes:
        models: networks or simpler models with their options; ``name=`` gives one another name in the table.
        train: the splits to learn from.
        dev: the splits that decide when a network stops; they are never edited.
        through: the probe that some training pairs pass through; nothing is edited if empty.
        labels: the gold labels of those pairs, such as ``N,C``; all if empty.
        shares: the shares of those pairs, from 0 to 1.
        seeds: a network is trained once per seed.
        stress: the corpora that tests are made from, one per genre.
        also: corpora that are tests themselves, those of one test together.
        probes: the tests that are made.
        over: the shares that the deviation adds up; by default all but 0.
        represent: the representation; by default what suits each network best.
        premise: the premise control at training and asking.
        jobs: how many trainings run side by side.
        root: the folder above the corpora; by default that of NLIPROBE_DATA.
    """

    models: Sequence[str]
    train: Sequence[str | PairSource]
    dev: Sequence[str | PairSource] = ()
    through: str = "swap"
    labels: str = ""
    shares: Sequence[float] = SHARES
    seeds: Sequence[int] = (0,)
    stress: Sequence[str | PairSource] = ()
    also: Sequence[Sequence[str | PairSource]] = ()
    probes: Sequence[str] = TESTS
    over: Sequence[float] | None = None
    represent: str | None = None
    premise: str = "full"
    jobs: int = 1
    root: Path | None = None

    @property
    def asks(self) -> bool:
        """Whether the models are asked anything once they are trained."""
        return bool(self.stress or self.also)

    @property
    def added(self) -> list[float]:
        """The shares that the deviation adds up."""
        return sorted({*(self.shares if self.over is None else self.over)} - {0.0})


@dataclass(frozen=True)
class Cell:
    """One training of a grid: which it is, what runs call it, and how it is trained."""

    system: str
    model: str
    share: float
    seed: int | None
    job: Job


@dataclass
class GridResult:
    """What a call did.

    Attributes:
        trainings: how each training ended, by its cell; those that were never begun are missing.
        document: the table; none if nothing was asked, or if the user stopped it.
        stopped: whether the user stopped it; the same call continues.
    """

    trainings: dict[str, CellResult] = field(default_factory=dict)
    document: GridDocument | None = None
    stopped: bool = False

    @property
    def failed(self) -> dict[str, str]:
        """Why trainings failed, by their names."""
        return {name: result.error for name, result in self.trainings.items() if result.error}


def grid(
    request: GridRequest,
    out: Path,
    watcher: Watcher,
    *,
    progress: Progress | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> GridResult:
    """Train every model with every share and seed, ask all of them, and write the table to ``OUT/grid.json``.

    Whatever is trained and asked already is left as it is. A training that fails leaves a gap in the table.
    """
    cells = grid_cells(request, out)
    suites = _check(request, cells, out)
    result = GridResult()

    def done(job: Job, ended: CellResult) -> None:
        result.trainings[job.name] = ended
        say(f"[{len(result.trainings)}/{len(cells)}] {job.name}: {_how(ended)}")

    result.stopped = not train_all([cell.job for cell in cells], request.jobs, watcher, done)
    if result.stopped or not request.asks:
        return result
    there = [cell for cell in cells if result.trainings[cell.system].folder is not None]
    if not there:
        return result
    data: list[RunData] = []
    for suite in suites:
        asked = replace(suite, systems=[_system(cell, result.trainings[cell.system]) for cell in there])
        folder = out / RUNS / f"{'also' if suite.probes == ('gold',) else 'stress'}-{suite.suite().hash[:8]}"
        try:
            ended = run(asked, folder, progress=progress, say=say)
        except StoreError as error:
            raise StoreError(
                f"{error} If models were trained again or their folder was moved: delete {folder}. Nothing is lost, "
                "because answers that are still right are in the cache."
            ) from error
        if ended.tally is not None and ended.tally.interrupted:
            result.stopped = True
            return result
        from nliprobe.analysis.cases import read_run

        data.append(read_run(ended.run))
    names = [[source.name for source in open_sources(group, request.root)] for group in request.also]
    result.document = grid_document(
        data,
        [(_place(cell), result.trainings[cell.system]) for cell in cells],
        GridAbout(
            {cell.model: cell.job.request.spec for cell in cells},
            [source.name for source in open_sources(request.train, request.root)],
            [source.name for source in open_sources(request.dev, request.root)],
            request.premise,
            request.through,
            request.labels,
        ),
        request.added,
        names,
    )
    write_atomic(out / DOCUMENT, json_bytes({**result.document}))
    return result


@dataclass(frozen=True)
class GridAbout:
    """What a grid was trained on.

    Attributes:
        models: the spec of each model by its name.
        train: the splits that were learnt from.
        dev: the splits that decided when training stopped.
        premise: the premise control.
        through: the probe that some training pairs passed through.
        labels: the gold labels of those pairs, or nothing for all.
    """

    models: Mapping[str, str]
    train: Sequence[str]
    dev: Sequence[str]
    premise: str = "full"
    through: str = "swap"
    labels: str = "N,C"


def grid_document(
    data: Sequence[RunData],
    systems: Sequence[tuple[GridSystem, CellResult]],
    about: GridAbout,
    over: Sequence[float],
    also: Sequence[Sequence[str]] = (),
) -> GridDocument:
    """Make the document of a grid from answers, however they came.

    Args:
        data: what the systems were asked, each corpus in one run only.
        systems: which system is which, and how its training ended.
        about: what they were trained on.
        over: the shares that the deviation adds up.
        also: the names of corpora that are tests themselves, those of one test together.
    """
    from nliprobe.analysis.grid import grid_numbers
    from nliprobe.analysis.grid_documents import SCHEMA, GridDocument

    places = [place for place, _ in systems]
    numbers = grid_numbers(data, places, over, also)
    models: list[GridModel] = [{"name": name, "spec": spec} for name, spec in about.models.items()]
    trainings: list[GridTraining] = [
        {
            "system": place.system,
            "model": place.model,
            "share": place.share,
            "seed": place.seed,
            "dev": max(ended.dev, default=None),
            "error": ended.error or None,
            "constant": numbers.constant.get(place.system),
        }
        for place, ended in systems
    ]
    return GridDocument(
        schema=SCHEMA,
        nliprobe=__version__,
        models=models,
        train=list(about.train),
        dev=list(about.dev),
        premise=about.premise,
        through=about.through,
        labels=about.labels,
        shares=sorted({place.share for place in places}),
        over=list(over),
        trainings=trainings,
        rows=numbers.rows,
        deviations=numbers.deviations,
    )


def grid_cells(request: GridRequest, out: Path) -> list[Cell]:
    """List the trainings of a grid: model by model, and within each by share and seed."""
    names = [_model_name(text) for text in request.models]
    twice = next((name for name in names if names.count(name) > 1), "")
    if twice:
        raise UsageError(f"Two models are called '{twice}'. Give one of them another name, as in {twice}?name=other.")
    return [
        cell for name, text in zip(names, request.models, strict=True) for cell in _of_model(request, name, text, out)
    ]


def _of_model(request: GridRequest, name: str, text: str, out: Path) -> Iterator[Cell]:
    spec = str(Spec.parse(text).take("name")[1])
    for share in request.shares:
        through = Through(request.through, share, request.labels) if request.through else None
        folder = out / name / f"share-{share:g}"
        common = (request.train, request.dev, request.represent, request.premise)
        one = TrainRequest(spec, *common, (request.seeds[0],), request.root, through)
        family = f"{name}-{_percent(share)}"
        if not check_request(one):
            yield Cell(family, name, share, None, Job(family, one, folder))
            continue
        for seed in request.seeds:
            system = f"{family}-seed-{seed}"
            yield Cell(system, name, share, seed, Job(system, replace(one, seeds=(seed,)), folder))


def _model_name(text: str) -> str:
    """Return the name of a model, which is the name of its folder, too: that given, or its spec in plain letters."""
    taken, spec = Spec.parse(text).take("name")
    whole = taken.get("name") or ",".join([spec.name, *(f"{key}={value}" for key, value in spec.params)])
    plain = re.sub(r"[^\w.,=+-]+", "_", whole).strip(".") or "_"
    # Two specs must not share a folder because of letters that a name cannot have.
    return plain if plain == whole and len(plain) <= _LONGEST_NAME else f"{plain[:_LONGEST_NAME]}-{digest(whole)[:6]}"


def _percent(share: float) -> str:
    return f"{round(100 * share, 6):g}%"


def _check(request: GridRequest, cells: Sequence[Cell], out: Path) -> list[Request]:
    """Open everything before anything is trained; return the suites to ask."""
    shares = list(request.shares)
    if len({*shares}) < len(shares):
        raise UsageError(f"{option('through-share', python='shares')} names a share twice.")
    if not request.models:
        raise UsageError("There is no model to train: name one, such as esim.")
    if not request.through and (shares != [0.0] or request.labels):
        raise UsageError(f"Shares or labels are given, but no probe: name it with {option('through', 'swap')}.")
    if request.asks and 0.0 not in shares:
        raise UsageError(
            f"R compares each score with that of 0 % edited pairs: add 0 to {option('through-share', python='shares')}."
        )
    lacking = sorted({*request.added} - {*shares})
    if lacking and request.asks:
        raise UsageError(
            f"The deviation cannot add up {_percent(lacking[0])}, with which nothing is trained: add {lacking[0]:g} to "
            f"{option('through-share', python='shares')}."
        )
    if request.jobs < 1:
        raise UsageError(f"{option('jobs', str(request.jobs))} should be at least 1.")
    if request.jobs > 1 and not all(isinstance(item, str) for item in (*request.train, *request.dev)):
        raise UsageError(
            f"Trainings side by side read their pairs themselves: name corpora or files, or leave out {option('jobs')}."
        )
    _check_torch(cells)
    learning = open_sources(request.train, request.root)
    if request.through:
        learning = [PassedThrough(source, Through(request.through, labels=request.labels)) for source in learning]
    stopping, stressed = open_sources(request.dev, request.root), open_sources(request.stress, request.root)
    beside = [source for group in request.also for source in open_sources(group, request.root)]
    check_sources([*learning, *stopping, *stressed, *beside])
    if request.through and Spec.parse(request.through).name == "swap":
        for source in (*learning, *stressed):
            _refuse_tables(source)
    suites = []
    if stressed:
        suites.append(Request(stressed, probes=_tests(request), root=request.root, doctor=False))
    if beside:
        suites.append(Request(beside, root=request.root, doctor=False))
    for suite in suites:
        suite.suite()  # a mistyped probe costs no training
    require_writable(out)
    return suites


def _tests(request: GridRequest) -> tuple[str, ...]:
    probes = tuple(request.probes)
    return probes if probes != ("gold",) else ()


def _check_torch(cells: Sequence[Cell]) -> None:
    """Raise an error if networks cannot be trained here at all: each training would fail for the same reason."""
    from nliprobe.models.batches import choose_device, require_torch
    from nliprobe.models.trained import network_of

    networks = {cell.job.request.spec for cell in cells if cell.seed is not None}
    if networks:
        require_torch()
    for spec in networks:
        choose_device(network_of(Spec.parse(spec)).plan.device)


def _refuse_tables(source: PairSource) -> None:
    first: Pair | None = next(iter(source.pairs()), None)
    if first is not None and not isinstance(first.premise, str):
        raise UsageError(
            f"{source.name} has tables as premises, which cannot change places with a hypothesis: a grid of swapped "
            "pairs needs two texts. Name corpora of sentences, such as snli or multinli."
        )


def _place(cell: Cell) -> GridSystem:
    from nliprobe.analysis.grid import GridSystem

    return GridSystem(cell.system, cell.model, cell.share, cell.seed)


def _system(cell: Cell, ended: CellResult) -> str:
    """Return the spec that asks a trained model, on the device it was trained for."""
    assert ended.folder is not None
    given = dict(Spec.parse(cell.job.request.spec).params)
    params = {"name": cell.system}
    if cell.seed is not None:
        params["family"] = f"{cell.model}-{_percent(cell.share)}"
        if "device" in given:
            params["device"] = given["device"]
    return str(Spec("trained", str(ended.folder.resolve()), tuple(sorted(params.items()))))


def _how(ended: CellResult) -> str:
    if ended.error:
        return f"failed: {ended.error}"
    best = f", best on dev {100 * max(ended.dev):.2f}" if ended.dev else ""
    return f"ready{best}" if ended.seconds is None else f"trained in {ended.seconds:.0f} s{best}"
