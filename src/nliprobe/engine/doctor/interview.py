"""Asks a system the doctor's questions, once or several times, and counts them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nliprobe.base.errors import ModelError
from nliprobe.base.hashing import digest
from nliprobe.engine.ask import Failures, answered, ask, ask_known
from nliprobe.models.system import System
from nliprobe.store.cache import AnswerCache
from nliprobe.task.case import Input, Prediction, Status

# A model that fails on this share of the pairs is not examined: its failures would be mistaken for its answers.
FAILING = 0.5


@dataclass
class Interview:
    """The questions to one system; what it has answered before is not asked again.

    Attributes:
        system: whom to ask.
        cache: the answers it gave before, or none if they are not kept.
        prepare: trains or loads its model, before it must answer.
        asked: how many questions it was asked so far, known answers included.
    """

    system: System
    cache: AnswerCache | None
    prepare: Callable[[System], None]
    asked: int = 0

    def ask(self, inputs: Sequence[Input]) -> list[Prediction]:
        """Return the answers to inputs; raise an error if the system mostly fails."""
        self.asked += len(inputs)
        answers = ask_known(self.system, inputs, self.cache, self.prepare)
        reasons = [answer.raw or "no reason was given" for answer in answers if answer.status is Status.FAILED]
        if reasons and len(reasons) >= FAILING * len(answers):
            raise ModelError(
                f"The doctor stops {self.system.name}: it failed on {len(reasons)} of {len(answers)} pairs. "
                f"The first failure was: {reasons[0].rstrip('.')}."
            )
        return answers

    def ask_again(self, inputs: Sequence[Input], time: str) -> list[Prediction]:
        """Return the answers to inputs that are asked in a batch of their own, whatever was answered before.

        ``time`` names the repetition. The cache keeps its answers under other ids, so that the next examination of the
        same system costs nothing and says the same.
        """
        self.asked += len(inputs)
        ids = _ids(inputs, time)
        known = self._known(ids)
        if len(known) < len(ids):
            self.prepare(self.system)
            fresh = ask(self.system, inputs, None, lambda count: None, Failures()).answers
            known = {name: fresh[item.id] for name, item in zip(ids, inputs, strict=True)}
            if self.cache is not None:
                self.cache.add(answered(known))
        return [known[name] for name in ids]

    def remembers(self, inputs: Sequence[Input], time: str) -> bool:
        """Tell whether an earlier examination has asked inputs this time, so that their answers are known."""
        return len(self._known(_ids(inputs, time))) == len(inputs)

    def _known(self, ids: Sequence[str]) -> dict[str, Prediction]:
        return self.cache.get(ids) if self.cache is not None else {}


def _ids(inputs: Sequence[Input], time: str) -> list[str]:
    return [digest(item.id, "the doctor asks again", time) for item in inputs]
