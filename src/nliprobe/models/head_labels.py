"""Which label each class of a classifier's head is, by the names that its configuration gives them."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.base.errors import DataError, UsageError
from nliprobe.task.labels import NAMES, LabelMap, LabelSet

# What other programs call a label that stands for two.
_BOTH = {"NC": "not_entailment"}


def head_labels(model: str, names: Sequence[str]) -> LabelMap:
    """Return the labels of a head's classes, in their order.

    Args:
        model: what the error calls the model.
        names: what its configuration calls the classes.

    Raises:
        UsageError: the names are not labels (``LABEL_0``), are the same label twice, or only one; nothing is guessed.
    """
    try:
        labels = [LabelMap().read(name) for name in names]
    except DataError:
        labels = []
    if len(labels) < 2 or None in labels or len(set(labels)) < len(labels):
        raise UsageError(
            f"{model} calls its classes {', '.join(names)}, which are not labels: declare them in their order, "
            "for example labels=entailment,neutral,contradiction."
        )
    return LabelMap({str(index): str(label) for index, label in enumerate(labels)})


def label_name(label: LabelSet) -> str:
    """Return the name of a class as configurations write it.

    >>> label_name(LabelSet.of("E")), label_name(LabelSet.of("NC"))
    ('entailment', 'not_entailment')
    """
    return NAMES.get(str(label)) or _BOTH.get(str(label)) or str(label)
