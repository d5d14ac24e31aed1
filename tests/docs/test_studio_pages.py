"""The pages about the studio: each shows the real page, in a picture that loads quickly."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "guide"
PAGES = sorted(path.name for path in GUIDE.glob("studio*.md"))
LARGEST = 160_000


@pytest.mark.parametrize("name", PAGES)
def test_a_page_shows_the_real_one(name: str) -> None:
    pictures = re.findall(r"!\[[^\]]{20,}\]\(([^)]+\.png)\)", (GUIDE / name).read_text(encoding="utf-8"))
    assert pictures
    for picture in pictures:
        content = (GUIDE / picture).read_bytes()
        assert content.startswith(b"\x89PNG")
        assert len(content) <= LARGEST
