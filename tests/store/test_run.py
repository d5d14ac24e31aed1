from __future__ import annotations

from pathlib import Path

import pytest

from nliprobe.base.errors import NotFoundError, StoreError
from nliprobe.base.files import read_json, write_json
from nliprobe.store.frames import ADDED, case_frames, parquet_bytes, prediction_frame, read_pairs
from nliprobe.store.record import CorpusRecord, ProbeRecord, RunRecord, SuiteRecord, SystemRecord
from nliprobe.store.run import FORMAT, RunFolder
from nliprobe.task.case import Case, Prediction, Status, identity_case, identity_id
from nliprobe.task.edits import delete_unit
from nliprobe.task.evidence import Evidence
from nliprobe.task.labels import THREE_WAY, LabelSet
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.relations import DELETE
from nliprobe.task.table import Row, Table
from nliprobe.task.units import Rows

TABLE = Table("t", (Row("a", ("1", "2")), Row("b", ("3",))), "Film")
PAIR = Pair(
    "c/s/0", TABLE, "h", LabelSet.of("E"), "T1", Evidence((0,)), facets=(Facet("author", "x"), Facet("author", "y"))
)
TEXT = Pair("c/s/1", "premise", "h2", sentences=((0, 3), (4, 7)))
SUITE = SuiteRecord("abc", 0, (CorpusRecord("c/s", "d", THREE_WAY),), (ProbeRecord("gold", "gold", 1),))
RECORD = RunRecord("0.1.0", "3.11", "2024-01-01T00:00:00+00:00", SUITE, 32_768)


def shard() -> tuple[list[str], list[Case]]:
    edits = (delete_unit(Rows(TABLE), 0),)
    derived = Case(
        "derived", "rows.delete", PAIR, TABLE.delete(0), "h",
        bases=(identity_id(PAIR.id),), expects=DELETE.relation, edits=edits,
    )  # fmt: skip
    return ["c/s"] * 3, [identity_case(PAIR), derived, identity_case(TEXT)]


def test_frames_keep_everything() -> None:
    frames = case_frames(*shard())
    assert frames["pairs"].rows() == [
        ("c/s/0", "c/s", "table", TABLE.to_json(), "h", "E", "T1", [0], None, "gold", False, False, None),
        ("c/s/1", "c/s", "text", "premise", "h2", None, "c/s/1", None, None, None, None, None, [0, 3, 4, 7]),
    ]
    assert frames["facets"].rows() == [("c/s/0", None, "author", "x"), ("c/s/0", None, "author", "y")]
    assert frames["cases"]["bases"].to_list() == [[], [identity_id("c/s/0")], []]
    assert frames["cases"]["expects"].to_list() == [None, "E>EN N>N C>NC", None]
    assert frames["cases"]["gold"].to_list() == ["E", None, None]


def test_pairs_of_earlier_versions_have_empty_columns(tmp_path: Path) -> None:
    frame = case_frames(*shard())["pairs"]
    path = tmp_path / "00000.parquet"
    path.write_bytes(parquet_bytes(frame.drop(ADDED)))
    assert read_pairs(path).rows() == [(*row[:9], None, None, None, None) for row in frame.rows()]
    assert read_pairs(path, ["sentences", "pair_id"]).rows() == [(None, "c/s/0"), (None, "c/s/1")]
    assert read_pairs(path).schema == frame.schema


def test_prediction_frame_keeps_unanswered_apart() -> None:
    answers = [Prediction(LabelSet.of("NC"), (0.1, 0.4, 0.5)), Prediction(None, None, Status.NO_ANSWER, "hm")]
    frame = prediction_frame(["a", "b"], ["i", "j"], answers)
    assert frame["label"].to_list() == ["NC", None]
    assert frame["p_e"].to_list() == [pytest.approx(0.1), None]
    assert frame["status"].to_list() == ["ok", "no answer"]
    assert frame["raw"].to_list() == [None, "hm"]


def test_run_folder_round_trip(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path / "run", RECORD, [SystemRecord("m", "m-1", "m", "1")])
    frames = case_frames(*shard())
    for kind, frame in frames.items():
        run.write(kind, 0, frame)
    again = RunFolder.open(tmp_path / "run")
    assert again.read("cases").equals(frames["cases"])
    assert again.read("cases", ["case_id"]).columns == ["case_id"]
    assert again.has("cases", 0, 3)
    assert not again.has("cases", 1)
    assert again.predictions("m").height == 0
    assert not again.complete
    with pytest.raises(NotFoundError, match=r"no system 'n'. Available: m."):
        again.system("n")


def test_run_folder_sets_a_damaged_shard_aside(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path / "run", RECORD)
    run.write("cases", 0, case_frames(*shard())["cases"])
    path = run.shard("cases", 0)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(StoreError, match="is damaged"):
        run.read("cases")
    assert not run.has("cases", 0, 3)
    assert not path.exists()
    run.write("cases", 0, case_frames(*shard())["cases"])
    assert not run.has("cases", 0, 4), "a shard of another size is not the one wanted"


def test_run_folder_of_a_newer_format_is_refused(tmp_path: Path) -> None:
    write_json(tmp_path / "run.json", {"format": FORMAT + 1, "nliprobe": "9.0"})
    with pytest.raises(StoreError, match=r"newer than format 2 .*written by nliprobe 9.0.* Update nliprobe"):
        RunFolder.open(tmp_path)


def test_run_folder_is_not_any_folder(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"is not a run: it has no run.json"):
        RunFolder.open(tmp_path)
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(StoreError, match="exists and is not a run"):
        RunFolder.create(tmp_path, RECORD)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["mine.txt"]
    write_json(tmp_path / "run.json", {"x": 1})
    with pytest.raises(StoreError, match="does not say its format"):
        RunFolder.open(tmp_path)
    assert read_json(tmp_path / "run.json") == {"x": 1}


def test_a_kill_before_the_manifest_was_whole_leaves_a_folder_that_can_be_used(tmp_path: Path) -> None:
    (tmp_path / ".run.json.4711.partial").write_text('{"form')
    assert RunFolder.create(tmp_path, RECORD).path == tmp_path
    assert RunFolder.open(tmp_path).record == RECORD
