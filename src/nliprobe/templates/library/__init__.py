"""The library of templates that comes with the package: one file per capability."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

from nliprobe.templates.parse import TemplateFile, read_templates
from nliprobe.templates.template import Template


def library_folder() -> Path:
    """Where the library's files are."""
    return Path(str(resources.files(__name__)))


@cache
def load_files() -> tuple[TemplateFile, ...]:
    """Every file of the library, in the order of their names."""
    return tuple(read_templates(path) for path in template_paths(library_folder()))


def template_paths(folder: Path) -> list[Path]:
    """The template files of a folder."""
    return sorted(folder.glob("*.yaml"))


def load_library() -> tuple[Template, ...]:
    """Every template of the library."""
    return tuple(template for file in load_files() for template in file.templates)


def load_core() -> tuple[Template, ...]:
    """The templates that are asked by default: those ``scripts/choose_core.py`` chose."""
    names = set((library_folder() / "core.txt").read_text(encoding="utf-8").split())
    return tuple(
        template for path in template_paths(library_folder()) for template in read_templates(path, names).templates
    )
