"""Models that are asked many single inputs at once, such as services that compute elsewhere and answer slowly."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import cached_property

from nliprobe.models.base import Model, Take
from nliprobe.models.failures import failed_by, stop_unless_of_inputs
from nliprobe.task.case import Input, Prediction

Answer = Callable[[Input], Awaitable[Prediction]]


class Answerer:
    """Asks inputs in an event loop that lives until :meth:`close`, with at most ``concurrency`` of them in flight."""

    def __init__(self, answer: Answer, concurrency: int) -> None:
        self._answer = answer
        self._concurrency = concurrency
        self._runner: asyncio.Runner | None = None

    def ask(self, inputs: Sequence[Input], take: Take) -> None:
        """Pass each answer to ``take`` as it comes, with the place of its input.

        An input that fails has a failed answer and does not affect the others. An error that stops the run, Ctrl-C and
        whatever ``take`` raises cancel everything that is in flight.
        """
        if not inputs:
            return
        if self._runner is None:
            self._runner = asyncio.Runner()
        try:
            runner = self._runner
            _where_no_loop_runs(lambda: runner.run(self._ask_all(inputs, take)), runner)
        except BaseException:
            self.close()  # after Ctrl-C tasks are left in the loop: closing it cancels them and waits for their end
            raise

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        """Return the answers in the order of the inputs."""
        answers: dict[int, Prediction] = {}
        self.ask(inputs, answers.__setitem__)
        return [answers[place] for place in range(len(inputs))]

    def close(self) -> None:
        """Cancel what is in flight and close the event loop."""
        runner, self._runner = self._runner, None
        if runner is not None:
            _where_no_loop_runs(runner.close)

    async def _ask_all(self, inputs: Sequence[Input], take: Take) -> None:
        waiting = iter(enumerate(inputs))  # shared by the workers: each input is taken by one of them
        workers = [asyncio.create_task(self._work(waiting, take)) for _ in range(min(self._concurrency, len(inputs)))]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _work(self, waiting: Iterator[tuple[int, Input]], take: Take) -> None:
        for place, asked in waiting:
            try:
                answer = await self._answer(asked)
            except Exception as error:
                stop_unless_of_inputs(error)
                answer = failed_by(error)
            take(place, answer)


def _where_no_loop_runs(work: Callable[[], object], runner: asyncio.Runner | None = None) -> None:
    """Do work that needs its own event loop: in a second thread if this one has a loop, as cells of a notebook do."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        work()
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1, "nliprobe-asking") as thread:
        done = thread.submit(work)
        try:
            done.result()
        except KeyboardInterrupt:  # it arrives here and not in the thread
            if runner is not None:
                loop = runner.get_loop()
                loop.call_soon_threadsafe(lambda: [task.cancel() for task in asyncio.all_tasks(loop)])
            raise


class AsyncModel(Model):
    """A model that answers one input at a time, asynchronously.

    The engine keeps at most ``concurrency`` inputs in flight, in one event loop. The model itself retries and pauses;
    if it raises an exception in the end, that input has a failed answer.
    """

    concurrency: int = 1

    @abstractmethod
    async def answer(self, asked: Input) -> Prediction:
        """Answer one input."""

    @cached_property
    def asynchronous(self) -> Answerer:
        """What asks this model."""
        return Answerer(self.answer, self.concurrency)

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        """Return one answer for each input, in order."""
        return self.asynchronous.predict(inputs)

    def close(self) -> None:
        """Cancel what is in flight; a model that holds connections closes them, too."""
        self.asynchronous.close()
