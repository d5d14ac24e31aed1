"""Facets: how systems do on the pairs with each value of a facet that a corpus or a probe names.

A pair may have many values of a facet. It counts under each of them, so the numbers of the values overlap and must not
be added up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypedDict

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, LIKELY, NONE, RunData, read_run
from nliprobe.analysis.documents import Ends
from nliprobe.analysis.integrity import Integrity, integrity
from nliprobe.analysis.outcomes import judge_expectations
from nliprobe.analysis.scores import ends, right_answers, share_interval
from nliprobe.analysis.slices import AskedSlice, asked_slices
from nliprobe.analysis.transitions import prohibited_moves
from nliprobe.base.errors import NotFoundError, did_you_mean
from nliprobe.task.case import IDENTITY, Certainty
from nliprobe.task.outcomes import BROKEN, HOLDS, UNANSWERED

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder

FACETS_SCHEMA: Final = "nliprobe/facets/1"
# A rate over fewer pairs than this is an anecdote: the interval of 4 of 4 still begins at 51 %.
FEW = 5
# Facets that are computed: the number of values of another one, and the number of evidence rows.
COUNT, ROWS = "n:", "rows"
LIKELY_ONLY = "what these cases expect is likely, not certain"


class FacetEntry(TypedDict):
    """A rate on the cases with one value of the facet.

    Attributes:
        n: the cases.
        pairs: the distinct pairs they come from.
        groups: the distinct groups (tables, captions) they come from.
        count: how often the answer was right, or what was expected is broken.
        rate: count divided by n; None if n is 0 or nothing is prohibited.
        unanswered: counted as wrong in an accuracy, and in no rate of broken expectations.
        ci95: with groups as the units of the sample; None if several cases share too few groups.
        ci95_clustered: the same where cases share groups; None if every group has one case.
        few: whether the pairs are too few to conclude anything; many edits of few pairs are still few.
    """

    system: str
    corpus: str
    probe: str
    value: str
    n: int
    pairs: int
    groups: int
    count: int
    unanswered: int
    rate: float | None
    ci95: Ends
    ci95_clustered: Ends
    few: bool


class FacetCorpus(TypedDict):
    """How many pairs of a corpus have the facet."""

    corpus: str
    pairs: int
    without: int


class FacetsDocument(TypedDict):
    """What ``nliprobe show RUN --by FACET --format json`` writes."""

    schema: Literal["nliprobe/facets/1"]
    run: str
    integrity: Integrity
    facet: str
    many: bool
    values: list[str]
    corpora: list[FacetCorpus]
    accuracy: list[FacetEntry]
    prohibited: list[FacetEntry]
    notes: dict[str, list[str]]


class _Judged(NamedTuple):
    """The cases of one rate: their rows, whether the event happened and could have, their groups, the unanswered."""

    rows: NDArray[np.int64]
    happened: NDArray[np.bool_]
    possible: NDArray[np.bool_]
    clusters: NDArray[np.int64]
    silent: NDArray[np.int64]


def facet_scores(
    run: RunFolder,
    facet: str,
    *,
    certainty: Collection[Certainty] = DEFAULT_CERTAINTY,
    data: RunData | None = None,
) -> FacetsDocument:
    """Break the accuracy on the pairs as they are, and the broken rate of each probe, down by a facet.

    Args:
        run: the run folder.
        facet: the name of a facet; ``n:NAME`` for the number of values of the facet NAME; ``rows`` for the number of
            evidence rows.
        certainty: which cases count.
        data: the run as :func:`read_run` gives it, if it has been read already.
    """
    data = read_run(run) if data is None else data
    members = _members(run, data, facet)
    values = _ordered(members)
    by_value = {value: members.filter(members["value"] == value)["row"].to_numpy() for value in values}
    wanted = data.cases.wanted(certainty)
    rows = members["row"].to_numpy()
    notes = run.notes
    if len(rows) and not wanted[rows].any() and data.cases.wanted(LIKELY)[rows].any():
        # Doubtful neutrals of a swap are likely by nature; without this there would be nothing to show of them.
        wanted = wanted | data.cases.wanted(LIKELY)
        notes = {**notes, facet: [*notes.get(facet, []), LIKELY_ONLY]}
    as_they_are = (item for item in asked_slices(data) if item.part.probe == IDENTITY)
    right = ((item, _right(data, item, wanted)) for item in as_they_are)
    expecting = data.cases.expects != NONE
    edited = (item for item in asked_slices(data, expecting, with_bases=True) if item.part.probe != IDENTITY)
    prohibited = ((item, _broken(data, item, wanted)) for item in edited)
    pairs = members.join(_case_pairs(data), on="row").select("pair", "value").unique()
    return FacetsDocument(
        schema=FACETS_SCHEMA,
        run=run.path.resolve().name,
        integrity=integrity(run),
        facet=facet,
        many=bool(pairs["pair"].is_duplicated().any()),
        values=values,
        corpora=_coverage(data, set(pairs["pair"].to_list())),
        accuracy=list(_entries(data, by_value, right)),
        prohibited=list(_entries(data, by_value, prohibited)),
        notes=notes,
    )


def facet_names(run: RunFolder) -> list[str]:
    """List the facets that a run can be broken down by, the computed ones last."""
    names = [str(name) for name in run.read("facets", ["name"])["name"].unique(maintain_order=True)]
    marked = not run.read("pairs", ["evidence"])["evidence"].is_null().all()
    return [*names, *(f"{COUNT}{name}" for name in names), *([ROWS] if marked and ROWS not in names else [])]


def _members(run: RunFolder, data: RunData, facet: str) -> pl.DataFrame:
    """Tabulate which case (by its row) has which value, each once."""
    import polars as pl

    facets = run.read("facets").select("pair_id", "case_id", "name", "value").unique(maintain_order=True)
    having = facets.filter(pl.col("name") == facet)
    of = facet.removeprefix(COUNT)
    if having.is_empty() and facet != of:
        counted = facets.filter((pl.col("name") == of) & pl.col("case_id").is_null())
        having = counted.group_by("pair_id", maintain_order=True).agg(pl.len().cast(pl.String).alias("value"))
        having = having.with_columns(pl.lit(None, dtype=pl.String).alias("case_id"))
    elif having.is_empty() and facet == ROWS:
        pairs = run.read("pairs", ["pair_id", "evidence"]).filter(pl.col("evidence").is_not_null())
        having = pairs.select("pair_id", pl.col("evidence").list.len().cast(pl.String).alias("value"))
        having = having.with_columns(pl.lit(None, dtype=pl.String).alias("case_id"))
    if having.is_empty():
        names = facet_names(run)
        raise NotFoundError(f"No pair of the run {run.path} has the facet '{facet}'. {did_you_mean(facet, names)}")
    numbers = run.read("pairs", ["pair_id"]).with_row_index("pair").with_columns(pl.col("pair").cast(pl.Int64))
    # A facet of a pair holds for every case made from it; a facet of a case holds for that case only.
    of_pairs = having.filter(pl.col("case_id").is_null()).join(numbers, on="pair_id").join(_case_pairs(data), on="pair")
    ids = pl.DataFrame({"case_id": data.cases.ids}).with_row_index("row").with_columns(pl.col("row").cast(pl.Int64))
    of_cases = having.filter(pl.col("case_id").is_not_null()).join(ids, on="case_id")
    return pl.concat([of_pairs.select("row", "value"), of_cases.select("row", "value")]).unique().sort("row", "value")


def _case_pairs(data: RunData) -> pl.DataFrame:
    import numpy as np
    import polars as pl

    return pl.DataFrame({"row": np.arange(len(data.cases.pair), dtype=np.int64), "pair": data.cases.pair})


def _ordered(members: pl.DataFrame) -> list[str]:
    """Order the values: numbers by size, others by how many cases have them."""
    counts = [(str(value), int(n)) for value, n in members["value"].value_counts().iter_rows()]
    if all(value.isdecimal() for value, _ in counts):
        return [value for value, _ in sorted(counts, key=lambda item: int(item[0]))]
    return [value for value, _ in sorted(counts, key=lambda item: (-item[1], item[0]))]


def _coverage(data: RunData, having: Collection[int]) -> list[FacetCorpus]:
    import numpy as np

    corpora: list[FacetCorpus] = []
    for number, corpus in enumerate(data.cases.corpora):
        pairs = np.unique(data.cases.pair[data.cases.corpus == number])
        known = int(np.isin(pairs, list(having)).sum())
        corpora.append(FacetCorpus(corpus=corpus, pairs=known, without=len(pairs) - known))
    return corpora


def _entries(
    data: RunData,
    by_value: dict[str, NDArray[np.int64]],
    judged_slices: Iterable[tuple[AskedSlice, _Judged]],
) -> Iterator[FacetEntry]:
    import numpy as np

    chosen = np.zeros(len(data.cases.pair), dtype=bool)
    for item, judged in judged_slices:
        for value, rows in by_value.items():
            chosen[rows] = True
            inside, silent = chosen[judged.rows], chosen[judged.silent]
            chosen[rows] = False
            if inside.any() or silent.any():
                with_value = _Judged(
                    judged.rows[inside],
                    judged.happened[inside],
                    judged.possible[inside],
                    judged.clusters[inside],
                    judged.silent[silent],
                )
                yield _entry(data, item, value, with_value)


def _right(data: RunData, item: AskedSlice, wanted: NDArray[np.bool_]) -> _Judged:
    import numpy as np

    counted = item.counted(wanted & (data.cases.gold != 0))
    right = right_answers(data, item.system, counted)
    silent = counted.rows[item.system.answers[counted.rows] == 0]
    return _Judged(counted.rows, right, np.ones(len(right), dtype=bool), counted.clusters, silent)


def _broken(data: RunData, item: AskedSlice, wanted: NDArray[np.bool_]) -> _Judged:
    cases, system = data.cases, item.system
    counted = item.counted(wanted)
    outcomes = judge_expectations(
        cases, counted.rows, system.answers, system.unchanged, system.probabilities, system.partition
    )
    decided = (outcomes == HOLDS) | (outcomes == BROKEN)
    part = counted.where(decided)
    # A relation that allows every move from an answer cannot be broken there.
    bound = prohibited_moves(cases, system.partition).max(axis=2)
    possible = ~cases.related[part.rows] | bound[cases.expects[part.rows], system.answers[cases.base[part.rows]]]
    silent = counted.rows[outcomes == UNANSWERED]
    return _Judged(part.rows, outcomes[decided] == BROKEN, possible, part.clusters, silent)


def _entry(data: RunData, item: AskedSlice, value: str, judged: _Judged) -> FacetEntry:
    import numpy as np

    system, part = item.system.name, item.part
    n, count = len(judged.rows), int(judged.happened.sum())
    pairs = len(np.unique(data.cases.pair[judged.rows]))
    groups = len(np.unique(judged.clusters))
    # If a relation allows everything from some answers, a rate of 0 would mean nothing.
    known = bool(judged.possible.any())
    interval = ends(share_interval(judged.happened, judged.clusters)) if known else None
    return FacetEntry(
        system=system,
        corpus=part.corpus,
        probe=part.probe,
        value=value,
        n=n,
        pairs=pairs,
        groups=groups,
        count=count,
        unanswered=len(judged.silent),
        rate=count / n if known else None,
        ci95=interval,
        ci95_clustered=interval if groups < n else None,
        few=pairs < FEW,
    )


def entries_by(entries: Sequence[FacetEntry], *, system: str, corpus: str) -> list[FacetEntry]:
    """Return the entries of one system on one corpus, in the order of the values."""
    return [entry for entry in entries if entry["system"] == system and entry["corpus"] == corpus]
