"""Programs: what an executable hypothesis says about a table, as data.

A program is written like an expression: ``year("Released") < 1981 and "rock" in items("Genre")``. It is a tree of calls
over constants; which calls there are, and what they mean over a table, is decided where programs are executed. Tables
are edited and programs are not, so the label after any edit is computed, not guessed (tables.md, T9).
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from nliprobe.base.errors import DataError

# Deeper or longer programs are no hypotheses, and Python's parser would fail on some of them.
DEEPEST, LONGEST = 20, 4_000
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.In: "in",
    ast.NotIn: "not in",
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%",
}  # fmt: skip
# The operation that makes a list of which some members are slots.
LIST = "[]"
INFIX = frozenset([*_COMPARISONS.values(), *_ARITHMETIC.values(), "and", "or"])


class Const(NamedTuple):
    """A number, a text, or a list of them."""

    value: int | str | tuple[int | str, ...]


class Slot(NamedTuple):
    """A value that a template fills in before the program is complete."""

    name: str


class Call(NamedTuple):
    """An operation with its arguments: a row's reading, a comparison, arithmetic, a connective."""

    op: str
    args: tuple[Program, ...]


Program: TypeAlias = Const | Slot | Call


@lru_cache(maxsize=65_536)
def parse_program(text: str) -> Program:
    """Read a program from its text; the error says what cannot be read.

    >>> parse_program('year("Released") < 1981')
    Call(op='<', args=(Call(op='year', args=(Const(value='Released'),)), Const(value=1981)))
    """
    if len(text) > LONGEST:
        raise DataError(f"A program has at most {LONGEST:,} characters; this one has {len(text):,}.")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise DataError(f"The program '{text}' cannot be read: {error}.") from None
    return _read(tree, text, 0)


def write_program(program: Program) -> str:
    """Return the canonical text of a program, which :func:`parse_program` reads back.

    >>> write_program(parse_program("not(count(items('Genre'))==2)"))
    'not (count(items("Genre")) == 2)'
    """
    return _write(program, outer=True)


def bind(program: Program, values: Mapping[str, int | str | tuple[int | str, ...]]) -> Program:
    """Return a program with constants in the place of slots; slots without a value stay."""
    if isinstance(program, Slot):
        return Const(values[program.name]) if program.name in values else program
    if isinstance(program, Call):
        args = tuple([bind(item, values) for item in program.args])
        return _listed(args) if program.op == LIST else Call(program.op, args)
    return program


def slots_of(program: Program) -> frozenset[str]:
    """Return the names of the slots that are still open."""
    if isinstance(program, Slot):
        return frozenset([program.name])
    return frozenset().union(*map(slots_of, program.args)) if isinstance(program, Call) else frozenset()


def _listed(items: tuple[Program, ...]) -> Program:
    """Return a list as a constant, or as a call while some of its members are slots."""
    values = [item.value for item in items if isinstance(item, Const) and not isinstance(item.value, tuple)]
    return Const(tuple(values)) if len(values) == len(items) else Call(LIST, items)


def _read(node: ast.expr, text: str, depth: int) -> Program:
    if depth > DEEPEST:
        raise DataError(f"The program '{text}' is nested more than {DEEPEST} deep.")

    def read(inner: ast.expr) -> Program:
        return _read(inner, text, depth + 1)

    match node:
        case ast.Constant(value=int() | str() as value) if not isinstance(value, bool):
            return Const(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)) if not isinstance(value, bool):
            return Const(-value)
        case ast.List(elts=items):
            values = tuple([read(item) for item in items])
            if any(
                isinstance(item, Call) or (isinstance(item, Const) and isinstance(item.value, tuple)) for item in values
            ):
                raise DataError(f"A list in the program '{text}' should hold numbers, texts and slots only.")
            return _listed(values)
        case ast.Name(id=name):
            return Slot(name)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            return Call(name, tuple([read(item) for item in args]))
        case ast.BoolOp(op=op, values=parts):
            return Call("and" if isinstance(op, ast.And) else "or", tuple([read(item) for item in parts]))
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return Call("not", (read(inner),))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISONS:
            return Call(_COMPARISONS[type(op)], (read(left), read(right)))
        case ast.BinOp(left=left, op=arithmetic, right=right) if type(arithmetic) in _ARITHMETIC:
            return Call(_ARITHMETIC[type(arithmetic)], (read(left), read(right)))
    raise DataError(f"The program '{text}' has a part that no program has: {ast.unparse(node)}.")


def _write(program: Program, *, outer: bool = False) -> str:
    if isinstance(program, Slot):
        return program.name
    if isinstance(program, Const):
        value = program.value
        if isinstance(value, tuple):
            return "[" + ", ".join(_write(Const(item)) for item in value) + "]"
        return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)
    op, args = program
    if op == LIST:
        return "[" + ", ".join(map(_write, args)) + "]"
    if op in INFIX:
        text = f" {op} ".join(map(_write, args))
        return text if outer else f"({text})"
    if op == "not":
        return f"not {_write(args[0])}" if outer else f"(not {_write(args[0])})"
    return f"{op}({', '.join(_write(item, outer=True) for item in args)})"
