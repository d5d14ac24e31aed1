"""The library of templates that comes with the package: one file a capability, and the taxonomy of capabilities."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from nliprobe.templates.nodes import read_nodes
from nliprobe.templates.parse import TemplateFile, read_templates
from nliprobe.templates.template import Template

_TAXONOMY = "capabilities.yaml"
DEFAULT_EXAMPLES = 1000


@dataclass(frozen=True)
class Capability:
    """A kind of reasoning: what it is called, what it tests, and how many examples a template of it gets."""

    name: str
    group: str
    title: str
    about: str
    examples: int = DEFAULT_EXAMPLES


def library_folder() -> Path:
    """Where the library's files are."""
    return Path(str(resources.files(__name__)))


@cache
def load_files() -> tuple[TemplateFile, ...]:
    """Every file of the library, in the order of their names."""
    return tuple(read_templates(path) for path in template_paths(library_folder()))


def template_paths(folder: Path) -> list[Path]:
    """The template files of a folder; the taxonomy that may stand beside them is none."""
    return sorted(path for path in folder.glob("*.yaml") if path.name != _TAXONOMY)


def load_library() -> tuple[Template, ...]:
    """Every template of the library."""
    return tuple(template for file in load_files() for template in file.templates)


def load_core() -> tuple[Template, ...]:
    """The templates that are asked by default: those ``scripts/choose_core.py`` chose."""
    names = set((library_folder() / "core.txt").read_text(encoding="utf-8").split())
    return tuple(
        template for path in template_paths(library_folder()) for template in read_templates(path, names).templates
    )


@cache
def capabilities() -> dict[str, Capability]:
    """The taxonomy by name, in its order."""
    found: dict[str, Capability] = {}
    groups = read_nodes(library_folder() / _TAXONOMY).mapping("the taxonomy", ("groups",))["groups"]
    for group in groups.items("groups"):
        content = group.mapping("a group")
        name = content["name"].text("name")
        for entry in content["capabilities"].items("capabilities"):
            one = {key: node.text(key) for key, node in entry.mapping("a capability").items()}
            found[one["name"]] = Capability(
                one["name"], name, one["title"], one["about"], int(one.get("examples", DEFAULT_EXAMPLES))
            )
    return found
