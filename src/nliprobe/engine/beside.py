"""A second thread next to the model's, which does work in the order in which it is handed over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING, Generic, Self, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")


class Stopped(Exception):
    """Raised inside work that is no longer wanted."""


class Later(Generic[T]):
    """Work that is done when its result is asked for, once."""

    def __init__(self, work: Callable[[], T]) -> None:
        self.result = cache(work)


class Beside:
    """Does work in its own thread and returns the results, or the errors with their tracebacks.

    On leaving, work that uses :meth:`watch` is interrupted, all other work is finished, and the thread ends: nothing is
    left running, and no write is lost.

    Args:
        thread: whether there is a thread; without one, work is done at once in the calling thread.
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
        """Hand over work, and return the future of its result."""
        if self._pool is not None:
            return self._pool.submit(work)
        from concurrent.futures import Future

        done: Future[T] = Future()
        done.set_result(work())
        return done

    def ahead(self, work: Callable[[], T]) -> Future[T] | Later[T]:
        """Begin work whose result is needed later; without a thread it is done when the result is asked for."""
        return Later(work) if self._pool is None else self._pool.submit(work)

    def stop(self) -> None:
        """Interrupt work that uses :meth:`watch`."""
        self._stopped = True

    def watch(self, items: Iterable[T]) -> Iterator[T]:
        """Yield items until :meth:`stop` is called, then raise :class:`Stopped`."""
        for item in items:
            if self._stopped:
                raise Stopped
            yield item
