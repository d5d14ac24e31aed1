"""Registries of corpora, probes, models and more, which plugins extend by decorator, entry point or file path."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from importlib.abc import InspectLoader, PathEntryFinder
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from nliprobe.base.errors import NliprobeError, NotFoundError, did_you_mean

T = TypeVar("T")
ENTRY_POINTS = "nliprobe.plugins"
_NUMBER = re.compile(r"-\d+$")
# A decorator at the beginning of a line, as all files of a room have it.
_REGISTERS = re.compile(r"^@[A-Z]+\.register\(\"([^\"]+)\"\)", re.MULTILINE)
_plugins_scanned = False


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
            print(
                f"nliprobe: the plugin '{failure.name}' ({failure.module}) failed to import and is skipped: "
                f"{failure.error}",
                file=sys.stderr,
            )
    return tuple(_failures)


def load_plugin(path: Path) -> None:
    """Import a Python file by its path, so that what it registers can be used by name."""
    name = f"nliprobe_plugin_{path.stem}"
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None or not path.is_file():
        raise NotFoundError(f"The plugin file {path} does not exist or is not a Python file.")
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    try:
        specification.loader.exec_module(module)
    except Exception as error:
        raise NliprobeError(f"The plugin {path} failed to import: {type(error).__name__}: {error}.") from error
