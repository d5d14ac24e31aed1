"""Records in memory, read like those of a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from nliprobe.base.halves import whole_value
from nliprobe.base.records.read import Format, Numbered, Record, RecordFile


@dataclass(frozen=True, slots=True)
class HeldRecords(RecordFile):
    """Records in memory, with a name in place of a file's path."""

    rows: Sequence[Record] = ()

    @classmethod
    def named(cls, name: str, rows: Sequence[Record]) -> HeldRecords:
        """Hold rows under a name that messages use."""
        return cls(Path(name), Format.HF, rows=rows)

    def _read(self) -> Numbered:
        return ((number, cast("Record", whole_value(dict(row)))) for number, row in enumerate(self.rows, 1))
