"""Asking the loaded systems: one question after the other, each with a time limit, in a process of its own."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from nliprobe.api.asked import Answered, AskedSystems
from nliprobe.base.errors import ModelError, NliprobeError, NotFoundError
from nliprobe.base.registry import loaded_plugins
from nliprobe.people.records import Json
from nliprobe.people.store.events import record_event
from nliprobe.studio.ask.messages import Loaded, Message, RunCase, pair_message, read_answered, read_explained
from nliprobe.studio.ask.process import DiedError, SlowError, SystemsProcess
from nliprobe.studio.context import Part, Studio
from nliprobe.studio.jobs import JobState, end_queue
from nliprobe.studio.log import log_fault
from nliprobe.studio.refusals import TooManyError
from nliprobe.task.explanation import ExplainedCase
from nliprobe.task.pair import Pair

T = TypeVar("T")
# More would wait longer than anybody looks at a page: 20 questions of 30 seconds are 10 minutes.
_MOST_WAITING = 20


@dataclass(frozen=True)
class TimeLimits:
    """How many seconds something may take before the process is ended.

    Attributes:
        question: answers to the pairs of one question, the loading of a network included.
        explanation: one explanation, for which a system is asked some thousand times.
        learning: what a trainable system learns before it is first asked; what it learnt is kept.
    """

    question: float = 30.0
    explanation: float = 300.0
    learning: float = 1800.0


@dataclass(eq=False)
class Question(Generic[T]):
    """Something that a system was asked.

    Attributes:
        system: the number of the system; None if a run names it.
        state: where it stands.
        said: why there is no answer.
        result: the answer.
        was_stopped: whether the process was ended or died.
    """

    system: int | None
    state: JobState = JobState.WAITING
    said: str = ""
    result: T | None = None
    was_stopped: bool = False
    _over: threading.Event = field(default_factory=threading.Event)

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self._over.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait until there is an answer, or so long; tell whether it is over."""
        return self._over.wait(seconds)

    def finish(self, state: JobState, said: str = "") -> None:
        """Say that nothing more will happen."""
        self.said, self.state = said, state
        self._over.set()


class _About(NamedTuple):
    """The number of a system, None if a run names it, and its name."""

    system: int | None
    name: str


class Asking:
    """Asks the systems of ``serve`` by their numbers.

    Args:
        loaded: the systems.
        limits: how long things may take.
        record: is told what happens to the process; given words and facts, never a text that somebody typed.

    Raises:
        NotFoundError: a spec string names no model.
    """

    def __init__(self, loaded: Loaded, limits: TimeLimits, record: Callable[[str, dict[str, Json]], None]) -> None:
        self.limits = limits
        self._systems = AskedSystems(loaded.systems, loaded.train, loaded.root)
        self.names = tuple(self._systems.names)
        self._loaded = loaded
        self._record = record
        self._waiting: queue.Queue[Callable[[], None] | None] = queue.Queue(_MOST_WAITING)
        self._process: SystemsProcess | None = None
        self._prepared: set[int] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False

    def ask(self, system: int, pairs: Sequence[Pair]) -> Question[Answered]:
        """Ask a system about pairs; the answer comes later.

        Raises:
            NotFoundError: there is no system of this number.
            TooManyError: too many questions are waiting.
        """
        message: Message = {"do": "ask", "pairs": [pair_message(pair) for pair in pairs]}
        return self._queue(self._about(system), message, self.limits.question, lambda said: read_answered(said))

    def explain(self, system: int, pair: Pair) -> Question[ExplainedCase]:
        """Ask why a system answers what it answers; the explanation comes later."""
        message: Message = {"do": "explain", "pair": pair_message(pair)}
        return self._queue(self._about(system), message, self.limits.explanation, lambda said: read_explained(said))

    def explain_case(self, case: RunCase, *, learns: bool = False) -> Question[ExplainedCase]:
        """Ask why a system of a run answered what it answered; whoever calls has made sure that it may be asked.

        A system that learns may have to learn again first.
        """
        message: Message = {"do": "explain a case", **case.message()}
        seconds = self.limits.explanation + (self.limits.learning if learns else 0.0)
        return self._queue(_About(None, case.system), message, seconds, lambda said: read_explained(said))

    def name(self, system: int) -> str:
        """Return what people call a system.

        Raises:
            NotFoundError: there is none of this number.
        """
        if not 0 <= system < len(self.names):
            raise NotFoundError(f"There is no system number {system}. The studio was started with {len(self.names)}.")
        return self.names[system]

    def run_options(self, systems: Sequence[int]) -> list[str]:
        """Return the options by which ``nliprobe run`` asks the same systems."""
        plugins = [word for path in self._loaded.plugins for word in ("--plugin", str(path))]
        return [*plugins, *self._systems.run_options(systems)]

    def close(self) -> None:
        """End the process, whatever it is doing."""
        with self._lock:
            self._closed = True
            process, thread = self._process, self._thread
            end_queue(self._waiting)
        if process is not None:
            process.end()
        if thread is not None:
            thread.join(timeout=10)

    def _about(self, system: int) -> _About:
        return _About(system, self.name(system))

    def _queue(self, about: _About, message: Message, seconds: float, read: Callable[[Message], T]) -> Question[T]:
        question: Question[T] = Question(about.system)

        def do() -> None:
            question.state = JobState.RUNNING
            try:
                question.result = read(self._answer(about, message, seconds))
            except NliprobeError as error:
                question.was_stopped = isinstance(error, SlowError | DiedError)
                after = " The next question begins a new one." if question.was_stopped else ""
                question.finish(JobState.FAILED, f"{error}{after}")
            except Exception as error:
                log_fault("A question to a system failed", error)
                question.finish(JobState.FAILED, "Something went wrong inside nliprobe. The server's log says what.")
            else:
                question.finish(JobState.DONE)

        with self._lock:
            if self._closed:
                raise ModelError("The studio is being closed.")
            try:
                self._waiting.put_nowait(do)
            except queue.Full:
                raise TooManyError(
                    f"{_MOST_WAITING} questions are waiting already. Wait until some of them are answered."
                ) from None
            if self._thread is None:
                self._thread = threading.Thread(target=self._go, name="studio asking", daemon=True)
                self._thread.start()
        return question

    def _go(self) -> None:
        while (do := self._waiting.get()) is not None:
            do()

    def _answer(self, about: _About, message: Message, seconds: float) -> Message:
        began = time.monotonic()
        process, system = self._running(), about.system
        try:
            if system is None:
                return process.ask(message, seconds)
            if system not in self._prepared:
                process.ask({"do": "prepare", "system": system}, self.limits.learning)
                self._prepared.add(system)
            return process.ask({**message, "system": system}, seconds)
        except (SlowError, DiedError) as error:
            if self._closed:
                raise
            what = "a system was stopped" if isinstance(error, SlowError) else "a system died"
            self._record(what, {"system": about.name, "seconds": round(time.monotonic() - began, 1)})
            raise

    def _running(self) -> SystemsProcess:
        """Return the process; a new one where there is none."""
        if self._process is None or not self._process.is_alive:
            if self._process is not None:
                self._process.end()
            self._prepared = set()
            process = SystemsProcess(self._loaded)
            with self._lock:
                self._process = process
                closed = self._closed
            if closed:
                process.end()
        assert self._process is not None
        return self._process


def _make(studio: Studio) -> Asking:
    settings = studio.settings

    def record(what: str, about: dict[str, Json]) -> None:
        try:
            record_event(studio.store, "studio", what, **about)
        except NliprobeError as error:
            log_fault(f"This could not be written to the log of the studio: {what}", error)

    loaded = Loaded(settings.systems, settings.train, settings.root, tuple(loaded_plugins()))
    return Asking(loaded, TimeLimits(question=settings.ask_seconds), record)


# ``studio.part(ASKING)`` is what every page asks systems through.
ASKING = Part(Asking, _make)
