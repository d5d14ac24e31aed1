"""Which files of a model's folder decide its answers: all of them, except those that are known not to."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection
from fnmatch import fnmatchcase
from pathlib import Path

from nliprobe.base.errors import UsageError
from nliprobe.models.origin import Origin

# What no loader of weights, configurations, tokenizers or modules reads. A name that is not here counts.
_NO_FILES = (
    *("readme*", "license*", "licence*", "notice*", "changelog*", "*.md", "*.rst", "*.pdf"),  # for people
    *("*.png", "*.jpg", "*.jpeg", "*.gif", "*.svg", "*.webp", "*.ipynb", "*.log"),
    *(".gitattributes", ".gitignore", ".ds_store", "thumbs.db", "*.partial", "*.damaged", "*.lock", "*.pyc"),
    *("optimizer.pt", "optimizer.bin", "scheduler.pt", "scaler.pt", "rng_state*.pth"),  # the state of a training
    *("trainer_state.json", "training_args.bin", "events.out.tfevents.*"),
    *("*.onnx", "*.onnx_data", "*.h5", "*.msgpack", "*.ot", "*.tflite", "*.mlmodel", "*.gguf"),  # for other programs
)
_NO_FOLDERS = re.compile(
    r"\.git|\.cache|\.huggingface|\.ipynb_checkpoints|__pycache__|onnx|openvino|coreml|runs|logs|wandb"
    r"|checkpoint-\d+|global_step\d+",
    re.IGNORECASE,
)
# A folder with one of these is something else that was put into the model's folder: a run, or another model.
_OTHERS = ("run.json", "trained.json")
_ADAPTER = "adapter_config.json"
MOST_FILES = 10_000


def checkpoint_origin(name: str, leave_out: Collection[str] = ()) -> Origin:
    """Return the files of a checkpoint that can decide an answer; none if it is not a folder but a name on a hub."""
    return Origin(lambda: checkpoint_files(Path(name), leave_out) if name and Path(name).is_dir() else {})


def checkpoint_files(folder: Path, leave_out: Collection[str] = ()) -> dict[str, Path]:
    """Return the files of a folder that can decide an answer, by their paths inside it; links are followed.

    A folder that holds only an adapter is read together with the model it adapts, if that is a folder, too.

    Args:
        folder: the folder of the model.
        leave_out: names of further files that do not count.
    """
    files = _files(folder, leave_out)
    adapted = _adapted(folder / _ADAPTER)
    if adapted is not None and adapted.resolve() != folder.resolve():
        files |= {f"{_ADAPTER}: {name}": path for name, path in _files(adapted, leave_out).items()}
    return files


def _files(folder: Path, leave_out: Collection[str]) -> dict[str, Path]:
    files: dict[str, Path] = {}
    entered = set()
    for place, folders, names in os.walk(folder, followlinks=True):
        here = Path(place)
        real = here.resolve()
        if real in entered:  # a link to a folder above
            folders.clear()
            continue
        entered.add(real)
        folders[:] = sorted(name for name in folders if not _leaves_out_folder(here / name))
        for name in names:
            path = here / name
            if name in leave_out or any(fnmatchcase(name.lower(), kind) for kind in _NO_FILES):
                continue
            # A link whose target is gone counts as a file, a pipe or a socket does not.
            if path.is_file() or (path.is_symlink() and not path.exists()):
                files[path.relative_to(folder).as_posix()] = path
        if len(files) > MOST_FILES:
            raise UsageError(
                f"{folder} holds more than {MOST_FILES:,} files, so it is not the folder of one model. "
                "Name the folder that holds the model and nothing else."
            )
    return files


def _leaves_out_folder(folder: Path) -> bool:
    return _NO_FOLDERS.fullmatch(folder.name) is not None or any((folder / name).is_file() for name in _OTHERS)


def _adapted(config: Path) -> Path | None:
    """Return the folder of the model that an adapter belongs to, if the adapter names a folder."""
    try:
        named = json.loads(config.read_text(encoding="utf-8")).get("base_model_name_or_path")
    except (OSError, ValueError, AttributeError):
        return None
    return Path(named) if isinstance(named, str) and named and Path(named).is_dir() else None
