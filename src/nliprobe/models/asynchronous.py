"""Models that are asked many inputs or small batches at once, such as services that compute elsewhere."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import cached_property
from itertools import islice

from nliprobe.models.base import Model, Take
from nliprobe.models.failures import failed_by, stop_unless_of_inputs
from nliprobe.task.case import Input, Prediction

Answer = Callable[[Input], Awaitable[Prediction]]
# Passes each answer on as it comes, with the place of its input in the batch; raises an error if some do not come.
AnswerBatch = Callable[[Sequence[Input], Take], Awaitable[None]]
Settled = Callable[[], None]


class Answerer:
    """Asks inputs in an event loop that lives until :meth:`close`, with at most ``concurrency`` batches in flight.

    Args:
        answer: asks one batch.
        concurrency: how many batches are in flight.
        batch: how many inputs are asked together; if that fails, they are asked in halves.
    """

    def __init__(self, answer: AnswerBatch, concurrency: int, batch: int = 1) -> None:
        self._answer = answer
        self._concurrency = concurrency
        self.batch = batch
        self._runner: asyncio.Runner | None = None

    def ask(self, inputs: Sequence[Input], take: Take, settled: Settled = lambda: None) -> None:
        """Pass each answer to ``take`` as it comes, with the place of its input.

        An input that fails has a failed answer and does not affect the others. An error that stops the run, Ctrl-C and
        whatever ``take`` raises cancel everything that is in flight.

        Args:
            inputs: what to ask.
            take: is given the place of an input and its answer.
            settled: is called when answers that came together have all been taken.
        """
        if not inputs:
            return
        if self._runner is None:
            self._runner = asyncio.Runner()
        runner = self._runner
        try:
            _where_no_loop_runs(lambda: runner.run(self._ask_all(inputs, take, settled)), runner)
        except BaseException:
            # The error is raised here: tasks that it ended need not print it once more when they are collected.
            runner.get_loop().set_exception_handler(lambda loop, context: None)
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

    async def _ask_all(self, inputs: Sequence[Input], take: Take, settled: Settled) -> None:
        waiting = iter(enumerate(inputs))  # shared by the workers: each input is taken by one of them
        number = min(self._concurrency, len(inputs))
        workers = [asyncio.create_task(self._work(waiting, take, settled)) for _ in range(number)]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _work(self, waiting: Iterator[tuple[int, Input]], take: Take, settled: Settled) -> None:
        while batch := list(islice(waiting, self.batch)):
            parts = [batch]
            while parts:
                parts += await self._ask_part(parts.pop(), take)
                settled()

    async def _ask_part(self, part: list[tuple[int, Input]], take: Take) -> list[list[tuple[int, Input]]]:
        """Ask some inputs together, and return in halves those that are to be asked again."""
        came: set[int] = set()

        def note(place: int, answer: Prediction) -> None:
            came.add(place)
            take(part[place][0], answer)

        try:
            await self._answer([asked for _, asked in part], note)
        except Exception as error:
            stop_unless_of_inputs(error)
            left = [item for place, item in enumerate(part) if place not in came]
            if len(part) > 1 and getattr(error, "fewer_may_do", True):
                half = len(left) // 2
                return [some for some in (left[half:], left[:half]) if some]
            for place, _ in left:
                take(place, failed_by(error))
        return []


def one_by_one(answer: Answer) -> AnswerBatch:
    """Return how a batch is asked of something that answers single inputs."""

    async def ask(inputs: Sequence[Input], take: Take) -> None:
        for place, asked in enumerate(inputs):
            take(place, await answer(asked))

    return ask


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
        return Answerer(one_by_one(self.answer), self.concurrency)

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        """Return one answer for each input, in order."""
        return self.asynchronous.predict(inputs)

    def close(self) -> None:
        """Cancel what is in flight; a model that holds connections closes them, too."""
        self.asynchronous.close()
