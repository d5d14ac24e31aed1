"""Finding the templates that a user names: the library's, or those of a file or a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nliprobe.base.errors import DataError, NotFoundError, did_you_mean
from nliprobe.templates.cells import cells
from nliprobe.templates.library import load_core, load_library, template_paths
from nliprobe.templates.parse import read_templates
from nliprobe.templates.template import Template

CHECKLIST, EVERYTHING, TEMPLATES = "checklist", "checklist-all", "templates"


def find_templates(name: str, only: Sequence[str] = (), by: str = "") -> list[Template]:
    """The templates a user means; ``only`` names capabilities or ids, ``by`` a placeholder to be divided by.

    ``checklist`` is the library's core, ``checklist-all`` the whole library; else a file or a folder of files.
    """
    if name in (CHECKLIST, EVERYTHING):
        found = list(load_core() if name == CHECKLIST else load_library())
    else:
        path = Path(name)
        if not path.exists():
            raise NotFoundError(f"There is no template file {name}; '{CHECKLIST}' is the library of the package.")
        files = template_paths(path) if path.is_dir() else [path]
        found = [template for file in files for template in read_templates(file).templates]
        seen: dict[str, Template] = {}
        for template in found:
            if template.id in seen:
                raise DataError(f"{template.place}: another template of this name is in {seen[template.id].place}.")
            seen[template.id] = template
    if only:
        found = _only(found, only)
    return [cell for template in found for cell in cells(template, by)] if by else found


def _only(found: Sequence[Template], only: Sequence[str]) -> list[Template]:
    known = {template.id for template in found} | {template.capability for template in found}
    for wanted in only:
        if wanted not in known:
            raise NotFoundError(f"There is no template or capability '{wanted}'. {did_you_mean(wanted, known)}")
    return [template for template in found if template.id in only or template.capability in only]
