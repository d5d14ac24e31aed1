"""Validating files of options, contracts, templates and corpora without running anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from nliprobe.api._findings import Finding, Report
from nliprobe.api._validate_corpus import validate_corpus
from nliprobe.api._validate_files import Option, Verbs, validate_config, validate_contract
from nliprobe.api._validate_templates import validate_tables, validate_templates
from nliprobe.api.sources import open_source
from nliprobe.base.errors import NliprobeError
from nliprobe.base.limited import is_file
from nliprobe.base.registry import Spec
from nliprobe.base.yaml_files import read_yaml
from nliprobe.templates.find import CHECKLIST
from nliprobe.templates.library import library_folder, template_paths
from nliprobe.templates.tables.find import TABLES

__all__ = ["Finding", "Option", "Report", "Verbs", "to_json", "validate"]

SCHEMA = "nliprobe/validate/1"
_YAML = (".yaml", ".yml")


def validate(targets: Sequence[str], *, verbs: Verbs, root: Path | None = None, plugins: bool = False) -> list[Report]:
    """Report what is wrong with each target.

    Args:
        targets: YAML files of options, contracts or templates, files of pairs, corpora by spec string, or the
            library of templates (``checklist``, ``tables``).
        verbs: the options that a file of options may have, see :data:`Verbs`.
        root: the folder above the corpora; by default those of NLIPROBE_DATA are searched.
        plugins: whether to import the plugins that files of options name, which runs their code.
    """
    return [_validate(target, verbs, root, plugins=plugins) for target in targets]


def to_json(reports: Sequence[Report]) -> dict[str, object]:
    """Return the document of ``nliprobe validate --format json``."""
    return {
        "schema": SCHEMA,
        "errors": sum(report.count("error") for report in reports),
        "warnings": sum(report.count("warning") for report in reports),
        "targets": [report.to_json() for report in reports],
    }


def _validate(target: str, verbs: Verbs, root: Path | None, *, plugins: bool) -> Report:
    path = Path(target)
    if target == CHECKLIST:
        report = Report(target, "templates")
        validate_templates(template_paths(library_folder()), report)
        return report
    if target.partition(":")[0] == TABLES and "?" not in target:
        report = Report(target, "templates")
        validate_tables(target.partition(":")[2], report)
        return report
    if path.suffix.lower() in _YAML and ":" not in target:
        return _validate_yaml(path, verbs, root, plugins=plugins)
    report = Report(target, "corpus")
    # A path is enough; a spec is only needed if columns must be named.
    spec = str(Spec("file", target)) if is_file(path) else target
    try:
        corpus = open_source(spec, root)
    except NliprobeError as error:
        report.error("corpus", str(error))
        return report
    validate_corpus(corpus, report)
    return report


def _validate_yaml(path: Path, verbs: Verbs, root: Path | None, *, plugins: bool) -> Report:
    report = Report(str(path), "config")
    with report.noting("yaml"):
        content = read_yaml(path)
        if isinstance(content, Mapping) and "schema" in content and ("fields" in content or "templates" in content):
            report.kind = "templates"
            validate_tables(str(path), report)
        elif isinstance(content, Mapping) and "templates" in content:
            report.kind = "templates"
            validate_templates([path], report)
        elif isinstance(content, Mapping) and "contract" in content:
            report.kind = "contract"
            validate_contract(path, report)
        else:
            validate_config(content, report, verbs, root, plugins=plugins)
    return report
