"""Execute programs over tables: the label and the rows that were read.

A program is compiled once to functions of Python. All its parts are evaluated, so the rows that it reads are all that
it names and the table has. Inside a present row the world is closed, between rows it is open (tables.md, T9).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from nliprobe.base.errors import DataError, did_you_mean
from nliprobe.task.program import LIST, Call, Const, Program, Slot, parse_program, slots_of, write_program
from nliprobe.task.table import Row, Table
from nliprobe.templates.tables.compare import comparison
from nliprobe.templates.tables.operations import (
    COMPARISONS,
    CONNECTIVES,
    OF_DATES,
    OPERATIONS,
    READINGS,
    Kind,
    Operation,
)
from nliprobe.templates.tables.readings import READERS, ProgramError, kept_reading, read_stretch
from nliprobe.templates.tables.values import Truth, Value, negated

__all__ = ["Compiled", "Execution", "ProgramError", "compile_program", "execute", "keys_of", "label_of", "named_rows"]

# What the functions of a compiled program get: the table's title, the rows it names (or None), its slots' values.
Environment: TypeAlias = Sequence[object]
Evaluate: TypeAlias = Callable[[Environment], Value]


class Execution(NamedTuple):
    """What a program says about a table.

    Attributes:
        label: E if it is true, C if it is false, N if the table leaves it open.
        rows: the places of the rows it read, in order.
    """

    label: str
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Compiled:
    """A program ready to be run.

    Attributes:
        keys: the keys of the rows it names, in the order in which they come.
        slots: the names of its slots, in the order of their values.
        kind: what it computes.
        run: computes it from the title, the rows of ``keys`` and the values of ``slots``, in one sequence.
    """

    keys: tuple[str, ...]
    slots: tuple[str, ...]
    kind: Kind
    run: Evaluate


def execute(program: str | Program, table: Table) -> Execution:
    """Execute a closed program over a table.

    >>> table = Table("Moon Songs", (Row("Released", ("29 March 1979",)), Row("Genre", ("Rock", "Pop"))))
    >>> execute('year("Released") < 1981 and "rock" in items("Genre")', table)
    Execution(label='E', rows=(0, 1))
    >>> execute('year("Recorded") < 1981', table)
    Execution(label='N', rows=())
    """
    compiled = _closed(program if isinstance(program, str) else write_program(program))
    rows, places = named_rows(compiled.keys, table)
    return Execution(label_of(compiled.run((table.title, *rows))), places)


def named_rows(keys: Sequence[str], table: Table) -> tuple[list[Row | None], tuple[int, ...]]:
    """Return the rows of some keys, None for those that a table lacks, and the places of those it has, in order."""
    known = [row.key for row in table.rows]
    places = [known.index(key) if key in known else -1 for key in keys]  # programs name a row or two
    rows = [table.rows[place] if place >= 0 else None for place in places]
    return rows, tuple(sorted([place for place in places if place >= 0]))


def label_of(value: Value) -> str:
    """Return the label of a truth value."""
    return "N" if value is None else "E" if value else "C"


def compile_program(
    program: Program,
    text: str = "",
    *,
    keys: Sequence[str] | None = None,
    slots: Sequence[str] | None = None,
    kinds: Mapping[str, Kind] | None = None,
) -> Compiled:
    """Compile a program or an expression of a template; slots stay open and are given when it runs.

    Args:
        program: the program.
        text: how errors write it.
        keys: the keys in the order in which rows are given; by default those it names, in their order.
        slots: the slots in the order in which values are given; by default those it has, by name.
        kinds: what kinds of values slots have, as far as it is known.
    """
    compiler = _Compiler(program, text or write_program(program), keys, slots, kinds or {})
    kind, run = compiler.compile(program)
    return Compiled(tuple(compiler.keys), tuple(compiler.slots), kind, run)


@lru_cache(maxsize=65_536)
def _closed(text: str) -> Compiled:
    program = parse_program(text)
    if isinstance(program, Const | Slot):
        raise DataError(f"The program '{text}' says nothing about a table.")
    compiled = compile_program(program, text)
    if compiled.slots:
        raise DataError(f"The program '{text}' is not complete: {compiled.slots[0]} has no value.")
    if compiled.kind is not Kind.TRUTH:
        raise DataError(f"The program '{text}' gives {compiled.kind}, but a hypothesis is a statement.")
    return compiled


class _Compiler:
    """Compiles one program; rows and slots are numbered as they come."""

    def __init__(
        self,
        program: Program,
        text: str,
        keys: Sequence[str] | None,
        slots: Sequence[str] | None,
        kinds: Mapping[str, Kind],
    ) -> None:
        self.kinds = kinds
        self.text = text
        self.keys = keys_of(program) if keys is None else list(keys)
        self.slots = sorted(slots_of(program)) if slots is None else list(slots)

    def compile(self, node: Program) -> tuple[Kind, Evaluate]:
        if isinstance(node, Const):
            value = node.value
            kind = Kind.TEXT if isinstance(value, str) else Kind.NUMBER if isinstance(value, int) else Kind.LIST
            return kind, lambda environment: value
        if isinstance(node, Slot):
            kind = self.kinds.get(node.name, Kind.ANY)
            return kind, self._given(1 + len(self.keys) + self.slots.index(node.name))
        if node.op == "title":
            self._count(node, 0, 0)
            return Kind.TEXT, self._given(0)
        if node.op == LIST:
            return Kind.LIST, self._list([self.compile(item)[1] for item in node.args])
        if node.op in READINGS and not _of_date(node):
            return self._reading(node)
        if node.op in CONNECTIVES:
            return Kind.TRUTH, self._connective(node)
        if node.op in COMPARISONS:
            self._count(node, 2, 2)
            (kind, one), (other, two) = map(self.compile, node.args)
            stated = [isinstance(item, Call) and item.op == "day" for item in node.args]
            return Kind.TRUTH, self._strict(comparison(node.op, kind, other, stated, self._error), [one, two])
        operation = OPERATIONS.get(node.op)
        if node.op in OF_DATES and node.args and self.compile(node.args[0])[0] is Kind.DATE:
            operation = OF_DATES[node.op]
        if operation is None:
            known = [*READINGS, *OPERATIONS, "title"]
            raise self._error(f"there is no operation '{node.op}'. {did_you_mean(node.op, known)}")
        return self._operation(node, operation)

    def _given(self, place: int) -> Evaluate:
        return itemgetter(place)

    def _list(self, parts: Sequence[Evaluate]) -> Evaluate:
        return self._strict(lambda *items: items, parts)

    def _reading(self, node: Call) -> tuple[Kind, Evaluate]:
        operation = READINGS[node.op]
        self._count(node, len(operation.takes) - operation.optional, len(operation.takes))
        unit = [self._name(item, node.op) for item in node.args[1:]]
        return operation.gives, self._row(node, READERS[node.op], *unit)

    def _row(self, node: Program, reader: Callable[..., Value], *more: str) -> Evaluate:
        """Return what reads a row; the same rows come again in many cases, so what was read is kept."""
        place = 1 + self.keys.index(_key(node) if isinstance(node, Call) else self._name(node, "a stretch"))
        read = kept_reading(reader, *more)

        def evaluate(environment: Environment) -> Value:
            row = environment[place]
            return None if row is None else read(row)  # type: ignore[arg-type]

        return evaluate

    def _connective(self, node: Call) -> Evaluate:
        if node.op == "not in":
            return _negation(self._operation(node, OPERATIONS["in"])[1])
        parts = []
        for item in node.args:
            kind, part = self.compile(item)
            if kind is not Kind.TRUTH:
                raise self._error(f"'{node.op}' joins statements, not {kind}.")
            parts.append(part)
        if node.op == "not":
            return _negation(parts[0])
        return _junction(parts, decides=node.op == "or")

    def _operation(self, node: Call, operation: Operation) -> tuple[Kind, Evaluate]:
        self._count(node, len(operation.takes) - operation.optional, len(operation.takes))
        parts: list[Evaluate] = []
        for item, wanted in zip(node.args, operation.takes, strict=False):
            if wanted is Kind.STRETCH:
                parts.append(self._row(item, read_stretch, node.op))
                continue
            kind, part = self.compile(item)
            self._require(kind, wanted, node.op)
            parts.append(part)
        assert operation.apply is not None
        if node.op == "day" and all(isinstance(item, Const) for item in node.args):
            stated = operation.apply(*[item.value for item in node.args if isinstance(item, Const)])
            return operation.gives, lambda environment: stated
        return operation.gives, self._strict(operation.apply, parts)

    def _strict(self, apply: Callable[..., Value], parts: Sequence[Evaluate]) -> Evaluate:
        """Return what computes from known values; one unknown value makes the result unknown."""
        if len(parts) == 2:
            one, two = parts

            def evaluate_two(environment: Environment) -> Value:
                left, right = one(environment), two(environment)
                return None if left is None or right is None else apply(left, right)

            return evaluate_two

        def evaluate(environment: Environment) -> Value:
            values = [part(environment) for part in parts]
            return None if None in values else apply(*values)

        return evaluate

    def _require(self, kind: Kind, wanted: Kind, operation: str) -> None:
        # A year may stand for a date; a slot may be anything until its value is drawn.
        fits = kind is wanted or Kind.ANY in (kind, wanted) or (kind is Kind.NUMBER and wanted is Kind.DATE)
        if not fits:
            raise self._error(f"'{operation}' needs {wanted}, not {kind}.")

    def _name(self, node: Program, operation: str) -> str:
        if isinstance(node, Const) and isinstance(node.value, str):
            return node.value
        raise self._error(f"'{operation}' names a row by its key, a text in quotation marks.")

    def _count(self, node: Call, least: int, most: int) -> None:
        if not least <= len(node.args) <= most:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            raise self._error(f"'{node.op}' takes {wanted} arguments, not {len(node.args)}.")

    def _error(self, problem: str) -> DataError:
        return DataError(f"The program '{self.text}' cannot be executed: {problem}")


def keys_of(program: Program) -> list[str]:
    """Return the keys of the rows that a program names, each once, in order."""
    return list(dict.fromkeys(_keys(program)))


def _keys(node: Program) -> list[str]:
    """Return the keys that a program names, in order; arguments that are no keys are errors of the compiler's."""
    if not isinstance(node, Call):
        return []
    if node.op in READINGS and not _of_date(node):
        return [_key(node)]
    takes = OPERATIONS[node.op].takes if node.op in OPERATIONS else ()
    keys: list[str] = []
    for place, item in enumerate(node.args):
        if place < len(takes) and takes[place] is Kind.STRETCH:
            keys += [item.value] if isinstance(item, Const) and isinstance(item.value, str) else []
        else:
            keys += _keys(item)
    return keys


def _of_date(node: Call) -> bool:
    """Tell whether a reading is one of a date that is computed, as in ``year(start("Run"))``."""
    return node.op in OF_DATES and bool(node.args) and isinstance(node.args[0], Call)


def _key(node: Call) -> str:
    first = node.args[0] if node.args else None
    if not isinstance(first, Const) or not isinstance(first.value, str):
        raise DataError(f"'{node.op}' reads a row: its first argument is the row's key in quotation marks.")
    return first.value


def _negation(part: Evaluate) -> Evaluate:
    def evaluate(environment: Environment) -> Truth:
        return negated(part(environment))  # type: ignore[arg-type]

    return evaluate


def _junction(parts: Sequence[Evaluate], *, decides: bool) -> Evaluate:
    """Return Kleene's ``or`` (true decides) or ``and`` (false decides); all parts are evaluated."""

    def evaluate(environment: Environment) -> Truth:
        values = [part(environment) for part in parts]
        if decides in values:
            return decides
        return None if None in values else not decides

    return evaluate
