"""Readings: which of the two readings of a template a system takes.

Neither answer is a mistake, so these templates are in no accuracy. A system that understands the sentence takes one of
the two, and takes the same one whatever the words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.analysis.cases import RunData, SystemAnswers
from nliprobe.analysis.checklist.documents import ReadingEntry, ReadingExample
from nliprobe.analysis.documents import Rate
from nliprobe.analysis.scores import ends, share_interval
from nliprobe.task.labels import SETS
from nliprobe.task.outcomes import HOLDS, coarse_masks, gold_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.analysis.checklist.cases import ReadingCases
    from nliprobe.store.run import RunFolder


def reading_entries(cases: ReadingCases, data: RunData, system: SystemAnswers, run: RunFolder) -> list[ReadingEntry]:
    """Count which reading a system takes: of all templates first, then of each; nothing if it was asked none.

    Args:
        cases: the cases of templates with two readings.
        data: the run.
        system: the answers of the system.
        run: the run folder, for the texts of examples.
    """
    import numpy as np

    counted = system.asked(cases.rows) & _told_apart(cases, data, system)
    if not counted.any():
        return []
    answers = np.where(counted, system.answers[cases.rows], 0).astype(np.uint8)
    tables = np.stack([gold_table(data.partitions[name].join(system.partition)) for name in data.cases.corpora])
    corpus = data.cases.corpus[cases.rows]
    first = tables[corpus, cases.first, answers] == HOLDS
    second = tables[corpus, cases.second, answers] == HOLDS
    taken = np.select([first, second, answers != 0], [0, 1, 2], 3)
    _, groups = np.unique(cases.unit[counted], return_inverse=True)
    whole = [_over_templates(taken[counted] == kind, groups) for kind in range(3)]
    entries = [_entry(system.name, taken[counted], whole, templates=int(groups.max()) + 1)]
    examples = _examples(cases, counted, answers, run)
    for number, (about, second_capability) in enumerate(cases.units):
        mine = taken[counted & (cases.unit == number)]
        if not len(mine):
            continue
        entry = _entry(system.name, mine, [_of_template(mine == kind) for kind in range(3)], templates=1)
        entry["template"], entry["capability"] = about.template, about.capability
        entry["second_capability"], entry["example"] = second_capability or None, examples[number]
        entries.append(entry)
    return entries


def _told_apart(cases: ReadingCases, data: RunData, system: SystemAnswers) -> NDArray[np.bool_]:
    """Tell on which cases the two readings have labels that corpus and system both tell apart."""
    import numpy as np

    joined = [data.partitions[name].join(system.partition) for name in data.cases.corpora]
    coarse = np.array([coarse_masks(partition) for partition in joined])
    corpus = data.cases.corpus[cases.rows]
    different: NDArray[np.bool_] = coarse[corpus, cases.first] != coarse[corpus, cases.second]
    return different


def _entry(system: str, taken: NDArray[np.int64], rates: list[Rate], *, templates: int) -> ReadingEntry:
    return ReadingEntry(
        system=system,
        template=None,
        templates=templates,
        capability=None,
        second_capability=None,
        n=len(taken),
        first=rates[0],
        second=rates[1],
        neither=rates[2],
        unanswered=int((taken == 3).sum()),
        example=None,
    )


def _of_template(happened: NDArray[np.bool_]) -> Rate:
    from nliprobe.stats.intervals import wilson

    n, count = len(happened), int(happened.sum())
    return Rate(n=n, count=count, rate=count / n, ci95=ends(wilson(count, n)))


def _over_templates(happened: NDArray[np.bool_], groups: NDArray[np.int64]) -> Rate:
    n, count = len(happened), int(happened.sum())
    return Rate(n=n, count=count, rate=count / n, ci95=ends(share_interval(happened, groups)))


def _examples(
    cases: ReadingCases, counted: NDArray[np.bool_], answers: NDArray[np.uint8], run: RunFolder
) -> dict[int, ReadingExample]:
    """Return the first counted example of each template."""
    import numpy as np

    chosen = np.flatnonzero(counted)
    units, first = np.unique(cases.unit[chosen], return_index=True)
    places = chosen[first]
    texts = run.read("pairs", ["premise", "hypothesis"])[[int(pair) for pair in cases.pairs[places]]]
    return {
        int(unit): ReadingExample(
            premise=premise,
            hypothesis=hypothesis,
            first=str(SETS[cases.first[at]]),
            second=str(SETS[cases.second[at]]),
            answer=str(SETS[answers[at]]) or None,
        )
        for unit, at, (premise, hypothesis) in zip(units, places, texts.iter_rows(), strict=True)
    }
