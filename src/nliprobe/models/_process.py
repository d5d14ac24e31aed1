"""Keep a program running and exchange lines with it, without ever waiting on a full pipe.

Whatever the program prints, this process holds a bounded part of it: lines wait for their reader up to
:data:`HELD_BYTES`, after which the program waits; a line that does not end is given up at :data:`LONGEST_LINE`.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterable
from typing import IO

KEPT_LINES = 20
# An answer with everything that a model said beside it is a few kilobytes.
LONGEST_LINE = 1 << 24
HELD_BYTES = 1 << 25
# A line costs more than its bytes, also an empty one.
_LINE_COST = sys.getsizeof(b"")
# Of a line on standard error, people see this much.
_LONGEST_ERROR = 1 << 12
# How long what a program has left running may be silent, once the program itself has ended.
SILENCE = 2.0
# How long a program has to end by itself once its input is closed, and again after it was asked to stop.
PATIENCE = 5.0


class LineTooLong(Exception):
    """The program printed a line of more than :data:`LONGEST_LINE` bytes."""


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
        self._lines = _Lines()
        self._out: queue.Queue[bytes | None] = queue.Queue()
        self._errors: deque[bytes] = deque(maxlen=KEPT_LINES)
        # The threads know the queues and the pipes, never this object: else it could not be collected.
        self._error_thread = _start(_keep_last, process.stderr, self._errors)
        self._line_thread = _start(_collect, process.stdout, self._lines)
        _start(_feed, process.stdin, self._out)
        self._finalizer = weakref.finalize(self, _end, process, self._out, self._lines, 0.0)

    def send(self, lines: Iterable[bytes]) -> None:
        """Hand over whole lines without waiting."""
        self._out.put(b"".join(lines))

    def line(self, deadline: float) -> bytes | None:
        """Return the next line it prints, or None at its end; raise TimeoutError at ``deadline`` (monotonic).

        What it has started may keep its output open after it has ended: that is its end, too, once nothing comes.
        """
        while (left := deadline - time.monotonic()) > 0:
            try:
                return self._lines.get(min(left, SILENCE))
            except queue.Empty:
                if left > SILENCE and _gone(self._process, 0.0):
                    return None
        raise TimeoutError

    def left_over(self) -> int:
        """Count the lines it has printed that nobody has read."""
        self._line_thread.join(timeout=0.5)
        return self._lines.count()

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
            _end(self._process, self._out, self._lines, patience)


class _Lines:
    """Lines between the thread that reads them and the one that uses them; the reader waits while many are held."""

    def __init__(self) -> None:
        self._lines: deque[bytes] = deque()
        self._bytes = 0
        self._ended = False
        self._too_long = False
        self._never_waits = False
        self._changed = threading.Condition()

    def put(self, line: bytes) -> None:
        """Add a line as soon as there is room for it."""
        with self._changed:
            self._changed.wait_for(lambda: self._bytes < HELD_BYTES or self._never_waits)
            if self._bytes < HELD_BYTES:
                self._lines.append(line)
                self._bytes += len(line) + _LINE_COST
                self._changed.notify_all()

    def end(self, *, too_long: bool) -> None:
        """Let nothing follow: the output has ended, or its last line does not."""
        with self._changed:
            self._ended, self._too_long = True, too_long
            self._changed.notify_all()

    def get(self, timeout: float) -> bytes | None:
        """Return the next line, or None at the end; raise ``queue.Empty`` if none comes in time."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._lines or self._ended, timeout):
                raise queue.Empty
            if not self._lines:
                if self._too_long:
                    raise LineTooLong
                return None
            line = self._lines.popleft()
            self._bytes -= len(line) + _LINE_COST
            self._changed.notify_all()
            return line

    def count(self) -> int:
        """Count the lines that nobody has taken, without the blank ones."""
        with self._changed:
            return sum(1 for line in self._lines if line.strip())

    def never_wait(self) -> None:
        """Drop lines for which there is no room from now on: the program shall end, and nobody takes them."""
        with self._changed:
            self._never_waits = True
            self._changed.notify_all()


def _start(work: object, *arguments: object) -> threading.Thread:
    assert callable(work)
    thread = threading.Thread(target=work, args=arguments, daemon=True)
    thread.start()
    return thread


def _collect(stream: IO[bytes], lines: _Lines) -> None:
    too_long = False
    with contextlib.suppress(OSError, ValueError), stream:
        while line := stream.readline(LONGEST_LINE):
            too_long = len(line) == LONGEST_LINE
            if too_long:
                break
            lines.put(line)
    lines.end(too_long=too_long)


def _keep_last(stream: IO[bytes], lines: deque[bytes]) -> None:
    begun = False
    with contextlib.suppress(OSError, ValueError), stream:
        while piece := stream.readline(_LONGEST_ERROR):
            # Of a line that comes in pieces, the first one is kept.
            if not begun:
                lines.append(piece)
            begun = not piece.endswith(b"\n")


def _feed(stream: IO[bytes], pieces: queue.Queue[bytes | None]) -> None:
    # A program that closed its input is noticed where its answers are read.
    with contextlib.suppress(OSError, ValueError), stream:
        while (piece := pieces.get()) is not None:
            stream.write(piece)
            stream.flush()


def _end(process: subprocess.Popen[bytes], pieces: queue.Queue[bytes | None], lines: _Lines, patience: float) -> None:
    pieces.put(None)  # closes its input, once everything before is written
    lines.never_wait()
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
