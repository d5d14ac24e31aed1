"""The styles of the pages: nothing that no page uses, nothing said twice."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import nliprobe.papers
import nliprobe.report
from nliprobe.task.labels import NAMES

FOLDERS = [Path(module.__file__ or "").parent for module in (nliprobe.report, nliprobe.papers)]
# Bars of labels have their letters as classes.
LABELS = {*NAMES, "NC"}
STYLES = sorted((FOLDERS[0] / "page").glob("*.css"))


def rules(text: str) -> str:
    """A style without its comments."""
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def selectors(text: str) -> list[str]:
    """What stands before every opening brace, with the condition that it stands in."""
    found, around = [], ""
    for head, brace in re.findall(r"([^{}]*)([{}])", rules(text)):
        if brace == "{" and head.strip().startswith("@"):
            around = head.strip()
        elif brace == "{":
            found.append(f"{around} {' '.join(head.split())}")
        elif not head.strip():
            around = ""
    return found


@pytest.fixture(scope="module")
def sources() -> str:
    """Everything that may give an element its class: templates, scripts, and what draws."""
    paths = [path for folder in FOLDERS for path in folder.rglob("*") if path.suffix in (".html", ".js", ".py")]
    return "\n".join(re.sub(r"(?s)<style>.*?</style>", "", path.read_text(encoding="utf-8")) for path in paths)


def used(name: str, sources: str) -> bool:
    """Tell whether a class is written somewhere, or begins with what is completed there: ``bin{place}``."""
    # What may not stand before a name is looked at behind it: names are found quickly, places before any text are not.
    word = re.escape(name)
    if name.upper() in LABELS or re.search(rf"{word}(?<![\w.#-]{word})(?![\w-])", sources):
        return True
    stem = re.sub(r"(?:\d+|(?<=-)[A-Za-z_]+)$", "", name)
    begun = re.escape(stem)
    return stem != name and bool(re.search(rf"{begun}(?<![\w.-]{begun})(?:\{{|\" \+)", sources))


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_every_class_is_used_by_some_page(path: Path, sources: str) -> None:
    text = rules(path.read_text(encoding="utf-8"))
    names = {name for head in selectors(text) for name in re.findall(r"\.(-?[A-Za-z][\w-]*)", head)}
    assert [name for name in sorted(names) if not used(name, sources)] == []


def test_a_class_that_nobody_uses_is_found(sources: str) -> None:
    assert not used("nobody-has-this", sources)
    assert used("part-premise", sources)
    assert used("h20", sources)


def test_no_rule_is_written_twice() -> None:
    """A selector has one place: two of them drift apart."""
    counted = Counter(head for path in STYLES for head in selectors(path.read_text(encoding="utf-8")))
    assert [head for head, count in counted.items() if count > 1 and ":root" not in head] == []
