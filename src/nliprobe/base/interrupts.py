"""Handle Ctrl-C: the first press lets the current work finish and be saved, the second stops at once."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Self, TypeVar

T = TypeVar("T")
# Polars raises for a press of Ctrl-C and then passes the signal on: within this many seconds it is the same press.
ONE_PRESS = 0.3


class Interrupts:
    """Catches Ctrl-C during long work; ``wanted`` says whether the user asked to stop."""

    def __init__(self) -> None:
        self.wanted = False
        self._main = threading.current_thread() is threading.main_thread()
        self._first = 0.0
        self._before: object = None

    def __enter__(self) -> Self:
        if self._main:
            self._before = signal.getsignal(signal.SIGINT)
            signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._main:
            signal.signal(signal.SIGINT, self._before)  # type: ignore[arg-type]

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
        return now - self._first > ONE_PRESS
