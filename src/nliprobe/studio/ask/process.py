"""The process that holds the systems, seen from the server: started when needed, ended when it takes too long."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from typing import IO

from nliprobe.base.errors import ModelError
from nliprobe.studio.ask.messages import Loaded, Message, line

# Python, NumPy and Polars are loaded in about two seconds; on a busy machine it takes longer.
_START_SECONDS = 120.0
# Of what a model prints before it dies, its last line says why.
_LAST = 4096


class SlowError(ModelError):
    """A question took too long, and the process was ended."""


class DiedError(ModelError):
    """The process ended by itself."""


class SystemsProcess:
    """One process that answers one question at a time.

    Args:
        loaded: which systems it holds.
    """

    def __init__(self, loaded: Loaded) -> None:
        # Not a pipe: nobody reads it while a question is answered, and a full pipe would stop the model.
        self._printed: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed by end)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "nliprobe.studio.ask.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._printed,
            # A group of its own: programs that a model starts are ended with it, and Ctrl-C does not reach it.
            start_new_session=True,
        )
        self._answers: queue.Queue[bytes | None] = queue.Queue()
        threading.Thread(target=self._read, name="studio answers", daemon=True).start()
        self._send(loaded.message())
        said = self._receive(_START_SECONDS)
        if "error" in said:
            self.end()
            raise ModelError(str(said["error"]))

    def ask(self, message: Message, seconds: float) -> Message:
        """Return the answer to a question.

        Raises:
            SlowError: it took too long; the process has been ended.
            DiedError: the process is gone.
            ModelError: the system said why it cannot answer.
        """
        # What was printed for earlier questions says nothing about this one. The process writes where this file stands:
        # left at its end, what it says next would begin with as many zeros as were there.
        with contextlib.suppress(OSError):
            self._printed.seek(0)
            self._printed.truncate()
        self._send(message)
        said = self._receive(seconds)
        if "error" in said:
            raise ModelError(str(said["error"]))
        return said

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked."""
        return self._process.poll() is None

    def end(self) -> None:
        """End it at once, with everything that it has started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._printed):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _send(self, message: Message) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line(message))
            self._process.stdin.flush()
        except OSError:
            # It is gone; waiting for the answer says so.
            return

    def _receive(self, seconds: float) -> Message:
        try:
            answer = self._answers.get(timeout=seconds)
        except queue.Empty:
            self.end()
            raise SlowError(f"It did not answer within {seconds:g} seconds, so its process was ended.") from None
        if answer is None:
            why = self._last_words()
            status = self._process.wait()
            self.end()
            how = f"by signal {-status}" if status < 0 else f"with status {status}"
            raise DiedError(f"Its process ended {how}{f': {why}' if why else ''}.")
        message = json.loads(answer)
        assert isinstance(message, dict)
        return message

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as answers:
            for answer in answers:
                self._answers.put(answer)
        self._answers.put(None)

    def _last_words(self) -> str:
        # The file is closed if somebody else has ended the process.
        with contextlib.suppress(OSError, ValueError):
            size = self._printed.seek(0, os.SEEK_END)
            self._printed.seek(max(0, size - _LAST))
            lines = self._printed.read().decode("utf-8", "replace").split("\n")
            return next((each.strip().rstrip(".") for each in reversed(lines) if each.strip()), "")
        return ""
