"""Read text files whose size is limited, so that a wrong path such as an endless device ends in a sentence."""

from __future__ import annotations

import os
from pathlib import Path

from nliprobe.base.errors import DataError


def is_file(path: Path) -> bool:
    """Tell whether a path names a file; one that no disk can hold, such as one of 5,000 letters, does not."""
    return os.path.isfile(path)  # noqa: PTH113 (pathlib raises an error instead)


def exists(path: Path) -> bool:
    """Tell whether something has this path; one that no disk can hold has nothing."""
    return os.path.exists(path)  # noqa: PTH110 (pathlib raises an error instead)


def read_limited(path: Path, most: int, remedy: str) -> str:
    """Return the text of a file; a file of more than ``most`` bytes is refused without reading the rest of it.

    Args:
        path: the file, in UTF-8.
        most: how many bytes it may have.
        remedy: a sentence for the error that says what to do instead.
    """
    try:
        with path.open("rb") as stream:
            content = stream.read(most + 1)
        if len(content) > most:
            raise DataError(f"{path} is larger than {most / 1e6:g} MB. {remedy}")
        # As when a text file is opened: every kind of line break becomes \n.
        return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    # A path with a NUL character is a ValueError.
    except (OSError, UnicodeDecodeError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{path} cannot be read: {error}.") from error
