"""The taxonomy of capabilities: the kinds of reasoning, their groups and their order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nliprobe.base.errors import DataError
from nliprobe.base.yaml_files import read_yaml

TAXONOMY = Path(__file__).with_name("capabilities.yaml")
DEFAULT_EXAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Capability:
    """A kind of reasoning: its name and group, what it tests, and how many examples each of its templates gets."""

    name: str
    group: str
    title: str
    about: str
    examples: int = DEFAULT_EXAMPLES


@cache
def capabilities() -> dict[str, Capability]:
    """Return the capabilities by name, in the order of the taxonomy."""
    content = read_yaml(TAXONOMY)
    try:
        groups = content["groups"]  # type: ignore[index]
        return {
            entry["name"]: Capability(group=group["name"], **entry)
            for group in groups
            for entry in group["capabilities"]
        }
    except (TypeError, KeyError) as error:
        raise DataError(f"{TAXONOMY} should hold groups of capabilities, each with name, title and about.") from error
