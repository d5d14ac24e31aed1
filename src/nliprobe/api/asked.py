"""Systems that are asked about single pairs: each is made when it is first needed, and then kept."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from nliprobe.api.explain import ExplainOptions, explain_answer
from nliprobe.api.resolve import Request, expand_seeds
from nliprobe.base.errors import UsageError
from nliprobe.base.urls import redact_all
from nliprobe.engine.ask import ask_known
from nliprobe.models import MODELS
from nliprobe.models.system import System, SystemSpec, require_training
from nliprobe.task.case import Prediction
from nliprobe.task.explanation import ExplainedCase
from nliprobe.task.labels import Partition
from nliprobe.task.pair import Pair
from nliprobe.task.source import PairSource
from nliprobe.training.fit import make_ready


class Answered(NamedTuple):
    """What a system answers to some pairs.

    Attributes:
        predictions: the answers.
        partition: which labels it tells apart.
        inputs: the ids of what it read; where two are the same, an edit did not reach it.
    """

    predictions: list[Prediction]
    partition: Partition
    inputs: list[str]


class AskedSystems:
    """Systems by their numbers, in the order in which spec strings name them.

    Args:
        specs: spec strings; one that names a network of several seeds is as many systems.
        train: the splits that trainable systems learn from.
        root: the folder above the corpora.

    Raises:
        NotFoundError: a spec string names no model.
        UsageError: a system learns from pairs, and no split is named.
    """

    def __init__(self, specs: Sequence[str], train: Sequence[str] = (), root: Path | None = None) -> None:
        self._request = Request((), train=train, root=root)
        self._places = [(text, place, spec) for text in specs for place, spec in enumerate(_expanded(text))]
        for _, _, spec in self._places:
            require_training(spec, trainable=MODELS.get(spec.model.name).trainable, train=train)
        self._made: dict[str, list[System]] = {}

    @property
    def names(self) -> list[str]:
        """What people call the systems; nothing is made for this."""
        return [spec.name for _, _, spec in self._places]

    def run_options(self, numbers: Sequence[int]) -> list[str]:
        """Return the options by which ``nliprobe run`` asks some of the systems; URLs are without their credentials."""
        chosen = [self._places[number] for number in numbers]
        # All seeds of a network have one spec string.
        options = [word for text in dict.fromkeys(text for text, _, _ in chosen) for word in ("--system", text)]
        if any(MODELS.get(spec.model.name).trainable for _, _, spec in chosen):
            options += [word for text in self._request.train for word in ("--train", str(text))]
            options += [] if self._request.root is None else ["--from", str(self._request.root)]
        return [redact_all(word) for word in options]

    @cached_property
    def _training(self) -> list[PairSource]:
        return self._request.training()

    def prepare(self, number: int) -> None:
        """Make a system, and let it learn if it must; that may take long, once."""
        make_ready(self._system(number), self._training)

    def ask(self, number: int, pairs: Sequence[Pair]) -> Answered:
        """Ask a system about pairs; nothing is taken from earlier answers."""
        system = self._system(number)
        inputs = [system.reader.read_pair(pair) for pair in pairs]
        answers = ask_known(system, inputs, None, lambda system: None)
        return Answered(answers, system.model.partition, [item.id for item in inputs])

    def explain(self, number: int, pair: Pair) -> ExplainedCase:
        """Explain what a system answers to a pair."""
        return explain_answer(self._system(number), self._training, pair, ExplainOptions())

    def _system(self, number: int) -> System:
        text, place, _ = self._places[number]
        if text not in self._made:
            made = Request((), (text,), train=self._request.train, root=self._request.root)
            self._made[text] = made.build_systems(self._training)
            for system in self._made[text]:
                require_askable(system)
                system.model.check()
                system.reader.enter(None)
        return self._made[text][place]


def require_askable(system: System) -> None:
    """Raise a UsageError if a system cannot be asked about a pair that it was never told of."""
    if system.model.keyed:
        raise UsageError(f"{system.name} looks its answers up, so it cannot be asked about a pair that is typed.")
    if system.reader.needs_pool:
        raise UsageError(f"{system.name} is shown the premise of another pair, and a pair that is typed has no others.")


def _expanded(text: str) -> list[SystemSpec]:
    return expand_seeds(SystemSpec.parse(text))
