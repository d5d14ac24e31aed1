"""A project with a small task and its items, for tests of the store."""

from __future__ import annotations

from nliprobe.people.records import Item, Json, Project


def content(text: str) -> dict[str, Json]:
    """What raters see."""
    return {"premise": text, "hypothesis": "It is so."}


def items(count: int, *, strata: int = 1, batch: int = 0, first: int = 0) -> list[Item]:
    """Items that differ in their texts."""
    return [
        Item(f"q{number:04}", content(f"text {number}"), {"gold": "E"}, f"s{number % strata}", batch)
        for number in range(first, first + count)
    ]


def attention(count: int) -> list[Item]:
    """Items whose answers are known."""
    return [Item(f"a{number:03}", content(f"sure {number}"), expected={"label": "C"}) for number in range(count)]


def project(**rules: int | None) -> Project:
    """A project with some rules."""
    return Project("p", "verify", **rules)  # type: ignore[arg-type]
