"""Read ``config.json`` of a simple model that was trained: which model it is of, and the classes it learnt."""

from __future__ import annotations

from pathlib import Path

from nliprobe.base.errors import DataError
from nliprobe.base.files import read_json
from nliprobe.task.labels import LabelSet

CONFIG, WEIGHTS = "config.json", "weights.safetensors"


def read_config(path: Path, model: str, version: int) -> dict[str, object]:
    """Return the content of a file that must be of a model, in the version of its format."""
    config = read_json(path)
    if config.get("model") != model or config.get("format") != version:
        raise DataError(
            f"{path} is of the model {config.get('model')!r} in format {config.get('format')!r}; expected '{model}' in "
            f"format {version}. Train the model again."
        )
    return config


def read_classes(path: Path, names: list[object]) -> list[LabelSet]:
    """Return the classes that a file names: two or more, each once."""
    try:
        classes = [LabelSet.of(str(name)) for name in names]
        if len(set(classes)) < 2 or not all(classes):
            raise ValueError
    except ValueError:
        raise DataError(f"{path} names the classes {names!r}; expected labels such as E, N and C.") from None
    return classes
