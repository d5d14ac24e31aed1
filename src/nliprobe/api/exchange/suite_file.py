"""A suite that is kept in a file of options: what ``nliprobe run --config FILE`` asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.errors import DataError, UsageError, option
from nliprobe.base.registry import load_plugin, split_specs
from nliprobe.base.yaml_files import read_yaml

if TYPE_CHECKING:
    from nliprobe.api.export import ExportRequest

_SUFFIXES = (".yaml", ".yml")
# The verbs whose section says which suite it is; the other options of a section say who is asked.
_SECTIONS = ("run", "plan")


def of_suite_file(request: ExportRequest) -> ExportRequest:
    """Return a request with the suite of the file that it names; any other request stays as it is."""
    path = Path(request.what or "")
    if path.suffix not in _SUFFIXES or not path.is_file():
        return request
    refuse_suite(request, f"{path} is a file of options")
    content = read_yaml(path)
    sections = [name for name in _SECTIONS if isinstance(content, dict) and name in content]
    if not isinstance(content, dict) or not sections:
        raise DataError(
            f"{path} has no section 'run', which says the corpora (on) and the probes of a suite. Write one, or name "
            f"the suite with {option('on', 'CORPUS')} and {option('probes', 'PROBE')}."
        )
    section, place = content[sections[0]], f"The section '{sections[0]}' of {path}"
    if not isinstance(section, dict):
        raise DataError(f"{place} should be a mapping of options.")
    for plugin in _texts(section, "plugin", place):
        load_plugin(Path(plugin))
    on = tuple(spec for text in _texts(section, "on", place) for spec in split_specs(text))
    probes = tuple(spec for text in _texts(section, "probes", place) for spec in split_specs(text))
    if not on:
        raise DataError(f"{place} names no corpus: write on: CORPUS.")
    seed = section.get("seed", 0)
    if type(seed) is not int or seed < 0:
        raise DataError(f"{place} should have a whole number as seed, not '{seed}'.")
    root = _texts(section, "from", place)
    found = Path(root[0]) if root and request.root is None else request.root
    return replace(request, what=None, on=on, probes=probes, seed=seed, root=found)


def refuse_suite(request: ExportRequest, what: str) -> None:
    """Raise an error if a request names a suite beside something that has one."""
    for given, name in ((request.on, "on"), (request.probes, "probes"), (request.seed is not None, "seed")):
        if given:
            raise UsageError(f"{what}, whose suite is given: leave out {option(name)}.")


def _texts(section: Mapping[object, object], key: str, place: str) -> list[str]:
    value = section.get(key)
    items = value if isinstance(value, list) else [] if value is None else [value]
    if not all(isinstance(item, str) for item in items):
        raise DataError(f"{place} should have a text or a list of texts as '{key}', not '{value!s:.60}'.")
    return [str(item) for item in items]
