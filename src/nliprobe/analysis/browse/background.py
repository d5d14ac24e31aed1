"""Browses runs whose indexes are made in the background: the first time, and whenever the run has grown or changed."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from nliprobe.analysis.browse.browsing import Browser
from nliprobe.analysis.browse.building import Progress, build_index, is_current, state_of
from nliprobe.analysis.browse.kept import BusyIndexError, DamagedIndexError, index_file
from nliprobe.analysis.browse.opened import OpenBrowsers
from nliprobe.base.errors import NliprobeError, NotFoundError
from nliprobe.base.files import stamp
from nliprobe.base.limited import exists
from nliprobe.store.run import MANIFEST, SYSTEMS, RunFolder
from nliprobe.store.soundness import KINDS

# A run with fewer cases is indexed at once: it takes less time than to start a process.
FEW_CASES = 20_000
# Seconds until an index that could not be made is tried again.
_AGAIN = 10.0


class Readiness(NamedTuple):
    """Whether a run can be browsed.

    Attributes:
        ready: there is an index.
        current: it is made from everything that the run holds now.
        progress: how far a new one is, if one is being made.
        problem: why none could be made, as a sentence.
        content: what changes when anything changes that the index is made from; empty if it is not current.
        is_empty: nothing of the run is written yet that could be browsed.
    """

    ready: bool
    current: bool
    progress: Progress | None = None
    problem: str | None = None
    content: str = ""
    is_empty: bool = False


@dataclass
class _Job:
    """An index that is being made, or could not be."""

    state: str
    progress: Progress
    problem: str | None = None
    ended: float | None = None
    process: subprocess.Popen[str] | None = field(default=None, repr=False)


class Browsers:
    """The case browsers of one server; safe to be used by several threads.

    Args:
        few: how many cases are indexed at once, without another process.
        clock: gives the time in seconds.
    """

    def __init__(self, *, few: int = FEW_CASES, clock: Callable[[], float] = time.monotonic) -> None:
        self._few, self._clock = few, clock
        self._open = OpenBrowsers()
        self._jobs: dict[Path, _Job] = {}
        self._states: dict[Path, tuple[object, str]] = {}
        self._lock = threading.Lock()
        # One index is made at a time: each may take both cores.
        self._turn = threading.Lock()
        self._closed = False

    def look(self, path: Path) -> Readiness:
        """Tell whether a run can be browsed; if its index is not current, one is made in the background.

        A run that is not there, or that is damaged, is an error.
        """
        run = RunFolder.open(path)
        if not run.readable("cases"):
            return Readiness(ready=False, current=False, is_empty=True)
        state = self._state(run)
        if is_current(path, state):
            with self._lock:
                self._jobs.pop(path, None)
            return Readiness(ready=True, current=True, content=state)
        with self._lock:
            job = self._jobs.get(path)
            begin = job is None or self._is_over(job, state)
            if job is None or begin:
                job = self._jobs[path] = _Job(state, Progress(0, len(run.readable("cases"))))
        if begin:
            self._start(run, job)
        ready = exists(index_file(path))
        if job.ended is not None and job.problem is None:
            current = is_current(path, state)
            return Readiness(ready, current, content=state if current else "")
        return Readiness(ready, current=False, progress=None if job.problem else job.progress, problem=job.problem)

    @contextmanager
    def browse(self, path: Path) -> Iterator[Browser]:
        """Open the browser of a run whose index is there.

        Raises:
            NotFoundError: the run was deleted.
            FileNotFoundError: it has no index yet, or a damaged one that was set aside.
        """
        if not (path / MANIFEST).is_file():
            raise NotFoundError(f"The run {path} is no longer there.")
        try:
            with ExitStack() as stack:
                yield self._open.open(stack, path)
        except DamagedIndexError as error:
            raise FileNotFoundError(str(error)) from error

    def close(self) -> None:
        """Stop the processes that are making indexes; they are continued another time."""
        with self._lock:
            # Threads that wait for their turn begin no more.
            self._closed = True
            running = [job.process for job in self._jobs.values() if job.process is not None]
        for process in running:
            process.terminate()

    def _state(self, run: RunFolder) -> str:
        """Return the state of a run; its records are read only if something was added, removed or replaced."""
        folders = [*KINDS, SYSTEMS, *(item.predictions for item in run.systems)]
        now = tuple(stamp(run.path / name) for name in (MANIFEST, *folders))
        known = self._states.get(run.path)
        if known is None or known[0] != now:
            known = self._states[run.path] = now, state_of(run)
        return known[1]

    def _is_over(self, job: _Job, state: str) -> bool:
        """Tell whether to try again: the last attempt has ended well, was for other cases, or failed some time ago."""
        if job.ended is None:
            return False
        return job.problem is None or job.state != state or self._clock() - job.ended > _AGAIN

    def _start(self, run: RunFolder, job: _Job) -> None:
        records = map(run.shard_record, run.readable("cases"))
        # A run of the first format keeps no record of its shards; how many cases it has is then read with them.
        if sum(self._few + 1 if record is None else record.rows for record in records) <= self._few:
            self._make(run.path, job, here=True)
        else:
            threading.Thread(target=self._make, args=(run.path, job), daemon=True).start()

    def _make(self, path: Path, job: _Job, *, here: bool = False) -> None:
        try:
            problem = _made_here(path) if here else self._made_apart(path, job)
        except Exception as error:  # a thread has nobody to raise to
            problem = f"The index of {path} could not be made: {error}"
        job.problem, job.ended = problem, self._clock()

    def _made_apart(self, path: Path, job: _Job) -> str | None:
        """Make an index in a process of its own; return why it could not be made, if so."""
        with self._turn:
            return self._asked(path, job)

    def _asked(self, path: Path, job: _Job) -> str | None:
        problem = None
        command = [sys.executable, "-m", "nliprobe.analysis.browse", str(path.resolve())]
        with self._lock:
            if self._closed:
                return f"The index of {path} was not made, because the server is stopping."
            process = job.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
        with process:
            assert process.stdout is not None
            for line in process.stdout:
                said = json.loads(line)
                if "done" in said:
                    job.progress = Progress(**said)
                problem = said.get("problem", problem)
        job.process = None
        if process.returncode and problem is None:
            return f"The process that made the index of {path} was stopped. Open the run again: it is continued."
        return problem


def _made_here(path: Path) -> str | None:
    try:
        build_index(path)
    except BusyIndexError:
        return None
    except NliprobeError as error:
        return str(error)
    return None
