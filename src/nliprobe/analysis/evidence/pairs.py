"""The pairs of a run whose units were taken out or kept one by one, with the cases that did so.

Units of all pairs stand one after the other in arrays, so that the answers of a system are looked up at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import NONE, RunData
from nliprobe.language.sentences import split_sentences
from nliprobe.task.case import IDENTITY
from nliprobe.task.evidence import Grade
from nliprobe.task.table import Table
from nliprobe.task.units import Rows, Sentences, Units

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder

_COLUMNS = (
    "pair_id", "corpus", "kind", "premise", "hypothesis", "gold", "evidence", "grade", "outside", "alone", "sentences",
)  # fmt: skip
_BEGINS = '{"op":"'
_ONE = r'"op":"(?:row|sentence)\.(delete|keep)","(?:row|unit)":([0-9]+)'
_ANY = r'"op":"(?:row|sentence)\.delete","(?:row|unit)":[0-9]+'


@dataclass(frozen=True)
class UnitPair:
    """A pair with its units.

    Attributes:
        id: the id of the pair.
        corpus: the name of its corpus.
        hypothesis: what is judged.
        gold: the letters of its gold label, empty if unknown.
        units: its rows or sentences.
        marked: the places of the units that the evidence names; None if the pair has no evidence.
        grade: where the marks come from; None if there are none.
        outside: whether knowledge from outside is needed, too.
        alone: whether each marked unit suffices by itself.
    """

    id: str
    corpus: str
    hypothesis: str
    gold: str
    units: Units
    marked: tuple[int, ...] | None
    grade: Grade | None
    outside: bool
    alone: bool


@dataclass(frozen=True)
class UnitPairs:
    """Pairs with units, and for each unit the rows of the cases that take it out or keep only it.

    Attributes:
        pairs: the pairs.
        asked: for each pair, the row of the case that asks it as it is.
        group: for each pair, the number of its group in the run.
        first: where the units of each pair begin; the last number is that of all units.
        marked: for each unit, whether the evidence names it.
        delete: for each unit, the row of the case without it, or NONE.
        keep: for each unit, the row of the case with it alone, or NONE.
        delete_all: for each pair, the row of the case without any marked unit, or NONE.
    """

    pairs: tuple[UnitPair, ...]
    asked: NDArray[np.int64]
    group: NDArray[np.int64]
    first: NDArray[np.int64]
    marked: NDArray[np.bool_]
    delete: NDArray[np.int64]
    keep: NDArray[np.int64]
    delete_all: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of units of each pair."""
        import numpy as np

        sizes: NDArray[np.int64] = np.diff(self.first)
        return sizes

    def own(self, number: int) -> slice:
        """Return where the units of one pair are among all units."""
        return slice(int(self.first[number]), int(self.first[number + 1]))


def has_evidence(run: RunFolder) -> bool:
    """Tell whether some pair of a run has evidence, without reading texts."""
    return any(not shard["evidence"].is_null().all() for shard in run.shards("pairs", ["evidence"]))


def read_unit_pairs(run: RunFolder, data: RunData, ids: Collection[str] | None = None) -> UnitPairs:
    """Read pairs with their units, and find the cases that took units out or kept one.

    Args:
        run: the run folder.
        data: the run as :func:`nliprobe.analysis.cases.read_run` gives it.
        ids: which pairs; by default those with evidence.
    """
    import numpy as np
    import polars as pl

    wanted = pl.col("evidence").is_not_null() if ids is None else pl.col("pair_id").is_in(list(ids))
    every = run.read("pairs", list(_COLUMNS)).with_row_index("number")
    cases = data.cases
    # Many pairs share a table, which is read once.
    read = cache(Table.from_json)
    known = [(int(row["number"]), _pair(row, _units(row, read))) for row in every.filter(wanted).iter_rows(named=True)]
    pairs = tuple(pair for _, pair in known)
    # The numbers of pairs are those of the run; most of them are not among the known ones.
    local = np.full(every.height, NONE, dtype=np.int64)
    local[[number for number, _ in known]] = np.arange(len(known))
    asked = np.full(len(known), NONE, dtype=np.int64)
    as_they_are = np.flatnonzero(_probe_is(data, IDENTITY) & (local[cases.pair] != NONE))
    asked[local[cases.pair[as_they_are]]] = as_they_are
    first = np.concatenate([[0], np.cumsum(np.array([len(pair.units) for pair in pairs], dtype=np.int64))])
    group = np.where(asked == NONE, NONE, cases.group[asked])
    delete, keep = (np.full(int(first[-1]), NONE, dtype=np.int64) for _ in range(2))
    delete_all = np.full(len(known), NONE, dtype=np.int64)
    marked = np.zeros(int(first[-1]), dtype=bool)
    marked[
        [first[n] + place for n, pair in enumerate(pairs) for place in pair.marked or () if place < len(pair.units)]
    ] = True
    whole = UnitPairs(pairs, asked, group, first, marked, delete, keep, delete_all)
    # Cases made from the pairs as they are.
    among = (cases.base != NONE) & (cases.base == np.append(asked, NONE)[local[cases.pair]])
    for case, op, places in _unit_edits(run, data, among):
        number = int(local[cases.pair[case]])
        pair = pairs[number]
        if any(place >= len(pair.units) for place in places):
            continue
        if len(places) == 1:
            (delete if op == "delete" else keep)[first[number] + places[0]] = case
        if op == "delete" and pair.marked and tuple(sorted(places)) == pair.marked:
            delete_all[number] = case
    return whole


def _unit_edits(run: RunFolder, data: RunData, among: NDArray[np.bool_]) -> Iterator[tuple[int, str, tuple[int, ...]]]:
    """Yield the rows of some cases that only take units out, or keep one, with the places of these units."""
    import polars as pl

    edits = pl.col("edits")
    ones, times = edits.str.count_matches(_BEGINS, literal=True), edits.str.count_matches(_ANY)
    single = (ones == 1) & edits.str.contains(_ONE)
    parts = [
        shard.filter((single | ((ones > 1) & (times == ones))).fill_null(value=False))
        for shard in run.shards("cases", ["case_id", "edits"])
    ]
    rows = pl.DataFrame({"case_id": data.cases.ids}).with_row_index("row").filter(pl.Series(among))
    frame = pl.concat(parts).join(rows, on="case_id", how="inner")
    operation = edits.str.extract(_ONE, 1)
    places = edits.str.extract_all(_ONE).list.eval(pl.element().str.extract(_ONE, 2).cast(pl.Int64))
    for row, op, units in frame.select("row", operation.alias("op"), places.alias("units")).iter_rows():
        yield int(row), str(op), tuple(units)


def _units(row: dict[str, object], read: Callable[[str], Table]) -> Units:
    premise, places = str(row["premise"]), row["sentences"]
    if row["kind"] == "table":
        return Rows(read(premise))
    if isinstance(places, list):
        return Sentences(premise, tuple(zip(places[::2], places[1::2], strict=True)))
    return Sentences(premise, split_sentences(premise))


def _pair(row: dict[str, object], units: Units) -> UnitPair:
    marks = row["evidence"]
    return UnitPair(
        id=str(row["pair_id"]),
        corpus=str(row["corpus"]),
        hypothesis=str(row["hypothesis"]),
        gold=str(row["gold"] or ""),
        units=units,
        marked=tuple(marks) if isinstance(marks, list) else None,
        # Runs of earlier versions know no grades: their marks are people's.
        grade=Grade(str(row["grade"] or Grade.GOLD)) if marks is not None else None,
        outside=bool(row["outside"]),
        alone=bool(row["alone"]),
    )


def _probe_is(data: RunData, name: str) -> NDArray[np.bool_]:
    import numpy as np

    known = np.array([probe == name for probe in data.cases.probes], dtype=bool)
    chosen: NDArray[np.bool_] = known[data.cases.probe]
    return chosen
