"""The parameters of every file of records that a user may declare."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

from nliprobe.base.records.files import record_files
from nliprobe.base.records.read import RecordFile


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How a file is read; what is empty is decided by the file's name and content.

    Attributes:
        format: csv, tsv, jsonl, json, parquet or hf.
        split: the split to read from a folder with several.
        delimiter: what separates fields: a character, or tab, comma, semicolon, pipe.
        quoting: 0 if quotes are plain text, 1 if they enclose fields, which may span lines.
        encoding: of a text file without a byte order mark, such as ``cp1252``; UTF-8 by default.
    """

    format: str = ""
    split: str = ""
    delimiter: str = ""
    quoting: bool | None = None
    encoding: str = ""

    def files_at(self, path: Path, *, label_names: bool = True) -> list[RecordFile]:
        """Return the files of records at a path, read as declared; ``label_names`` replace numeric codes."""
        return record_files(
            path,
            format=self.format,
            split=self.split,
            delimiter=self.delimiter,
            quoting=self.quoting,
            encoding=self.encoding,
            label_names=label_names,
        )

    def given(self) -> list[str]:
        """List the parameters that say something, as ``name=value``."""
        return [f"{item.name}={value}" for item in fields(self) if (value := getattr(self, item.name))]
