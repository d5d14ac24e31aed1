"""What a model is made from: the files that decide its answers, each with the digest of its content.

Digests are computed from the bytes every time a model is named, and never looked up by size and time: a file that was
rewritten in place can have both as before (``rsync --inplace --times``, a coarse clock of a network disk). Hashing a
model of 90 MB takes 0.1 s.

Of Python code these are its own file and those that it imports from the same folder or package. Nothing is imported to
find them: ``import`` statements are read from the source, also those inside functions. What is imported by a name that
is put together at run time is not seen, and neither are installed packages, data files and services.
"""

from __future__ import annotations

import ast
import inspect
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

from nliprobe.base.errors import ModelError
from nliprobe.base.hashing import digest, digest_file
from nliprobe.models._function_code import code_digest

Listing = Callable[[], Mapping[str, Path]]
# Stands for the content of a file that is named but not there, such as a link whose target is gone.
MISSING = "missing"
_SHOWN = 3


class Origin:
    """Some files by their names, with the digests that they had when they were first looked at.

    Args:
        files: lists the files; called again when they are compared with what they were.
        values: digests of what is not in a file, by their names.
    """

    def __init__(self, files: Listing = dict, values: Mapping[str, str] = MappingProxyType({})) -> None:
        self._files = files
        self._values = dict(values)

    @cached_property
    def digests(self) -> dict[str, str]:
        """The digest of each file's content by the file's name."""
        return self._now()

    def digest(self) -> str:
        """Return one digest over all names and contents."""
        return digest(*(part for item in self.digests.items() for part in item))

    def require_unchanged(self, model: str) -> None:
        """Raise an error if a file is no longer what it was: what was just loaded would not be what was named."""
        if "digests" not in vars(self):  # nobody has relied on them
            return
        names = changed_files(self.digests, self._now())
        if names:
            raise ModelError(
                f"{in_words(names)} changed after {model} was named, so that its answers would be those of two models. "
                "Repeat the command once the files stay as they are."
            )

    def _now(self) -> dict[str, str]:
        return self._values | {name: _content(path) for name, path in sorted(self._files().items())}


def changed_files(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return the names of the files that were added, removed or altered."""
    return sorted(name for name in {*before, *after} if before.get(name) != after.get(name))


def in_words(names: list[str]) -> str:
    """Return the names of a few files for a sentence, and how many more there are."""
    more = f" and {len(names) - _SHOWN} more files" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def code_origin(thing: Callable[..., object]) -> Origin:
    """Return the source files of a function or class.

    A script is edited for other reasons, too, and a notebook has no file: of what is defined there, its own code
    counts, and that of what it names there. So do the files that the script imports.
    """
    inner = inspect.unwrap(getattr(thing, "func", thing))  # that of a functools.partial
    written = inner if inspect.isroutine(inner) or isinstance(inner, type) else type(inner)
    module = str(getattr(written, "__module__", None) or "")
    name = getattr(written, "__qualname__", "")
    values = {f"the code of {name}": code_digest(thing)} if module == "__main__" else {}
    return Origin(lambda: _code_files(module), values)


def script_files(script: Path) -> dict[str, Path]:
    """Return a Python file and what it imports from its own folder, by their paths below that folder."""
    return _reached(script, script.resolve().parent)


def module_files(name: str) -> dict[str, Path]:
    """Return the file of a module and what it imports from the same place; nothing if it has no Python file.

    It is looked for in the current folder first, then where Python looks. An installed module counts alone, because
    what is installed hardly ever changes, and imports much.
    """
    parts = name.split(".")
    for place in _homes(parts[0]):
        module, package = place.joinpath(*parts).with_suffix(".py"), place.joinpath(*parts, "__init__.py")
        file = next((item for item in (package, module) if item.is_file()), None)
        if file is not None:
            return _reached(file, place.resolve(), [item for item in _places(place, name) if item.is_file()])
    return {}


def _content(path: Path) -> str:
    try:
        return digest_file(path)
    except FileNotFoundError:
        return MISSING
    except OSError as error:
        raise ModelError(f"Cannot read {path}, which decides a model's answers: {error.strerror or error}.") from error


def _code_files(module: str) -> dict[str, Path]:
    if module.partition(".")[0] == "nliprobe":  # what is built in has a version of its own
        return {}
    named = getattr(sys.modules.get(module), "__file__", None)
    file = Path(named) if named and named.endswith(".py") and Path(named).is_file() else None
    if module == "__main__":
        return {} if file is None else {n: path for n, path in script_files(file).items() if path != file.resolve()}
    # A module that was loaded from a path cannot be looked up by name.
    return module_files(module) or ({} if file is None else script_files(file))


def _homes(package: str) -> Iterator[Path]:
    """Yield the folders in which a module or package of this name may be; nothing is imported for that."""
    yield Path.cwd()
    try:
        specification = find_spec(package)
    except (ImportError, ValueError):  # a module that was put together in memory
        return
    if specification is None:
        return
    if specification.submodule_search_locations is not None:
        yield from (Path(place).parent for place in specification.submodule_search_locations)
    elif specification.origin is not None:
        yield Path(specification.origin).parent


def _is_installed(root: Path) -> bool:
    paths = sysconfig.get_paths()
    kinds = ("stdlib", "platstdlib", "purelib", "platlib")
    return root.name in ("site-packages", "dist-packages") or root in {Path(paths[kind]).resolve() for kind in kinds}


def _reached(first: Path, root: Path, more: Iterable[Path] = ()) -> dict[str, Path]:
    if _is_installed(root):
        return {first.name: first}
    files: dict[str, Path] = {}
    waiting = [path.resolve() for path in (first, *more)]
    while waiting:
        path = waiting.pop()
        name = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name
        if name in files:
            continue
        files[name] = path
        waiting += [item.resolve() for item in _imports(path, root) if item.is_file()]
    return files


def _imports(path: Path, root: Path) -> Iterator[Path]:
    """Yield where the imports of a file would be, if they are below the root."""
    try:
        content = path.read_bytes()
    except OSError:
        return
    for level, name in _import_names(content):
        above = path.parents[level - 1] if 0 < level <= len(path.parents) else root
        yield from _places(above, name)


# The same files are looked at for every system and again when a run begins; to parse them is most of the work.
@lru_cache(maxsize=256)
def _import_names(content: bytes) -> tuple[tuple[int, str], ...]:
    """Return what the source code of a module imports: how many folders up it is looked for, and its dotted name."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    names: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [(0, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            whole = [node.module] if node.module else []
            names += [(node.level, ".".join([*whole, alias.name])) for alias in node.names]
    return tuple(dict.fromkeys(names))


def _places(start: Path, name: str) -> Iterator[Path]:
    """Yield the files that an import of a dotted name may run: those of its packages, and its own."""
    here = start
    yield here / "__init__.py"
    for part in name.split("."):
        yield here / f"{part}.py"
        here /= part
        yield here / "__init__.py"
