"""A worker: a process on some node that holds models and answers pieces of questions, one after the other."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from nliprobe import __version__
from nliprobe.base.errors import ModelError, NotFoundError, command_line
from nliprobe.base.registry import load_plugin
from nliprobe.engine.ask import JOURNAL_SECONDS, Answers, Failures, ask
from nliprobe.engine.on_ray.parcel import Parcel, Piece, Refusal, Reply, Setting, unpack
from nliprobe.models.system import System


class Greeting(NamedTuple):
    """Where a worker is, and what keeps it from working there."""

    host: str
    pid: int
    refusal: Refusal | None


class Worker:
    """Builds each system once, when it is first sent, and keeps its model until the end.

    No method raises an error: what goes wrong is returned, so that it cannot be mistaken for the loss of a worker.
    """

    def __init__(self, given: Setting) -> None:
        self._host = socket.gethostname()
        self._systems: dict[str, System | Refusal] = {}
        self._refusal: Refusal | None = None
        self._words = ExitStack()
        try:
            self._settle(given)
        except Exception as error:
            self._refusal = Refusal.of(error, self._host)

    def meet(self) -> Greeting:
        """Say where the worker is."""
        return Greeting(self._host, os.getpid(), self._refusal)

    def open(self, name: str, parcel: Parcel) -> None:
        """Build a system."""
        try:
            self._systems[name] = unpack(parcel)
        except Exception as error:
            self._systems[name] = Refusal.of(error, self._host)

    def ask(self, piece: Piece, failures: Failures) -> Iterator[Reply]:
        """Yield the answers to a piece: those of a slow model as they come, the rest at the end."""
        system = self._systems[piece.system]
        if isinstance(system, Refusal):
            yield Reply({}, last=True, refusal=system)
            return
        replies: SimpleQueue[Reply] = SimpleQueue()
        work = threading.Thread(target=self._answer, args=(system, piece, failures, replies), daemon=True)
        work.start()
        while not (reply := replies.get()).last:
            yield reply
        work.join()
        yield reply

    def notes(self, name: str) -> list[str]:
        """Return what the user should know after the answers, beside what counts say."""
        system = self._systems.get(name)
        return notes_beside_counts(system) if isinstance(system, System) else []

    def close(self) -> None:
        """Release what the models hold."""
        for system in self._systems.values():
            if isinstance(system, System):
                system.model.close()

    def _answer(self, system: System, piece: Piece, failures: Failures, replies: SimpleQueue[Reply]) -> None:
        sent: set[str] = set()

        def send(answers: Answers) -> None:
            if answers:
                sent.update(answers)
                replies.put(Reply(dict(answers)))

        before = counts_of(system)
        try:
            asked = ask(system, piece.inputs, send, lambda count: None, failures, JOURNAL_SECONDS)
        except BaseException as error:
            replies.put(Reply({}, last=True, refusal=Refusal.of(error, self._host)))
            return
        left = {name: answer for name, answer in asked.answers.items() if name not in sent}
        counts = {name: now - before[name] for name, now in counts_of(system).items()}
        replies.put(Reply(left, last=True, counts=counts))

    def _settle(self, given: Setting) -> None:
        """Take over what the driver's process knows."""
        if given.version != __version__:
            raise ModelError(
                f"This node has nliprobe {__version__}, but the run was started by nliprobe {given.version}. Install "
                "the same version on all nodes."
            )
        if not Path(given.folder).is_dir():
            raise NotFoundError(
                f"The folder {given.folder}, in which the run was started, does not exist on this node. Start the run "
                "in a folder that all nodes share."
            )
        os.chdir(given.folder)
        if given.on_command_line:
            self._words.enter_context(command_line())
        for path in given.plugins:
            load_plugin(Path(path))


def counts_of(system: System) -> dict[str, int]:
    """Return what a system's model has counted so far, by the names of its attributes."""
    return {name: getattr(system.model, name) for name in system.model.counted}


def notes_beside_counts(system: System) -> list[str]:
    """Return the notes of a model that it makes without its counts: those are added up where the run was started."""
    model, counts = system.model, counts_of(system)
    try:
        for name in counts:
            setattr(model, name, 0)
        return list(model.notes())
    finally:
        for name, count in counts.items():
            setattr(model, name, count)
