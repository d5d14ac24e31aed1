"""Controls: the systems of a run that cannot use the premise, because they never see it or always answer the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nliprobe.task.labels import SETS

if TYPE_CHECKING:
    from nliprobe.analysis.cases import Cases, RunData, SystemAnswers

FULL_PREMISE = "full"
# The models that answer the same whatever they are asked.
CONSTANT_MODELS = frozenset({"majority"})
# A system that gives one label to 80 % of cases gives it to this many in a row once in a hundred times.
LEAST_ANSWERS = 20


def controls(data: RunData) -> list[SystemAnswers]:
    """List the systems of a run that cannot use the premise."""
    return [system for system in data.systems if is_control(data, system)]


def best_control(
    data: RunData, system: SystemAnswers, share: Callable[[SystemAnswers], float | None]
) -> tuple[SystemAnswers, float] | None:
    """Return the other system of a run that gets most without using the premise, and what it gets.

    Args:
        data: the run.
        system: the system that is compared; it is not its own control.
        share: what a control gets, or None if it cannot be compared.
    """
    shares = [(other, share(other)) for other in controls(data) if other is not system]
    known = [(other, value) for other, value in shares if value is not None]
    return max(known, key=lambda item: item[1], default=None)


def is_control(data: RunData, system: SystemAnswers) -> bool:
    """Tell whether a system of a run cannot use the premise."""
    return system.premise != FULL_PREMISE or data.constants[system.name] is not None


def constant_label(cases: Cases, system: SystemAnswers) -> str | None:
    """Return the labels that a system answers whatever it is asked; None if its answers differ.

    The answers tell, not only the name of the model: a network that has collapsed is a constant as well. Cases that all
    have the same gold label do not tell a constant from a system that is right, nor do a handful of cases.
    """
    import numpy as np

    answered = np.bincount(system.answers, minlength=len(SETS))[1 : len(SETS)]
    if np.count_nonzero(answered) != 1:
        return None
    mask = int(np.flatnonzero(answered)[0]) + 1
    if system.model in CONSTANT_MODELS:
        return str(SETS[mask])
    if answered.sum() < LEAST_ANSWERS:
        return None
    gold = cases.gold[system.answers == mask]
    return str(SETS[mask]) if len(np.unique(gold[gold != 0])) > 1 else None
