"""Slow work behind the pages: done one after the other in a thread, and kept until it is fetched."""

from __future__ import annotations

import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from nliprobe.base.errors import NliprobeError, UsageError
from nliprobe.studio.log import log_fault

T = TypeVar("T")
# More would wait longer than anybody looks at a page.
_MOST_WAITING = 20
_MOST_KEPT = 100


class JobState(StrEnum):
    """Where a job stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass
class Job:
    """Something slow that the owner has asked for.

    Attributes:
        key: what it is; the same key again is the same job.
        title: what the owner reads while it goes on.
        state: where it stands.
        said: what it last said about its progress, or why it failed.
        result: what came out of it.
        since: when it was asked for.
    """

    key: str
    title: str
    state: JobState = JobState.WAITING
    said: str = ""
    result: object = None
    since: float = field(default_factory=time.time)

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in (JobState.DONE, JobState.FAILED)


class Jobs:
    """Does jobs one after the other, so that two of them never fight for the two cores."""

    def __init__(self) -> None:
        self._waiting: queue.Queue[tuple[Job, Callable[[Job], object]] | None] = queue.Queue(_MOST_WAITING)
        self._known: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def ask(self, key: str, title: str, work: Callable[[Job], object]) -> Job:
        """Return the job of this key; a new one is begun if there is none, or if the last one failed.

        Args:
            key: what identifies it.
            title: what the owner reads.
            work: does it; it may write its progress into ``job.said``.

        Raises:
            UsageError: too much is waiting already.
        """
        with self._lock:
            known = self._known.get(key)
            if known is not None and known.state is not JobState.FAILED:
                return known
            job = Job(key, title)
            try:
                self._waiting.put_nowait((job, work))
            except queue.Full:
                raise UsageError(
                    f"{_MOST_WAITING} things are waiting to be done already: try again when some of them are ready."
                ) from None
            self._known[key] = job
            while len(self._known) > _MOST_KEPT and next(iter(self._known.values())).is_over:
                self._known.popitem(last=False)
            if self._thread is None:
                self._thread = threading.Thread(target=self._go, name="studio jobs", daemon=True)
                self._thread.start()
        return job

    def find(self, key: str) -> Job | None:
        """Return the job of this key, if it is known."""
        with self._lock:
            return self._known.get(key)

    def forget(self, key: str) -> None:
        """Let the next request for this key begin anew."""
        with self._lock:
            self._known.pop(key, None)

    def close(self) -> None:
        """Begin nothing more; what is going on ends with the process."""
        with self._lock:
            end_queue(self._waiting)

    def _go(self) -> None:
        while (next_one := self._waiting.get()) is not None:
            job, work = next_one
            job.state = JobState.RUNNING
            try:
                job.result = work(job)
                job.state = JobState.DONE
            except NliprobeError as error:
                job.said, job.state = str(error), JobState.FAILED
            except Exception as error:
                log_fault("A job failed", error)
                job.said = "Something went wrong inside nliprobe. The server's log says what."
                job.state = JobState.FAILED


def end_queue(waiting: queue.Queue[T | None]) -> None:
    """Take out what waits, and tell the thread that works on it to end; nobody else may add anything meanwhile."""
    # The thread may take the last one in this moment.
    with suppress(queue.Empty):
        while True:
            waiting.get_nowait()
    waiting.put(None)
