"""Annotation sheets that people have filled in, and the key beside them."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

from tests.fuzz.harness import Target
from tests.fuzz.targets._attempts import attempt

from nliprobe.people.sheets import KEY, read_sheets, write_sheets
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair

_PAIRS = [
    Pair(f"x/{number}", f'Premise "{number}",\nhere.', "Hypothesis.", LabelSet.of("ENC"[number % 3]), f"t{number % 2}")
    for number in range(4)
]


def _seeds() -> list[bytes]:
    with tempfile.TemporaryDirectory() as place:
        [sheet] = write_sheets(_PAIRS, Path(place), k=2, raters=1)
        empty = sheet.read_bytes()
        return [empty, empty.replace(b".,,", b".,entailment,"), (Path(place) / KEY).read_bytes()]


def _run(data: bytes, folder: Path) -> None:
    [sheet] = write_sheets(_PAIRS, folder, k=2, raters=1)
    written = sheet.read_bytes()
    sheet.write_bytes(data)
    attempt(partial(read_sheets, folder))
    sheet.write_bytes(written)
    (folder / KEY).write_bytes(data)
    attempt(partial(read_sheets, folder))


TARGET = Target("annotation_sheets", _seeds, _run)
