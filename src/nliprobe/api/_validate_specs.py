"""Validating spec strings, as far as that is possible without running anything."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nliprobe.api._findings import Report
from nliprobe.api.sources import open_source
from nliprobe.base.errors import NliprobeError
from nliprobe.base.files import data_roots
from nliprobe.base.limited import exists
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS
from nliprobe.models.system import SystemSpec
from nliprobe.probes.suite import build_probe, probe_specs
from nliprobe.represent.reader import build_representation
from nliprobe.task.labels import LabelMap
from nliprobe.task.sources import SOURCES, origin


def check_probes(texts: Sequence[str], report: Report, place: str) -> None:
    """Check that probes exist, have the parameters given, and are named once."""
    seen: set[str] = set()
    for text in probe_specs(texts):
        with report.noting("probe", place):
            spec = build_probe(text).spec
            if spec in seen:
                report.error("twice", f"The probe '{spec}' is named twice.", place)
            seen.add(spec)


def check_corpora(texts: Sequence[str], report: Report, place: str, root: Path | None = None) -> None:
    """Check that corpora and splits exist; one that is not on this machine is only a warning."""
    seen: set[str] = set()
    for text in texts:
        if text in seen:
            report.error("twice", f"The corpus '{text}' is named twice.", place)
        seen.add(text)
        try:
            path = getattr(origin(open_source(text, root)), "path", None)
            if isinstance(path, Path) and not exists(path):
                report.error("corpus", f"The file {path} does not exist.", place)
        except NliprobeError as error:
            if _only_elsewhere(text, root):
                report.warn("corpus", str(error), place)
            else:
                report.refused("corpus", error, place)


def _only_elsewhere(text: str, root: Path | None) -> bool:
    """Tell whether a corpus is named correctly and its files are merely not on this machine."""
    try:
        name, _, split = Spec.parse(text).name.partition("/")
        kind = SOURCES.get(name)
    except NliprobeError:
        return False
    only = next(iter(kind.splits)) if len(kind.splits) == 1 else ""
    return (split or only) in kind.splits and kind.located(split or only, data_roots(root)) is None


def check_represent(text: str, report: Report, place: str) -> None:
    """Check that a representation exists."""
    with report.noting("representation", place):
        build_representation(text)


def check_system(text: str, report: Report, place: str, *, trained: bool = True) -> None:
    """Check that a system's model, parameters, representation, premise control and label map exist."""
    with report.noting("system", place):
        spec = SystemSpec.parse(text)
        if spec.represent is not None:
            check_represent(spec.represent, report, place)
        labels = None
        with report.noting("labels", place):
            labels = LabelMap.parse(spec.labels) if spec.labels else None
        model = MODELS.get(spec.model.name).from_spec(spec.model, labels)
        model.close()
        if model.trainable and not trained:
            # They may as well be named on the command line.
            report.warn("train", f"'{spec.model.name}' learns from pairs, but no option 'train' names any.", place)
