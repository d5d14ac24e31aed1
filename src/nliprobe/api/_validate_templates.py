"""Validating template files with their linter."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nliprobe.api._findings import Report
from nliprobe.base.errors import NliprobeError
from nliprobe.templates.lint import lint
from nliprobe.templates.parse import read_templates
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
