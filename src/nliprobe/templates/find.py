"""Find the templates that a user names: those of the library, of a file or of a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from nliprobe.base.errors import DataError, NotFoundError, did_you_mean
from nliprobe.base.limited import exists
from nliprobe.templates.cells import cells
from nliprobe.templates.library import load_core, load_library, template_paths
from nliprobe.templates.parse import read_templates
from nliprobe.templates.template import Template

CHECKLIST, TEMPLATES = "checklist", "templates"
# The parts of the library that have a name of their own.
PARTS: dict[str, Callable[[], Iterable[Template]]] = {
    CHECKLIST: load_core,
    "checklist-all": load_library,
    "checklist-readings": lambda: (one for one in load_library() if one.second is not None),
    "checklist-paper": lambda: (one for one in load_library() if any(tag.startswith("paper:") for tag in one.tags)),
}


def find_templates(name: str, only: Sequence[str] = (), by: str = "") -> list[Template]:
    """Return the templates that a user names.

    Args:
        name: ``checklist`` for the core of the library, ``checklist-all`` for all of it, ``checklist-readings`` for
            templates with two readings, ``checklist-paper`` for those the paper prints, or a file or folder.
        only: capabilities or ids to keep; by default all.
        by: a placeholder to divide the templates by; see :mod:`nliprobe.templates.cells`.
    """
    if name in PARTS:
        templates = list(PARTS[name]())
    else:
        path = Path(name)
        if not exists(path):
            raise NotFoundError(f"There is no template file {name}; '{CHECKLIST}' is the library of the package.")
        files = template_paths(path) if path.is_dir() else [path]
        templates = [template for file in files for template in read_templates(file).templates]
        seen: dict[str, Template] = {}
        for template in templates:
            if template.id in seen:
                raise DataError(f"{template.place}: another template of this name is in {seen[template.id].place}.")
            seen[template.id] = template
    if only:
        templates = _only(templates, only)
    return [cell for template in templates for cell in cells(template, by)] if by else templates


def _only(templates: Sequence[Template], only: Sequence[str]) -> list[Template]:
    known = {template.id for template in templates} | {template.capability for template in templates}
    for wanted in only:
        if wanted not in known:
            raise NotFoundError(f"There is no template or capability '{wanted}'. {did_you_mean(wanted, known)}")
    return [template for template in templates if template.id in only or template.capability in only]
