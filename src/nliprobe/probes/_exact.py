"""Exact labels: where a pair carries a program, the label after an edit of its table is computed (tables.md, T9).

A relation says which answers an edit can explain; a program says which answer is right. So every case of a pair with a
program has a gold label and no relation, and is certain. This is the one place that decides so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from nliprobe.base.identity import kept_by_identity
from nliprobe.language.cells import Date
from nliprobe.probes import Probe
from nliprobe.probes._row_donors import plain_value, row_key, single_values
from nliprobe.probes._rows import A_TEXT
from nliprobe.probes._texts import Change
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair, Premise
from nliprobe.task.program import Call, Const, Program, parse_program, write_program
from nliprobe.task.table import Row, Table
from nliprobe.templates.tables.execute import ProgramError, compile_program, execute
from nliprobe.templates.tables.find import load_tables
from nliprobe.templates.tables.operations import OPERATIONS, READINGS, Kind, day

UNREADABLE = "the program cannot read a cell of the table"
UNREADABLE_AFTER = "the program cannot read a cell after the edit"
OTHER_LABEL = "the program gives another label than the pair has"
NEARLY = "a new value is nearly one that the hypothesis names"
OTHER_KEY = "a row may say what the program asks for under another key"
NAMED = "a value that the hypothesis names has a part of the title in it"
GOLDS = {letter: LabelSet.of(letter) for letter in "ENC"}


class Computed(NamedTuple):
    """The label that a program gives, or the reason why it gives none."""

    label: str
    reason: str = ""


def exact_items(probe: Probe, pair: Pair, items: Iterable[Case | Skip]) -> Iterator[Case | Skip]:
    """Yield the cases of a pair with a program, each with the label that the program gives after the edit."""
    assert pair.program is not None
    if reason := refusal(pair):
        yield probe.skip(reason)
        return
    for item in items:
        yield item if isinstance(item, Skip) else exact_case(probe, item, pair.program)


def exact_case(probe: Probe, case: Case, program: str) -> Case | Skip:
    """Return a case with the label that a program gives, or the reason why it gives none."""
    label, reason = computed_after(program, case.source.premise, case.premise)
    if not label:
        return probe.skip(UNREADABLE_AFTER if reason == UNREADABLE else reason)
    return case._replace(gold=GOLDS[label], expects=None, certainty=Certainty.CERTAIN)


@kept_by_identity(64)  # each probe of a suite asks the same of a pair
def refusal(pair: Pair) -> str:
    """Return the reason why the labels of a pair with a program cannot be computed; empty if they can."""
    assert pair.program is not None
    label, reason = computed(pair.program, pair.premise)
    if not reason and pair.gold is not None and pair.gold != GOLDS[label]:
        return OTHER_LABEL
    return reason


def computed(program: str, premise: Premise) -> Computed:
    """Return the label that a program gives to a table, or the reason why it gives none."""
    if not isinstance(premise, Table):
        return Computed("", A_TEXT)
    try:
        execution = execute(program, premise)
    except ProgramError:
        return Computed("", UNREADABLE)
    named = program_keys(program)
    if len(execution.rows) < len(named):
        # A row that is missing by its key may be there as "Release date" instead of "Released": then nothing is known.
        present = set(premise.keys)
        spellings = _spellings(" ".join(premise.category.casefold().split()))
        missing = [row_key(key) for key in named if key not in present]
        others = frozenset[str]().union(*(spellings.get(key, frozenset([key])) for key in missing))
        if any(row_key(key) in others for key in premise.keys):
            return Computed("", OTHER_KEY)
    return Computed(execution.label)


def computed_after(program: str, before: Premise, after: Premise) -> Computed:
    """Return the label that a program gives to an edited table, or the reason why it gives none."""
    result = computed(program, after)
    return Computed("", NEARLY) if not result.reason and nearly_named(program, before, after) else result


def nearly_named(program: str, before: Premise, after: Premise) -> bool:
    """Tell whether a new row of an edited table nearly has what a program names.

    A new row that has "bass guitar" where the program asks for "guitar" is left out: people do not agree on it.
    """
    texts = named_texts(program)
    if not texts or not isinstance(before, Table) or not isinstance(after, Table):
        return False
    keys, old = program_keys(program), before.rows
    new = [row for row in after.rows if row.key in keys and row not in old]
    return any(nearly(text, row) for row in new for text in texts)


@lru_cache(maxsize=65_536)
def nearly(text: str, row: Row) -> bool:
    """Tell whether a row has a value of which a text is a part, or the other way round, and not the text itself.

    >>> nearly("guitar", Row("Instruments", ("bass guitar", "drums"))), nearly("drums", Row("Instruments", ("drums",)))
    (True, False)
    """
    words = f" {plain_value(text)} "
    members = [f" {plain_value(value)} " for value in single_values(row) or row.values]
    return words not in members and any(words in member or member in words for member in members)


@lru_cache(maxsize=256)
def _spellings(category: str) -> dict[str, frozenset[str]]:
    """Return the keys under which tables of a category say the same, by each of them; as keys are compared."""
    spellings: dict[str, frozenset[str]] = {}
    for schema in load_tables().schemas.values():
        if category in map(str.casefold, schema.categories):
            for field in schema.fields.values():
                same = frozenset(map(row_key, field.keys))
                spellings |= {key: spellings.get(key, frozenset()) | same for key in same}
    return spellings


@lru_cache(maxsize=65_536)
def program_keys(program: str) -> tuple[str, ...]:
    """Return the keys of the rows that a program names."""
    return compile_program(parse_program(program), program).keys


@lru_cache(maxsize=65_536)
def named_texts(program: str) -> tuple[str, ...]:
    """Return the texts that a program compares with cells, each once: no keys, units or days."""
    return tuple(dict.fromkeys(_named_values(parse_program(program))))


@lru_cache(maxsize=65_536)
def named_times(program: str) -> tuple[int | Date, ...]:
    """Return the numbers and dates that a program names, each once."""
    return tuple(dict.fromkeys(_times(parse_program(program))))


def renamed_program(
    program: str, rename: Callable[[str], str], hypothesis: str, changes: Sequence[Change], after: str
) -> str | None:
    """Return what a program says when a title is replaced, or None if that is not clear.

    Values that the program names follow the title where the cells do ("Blue Tide" by "Blue Tide"), and then the new
    hypothesis must name them as the program does. Where a value stays, nothing of it may have been replaced.

    Args:
        program: the program of the pair.
        rename: what happens to texts that name the title, in cells.
        hypothesis: the hypothesis of the pair.
        changes: what was replaced in it.
        after: the new hypothesis.
    """
    new = {value: rename(value) for value in named_texts(program)}
    for value, other in new.items():
        spans = [match.span() for match in re.finditer(re.escape(value), hypothesis, re.IGNORECASE)]
        if other == value:
            touched = any(item.start < stop and start < item.stop for start, stop in spans for item in changes)
        else:
            touched = bool(spans) and other.casefold() not in after.casefold()
        if touched:
            return None
    return write_program(_with_values(parse_program(program), new))


def _named_values(program: Program) -> Iterator[str]:
    """Yield the texts that a program compares with cells: no keys, units or days."""
    if isinstance(program, Const):
        values = program.value if isinstance(program.value, tuple) else (program.value,)
        yield from (value for value in values if isinstance(value, str))
    elif isinstance(program, Call):
        for place in _value_places(program):
            yield from _named_values(program.args[place])


def _times(program: Program) -> Iterator[int | Date]:
    if isinstance(program, Const):
        values = program.value if isinstance(program.value, tuple) else (program.value,)
        yield from (value for value in values if isinstance(value, int))
    elif isinstance(program, Call) and program.op == "day" and isinstance(program.args[0], Const):
        yield day(str(program.args[0].value))
    elif isinstance(program, Call):
        for item in program.args:
            yield from _times(item)


def _with_values(program: Program, new: dict[str, str]) -> Program:
    if isinstance(program, Const):
        value = program.value
        if isinstance(value, tuple):
            return Const(tuple([new[item] if isinstance(item, str) else item for item in value]))
        return Const(new[value]) if isinstance(value, str) else program
    if isinstance(program, Call):
        places = _value_places(program)
        args = [_with_values(item, new) if at in places else item for at, item in enumerate(program.args)]
        return Call(program.op, tuple(args))
    return program


def _value_places(call: Call) -> Sequence[int]:
    """Return the places of the arguments that are no keys, units or days."""
    if call.op in READINGS or call.op == "day":
        return ()
    takes = OPERATIONS[call.op].takes if call.op in OPERATIONS else ()
    return [at for at in range(len(call.args)) if at >= len(takes) or takes[at] is not Kind.STRETCH]
