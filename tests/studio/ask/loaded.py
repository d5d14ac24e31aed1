"""A studio that has loaded two systems to try."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.studio.helpers import TOKEN

from nliprobe.studio.context import Studio, open_studio
from nliprobe.studio.limits import Bucket
from nliprobe.studio.settings import Settings


@contextmanager
def two_systems(folder: Path) -> Iterator[Studio]:
    """Open a studio in a folder with ``small``, and with a twin of it that reads no premise."""
    (folder / "runs").mkdir()
    systems = ("small", "small?premise=none&name=wording")
    made = open_studio(Settings(folder / "runs", str(folder / "people.sqlite"), systems=systems), TOKEN)
    # The tests are one client that is faster than a person.
    made.requests = Bucket(10_000, 1000)
    yield made
    made.close()
