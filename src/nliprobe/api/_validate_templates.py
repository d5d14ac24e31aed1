"""Validating template files with their linter."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nliprobe.api._findings import Report
from nliprobe.base.errors import NliprobeError
from nliprobe.templates.lint import lint
from nliprobe.templates.parse import read_templates
from nliprobe.templates.tables.find import find_library
from nliprobe.templates.tables.lint import lint_tables
from nliprobe.templates.template import Template


def validate_templates(paths: Sequence[Path], report: Report) -> None:
    """Read template files and draw from them; they are checked together, because templates refer to one another."""
    templates: list[Template] = []
    for path in paths:
        try:
            templates += read_templates(path).templates
        except NliprobeError as error:
            report.error("template", str(error))
    for finding in lint(templates):
        (report.error if finding.error else report.warn)("template", str(finding), finding.place.template)


def validate_tables(path: str, report: Report) -> None:
    """Read table templates, those of a file or folder or the package's own without a path, and draw from them."""
    try:
        templates = find_library(path, templates=False).templates
    except NliprobeError as error:
        report.error("template", str(error))
        return
    for finding in lint_tables(templates):
        (report.error if finding.error else report.warn)("template", str(finding), finding.place.template)
