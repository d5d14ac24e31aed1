"""The questions that are being asked: which inputs belong to which, and when all answers to one have come.

Several questions of a system are open at a time, in any order of their shards. An input whose answers are cached is
asked by one of them only; the others wait for its answer. If it fails, the next of them asks it again, as the shards of
a run would one after the other. Nobody waits for a whole question, so that no two of them can wait for each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from nliprobe.engine.ask import Answers, Asked, answered
from nliprobe.engine.stages import Question, settle
from nliprobe.engine.steps import Desk
from nliprobe.task.case import Input, Status


@dataclass(eq=False)
class Open:
    """A question that waits for answers.

    Attributes:
        desk: whom it was asked.
        question: what was asked; what is known since then is settled.
        asked: the inputs that it asks itself.
        answers: those that have come.
        unkept: those among them that have not been kept.
        owed: inputs that another question asks, by their ids.
        paid: the answers that came to inputs which were owed.
    """

    desk: Desk
    question: Question
    asked: list[Input] = field(default_factory=list)
    answers: Answers = field(default_factory=dict)
    unkept: Answers = field(default_factory=dict)
    owed: dict[str, Input] = field(default_factory=dict)
    paid: Answers = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether all answers have come."""
        return not self.owed and len(self.answers) == len(self.asked)

    @property
    def result(self) -> Asked:
        """The answers to what it asked, and those among them that have not been kept."""
        return Asked(self.answers, answered(self.unkept))

    @property
    def inputs(self) -> int:
        """How many distinct inputs it is about."""
        return len(self.question.known) + len(self.asked) + len(self.owed) + len(self.paid)

    @property
    def known(self) -> int:
        """How many of them need no more asking."""
        return len(self.question.known) + len(self.answers) + len(self.paid)


@dataclass
class _Finished:
    """Answers to a question that is complete; questions looked up before ``seen`` may not have seen them."""

    answers: Answers
    seen: int


class Taken(NamedTuple):
    """What answers lead to: inputs that questions must ask themselves now, and questions that are complete."""

    again: list[tuple[Open, list[Input]]]
    complete: list[Open]


class Floor:
    """The open questions of all systems, in the order of their admission. Only one thread may use it."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, int], Open] = {}
        self._owners: dict[tuple[str, str], Open] = {}
        self._waiting: dict[tuple[str, str], list[Open]] = {}
        self._finished: dict[str, list[_Finished]] = {}

    def __len__(self) -> int:
        return len(self._open)

    def __iter__(self) -> Iterator[Open]:
        return iter(list(self._open.values()))

    @property
    def front(self) -> Open | None:
        """The oldest open question."""
        return next(iter(self._open.values()), None)

    def admit(self, desk: Desk, question: Question, number: int) -> Open:
        """Open a question, and decide which of its inputs it asks itself.

        Args:
            desk: whom it is asked.
            question: what is asked.
            number: counts the questions in the order in which they were looked up.
        """
        name = desk.system.name
        if desk.cache is not None:
            self._finished[name] = [ended for ended in self._finished.get(name, ()) if ended.seen >= number]
            for ended in self._finished[name]:
                question = settle(question, ended.answers)
            others = {id(owner): owner for item in question.missing if (owner := self._owner(name, item))}
            for owner in others.values():
                question = settle(question, answered(owner.answers))
        entry = Open(desk, question)
        self._open[name, question.shard] = entry
        for item in question.missing:
            owner = self._owner(name, item)
            if owner is None or item.id in owner.answers:  # there it failed
                self._ask(entry, item)
            else:
                entry.owed[item.id] = item
                self._waiting.setdefault((name, item.id), []).append(entry)
        return entry

    def of(self, system: str, shard: int) -> Open | None:
        """Return the open question of a system about a shard, if there is one."""
        return self._open.get((system, shard))

    def take(self, entry: Open, answers: Answers) -> Taken:
        """Take answers to a question, for all that wait for them."""
        entry.answers.update(answers)
        entry.unkept.update(answers)
        again: dict[int, tuple[Open, list[Input]]] = {}
        touched = {id(entry): entry}
        for name, answer in answers.items():
            key = (entry.desk.system.name, name)
            waiting = self._waiting.pop(key, None)
            if waiting is None:
                continue
            if answer.status is not Status.FAILED:
                for other in waiting:
                    del other.owed[name]
                    other.paid[name] = answer
                    touched[id(other)] = other
                continue
            first, *others = waiting
            item = first.owed.pop(name)
            self._ask(first, item)
            again.setdefault(id(first), (first, []))[1].append(item)
            if others:
                self._waiting[key] = others
        return Taken(list(again.values()), [item for item in touched.values() if item.complete])

    def close(self, entry: Open, number: int) -> Question:
        """Close a question that is complete; return it with what is known now.

        Args:
            entry: the question.
            number: of the last question whose looking up has begun.
        """
        name = entry.desk.system.name
        del self._open[name, entry.question.shard]
        for item in entry.asked:
            if self._owners.get((name, item.id)) is entry:
                del self._owners[name, item.id]
        usable = answered(entry.answers)
        if usable and entry.desk.cache is not None:
            self._finished.setdefault(name, []).append(_Finished(usable, number))
        return settle(entry.question, entry.paid)

    def _owner(self, system: str, item: Input) -> Open | None:
        return self._owners.get((system, item.id))

    def _ask(self, entry: Open, item: Input) -> None:
        entry.asked.append(item)
        if entry.desk.cache is not None:
            self._owners[entry.desk.system.name, item.id] = entry


def kept(entries: Iterable[Open]) -> list[tuple[Open, Answers]]:
    """Return the answers of open questions that have not been kept, and note that they are now."""
    fresh: list[tuple[Open, Answers]] = []
    for entry in entries:
        usable = answered(entry.unkept)
        if usable:
            fresh.append((entry, usable))
        entry.unkept = {}
    return fresh
