"""Read YAML with the place of every value, so that errors can name line and column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nliprobe.base.errors import DataError, did_you_mean
from nliprobe.base.limited import read_limited
from nliprobe.base.yaml_tree import MOST_BYTES, REMEDY, Mapping, Scalar, Sequence, Tree, YamlProblem, parse_yaml
from nliprobe.templates.limits import LONGEST_TEXT
from nliprobe.templates.place import Place, TemplateError


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
        text = read_limited(path, MOST_BYTES, REMEDY)
    except DataError as error:
        raise TemplateError(Place(str(path), 1, 1), f"the file cannot be read ({str(error).rstrip('.')}).") from error
    return parse_nodes(text, str(path))


def parse_nodes(text: str, name: str) -> Node:
    """Parse YAML; every scalar stays a text, because templates need nothing else."""
    try:
        root = parse_yaml(text)
    except YamlProblem as error:
        raise TemplateError(Place(name, error.line, error.column), error.problem) from error
    if root is None:
        raise TemplateError(Place(name, 1, 1), "the file is empty.")
    return _node(root, name)


def _node(tree: Tree, name: str) -> Node:
    place = Place(name, tree.line, tree.column)
    if isinstance(tree, Scalar):
        if len(tree.text) > LONGEST_TEXT:
            problem = f"this has {len(tree.text):,} characters; a text of a template file has at most {LONGEST_TEXT:,}."
            raise TemplateError(place, problem)
        if "\0" in tree.text:
            raise TemplateError(place, "this has a NUL character, which no example can hold.")
        # The column of the first character, after an opening quotation mark.
        return Node(tree.text, place.moved(1) if tree.quoted else place)
    if isinstance(tree, Sequence):
        return Node([_node(item, name) for item in tree.items], place)
    return Node(dict(_pairs(tree, name)), place)


def _pairs(tree: Mapping, name: str) -> Iterator[tuple[str, Node]]:
    seen: set[str] = set()
    for key, value in tree.pairs:
        place = Place(name, key.line, key.column)
        if not isinstance(key, Scalar):
            raise TemplateError(place, "a key should be a text.")
        if key.text in seen:
            raise TemplateError(place, f"the key '{key.text}' is given twice.")
        seen.add(key.text)
        yield key.text, _node(value, name)
