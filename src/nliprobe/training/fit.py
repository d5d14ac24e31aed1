"""Fit a trainable model once, and save it under its fingerprint."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Sequence
from pathlib import Path

from nliprobe.base.errors import DataError, NliprobeError, StoreError
from nliprobe.base.files import cache_folder, set_aside
from nliprobe.models.base import Example, Trainable
from nliprobe.models.learnable import learnable
from nliprobe.models.system import DEFAULT_REPRESENTATION, System
from nliprobe.models.trained_record import TrainedRecord, is_trained, trained_origin
from nliprobe.represent.reader import Reader
from nliprobe.task.source import PairSource, Pool


def make_ready(system: System, sources: Sequence[PairSource]) -> bool:
    """Load the system's model, or fit and save it if that was never done; tell whether it was fitted now."""
    model = system.model
    if not isinstance(model, Trainable):
        return False
    folder = model_folder(system)
    if is_trained(folder) and _load(model, folder):
        return False
    examples = _learnable(system, sources)
    model.fit(examples)
    spec = system.spec
    record = TrainedRecord(
        "model",
        str(spec.model),
        spec.represent or DEFAULT_REPRESENTATION,
        system.learning_reader.control.value,
        tuple(learnable(examples)[0]),
        tuple(source.name for source in sources),
        (),
        system.fingerprint() or "",
    )
    _save(model, folder, record)
    return True


def model_folder(system: System) -> Path:
    """Return the folder of a fitted model."""
    return cache_folder() / "models" / f"{system.spec.model.name}-{system.fingerprint()}"


def read_examples(reader: Reader, sources: Sequence[PairSource]) -> list[Example]:
    """Return every labelled pair of the given splits, as the reader reads it."""
    examples: list[Example] = []
    for source in sources:
        reader.enter(Pool.of(source) if reader.needs_pool else None)
        examples.extend(Example(reader.read_pair(pair), pair.gold) for pair in source.pairs() if pair.gold is not None)
    return examples


def _load(model: Trainable, folder: Path) -> bool:
    """Load a model that was kept; one that is damaged is set aside, because it can be fitted again."""
    try:
        TrainedRecord.read(folder).require_sound(folder, trained_origin(folder))
        model.load(folder)
    except (DataError, StoreError):
        shutil.rmtree(folder.with_name(folder.name + ".damaged"), ignore_errors=True)
        set_aside(folder)
        return False
    return True


def _learnable(system: System, sources: Sequence[PairSource]) -> list[Example]:
    examples = read_examples(system.learning_reader, sources)
    if not examples:
        names = ", ".join(source.name for source in sources)
        raise DataError(f"There is no labelled pair to learn from in {names}.")
    return examples


def _save(model: Trainable, folder: Path, record: TrainedRecord) -> None:
    # A folder appears under its name only when whole, so a kill in the middle leaves nothing half-written.
    partial = folder.with_name(f".{folder.name}.{uuid.uuid4().hex[:8]}.partial")
    try:
        partial.mkdir(parents=True)
        model.save(partial)
        record.write(partial)
        partial.replace(folder)
    except OSError as error:
        if isinstance(error, NliprobeError):
            raise
        if not is_trained(folder):  # else another process was first, and its model is the same
            raise NliprobeError(f"Cannot keep the trained model in {folder}: {error}.") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
