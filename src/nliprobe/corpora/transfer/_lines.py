"""Read single texts with classes: label first, text first, or one file per class; errors name the line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import DataError, where
from nliprobe.base.records.text import read_lines

_SHOWN = 40


class Item(NamedTuple):
    """One line of a file: the split, one or two texts, and the number of the class or the score."""

    split: str
    first: str
    second: str
    target: float


def lines_of(path: Path) -> Iterator[tuple[int, str]]:
    """Number the lines that are not blank; a file that is not UTF-8 is read as Windows writes English.

    Reviews of films have dashes and quotes there (bytes 0x85 to 0x97), which Latin-1 does not know.
    """
    content = path.read_bytes()
    for encoding in ("utf-8-sig", "cp1252", "latin-1"):
        try:
            content.decode(encoding)
        except UnicodeDecodeError:
            continue
        break
    for number, line in read_lines(path, "" if encoding == "utf-8-sig" else encoding):
        if line.strip():
            yield number, line


def label_first(path: Path, split: str, codes: Mapping[str, int]) -> Iterator[Item]:
    """Read lines such as ``1 a gripping film`` or ``DESC:manner How did serfdom develop ?``.

    What follows a colon in the label is a finer class, which no task here uses.
    """
    for number, line in lines_of(path):
        label, _, text = line.partition(" ")
        label = label.partition(":")[0]
        if label not in codes:
            raise _refused(path, number, line, "a label at the beginning", codes)
        yield Item(split, text.strip(), "", codes[label])


def label_last(path: Path, split: str, codes: Mapping[str, int]) -> Iterator[Item]:
    """Read lines with a text, a tab and a label."""
    for number, line in lines_of(path):
        text, _, label = line.rpartition("\t")
        if label.strip() not in codes:
            raise _refused(path, number, line, "a text, a tab and a label", codes)
        yield Item(split, text.strip(), "", codes[label.strip()])


def one_class(path: Path, label: str, codes: Mapping[str, int]) -> Iterator[Item]:
    """Read a file whose lines are all of one class, which stands in the place of the split."""
    for _, line in lines_of(path):
        yield Item("", line.strip(), "", codes[label])


def _refused(path: Path, number: int, line: str, expected: str, codes: Mapping[str, int]) -> DataError:
    return DataError(
        f"{where(path, number)}: expected {expected} ({', '.join(codes)}), but the line is {line[:_SHOWN]!r}."
    )


def require_columns(path: Path, line: str, wanted: Sequence[Sequence[str]]) -> list[int]:
    """Return the places of columns in the first line of a tab-separated file; each may have one of several names."""
    names = [name.strip() for name in line.split("\t")]
    places = [next((names.index(name) for name in choice if name in names), -1) for choice in wanted]
    if -1 in places:
        missing = [" or ".join(choice) for choice, place in zip(wanted, places, strict=True) if place < 0]
        raise DataError(
            f"{where(path, 1)}: expected the names of columns with tabs between them, and among them "
            f"{', '.join(missing)}, but the line is {line[:_SHOWN]!r}."
        )
    return places
