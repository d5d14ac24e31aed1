"""Texts from data inside Markdown: shown as they are, never read as markup, links or HTML."""

from __future__ import annotations

import re

from nliprobe.base.visible import visible

# What starts emphasis, code, links and images, strikes through, separates cells, or starts mathematics on some forges.
_MARKUP = re.compile(r"[\\`*_\[\]|~$]")
# An interval is no link unless something that makes it one follows.
_INTERVAL = re.compile(r"(\[[-+]?[0-9][-+0-9., ]*\](?![(\[:]))")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
# Forges make links of addresses that are not marked as such.
_ADDRESS = re.compile(r"://|\bwww\.", re.IGNORECASE)
# A heading, a list, a rule or an underline, if it begins a line.
_BLOCK = re.compile(r"(?:[#+\-=]|[0-9]+(?=[.)]))")


def inline(text: str) -> str:
    """Return a text for the middle of a line or a cell.

    >>> inline("<b>|[x](http://y)")
    '&lt;b&gt;\\\\|\\\\[x\\\\](http:\\\\//y)'
    """
    flat = " ".join(visible(text).split())
    pieces = _INTERVAL.split(flat)
    shown = "".join(piece if place % 2 else _MARKUP.sub(r"\\\g<0>", piece) for place, piece in enumerate(pieces))
    shown = re.sub("[&<>]", lambda match: _ENTITIES[match[0]], shown)
    return _ADDRESS.sub(lambda match: f"{match[0][0]}\\{match[0][1:]}" if match[0][0] == ":" else "www\\.", shown)


def paragraph(text: str) -> str:
    """Return a text that stands at the beginning of a line.

    >>> paragraph("# 1. title"), paragraph("1. title")
    ('\\\\# 1. title', '1\\\\. title')
    """
    shown = inline(text)
    block = _BLOCK.match(shown)
    if block is None:
        return shown
    place = block.end() if block[0].isdigit() else 0
    return f"{shown[:place]}\\{shown[place:]}"
