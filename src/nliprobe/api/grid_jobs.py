"""The trainings of a grid, one after the other in this process, or side by side in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from nliprobe.api.grid_cell import CellResult, read_result, train_cell, write_message
from nliprobe.api.train import TrainRequest
from nliprobe.base.interrupts import Interrupts
from nliprobe.training.trainer import Watcher

# Seconds between two looks whether the user wants to stop.
_LOOK = 0.1


@dataclass(frozen=True)
class Job:
    """One training: its name in messages, what to train, and the folder above its seed."""

    name: str
    request: TrainRequest
    out: Path


def train_all(
    jobs: Sequence[Job], side_by_side: int, watcher: Watcher, done: Callable[[Job, CellResult], None]
) -> bool:
    """Train everything, and tell whether that came to its end; False if the user stopped it.

    Args:
        jobs: the trainings.
        side_by_side: how many run at once.
        watcher: is told how they go; only of a single one each step.
        done: called with each training that has ended, well or not.
    """
    if side_by_side > 1 and len(jobs) > 1:
        return _in_processes(jobs, side_by_side, watcher, done)
    for job in jobs:
        result = train_cell(job.request, job.out, _Named(job.name, watcher))
        if result.stopped:
            return False
        done(job, result)
    return True


class _Named:
    """Puts the name of a training before what it says."""

    def __init__(self, name: str, watcher: Watcher) -> None:
        self._name, self._watcher = name, watcher

    def begin(self, steps: int, done: int) -> None:
        """Pass it on."""
        self._watcher.begin(steps, done)

    def advance(self, loss: float | None) -> None:
        """Pass it on."""
        self._watcher.advance(loss)

    def say(self, line: str) -> None:
        """Pass a line on with the name."""
        self._watcher.say(f"{self._name}: {line}")


@dataclass
class _Processes:
    """The processes that are training now, and whether they shall stop."""

    running: set[subprocess.Popen[str]] = field(default_factory=set)
    stopping: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self, environment: dict[str, str], errors: int) -> subprocess.Popen[str] | None:
        """Start a process, unless all shall stop. A session of its own keeps the terminal's Ctrl-C from it."""
        with self.lock:
            if self.stopping:
                return None
            process = subprocess.Popen(
                [sys.executable, "-m", "nliprobe.api.grid_cell"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
                env=environment,
                start_new_session=True,
            )
            self.running.add(process)
            return process

    def stop(self) -> None:
        """Let every process save its state and end, and start no more."""
        with self.lock:
            self.stopping = True
            for process in self.running:
                with suppress(OSError):
                    assert process.stdin is not None
                    process.stdin.close()

    def kill(self) -> None:
        """End every process at once; what they saved before is kept."""
        self.stop()
        with self.lock:
            for process in self.running:
                process.kill()

    def end(self, process: subprocess.Popen[str]) -> None:
        """Forget a process that has ended."""
        with self.lock:
            self.running.discard(process)


def _in_processes(
    jobs: Sequence[Job], side_by_side: int, watcher: Watcher, done: Callable[[Job, CellResult], None]
) -> bool:
    processes = _Processes()
    # Every training would start a thread per core and wait for the others.
    threads = str(max(1, (os.cpu_count() or 1) // side_by_side))
    environment = {"OMP_NUM_THREADS": threads, **os.environ}
    stopped = False
    with Interrupts("saving what was learnt") as interrupts, ThreadPoolExecutor(side_by_side) as pool:
        try:
            waiting: dict[Future[CellResult], Job] = {
                pool.submit(_in_process, job, processes, environment, watcher): job for job in jobs
            }
            while waiting:
                ended, _ = wait(waiting, timeout=_LOOK, return_when=FIRST_COMPLETED)
                if interrupts.wanted:
                    processes.stop()
                for future in ended:
                    job, result = waiting.pop(future), future.result()
                    stopped |= result.stopped
                    if not result.stopped:
                        done(job, result)
        except BaseException:
            processes.kill()
            raise
    return not stopped


def _in_process(job: Job, processes: _Processes, environment: dict[str, str], watcher: Watcher) -> CellResult:
    """Train in a process of its own, and return how it ended."""
    result: CellResult | None = None
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        process = processes.start(environment, errors.fileno())
        if process is None:
            return CellResult(stopped=True)
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            with suppress(OSError):  # a process that is gone already says why below
                process.stdin.write(write_message(job.request, job.out))
                process.stdin.flush()
            for line in process.stdout:
                told = read_result(line)
                if isinstance(told, CellResult):
                    result = told
                elif told is not None:
                    watcher.say(f"{job.name}: {told}")
            code = process.wait()
        finally:
            processes.end(process)
            process.stdout.close()
            with suppress(OSError, ValueError):
                process.stdin.close()
        if result is not None:
            return result
        if processes.stopping:
            return CellResult(stopped=True)
        errors.seek(0)
        last = [line.strip() for line in errors if line.strip()][-1:]
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return CellResult(error=f"The process of the training ended with {how}. {' '.join(last)}".strip())
