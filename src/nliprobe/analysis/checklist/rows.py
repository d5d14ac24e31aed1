"""Templates one by one: how often each is answered rightly, what is answered instead, and an example of both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.checklist.bins import verdict
from nliprobe.analysis.checklist.capabilities import label_order
from nliprobe.analysis.checklist.documents import Example, PatternText, TemplateEntry
from nliprobe.analysis.documents import UNANSWERED, Ends
from nliprobe.analysis.scores import ends
from nliprobe.task.labels import SETS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.analysis.checklist.cases import Answered, ChecklistCases
    from nliprobe.analysis.checklist.wording import TemplateWording
    from nliprobe.store.run import RunFolder

# An example is there to be read; the run has the whole text.
_LONGEST = 500


def template_entries(
    checklist: ChecklistCases, given: Answered, run: RunFolder, *, patterns: Sequence[TemplateWording] = ()
) -> list[TemplateEntry]:
    """Score one system on each template it was asked, in the order of the units.

    Args:
        checklist: the cases of templates.
        given: the answers of the system.
        run: the run folder, for the texts of examples.
        patterns: how templates are written, if that is known.
    """
    import numpy as np

    units = len(checklist.units)
    unit, gold = checklist.unit[given.asked], checklist.gold[given.asked].astype(np.int64)
    answers, right = given.answers[given.asked].astype(np.int64), given.right[given.asked]
    by_gold = np.bincount(unit * 8 + gold, minlength=8 * units).reshape(units, 8)
    by_answer = np.bincount(unit * 8 + answers, minlength=8 * units).reshape(units, 8)
    instead = np.bincount((unit * 8 + answers)[~right], minlength=8 * units).reshape(units, 8)
    correct = np.bincount(unit[right], minlength=units)
    distinct, intervals = _distinct(checklist, given)
    examples = _examples(checklist, given, run)
    written = {pattern.id: pattern_text(pattern) for pattern in patterns}
    return [
        TemplateEntry(
            system=given.name,
            template=about.template,
            capability=about.capability,
            tags=list(about.tags),
            pattern=written.get(about.template),
            n=(n := int(by_gold[number].sum())),
            distinct=distinct[number],
            correct=int(correct[number]),
            accuracy=int(correct[number]) / n,
            ci95=intervals[number],
            verdict=verdict(int(correct[number]) / n),
            gold=_named(by_gold[number]),
            answers=_named(by_answer[number]),
            instead=_named(instead[number]),
            right=examples.get((number, True)),
            wrong=examples.get((number, False)),
        )
        for number, about in enumerate(checklist.units)
        if by_gold[number].any()
    ]


def pattern_text(pattern: TemplateWording) -> PatternText:
    """Return the wording of a template as documents hold it."""
    return PatternText(premise=pattern.premise, hypothesis=pattern.hypothesis, label=pattern.label)


def _distinct(checklist: ChecklistCases, given: Answered) -> tuple[list[int], list[Ends]]:
    """Count the distinct examples of each unit, and compute the interval of its accuracy."""
    import numpy as np

    from nliprobe.stats.grouped import share_interval

    texts, first, number = np.unique(checklist.own_text[given.asked], return_index=True, return_inverse=True)
    sizes = np.bincount(number, minlength=len(texts))
    hits = np.bincount(number[given.right[given.asked]], minlength=len(texts))
    unit = checklist.unit[given.asked][first]
    order = np.argsort(unit, kind="stable")
    starts = np.searchsorted(unit[order], np.arange(len(checklist.units) + 1))
    counts: list[int] = []
    intervals: list[Ends] = []
    for place in range(len(checklist.units)):
        examples = order[starts[place] : starts[place + 1]]
        counts.append(len(examples))
        intervals.append(ends(share_interval(hits[examples], sizes[examples])))
    return counts, intervals


def _examples(checklist: ChecklistCases, given: Answered, run: RunFolder) -> dict[tuple[int, bool], Example]:
    """Return the first example of each unit that was answered rightly, and the first that was not."""
    import numpy as np
    import polars as pl

    places: dict[tuple[int, bool], int] = {}
    for right in (True, False):
        chosen = np.flatnonzero(given.asked & (given.right == right))
        units, first = np.unique(checklist.unit[chosen], return_index=True)
        places |= {(int(unit), right): int(chosen[at]) for unit, at in zip(units, first, strict=True)}
    if not places:
        return {}
    pairs = run.read("pairs", ["premise", "hypothesis"])[[int(checklist.pairs[at]) for at in places.values()]]
    cut = pairs.with_columns(
        pl.when(pl.col(name).str.len_chars() > _LONGEST)
        .then(pl.col(name).str.slice(0, _LONGEST - 1) + "…")
        .otherwise(pl.col(name))
        .alias(name)
        for name in ("premise", "hypothesis")
    )
    return {
        key: Example(
            premise=premise,
            hypothesis=hypothesis,
            gold=str(SETS[checklist.gold[at]]),
            answer=str(SETS[given.answers[at]]) or None,
        )
        for (key, at), (premise, hypothesis) in zip(places.items(), cut.iter_rows(), strict=True)
    }


def _named(counts: NDArray[np.int64]) -> dict[str, int]:
    """Return counts by label, the unanswered last."""
    by_label = {str(SETS[mask]): int(counts[mask]) for mask in label_order(range(1, 8)) if counts[mask]}
    return {**by_label, UNANSWERED: int(counts[0])} if counts[0] else by_label
