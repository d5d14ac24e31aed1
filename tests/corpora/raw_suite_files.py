"""Raw files as CheckList's documentation describes them: a line per example, in the order of the tests."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import NamedTuple


class RawTest(NamedTuple):
    """A test: its type, and for each test case its examples and the expected label, if there is one."""

    name: str
    capability: str
    kind: str
    cases: list[tuple[list[tuple[str, str]], str]]


def line(example: tuple[str, str], form: str) -> str:
    """Return an example in one of the forms."""
    if form == "jsonl":
        return json.dumps(example)
    if form == "tsv":
        return "\t".join(example).replace("\n", " ")
    if form == "dict":
        return str({"premise": example[0], "hypothesis": example[1]}).replace("\n", " ")
    return str(example).replace("\n", " ")


def write_raw(path: Path, tests: list[RawTest], form: str = "str", header: str = "") -> Path:
    """Write a raw file; as CheckList does, without a line break at its end."""
    lines = [line(example, form) for test in tests for examples, _ in test.cases for example in examples]
    path.write_text("\n".join(([header] if header else []) + lines), encoding="utf-8")
    return path


def write_tests(path: Path, tests: list[RawTest]) -> Path:
    """Write what is known about each line."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["test_name", "test_case", "capability", "type", "label"])
        for test in tests:
            for number, (examples, label) in enumerate(test.cases):
                for _ in examples:
                    writer.writerow([test.name, number, test.capability, test.kind, label])
    return path
