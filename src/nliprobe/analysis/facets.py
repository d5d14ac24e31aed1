"""Facets: how systems do on the pairs of each kind, for any kind that a corpus or a probe names.

A facet may have many values: a pair then counts under each of them, so the numbers of the values overlap and must
not be added up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypedDict

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, NOT_ASKED, RunData, Slice, SystemAnswers, read_run
from nliprobe.analysis.documents import Ends
from nliprobe.analysis.scores import ends
from nliprobe.analysis.transitions import prohibited_moves
from nliprobe.base.errors import NotFoundError, did_you_mean
from nliprobe.task.case import IDENTITY, Certainty
from nliprobe.task.outcomes import HOLDS, gold_table

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder

FACETS_SCHEMA: Final = "nliprobe/facets/1"
# From fewer pairs than this a rate is an anecdote: the interval of 4 of 4 still begins at 51 %.
FEW = 5
# Facets that are computed: the number of values of another one, and the number of evidence rows.
COUNT, ROWS = "n:", "rows"


class FacetEntry(TypedDict):
    """A rate on the cases with one value of the facet.

    Attributes:
        n: the cases.
        pairs: the distinct pairs they come from.
        groups: the distinct groups (tables, captions) they come from.
        count: how often the answer was right, or the change prohibited.
        rate: count divided by n; none where n is 0 or nothing is prohibited.
        unanswered: wrong in an accuracy; in no other number of a prohibited rate.
        ci95: Wilson's interval.
        ci95_clustered: by resampling groups, or none where every group has one case.
        few: whether the pairs are too few to say anything; many edits of few pairs are still few.
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
    facet: str
    many: bool
    values: list[str]
    corpora: list[FacetCorpus]
    accuracy: list[FacetEntry]
    prohibited: list[FacetEntry]


class _Judged(NamedTuple):
    """Cases that count for one rate: their rows, whether the thing happened and could have, groups, the unanswered."""

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
    seed: int = 0,
    data: RunData | None = None,
) -> FacetsDocument:
    """Break the accuracy on the pairs as they are, and the prohibited rate of each probe, down by a facet.

    Args:
        run: the run folder.
        facet: the name of a facet; ``n:NAME`` for the number of values of the facet NAME; ``rows`` for the number of
            evidence rows.
        certainty: which cases count.
        seed: of the resampling behind the intervals.
        data: the run as :func:`read_run` gives it, where it has been read already.
    """
    data = read_run(run) if data is None else data
    members = _members(run, data, facet)
    values = _ordered(members)
    by_value = {value: members.filter(members["value"] == value)["row"].to_numpy() for value in values}
    found = list(_entries(data, by_value, certainty, (facet, seed)))
    pairs = members.join(_case_pairs(data), on="row").select("pair", "value").unique()
    return FacetsDocument(
        schema=FACETS_SCHEMA,
        run=run.path.resolve().name,
        facet=facet,
        many=bool(pairs["pair"].is_duplicated().any()),
        values=values,
        corpora=_coverage(data, set(pairs["pair"].to_list())),
        accuracy=[entry for entry in found if entry["probe"] == IDENTITY],
        prohibited=[entry for entry in found if entry["probe"] != IDENTITY],
    )


def facet_names(run: RunFolder) -> list[str]:
    """The facets that a run can be broken down by, the computed ones last."""
    names = [str(name) for name in run.read("facets", ["name"])["name"].unique(maintain_order=True)]
    marked = not run.read("pairs", ["evidence"])["evidence"].is_null().all()
    return [*names, *(f"{COUNT}{name}" for name in names), *([ROWS] if marked and ROWS not in names else [])]


def _members(run: RunFolder, data: RunData, facet: str) -> pl.DataFrame:
    """Which case (its row) has which value, each once."""
    import polars as pl

    facets = run.read("facets").select("pair_id", "case_id", "name", "value").unique(maintain_order=True)
    own = facets.filter(pl.col("name") == facet)
    of = facet.removeprefix(COUNT)
    if own.is_empty() and facet != of:
        counted = facets.filter((pl.col("name") == of) & pl.col("case_id").is_null())
        own = counted.group_by("pair_id", maintain_order=True).agg(pl.len().cast(pl.String).alias("value"))
        own = own.with_columns(pl.lit(None, dtype=pl.String).alias("case_id"))
    elif own.is_empty() and facet == ROWS:
        pairs = run.read("pairs", ["pair_id", "evidence"]).filter(pl.col("evidence").is_not_null())
        own = pairs.select("pair_id", pl.col("evidence").list.len().cast(pl.String).alias("value"))
        own = own.with_columns(pl.lit(None, dtype=pl.String).alias("case_id"))
    if own.is_empty():
        names = facet_names(run)
        raise NotFoundError(f"No pair of the run {run.path} has the facet '{facet}'. {did_you_mean(facet, names)}")
    numbers = run.read("pairs", ["pair_id"]).with_row_index("pair").with_columns(pl.col("pair").cast(pl.Int64))
    # What is known of a pair is known of every case made from it; what is known of a case is its own.
    of_pairs = own.filter(pl.col("case_id").is_null()).join(numbers, on="pair_id").join(_case_pairs(data), on="pair")
    ids = pl.DataFrame({"case_id": data.cases.ids}).with_row_index("row").with_columns(pl.col("row").cast(pl.Int64))
    of_cases = own.filter(pl.col("case_id").is_not_null()).join(ids, on="case_id")
    return pl.concat([of_pairs.select("row", "value"), of_cases.select("row", "value")]).unique().sort("row", "value")


def _case_pairs(data: RunData) -> pl.DataFrame:
    import numpy as np
    import polars as pl

    return pl.DataFrame({"row": np.arange(len(data.cases.pair), dtype=np.int64), "pair": data.cases.pair})


def _ordered(members: pl.DataFrame) -> list[str]:
    """Numbers by size, other values by how many cases have them."""
    counts = members["value"].value_counts()
    found = [(str(value), int(n)) for value, n in counts.iter_rows()]
    if all(value.isdecimal() for value, _ in found):
        return [value for value, _ in sorted(found, key=lambda item: int(item[0]))]
    return [value for value, _ in sorted(found, key=lambda item: (-item[1], item[0]))]


def _coverage(data: RunData, having: Collection[int]) -> list[FacetCorpus]:
    import numpy as np

    found: list[FacetCorpus] = []
    for number, corpus in enumerate(data.cases.corpora):
        pairs = np.unique(data.cases.pair[data.cases.corpus == number])
        known = int(np.isin(pairs, list(having)).sum())
        found.append(FacetCorpus(corpus=corpus, pairs=known, without=len(pairs) - known))
    return found


def _entries(
    data: RunData,
    by_value: dict[str, NDArray[np.int64]],
    certainty: Collection[Certainty],
    names: tuple[str, int],
) -> Iterator[FacetEntry]:
    import numpy as np

    wanted = data.cases.wanted(certainty)
    parts = list(data.cases.slices())
    chosen = np.zeros(len(wanted), dtype=bool)
    for system in data.systems:
        for part in parts:
            judge = _right if part.probe == IDENTITY else _prohibited
            judged = judge(data, system, part, wanted)
            if not len(judged.rows) and not len(judged.silent):
                continue
            for value, rows in by_value.items():
                chosen[rows] = True
                inside, silent = chosen[judged.rows], int(chosen[judged.silent].sum())
                chosen[rows] = False
                if inside.any() or silent:
                    some = judged._replace(
                        rows=judged.rows[inside],
                        happened=judged.happened[inside],
                        possible=judged.possible[inside],
                        clusters=judged.clusters[inside],
                    )
                    yield _entry(data, system, part, value, some, silent, names)


def _right(data: RunData, system: SystemAnswers, part: Slice, wanted: NDArray[np.bool_]) -> _Judged:
    cases, answers = data.cases, system.answers
    chosen = (cases.gold[part.rows] != 0) & (answers[part.rows] != NOT_ASKED) & wanted[part.rows]
    rows = part.rows[chosen]
    table = gold_table(data.partitions[part.corpus].join(system.partition)) == HOLDS
    right = table[cases.gold[rows], answers[rows]]
    return _Judged(rows, right, cases.gold[rows] != 0, part.clusters[chosen], rows[answers[rows] == 0])


def _prohibited(data: RunData, system: SystemAnswers, part: Slice, wanted: NDArray[np.bool_]) -> _Judged:
    cases, answers = data.cases, system.answers
    related = cases.related[part.rows] & wanted[part.rows]
    rows, clusters = part.rows[related], part.clusters[related]
    before, after = answers[cases.base[rows]], answers[rows]
    asked = (before != NOT_ASKED) & (after != NOT_ASKED)
    answered = asked & (before != 0) & (after != 0)
    kept = rows[answered]
    prohibited = prohibited_moves(cases, system.partition)
    happened = prohibited[cases.expects[kept], before[answered], after[answered]]
    possible = prohibited.max(axis=2)[cases.expects[kept], before[answered]]
    return _Judged(kept, happened, possible, clusters[answered], rows[asked & ~answered])


def _entry(
    data: RunData, system: SystemAnswers, part: Slice, value: str, some: _Judged, silent: int, names: tuple[str, int]
) -> FacetEntry:
    import numpy as np

    from nliprobe.stats.bootstrap import generator, ratio_intervals
    from nliprobe.stats.intervals import wilson

    n, count = len(some.rows), int(some.happened.sum())
    pairs = len(np.unique(data.cases.pair[some.rows]))
    groups, numbers = np.unique(some.clusters, return_inverse=True)
    clustered = None
    # From some answers a relation may allow everything: then a rate of 0 would be praise for nothing.
    known = bool(some.possible.any())
    if known and len(groups) < n:
        sizes = np.bincount(numbers)[:, None]
        hits = np.bincount(numbers[some.happened], minlength=len(groups))[:, None]
        facet, seed = names
        random = generator(seed, "facets", facet, value, system.name, part.corpus, part.probe)
        (clustered,) = ratio_intervals(hits, sizes, random)
    return FacetEntry(
        system=system.name,
        corpus=part.corpus,
        probe=part.probe,
        value=value,
        n=n,
        pairs=pairs,
        groups=len(groups),
        count=count,
        unanswered=silent,
        rate=count / n if known else None,
        ci95=ends(wilson(count, n)) if known else None,
        ci95_clustered=ends(clustered),
        few=pairs < FEW,
    )


def entries_by(entries: Sequence[FacetEntry], *, system: str, corpus: str) -> list[FacetEntry]:
    """The entries of one system on one corpus, in the order of the values."""
    return [entry for entry in entries if entry["system"] == system and entry["corpus"] == corpus]
