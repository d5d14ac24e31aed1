"""Outcomes: whether what was expected of an answer holds.

A gold label is compared in the coarser of what the corpus and the system tell apart. A relation is looked at
through what the system tells apart: a two-way system that answers NC breaks it only if neither N nor C is allowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import NONE, NOT_ASKED, Cases, masks, read_answers, read_cases
from nliprobe.analysis.check_outcomes import checked_rows
from nliprobe.analysis.matching import read_probabilities
from nliprobe.analysis.outcome_codes import BROKEN, HOLDS, NOT_APPLICABLE, OUTCOMES, UNANSWERED
from nliprobe.store.run import RunFolder
from nliprobe.task.labels import SETS
from nliprobe.task.partitions import THREE_WAY, Partition
from nliprobe.task.relations import Relation

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray


def gold_table(partition: Partition) -> NDArray[np.uint8]:
    """Tabulate the outcome (a position in ``OUTCOMES``) for every mask of gold (rows) and of an answer (columns)."""
    import numpy as np

    table = np.full((8, 8), NOT_APPLICABLE, dtype=np.uint8)
    for gold in SETS[1:]:
        table[gold.mask, 0] = UNANSWERED
        for answer in SETS[1:]:
            table[gold.mask, answer.mask] = HOLDS if partition.agrees(answer, gold) else BROKEN
    return table


def relation_table(relations: Sequence[str], partition: Partition) -> NDArray[np.uint8]:
    """Tabulate the outcome for every relation, mask of the base answer and mask of the answer.

    A relation over two bases cannot be judged from one answer and is not applicable.
    """
    import numpy as np

    table = np.full((len(relations), 8, 8), NOT_APPLICABLE, dtype=np.uint8)
    for number, text in enumerate(relations):
        relation = Relation.parse(text)
        if relation.arity != 1:
            continue
        table[number] = UNANSWERED
        for base in SETS[1:]:
            allowed = relation(partition.coarsen(base))
            for answer in SETS[1:]:
                holds = bool(partition.coarsen(answer) & allowed)
                table[number, base.mask, answer.mask] = HOLDS if holds else BROKEN
    return table


def gold_outcomes(gold: pl.Series, answer: pl.Series, partition: Partition = THREE_WAY) -> pl.Series:
    """Judge answers by gold, both written as label sets; ``partition`` joins those of corpus and system."""
    import polars as pl

    at = masks(gold).cast(pl.UInt32) * 8 + masks(answer).cast(pl.UInt32)
    return _named(gold_table(partition).ravel()).gather(at).alias("outcome")


def relation_outcomes(
    relation: pl.Series, base: pl.Series, answer: pl.Series, partition: Partition = THREE_WAY
) -> pl.Series:
    """Judge answers by relations to the answers on their bases; ``partition`` is the system's."""
    import numpy as np
    import polars as pl

    # One more table at the end, for cases without a relation.
    known = relation.drop_nulls().unique(maintain_order=True).to_list()
    none = np.full((1, 8, 8), NOT_APPLICABLE, dtype=np.uint8)
    table = np.concatenate([relation_table(known, partition), none])
    numbers = {text: number for number, text in enumerate(known)}
    number = relation.replace_strict(numbers, return_dtype=pl.UInt32) if known else relation.cast(pl.UInt32)
    at = number.fill_null(len(known)) * 64 + masks(base).cast(pl.UInt32) * 8 + masks(answer).cast(pl.UInt32)
    return _named(table.ravel()).gather(at).alias("outcome")


def case_outcomes(run: RunFolder, system: str, cases: Cases | None = None) -> pl.DataFrame:
    """List the outcomes of every case that a system was asked: the table to look single cases up in.

    Args:
        run: the run folder.
        system: the name of the system.
        cases: the cases as :func:`read_cases` gives them, where they have been read already.

    Returns:
        The columns case_id, corpus and probe; the outcomes ``gold``, ``relation`` and ``check``, whatever their
        certainty; and the labels ``base`` (the answer to the case this one is derived from) and ``answer``.
    """
    import numpy as np
    import polars as pl

    cases = read_cases(run) if cases is None else cases
    answers = read_answers(run, cases, system)
    own = run.system(system).partition
    corpora = {item.name: item.partition for item in run.corpora}
    asked = answers != NOT_ASKED
    answer = np.where(asked, answers, 0)
    base = np.where(cases.base == NONE, 0, answer[cases.base])
    by_gold = np.stack([gold_table(corpora[name].join(own)) for name in cases.corpora])
    none = np.full((1, 8, 8), NOT_APPLICABLE, dtype=np.uint8)
    by_relation = np.concatenate([relation_table(cases.relations, own), none])
    related = np.where(cases.base == NONE, len(cases.relations), cases.relation)  # NONE is the last table
    checked = np.full(len(answers), NOT_APPLICABLE, dtype=np.uint8)
    rows = np.flatnonzero((cases.check != NONE) & asked)
    if len(rows):
        shares = read_probabilities(run, cases.ids, system) if cases.weighs else None
        checked[rows] = checked_rows(cases, rows, answers, shares, own)
    label = pl.Series([None, *(str(item) for item in SETS[1:])], dtype=pl.String)
    frame = pl.DataFrame(
        {
            "case_id": cases.ids,
            "corpus": pl.Series(cases.corpora, dtype=pl.String).gather(cases.corpus),
            "probe": pl.Series(cases.probes, dtype=pl.String).gather(cases.probe),
            "gold": _named(by_gold[cases.corpus, cases.gold, answer]),
            "relation": _named(by_relation[related, base, answer]),
            "check": _named(checked),
            "base": label.gather(base),
            "answer": label.gather(answer),
        }
    )
    return frame.filter(pl.Series(asked))


def _named(positions: NDArray[np.uint8]) -> pl.Series:
    import polars as pl

    names = [str(item) for item in OUTCOMES]
    return pl.Series(names, dtype=pl.Enum(names)).gather(positions.astype("uint32"))
