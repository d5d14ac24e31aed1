"""Files of answers: what is refused, and how they are made from predictions."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora.files import write_infotabs

from nliprobe.api.sources import open_source
from nliprobe.base.errors import DataError, UsageError
from nliprobe.papers.answer_files import check_folder
from nliprobe.papers.infotabs import write_answers as keeping
from nliprobe.papers.infotabs._scores import accuracy, f1_scores
from nliprobe.papers.infotabs.answers_file import NAMES, SHIPPED, find_answers, read_answers
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader, build_representation

GOOD: dict[str, Any] = {
    "system": "para",
    "encoder": "robot",
    "represent": "para",
    "premise": "full",
    "train": ["infotabs/train"],
    "made_by": "a test",
    "digests": {"infotabs/dev": "d"},
    "seeds": {"0": {"infotabs/dev": "ENC"}},
}


def write(path: Path, content: object) -> Path:
    path.write_bytes(gzip.compress(json.dumps(content).encode()))
    return path


def test_good_answers_are_read(tmp_path: Path) -> None:
    found = read_answers(write(tmp_path / "para.json.gz", GOOD))
    assert found.to("infotabs/dev", "d", "EEE") == ["ENC"]
    assert found.by == "robot, para, trained on infotabs/train, seed 0"
    assert find_answers("para", tmp_path) == found
    assert find_answers("no such name", tmp_path) is None


def test_a_note_is_kept_and_need_not_be_there(tmp_path: Path) -> None:
    assert read_answers(write(tmp_path / "para.json.gz", GOOD)).note == ""
    assert read_answers(write(tmp_path / "para.json.gz", {**GOOD, "note": "asked long ago."})).note == "asked long ago."


@pytest.mark.parametrize(
    ("premise", "said"), [("none", "no premise"), ("dummy", "dummy premise"), ("swapped", "para, swapped premises")]
)
def test_premise_controls_are_said(tmp_path: Path, premise: str, said: str) -> None:
    found = read_answers(write(tmp_path / "x.json.gz", {**GOOD, "premise": premise}))
    assert found.by.startswith(f"robot, {said}, trained on ")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"encoder": 3}, "a text under 'encoder'"),
        ({"made_by": None}, "a text under 'made_by'"),
        ({"train": "infotabs/train"}, "a list of corpora under 'train'"),
        ({"digests": {}}, "a digest for each corpus"),
        ({"digests": {"infotabs/dev": 1}}, "a digest for each corpus"),
        ({"digests": {"infotabs/alpha1": "d"}}, "answers of seed 0 to infotabs/alpha1"),
        ({"seeds": {}}, "for each seed a text of letters"),
        ({"seeds": {"0": {"infotabs/dev": ["E"]}}}, "for each seed a text of letters"),
        ({"seeds": {"0": {"infotabs/dev": "ENX"}}}, "only the letters E, N and C for infotabs/dev, seed 0, not 'X'"),
        ({"seeds": {"0": {"infotabs/dev": "en"}}}, "only the letters"),
        ({"seeds": {"0": {"infotabs/dev": "E"}, "1": {}}}, "for each seed a text of letters"),
    ],
)
def test_odd_content_is_refused(tmp_path: Path, change: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_answers(write(tmp_path / "para.json.gz", {**GOOD, **change}))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda whole: whole[:-9], "is not a whole gzip file"),
        (lambda whole: whole[:30] + b"\0\0\0\0" + whole[34:], "is not a whole gzip file"),
        (lambda whole: b"", "does not hold JSON|is not a whole gzip file"),
        (lambda whole: b"plain text", "is not a whole gzip file"),
        (lambda whole: gzip.compress(b"{"), "does not hold JSON"),
        (lambda whole: gzip.compress(b"\xff\xfe\xfd"), "does not hold JSON"),
        (lambda whole: gzip.compress(b"[" * 100_000), "does not hold JSON"),
        (lambda whole: gzip.compress(b"[]"), "a JSON object"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, damage: Callable[[bytes], bytes], message: str) -> None:
    path = write(tmp_path / "para.json.gz", GOOD)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(DataError, match=message):
        read_answers(path)


def test_folders_without_a_use_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no answers"):
        check_folder(tmp_path)
    write(tmp_path / "struct.json.gz", GOOD)
    check_folder(tmp_path)
    write(tmp_path / "parra.json.gz", GOOD)
    with pytest.raises(UsageError, match="Did you mean 'para'"):
        check_folder(tmp_path)


def test_every_file_kept_is_whole_and_has_its_place() -> None:
    kept = sorted(SHIPPED.glob("*"))
    assert kept
    for path in kept:
        name = path.name.removesuffix(".json.gz")
        assert name in NAMES
        found = read_answers(path)
        assert found.system == name
        assert found.made_by
        for answers in found.seeds.values():
            assert all(len(answers[split]) in (160, 1800) for split in answers)


@given(st.lists(st.tuples(st.sampled_from("ENC"), st.sampled_from("ENC")), min_size=1))
def test_scores_are_those_of_the_definition(pairs: list[tuple[str, str]]) -> None:
    gold, said = ("".join(letters) for letters in zip(*pairs, strict=True))
    assert accuracy(gold, said) == pytest.approx(100 * sum(a == b for a, b in pairs) / len(pairs))
    for label, score in zip("ENC", f1_scores(gold, said), strict=True):
        right = sum(a == b == label for a, b in pairs)
        both = gold.count(label) + said.count(label)
        assert score == pytest.approx(200 * right / both if both else 0)


# Making them --------------------------------------------------------------------------------------------------

LINES = ["A\tT1\tAda was born in 1815.\tE", "A\tT1\tAda liked tea.\tN", "B\tT1\tAda was a painter.\tC"]


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(keeping, "ON", ("infotabs/dev",))
    return write_infotabs(tmp_path / "infotabs", LINES).parent


def predictions(path: Path, root: Path, scores: list[list[float]], premise: Control = Control.FULL) -> Path:
    reader = Reader(build_representation("para"), premise, seed=0, keyed=False)
    inputs = [reader.read_pair(pair) for pair in open_source("infotabs/dev", root).pairs()]
    # Backwards, and one short if the scores are: answers are found by what was read, not by their line.
    found = [{"input_id": item.id, "probabilities": row} for item, row in zip(inputs, scores, strict=False)][::-1]
    text = "".join(json.dumps(record) + "\n" for record in found).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


SCORES = [[0.8, 0.1, 0.1], [0.2, 0.2, 0.6], [0.4, 0.4, 0.2]]


@pytest.mark.parametrize(
    ("premise", "name"), [(Control.FULL, "p.jsonl"), (Control.NONE, "p.jsonl"), (Control.DUMMY, "p.jsonl.gz")]
)
def test_predictions_become_letters(tmp_path: Path, small: Path, premise: Control, name: str) -> None:
    file = predictions(tmp_path / name, small, SCORES, premise)
    out = CliRunner().invoke(
        keeping.main,
        [
            *("dummy", str(file), str(file), "--premise", premise.value, "--encoder", "robot", "--made-by", "me"),
            *("--train", "snli/train", "--from", str(small), "--out", str(tmp_path / "out")),
        ],
    )
    assert out.exit_code == 0, out.output
    found = read_answers(tmp_path / "out" / "dummy.json.gz")
    digest = open_source("infotabs/dev", small).digest()
    # A tie goes to the first of E, N, C.
    assert found.to("infotabs/dev", digest, "ENC") == ["ECE", "ECE"]
    assert (found.premise, found.train, found.made_by) == (premise.value, ("snli/train",), "me")


def test_predictions_that_do_not_fit_are_refused(tmp_path: Path, small: Path) -> None:
    about = keeping.Description("para", "robot")
    file = predictions(tmp_path / "p.jsonl", small, SCORES)

    def keep(about: keeping.Description, path: Path) -> Path:
        return keeping.write_answers(about, [path], tmp_path / "out", root=small)

    with pytest.raises(UsageError, match="There is no place for answers 'parra'"):
        keep(keeping.Description("parra", "robot"), file)
    with pytest.raises(DataError, match="answers no pair of infotabs/dev as read with represent=struct"):
        keep(keeping.Description("struct", "robot", "struct"), file)
    with pytest.raises(DataError, match="answers 2 of the 3 pairs of infotabs/dev, not all"):
        keep(about, predictions(tmp_path / "short.jsonl", small, SCORES[:2]))
    assert not (tmp_path / "out").exists()
    missing = CliRunner().invoke(keeping.main, ["para", str(tmp_path / "no.jsonl"), "--encoder", "x", "--out", "o"])
    assert missing.exit_code == 1
    assert "no.jsonl" in missing.output
