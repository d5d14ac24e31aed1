"""Read YAML with the place of every value, so that errors can name line and column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.errors import did_you_mean
from nliprobe.templates.place import Place, TemplateError

if TYPE_CHECKING:
    import yaml


@dataclass(frozen=True)
class Node:
    """A value of a YAML file with its place."""

    value: str | list[Node] | dict[str, Node]
    place: Place

    def text(self, what: str) -> str:
        """Return the value, which must be a text or a number."""
        if not isinstance(self.value, str):
            raise TemplateError(self.place, f"{what} should be a text.")
        return self.value

    def mapping(self, what: str, allowed: tuple[str, ...] = ()) -> dict[str, Node]:
        """Return the value, which must be a mapping; keys that are not allowed are errors."""
        if not isinstance(self.value, dict):
            raise TemplateError(self.place, f"{what} should be a mapping of keys to values.")
        for key, node in self.value.items():
            if allowed and key not in allowed:
                raise TemplateError(node.place, f"{what} has no key '{key}'. {did_you_mean(key, allowed)}")
        return self.value

    def items(self, what: str) -> list[Node]:
        """Return the value, which must be a list."""
        if not isinstance(self.value, list):
            raise TemplateError(self.place, f"{what} should be a list.")
        return self.value

    def texts(self, what: str) -> list[str]:
        """Return the value as a list of texts; a single text becomes a list of one."""
        return [self.value] if isinstance(self.value, str) else [item.text(what) for item in self.items(what)]


def read_nodes(path: Path) -> Node:
    """Read a YAML file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TemplateError(Place(str(path), 1, 1), f"the file cannot be read ({error}).") from error
    return parse_nodes(text, str(path))


def parse_nodes(text: str, name: str) -> Node:
    """Parse YAML; every scalar stays a text, because templates need nothing else."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        root = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(name, mark.line + 1 if mark else 1, mark.column + 1 if mark else 1)
        raise TemplateError(place, f"this is not YAML ({error.problem}).") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise TemplateError(Place(name, 1, 1), f"this is not YAML ({error}).") from error
    if root is None:
        raise TemplateError(Place(name, 1, 1), "the file is empty.")
    return _node(root, name, set())


def _node(node: yaml.Node, name: str, above: set[int]) -> Node:
    import yaml

    place = Place(name, node.start_mark.line + 1, node.start_mark.column + 1)
    if id(node) in above:
        raise TemplateError(place, "an alias refers to a value that contains it.")
    inside = {*above, id(node)}
    if isinstance(node, yaml.ScalarNode):
        # The column of the first character, after an opening quotation mark.
        return Node(str(node.value), place.moved(1) if node.style in ("'", '"') else place)
    if isinstance(node, yaml.SequenceNode):
        return Node([_node(item, name, inside) for item in node.value], place)
    assert isinstance(node, yaml.MappingNode)
    return Node(dict(_pairs(node, name, inside)), place)


def _pairs(node: yaml.MappingNode, name: str, above: set[int]) -> Iterator[tuple[str, Node]]:
    seen: set[str] = set()
    for key, value in node.value:
        place = Place(name, key.start_mark.line + 1, key.start_mark.column + 1)
        if not isinstance(key.value, str):
            raise TemplateError(place, "a key should be a text.")
        if key.value in seen:
            raise TemplateError(place, f"the key '{key.value}' is given twice.")
        seen.add(key.value)
        yield key.value, _node(value, name, above)
