"""Facets: how systems do on the pairs with each value of a facet that a corpus or a probe names.

A pair may have many values of a facet. It counts under each of them, so the numbers of the values overlap and must not
be added up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, LIKELY, NONE, RunData, Slice, gold_labels, read_run
from nliprobe.analysis.constant import constant_answers
from nliprobe.analysis.facet_documents import FACETS_SCHEMA, FEW, Breakdown, FacetCorpus, FacetEntry, FacetsDocument
from nliprobe.analysis.facet_values import case_pairs, facet_members, new_cases, rows_by_value
from nliprobe.analysis.integrity import integrity
from nliprobe.analysis.judged import Judged, judge_broken, judge_right
from nliprobe.analysis.scores import ends, share_interval
from nliprobe.analysis.slices import AskedSlice, asked_slices
from nliprobe.base.errors import NotFoundError
from nliprobe.task.case import IDENTITY, Certainty

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder

LIKELY_ONLY = "what these cases expect is likely, not certain"


def facet_scores(
    run: RunFolder,
    facet: str,
    *,
    certainty: Collection[Certainty] = DEFAULT_CERTAINTY,
    data: RunData | None = None,
) -> FacetsDocument:
    """Break the accuracy on the pairs as they are and on new pairs, and the broken rate of each probe, down by a facet.

    Args:
        run: the run folder.
        facet: the name of a facet; ``n:NAME`` for the number of values of the facet NAME; ``rows`` for the number of
            evidence rows; ``label`` for the gold label; several of these, with commas between them, are crossed.
        certainty: which cases count.
        data: the run as :func:`read_run` gives it, if it has been read already.
    """
    data = read_run(run) if data is None else data
    members = facet_members(run, data, facet)
    by_value = rows_by_value(members)
    wanted = data.cases.wanted(certainty)
    rows = members.frame["row"].to_numpy()
    notes = run.notes
    if len(rows) and not wanted[rows].any() and data.cases.wanted(LIKELY)[rows].any():
        # Doubtful neutrals of a swap are likely by nature; without this there would be nothing to show of them.
        wanted = wanted | data.cases.wanted(LIKELY)
        notes = {**notes, facet: [*notes.get(facet, []), LIKELY_ONLY]}
    expecting = data.cases.expects != NONE
    edited = (item for item in asked_slices(data, expecting, with_bases=True) if item.part.probe != IDENTITY)
    prohibited = ((item, judge_broken(data, item, wanted)) for item in edited)
    pairs = members.frame.join(case_pairs(data), on="row").select("pair", "value").unique()
    return FacetsDocument(
        schema=FACETS_SCHEMA,
        run=run.path.resolve().name,
        integrity=integrity(run),
        facet=facet,
        many=bool(pairs["pair"].is_duplicated().any()),
        values=list(members.values),
        corpora=_coverage(data, set(pairs["pair"].to_list())),
        accuracy=list(_accuracies(data, by_value, wanted, new=True)),
        prohibited=list(_entries(data, by_value, prohibited)),
        notes=notes,
    )


def breakdowns(
    run: RunFolder, data: RunData, *, certainty: Collection[Certainty] = DEFAULT_CERTAINTY
) -> list[Breakdown]:
    """Break the accuracy on each corpus down by the facets that it names itself, as far as its pairs have them."""
    import numpy as np

    wanted = data.cases.wanted(certainty)
    entries: list[Breakdown] = []
    for item in run.corpora:
        own = data.cases.corpus == data.cases.corpora.index(item.name)
        for facet in item.by:
            try:
                members = facet_members(run, data, facet)
            except NotFoundError:
                continue  # a copy of the corpus without this column
            rows = {value: rows[own[rows]] for value, rows in rows_by_value(members).items()}
            accuracy = list(_accuracies(data, {value: some for value, some in rows.items() if len(some)}, wanted))
            if accuracy:
                there = np.concatenate(list(rows.values()))
                entries.append(
                    Breakdown(
                        corpus=item.name,
                        facet=facet,
                        asked=False,
                        many=len(np.unique(there)) < len(there),
                        values=[value for value, some in rows.items() if len(some)],
                        accuracy=accuracy,
                    )
                )
    return entries


def _accuracies(
    data: RunData, by_value: dict[str, NDArray[np.int64]], wanted: NDArray[np.bool_], *, new: bool = False
) -> Iterator[FacetEntry]:
    """Yield the accuracies on the pairs as they are, and perhaps on the new pairs that probes made from them."""
    scored = (item for item in asked_slices(data) if item.part.probe == IDENTITY or (new and _is_new(data, item.part)))
    return _entries(data, by_value, ((item, judge_right(data, item, wanted)) for item in scored))


def _is_new(data: RunData, part: Slice) -> bool:
    """Tell whether a probe made pairs of its own, whose answers are compared with nothing but a gold label."""
    return bool(new_cases(data)[part.rows].all())


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
    judged_slices: Iterable[tuple[AskedSlice, Judged]],
) -> Iterator[FacetEntry]:
    import numpy as np

    chosen = np.zeros(len(data.cases.pair), dtype=bool)
    for item, judged in judged_slices:
        for value, rows in by_value.items():
            chosen[rows] = True
            with_value = judged.among(chosen)
            chosen[rows] = False
            if len(with_value.rows) or len(with_value.silent):
                yield _entry(data, item, value, with_value)


def _entry(data: RunData, item: AskedSlice, value: str, judged: Judged) -> FacetEntry:
    import numpy as np

    constants: dict[str, float] = {}
    if item.part.probe == IDENTITY or _is_new(data, item.part):
        labels = gold_labels(data.partitions[item.part.corpus], item.system.partition)
        constants = constant_answers(data.cases.gold[judged.rows], labels)
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
        constants=constants,
    )


def entries_by(entries: Sequence[FacetEntry], *, system: str, corpus: str) -> list[FacetEntry]:
    """Return the entries of one system on one corpus, in the order of the values."""
    return [entry for entry in entries if entry["system"] == system and entry["corpus"] == corpus]
