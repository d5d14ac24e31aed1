"""Read a file of facets: a line per pair with a column per facet, or a line per pair, facet and value.

``nliprobe data guessability`` writes such a file, and people have them as CSV, TSV, JSON (lines) or Parquet. Values
stay as they are written: ``0.50`` is not 0.5, and ``007`` is not 7.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nliprobe.base.cells import GUARDED
from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.hashing import digest, digest_file
from nliprobe.base.records.columns import PAIR_NAMES, column, guess_column
from nliprobe.base.records.files import content_files
from nliprobe.base.records.options import ReadOptions
from nliprobe.base.records.read import Record, RecordFile
from nliprobe.base.registry import Spec
from nliprobe.task.pair import Facet
from nliprobe.task.where import LABEL

# A file with these two columns beside that of the ids holds a facet per line.
NAME, VALUE = "name", "value"
# So many columns are named as an example.
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class FacetOptions(ReadOptions):
    """The parameters of a file of facets.

    Attributes:
        pair: the column of pair ids; by default one named pair_id, pairID, uid, id or the like.
        columns: the columns to take, joined by ``+``; by default all but the ids.
    """

    pair: str = ""
    columns: str = ""


class FacetFile:
    """The facets in a file by the id of their pair."""

    def __init__(
        self, files: Sequence[Path], facets: Mapping[str, tuple[Facet, ...]], *, options: Sequence[str] = ()
    ) -> None:
        self.files = list(files)
        self.facets = facets
        self.names = frozenset(facet.name for each in facets.values() for facet in each)
        self._options = tuple(options)

    @classmethod
    def open(cls, text: str) -> FacetFile:
        """Read the file that a text names: ``PATH`` or ``file:PATH``, with parameters after ``?``."""
        spec = Spec.parse(text if text.startswith("file:") else f"file:{text}")
        if not spec.argument:
            raise UsageError("'facets' does not name a file: write facets=file:PATH.")
        options = spec.build(FacetOptions)
        files = options.files_at(Path(spec.argument))
        return cls(content_files(files), _read(files, options), options=options.given())

    def digest(self) -> str:
        """Return a hash of the file's content and of how it is read, but not of its name."""
        return digest("facets", "1", *self._options, *map(digest_file, self.files))


def _read(files: Sequence[RecordFile], options: FacetOptions) -> dict[str, tuple[Facet, ...]]:
    facets: dict[str, tuple[Facet, ...]] = {}
    places: dict[str, str] = {}
    reader: _Reader | None = None
    for file in files:
        for number, record in file.records():
            if all(value is None or value == "" for value in record.values()):
                continue  # spreadsheets write empty lines below the last row
            place = file.where(number)
            reader = reader or _Reader(record, options, place)
            name = reader.id(record, place)
            known = facets.get(name, ())
            if name in places and (not reader.long or any(facet in known for facet in reader.facets(record, place))):
                raise DataError(
                    f"{place}: the pair '{name}' is already in {places[name]}. A file of facets has one line per pair, "
                    f"or the columns {NAME} and {VALUE} and one line per facet and value."
                )
            places.setdefault(name, place)
            facets[name] = (*known, *reader.facets(record, place))
    if not any(facets.values()):
        where = files[0].path
        raise DataError(f"{where} holds no facets: it needs a column of pair ids and at least one other with values.")
    return facets


class _Reader:
    """Reads facets line by line; the first line decides the columns."""

    def __init__(self, record: Record, options: FacetOptions, place: str) -> None:
        self._id = column(record, [options.pair] if options.pair else PAIR_NAMES, place, "pair")
        self._own = [name for name in record if name not in (self._id, GUARDED, "")]
        self._chosen = options.columns.split("+") if options.columns else []
        self._sample = record
        self.long = not self._chosen and sorted(self._own) == [NAME, VALUE]
        for name in self._chosen:
            column(record, [name], place)
        if not self.long:
            self._refuse_label(self._chosen or self._own, place)

    def id(self, record: Record, place: str) -> str:
        """Return the id of the pair that a line is about."""
        value = record.get(self._id)
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # frames with gaps hold whole numbers as floats
        if value is None or isinstance(value, bool) or not str(value).strip():
            raise DataError(f"{place}: the pair id in column '{self._id}' is {'empty' if not value else repr(value)}.")
        return str(value).strip()

    def facets(self, record: Record, place: str) -> tuple[Facet, ...]:
        """Return the facets of one line: one per value of a list, none for an empty cell."""
        if self.long:
            name = str(record.get(NAME) or "").strip()
            if not name:
                raise DataError(f"{place}: the facet's name in column '{NAME}' is empty.")
            self._refuse_label([name], place)
            return tuple(Facet(name, value) for value in _values(record.get(VALUE)))
        return tuple(Facet(name, value) for name in self._columns(record) for value in _values(record.get(name)))

    def _columns(self, record: Record) -> Sequence[str]:
        if self._chosen:
            return [match for name in self._chosen if (match := guess_column(record, [name])) is not None]
        # The lines of a JSON file may have different columns.
        return [name for name in record if name not in (self._id, GUARDED, "")]

    def _refuse_label(self, names: Sequence[str], place: str) -> None:
        if LABEL in names:
            others = "+".join([name for name in self._own if name != LABEL][:_SHOWN]) or "COLUMN"
            raise DataError(
                f"{place}: a facet cannot be called '{LABEL}', which means the gold label in conditions "
                f"(where={LABEL}:E). Rename it, or say which columns are facets: facets=file:PATH%3Fcolumns={others}."
            )


def _values(cell: object) -> Iterator[str]:
    for item in cell if isinstance(cell, list | tuple) else [cell]:
        if item is not None and str(item).strip():
            yield str(item)
