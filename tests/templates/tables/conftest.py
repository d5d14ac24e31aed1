"""A schema of our own and a template over it, for tests that change them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

SHOP = """\
schema: shop
title: COMPANY
categories: [Shop]
fields:
  Opened: {type: date, keys: [Opened], make: "date(1950, 2000)"}
  Owners: {type: list, of: person, keys: [Owner(s)], make: "several(PERSON, 1, 3)"}
  Staff: {type: number, keys: [Staff], make: "number(3, 90)"}
  Colour: {type: text, keys: [Colour], make: "choose('red', 'blue', 'green')"}
templates:
  - id: shop.opened-before
    program: "year(Opened) < Y"
    draw: {N: 1..9}
    E: {Y: "year(Opened) + N"}
    C: {Y: "year(Opened) - N"}
    hypothesis: ["{title} opened before {Y}.", "The year in which {title} opened came before {Y}."]
    reasoning: [temporal]
    capability: temporal
    because: Years are compared.
  - id: shop.owner
    program: "P in items(Owners) and number(Staff) > S"
    draw: {I: item(Owners), X: other(Owners), N: 1..2}
    E: {P: I, S: "number(Staff) - N"}
    C: [{P: X, S: "number(Staff) - N"}, {P: I, S: "number(Staff) + N"}]
    hypothesis: ["{P} owns {title}, where more than {S} people work.", "{title} is {P}'s and has over {S} staff."]
    reasoning: [namedentity, multirowreasoning]
    capability: boolean
    because: Both rows have to agree.
"""


@pytest.fixture
def shop(tmp_path: Path) -> Callable[..., Path]:
    """Write the file, with some of its texts replaced by others."""

    def write(*changes: tuple[str, str]) -> Path:
        text = SHOP
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new)
        path = tmp_path / "shop.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write
