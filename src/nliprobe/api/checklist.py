"""The behavioural summary of a checklist, from a run or from published accuracies of templates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.analysis.checklist.accuracies import read_template_accuracies, template_accuracies_document
from nliprobe.analysis.checklist.document import checklist_document
from nliprobe.analysis.checklist.wording import TemplateWording
from nliprobe.base.errors import NliprobeError, UsageError
from nliprobe.base.files import write_atomic
from nliprobe.base.registry import Spec
from nliprobe.report.checklist_page import checklist_page

if TYPE_CHECKING:
    from nliprobe.analysis.cases import RunData
    from nliprobe.analysis.checklist.documents import ChecklistDocument
    from nliprobe.store.run import RunFolder


def checklist(run: RunFolder, *, seed: int = 0, data: RunData | None = None, within: bool = True) -> ChecklistDocument:
    """Summarise a run over templates, as the document ``nliprobe/checklist/2``.

    Args:
        run: the run folder.
        seed: of all resampling.
        data: the run as :func:`nliprobe.analysis.cases.read_run` returns it, if it has been read already.
        within: whether to look inside templates, too: effects of drawn values, and the surrogate.
    """
    return checklist_document(run, patterns=known_patterns(run) if within else (), seed=seed, data=data, within=within)


def checklist_report(run: RunFolder, out: Path, *, form: str = "html", seed: int = 0) -> Path:
    """Write the summary of a run over templates to a file: ``html`` (one self-contained page) or ``json``."""
    if form not in ("html", "json"):
        raise UsageError(f"The summary of a checklist is written as html or json, not {form}.")
    document = checklist(run, seed=seed)
    if form == "json":
        text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    else:
        text = checklist_page(document)
    write_atomic(out, text.encode("utf-8"))
    return out


def score_template_accuracies(path: Path, *, seed: int = 0) -> ChecklistDocument:
    """Summarise a table of template accuracies, as the document ``nliprobe/checklist/2``."""
    return template_accuracies_document(path.name, read_template_accuracies(path), seed=seed)


def known_patterns(run: RunFolder) -> list[TemplateWording]:
    """Return the wording of the library's templates, and of those in files that the run drew from, if still there."""
    from nliprobe.templates.find import TEMPLATES, find_templates
    from nliprobe.templates.library import load_library

    templates = {template.id: template for template in load_library()}
    for item in run.corpora:
        spec = Spec.parse(item.name)
        if spec.name != TEMPLATES:
            continue
        try:
            templates |= {template.id: template for template in find_templates(spec.argument)}
        except NliprobeError:
            continue  # moved or changed since: the document names the templates whose wording is not known
    return [
        TemplateWording(item.id, item.capability, item.premise.text, item.hypothesis.text, item.label)
        for item in templates.values()
    ]
