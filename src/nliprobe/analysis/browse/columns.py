"""The columns of an index in memory: about 40 bytes per case, and 1 more per system."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nliprobe.analysis.browse.arrays import read_array, read_column
from nliprobe.analysis.browse.common import last_text
from nliprobe.analysis.browse.kept import damaged

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Columns:
    """All cases of a run as arrays, in the order of the run.

    Attributes:
        ids: their ids, as bytes of the same length.
        corpora: what the numbers in ``corpus`` stand for.
        probes: what the numbers in ``probe`` stand for.
        corpus: numbers of corpora.
        probe: numbers of probes.
        gold: masks of label sets, 0 where there is none.
        certainty: places in ``CERTAINTIES``.
        edits: numbers of texts, or NOTHING.
        pair: the row of the pair of each case in the columns of pairs.
        pairs: per pair, the number of the text that is its id.
        premise: per pair, the number of a text.
        hypothesis: per pair, the number of a text.
        group: per pair, the number of the text that is the id of its group.
        pair_facets: rows of pairs, and numbers of values that they have.
        case_facets: rows of cases, and numbers of values that they have and their pairs do not have.
        facet_names: what the numbers in ``facet`` stand for.
        facet: per value of a facet, the number of its facet; by the number of the value.
        judged: per system, a byte per case, as :mod:`nliprobe.analysis.browse.judging` packs them.
        texts: the highest number of a text.
    """

    ids: NDArray[np.bytes_]
    corpora: tuple[str, ...]
    probes: tuple[str, ...]
    corpus: NDArray[np.uint16]
    probe: NDArray[np.uint16]
    gold: NDArray[np.uint8]
    certainty: NDArray[np.uint8]
    edits: NDArray[np.uint32]
    pair: NDArray[np.uint32]
    pairs: NDArray[np.uint32]
    premise: NDArray[np.uint32]
    hypothesis: NDArray[np.uint32]
    group: NDArray[np.uint32]
    pair_facets: tuple[NDArray[np.uint32], NDArray[np.uint32]]
    case_facets: tuple[NDArray[np.uint32], NDArray[np.uint32]]
    facet_names: tuple[str, ...]
    facet: NDArray[np.uint16]
    judged: dict[str, NDArray[np.uint8]]
    texts: int

    def __len__(self) -> int:
        return len(self.corpus)


def read_columns(path: Path, connection: sqlite3.Connection) -> Columns:
    """Read the columns of an index."""
    import numpy as np

    def column(kind: str, name: str) -> NDArray[Any]:
        parts = read_column(path, connection, kind, name)
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.uint32)

    texts = last_text(connection)
    pairs = column("pairs", "pair")
    # The row of a pair, by the number of the text that is its id; the highest stands for a pair that is not there.
    places = np.full(texts + 1, len(pairs), dtype=np.uint32)
    places[pairs] = np.arange(len(pairs), dtype=np.uint32)
    pair = places[column("cases", "pair")]
    if len(pair) and pair.max() >= len(pairs):
        raise damaged(path, "a case has lost its pair")
    owners = places[column("facets", "pair")]
    held = owners < len(pairs)
    pair_facets = (owners[held], column("facets", "pair_value")[held])
    case_facets = _own_facets((_case_rows(path, connection), column("facets", "row_value")), pair_facets, pair)
    judged: dict[str, NDArray[Any]] = {
        name: read_array(path, "|u1", digest, content)
        for name, digest, content in connection.execute("SELECT system, digest, answers FROM judged")
    }
    facet, names = _facets(connection)
    columns = Columns(
        ids=column("cases", "id"),
        corpora=_names(connection, "corpus"),
        probes=_names(connection, "probe"),
        corpus=column("cases", "corpus"),
        probe=column("cases", "probe"),
        gold=column("cases", "gold"),
        certainty=column("cases", "certainty"),
        edits=column("cases", "edits"),
        pair=pair,
        pairs=pairs,
        premise=column("pairs", "premise"),
        hypothesis=column("pairs", "hypothesis"),
        group=column("pairs", "group"),
        pair_facets=pair_facets,
        case_facets=case_facets,
        facet_names=tuple(names),
        facet=facet,
        judged=judged,
        texts=texts,
    )
    if any(len(answers) != len(columns) for answers in judged.values()):
        raise damaged(path, "it has answers to other cases")
    return columns


def _case_rows(path: Path, connection: sqlite3.Connection) -> NDArray[np.uint32]:
    """Return the rows of the cases that have facets: they are kept as rows of their shards."""
    import numpy as np

    sizes = [len(part) for part in read_column(path, connection, "cases", "corpus")]
    parts: list[NDArray[Any]] = read_column(path, connection, "facets", "row")
    starts = np.repeat(np.cumsum([0, *sizes])[:-1], [len(part) for part in parts])
    rows: NDArray[np.uint32] = np.concatenate([np.empty(0, dtype=np.uint32), *parts]) + starts.astype(np.uint32)
    return rows


def _own_facets(
    of_cases: tuple[NDArray[np.uint32], NDArray[np.uint32]],
    of_pairs: tuple[NDArray[np.uint32], NDArray[np.uint32]],
    pair: NDArray[np.uint32],
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Leave out the values of cases that their pairs have, so that a case counts once for each value."""
    import numpy as np

    rows, values = of_cases
    owners, held = of_pairs
    if not len(rows) or not len(owners):
        return of_cases
    own, others = (
        item.astype(np.uint64) << np.uint64(32) | value for item, value in ((pair[rows], values), (owners, held))
    )
    kept = ~np.isin(own, others)
    return rows[kept], values[kept]


def _facets(connection: sqlite3.Connection) -> tuple[NDArray[np.uint16], list[str]]:
    """Return the facet of each value, by the numbers of values, and the names of the facets."""
    import numpy as np

    names = [name for (name,) in connection.execute("SELECT DISTINCT name FROM facets ORDER BY name")]
    places = {name: place for place, name in enumerate(names)}
    # Values are numbered from 1 without gaps.
    values = connection.execute("SELECT name FROM facets ORDER BY number")
    return np.fromiter((0, *(places[name] for (name,) in values)), dtype=np.uint16), names


def _names(connection: sqlite3.Connection, kind: str) -> tuple[str, ...]:
    rows = connection.execute("SELECT name FROM names WHERE kind = ? ORDER BY number", (kind,))
    return tuple(name for (name,) in rows)
