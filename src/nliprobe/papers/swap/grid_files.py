"""Find and read the grids that were measured for Table 2: documents like those that ``nliprobe train`` writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from nliprobe.base.errors import DataError, UsageError, did_you_mean
from nliprobe.base.files import read_json

if TYPE_CHECKING:
    from nliprobe.analysis.grid_documents import GridDocument

FOLDER = "grid"
SHIPPED = Path(__file__).parent / FOLDER
# What the grids were trained on; the paper's were on all of MultiNLI.
CONDITIONS = {"multinli-20k": "MultiNLI 20k", "snli-100k-multinli-20k": "SNLI 100k and MultiNLI 20k"}
_FIELDS = ("models", "train", "shares", "over", "trainings", "rows", "deviations")


def has_grids(folder: Path) -> bool:
    """Tell whether a user's folder has grids of its own; one that no table uses is an error."""
    paths = sorted((folder / FOLDER).glob("*.json"))
    for path in paths:
        if path.stem not in CONDITIONS:
            raise UsageError(f"No table has a place for {path}. {did_you_mean(path.stem, CONDITIONS)}")
    return bool(paths)


def find_grids(folder: Path | None) -> dict[str, GridDocument]:
    """Return the grids by what they were trained on: from ``grid`` in the user's folder, else those of the package.

    One that is in neither place is left out.
    """
    grids = {}
    for name, condition in CONDITIONS.items():
        places = [*([folder / FOLDER] if folder is not None else []), SHIPPED]
        path = next((place / f"{name}.json" for place in places if (place / f"{name}.json").is_file()), None)
        if path is not None:
            grids[condition] = read_grid(path)
    return grids


def read_grid(path: Path) -> GridDocument:
    """Read the document of a grid."""
    from nliprobe.analysis.grid_documents import SCHEMA

    content = read_json(path)
    lacking = [name for name in _FIELDS if not isinstance(content.get(name), list)]
    if content.get("schema") != SCHEMA or lacking:
        what = f"no list '{lacking[0]}'" if lacking else f"the schema {content.get('schema')!r}"
        raise DataError(
            f"{path} should hold the document of a grid ({SCHEMA}), but has {what}. nliprobe train writes it as "
            "OUT/grid.json."
        )
    return cast("GridDocument", content)
