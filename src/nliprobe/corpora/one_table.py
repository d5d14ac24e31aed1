"""One table in a file of its own."""

from __future__ import annotations

from pathlib import Path

from nliprobe.base.errors import DataError
from nliprobe.corpora._parts import SUFFIXES, TableFolder
from nliprobe.task.table import Table


def read_table(path: Path) -> Table:
    """Read a table from a JSON, CSV, TSV or HTML file; one without a title is named by its file."""
    if not path.is_file():
        raise DataError(f"There is no file {path}.")
    if not path.name.endswith(SUFFIXES):
        raise DataError(f"{path} should be a table in a file that ends with {', '.join(SUFFIXES)}.")
    return TableFolder(path.parent).get(path.name, "premise", path.stem)
