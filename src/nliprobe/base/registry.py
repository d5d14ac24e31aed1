"""Things that users ask for by name: spec strings, and the registries in which their names are looked up.

A spec string is written the same on the command line and in YAML: ``infotabs/alpha1``,
``svm?represent=para&premise=none``, ``file:my.jsonl?premise=text&label=y``. Registries hold corpora, probes, models and
more; plugins extend them by decorator, entry point or file path.
"""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import pkgutil
import re
import sys
import types
import typing
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from importlib.abc import InspectLoader, PathEntryFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Generic, NamedTuple, Protocol, TypeVar
from urllib.parse import unquote

from nliprobe.base.errors import NliprobeError, NotFoundError, UsageError, did_you_mean
from nliprobe.base.limited import is_file
from nliprobe.base.urls import redact_all
from nliprobe.base.visible import visible

T = TypeVar("T")
_RESERVED = {"%": "%25", "?": "%3F", "&": "%26", "=": "%3D", ",": "%2C"}
ENTRY_POINTS = "nliprobe.plugins"
_NUMBER = re.compile(r"-\d+$")
# A decorator at the beginning of a line, as all files of a room have it.
_REGISTERS = re.compile(r"^@[A-Z]+\.register\(\"([^\"]+)\"\)", re.MULTILINE)
_plugins_scanned = False
# The names of modules that were imported from a user's file begin so.
_PLUGIN = "nliprobe_plugin_"


class Named(Protocol):
    """A dataclass that holds the name by which users ask for it."""

    @property
    def name(self) -> str:
        """The name in its spec string."""
        ...


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
    # Parameters that were split off are known, too: a hint may name them.
    split_off: tuple[str, ...] = dataclasses.field(default=(), compare=False, repr=False)

    @classmethod
    def parse(cls, text: str, *, verbatim: Collection[str] = ()) -> Spec:
        """Read a spec string; ``%xx`` stands for a character that would otherwise separate.

        The values of ``verbatim`` keys stay as they are written, for readers that separate them further.
        """
        head, mark, tail = text.strip().partition("?")
        name, _, argument = head.partition(":")
        if not name:
            raise UsageError(
                f"'{redact_all(text)}' is not a spec: it should look like name, name:argument or name?key=value."
            )
        params: dict[str, str] = {}
        for piece in tail.split("&") if mark else ():
            key, equals, value = piece.partition("=")
            if not key or not equals:
                raise UsageError(f"'{piece}' in the spec '{redact_all(text)}' should look like key=value.")
            if key in params:
                raise UsageError(f"The spec '{redact_all(text)}' gives '{key}' twice.")
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
        return taken, Spec(self.name, self.argument, rest, (*self.split_off, *keys))

    def unknown(self, key: str, known: Collection[str] = ()) -> UsageError:
        """Return the error for a parameter that nobody knows, with the nearest of those that there are."""
        names = [*known, *self.split_off]
        hint = did_you_mean(key, names) if names else "It takes no parameters."
        return UsageError(f"'{self.name}' has no parameter '{key}'. {hint}")

    def build(self, kind: type[T], **fixed: object) -> T:
        """Make a frozen dataclass from the parameters, converted by the types of its fields.

        ``fixed`` fields are set by the caller and cannot be given as parameters.
        """
        hints = _hints(kind)  # type: ignore[arg-type]  # classes are hashable
        known = {
            field.name: hints[field.name]
            for field in dataclasses.fields(kind)  # type: ignore[arg-type]
            if field.init and field.name not in fixed and not field.metadata.get("internal")
        }
        values: dict[str, object] = dict(fixed)
        for key, text in self.params:
            if key not in known:
                raise self.unknown(key, known)
            values[key] = _convert(text, known[key], f"{self.name}?{key}")
        return kind(**values)


@lru_cache(maxsize=256)
def _hints(kind: type) -> dict[str, object]:
    """Return the types of the fields of a class; they are compiled from text, which takes longer than all the rest."""
    return typing.get_type_hints(kind)


def spec_text(built: Named) -> str:
    """Return the canonical spec string of what :meth:`Spec.build` made; parameters with their default are left out."""
    parameters = [
        f"{item.name}={_written(getattr(built, item.name))}"
        for item in dataclasses.fields(built)  # type: ignore[arg-type]
        if not item.metadata.get("internal") and getattr(built, item.name) != item.default
    ]
    return built.name + ("?" + "&".join(sorted(parameters)) if parameters else "")


def _written(value: object) -> str:
    """Write a value as users do."""
    return str(value).lower() if isinstance(value, bool) else str(value)


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
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        names = [item.value for item in kind]
        if text not in names:
            raise UsageError(f"'{place}' should be {', '.join(names[:-1])} or {names[-1]}, not '{text}'.")
        return kind(text)
    return text


class PluginFailure(NamedTuple):
    """An installed plugin that could not be imported: its name, its module, and the error."""

    name: str
    module: str
    error: str


_failures: list[PluginFailure] = []


class Registry(Generic[T]):
    """The classes of one kind by name; installed plugins are imported only if a name is not found without them."""

    def __init__(self, kind: str, *packages: str) -> None:
        self.kind = kind
        self._packages = packages
        self._registered: dict[str, type[T]] = {}

    def register(self, name: str) -> Callable[[type[T]], type[T]]:
        """Return a decorator that registers a class under the name by which users ask for it."""

        def add(thing: type[T]) -> type[T]:
            present = self._registered.get(name)
            if present is not None and (present.__module__, present.__qualname__) != (
                thing.__module__,
                thing.__qualname__,
            ):
                raise NliprobeError(
                    f"Two {self.kind}s are named '{name}': {present.__module__}.{present.__qualname__} "
                    f"and {thing.__module__}.{thing.__qualname__}. Rename one of them."
                )
            self._registered[name] = thing
            return thing

        return add

    def get(self, name: str) -> type[T]:
        """Return the class registered under a name; the error for an unknown name suggests the most similar one.

        A registered name that ends in ``-k`` is found with any number in its place: ``wmd-3`` is ``wmd-k``.
        """
        if self._look_up(name) is None:
            scan_plugins()
        thing = self._look_up(name)
        if thing is None:
            raise NotFoundError(f"There is no {self.kind} named '{name}'. {did_you_mean(name, self.names())}")
        return thing

    def names(self) -> list[str]:
        """Return all names, with those of plugins, sorted; this imports plugins, but no module of nliprobe."""
        scan_plugins()
        return sorted({*self._registered, *self._homes})

    @property
    def extended(self) -> bool:
        """Whether something is registered that is not of this package, so that its code is not known."""
        package = __name__.partition(".")[0] + "."
        return not all(thing.__module__.startswith(package) for thing in self._registered.values())

    def __iter__(self) -> Iterator[tuple[str, type[T]]]:
        for name in self.names():
            yield name, self.get(name)

    def _look_up(self, name: str) -> type[T] | None:
        for known in (name, _NUMBER.sub("-k", name)):
            if known not in self._registered and known in self._homes:
                importlib.import_module(self._homes[known])
            if known in self._registered:
                return self._registered[known]
        return None

    @cached_property
    def _homes(self) -> dict[str, str]:
        """The module that registers each name, read from the decorators without importing any."""
        homes: dict[str, str] = {}
        for package in self._packages:
            room = importlib.util.find_spec(package)
            places = None if room is None else room.submodule_search_locations
            for module in pkgutil.iter_modules(places or (), f"{package}."):
                finder = module.module_finder
                specification = finder.find_spec(module.name, None) if isinstance(finder, PathEntryFinder) else None
                loader = None if specification is None else specification.loader
                source = loader.get_source(module.name) if isinstance(loader, InspectLoader) else None
                homes.update(dict.fromkeys(_REGISTERS.findall(source or ""), module.name))
        return homes


def scan_plugins() -> tuple[PluginFailure, ...]:
    """Import every installed plugin once, and return those that fail; each is named on standard error and skipped."""
    global _plugins_scanned
    if _plugins_scanned:
        return tuple(_failures)
    _plugins_scanned = True
    from importlib.metadata import entry_points

    # Sorted, because the order in which installed packages are found differs between machines.
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: (point.name, point.value)):
        try:
            point.load()
        except (Exception, SystemExit) as error:  # a broken plugin must not take the product down
            failure = PluginFailure(point.name, point.value, f"{type(error).__name__}: {error}")
            _failures.append(failure)
            message = (
                f"nliprobe: the plugin '{failure.name}' ({failure.module}) failed to import and is skipped: "
                f"{failure.error}"
            )
            print(visible(message), file=sys.stderr)
    return tuple(_failures)


def require_plugin(path: Path) -> ModuleSpec:
    """Return how a Python file is imported, without importing it; an error if it is none."""
    name = f"{_PLUGIN}{path.stem}"
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None or not is_file(path):
        raise NotFoundError(f"The plugin file {path} does not exist or is not a Python file.")
    return specification


def loaded_plugins() -> list[Path]:
    """Return the Python files that were imported by their paths, for a process that is to know the same names."""
    files = [module.__file__ for name, module in sys.modules.items() if name.startswith(_PLUGIN)]
    return [Path(file) for file in files if file]


def load_plugin(path: Path) -> None:
    """Import a Python file by its path, so that what it registers can be used by name."""
    specification = require_plugin(path)
    assert specification.loader is not None
    name = specification.name
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    try:
        specification.loader.exec_module(module)
    except Exception as error:
        raise NliprobeError(f"The plugin {path} failed to import: {type(error).__name__}: {error}.") from error
