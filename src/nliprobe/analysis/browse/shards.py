"""Puts one shard of a run into its index: the texts that are searched, and columns of numbers to filter by."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from nliprobe.analysis.browse.arrays import write_columns
from nliprobe.analysis.browse.numbering import Numbering
from nliprobe.analysis.browse.texts import Texts, premise_texts
from nliprobe.analysis.cases import CERTAINTIES
from nliprobe.analysis.shard_columns import masks, numbers, places
from nliprobe.base.hashing import SEPARATOR

if TYPE_CHECKING:
    import polars as pl

    from nliprobe.store.run import RunFolder

# Columns whose values are names, which get numbers by their first appearance.
NAMED = ("corpus", "probe")


class ShardWriter:
    """Writes shards into an index that is being made."""

    def __init__(self, connection: sqlite3.Connection, run: RunFolder) -> None:
        self._connection, self._run = connection, run
        self._texts = Texts(connection)
        self._values = Numbering(connection, "facets")
        self._names: dict[str, dict[str, int]] = {}
        for kind in NAMED:
            rows = connection.execute("SELECT name, number FROM names WHERE kind = ? ORDER BY number", (kind,))
            self._names[kind] = dict(rows.fetchall())

    def write(self, number: int) -> int:
        """Write the pairs, cases and facets of one shard; return how many cases it has."""
        self._pairs(number)
        ids = self._cases(number)
        self._facets(number, ids)
        return len(ids)

    def remove(self, number: int) -> None:
        """Take a shard out; its texts stay, which other shards may share and which belong to no case then."""
        self._connection.execute("DELETE FROM columns WHERE number = ?", (number,))
        self._connection.execute("DELETE FROM shards WHERE number = ?", (number,))

    def _read(self, kind: str, number: int, columns: list[str]) -> pl.DataFrame:
        return self._run.read_shard(kind, self._run.shard(kind, number), columns)

    def _pairs(self, number: int) -> None:
        pairs = self._read("pairs", number, ["pair_id", "kind", "premise", "hypothesis", "group"])
        columns = {
            "pair": self._texts.add(pairs["pair_id"]),
            "premise": self._texts.add(premise_texts(pairs["kind"], pairs["premise"])),
            "hypothesis": self._texts.add(pairs["hypothesis"]),
            "group": self._texts.add(pairs["group"]),
        }
        write_columns(self._connection, "pairs", number, columns)

    def _cases(self, number: int) -> pl.Series:
        import numpy as np

        cases = self._read("cases", number, ["case_id", "pair_id", "corpus", "probe", "gold", "edits", "certainty"])
        ids: pl.Series = cases["case_id"]
        columns = {
            "id": np.array([name.encode() for name in ids], dtype=np.bytes_),
            "pair": self._texts.add(cases["pair_id"]),
            "edits": self._texts.add_edits(cases["edits"]),
            "gold": masks(cases["gold"]).to_numpy(),
            "certainty": places(cases["certainty"], CERTAINTIES, self._run).to_numpy().astype(np.uint8),
            **{kind: self._named(kind, cases[kind]).to_numpy().astype(np.uint16) for kind in NAMED},
        }
        write_columns(self._connection, "cases", number, columns)
        return ids

    def _named(self, kind: str, names: pl.Series) -> pl.Series:
        known = self._names[kind]
        before = len(known)
        numbered = numbers(names, known)
        new = [(kind, number, name) for name, number in known.items() if number >= before]
        self._connection.executemany("INSERT INTO names VALUES (?, ?, ?)", new)
        return numbered

    def _facets(self, number: int, ids: pl.Series) -> None:
        import numpy as np
        import polars as pl

        facets = self._read("facets", number, ["pair_id", "case_id", "name", "value"]).unique(maintain_order=True)
        named = facets.select(pl.concat_str("name", "value", separator=SEPARATOR).alias("both"))["both"]
        numbered = self._values.number(named)
        new = [text.partition(SEPARATOR) for text in numbered.new]
        self._connection.executemany(
            "INSERT INTO facets VALUES (?, ?, ?, ?)",
            (
                (numbered.first + place, key, name, value)
                for place, (key, (name, _, value)) in enumerate(zip(numbered.keys.tolist(), new, strict=True))
            ),
        )
        facets = facets.with_columns(pl.Series("number", numbered.numbers))
        of_pairs = facets.filter(pl.col("case_id").is_null())
        rows = pl.DataFrame({"case_id": ids}).with_row_index("row")
        of_cases = facets.join(rows, on="case_id", how="inner", maintain_order="left")
        columns = {
            "pair": self._texts.add(of_pairs["pair_id"]),
            "pair_value": of_pairs["number"].to_numpy(),
            "row": of_cases["row"].to_numpy().astype(np.uint32),
            "row_value": of_cases["number"].to_numpy(),
        }
        write_columns(self._connection, "facets", number, columns)
