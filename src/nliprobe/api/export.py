"""Exporting to the formats of other programs; what ``to`` says decides what can be exported and how."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, cast, overload

from nliprobe.api.export_documents import ExportDocument
from nliprobe.api.pairs import SourcesLike, as_sources
from nliprobe.base.errors import UsageError, did_you_mean, flag, option
from nliprobe.task.source import PairSource

if TYPE_CHECKING:
    from nliprobe.api.exchange.documents import ExchangeDocument

# The module that writes each format; it has a function ``export``.
MODEL_FORMATS = {"onnx": "nliprobe.api.export_onnx"}
EXCHANGE_FORMATS = {
    "csv": "nliprobe.api.exchange.csv_file",
    "parquet": "nliprobe.api.exchange.parquet",
    "hf": "nliprobe.api.exchange.hub",
    "lm-eval": "nliprobe.api.exchange.lm_eval",
    "inspect": "nliprobe.api.exchange.inspect_ai",
    "mlflow": "nliprobe.api.exchange.mlflow_store",
    "wandb": "nliprobe.api.exchange.wandb_files",
}
# Of these, the formats that hold the results of a run instead of its cases.
RESULT_FORMATS = ("mlflow", "wandb")
FORMATS = {**MODEL_FORMATS, **EXCHANGE_FORMATS}
PAIRS = 1000

Say = Callable[[str], None]
Progress = Callable[[int, int | None], None]


@dataclass(frozen=True)
class ExportRequest:
    """What is exported into which folder.

    Attributes:
        what: a system spec, a run folder, or a file of options with a suite; none for the suite of ``on``.
        out: the folder, which must not be there or be empty.
        int8: whether weights are rounded to 8 bits.
        on: the pairs on which the export of a model is compared with its original, or the corpora of a suite.
        pairs: on how many pairs at most models are compared.
        keep_anyway: whether an export is kept that agrees too rarely.
        root: the folder above the corpora.
        to: the format.
        probes: the probes of a suite.
        seed: the seed of a suite.
        represent: how tables are written.
        premise: which premise is shown.
        prompt: the prompt file of tasks.
        partial: whether a run may be unfinished or damaged.
        progress: told how many cases are done, of how many if that is known.
    """

    what: str | None
    out: Path
    int8: bool = False
    on: tuple[str | PairSource, ...] = ()
    pairs: int = PAIRS
    keep_anyway: bool = False
    root: Path | None = None
    to: str = "onnx"
    probes: tuple[str, ...] = ()
    seed: int | None = None
    represent: str = ""
    premise: str = ""
    prompt: Path | None = None
    partial: bool = False
    progress: Progress = field(default=lambda done, of: None, repr=False)


class Exporter(Protocol):
    """A module of :data:`FORMATS`."""

    def export(self, request: ExportRequest, say: Say) -> ExportDocument | ExchangeDocument:
        """Write the folder of a request, whole or not at all, and return what was written and measured."""
        ...


@dataclass(frozen=True, repr=False)
class Exported:
    """An exported model; ``document`` is that of ``nliprobe export --format json``."""

    path: Path
    document: ExportDocument

    def __repr__(self) -> str:
        agreement = self.document["agreement"]
        return f"<Exported {self.path}, agrees on {agreement['same']:,} of {agreement['n']:,} pairs>"


@dataclass(frozen=True, repr=False)
class Exchanged:
    """An exported run or suite; ``document`` is that of ``nliprobe export --format json``."""

    path: Path
    document: ExchangeDocument

    def __repr__(self) -> str:
        return f"<Exchanged {self.path}: {self.document['cases']:,} cases for {self.document['to']}>"


@overload
def export(
    what: str,
    out: str | Path,
    *,
    to: Literal["onnx"] = "onnx",
    int8: bool = False,
    on: SourcesLike = (),
    pairs: int = PAIRS,
    keep_anyway: bool = False,
    root: str | Path | None = None,
    say: Say = ...,
) -> Exported: ...


@overload
def export(
    what: str | Path | None,
    out: str | Path,
    *,
    to: Literal["csv", "parquet", "hf", "lm-eval", "inspect", "mlflow", "wandb"],
    on: SourcesLike = (),
    probes: Sequence[str] = (),
    seed: int | None = None,
    represent: str = "",
    premise: str = "",
    prompt: str | Path | None = None,
    partial: bool = False,
    root: str | Path | None = None,
    say: Say = ...,
    progress: Progress = ...,
) -> Exchanged: ...


@overload
def export(
    what: str | Path | None,
    out: str | Path,
    *,
    to: str,
    int8: bool = False,
    on: SourcesLike = (),
    pairs: int = PAIRS,
    keep_anyway: bool = False,
    probes: Sequence[str] = (),
    seed: int | None = None,
    represent: str = "",
    premise: str = "",
    prompt: str | Path | None = None,
    partial: bool = False,
    root: str | Path | None = None,
    say: Say = ...,
    progress: Progress = ...,
) -> Exported | Exchanged: ...


def export(
    what: str | Path | None,
    out: str | Path,
    *,
    to: str = "onnx",
    int8: bool = False,
    on: SourcesLike = (),
    pairs: int = PAIRS,
    keep_anyway: bool = False,
    probes: Sequence[str] = (),
    seed: int | None = None,
    represent: str = "",
    premise: str = "",
    prompt: str | Path | None = None,
    partial: bool = False,
    root: str | Path | None = None,
    say: Say = lambda line: None,
    progress: Progress = lambda done, of: None,
) -> Exported | Exchanged:
    """Write a model, a run or a suite for other programs.

    A model is also compared with its original: it is measured how far it still gives the same answers.

    Args:
        what: a run folder, or a file of options with a suite; for ``onnx``, a model: ``transformers:PATH``, or
            ``trained:FOLDER`` of the network ``classifier``; none for the suite of ``on`` and ``probes``.
        out: the new folder; it is written whole or not at all.
        to: the format: ``onnx`` for a model, ``csv``, ``parquet``, ``hf``, ``lm-eval`` or ``inspect`` for a run or a
            suite, ``mlflow`` or ``wandb`` for a run.
        int8: of a model, whether weights are rounded to 8 bits, which is faster on a CPU.
        on: the corpora of a suite; of a model, the pairs on which both are compared (by default the built-in corpus).
        pairs: of a model, how many of them are compared, drawn by a hash of their ids.
        keep_anyway: of a model, whether to keep an export that gives another answer too often; otherwise that is an
            error.
        probes: the probes of a suite; by default pairs are asked as they are.
        seed: the seed of a suite; by default 0.
        represent: how tables are written as text; by default ``para``.
        premise: which premise is shown: ``full``, ``none``, ``dummy`` or ``swapped``.
        prompt: the prompt file of ``lm-eval`` and ``inspect``; by default the prompt of ``chat:`` models.
        partial: whether a run may be unfinished or damaged; the export then says so.
        root: the folder above the corpora; by default that of NLIPROBE_DATA.
        say: called with every line that is worth reading.
        progress: called with the number of cases that are done, and with that of all if it is known.

    Raises:
        ModelError: an exported model gives another answer than its original too often; nothing is written.
    """
    if to not in FORMATS:
        raise UsageError(f"There is no format '{to}' to export to. {did_you_mean(to, FORMATS)}")
    if pairs < 1:
        raise UsageError(f"'pairs' should be at least 1, not {pairs}.")
    folder = Path(out)
    request = ExportRequest(
        None if what is None else str(what),
        folder,
        int8,
        tuple(as_sources(on)),
        pairs,
        keep_anyway,
        None if root is None else Path(root),
        to,
        tuple(probes),
        seed,
        represent,
        premise,
        None if prompt is None else Path(prompt),
        partial,
        progress,
    )
    _require_fitting(request)
    exporter = cast("Exporter", import_module(FORMATS[to]))
    document = exporter.export(request, say)
    if to in MODEL_FORMATS:
        return Exported(folder, cast("ExportDocument", document))
    return Exchanged(folder, cast("ExchangeDocument", document))


def _require_fitting(request: ExportRequest) -> None:
    """Refuse options that say nothing about the format, so that none is silently ignored."""
    of_models = {"int8": request.int8, "keep-anyway": request.keep_anyway, "pairs": request.pairs != PAIRS}
    of_runs = {
        "probes": request.probes,
        "seed": request.seed is not None,
        "represent": request.represent,
        "premise": request.premise,
        "prompt": request.prompt,
        "partial": request.partial,
    }
    if request.to in MODEL_FORMATS:
        if request.what is None:
            raise UsageError("Name the model to export: transformers:PATH or trained:FOLDER.")
        wrong = [name for name, given in of_runs.items() if given]
    else:
        wrong = [name for name, given in of_models.items() if given]
        if request.to in RESULT_FORMATS:
            # The answers are there, however premises would be written.
            wrong += [name for name in ("represent", "premise") if of_runs[name]]
    if wrong:
        name = flag(wrong[0]) if wrong[0] in ("int8", "keep-anyway", "partial") else option(wrong[0])
        raise UsageError(f"{name} does not belong to {option('to', request.to)}: leave it out.")
    if request.prompt is not None and request.to not in ("lm-eval", "inspect"):
        raise UsageError(f"{option('prompt')} belongs to tasks ({option('to', 'lm-eval')} or inspect): leave it out.")
