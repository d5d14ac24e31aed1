"""The outcomes of a run: whether gold labels and expectations hold, case by case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.analysis.cases import NONE, NOT_ASKED, Cases, RunData, SystemAnswers, read_answers, read_cases
from nliprobe.analysis.matching import read_probabilities, read_unchanged
from nliprobe.store.run import RunFolder
from nliprobe.task.labels import SETS, Partition
from nliprobe.task.outcomes import (
    HOLDS,
    NOT_APPLICABLE,
    OUTCOMES,
    Answers,
    expected_outcomes,
    gold_table,
    pair_outcomes,
)
from nliprobe.task.unbound import unbound, unbound_by_two

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray


# Between the answers to two bases.
BETWEEN = ", "


def answered_right(
    data: RunData, system: SystemAnswers, rows: NDArray[np.int64], partition: Partition
) -> NDArray[np.bool_]:
    """Mark the cases, given by their rows, that a system answers as their gold label says.

    Args:
        data: the run.
        system: who answered.
        rows: the cases.
        partition: the labels that are told apart.
    """
    right: NDArray[np.bool_] = gold_table(partition)[data.cases.gold[rows], system.answers[rows]] == HOLDS
    return right


def judge_expectations(
    cases: Cases,
    rows: NDArray[np.int64],
    answers: NDArray[np.uint8],
    unchanged: NDArray[np.bool_],
    probabilities: NDArray[np.float32] | None,
    partition: Partition,
) -> NDArray[np.uint8]:
    """Judge what some cases expect, as places in ``OUTCOMES``.

    A case that expects nothing, or that the system reads exactly like its base, is not applicable.

    Args:
        cases: the cases of the run.
        rows: which of them.
        answers: the answers of a system to all cases.
        unchanged: marks of the cases that the system reads like their base.
        probabilities: its probabilities, if some rule looks at them.
        partition: the labels that are told apart.
    """
    import numpy as np

    outcomes = np.full(len(rows), NOT_APPLICABLE, dtype=np.uint8)
    expecting = (cases.expects[rows] != NONE) & ~unchanged[rows]
    rows = rows[expecting]
    if not len(rows):
        return outcomes
    based = cases.base[rows] != NONE
    base = np.where(based, cases.base[rows], 0)
    answered = np.where(answers == NOT_ASKED, 0, answers).astype(np.uint8)
    changes = np.full((len(rows), 3), np.nan)
    if probabilities is not None:
        changes = probabilities[rows].astype(np.float64) - probabilities[base]
    judged = Answers(answered[base], answered[rows], changes, based)
    verdicts = expected_outcomes(cases.rules, cases.expects[rows], judged, partition)
    of_two = cases.second[rows] != NONE
    for number in np.unique(cases.expects[rows[of_two]]).tolist():
        chosen = of_two & (cases.expects[rows] == number)
        first, second = (answered[bases[rows[chosen]]] for bases in (cases.first, cases.second))
        verdicts[chosen] = pair_outcomes(cases.rules[number], partition)[first, second, answered[rows[chosen]]]
    outcomes[expecting] = verdicts
    return outcomes


def any_allowed(
    cases: Cases, rows: NDArray[np.int64], answers: NDArray[np.uint8], partition: Partition
) -> NDArray[np.bool_]:
    """Mark the cases, given by their rows, whose expectation every answer to them would have kept.

    Args:
        cases: the cases of the run.
        rows: which of them.
        answers: the answers of a system to all cases.
        partition: the labels that are told apart.
    """
    import numpy as np

    marks = np.zeros(len(rows), dtype=bool)
    expecting = cases.expects[rows] != NONE
    rows = rows[expecting]
    if not len(rows):
        return marks
    based = cases.base[rows] != NONE
    answered = np.where(answers == NOT_ASKED, 0, answers).astype(np.uint8)
    base = np.where(based, answered[cases.base[rows]], 0)
    tables = np.stack([unbound(rule, partition) for rule in cases.rules])
    found: NDArray[np.bool_] = tables[cases.expects[rows], based.astype(np.intp), base]
    of_two = cases.second[rows] != NONE
    for number in np.unique(cases.expects[rows[of_two]]).tolist():
        chosen = of_two & (cases.expects[rows] == number)
        first, second = (answered[bases[rows[chosen]]] for bases in (cases.first, cases.second))
        found[chosen] = unbound_by_two(cases.rules[number], partition)[first, second]
    marks[expecting] = found
    return marks


def case_outcomes(run: RunFolder, system: str, cases: Cases | None = None) -> pl.DataFrame:
    """List the outcomes of every case that a system was asked, for looking up single cases.

    Args:
        run: the run folder.
        system: the name of the system.
        cases: the cases as :func:`read_cases` gives them, if they have been read already.

    Returns:
        The columns case_id, corpus and probe; the outcomes ``gold`` and ``expects``, whatever their certainty; and the
        labels ``base`` (the answer to the case this one is derived from; of two, both, as in ``E, C``) and ``answer``.
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
    shares = read_probabilities(run, cases.ids, system) if cases.weighs else None
    unchanged = read_unchanged(run, cases.ids, cases.base, system)
    expected = judge_expectations(cases, np.arange(len(answers)), answers, unchanged, shares, own)
    label = pl.Series([None, *(str(item) for item in SETS[1:])], dtype=pl.String)
    before = label.gather(base)
    if (cases.second != NONE).any():
        # An answer that never came has no letters.
        first, second = (
            label.gather(np.where(rows == NONE, 0, answer[rows])).fill_null("") for rows in (cases.first, cases.second)
        )
        two = pl.Series(cases.second != NONE)
        before = pl.select(pl.when(two).then(first + BETWEEN + second).otherwise(before)).to_series()
    frame = pl.DataFrame(
        {
            "case_id": cases.ids,
            "corpus": pl.Series(cases.corpora, dtype=pl.String).gather(cases.corpus),
            "probe": pl.Series(cases.probes, dtype=pl.String).gather(cases.probe),
            "gold": _named(by_gold[cases.corpus, cases.gold, answer]),
            "expects": _named(expected),
            "base": before,
            "answer": label.gather(answer),
        }
    )
    return frame.filter(pl.Series(asked))


def _named(places: NDArray[np.uint8]) -> pl.Series:
    import polars as pl

    names = [str(item) for item in OUTCOMES]
    return pl.Series(names, dtype=pl.Enum(names)).gather(places.astype("uint32"))
