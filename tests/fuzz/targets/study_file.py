"""The file of a study, which people may write by hand, and what a front end would send of it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from tests.fuzz.harness import Target
from tests.fuzz.targets._attempts import attempt
from tests.people.studied import small_study

from nliprobe.people.study.files import read_study, study_json
from nliprobe.people.study.orders import item_order, order_of
from nliprobe.people.study.shown import shown_item, shown_stage, shown_study


def _seeds() -> list[bytes]:
    whole = study_json(small_study()[0])
    # Without the id of its questions, which every change would contradict.
    free = {name: value for name, value in whole.items() if name != "study"}
    return [json.dumps(whole).encode(), json.dumps(free).encode()]


def _run(data: bytes, folder: Path) -> None:
    path = folder / "study.json"
    path.write_bytes(data)
    attempt(partial(_read, path))


def _read(path: Path) -> None:
    study = read_study(path)
    json.dumps(shown_study(study)).encode()
    for name in order_of(study, 1):
        json.dumps(shown_stage(study, name)).encode()
        for item in item_order(study, name, 1):
            json.dumps(shown_item(study, name, item)).encode()


TARGET = Target("study_file", _seeds, _run)
