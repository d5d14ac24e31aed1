"""Every network has a page, and the page says the defaults that the network has."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from nliprobe.models.zoo import NETWORKS
from nliprobe.models.zoo._word_network import WordPlan

PAGES = Path(__file__).parents[2] / "docs" / "networks"
NAMES = NETWORKS.names()
_ROW = re.compile(r"^\| (`\w+`(?:, `\w+`)*) \| ([^|]*) \|", re.MULTILINE)


def stated(page: Path) -> Iterator[tuple[str, str]]:
    """Yield the parameters that a page lists with their defaults."""
    section = page.read_text(encoding="utf-8").partition("| parameter | default |")[2].partition("\n\n")[0]
    for match in _ROW.finditer(section):
        names, defaults = re.findall(r"\w+", match[1]), match[2].strip().split(", ")
        assert len(names) == len(defaults), match[0]
        yield from zip(names, defaults, strict=True)


def written(value: object) -> object:
    return float(value) if isinstance(value, (bool, int, float)) else value


@pytest.mark.parametrize("name", NAMES)
def test_every_network_has_a_page_with_its_defaults(name: str) -> None:
    page = PAGES / f"{name}.md"
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# `{name}`")
    for needed in ("$ nliprobe train ", "## Parameters", "weights", "cannot", "## Source"):
        assert needed in text, f"{page.name} lacks '{needed}'"
    plan = {field.name: field.default for field in dataclasses.fields(NETWORKS.get(name).plan_type)}
    listed = dict(stated(page))
    assert listed
    for parameter, default in listed.items():
        assert parameter in plan, f"{page.name}: there is no parameter '{parameter}'"
        value = written(plan[parameter])
        assert value == (float(default) if isinstance(value, float) else default), f"{page.name}: {parameter}"


def test_the_shared_parameters_are_listed_with_their_defaults() -> None:
    plan = {field.name: field.default for field in dataclasses.fields(WordPlan)}
    for parameter, default in stated(PAGES / "index.md"):
        value = written(plan[parameter])
        assert value == (float(default) if isinstance(value, float) else default), parameter


def test_the_list_names_every_network() -> None:
    text = (PAGES / "index.md").read_text(encoding="utf-8")
    assert not [name for name in NAMES if f"`{name}`" not in text]
