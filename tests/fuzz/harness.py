"""What a fuzz target is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Target:
    """A parser or a job that must withstand any input.

    Attributes:
        name: the name of the target's file.
        seeds: gives small real inputs.
        run: writes what it needs of the input's bytes under an empty folder, and calls the parser.
    """

    name: str
    seeds: Callable[[], list[bytes]]
    run: Callable[[bytes, Path], None]
