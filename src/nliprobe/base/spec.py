"""Parse spec strings: the short names by which users ask for things, the same on the command line and in YAML.

``infotabs/alpha1``, ``svm?represent=para&premise=none``, ``file:my.jsonl?premise=text&label=y``.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import unquote

from nliprobe.base.errors import UsageError, did_you_mean

T = TypeVar("T")
_RESERVED = {"%": "%25", "?": "%3F", "&": "%26", "=": "%3D", ",": "%2C"}


@dataclass(frozen=True, slots=True)
class Spec:
    """A parsed spec string: a name, what follows its colon, and its parameters in sorted order.

    >>> Spec.parse("rows.delete?n=1")
    Spec(name='rows.delete', argument='', params=(('n', '1'),))
    >>> str(Spec.parse("file:my.jsonl?label=y&premise=text"))
    'file:my.jsonl?label=y&premise=text'
    """

    name: str
    argument: str = ""
    params: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, text: str, *, verbatim: Collection[str] = ()) -> Spec:
        """Read a spec string; ``%xx`` stands for a character that would otherwise separate.

        The values of ``verbatim`` keys stay as they are written, for readers that separate them further.
        """
        head, mark, tail = text.strip().partition("?")
        name, _, argument = head.partition(":")
        if not name:
            raise UsageError(f"'{text}' is not a spec: it should look like name, name:argument or name?key=value.")
        params: dict[str, str] = {}
        for piece in tail.split("&") if mark else ():
            key, equals, value = piece.partition("=")
            if not key or not equals:
                raise UsageError(f"'{piece}' in the spec '{text}' should look like key=value.")
            if key in params:
                raise UsageError(f"The spec '{text}' gives '{key}' twice.")
            params[unquote(key)] = value if key in verbatim else unquote(value)
        return cls(unquote(name), unquote(argument), tuple(sorted(params.items())))

    def __str__(self) -> str:
        head = _quote(self.name) + (f":{_quote(self.argument, keep='=,&')}" if self.argument else "")
        tail = "&".join(f"{_quote(key)}={_quote(value, keep='=,')}" for key, value in self.params)
        return f"{head}?{tail}" if tail else head

    def take(self, *keys: str) -> tuple[dict[str, str], Spec]:
        """Split off parameters: return those that are given, and the spec without them."""
        taken = {key: value for key, value in self.params if key in keys}
        rest = tuple(item for item in self.params if item[0] not in keys)
        return taken, Spec(self.name, self.argument, rest)

    def build(self, kind: type[T], **fixed: object) -> T:
        """Make a frozen dataclass from the parameters, converted by the types of its fields.

        ``fixed`` fields are set by the caller and cannot be given as parameters.
        """
        hints = typing.get_type_hints(kind)
        known = {
            field.name: hints[field.name]
            for field in dataclasses.fields(kind)  # type: ignore[arg-type]
            if field.init and field.name not in fixed and not field.metadata.get("internal")
        }
        values: dict[str, object] = dict(fixed)
        for key, text in self.params:
            if key not in known:
                hint = did_you_mean(key, known) if known else "It takes no parameters."
                raise UsageError(f"'{self.name}' has no parameter '{key}'. {hint}")
            values[key] = _convert(text, known[key], f"{self.name}?{key}")
        return kind(**values)


def split_specs(text: str) -> list[str]:
    """Split a comma-separated list of spec strings; a comma inside a spec is written ``%2C``."""
    return [piece.strip() for piece in text.split(",") if piece.strip()]


def _quote(text: str, keep: str = "") -> str:
    return "".join(character if character in keep else _RESERVED.get(character, character) for character in text)


def _convert(text: str, kind: object, place: str) -> object:
    if isinstance(kind, types.UnionType):  # "int | None": an empty text, none and all mean None
        options = [option for option in typing.get_args(kind) if option is not type(None)]
        return (
            None
            if text in ("", "none", "all") and type(None) in typing.get_args(kind)
            else _convert(text, options[0], place)
        )
    if kind is bool:
        if text.lower() in ("1", "true", "yes", "on"):
            return True
        if text.lower() in ("0", "false", "no", "off"):
            return False
        raise UsageError(f"'{place}' should be true or false, not '{text}'.")
    if kind is int or kind is float:
        try:
            return kind(text)
        except ValueError:
            raise UsageError(f"'{place}' should be a number, not '{text}'.") from None
    return text
