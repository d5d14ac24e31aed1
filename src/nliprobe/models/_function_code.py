"""The code of a function in memory, and the plain values that it carries along, as one digest."""

from __future__ import annotations

import dis
import functools
import inspect
import marshal
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, FunctionType

from nliprobe.base.hashing import digest

_PLAIN = (str, bytes, int, float, complex, bool, type(None))


def code_digest(function: Callable[..., object]) -> str:
    """Hash the source of a function with its defaults, the values it encloses and those of a ``functools.partial``.

    A function of a notebook or script is hashed with the functions, classes and plain values there that it names, and
    with the classes of objects. Values that the function itself replaces, such as a counter, do not count, and neither
    does what objects hold.
    """
    return digest(*_parts(function, set()))


def _parts(thing: object, seen: set[int]) -> Iterator[str]:
    if id(thing) in seen:
        return
    seen.add(id(thing))
    while isinstance(thing, functools.partial):
        yield from _values([*enumerate(thing.args), *sorted(thing.keywords.items())], seen)
        thing = thing.func
    inner = inspect.unwrap(thing) if callable(thing) else thing
    written = inner if inspect.isroutine(inner) or isinstance(inner, type) else type(inner)
    yield _source(written)
    if isinstance(written, type):
        yield from _values(((name, part) for name, part in sorted(vars(written).items()) if _counts(name, part)), seen)
    plain = getattr(written, "__func__", written)  # that of a bound method
    if isinstance(plain, FunctionType):
        yield from _values([*enumerate(plain.__defaults__ or ()), *sorted((plain.__kwdefaults__ or {}).items())], seen)
        yield from _enclosed(plain, seen)
        yield from _named(plain, seen)


def _source(written: object) -> str:
    try:
        return inspect.getsource(written)  # type: ignore[arg-type]
    except (OSError, TypeError):
        code = getattr(written, "__code__", None)
        return marshal.dumps(code).hex() if isinstance(code, CodeType) else str(getattr(written, "__qualname__", ""))


def _enclosed(function: FunctionType, seen: set[int]) -> Iterator[str]:
    replaced = _replaced(function.__code__, "STORE_DEREF")
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            content = cell.cell_contents
        except ValueError:  # not bound yet
            continue
        if name not in replaced:
            yield from _values([(name, content)], seen)


def _named(function: FunctionType, seen: set[int]) -> Iterator[str]:
    """Yield what the names in a function stand for, unless it is in a module, whose file is hashed as a whole."""
    if function.__globals__.get("__file__") and function.__module__ != "__main__":
        return
    replaced = _replaced(function.__code__, "STORE_GLOBAL")
    names = sorted(_names(function.__code__) - replaced)
    yield from _values([(name, function.__globals__[name]) for name in names if name in function.__globals__], seen)


def _values(values: Iterable[tuple[object, object]], seen: set[int]) -> Iterator[str]:
    for name, value in values:
        if _is_plain(value):
            yield f"{name}={value!r}"
        elif isinstance(value, FunctionType | type | functools.partial):
            if _is_own(value):
                yield from _parts(value, seen)
        elif _is_own(type(value)):
            yield from _parts(type(value), seen)


def _counts(name: str, part: object) -> bool:
    """Tell whether something in a class decides what it does; ``__firstlineno__`` and its like do not."""
    return isinstance(part, FunctionType) or not name.startswith("__")


def _is_own(value: object) -> bool:
    """Tell whether code was written by the user in this session, rather than imported from a library."""
    inner = value.func if isinstance(value, functools.partial) else value
    return getattr(inner, "__module__", None) == "__main__" or "<locals>" in getattr(inner, "__qualname__", "")


def _is_plain(value: object) -> bool:
    return isinstance(value, _PLAIN) or (isinstance(value, tuple) and all(_is_plain(item) for item in value))


def _replaced(code: CodeType, operation: str) -> set[str]:
    steps = (step for part in _codes(code) for step in dis.get_instructions(part))
    return {str(step.argval) for step in steps if step.opname == operation}


def _names(code: CodeType) -> set[str]:
    return {name for part in _codes(code) for name in part.co_names}


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
