"""Capabilities: how systems do on each kind of reasoning, with intervals that treat a template as one group."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.checklist.documents import CapabilityEntry, LabelRate
from nliprobe.analysis.constant import best_constant
from nliprobe.analysis.documents import Ends
from nliprobe.analysis.scores import ends
from nliprobe.language.capabilities import capabilities
from nliprobe.task.labels import LETTERS, SETS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.analysis.checklist.cases import Answered, ChecklistCases

OTHER = "other"


def in_order(names: Iterable[str]) -> list[str]:
    """Sort capabilities in the order of the taxonomy; those it does not know come last, by name."""
    places = {name: place for place, name in enumerate(capabilities())}
    return sorted(set(names), key=lambda name: (places.get(name.lower(), len(places)), name))


def group_of(capability: str) -> str:
    """Return the group of a capability."""
    known = capabilities().get(capability.lower())
    return OTHER if known is None else known.group


def label_order(masks: Iterable[int]) -> list[int]:
    """Sort masks of label sets: E, N, C, then the sets of several labels."""
    return sorted(masks, key=lambda mask: (len(SETS[mask]), LETTERS.index(str(SETS[mask])[0])))


class _Counts(NamedTuple):
    """Sizes and hits of each template (rows) by gold mask (columns), and the accuracy on each."""

    sizes: NDArray[np.int64]
    hits: NDArray[np.int64]
    unit_means: NDArray[np.float64]


def capability_entries(checklist: ChecklistCases, given: Answered) -> list[CapabilityEntry]:
    """Score one system on the whole suite (the first entry, without a capability) and on each capability."""
    import numpy as np

    capability = np.array([unit.capability for unit in checklist.units], dtype=object)
    entries = [_entry(checklist, given, given.asked, None)]
    for name in in_order(str(item) for item in capability):
        chosen = given.asked & (capability == name)[checklist.unit]
        entries.append(_entry(checklist, given, chosen, name))
    return entries


def balanced_mean(labels: dict[str, LabelRate]) -> float | None:
    """Average the accuracies on the labels, each with the same weight; None if some gold is a set of labels."""
    known = [rate["accuracy"] for rate in labels.values() if rate["accuracy"] is not None]
    return sum(known) / len(known) if known and all(len(label) == 1 for label in labels) else None


def _entry(
    checklist: ChecklistCases, given: Answered, chosen: NDArray[np.bool_], capability: str | None
) -> CapabilityEntry:
    import numpy as np

    from nliprobe.stats.grouped import average_interval, share_interval

    counts = _counts(checklist, given, chosen)
    n, correct = int(chosen.sum()), int(given.right[chosen].sum())
    interval = share_interval(counts.hits.sum(axis=1), counts.sizes.sum(axis=1))
    labels = _labels(checklist, chosen, counts)
    return CapabilityEntry(
        system=given.name,
        group=None if capability is None else group_of(capability),
        capability=capability,
        templates=len(counts.unit_means),
        n=n,
        distinct=len(np.unique(checklist.text[chosen])),
        correct=correct,
        unanswered=int((given.answers[chosen] == 0).sum()),
        accuracy=correct / n if n else None,
        ci95=ends(interval),
        template_mean=float(counts.unit_means.mean()) if n else None,
        template_mean_ci95=ends(average_interval(counts.unit_means)),
        balanced=balanced_mean(labels),
        balanced_ci95=_balanced_ends(counts),
        labels=labels,
        constant=best_constant(checklist.gold[chosen], given.partition),
    )


def _counts(checklist: ChecklistCases, given: Answered, chosen: NDArray[np.bool_]) -> _Counts:
    import numpy as np

    clusters, number = np.unique(checklist.unit[chosen], return_inverse=True)
    key = number * 8 + checklist.gold[chosen]
    right, shape = given.right[chosen], (len(clusters), 8)
    sizes = np.bincount(key, minlength=8 * len(clusters)).reshape(shape)
    hits = np.bincount(key[right], minlength=8 * len(clusters)).reshape(shape)
    unit = checklist.unit[chosen]
    of_unit = np.bincount(unit, minlength=len(checklist.units))
    present = of_unit > 0
    means = np.bincount(unit[right], minlength=len(of_unit))[present] / of_unit[present]
    return _Counts(sizes, hits, means)


def _labels(checklist: ChecklistCases, chosen: NDArray[np.bool_], counts: _Counts) -> dict[str, LabelRate]:
    import numpy as np

    units = np.zeros((len(checklist.units), 8), dtype=bool)
    units[checklist.unit[chosen], checklist.gold[chosen]] = True
    sizes, hits, templates = counts.sizes.sum(axis=0), counts.hits.sum(axis=0), units.sum(axis=0)
    return {
        str(SETS[mask]): LabelRate(
            n=int(sizes[mask]),
            share=int(sizes[mask]) / int(sizes.sum()),
            templates=int(templates[mask]),
            accuracy=int(hits[mask]) / int(sizes[mask]),
        )
        for mask in label_order(mask for mask in range(1, 8) if sizes[mask])
    }


def _balanced_ends(counts: _Counts) -> Ends:
    """Compute the interval of the label-balanced accuracy; gold that is a set of labels has none."""
    from nliprobe.stats.classification import balanced_accuracy_interval

    several = [mask for mask in range(1, 8) if len(SETS[mask]) > 1]
    if counts.sizes[:, several].any():
        return None
    return ends(balanced_accuracy_interval(counts.hits, counts.sizes))
