"""The public functions of ``import nliprobe``, one per job; the command line calls the same functions."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.api.outcomes import Check, Comparison, Gate, Score
from nliprobe.api.pairs import SourcesLike, as_sources
from nliprobe.api.resolve import Request, open_sources
from nliprobe.api.results import Run
from nliprobe.api.systems import SystemsLike, as_systems
from nliprobe.base.errors import UsageError, option
from nliprobe.engine.stages import SHARD_SIZE
from nliprobe.store.run import RunFolder

if TYPE_CHECKING:
    from nliprobe.analysis.compare.contract import Contract
    from nliprobe.api.score import AnswersLike
    from nliprobe.api.train import TrainedFolder
    from nliprobe.engine.steps import Progress
    from nliprobe.store.verdict import Verdict
    from nliprobe.templates.suite import TemplateTally
    from nliprobe.training.trainer import Watcher


class RunInterruptedError(KeyboardInterrupt):
    """Ctrl-C stopped a run; ``run`` holds what was asked so far, and the same call continues it."""

    def __init__(self, run: Run) -> None:
        super().__init__(f"Stopped; {run.path} keeps what was answered. Repeat the call to continue.")
        self.run = run


def run(
    systems: SystemsLike,
    on: SourcesLike,
    probes: str | Iterable[str] = ("gold",),
    out: str | Path | None = None,
    *,
    train: SourcesLike = (),
    represent: str | None = None,
    premise: str | None = None,
    train_premise: str | None = None,
    labels: str = "",
    root: str | Path | None = None,
    seed: int = 0,
    doctor: bool = True,
    engine: str = "local",
    address: str = "",
    workers: int | None = None,
    worker_gpus: float | None = None,
    shard_size: int = SHARD_SIZE,
    progress: Progress | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> Run:
    """Ask systems about pairs and about what probes make of them.

    Repeating the call continues a run that was stopped, asks failed inputs again, and does nothing when the run is
    complete. Systems can be added to a run of the same pairs and probes.

    Args:
        systems: whom to ask: spec strings (``svm?represent=para``), functions ``f(premises, hypotheses)`` that give one
            label or one list of scores per pair, models, or a mapping from names to any of these. :func:`system` says
            more about a function.
        on: what to ask about: spec strings (``infotabs/dev``), paths of files, lists of pairs, pandas or Polars frames,
            Hugging Face datasets, or a mapping from names to any of these. :func:`pairs` says what columns mean.
        probes: what is done to the pairs, such as ``["gold", "swap"]``.
        out: the run folder; without one the run is kept in a temporary folder for as long as the returned object lives.
        train: what trainable models learn from, in any form that ``on`` takes.
        represent: how tables are shown, unless a system says otherwise.
        premise: how much of the premise is shown, unless a system says otherwise.
        train_premise: the same for the pairs that models learn from.
        labels: the order of every system's labels; the doctor does not overrule it.
        root: the folder above the corpora; by default that of NLIPROBE_DATA.
        seed: of all random draws.
        doctor: whether new systems are examined before they are asked; every report says if they were not.
        engine: where systems are asked: ``local`` in this process, ``ray`` on the workers of a Ray cluster.
        address: the cluster, as ``host:port`` or ``auto`` for the one that runs on this machine; without one the
            workers run on this machine.
        workers: how many workers there are; by default one per GPU, or one per 4 CPUs.
        worker_gpus: GPUs per worker; by default one if the device of a model is a GPU.
        shard_size: cases per shard.
        progress: is told how far the run is.
        say: called with every line that is worth reading, such as the doctor's findings.

    Raises:
        RunInterruptedError: Ctrl-C was pressed; what was asked so far is kept.
    """
    from nliprobe.api.run import run as run_request
    from nliprobe.engine.choice import EngineChoice

    choice = EngineChoice(engine, address, workers, worker_gpus)
    request = Request(
        as_sources(on),
        as_systems(systems),
        _texts(probes),
        as_sources(train),
        _path(root),
        seed,
        labels,
        represent,
        premise,
        train_premise,
        doctor,
    )
    temporary = Path(tempfile.mkdtemp(prefix="nliprobe-")) if out is None else None
    folder = Path(out) if out is not None else Path(str(temporary)) / "run"
    try:
        result = run_request(request, folder, engine=choice, shard_size=shard_size, progress=progress, say=say)
    except BaseException:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)
        raise
    new_run = Run(result.run, result.tally, temporary=temporary)
    if result.tally is not None and result.tally.interrupted:
        raise RunInterruptedError(new_run)
    return new_run


def open_run(path: str | Path, *, partial: bool = False) -> Run:
    """Open the folder of a run.

    Args:
        path: the folder.
        partial: whether damaged files are left out of everything that is read, which every result then says. Without
            it, reading a damaged run is an error.
    """
    return Run(RunFolder.open(Path(path), partial=partial))


def score(
    predictions: AnswersLike,
    on: SourcesLike,
    *,
    labels: str = "",
    in_order: bool = False,
    answer_column: str = "",
    scores_column: str = "",
    id_column: str = "",
    file_format: str = "",
    encoding: str = "",
    allow_unmatched: bool = False,
    name: str = "",
    root: str | Path | None = None,
    doctor: bool = True,
    by: str | Sequence[str] = (),
) -> Score:
    """Score answers on labelled pairs: accuracy and macro F1 with 95 % intervals.

    Args:
        predictions: a file of answers; a frame or a list of records with an id, or premise and hypothesis, each; or a
            list or an array with one answer per pair in the order of the pairs: a label, or scores in the order of
            ``labels``.
        on: the pairs, in any form that :func:`run` takes.
        labels: the order of scores or the meaning of codes: ``entailment,neutral,contradiction``.
        in_order: whether there are no ids, and every pair is answered in the order of the corpus.
        answer_column: the column of the answer, where its name does not say.
        scores_column: the column of lists of scores, or one column per label with commas between them.
        id_column: the column of ids, where its name does not say.
        file_format: the format of the file, where its name does not say: csv, tsv, jsonl, json, parquet, hf, npy, npz.
        encoding: of a text file that is not UTF-8, such as ``latin-1``.
        allow_unmatched: whether more than 5 % of the pairs may be missing; they count as wrong, and notes say so.
        name: what reports call the answers; by default the file's name.
        root: the folder above the corpora; by default that of NLIPROBE_DATA.
        doctor: whether the order of the labels is checked; a note says if it was not.
        by: facets to break the accuracy down by, such as ``genre``; with commas between them, several are crossed, and
            ``label`` is the gold label.
    """
    from nliprobe.api.score import answers_of, score_answers
    from nliprobe.api.score import score as score_request
    from nliprobe.models.predictions import PredictionsParams

    sources = as_sources(on)
    facets = [by] if isinstance(by, str) else list(by)
    params = PredictionsParams(
        in_order=in_order,
        format=file_format,
        answer=answer_column,
        scores=scores_column,
        id=id_column,
        encoding=encoding,
        allow_unmatched=allow_unmatched,
    )
    system = answers_of(predictions, params, labels, name)
    if system is not None:
        request = Request(sources, [system], root=_path(root), labels=labels, doctor=doctor)
        return Score(score_request(request, facets))
    if len(sources) != 1:
        raise UsageError("A list of answers is scored on exactly one source of pairs.")
    if params != PredictionsParams(in_order=in_order):
        raise UsageError("A list of bare answers has no columns, format or ids to be named: it is in order.")
    [source] = open_sources(sources, _path(root))
    answers = list(predictions)  # type: ignore[arg-type]
    return Score(score_answers(source, answers, name=name or "answers", labels=labels, doctor=doctor, by=facets))


def compare(
    run: Run | str | Path,
    other: Run | str | Path | None = None,
    *more: Run | str | Path,
    left: str | None = None,
    right: str | None = None,
    systems: str | Iterable[str] = (),
    reference: str | None = None,
    margin: float | None = None,
    partial: bool = False,
) -> Comparison:
    """Compare two or more systems case by case, of one run or of several.

    By default all systems of all runs are compared, each with each. ``left`` and ``right`` choose two of them.

    Args:
        run: a run, or its folder.
        other: a second run.
        more: further runs.
        left: the system of the first run; not needed if it has only one.
        right: the system of the second run, or another one of the first.
        systems: the systems to compare, by their names; ``"svm (main)"`` is the one of the run ``main`` if several runs
            have a system of this name.
        reference: the system that every other one is compared with.
        margin: also test whether systems are worse by no more than this, as a fraction: 0.02 for two points.
        partial: whether damaged files of runs that are given by their folders are left out; there is no verdict then.
    """
    from nliprobe.analysis.compare.systems import compare_systems, compare_two

    wanted = [systems] if isinstance(systems, str) else list(systems)
    runs = [_folder(item, partial=partial) for item in (run, other, *more) if item is not None]
    if left is None and right is None:
        return Comparison(compare_systems(runs, wanted, reference=reference, margin=margin))
    if wanted or reference is not None:
        raise UsageError(
            f"{option('left')} and {option('right')} choose two systems; "
            f"{option('systems')} and {option('reference')} choose any number. Use one or the other."
        )
    if len(runs) > 2:
        raise UsageError(
            f"{option('left')} and {option('right')} compare two runs, not {len(runs)}. "
            f"Choose from all of them with {option('systems')}."
        )
    return Comparison(compare_two(runs[0], runs[-1], left, right, margin=margin))


def gate(
    run: Run | str | Path,
    *,
    baseline: Run | str | Path | None = None,
    contract: Contract | str | Path | None = None,
    system: str | None = None,
    baseline_system: str | None = None,
    margin: float = 0.0,
    partial: bool = False,
    cases: int = 0,
    suggest: float | None = None,
) -> Gate:
    """Decide whether a run passes, against a contract, against an earlier run, or both.

    Args:
        run: the run, or its folder; it must be complete.
        baseline: a run that it must not be worse than; by default the one that the contract names, if any.
        contract: limits that it must keep: a YAML file, or a contract.
        system: the system of the run; not needed if it has only one.
        baseline_system: the system of the baseline; by default that of the same name, or its only one.
        margin: how much worse than the baseline is still accepted, as a fraction.
        partial: whether damaged files of runs that are given by their folders are left out; the checks are shown, but
            the gate fails.
        cases: how many cases that speak against the system are kept with each failed check.
        suggest: a margin as a fraction, such as 0.01: also say how many cases each check needs for it.
    """
    from nliprobe.analysis.compare.contract import read_contract
    from nliprobe.analysis.compare.gate import gate as gate_folder

    limits = read_contract(Path(contract)) if isinstance(contract, str | Path) else contract
    if baseline is None and limits is not None and limits.baseline is not None:
        baseline = limits.folder / limits.baseline
    return Gate(
        gate_folder(
            _folder(run, partial=partial),
            baseline=None if baseline is None else _folder(baseline, partial=partial),
            contract=limits,
            system=system,
            baseline_system=baseline_system,
            margin=margin,
            cases=cases,
            suggest=suggest,
        )
    )


def check(run: Run | str | Path) -> Check:
    """Compare every byte of a run with its records, for an archive or after a disk has failed; nothing is written.

    Args:
        run: the run, or its folder.
    """
    from nliprobe.analysis.check import check_document

    return Check(check_document(run.path if isinstance(run, Run) else Path(run)))


def train(
    model: str,
    train: SourcesLike,
    out: str | Path,
    *,
    dev: SourcesLike = (),
    represent: str | None = None,
    premise: str | None = None,
    seeds: Sequence[int] = (0,),
    root: str | Path | None = None,
    watcher: Watcher | None = None,
    through: str = "",
    through_share: float = 1.0,
    through_labels: str = "",
) -> list[TrainedFolder]:
    """Train a network or a simpler model and keep it in a folder; :func:`run` takes the result as a system.

    Args:
        model: the model with its choices, such as ``svm`` or ``classifier?encoder=path/to/checkpoint&epochs=3``.
        train: the pairs to learn from, in any form that ``on`` of :func:`run` takes.
        out: the folder; a network goes to a folder ``seed-N`` in it per seed.
        dev: the pairs that decide when a network stops.
        represent: how tables are shown; by default what suits the network best.
        premise: how much of the premise is shown.
        seeds: a network is trained once with each.
        root: the folder above the corpora; by default that of NLIPROBE_DATA.
        watcher: is told how far the training is.
        through: a probe that some training pairs pass through first, such as ``swap``.
        through_share: the share of them, from 0 to 1.
        through_labels: their gold labels, such as ``N,C``; all by default.
    """
    from nliprobe.api.through import Through
    from nliprobe.api.train import TrainRequest
    from nliprobe.api.train import train as train_request

    pairs, stopping = as_sources(train), as_sources(dev)
    if not through and (through_labels or through_share != 1):
        raise UsageError(f"A share or labels are given, but no probe: name it with {option('through', 'swap')}.")
    edits = Through(through, through_share, through_labels) if through else None
    request = TrainRequest(model, pairs, stopping, represent, premise or "full", tuple(seeds), _path(root), edits)
    return train_request(request, Path(out), Unwatched() if watcher is None else watcher)


@dataclass(frozen=True)
class Generated:
    """What :func:`generate` wrote: the file or folder, and what each template gave."""

    path: Path
    seed: int
    templates: tuple[TemplateTally, ...]

    @property
    def document(self) -> dict[str, object]:
        """The document of ``nliprobe generate``."""
        from nliprobe.api.generate import document

        return document(self.templates, self.seed)


def generate(
    templates: str | Path,
    out: str | Path,
    *,
    n: int | None = None,
    total: int | None = None,
    only: str | Iterable[str] = (),
    by: str = "",
    seed: int = 0,
    workers: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Generated:
    """Draw examples from templates into a file; the same seed gives the same examples on every machine.

    Args:
        templates: ``checklist``, ``checklist-all``, a YAML file, or a folder of them; for executable hypotheses about
            tables, ``tables`` or ``tables:PATH``.
        out: the file, whose ending says its format (``.parquet``, ``.jsonl``, ``.csv``, ``.tsv``); without an ending, a
            folder that Hugging Face's datasets reads.
        n: examples per template; a tenth of it for knowledge.
        total: examples of all table templates together, instead of ``n``.
        only: use only these capabilities or ids of templates.
        by: a placeholder; examples are drawn for each of its values and each gender of names.
        seed: of all random draws.
        workers: how many templates are drawn at once.
        progress: called with the number of templates done and their total; of table templates, with that of examples.
    """
    from nliprobe.api._generate_tables import is_tables, table_source
    from nliprobe.api.generate import generate as generate_suite
    from nliprobe.api.generate import generate_tables
    from nliprobe.templates.find import find_templates

    done = expected = 0

    def advance(rows: int) -> None:
        nonlocal done
        done += rows
        progress(done, expected)

    if is_tables(str(templates)):
        source = table_source(str(templates), n=n, total=total, only=_texts(only), by=by, seed=seed)
        expected = source.asked
        progress(0, expected)
        return Generated(Path(out), source.params.seed, tuple(generate_tables(source, Path(out), advance=advance)))
    if total is not None:
        raise UsageError(f"total is for table templates; say examples per template: {option('n', 'N')}.")
    chosen = find_templates(str(templates), _texts(only), by)
    expected = len(chosen)
    progress(0, expected)
    tallies = generate_suite(chosen, Path(out), n=n, seed=seed, workers=workers, advance=advance)
    return Generated(Path(out), seed, tuple(tallies))


def doctor(
    systems: SystemsLike,
    *,
    on: SourcesLike = (),
    train: SourcesLike = (),
    labels: str = "",
    root: str | Path | None = None,
    seed: int = 0,
) -> dict[str, Verdict]:
    """Check on obvious pairs whether the labels of systems are in order and whether they look at the premise.

    Args:
        systems: whom to ask, in any form that :func:`run` takes.
        on: labelled pairs on which a file of answers is checked.
        train: what trainable models learn from.
        labels: the order of every system's labels.
        root: the folder above the corpora; by default that of NLIPROBE_DATA.
        seed: of all random draws.
    """
    from nliprobe.api.doctor import doctor as examine

    asked, pairs, learnt = as_systems(systems), as_sources(on), as_sources(train)
    return examine(Request(pairs, asked, train=learnt, root=_path(root), seed=seed, labels=labels))


class Unwatched:
    """Watches training without saying anything."""

    def begin(self, steps: int, done: int) -> None:
        """Say nothing."""

    def advance(self, loss: float | None) -> None:
        """Say nothing."""

    def say(self, line: str) -> None:
        """Say nothing."""


def _folder(run: Run | str | Path, *, partial: bool) -> RunFolder:
    if isinstance(run, Run):
        return run.folder
    if isinstance(run, str | Path):
        return RunFolder.open(Path(run), partial=partial)
    raise UsageError(f"A run is a Run or the path of its folder, not {type(run).__name__}.")


def _path(path: str | Path | None) -> Path | None:
    return None if path is None else Path(path)


def _texts(given: str | Iterable[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)
