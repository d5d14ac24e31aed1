"""Keep the answers to transfer tasks, so that repeating is free; numbers are always derived from answers anew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.errors import DataError, StoreError
from nliprobe.base.files import cache_folder, check_seal, read_json, set_aside, write_sealed
from nliprobe.training.transfer import Answered

if TYPE_CHECKING:
    from nliprobe.corpora.transfer.task import TransferTask


_ARRAYS = {"places": "int64", "answers": "float64", "folds": "int64", "penalties": "float64"}


def _path(key: str) -> Path:
    return cache_folder() / "transfer" / f"{key}.json"


def keep(key: str, task: TransferTask, tested: Answered) -> None:
    """Write answers under their key."""
    write_sealed(
        _path(key),
        {
            "task": task.name,
            "places": tested.places.tolist(),
            "answers": tested.answers.tolist(),
            "folds": tested.folds.tolist(),
            "penalties": list(tested.penalties),
            "width": tested.width,
            "unfinished": tested.unfinished,
        },
    )


def kept(key: str) -> Answered | None:
    """Return the answers under a key, or none; a damaged file is set aside, because it can be computed again."""
    import numpy as np

    path = _path(key)
    if not path.is_file():
        return None
    try:
        content = read_json(path)
        check_seal(path, content)
    except (DataError, StoreError):
        set_aside(path)
        return None
    arrays = {name: np.array(content[name], dtype=kind) for name, kind in _ARRAYS.items()}
    return Answered(
        arrays["places"],
        arrays["answers"],
        arrays["folds"],
        tuple(arrays["penalties"].tolist()),
        int(str(content["width"])),
        int(str(content["unfinished"])),
    )
