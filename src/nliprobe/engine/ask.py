"""Asking a model in batches: checks answers, isolates inputs that fail, and keeps answers in the cache as they come."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from nliprobe.base.errors import ModelError
from nliprobe.base.files import cache_folder
from nliprobe.models.answers import check_number, problem_of
from nliprobe.models.failures import Mistake, failed, failed_by, stop_unless_of_inputs
from nliprobe.models.system import System
from nliprobe.store.cache import AnswerCache
from nliprobe.task.case import Input, Prediction, Status

# A killed run loses at most this much work of a slow model, because answers are written to the cache that often.
KEEP_SECONDS = 20.0
# The same for the journal of a run, which is a line in an open file and not a new Parquet file.
JOURNAL_SECONDS = 1.0
# If this many inputs fail in a row, the cause is not the inputs but the model or its service.
FAILURES_IN_A_ROW = 20

Answers = dict[str, Prediction]
Keep = Callable[[Answers], None]


@dataclass
class Failures:
    """Counts how often one system has failed so far in a run; passed on from shard to shard."""

    failed: int = 0
    in_a_row: int = 0
    reason: str = ""

    def note(self, answers: Iterable[Prediction], system: str) -> None:
        """Count answers in the order in which they came, and stop the run if too many in a row have failed."""
        for answer in answers:
            if answer.status is not Status.FAILED:
                self.in_a_row = 0
                continue
            self.failed += 1
            self.in_a_row += 1
            self.reason = self.reason or answer.raw or "no reason was given"
            if self.in_a_row == FAILURES_IN_A_ROW:
                raise ModelError(
                    f"The model {system} failed on {self.in_a_row} inputs in a row, {self.failed} in all. "
                    f"The first failure was: {self.reason.rstrip('.')}. {_TO_CONTINUE}"
                )


class Asked(NamedTuple):
    """The result of asking: all new answers by input id, and those among them that have not been kept yet."""

    answers: Answers
    unkept: Answers


def open_cache(system: System) -> AnswerCache | None:
    """Open the cache of a system's answers; none for a model that looks them up or does not say which version it is."""
    fingerprint = None if system.model.keyed else system.fingerprint()
    if fingerprint is None:
        return None
    cache = AnswerCache(cache_folder() / "answers" / fingerprint)
    cache.merge()
    return cache


class Caches:
    """The caches of several systems; each is opened once, when it is first needed."""

    def __init__(self) -> None:
        self._open: dict[str, AnswerCache | None] = {}

    def of(self, system: System) -> AnswerCache | None:
        """Return the cache of a system's answers, or none if they must not be kept."""
        if system.name not in self._open:
            self._open[system.name] = open_cache(system)
        return self._open[system.name]


def ask_known(
    system: System, inputs: Sequence[Input], cache: AnswerCache | None, prepare: Callable[[System], None]
) -> list[Prediction]:
    """Return the answers to a few inputs, from the cache if they are known.

    The model is prepared only if it must answer.
    """
    answers = answered(cache.get([item.id for item in inputs])) if cache is not None else {}
    missing = list({item.id: item for item in inputs if item.id not in answers}.values())
    if missing:
        prepare(system)
        asked = ask(system, missing, None if cache is None else cache.add, lambda count: None, Failures())
        answers.update(asked.answers)
        if cache is not None:
            cache.add(asked.unkept)
    return [answers[item.id] for item in inputs]


def ask(
    system: System,
    inputs: Sequence[Input],
    keep: Keep | None,
    progress: Callable[[int], None],
    failures: Failures,
    every: float | None = None,
    each: Keep | None = None,
) -> Asked:
    """Ask each input once and check what comes back.

    An input that fails has a failed answer and does not affect the others. ``keep`` is given answers during the work,
    and also when the work is interrupted, so that what was answered is not asked again. It is never given a failed
    answer.

    Args:
        system: whom to ask.
        inputs: what to ask, each id once.
        keep: keeps answers; none if they must not be kept after the run.
        progress: is told how many inputs were answered.
        failures: how often the system failed before; this call adds to it.
        every: how many seconds may pass before answers are kept; by default :data:`KEEP_SECONDS`.
        each: is given, beside ``keep``, every answer of an asynchronous model as soon as it comes.
    """
    log = _Log(keep, progress, failures, system.name, KEEP_SECONDS if every is None else every, each)
    asynchronous = system.model.asynchronous
    try:
        if asynchronous is not None:
            asynchronous.ask(inputs, lambda place, answer: log.take([inputs[place]], [answer]), log.note_each)
        else:
            for start in range(0, len(inputs), system.model.batch):
                _ask_in_parts(system, inputs[start : start + system.model.batch], log)
    except BaseException as error:
        log.keep_fresh()
        if isinstance(error, Mistake):
            raise ModelError(f"The model {system.name} failed: {error} {_TO_CONTINUE}") from error.__cause__
        raise
    return Asked(log.answers, answered(log.fresh))


def answered(answers: Answers) -> Answers:
    """Return the answers that may be cached: all except failed ones, which the next run asks again."""
    if any(answer.status is Status.FAILED for answer in answers.values()):
        return {name: answer for name, answer in answers.items() if answer.status is not Status.FAILED}
    return answers


_TO_CONTINUE = "What was finished before is kept: fix this and repeat the command to continue."


@dataclass
class _Log:
    """Collects the answers of one call of :func:`ask` as they come."""

    keep: Keep | None
    progress: Callable[[int], None]
    failures: Failures
    system: str
    every: float
    each: Keep | None = None
    answers: Answers = field(default_factory=dict)
    fresh: Answers = field(default_factory=dict)
    latest: Answers = field(default_factory=dict)
    last_kept: float = field(default_factory=time.monotonic)

    def take(self, inputs: Sequence[Input], predictions: Sequence[Prediction]) -> None:
        problems = [problem_of(prediction) for prediction in predictions]
        if any(problems):
            predictions = [
                failed(f"its answer cannot be used: {problem}") if problem else prediction
                for prediction, problem in zip(predictions, problems, strict=True)
            ]
        new = {item.id: answer for item, answer in zip(inputs, predictions, strict=True)}
        self.answers.update(new)
        self.fresh.update(new)
        if self.each is not None:
            self.latest.update(new)
        self.failures.note(predictions, self.system)
        self.progress(len(inputs))
        if time.monotonic() - self.last_kept > self.every:
            self.keep_fresh()

    def note_each(self) -> None:
        if self.each is not None and self.latest:
            latest, self.latest = self.latest, {}
            self.each(answered(latest))

    def keep_fresh(self) -> None:
        self.note_each()
        if self.keep is not None:
            self.keep(answered(self.fresh))
            self.fresh = {}
        self.last_kept = time.monotonic()


def _ask_in_parts(system: System, batch: Sequence[Input], log: _Log) -> None:
    """Ask a batch; one that fails is halved again and again, until the inputs that fail are alone.

    Of a model that gives its answers one by one, those that came before it failed stay.
    """
    waiting = [batch]
    while waiting:
        part = waiting.pop()
        came: set[int] = set()

        def take(place: int, answer: Prediction, part: Sequence[Input] = part, came: set[int] = came) -> None:
            came.add(place)
            log.take([part[place]], [answer])

        try:
            predictions = system.model.predict_each(part, take)
        except Exception as error:
            stop_unless_of_inputs(error)
            left = [item for place, item in enumerate(part) if place not in came]
            if len(part) == 1 and left:
                log.take(left, [failed_by(error)])
            else:
                half = len(left) // 2
                waiting += [some for some in (left[half:], left[:half]) if some]
            continue
        if predictions is not None:
            check_number(part, predictions, system.name)
            log.take(part, predictions)
