"""Random access to a run: one case with everything about it, and cases by filter, without reading all shards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.store import format1
from nliprobe.store.frames import schema, to_predictions, unreadable_file
from nliprobe.store.index import CaseIndex, Place
from nliprobe.task.case import Prediction
from nliprobe.task.pair import Facet

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder


# Up to this many rows of a shard are read one by one; more are read together with the rows between them.
_FEW = 4


class StoredAnswer(NamedTuple):
    """What a system answered to a case, and the id of what it read."""

    input_id: str
    prediction: Prediction


@dataclass(frozen=True)
class StoredCase:
    """One case of a run with everything the run holds about it.

    Attributes:
        id: the id of the case.
        case: its row, by the columns of the cases.
        pair: the row of the pair it was made from, by the columns of the pairs; none if the run has lost it.
        facets: what is known about the pair, then about the case.
        answers: the answer of each system that was asked, by the name of the system.
    """

    id: str
    case: Mapping[str, object]
    pair: Mapping[str, object] | None
    facets: tuple[Facet, ...]
    answers: Mapping[str, StoredAnswer]


@dataclass(frozen=True)
class CaseFilter:
    """Which cases are wanted; a field that is none does not filter.

    Attributes:
        corpus: the name of the corpus.
        probe: the name of the probe.
        system: the system whose answer is filtered by.
        label: what it answered, such as E or NC.
        status: whether it answered: ok, no answer or failed.
    """

    corpus: str | None = None
    probe: str | None = None
    system: str | None = None
    label: str | None = None
    status: str | None = None


class CasePage(NamedTuple):
    """Some cases, as rows of the cases, and the id after which the next page begins; none on the last page."""

    cases: pl.DataFrame
    after: str | None


class CaseAccess:
    """Finds single cases in a run folder, by an index that is read from the folder or built when first needed."""

    def __init__(self, run: RunFolder) -> None:
        self.run = run
        self._index: CaseIndex | None = None
        self._files_indexed: int | None = None

    def case(self, case_id: str) -> StoredCase:
        """Return one case with everything about it."""
        place = self._place(case_id)
        [row] = self._rows("cases", place.shard, place.row, 1).rows(named=True)
        pair_id = str(row["pair_id"])
        pair_shard, pair = self._pair(pair_id, place.shard)
        facets = tuple(self._facets(pair_id, case_id, place.shard, pair_shard))
        return StoredCase(case_id, row, pair, facets, self._answers(row, place))

    def page(self, wanted: CaseFilter, limit: int, after: str | None) -> CasePage:
        """Return at most ``limit`` of the wanted cases, in the order of the run, beginning after a given one."""
        import polars as pl

        if limit < 1:
            raise UsageError(f"A page holds at least one case, not {limit}.")
        if wanted.system is None and (wanted.label is not None or wanted.status is not None):
            raise UsageError("A filter by answer needs the system that answered.")
        predictions = None if wanted.system is None else self.run.system(wanted.system).predictions
        start = Place(-1, -1) if after is None else self._place(after)
        parts: list[pl.DataFrame] = []
        missing = limit + 1  # one more shows whether there is a next page
        for path in self.run.readable("cases"):
            number = int(path.stem)
            if number < start.shard:
                continue
            first = start.row + 1 if number == start.shard else 0
            rows = self._matching(number, wanted, predictions, first)[:missing]
            if len(rows):
                parts.append(self._chosen("cases", number, rows.tolist()))
                missing -= len(rows)
            if not missing:
                break
        if not parts:
            return CasePage(pl.DataFrame(schema=schema("cases")), None)
        cases = pl.concat(parts, rechunk=True)
        shown = cases.head(limit)
        return CasePage(shown, str(shown["case_id"][-1]) if len(cases) > limit else None)

    def write_index(self) -> None:
        """Write the index of all cases into the folder, once they are all there."""
        path = self._index_file()
        if path is None or CaseIndex.load(path) is not None:
            return
        self._built().save(path)
        for other in path.parent.glob("cases-*"):
            if other.stem != path.stem:
                other.unlink(missing_ok=True)

    # Where a case is ----------------------------------------------------------------------------------------

    def _place(self, case_id: str) -> Place:
        for index in self._indexes():
            for place in index.find(case_id):
                if self._rows("cases", place.shard, place.row, 1, ["case_id"])["case_id"].to_list() == [case_id]:
                    return place
        raise NotFoundError(f"The run {self.run.path} has no case '{case_id}'.")

    def _indexes(self) -> Iterator[CaseIndex]:
        """Yield the current index, then a new one if the first may not know every case of the folder."""
        if self._index is None:
            path = self._index_file()
            self._index = None if path is None else CaseIndex.load(path)
        if self._index is not None:
            yield self._index
        if self._files_indexed != len(self.run.readable("cases")):
            self._index = self._built()
            yield self._index

    def _index_file(self) -> Path | None:
        # Its name says which shards it was made from, so that an index of other shards is never read.
        content = self.run.record.content.get("cases")
        return None if content is None else self.run.path / "index" / f"cases-{content}.npy"

    def _built(self) -> CaseIndex:
        files = self.run.readable("cases")
        self._files_indexed = len(files)
        return CaseIndex.build(
            (int(path.stem), self.run.read_shard("cases", path, ["case_id"])["case_id"]) for path in files
        )

    # What is there ------------------------------------------------------------------------------------------

    def _pair(self, pair_id: str, shard: int) -> tuple[int | None, Mapping[str, object] | None]:
        """Return the shard of a pair, and the pair; shards just before the case's own are searched first.

        A pair is written before the cases derived from it, and hardly ever long before.
        """
        numbers = [int(path.stem) for path in self.run.readable("pairs")]
        for number in sorted(numbers, key=lambda item: (item > shard, abs(item - shard))):
            ids = self._column("pairs", number, "pair_id")
            for row in (ids == pair_id).arg_true():
                return number, self._rows("pairs", number, row, 1).row(0, named=True)
        return None, None

    def _facets(self, pair_id: str, case_id: str, shard: int, pair_shard: int | None) -> Iterator[Facet]:
        import polars as pl

        of_pair = (pl.col("pair_id") == pair_id) & pl.col("case_id").is_null()
        of_case = pl.col("case_id") == case_id
        for number, wanted in ((pair_shard, of_pair), (shard, of_case)):
            if number is not None and self._has("facets", number):
                rows = self._lazy("facets", number).filter(wanted).select("name", "value").collect()
                yield from (Facet(*row) for row in rows.rows())

    def _answers(self, case: Mapping[str, object], place: Place) -> dict[str, StoredAnswer]:
        import polars as pl

        answers: dict[str, StoredAnswer] = {}
        for system in self.run.systems:
            kind, case_id = system.predictions, case["case_id"]
            if not self._has(kind, place.shard):
                continue
            rows = self._rows(kind, place.shard, place.row, 1)
            if rows["case_id"].to_list() != [case_id]:  # answers need not be in the order of the cases
                rows = self._lazy(kind, place.shard).filter(pl.col("case_id") == case_id).collect()
            for name, prediction in zip(rows["input_id"].to_list(), to_predictions(rows), strict=True):
                answers[system.name] = StoredAnswer(name, prediction)
        return answers

    def _matching(self, number: int, wanted: CaseFilter, predictions: str | None, first: int) -> NDArray[np.int64]:
        """Return the rows of a shard of cases that match a filter, beginning with row ``first``."""
        import numpy as np

        nothing = np.empty(0, dtype=np.int64)
        case_values = {"corpus": wanted.corpus, "probe": wanted.probe}
        if predictions is None or any(value is not None for value in case_values.values()):
            rows = self._filtered("cases", number, case_values, "row").to_numpy().astype(np.int64)
            if predictions is None or not len(rows):
                return rows[rows >= first]
        else:
            rows = None
        if not self._has(predictions, number):
            return nothing
        asked = self._filtered(predictions, number, {"label": wanted.label, "status": wanted.status}, "case_id")
        answered = self._rows_of(asked, number) if len(asked) else nothing
        answered = answered[answered >= first]
        return answered if rows is None else np.intersect1d(rows, answered, assume_unique=True)

    def _filtered(self, kind: str, number: int, values: Mapping[str, str | None], column: str) -> pl.Series:
        """Return one column of a shard, for the rows where other columns have the wanted values."""
        import polars as pl

        wanted = [pl.col(name) == value for name, value in values.items() if value is not None]
        lazy = self._lazy(kind, number, row_index=column == "row")
        return self._collect((lazy.filter(*wanted) if wanted else lazy).select(column), kind, number)[column]

    def _rows_of(self, ids: pl.Series, number: int) -> NDArray[np.int64]:
        """Return the rows of cases in a shard without reading its ids; answers may be in another order than cases."""
        for index in self._indexes():
            rows = index.rows(ids, number)
            if len(rows) == len(ids):
                return rows
        # Two cases share a key, or an answer belongs to no case of the shard, so ids are compared.
        same: NDArray[np.bool_] = self._column("cases", number, "case_id").gather(rows).is_in(ids.to_list()).to_numpy()
        return rows[same]

    def _chosen(self, kind: str, number: int, rows: list[int]) -> pl.DataFrame:
        """Read some rows of a shard, which are given in ascending order."""
        import polars as pl

        first = rows[0]
        if len(rows) <= _FEW:
            return pl.concat([self._rows(kind, number, row, 1) for row in rows])
        return self._rows(kind, number, first, rows[-1] - first + 1)[[row - first for row in rows]]

    def _rows(self, kind: str, number: int, start: int, length: int, columns: list[str] | None = None) -> pl.DataFrame:
        lazy = self._lazy(kind, number).slice(start, length)
        return self._collect((lazy.select(columns) if columns else lazy), kind, number)

    def _column(self, kind: str, number: int, name: str) -> pl.Series:
        return self._collect(self._lazy(kind, number).select(name), kind, number)[name]

    def _has(self, kind: str, number: int) -> bool:
        return self.run.shard(kind, number) in self.run.readable(kind)

    def _collect(self, lazy: pl.LazyFrame, kind: str, number: int) -> pl.DataFrame:
        import polars as pl

        try:
            return lazy.collect()
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, MemoryError) as error:
            raise unreadable_file(self.run.shard(kind, number), error) from error

    def _lazy(self, kind: str, number: int, *, row_index: bool = False) -> pl.LazyFrame:
        import polars as pl

        path = self.run.shard(kind, number)
        self.run.verify(path)
        index = "row" if row_index else None
        if self.run.record.format == format1.FORMAT:
            frame = self.run.read_shard(kind, path)
            return (frame if index is None else frame.with_row_index(index)).lazy()
        return pl.scan_parquet(path, glob=False, row_index_name=index)
