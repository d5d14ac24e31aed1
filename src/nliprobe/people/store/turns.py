"""Turns: the work of many threads is done one after the other, and what waits meanwhile is done together.

A transaction ends with a wait for the disk. Where many threads wait for their turn, whoever has it does the work of the
others as well, in one transaction: they share the wait, and nobody must be woken up to hold the database for a moment.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

W = TypeVar("W")
# More at once would keep the first of them waiting for the last: one takes some 3 ms.
_MOST = 20


@dataclass(eq=False)
class Turn(Generic[W]):
    """Work that waits, and what came of it.

    Attributes:
        work: what is to be done.
        alone: whether it must not share a transaction.
        result: what it returned.
        error: what it raised.
    """

    work: W
    alone: bool = False
    result: object = None
    error: BaseException | None = None
    is_done: bool = False
    called: threading.Event = field(default_factory=threading.Event)


class Turns(Generic[W]):
    """Lets one thread at a time work, for itself and for those who wait.

    Args:
        do: does the work of some turns, in their order, and sets the result or the error of each; what it raises itself
            is the error of all of them.
    """

    def __init__(self, do: Callable[[Sequence[Turn[W]]], None]) -> None:
        self._do = do
        self._guard = threading.Lock()
        self._waiting: deque[Turn[W]] = deque()
        self._is_taken = False

    def take(self, work: W, *, alone: bool = False) -> object:
        """Return what some work returns when its turn has come, or raise what it raises."""
        mine = Turn(work, alone)
        with self._guard:
            self._waiting.append(mine)
            first, self._is_taken = not self._is_taken, True
        if not first:
            mine.called.wait()
        if not mine.is_done:
            self._lead()
        if mine.error is not None:
            raise mine.error
        return mine.result

    def _lead(self) -> None:
        with self._guard:
            group = self._group()
        try:
            self._do(group)
        except BaseException as error:
            for turn in group:
                turn.error = error
        finally:
            for turn in group:
                turn.is_done = True
            with self._guard:
                self._is_taken = bool(self._waiting)
                following = [self._waiting[0]] if self._waiting else []
            for turn in (*following, *group):
                turn.called.set()

    def _group(self) -> list[Turn[W]]:
        """Take the first of those who wait, and all behind it that can go along."""
        group = [self._waiting.popleft()]
        while self._waiting and len(group) < _MOST and not (group[0].alone or self._waiting[0].alone):
            group.append(self._waiting.popleft())
        return group
