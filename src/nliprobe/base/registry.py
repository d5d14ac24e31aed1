"""Named things that can be added without a fork: by decorator, by entry point, by a file's path."""

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
# A decorator as every file of a room writes it, at the beginning of a line.
_REGISTERS = re.compile(r"^@[A-Z]+\.register\(\"([^\"]+)\"\)", re.MULTILINE)
_plugins_scanned = False


class PluginFailure(NamedTuple):
    """An installed plugin that could not be imported: its name, the module it names, and what it raised."""

    name: str
    module: str
    error: str


_failures: list[PluginFailure] = []


class Registry(Generic[T]):
    """The things of one kind, found in the files of their rooms first and in plugins only when a name is missed."""

    def __init__(self, kind: str, *packages: str) -> None:
        self.kind = kind
        self._packages = packages
        self._registered: dict[str, type[T]] = {}

    def register(self, name: str) -> Callable[[type[T]], type[T]]:
        """Decorate a class with the name under which users ask for it."""

        def keep(thing: type[T]) -> type[T]:
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

        return keep

    def get(self, name: str) -> type[T]:
        """The class registered under a name; a miss names the nearest one there is.

        A name that ends in ``-k`` stands for all that have a number there: ``wmd-3`` is found as ``wmd-k``.
        """
        if self._look_up(name) is None:
            scan_plugins()
        thing = self._look_up(name)
        if thing is None:
            raise NotFoundError(f"There is no {self.kind} named '{name}'. {did_you_mean(name, self.names())}")
        return thing

    def names(self) -> list[str]:
        """List every name, ours and the plugins', sorted; nothing of ours is imported for it."""
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
    """Import every installed plugin once; one that fails is named on standard error, skipped, and returned."""
    global _plugins_scanned
    if _plugins_scanned:
        return tuple(_failures)
    _plugins_scanned = True
    from importlib.metadata import entry_points

    # Sorted, for the order in which installed packages are found differs between machines.
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
    """Import a Python file given by path, so that what it registers can be asked for by name."""
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
