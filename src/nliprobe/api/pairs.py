"""Pairs as people have them in Python: lists, frames, datasets, files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias, TypeGuard, cast, runtime_checkable

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.records.read import Record
from nliprobe.base.registry import Spec
from nliprobe.corpora.file import FileOptions
from nliprobe.corpora.held import HeldPairs
from nliprobe.task.labels import LabelMap
from nliprobe.task.pair import Pair
from nliprobe.task.source import PairSource

DEFAULT_NAME = "pairs"
_FORMS = "a spec string, a file, a frame, a dataset or a list of pairs"
_COLUMNS = "A mapping of columns is not a frame: make one, such as polars.DataFrame(columns)."


@runtime_checkable
class _Rows(Protocol):
    """A Polars frame, as far as it is needed here."""

    def iter_rows(self, *, named: bool) -> Iterator[Record]: ...


@runtime_checkable
class _Lazy(Protocol):
    """A lazy Polars frame."""

    def collect_schema(self) -> object: ...
    def collect(self) -> object: ...


@runtime_checkable
class _Pandas(Protocol):
    """A pandas frame."""

    iloc: object

    def notna(self) -> object: ...
    def astype(self, dtype: object) -> _Pandas: ...
    def where(self, cond: object, other: object) -> _Pandas: ...
    def to_dict(self, orient: str) -> list[Record]: ...


@runtime_checkable
class _Dataset(Protocol):
    """A Hugging Face dataset: rows as mappings, and a feature per column, which may name class labels."""

    features: Mapping[str, object] | None

    def __iter__(self) -> Iterator[Record]: ...


@runtime_checkable
class _Arrow(Protocol):
    """Anything that offers its columns as Arrow: a pyarrow table, a DuckDB relation."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


PairLike: TypeAlias = "Pair | Mapping[str, object] | Sequence[object]"
# A frame or dataset is recognised by its methods, so that none of their packages is imported.
FrameLike: TypeAlias = _Rows | _Lazy | _Pandas | _Dataset | _Arrow
PairsLike: TypeAlias = "FrameLike | Iterable[PairLike]"
SourceLike: TypeAlias = "str | Path | PairSource | PairsLike"
SourcesLike: TypeAlias = "SourceLike | Iterable[SourceLike] | Mapping[str, SourceLike]"


def pairs(
    data: PairsLike,
    *,
    name: str = DEFAULT_NAME,
    premise: str = "",
    hypothesis: str = "",
    label: str = "",
    labels: str = "",
    id: str = "",
    group: str = "",
    facets: Sequence[str] = (),
    partition: str = "E|N|C",
    sentences: str = "",
    evidence: str = "",
    units: str = "",
    grade: str = "",
    outside: str = "",
) -> HeldPairs:
    """Read pairs from what is in memory, and say what its columns mean where their names do not.

    The pairs are copied: later changes of a frame change nothing here. A premise is a text, a :class:`nliprobe.Table`
    or a mapping with a ``title`` and a list of values per key.

    Args:
        data: a pandas or Polars frame, a Hugging Face dataset, an Arrow table, or a list of pairs: of :class:`Pair`,
            of mappings, or of tuples (premise, hypothesis) or (premise, hypothesis, label).
        name: what reports call the pairs.
        premise: the column of the premise; by default guessed as ``file:`` does.
        hypothesis: the column of the hypothesis.
        label: the column of the gold label, or "none" if there is none.
        labels: what label codes mean: ``entailment,neutral,contradiction`` for 0, 1, 2 or ``code:label;…``.
        id: the column of ids, which must be distinct; by default one named id, pairID, uid or the like if its values
            are distinct, else pairs are named by their content.
        group: the column of what pairs share that makes them depend on one another; by default their premise.
        facets: columns to keep as facets.
        partition: how finely the labels are told apart, for example ``E|NC``.
        sentences: the column of a premise that is a list of sentences.
        evidence: the column of the rows or sentences that matter; ``units`` and ``grade`` must say what it means.
        units: how it names them: ``from0``, ``from1``, ``keys`` or ``marks``.
        grade: how the evidence is known: ``gold``, ``edit`` or ``silver``.
        outside: the column that says whether knowledge from outside the premise is needed, too.
    """
    if isinstance(data, HeldPairs):
        raise UsageError(f"{data!r} have been read already.")
    if isinstance(data, Mapping):
        raise UsageError(_COLUMNS)
    options = FileOptions(
        premise=premise,
        hypothesis=hypothesis,
        label=label,
        id=id,
        labels=labels,
        group=group,
        name=name,
        partition=partition,
        facets=";".join(facets),
        sentences=sentences,
        evidence=evidence,
        units=units,
        grade=grade,
        outside=outside,
    )
    rows = rows_of(data, options)
    if rows and isinstance(rows[0], Pair):
        if options != FileOptions(name=name):
            raise UsageError("A list of Pair objects has no columns to be named: give its name only.")
        return HeldPairs.of_pairs(name, _only_pairs(rows, name))
    return HeldPairs.of_rows([record_of(row, name, number) for number, row in enumerate(rows, 1)], options)


def as_sources(sources: SourcesLike) -> list[str | PairSource]:
    """Turn corpora in any accepted form into spec strings and sources of pairs.

    Args:
        sources: one source or several: spec strings, paths of files, frames, datasets, lists of pairs, or a mapping
            from names to any of these.
    """
    if isinstance(sources, Mapping):
        _refuse_columns(sources)
        return [_source(item, str(name)) for name, item in sources.items()]
    if isinstance(sources, str | Path) or _is_source(sources) or is_pairs(sources):
        return [_source(cast("SourceLike", sources), DEFAULT_NAME)]
    if not isinstance(sources, Iterable):
        raise UsageError(f"Pairs come from {_FORMS}, not from {type(sources).__name__}.")
    if not isinstance(sources, Sequence):
        return as_sources(cast("SourcesLike", list(sources)))
    opened: list[str | PairSource] = []
    held = 0
    for item in cast("Sequence[SourceLike]", sources):
        source = _source(item, DEFAULT_NAME if not held else f"{DEFAULT_NAME}-{held + 1}")
        held += isinstance(source, HeldPairs) and source is not item
        opened.append(source)
    return opened


def _source(item: SourceLike, name: str) -> str | PairSource:
    if isinstance(item, Path):
        return str(Spec("file", str(item), (("name", name),) if name != DEFAULT_NAME else ()))
    if isinstance(item, str):
        # A path is enough; a spec is only needed if columns must be named.
        return str(Spec("file", item)) if Path(item).suffix and Path(item).is_file() else item
    if _is_source(item):
        return item
    return pairs(cast("PairsLike", item), name=name)


def _refuse_columns(sources: Mapping[str, SourceLike]) -> None:
    """Refuse a mapping of columns, which looks like named sources: a list of texts holds no pairs."""
    for item in sources.values():
        if isinstance(item, list | tuple) and item and isinstance(item[0], str):
            raise UsageError(_COLUMNS)


def _is_source(item: object) -> TypeGuard[PairSource]:
    return all(hasattr(item, name) for name in ("name", "partition", "digest", "pairs"))


def is_pairs(item: object) -> bool:
    """Tell whether something is one source of pairs, and not a list of several."""
    if isinstance(item, _Rows | _Lazy | _Pandas | _Dataset | _Arrow):
        return True
    first = next(iter(item), None) if isinstance(item, Sequence) else None
    return isinstance(first, Pair | Mapping | tuple)


def rows_of(data: PairsLike, options: FileOptions) -> list[object]:
    """Return the rows of a frame, a dataset or a list, with nothing instead of a frame's marks for missing values."""
    if isinstance(data, _Pandas):
        data = data.astype(object).where(data.notna(), None).to_dict("records")
    elif isinstance(data, _Dataset):
        data = _with_label_names(data, options)
    elif isinstance(data, _Lazy):
        data = cast(_Rows, data.collect()).iter_rows(named=True)
    elif isinstance(data, _Rows):
        data = data.iter_rows(named=True)
    elif isinstance(data, _Arrow):
        import polars

        data = polars.DataFrame(data).iter_rows(named=True)
    if isinstance(data, str) or not isinstance(data, Iterable):
        raise UsageError(f"Pairs come from {_FORMS}, not from {type(data).__name__}.")
    return list(data)


def _with_label_names(data: _Dataset, options: FileOptions) -> Iterator[Record]:
    # If codes are declared, they mean the codes in the data, not the names that the dataset gives them.
    declared = LabelMap.parse(options.labels).codes if options.labels else {}
    features = {} if any(code.isdigit() for code in declared) else data.features or {}
    names = {column: list(spelled) for column, item in features.items() if (spelled := getattr(item, "names", None))}
    for row in data:
        record = dict(row)
        for column, spelled in names.items():
            code = record.get(column)
            if isinstance(code, int) and 0 <= code < len(spelled):
                record[column] = spelled[code]
        yield record


def _only_pairs(rows: Sequence[object], name: str) -> list[Pair]:
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Pair):
            raise DataError(f"{name}, row {number}: the first is a Pair, but this is a {type(row).__name__}.")
    return cast("list[Pair]", list(rows))


def record_of(row: object, name: str, number: int) -> Record:
    """Return a row as a record with the names of its columns; ``name`` and ``number`` say in errors where it is."""
    if isinstance(row, Mapping):
        return {str(key): _known(value) for key, value in row.items()}
    if isinstance(row, tuple | list) and len(row) in (2, 3):
        return dict(zip(("premise", "hypothesis", "label"), row, strict=False))
    raise DataError(
        f"{name}, row {number}: a pair should be a Pair, a mapping or a tuple (premise, hypothesis) or (premise, "
        f"hypothesis, label), not {row!r:.60}."
    )


def _known(value: object) -> object:
    # Frames of floats have NaN for missing values.
    return None if isinstance(value, float) and math.isnan(value) else value
