"""Keep a program running and exchange lines with it, without ever waiting on a full pipe."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterable
from typing import IO

KEPT_LINES = 20
# How long a program has to end by itself once its input is closed, and again after it was asked to stop.
PATIENCE = 5.0


class LineProcess:
    """A child program in its own session; threads write its input and read its two outputs."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # so that it and everything it starts can be ended together
        )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._out: queue.Queue[bytes | None] = queue.Queue()
        self._errors: deque[bytes] = deque(maxlen=KEPT_LINES)
        # The threads know the queues and the pipes, never this object: else it could not be collected.
        self._error_thread = _start(_keep_last, process.stderr, self._errors)
        self._line_thread = _start(_collect, process.stdout, self._lines)
        _start(_feed, process.stdin, self._out)
        self._finalizer = weakref.finalize(self, _end, process, self._out, 0.0)

    def send(self, lines: Iterable[bytes]) -> None:
        """Hand over whole lines without waiting."""
        self._out.put(b"".join(lines))

    def line(self, deadline: float) -> bytes | None:
        """Return the next line it prints, or None at its end; raise TimeoutError at ``deadline`` (monotonic)."""
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise TimeoutError from None
        if line is None:
            self._lines.put(None)  # the end stays the end
        return line

    def left_over(self) -> int:
        """Count the lines it has printed that nobody has read."""
        self._line_thread.join(timeout=0.5)
        return sum(1 for line in list(self._lines.queue) if line is not None and line.strip())

    def exit_code(self) -> int | None:
        """Return its exit code if it ends within a second; what it has left running is ended too."""
        if not _gone(self._process, 1.0):
            return None
        _signal(self._process, _KILL)
        return self._process.wait()

    def last_errors(self) -> list[str]:
        """Return the last lines of its standard error."""
        self._error_thread.join(timeout=0.5)  # what a dead program wrote last may still be in the pipe
        return [line.decode("utf-8", "replace").rstrip() for line in list(self._errors)]

    def close(self, patience: float = PATIENCE) -> None:
        """End its input, wait, ask it to stop, wait, and kill it with everything it started."""
        if self._finalizer.detach() is not None:
            _end(self._process, self._out, patience)


def _start(work: object, *arguments: object) -> threading.Thread:
    assert callable(work)
    thread = threading.Thread(target=work, args=arguments, daemon=True)
    thread.start()
    return thread


def _collect(stream: IO[bytes], lines: queue.Queue[bytes | None]) -> None:
    with contextlib.suppress(OSError, ValueError), stream:
        for line in stream:
            lines.put(line)
    lines.put(None)


def _keep_last(stream: IO[bytes], lines: deque[bytes]) -> None:
    with contextlib.suppress(OSError, ValueError), stream:
        lines.extend(stream)


def _feed(stream: IO[bytes], pieces: queue.Queue[bytes | None]) -> None:
    # A program that closed its input is noticed where its answers are read.
    with contextlib.suppress(OSError, ValueError), stream:
        while (piece := pieces.get()) is not None:
            stream.write(piece)
            stream.flush()


def _end(process: subprocess.Popen[bytes], pieces: queue.Queue[bytes | None], patience: float) -> None:
    pieces.put(None)  # closes its input, once everything before is written
    try:
        if not _gone(process, patience):
            _signal(process, signal.SIGTERM)
            _gone(process, patience)
    finally:  # also when a person loses patience first
        _signal(process, _KILL)
        process.wait()


def _gone(process: subprocess.Popen[bytes], patience: float) -> bool:
    """Tell whether it ends in time, if possible without reaping it, so that its group can still be signalled."""
    if not hasattr(os, "waitid"):
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=patience)
        return process.returncode is not None
    deadline = time.monotonic() + patience
    while process.returncode is None:
        if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            return True
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.005)
    return True


_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    """Signal everything it started; the group's number is not reused until the program has been reaped."""
    if process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, number)
        else:
            process.kill()
