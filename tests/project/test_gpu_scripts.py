"""The scripts that take trainings to a GPU machine and bring answers back."""

from __future__ import annotations

import importlib
import json
import sys
import tarfile
from pathlib import Path
from types import ModuleType

import pytest

from nliprobe.papers.checklist._genders import ASKED
from nliprobe.papers.infotabs.answers_file import NAMES

GPU = Path(__file__).parents[2] / "benchmarks" / "gpu"
INFOTABS = sorted(GPU.glob("infotabs_*.json"))


def script(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(GPU))
    monkeypatch.delitem(sys.modules, name, raising=False)
    return importlib.import_module(name)


@pytest.mark.parametrize("sizes", [[], [5], [40, 40, 40], [90, 10, 50, 45, 3, 2, 1]])
def test_archives_hold_every_file_within_the_limit(
    sizes: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = script("job", monkeypatch)
    monkeypatch.setattr(job, "LARGEST", 100_000 + 2048)
    answers, out = tmp_path / "plan" / "answers", tmp_path / "out"
    answers.mkdir(parents=True)
    out.mkdir()
    for number, size in enumerate(sizes):
        (answers / f"{number}.jsonl.gz").write_bytes(bytes(1000 * size))
    job.pack(list(answers.iterdir()), out)
    names: list[str] = []
    for path in out.iterdir():
        with tarfile.open(path) as archive:
            inside = archive.getmembers()
        assert sum(member.size for member in inside) <= job.LARGEST
        names += [member.name for member in inside]
    assert sorted(names) == [f"plan/{number}.jsonl.gz" for number in range(len(sizes))]


def test_a_plan_that_takes_too_long_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = script("job", monkeypatch)
    monkeypatch.setattr(job, "WORK", tmp_path)
    # It starts another process, which must end too, or waiting for the group would take its time.
    monkeypatch.setattr(job, "COMMAND", ("/bin/sh", "-c", "sleep 600 & wait"))
    assert job.run(tmp_path / "plan.json", 1) == 1


@pytest.mark.parametrize("plan", INFOTABS, ids=[path.stem for path in INFOTABS])
def test_every_asking_of_infotabs_has_a_place_and_says_what_was_read(
    plan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = script("keep", monkeypatch)
    for system in json.loads(plan.read_text(encoding="utf-8"))["systems"]:
        assert system["seeds"] == [0, 1, 2]
        for suite in system["ask"]:
            about = keep.describe(system, suite, plan)
            assert about.system in NAMES
            read = {"struct": "struct", "tabattn": "keyvalue"}.get(suite["name"], "para")
            assert about.represent == (suite["name"][-5:] if "wmd" in suite["name"] else read)
            assert all("carry" not in name for name in about.train)


def test_every_name_of_infotabs_is_asked() -> None:
    asked = [
        suite["name"]
        for plan in INFOTABS
        for system in json.loads(plan.read_text(encoding="utf-8"))["systems"]
        for suite in system["ask"]
    ]
    assert sorted(asked) == sorted(NAMES)


def test_the_plan_of_the_checklist_asks_the_cells_of_tables_5_and_6() -> None:
    plan = json.loads((GPU / "checklist_minilm.json").read_text(encoding="utf-8"))
    for system in plan["systems"]:
        assert [suite["on"] for suite in system["ask"] if suite["name"].endswith("-cells")] == [[ASKED]]
