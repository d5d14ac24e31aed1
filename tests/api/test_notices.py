"""What is doubtful about one's own pairs is said by run and score, on the console and in their documents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.corpora.files import write_rows

import nliprobe
from nliprobe.base.errors import DataError, UsageError
from nliprobe.store.run import RunFolder

ABSENT = "No pair is labelled C, though E|N|C is told apart. If that is meant, declare it: partition=E|NC."


def rows(label: str, values: list[object]) -> list[dict[str, object]]:
    return [{"text": f"p{n}", "claim": f"h{n}", label: value} for n, value in enumerate(values)]


def answer(premises: list[str], hypotheses: list[str]) -> list[str]:
    return ["neutral"] * len(premises)


def test_a_run_says_and_keeps_what_is_doubtful(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "x.csv", rows("verdict", ["supports", "nei"]))
    said: list[str] = []
    run = nliprobe.run({"mine": answer}, f"file:{path}", out=tmp_path / "run", say=said.append)
    assert f"x: {ABSENT}" in said
    assert run.summary()["notes"]["x"] == [ABSENT]
    kept = json.loads((tmp_path / "run" / "run.json").read_text())
    assert kept["suite"]["corpora"][0]["notes"] == [ABSENT]
    assert RunFolder.open(tmp_path / "run").corpora[0].notes == (ABSENT,)
    said.clear()
    nliprobe.run({"mine": answer}, f"file:{path}", out=tmp_path / "run", say=said.append)
    assert not any(ABSENT in line for line in said), "a run that is repeated reads no pair"


def test_a_run_without_labels_says_which_columns_were_taken(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "x.csv", rows("topic", ["a", "b"]))
    run = nliprobe.run({"mine": answer}, f"file:{path}?limit=1", out=tmp_path / "run")
    (note,) = run.summary()["notes"]["x?limit=1"]
    assert "No pair has a label" in note
    assert "premise = text, hypothesis = claim, label = none" in note
    clean = nliprobe.run({"mine": answer}, f"file:{path}?label=none", out=tmp_path / "other")
    assert clean.summary()["notes"] == {}


def test_a_run_on_silver_evidence_says_how_good_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NLIPROBE_DATA", raising=False)
    name = "builtin/tables-dev?evidence=lexical&limit=2"
    run = nliprobe.run({"mine": answer}, name, out=tmp_path / "run")
    (note,) = run.summary()["notes"][name]
    assert note == "The evidence 'lexical' is a program's guess (silver); its quality is not measured here."
    plain = nliprobe.run({"mine": answer}, "builtin/tables-dev?limit=2", out=tmp_path / "plain")
    assert plain.summary()["notes"] == {}


@pytest.mark.parametrize("values", [["supports", "refutes"], [0, 1], ["entailment", "neutrl"] * 2 + ["neutral"] * 9])
def test_frames_with_something_like_a_label_are_asked_about(values: list[object]) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows("mark", values))
    with pytest.raises(UsageError, match=r'\'mark\' could be one .*nliprobe\.pairs\(data, label="mark"\)'):
        nliprobe.run({"mine": answer}, frame)
    run = nliprobe.run({"mine": answer}, nliprobe.pairs(frame, label="none"))
    assert run.summary()["notes"] == {}


def test_score_says_what_is_doubtful(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "x.csv", rows("verdict", ["supports", "nei"]))
    assert ABSENT in nliprobe.score(["entailment", "neutral"], f"file:{path}").document["notes"]
    unlabelled = write_rows(tmp_path / "y.csv", rows("topic", ["a", "b"]))
    expected = r"no labelled pair.* Taken: premise = text, hypothesis = claim, label = none.*not used: topic"
    with pytest.raises(DataError, match=expected):
        nliprobe.score(["entailment", "neutral"], f"file:{unlabelled}")
