"""The records of work that people do: projects of items, raters, and their judgements; plain data, no database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, TypeAlias

# What JSON can write. Contents and answers are this and nothing else, so that any store and any client can hold them.
Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
Content: TypeAlias = Mapping[str, Json]

# The file of the store if nothing else is said, in the folder where people work.
DATABASE = "people.sqlite"
# A rater who is silent for so long has left: the item goes to somebody else. The longest task of the papers, five edits
# of a table, took people minutes, not half an hour.
LEASE_SECONDS = 1800
# Five raters per pair, as InfoTabS and the evidence probes have it.
RATERS_PER_ITEM = 5


class RaterState(StrEnum):
    """Whether a rater may work, and whether the work counts."""

    ACTIVE = "active"
    BLOCKED = "blocked"  # by the owner: nothing of this rater counts
    WITHDRAWN = "withdrawn"  # by the rater: nothing of this rater is kept


class JudgementState(StrEnum):
    """Whether a judgement counts."""

    COUNTS = "counts"
    REVISED = "revised"  # the same rater has said something else since
    VOID = "void"  # the rater was blocked


@dataclass(frozen=True, slots=True)
class Project:
    """A job for raters: one task, the rules by which its items are handed out, and the words that explain it.

    Attributes:
        name: the name by which it is asked for, unique in a store.
        task: the name of the task, see :data:`nliprobe.people.tasks.TASKS`.
        title: what raters read above their work.
        instructions: Markdown for raters.
        options: what the task needs to know besides, such as the partition of labels.
        raters_per_item: how many judgements each item gets.
        most_per_rater: how many items one rater may judge, hidden attention items not counted; None for all.
        attention_every: one item among so many is a hidden attention item, as long as there are any; 0 for never.
        batches_open: items of so many first batches are handed out; batch 0 is the pilot.
        lease_seconds: how long an item stays with a rater who does not answer.
        seed: of the orders in which raters see the items.
    """

    name: str
    task: str
    title: str = ""
    instructions: str = ""
    options: Content = field(default_factory=dict)
    raters_per_item: int = RATERS_PER_ITEM
    most_per_rater: int | None = None
    attention_every: int = 0
    batches_open: int = 1
    lease_seconds: int = LEASE_SECONDS
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to judge.

    Attributes:
        name: unique in its project.
        content: what the task shows, see the task's ``shown``.
        hidden: what raters never get: gold label, pair id, group, the system's prediction.
        stratum: items are handed out evenly over strata, such as template, label or table.
        batch: items of later batches wait until the owner opens them.
        expected: the known answer of a hidden attention item, which every rater may get; None for all others.
    """

    name: str
    content: Content
    hidden: Content = field(default_factory=dict)
    stratum: str = ""
    batch: int = 0
    expected: Content | None = None


@dataclass(frozen=True, slots=True)
class Rater:
    """Somebody who judges.

    Attributes:
        name: a pseudonym, unique in its project.
        state: whether the rater may work.
        external: the id that a crowd platform has for them, if any; never exported unless asked for.
    """

    name: str
    state: RaterState = RaterState.ACTIVE
    external: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one rater said about one item.

    Attributes:
        item: the name of the item.
        rater: the name of the rater.
        answer: as the task's ``checked`` returned it.
        given: when, in seconds since 1970 in UTC.
        seconds: how long the rater had the item; None if nobody knows, as for sheets.
        remark: what the rater wrote to the owner.
        revision: 0 for the first answer, 1 for what replaced it, and so on.
        state: whether it counts.
    """

    item: str
    rater: str
    answer: Content
    given: float
    seconds: float | None = None
    remark: str = ""
    revision: int = 0
    state: JudgementState = JudgementState.COUNTS


class Adjudication(NamedTuple):
    """What the owner decided about an item on which raters differ.

    Attributes:
        item: the name of the item.
        answer: as the task's ``checked`` returned it.
        who: who decided.
        at: when, in seconds since 1970 in UTC.
        reason: why, for whoever reads it later.
    """

    item: str
    answer: Content
    who: str
    at: float
    reason: str = ""
