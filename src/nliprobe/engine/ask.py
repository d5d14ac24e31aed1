"""Asking a model: batches, checks, and answers kept as they come."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from nliprobe.models.answers import check_predictions
from nliprobe.models.system import System
from nliprobe.store.cache import AnswerCache
from nliprobe.task.prediction import Input, Prediction

# A slow model loses at most this much work to a kill, because its answers are written that often.
KEEP_SECONDS = 20.0


def ask_known(
    system: System, inputs: Sequence[Input], cache: AnswerCache | None, prepare: Callable[[System], None]
) -> list[Prediction]:
    """The answers to a few inputs, from the cache where they are known; a model is prepared only if it must answer."""
    answers = cache.get([item.id for item in inputs]) if cache is not None else {}
    missing = list({item.id: item for item in inputs if item.id not in answers}.values())
    if missing:
        prepare(system)
        answers.update(ask(system, missing, None if cache is None else cache.add, lambda count: None))
    return [answers[item.id] for item in inputs]


def ask(
    system: System,
    inputs: Sequence[Input],
    keep: Callable[[dict[str, Prediction]], None] | None,
    progress: Callable[[int], None],
) -> dict[str, Prediction]:
    """Ask each input and check what comes back; ``keep`` is handed the answers while the work goes on."""
    model = system.model
    answers: dict[str, Prediction] = {}
    fresh: dict[str, Prediction] = {}
    kept = time.monotonic()
    try:
        for start in range(0, len(inputs), model.batch):
            batch = inputs[start : start + model.batch]
            predictions = model.predict(batch)
            check_predictions(batch, predictions, system.name)
            fresh.update((item.id, answer) for item, answer in zip(batch, predictions, strict=True))
            progress(len(batch))
            if keep is not None and time.monotonic() - kept > KEEP_SECONDS:
                keep(fresh)
                answers.update(fresh)
                fresh = {}
                kept = time.monotonic()
    finally:
        # Also when interrupted or when a later batch fails: what was answered is not asked again.
        if keep is not None:
            keep(fresh)
    answers.update(fresh)
    return answers
