"""Files of executable hypotheses, as ``nliprobe generate tables`` writes them, and programs in any file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.cells import GUARDED
from nliprobe.base.errors import DataError
from nliprobe.base.records.columns import guess_column
from nliprobe.base.records.read import Record
from nliprobe.task.evidence import Grade
from nliprobe.task.pair import Facet
from nliprobe.task.program import parse_program, write_program

if TYPE_CHECKING:
    from nliprobe.corpora.file import FileOptions

# A file that has all of these columns, in this order before all others, was written by nliprobe; the others are facets.
OWN_COLUMNS = ("pair_id", "premise", "hypothesis", "label", "group", "evidence", "program")


def written_as(path: Path) -> bool:
    """Tell whether a file has an ending that ``nliprobe generate tables`` writes; others need not be looked into."""
    return path.is_dir() or path.suffix in (".parquet", ".jsonl", ".csv", ".tsv")


def is_own(record: Mapping[str, object]) -> bool:
    """Tell whether a file was written by ``nliprobe generate tables``."""
    return tuple(record)[: len(OWN_COLUMNS)] == OWN_COLUMNS


def own_options(record: Mapping[str, object], options: FileOptions) -> FileOptions:
    """Return the options with what the columns of such a file mean."""
    facets = [name for name in tuple(record)[len(OWN_COLUMNS) :] if name != GUARDED]
    return replace(
        options,
        premise="premise",
        hypothesis="hypothesis",
        label="label",
        id="pair_id",
        group="group",
        evidence="column:evidence",
        units="from0",
        grade=Grade.GOLD.value,
        program="program",
        facets=";".join([*facets, *([options.facets] if options.facets else [])]),
    )


def own_facets(record: Record, names: Sequence[str]) -> tuple[Facet, ...]:
    """Return the facets of such a file: a cell with several values is a list in JSON."""
    facets: list[Facet] = []
    for name in names:
        value = record.get(name)
        text = "" if value is None else str(value)
        items = json.loads(text) if text.startswith('["') else [text] if text else []
        facets += [Facet(name, str(item)) for item in items]
    return tuple(facets)


def program_of(record: Record, name: str, place: str) -> str | None:
    """Return the program in a column, in its canonical text; None for an empty cell."""
    column = guess_column(record, [name])
    if column is None:
        raise DataError(f"{place}: there is no column '{name}' with programs.")
    value = record[column]
    if value is None or not str(value).strip():
        return None
    try:
        return write_program(parse_program(str(value)))
    except DataError as error:
        raise DataError(f"{place}: column '{column}': {error}") from None
