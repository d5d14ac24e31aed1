"""Find the Python files behind a function: its own, and those that it imports from the same folder or package.

Nothing is imported: ``import`` statements are read from the source, also those inside functions. What is imported by a
name that is put together at run time is not seen, and neither are installed packages, data files and services.
"""

from __future__ import annotations

import ast
import sysconfig
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path


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
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [(root, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = path.parents[node.level - 1] if 0 < node.level <= len(path.parents) else root
            whole = [node.module] if node.module else []
            names = [(above, ".".join([*whole, alias.name])) for alias in node.names]
        else:
            continue
        for start, name in names:
            yield from _places(start, name)


def _places(start: Path, name: str) -> Iterator[Path]:
    """Yield the files that an import of a dotted name may run: those of its packages, and its own."""
    here = start
    yield here / "__init__.py"
    for part in name.split("."):
        yield here / f"{part}.py"
        here /= part
        yield here / "__init__.py"
