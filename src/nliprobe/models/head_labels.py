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
        UsageError: there are not two or three of them, the names are not labels (``LABEL_0``), or are the same label
            twice; nothing is guessed.
    """
    if len(names) not in (2, 3):
        shown = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
        raise UsageError(
            f"{model} has {len(names)} classes ({shown}); a model of inference has two or three. If its classes mean "
            "labels nevertheless, declare each in their order with labels=…"
        )
    try:
        labels = [LabelMap().read(name) for name in names]
    except DataError:
        labels = []
    if not labels or None in labels or len(set(labels)) < len(labels):
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
