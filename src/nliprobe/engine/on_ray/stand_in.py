"""A system that is asked elsewhere, for those who ask a few inputs and wait: the doctor's examination."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nliprobe.models.asynchronous import Answerer
from nliprobe.models.base import Model, PairView
from nliprobe.models.origin import Origin
from nliprobe.models.system import System
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import Partition

AskAway = Callable[[System, Sequence[Input]], list[Prediction]]


class StandIn(System):
    """Stands for a system whose model is loaded by workers only; it is the same in all but where it is asked."""

    def __init__(self, system: System, ask: AskAway) -> None:
        super().__init__(system.spec, _Elsewhere(system, ask), system.reader, system.train, system.learning_reader)
        self._system = system

    def fingerprint(self) -> str | None:
        """Return that of the system it stands for."""
        return self._system.fingerprint()


class _Elsewhere(Model):
    """Passes inputs on; all else is as the model says that is not loaded here."""

    def __init__(self, system: System, ask: AskAway) -> None:
        self._system = system
        self._ask = ask

    @property
    def partition(self) -> Partition:
        return self._system.model.partition

    @property
    def asynchronous(self) -> Answerer | None:
        return self._system.model.asynchronous

    @property
    def learnt_view(self) -> PairView | None:
        return self._system.model.learnt_view

    def fingerprint(self) -> str | None:
        return self._system.model.fingerprint()

    def origin(self) -> Origin:
        return self._system.model.origin()

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        return self._ask(self._system, inputs)


def is_away(system: System) -> bool:
    """Tell whether workers ask a system: its model computes, and does not only look up or wait for a service."""
    return not system.model.keyed and system.model.asynchronous is None
