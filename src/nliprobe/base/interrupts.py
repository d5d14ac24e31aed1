"""Handle Ctrl-C: the first press lets the current work finish and be saved, the second stops at once."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Self, TypeVar

T = TypeVar("T")
# Polars raises for a press of Ctrl-C and then passes the signal on: within this many seconds it is the same press.
ONE_PRESS = 0.3


class Interrupts:
    """Catches Ctrl-C during long work; ``wanted`` says whether the user asked to stop.

    The first press is acknowledged on standard error at once, also while the main thread computes outside Python and
    cannot run a handler.
    """

    def __init__(self, until: str) -> None:
        """Make a catcher.

        Args:
            until: what is finished after the first press, such as "the current shard".
        """
        self.wanted = False
        self._until = until
        self._main = threading.current_thread() is threading.main_thread()
        self._first = 0.0
        self._before: object = None
        self._acknowledged = threading.Lock()

    def __enter__(self) -> Self:
        if self._main:
            self._before = signal.getsignal(signal.SIGINT)
            signal.signal(signal.SIGINT, self._note)
            reading, self._writing = os.pipe()
            os.set_blocking(self._writing, False)
            self._fd_before = signal.set_wakeup_fd(self._writing, warn_on_full_buffer=False)
            self._listener = threading.Thread(target=self._listen, args=(reading,), daemon=True)
            self._listener.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._main:
            signal.signal(signal.SIGINT, self._before)  # type: ignore[arg-type]
            signal.set_wakeup_fd(self._fd_before)
            os.close(self._writing)
            self._listener.join()

    def _listen(self, reading: int) -> None:
        """Acknowledge signals as they arrive; the interpreter writes their numbers into the pipe."""
        with os.fdopen(reading, "rb", buffering=0) as pipe:
            while numbers := pipe.read(64):
                if signal.SIGINT in numbers:
                    self._acknowledge()

    def _acknowledge(self) -> None:
        if self._acknowledged.acquire(blocking=False):  # never released: it is said once
            line = f"nliprobe: stopping after {self._until}; press Ctrl-C again to stop at once.\n"
            # Not through a stream: this may be inside a handler that interrupted a write to the same stream.
            with suppress(OSError):
                os.write(2, line.encode())

    def through(self, work: Callable[[], T]) -> T:
        """Do work that is safe to repeat, and repeat it if the first Ctrl-C interrupts it.

        Polars replaces this handler with its own while it works, and raises KeyboardInterrupt by itself.
        """
        while True:
            try:
                return work()
            except KeyboardInterrupt:
                if self._pressed_again():
                    raise

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self._pressed_again():
            raise KeyboardInterrupt

    def _pressed_again(self) -> bool:
        """Note that Ctrl-C was pressed, and tell whether it had been pressed before."""
        now = time.monotonic()
        if not self.wanted:
            self.wanted = True
            self._first = now
            self._acknowledge()
        return now - self._first > ONE_PRESS
