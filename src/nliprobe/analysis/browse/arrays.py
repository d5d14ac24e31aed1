"""Arrays as the bytes of an index, verified when they are read."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.analysis.browse.kept import damaged
from nliprobe.base.hashing import digest_bytes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.generic]


def write_columns(connection: sqlite3.Connection, kind: str, number: int, columns: Mapping[str, Array]) -> None:
    """Write the columns of one shard in the place of those that are there."""
    rows = []
    for name, values in columns.items():
        content = values.tobytes()
        rows.append((kind, number, name, values.dtype.str, digest_bytes(content), content))
    connection.execute("DELETE FROM columns WHERE kind = ? AND number = ?", (kind, number))
    connection.executemany("INSERT INTO columns VALUES (?, ?, ?, ?, ?, ?)", rows)


def read_column(path: Path, connection: sqlite3.Connection, kind: str, name: str) -> list[Array]:
    """Read one column, an array per shard, in the order of shards."""
    found = connection.execute(
        "SELECT type, digest, content FROM columns WHERE kind = ? AND name = ? ORDER BY number", (kind, name)
    )
    return [read_array(path, *row) for row in found]


def read_array(path: Path, kind: str, digest: str, content: bytes) -> Array:
    """Return an array, if its bytes are those that were written."""
    import numpy as np

    if digest_bytes(content) != digest:
        raise damaged(path, "a column was altered")
    return np.frombuffer(content, dtype=kind)
