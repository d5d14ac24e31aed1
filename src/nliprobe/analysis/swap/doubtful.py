"""What swapping finds in the corpora of a run: tables that cannot be swapped, and neutral pairs that are doubtful."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.analysis.cases import NOT_ASKED, RunData, is_swap
from nliprobe.analysis.matching import read_some
from nliprobe.analysis.swap.documents import DoubtfulNeutral, SwapCorpus
from nliprobe.task.labels import SETS, N
from nliprobe.task.pair import DOUBTFUL_SWAP

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder

# Doubtful pairs of a corpus that a document holds; ``show --by swap`` counts them all.
MOST_LISTED = 100


def doubtful_cases(run: RunFolder, data: RunData) -> NDArray[np.bool_]:
    """Mark the swapped neutral pairs that most likely are entailments, as a mark per case of the run."""
    import polars as pl

    marked = run.read("facets", ["case_id", "name", "value"]).filter(
        pl.col("case_id").is_not_null()
        & (pl.col("name") == DOUBTFUL_SWAP.name)
        & (pl.col("value") == DOUBTFUL_SWAP.value)
    )
    doubtful: NDArray[np.bool_] = data.cases.ids.is_in(marked["case_id"].implode()).to_numpy()
    return doubtful


def swapped_corpora(run: RunFolder, data: RunData, doubtful: NDArray[np.bool_]) -> list[SwapCorpus]:
    """Count per corpus what was swapped, what not and why, and list the doubtful neutrals.

    Args:
        run: the run folder.
        data: the run as analysis reads it.
        doubtful: see :func:`doubtful_cases`.
    """
    import numpy as np
    import polars as pl

    cases = data.cases
    pairs = run.read("pairs", ["corpus", "kind"])
    swapping = np.isin(cases.probe, [place for place, probe in enumerate(cases.probes) if is_swap(probe)])
    corpora: list[SwapCorpus] = []
    for number, corpus in enumerate(cases.corpora):
        of_corpus = pairs.filter(pl.col("corpus") == corpus)
        rows = np.flatnonzero(swapping & (cases.corpus == number))
        tables = int((of_corpus["kind"] == "table").sum())
        left_out: dict[str, int] = {}
        for item in run.record.skipped:
            if item.corpus == corpus and is_swap(item.probe):
                left_out[item.reason] = left_out.get(item.reason, 0) + item.n
        chosen = rows[doubtful[rows]]
        corpora.append(
            SwapCorpus(
                corpus=corpus,
                pairs=len(of_corpus),
                swapped=len(rows),
                tables=tables,
                left_out=left_out,
                neutral=int((cases.gold[rows] == N.mask).sum()),
                doubtful=len(chosen),
                doubtful_pairs=_listed(run, data, chosen[:MOST_LISTED]),
            )
        )
    return corpora


def _listed(run: RunFolder, data: RunData, rows: NDArray[np.int64]) -> list[DoubtfulNeutral]:
    import polars as pl

    if not len(rows):
        return []
    ids = data.cases.ids.gather(rows)
    sources = read_some(run, "cases", ids, ["case_id", "pair_id"])
    texts = read_some(run, "pairs", sources["pair_id"], ["pair_id", "premise", "hypothesis"])
    known = pl.DataFrame({"case_id": ids}).join(sources, on="case_id", how="left", maintain_order="left")
    known = known.join(texts, on="pair_id", how="left", maintain_order="left")
    listed: list[DoubtfulNeutral] = []
    for row, (pair_id, premise, hypothesis) in zip(
        rows.tolist(), known.select("pair_id", "premise", "hypothesis").iter_rows(), strict=True
    ):
        answers = {
            system.name: [_answer(int(system.answers[at])) for at in (int(data.cases.base[row]), row)]
            for system in data.systems
        }
        listed.append(DoubtfulNeutral(pair_id=pair_id, premise=premise, hypothesis=hypothesis, answers=answers))
    return listed


def _answer(mask: int) -> str | None:
    return None if mask in (0, NOT_ASKED) else str(SETS[mask])
