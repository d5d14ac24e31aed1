"""Read YAML in which ``on`` and ``no`` are words, and a key given twice is an error with its line."""

from __future__ import annotations

import re
from collections.abc import Hashable
from pathlib import Path

from nliprobe.base.errors import DataError, where
from nliprobe.base.limited import read_limited
from nliprobe.base.yaml_tree import MOST_BYTES, REMEDY, Mapping, Scalar, Sequence, Tree, YamlProblem, parse_yaml

# Other spellings of YAML stay texts, because they surprise: 010 is eight there, 1:30 is ninety, 2024-10-01 a date, and
# on, off, yes and no are truth values, although ``on:`` is an option and ``no`` a label.
_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_FRACTION = re.compile(r"(?:[-+]?[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+][0-9]+)?")
_SPECIAL = re.compile(r"([-+]?)\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_WORDS: dict[str, bool | None] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "false": False, "False": False,
}  # fmt: skip
_MERGE = "<<"


def read_yaml(path: Path) -> object:
    """Return the content of a YAML file; errors name the line."""
    text = read_limited(path, MOST_BYTES, REMEDY)
    try:
        tree = parse_yaml(text)
        return None if tree is None else _value(tree)
    except YamlProblem as error:
        raise DataError(f"{where(path, error.line)}: {error.problem}") from error


def _value(tree: Tree) -> object:
    if isinstance(tree, Scalar):
        return _scalar(tree)
    if isinstance(tree, Sequence):
        return [_value(item) for item in tree.items]
    return _mapping(tree)


def _scalar(tree: Scalar) -> object:
    text = tree.text
    if not tree.plain:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    if _SPECIAL.fullmatch(text):
        return float(text.replace(".", ""))
    return float(text) if _FRACTION.fullmatch(text) else text


def _mapping(tree: Mapping) -> dict[object, object]:
    """Return a mapping whose keys are all different; ``<<`` takes over the keys of others that are not given here."""
    content: dict[object, object] = {}
    merged: dict[object, object] = {}
    seen: set[str] = set()
    for key, value in tree.pairs:
        if not isinstance(key, Scalar):
            raise YamlProblem("a key should be a text, not a list or a mapping.", key.line, key.column)
        if key.text in seen:
            raise YamlProblem(f"this is not YAML (the key '{key.text}' is given twice).", key.line, key.column)
        seen.add(key.text)
        if key.plain and key.text == _MERGE:
            for other in value.items if isinstance(value, Sequence) else (value,):
                if not isinstance(other, Mapping):
                    raise YamlProblem("'<<' should be followed by a mapping, or a list of them.", key.line, key.column)
                merged = {**_mapping(other), **merged}
            continue
        name = _scalar(key)
        assert isinstance(name, Hashable)
        content[name] = _value(value)
    return {**merged, **content}
