"""The files of a study: written and read back, and faults of hand-made ones as sentences."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.analysis.schemas import validate
from tests.people.studied import write_small_study

from nliprobe.base.errors import DataError, NliprobeError, NotFoundError, StoreError
from nliprobe.people.study.files import KEY, STUDY, read_key, read_study

Change = Callable[[Any], object]


def changed(folder: Path, name: str, change: Change) -> None:
    path = folder / name
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")


def test_a_study_is_what_was_written(tmp_path: Path) -> None:
    study, key = write_small_study(tmp_path)
    assert read_study(tmp_path) == study == read_study(tmp_path / STUDY)
    assert read_key(tmp_path, study) == key == read_key(tmp_path / STUDY, study)
    validate("study", json.loads((tmp_path / STUDY).read_text(encoding="utf-8")))
    validate("study-key", json.loads((tmp_path / KEY).read_text(encoding="utf-8")))


def test_texts_may_be_reworded_and_questions_may_not(tmp_path: Path) -> None:
    study, _ = write_small_study(tmp_path)

    def reword(content: Any) -> None:
        content["title"] = "Ein anderer Titel"
        content["landing"] = ["Willkommen."]
        content["stages"][0]["instructions"] = ["Bieten."]

    changed(tmp_path, STUDY, reword)
    again = read_study(tmp_path)
    assert (again.id, again.title) == (study.id, "Ein anderer Titel")
    read_key(tmp_path, again)
    before = (tmp_path / STUDY).read_bytes()
    changes: list[Change] = [
        lambda content: content["items"][0].update(premise="Something else."),
        lambda content: content["stages"][2]["items"][0]["examples"][0].update(label="E"),
        lambda content: content["stages"][0]["labels"][0].update(accuracy=0.75),
        lambda content: content["stages"][2].update(system="System Z"),
    ]
    for change in changes:
        (tmp_path / STUDY).write_bytes(before)
        changed(tmp_path, STUDY, change)
        with pytest.raises(DataError, match="were changed after it was written"):
            read_study(tmp_path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda c: c.update(schema="nliprobe/study/2"), "reads 'nliprobe/study/1'. If a later version"),
        (lambda c: c.pop("stages"), "lacks the key 'stages'"),
        (lambda c: c.update(stages=[]), "expected at least one stage"),
        (lambda c: c["stages"][0].update(question="guess"), "'stages[0].question': expected bid, pick, label"),
        (lambda c: c["stages"][2].update(shows="magic"), "'stages[2].shows'"),
        (lambda c: c["stages"][1].update(id="bids"), "a name that no other entry has"),
        (lambda c: c["stages"][0]["items"][0].update(item="t9"), "expected the id of an item of the study"),
        (lambda c: c["stages"][0]["items"][1].update(item="t1"), "an item that the stage does not have already"),
        (lambda c: c["stages"][0]["items"][0].update(item="q01"), "a template, with its wording"),
        (lambda c: c["stages"][2]["items"][0].update(item="t1"), "without a template's wording"),
        (lambda c: c["stages"][2].update(items=[]), "at least one item"),
        (lambda c: c["stages"][2].update(answers=["E"]), "at least two different answers"),
        (lambda c: c["stages"][2]["feedback"][0].update(id="q01"), "a name that no item of the stage has"),
        (lambda c: c["feedback"][0].update(names_stages="yes"), "expected true or false"),
        (lambda c: c["stages"][0]["labels"][0].update(accuracy=2), "a share from 0 to 1"),
        (lambda c: c.update(orders=[["bids"]]), "each of which names every stage once"),
        (lambda c: c.update(orders=[]), "each of which names every stage once"),
        (lambda c: c.update(points=0), "expected a number from 1"),
        (lambda c: c["stages"][2]["items"][0]["examples"][0].update(premise_marks=[[2, 500]]), "places in the text"),
        (lambda c: c["stages"][2]["items"][0]["examples"][0].update(premise_marks=[[True, 2]]), "places in the text"),
        (lambda c: c["items"][0].update(premise=7), "'items[0].premise': expected a text"),
    ],
)
def test_faults_of_a_study_are_sentences(change: Change, said: str, tmp_path: Path) -> None:
    write_small_study(tmp_path)
    changed(tmp_path, STUDY, change)
    with pytest.raises(NliprobeError) as caught:
        read_study(tmp_path)
    assert said in str(caught.value)
    assert STUDY in str(caught.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda c: c.update(study="0" * 24), "is the key to another study"),
        (lambda c: c["stages"].pop(), "does not say what is right about 'q01' of stage R2"),
        (lambda c: c["stages"][0]["answers"][0].update(truth="81-99"), "which is none of its answers"),
        (lambda c: c["items"].pop(), "does not say which template 'q12' comes from"),
        (lambda c: c.update(schema="other"), "reads 'nliprobe/study-key/1'"),
    ],
)
def test_faults_of_a_key_are_sentences(change: Change, said: str, tmp_path: Path) -> None:
    study, _ = write_small_study(tmp_path)
    changed(tmp_path, KEY, change)
    with pytest.raises(DataError) as caught:
        read_key(tmp_path, study)
    assert said in str(caught.value)


def test_files_that_are_missing_or_torn(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="Make one with nliprobe study new"):
        read_study(tmp_path / "nothing.json")
    study, _ = write_small_study(tmp_path)
    (tmp_path / STUDY).write_bytes((tmp_path / STUDY).read_bytes()[:500])
    with pytest.raises(StoreError, match="does not hold JSON"):
        read_study(tmp_path)
    (tmp_path / KEY).unlink()
    with pytest.raises(NotFoundError, match="put it back"):
        read_key(tmp_path, study)
