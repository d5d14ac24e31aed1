"""Packs lists into the text of a page: blocks of JSON, compressed, that a browser unpacks when it needs them.

The text is ASCII letters, digits and ``+/=`` with line breaks, so that no content can end the element around it.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

# Characters of JSON per block: large enough to compress well, small enough to unpack a few cases at once.
BLOCK = 400_000
_BATCH = 64
# The usual level: a higher one takes twice as long for 1 % less.
_LEVEL = 6
# The name under which the first block says where the lists begin.
LISTS = "lists"


def pack(head: Mapping[str, object], lists: Mapping[str, Iterable[object]], *, block: int = BLOCK) -> str:
    """Pack a head, which is read at once, and lists, which are read block by block.

    The first line is the head with one more key, ``lists``: for each list, the number of its first block, and how many
    items come before each of its blocks and at its end.

    Args:
        head: what is read at once.
        lists: items that JSON can write.
        block: about how many characters of JSON a block has.
    """
    blocks: list[str] = []
    index: dict[str, dict[str, object]] = {}
    for name, items in lists.items():
        first, starts = len(blocks) + 1, [0]
        for written, texts in _cut(items, block):
            blocks.append(written)
            starts.append(starts[-1] + texts)
        index[name] = {"first": first, "starts": starts}
    return "\n".join([_packed(_json({**head, LISTS: index})), *blocks])


def unpack(text: str) -> tuple[dict[str, object], dict[str, list[object]]]:
    """Read what :func:`pack` writes, as a browser does: the head, and all items of the lists."""
    lines = text.split("\n")
    head = json.loads(_unpacked(lines[0]))
    lists: dict[str, list[object]] = {}
    for name, place in head.pop(LISTS).items():
        blocks = lines[place["first"] : place["first"] + len(place["starts"]) - 1]
        lists[name] = [item for line in blocks for item in json.loads(_unpacked(line))]
    return head, lists


def _cut(items: Iterable[object], block: int) -> Iterator[tuple[str, int]]:
    """Yield packed blocks of a list, each with the number of its items."""
    waiting = iter(items)
    texts: list[str] = []
    size = count = 0
    # Written by the batch: one call of the encoder per item takes three times as long.
    while batch := list(islice(waiting, _BATCH)):
        texts.append(_json(batch)[1:-1])
        size += len(texts[-1])
        count += len(batch)
        if size >= block:
            yield _packed(f"[{','.join(texts)}]"), count
            texts, size, count = [], 0, 0
    if texts:
        yield _packed(f"[{','.join(texts)}]"), count


def _json(content: object) -> str:
    # Escapes keep every string as it is, even half a character of a broken file.
    return json.dumps(content, separators=(",", ":"), allow_nan=False)


def _packed(text: str) -> str:
    return base64.b64encode(zlib.compress(text.encode("ascii"), _LEVEL)).decode("ascii")


def _unpacked(line: str) -> str:
    return zlib.decompress(base64.b64decode(line)).decode("ascii")
