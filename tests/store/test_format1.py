"""Runs of format 1: read as before, with a note, and never written. The folder in data/ was made by version 0.1."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.cli.helpers import nliprobe, nliprobe_json

from nliprobe.analysis.compare.comparison import compare
from nliprobe.analysis.failures import failures
from nliprobe.analysis.summary import summarise
from nliprobe.api.report import report
from nliprobe.base.errors import StoreError
from nliprobe.store import format1
from nliprobe.store.access import CaseFilter
from nliprobe.store.frames import schema
from nliprobe.store.record import Counts, SystemStatus
from nliprobe.store.run import RunFolder
from nliprobe.store.soundness import KINDS
from nliprobe.task.labels import THREE_WAY

FOLDER = Path(__file__).parent / "data" / "format1"


def test_records_of_format_1_are_those_of_format_2() -> None:
    run = RunFolder.open(FOLDER)
    assert run.record.format == 1
    assert run.record.counts == Counts(cases=91, pairs=10, shards=2)
    assert run.record.shard_size == 64
    assert run.record.suite.hash == json.loads((FOLDER / "run.json").read_text())["suite"]["hash"]
    assert [item.name for item in run.corpora] == ["builtin/tables-dev?limit=5", "builtin/sentences-dev?limit=5"]
    assert [item.spec for item in run.record.suite.probes] == ["gold", "rows.delete", "dir.append", "inv.surface"]
    assert [(item.name, item.train, item.train_premise) for item in run.systems] == [
        ("fixed", (), None),
        ("most", ("builtin/tables-train",), "full"),
    ]
    assert run.systems[0].doctor is not None
    assert run.systems[0].doctor.status == "weak"
    assert run.complete
    assert run.finished is not None
    assert run.notes == {"run": [format1.NOTE]}
    assert list(run.faults()) == [], "there is nothing to compare with"


def test_all_shards_of_format_1_have_the_columns_of_today() -> None:
    run = RunFolder.open(FOLDER)
    for kind in (*KINDS, *(item.predictions for item in run.systems)):
        names = list(schema(kind.partition("/")[0]))
        assert run.read(kind).columns == names
        for name in names:
            assert run.read(kind, [name]).columns == [name]


def test_every_reader_reads_format_1(tmp_path: Path) -> None:
    run = RunFolder.open(FOLDER)
    document = summarise(run)
    accuracies = {(item["system"], item["corpus"]): item["accuracy"] for item in document["scores"]}
    # As version 0.1 printed them.
    assert accuracies == {
        ("fixed", "builtin/tables-dev?limit=5"): 0.0,
        ("fixed", "builtin/sentences-dev?limit=5"): 0.4,
        ("most", "builtin/tables-dev?limit=5"): 0.6,
        ("most", "builtin/sentences-dev?limit=5"): 0.4,
    }
    assert document["notes"]["run"] == [format1.NOTE]
    assert failures(run)["totals"]
    assert compare(run, run, "fixed", "most")["comparisons"]
    assert format1.NOTE in report(run, tmp_path / "report.html").read_text(encoding="utf-8")
    assert nliprobe_json("show", str(FOLDER))["notes"]["run"] == [format1.NOTE]
    assert "not verified" in " ".join(nliprobe("show", str(FOLDER)).stdout.split())


def test_single_cases_of_format_1() -> None:
    run = RunFolder.open(FOLDER)
    for row in run.read("cases").rows(named=True):
        one = run.case(row["case_id"])
        assert one.case == row
        assert one.pair is not None
        assert set(one.answers) == {"fixed", "most"}
    page = run.page(CaseFilter(probe="dir.append", system="most", label="E"), limit=3)
    assert page.cases["probe"].to_list() == ["dir.append"] * 3
    assert page.after == page.cases["case_id"][2]


def test_nothing_is_written_into_a_run_of_format_1(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "run")
    before = {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()}
    run = RunFolder.open(tmp_path / "run")
    for work in (
        lambda: run.write("cases", 0, run.read("cases")),
        lambda: run.has("cases", 0),
        lambda: run.add(run.systems[0]),
        lambda: run.settle(Counts(1, 1, 1), []),
        lambda: run.finish(run.systems[0], "now"),
    ):
        with pytest.raises(StoreError, match=r"has format 1.*it can be read, but not continued. Make it again"):
            work()
    assert {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()} == before


def test_run_refuses_to_add_to_a_run_of_format_1_before_anything_is_asked(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "run")
    (tmp_path / "model.py").write_text("raise SystemExit('the model must not be loaded')")
    system = f"python:{tmp_path / 'model.py'}:answer?name=new"
    done = nliprobe("run", "--system", system, "--on", "builtin/tables-dev", "--out", str(tmp_path / "run"), code=1)
    assert "it can be read, but not continued. Make it again in another folder with --out" in done.stderr


def test_what_early_versions_did_not_say_has_a_default(tmp_path: Path) -> None:
    content = {"format": 1, "suite": {"corpora": [{"name": "c"}]}, "systems": [{"name": "m", "folder": "m-1"}]}
    (tmp_path / "run.json").write_text(json.dumps(content))
    run = RunFolder.open(tmp_path)
    assert run.status is SystemStatus.RUNNING
    assert (run.corpora[0].partition, run.systems[0].partition, run.systems[0].premise) == (
        THREE_WAY,
        THREE_WAY,
        "full",
    )
    (tmp_path / "run.json").write_text(json.dumps({**content, "systems": [{"name": "m", "folder": 3}]}))
    with pytest.raises(StoreError, match=r"run.json has 3 under 'systems\[0\].folder': expected a text"):
        RunFolder.open(tmp_path)
