"""Validating files of options and contracts without running anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nliprobe.analysis.compare.contract import read_contract
from nliprobe.api._findings import Report
from nliprobe.api._validate_specs import check_corpora, check_probes, check_represent, check_system
from nliprobe.base.errors import NotFoundError, did_you_mean
from nliprobe.base.limited import is_file
from nliprobe.base.registry import Spec, load_plugin, require_plugin, split_specs
from nliprobe.represent.controls import Control
from nliprobe.task.sources import SOURCES


@dataclass(frozen=True)
class Option:
    """An option of a verb: its name in the program, and what reads its value or raises ``ValueError``."""

    name: str
    read: Callable[[object], object]


# For each verb that reads a file of options, its options by the names they have there.
Verbs = Mapping[str, Mapping[str, Option]]


def validate_config(
    content: object, report: Report, verbs: Verbs, root: Path | None = None, *, plugins: bool = False
) -> None:
    """Check a file of options, which has a section per verb; plugins are imported only if that is allowed."""
    if not isinstance(content, Mapping) or not content:
        what = "nothing" if not content else f"a {type(content).__name__}"
        report.error("shape", f"{report.target} should hold a section for each verb (run: …), but holds {what}.")
        return
    for verb, section in content.items():
        options = verbs.get(str(verb))
        if options is None:
            hint = did_you_mean(str(verb), verbs)
            report.error("verb", f"No verb that reads options from a file is named '{verb}'. {hint}", str(verb))
        elif section is not None and not isinstance(section, Mapping):
            report.error("shape", f"The section '{verb}' should be a mapping of options.", str(verb))
        else:
            _section(str(verb), section or {}, report, options, root, plugins=plugins)


def _section(
    verb: str,
    section: Mapping[object, object],
    report: Report,
    options: Mapping[str, Option],
    root: Path | None,
    *,
    plugins: bool,
) -> None:
    values: dict[str, object] = {}
    for key, given in section.items():
        option = options.get(str(key).replace("-", "_"))
        place = f"{verb}.{key}"
        if option is None:
            hint = did_you_mean(str(key), options)
            report.error("option", f"The section '{verb}' has no option '{key}'. {hint}", place)
            continue
        try:
            option.read(given)
        except ValueError as error:
            report.error("value", f"The option '{key}' of '{verb}': {error}", place)
            continue
        values[option.name] = given
    with report.without_plugins(_unimported(_texts(values.get("plugin")), report, f"{verb}.plugin", plugins=plugins)):
        _specs(verb, values, report, root)


def _unimported(paths: Sequence[str], report: Report, place: str, *, plugins: bool) -> list[str]:
    """Import plugins if that is allowed, and return those that are there and were not imported."""
    for path in paths:
        with report.noting("plugin", place):
            if plugins:
                load_plugin(Path(path))
            else:
                require_plugin(Path(path))
    return [] if plugins else [path for path in paths if is_file(Path(path))]


def _specs(verb: str, values: Mapping[str, object], report: Report, root: Path | None) -> None:
    """Check the names in a section: corpora, probes, systems, representations and premise controls."""
    here = Path(str(values["root"])) if "root" in values else root
    for name in ("on", "train"):
        check_corpora(_split(values.get(name)), report, f"{verb}.{name}", here)
    check_probes(_split(values.get("probes")), report, f"{verb}.probes")
    for text in _texts(values.get("systems")):
        check_system(text, report, f"{verb}.system", trained=verb != "run" or "train" in values)
    for text in _texts(values.get("represent")):
        check_represent(text, report, f"{verb}.represent")
    for text in _texts(values.get("premise")):
        with report.noting("premise", f"{verb}.premise"):
            Control.parse(text)


def _texts(given: object) -> list[str]:
    return [] if given is None else [str(item) for item in given] if isinstance(given, list) else [str(given)]


def _split(given: object) -> list[str]:
    return [piece for text in _texts(given) for piece in split_specs(text)]


def validate_contract(path: Path, report: Report) -> None:
    """Check a contract: its form, its probes, and whether its corpora are known."""
    with report.noting("contract"):
        contract = read_contract(path)
        check_probes(sorted({check.probe for check in contract.checks if check.probe}), report, "checks")
        for corpus in sorted({check.corpus for check in contract.checks if check.corpus}):
            name = Spec.parse(corpus).name.partition("/")[0]
            try:
                SOURCES.get(name)
            except NotFoundError as error:
                # The user's own file appears in a run under its file name, which cannot be known here.
                report.warn("corpus", f"{error} A file of your own may have this name in a run.", "checks")
        if len({(item.name, item.kind) for item in contract.checks}) < len(contract.checks):
            report.warn("twice", "Two checks limit the same number.", "checks")
