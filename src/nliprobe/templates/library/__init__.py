"""The template library of the package, with one file per capability."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

from nliprobe.templates.parse import TemplateFile, read_templates
from nliprobe.templates.template import Template


def library_folder() -> Path:
    """Return the folder of the library's files."""
    return Path(str(resources.files(__name__)))


@cache
def load_files() -> tuple[TemplateFile, ...]:
    """Read every file of the library, sorted by name."""
    return tuple(read_templates(path) for path in template_paths(library_folder()))


def template_paths(folder: Path) -> list[Path]:
    """Return the template files of a folder, sorted by name."""
    return sorted(folder.glob("*.yaml"))


def load_library() -> tuple[Template, ...]:
    """Return every template of the library."""
    return tuple(template for file in load_files() for template in file.templates)


@cache
def load_core() -> tuple[Template, ...]:
    """Return the templates that are used by default, chosen by ``scripts/choose_core.py``."""
    names = set((library_folder() / "core.txt").read_text(encoding="utf-8").split())
    return tuple(
        template for path in template_paths(library_folder()) for template in read_templates(path, names).templates
    )
