"""Read the values of a file of options with the types that its options have, so that no odd value is guessed at."""

from __future__ import annotations

import math

import click

from nliprobe.base.errors import UsageError

# Characters of a value that a message shows.
_SHOWN = 60


class WholeNumbers(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """Whole numbers with commas between; in a file of options also one number or a list."""

    name = "numbers"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """Return the numbers, each once."""
        pieces = [value] if isinstance(value, int) else value
        if not isinstance(pieces, list | tuple):
            pieces = str(pieces).split(",")
        try:
            numbers = tuple(dict.fromkeys(int(piece) for piece in pieces))
        except ValueError:
            self.fail(f"'{shown(value)}' should be whole numbers with commas between, as in 0,1,2.", param, ctx)
        if any(number < 0 for number in numbers):
            self.fail("seeds are not negative.", param, ctx)
        return numbers


class Shares(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """Numbers with commas between, such as shares; in a file of options also one number or a list."""

    name = "shares"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, ...]:
        """Return the numbers, each once."""
        pieces = [value] if isinstance(value, int | float) else value
        if not isinstance(pieces, list | tuple):
            pieces = str(pieces).split(",")
        try:
            return tuple(dict.fromkeys(float(piece) for piece in pieces))
        except (TypeError, ValueError):
            self.fail(f"'{shown(value)}' should be numbers with commas between, as in 0,0.5,1.", param, ctx)


def read_value(option: click.Parameter, given: object, ctx: click.Context) -> object:
    """Return a value of a file of options as the command line would read it; raise ``UsageError`` for an odd one.

    A text must be a text, a whole number must be whole, and a switch is true or false: what YAML makes of ``out: 12``
    or ``seed: 1.5`` is seldom what was meant.
    """
    many = bool(getattr(option, "multiple", False)) or option.nargs != 1
    items = given if isinstance(given, list) and (many or isinstance(option.type, WholeNumbers | Shares)) else [given]
    for item in items or [None]:
        problem = _problem(option, item, items)
        if problem:
            raise UsageError(problem)
    value = items if many or isinstance(given, list) else given
    try:
        option.type_cast_value(ctx, value)
    except click.BadParameter as error:
        message = error.message if len(error.message) <= 300 else f"{error.message[:150]} … {error.message[-100:]}"
        raise UsageError(message) from None
    return value


def shown(value: object) -> str:
    """Return a value for a message, cut if it is long."""
    text = "true" if value is True else "false" if value is False else str(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _problem(option: click.Parameter, item: object, items: list[object]) -> str:
    """Return what is wrong with one value, or nothing."""
    if item is None:
        return "there is no value. Give one, or leave the option out."
    if isinstance(item, list | dict):
        return f"one value is expected{' per line' if len(items) > 1 else ''}, not {shown(item)}."
    kind = option.type
    if isinstance(kind, click.types.BoolParamType):
        return "" if isinstance(item, bool | str) else f"expected true or false, not {shown(item)}."
    if isinstance(kind, WholeNumbers | click.types.IntParamType):
        whole = isinstance(item, int | str) and not isinstance(item, bool)
        return "" if whole else f"a whole number is expected, not {shown(item)}."
    if isinstance(kind, Shares | click.types.FloatParamType):
        number = isinstance(item, int | float | str) and not isinstance(item, bool)
        finite = number and (isinstance(item, str) or math.isfinite(float(str(item))))
        return "" if finite else f"a number is expected, not {shown(item)}."
    if not isinstance(item, str):
        return f"a text is expected, not {shown(item)}. If it is meant, write it in quotation marks: '{shown(item)}'."
    if not item.strip() and option.default != "":
        return "the text is empty. Write one, or leave the option out."
    return "a text cannot hold a NUL character." if "\0" in item else ""
