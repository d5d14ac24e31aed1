"""Exporting to the formats of other programs; what ``to`` says decides what can be exported and how."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from nliprobe.api.export_documents import ExportDocument
from nliprobe.api.pairs import SourcesLike, as_sources
from nliprobe.base.errors import UsageError, did_you_mean
from nliprobe.task.source import PairSource

# The module that writes each format; it has a function ``export``.
FORMATS = {"onnx": "nliprobe.api.export_onnx"}
PAIRS = 1000

Say = Callable[[str], None]


@dataclass(frozen=True)
class ExportRequest:
    """What is exported into which folder.

    Attributes:
        what: a system spec.
        out: the folder, which must not be there or be empty.
        int8: whether weights are rounded to 8 bits.
        on: the pairs on which the export is compared with its original; by default the built-in corpus.
        pairs: how many of them at most.
        keep_anyway: whether an export is kept that agrees too rarely.
        root: the folder above the corpora.
    """

    what: str
    out: Path
    int8: bool = False
    on: tuple[str | PairSource, ...] = ()
    pairs: int = PAIRS
    keep_anyway: bool = False
    root: Path | None = None


class Exporter(Protocol):
    """A module of :data:`FORMATS`."""

    def export(self, request: ExportRequest, say: Say) -> ExportDocument:
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


def export(
    model: str,
    out: str | Path,
    *,
    to: str = "onnx",
    int8: bool = False,
    on: SourcesLike = (),
    pairs: int = PAIRS,
    keep_anyway: bool = False,
    root: str | Path | None = None,
    say: Say = lambda line: None,
) -> Exported:
    """Write a model for other programs, and measure how far it still gives the same answers.

    Args:
        model: what is exported: ``transformers:PATH``, or ``trained:FOLDER`` of the network ``classifier``.
        out: the new folder; it is written whole or not at all.
        to: the format: ``onnx``.
        int8: whether weights are rounded to 8 bits, which is faster on a CPU.
        on: the pairs on which both are compared, in any form that ``run`` takes; by default the built-in corpus.
        pairs: how many of them are compared, drawn by a hash of their ids.
        keep_anyway: whether to keep an export that gives another answer too often; otherwise that is an error.
        root: the folder above the corpora; by default that of NLIPROBE_DATA.
        say: called with every line that is worth reading.

    Raises:
        ModelError: the export gives another answer than its original too often; nothing is written.
    """
    if to not in FORMATS:
        raise UsageError(f"There is no format '{to}' to export to. {did_you_mean(to, FORMATS)}")
    if pairs < 1:
        raise UsageError(f"'pairs' should be at least 1, not {pairs}.")
    exporter = cast("Exporter", import_module(FORMATS[to]))
    folder = Path(out)
    request = ExportRequest(
        model, folder, int8, tuple(as_sources(on)), pairs, keep_anyway, None if root is None else Path(root)
    )
    return Exported(folder, exporter.export(request, say))
