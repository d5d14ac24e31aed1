"""One thread that works beside the model's: what it is handed is done in that order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")


class Stopped(Exception):
    """The work is not wanted any more."""


class Beside:
    """Does work in a thread of its own and hands back its results, or the errors with their tracebacks.

    On leaving, work that asks by :meth:`watch` whether it is still wanted is broken off, all else is finished, and the
    thread ends: nothing is left running, and no write is left out.

    Args:
        thread: whether there is a thread; without, work is done at once by whoever hands it over.
    """

    def __init__(self, *, thread: bool = True) -> None:
        self._thread = thread
        self._stopped = False

    def __enter__(self) -> Self:
        from concurrent.futures import ThreadPoolExecutor

        self._pool = ThreadPoolExecutor(1, "nliprobe-beside") if self._thread else None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        if self._pool is not None:
            self._pool.shutdown(wait=True)

    def hand_over(self, work: Callable[[], T]) -> Future[T]:
        """Have work done; its result waits in the future."""
        if self._pool is not None:
            return self._pool.submit(work)
        from concurrent.futures import Future

        done: Future[T] = Future()
        done.set_result(work())
        return done

    def stop(self) -> None:
        """Say that nothing more is wanted of work that can be broken off."""
        self._stopped = True

    def watch(self, items: Iterable[T]) -> Iterator[T]:
        """Go through items until :meth:`stop`, which is then raised as :class:`Stopped`."""
        for item in items:
            if self._stopped:
                raise Stopped
            yield item
