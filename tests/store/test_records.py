"""The records of a run: read back as written, and refused when they are not what nliprobe writes."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nliprobe.base.errors import StoreError
from nliprobe.base.fields import Fields
from nliprobe.base.files import sealed
from nliprobe.store.record import (
    CorpusRecord,
    Counts,
    ProbeRecord,
    RunRecord,
    SkippedPairs,
    SuiteRecord,
    SystemRecord,
    SystemStatus,
)
from nliprobe.store.run import RunFolder
from nliprobe.store.verdict import OFF, Verdict
from nliprobe.task.labels import THREE_WAY, Partition

text = st.text(st.characters(codec="utf-8"), max_size=12)
number = st.integers(0, 2**40)
partition = st.sampled_from(["E|N|C", "E|NC", "E|C"]).map(Partition.parse)
suites = st.builds(
    SuiteRecord,
    text,
    number,
    st.lists(st.builds(CorpusRecord, text, text, partition), max_size=3, unique_by=lambda item: item.name).map(tuple),
    st.lists(st.builds(ProbeRecord, text, text, number, st.none() | text), max_size=3).map(tuple),
)
runs = st.builds(
    RunRecord,
    text,
    text,
    text,
    suites,
    st.integers(1, 2**40),
    st.none() | st.builds(Counts, number, number, number),
    st.lists(st.builds(SkippedPairs, text, text, text, number), max_size=3).map(tuple),
    st.dictionaries(st.sampled_from(["pairs", "facets", "cases"]), text),
)
texts = st.lists(text, max_size=3).map(tuple)
systems = st.builds(
    SystemRecord,
    text,
    st.from_regex(r"[a-z0-9][a-z0-9.-]{0,10}", fullmatch=True),
    text,
    text,
    st.none() | text,
    partition,
    text,
    text,
    st.none() | text,
    text,
    texts,
    st.none() | text,
    st.none() | st.builds(Verdict, text, number, number, text, number, texts, number, text, text, texts),
    number,
    st.sampled_from(SystemStatus),
    st.none() | text,
    texts,
    st.none() | text,
    number,
    st.dictionaries(text, text, max_size=3),
)
SYSTEM = SystemRecord("m", "m-1", "m", "1")
RECORD = RunRecord("0.1.0", "3.11", "2024", SuiteRecord("h", 0, (CorpusRecord("c", "d", THREE_WAY),), ()), 8)


@settings(max_examples=60)
@given(runs, st.lists(systems, max_size=3, unique_by=(lambda item: item.folder, lambda item: item.name)))
def test_a_run_reads_what_it_has_written(record: RunRecord, records: list[SystemRecord]) -> None:
    with tempfile.TemporaryDirectory() as name:
        RunFolder.create(Path(name) / "run", record, records)
        run = RunFolder.open(Path(name) / "run")
        assert run.record == record
        assert run.systems == tuple(replace(item, place=place) for place, item in enumerate(records))


def alter(path: Path, change: Callable[[dict[str, object]], object], *, seal: bool) -> None:
    """Change a record file as an editor would, or as a version with a mistake, which seals what it writes."""
    content = json.loads(path.read_text())
    change(content)
    content.pop("digest", None) if seal else None
    path.write_bytes(sealed(content) if seal else json.dumps(content).encode())


@pytest.mark.parametrize("file", ["run.json", "systems/m-1.json"])
def test_an_altered_record_is_refused(tmp_path: Path, file: str) -> None:
    RunFolder.create(tmp_path / "run", RECORD, [SYSTEM])
    path = tmp_path / "run" / file
    before = path.read_text()
    alter(path, lambda content: content.update({"notes": ["new"], "created": "1999"}), seal=False)
    with pytest.raises(StoreError, match=f"{Path(file).name} was altered after nliprobe wrote it"):
        RunFolder.open(tmp_path / "run")
    alter(path, lambda content: content.pop("digest"), seal=False)
    with pytest.raises(StoreError, match=r"lacks the key 'digest'"):
        RunFolder.open(tmp_path / "run")
    path.write_text(json.dumps(json.loads(before), sort_keys=True))
    assert RunFolder.open(tmp_path / "run").record == RECORD, "the order of keys and spaces do not count"


@pytest.mark.parametrize(
    ("file", "key", "value", "sentence"),
    [
        ("run.json", "shard_size", "many", r"run.json has \"many\" under 'shard_size': expected a number"),
        ("run.json", "shard_size", True, r"has true under 'shard_size': expected a number"),
        ("run.json", "created", None, r"has null under 'created': expected a text"),
        ("run.json", "skipped", {}, r"has {} under 'skipped': expected a list of objects"),
        ("run.json", "content", {"cases": 3}, r"has 3 under 'content.cases': expected a text"),
        ("run.json", "suite", [], r"has \[\] under 'suite': expected an object"),
        ("run.json", "suite", {"hash": "h", "seed": 0, "probes": []}, r"lacks the key 'suite.corpora'"),
        (
            "run.json",
            "suite",
            {"hash": "h", "seed": 0, "probes": [], "corpora": [{"name": "c", "digest": "d", "partition": "E|X"}]},
            r"has \"E\|X\" under 'suite.corpora\[0\].partition': expected a partition of labels",
        ),
        ("systems/m-1.json", "partition", "EN|N", r"m-1.json has \"EN\|N\" under 'partition': expected a partition"),
        ("systems/m-1.json", "status", "done", r"under 'status': expected running or complete"),
        ("systems/m-1.json", "train", ["a", 1], r"under 'train': expected a list of texts"),
        ("systems/m-1.json", "folder", "../m", r"under 'folder': expected the name of a folder"),
        ("systems/m-1.json", "doctor", {"status": "ok"}, r"lacks the key 'doctor.right'"),
    ],
)
def test_a_wrong_value_is_a_sentence(tmp_path: Path, file: str, key: str, value: object, sentence: str) -> None:
    RunFolder.create(tmp_path / "run", RECORD, [SYSTEM])
    alter(tmp_path / "run" / file, lambda content: content.update({key: value}), seal=True)
    with pytest.raises(StoreError, match=sentence):
        RunFolder.open(tmp_path / "run")


@pytest.mark.parametrize("key", [*RECORD.to_json(), *SYSTEM.to_json()])
def test_every_key_without_a_default_must_be_there(tmp_path: Path, key: str) -> None:
    may_lack = {"counts", "fingerprint", "train_premise", "family", "doctor", "finished", "failed", "made_from"}
    RunFolder.create(tmp_path / "run", RECORD, [SYSTEM])
    file = "run.json" if key in RECORD.to_json() and key != "content" else "systems/m-1.json"
    alter(tmp_path / "run" / file, lambda content: content.pop(key), seal=True)
    if key in may_lack or (key, file) == ("content", "systems/m-1.json"):
        RunFolder.open(tmp_path / "run")
        return
    expected = "does not say its format" if key == "format" else f"lacks the key '{key}'"
    with pytest.raises(StoreError, match=expected):
        RunFolder.open(tmp_path / "run")


def test_status_and_end_follow_from_the_systems(tmp_path: Path) -> None:
    done = replace(SYSTEM, status=SystemStatus.COMPLETE, finished="2024-01-02")
    later = SystemRecord("n", "n-1", "n", "2", status=SystemStatus.COMPLETE, finished="2024-01-03", notes=("cut",))
    run = RunFolder(tmp_path, RECORD, [done, later])
    assert (run.complete, run.status, run.finished) == (True, SystemStatus.COMPLETE, "2024-01-03")
    assert run.notes == {"n": ["cut"]}
    run.systems = (done, replace(later, status=SystemStatus.RUNNING))
    assert (run.complete, run.status, run.finished) == (False, SystemStatus.RUNNING, None)
    assert not RunFolder(tmp_path, RECORD).complete, "a run without systems has asked nothing"


def test_reports_tell_what_makes_numbers_doubtful(tmp_path: Path) -> None:
    verdicts = [
        OFF,
        Verdict("permuted", findings=("Its labels …",)),
        Verdict("ok", findings=("It answers at random …",), habits=("random",)),
        Verdict("weak", findings=("It answers 8 of 30 …",), habits=("constant",)),
    ]
    systems = [SystemRecord(str(n), str(n), "m", str(n), doctor=item) for n, item in enumerate(verdicts)]
    told = RunFolder.create(tmp_path / "run", RECORD, systems).notes
    assert list(told) == ["0", "1", "2"]
    assert told["0"] == ["Doctor: It was not examined (--no-doctor): the order of its labels was not checked."]
    assert RunFolder.open(tmp_path / "run").notes == told


def test_a_verdict_of_an_early_run_says_less(tmp_path: Path) -> None:
    RunFolder.create(tmp_path / "run", RECORD, [SYSTEM])
    early = {"status": "ok", "right": 30, "n": 30, "labels": "", "right_then": 0, "findings": []}
    alter(tmp_path / "run" / "systems/m-1.json", lambda content: content.update(doctor=early), seal=True)
    assert RunFolder.open(tmp_path / "run").systems[0].doctor == Verdict("ok", 30, 30)


def test_a_second_system_of_a_name_is_refused(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path / "run", RECORD, [SYSTEM])
    run.add(SYSTEM)
    with pytest.raises(StoreError, match="has another system named 'm'"):
        run.add(replace(SYSTEM, folder="m-2", identity="2"))
    assert RunFolder.open(tmp_path / "run").systems == (SYSTEM,)


def test_errors_of_fields_are_short() -> None:
    with pytest.raises(StoreError, match="…") as caught:
        Fields("f", {"x": ["long"] * 100}).text("x")
    assert len(str(caught.value)) < 120
