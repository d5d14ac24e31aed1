"""Trials: a pair that the owner typed, its edited versions, and what the systems answered to each."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from nliprobe.api.asked import Answered
from nliprobe.base.errors import DataError, NotFoundError
from nliprobe.studio.ask.asking import Asking, Question
from nliprobe.studio.context import Part
from nliprobe.task.case import Certainty, Prediction
from nliprobe.task.explanation import ExplainedCase
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair, Premise
from nliprobe.task.rules import Rule

# They are kept in memory, each version with some 60 KB at most.
_MOST_TRIALS = 20
MOST_VERSIONS = 50


@dataclass(frozen=True)
class Made:
    """How a version was made from another one.

    Attributes:
        base: the number of the other version.
        words: what was done.
        name: the probe or the kinds of edits that it is; empty for an edit of which nothing is known.
        rule: what must hold of the answers, if something is known.
        certainty: how sure that is.
    """

    base: int
    words: str
    name: str = ""
    rule: Rule | None = None
    certainty: Certainty = Certainty.CERTAIN


@dataclass
class Version:
    """One version of the pair.

    Attributes:
        number: from 1.
        premise: a text or a table.
        hypothesis: what is judged.
        made: how it was made; none for the first.
        gold: what the owner holds right; only a saved file has it.
        questions: what each system was asked, by its number.
        explanations: what was asked about why, by the number of the system.
    """

    number: int
    premise: Premise
    hypothesis: str
    made: Made | None
    questions: dict[int, Question[Answered]]
    gold: LabelSet | None = None
    explanations: dict[int, Question[ExplainedCase]] = field(default_factory=dict)

    @property
    def pair(self) -> Pair:
        """The pair, under a name that says nothing."""
        return Pair(f"typed/{self.number}", self.premise, self.hypothesis)

    @property
    def is_waiting(self) -> bool:
        """Whether an answer or an explanation is still to come."""
        return any(not each.is_over for each in self.asked)

    @property
    def asked(self) -> list[Question[Answered] | Question[ExplainedCase]]:
        """Everything that was asked about it."""
        return [*self.questions.values(), *self.explanations.values()]

    def answer(self, system: int) -> Prediction | None:
        """Return what a system answered, if it did."""
        asked = self.questions[system].result
        return None if asked is None else asked.predictions[0]

    def wait(self, seconds: float) -> None:
        """Wait for the answers, but not long: a page that is not complete asks again."""
        for question in self.questions.values():
            question.wait(seconds / len(self.questions))


@dataclass
class Trial:
    """A pair and its versions.

    Attributes:
        key: how it is called in addresses.
        systems: the numbers of the systems that are asked.
        notes: what was left out or changed when the premise was read.
        versions: the first is what was typed.
    """

    key: str
    systems: tuple[int, ...]
    notes: tuple[str, ...]
    versions: list[Version] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, asking: Asking, premise: Premise, hypothesis: str, made: Made | None) -> Version:
        """Add a version and ask all systems about it.

        Raises:
            DataError: there are too many versions.
            TooManyError: too many questions are waiting.
        """
        with self._lock:
            if len(self.versions) >= MOST_VERSIONS:
                raise DataError(f"This trial has {MOST_VERSIONS} versions already: save it, and begin another one.")
            version = Version(len(self.versions) + 1, premise, hypothesis, made, {})
            for system in self.systems:
                version.questions[system] = asking.ask(system, [version.pair])
            self.versions.append(version)
        return version

    def version(self, number: int) -> Version:
        """Return a version by its number.

        Raises:
            NotFoundError: there is none.
        """
        if not 1 <= number <= len(self.versions):
            raise NotFoundError(f"This trial has no version {number}.")
        return self.versions[number - 1]

    def base(self, version: Version) -> Version | None:
        """Return the version that one was made from."""
        return None if version.made is None else self.version(version.made.base)


class Trials:
    """The latest trials; older ones are forgotten, and so are all when the server ends."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Trial] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, systems: Sequence[int], notes: Sequence[str]) -> Trial:
        """Begin a trial, without a version; it is kept when :meth:`keep` is told so."""
        return Trial(secrets.token_hex(6), tuple(systems), tuple(notes))

    def keep(self, trial: Trial) -> None:
        """Keep a trial that has a version."""
        with self._lock:
            self._kept[trial.key] = trial
            while len(self._kept) > _MOST_TRIALS:
                self._kept.popitem(last=False)

    def find(self, key: str) -> Trial:
        """Return a trial.

        Raises:
            NotFoundError: it is not kept any more.
        """
        with self._lock:
            found = self._kept.get(key)
        if found is None:
            raise NotFoundError("This trial is not kept any more: the studio was started again, or many followed it.")
        return found

    def latest(self) -> list[Trial]:
        """Return the trials, the newest first."""
        with self._lock:
            return list(reversed(self._kept.values()))


TRIALS = Part(Trials, lambda studio: Trials())
