"""Answers to probes of InfoTabS: written from runs, read back, and refused where they belong to other cases."""

from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import nliprobe
from nliprobe.analysis.cases import read_run
from nliprobe.analysis.scores import scores
from nliprobe.analysis.transitions import transitions
from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.papers.answer_files import NotMeasuredError
from nliprobe.papers.asked import asked_run, make_cases
from nliprobe.papers.evidence.answers_file import FULL, find_answers
from nliprobe.papers.probe_answers import read_answers
from nliprobe.papers.write_answers import Description, main, write_answers
from nliprobe.store.run import RunFolder

CORPUS = "builtin/tables-dev"
PROBES = ("gold", "rows.delete", "rows.permute")
ABOUT = Description("robot", ("builtin/tables-train",), "a test")
GOOD: dict[str, Any] = {
    "system": FULL,
    "encoder": "robot",
    "represent": "para",
    "premise": "full",
    "train": ["infotabs/train"],
    "made_by": "a test",
    "asked": {"infotabs/dev": {"digest": "d", "suite": "s", "cases": {"gold": "g", "rows.delete": "r"}}},
    "seeds": {"0": {"infotabs/dev": {"gold": "E N", "rows.delete": "EN= "}}},
}


def write(path: Path, content: object) -> Path:
    path.write_bytes(gzip.compress(json.dumps(content).encode()))
    return path


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a model over two probes, and one over another corpus."""
    folder = tmp_path_factory.mktemp("runs")
    for name, corpus in (("one", CORPUS), ("other", "builtin/tables-train")):
        nliprobe.run(
            on=[corpus],
            systems=["svm?family=svm", "svm?premise=none&family=blind"],
            train=["builtin/tables-train"],
            probes=list(PROBES),
            out=folder / name,
        )
    return folder


def test_answers_give_the_same_documents_as_their_run(runs: Path, tmp_path: Path) -> None:
    for family in ("svm", "blind"):
        path = write_answers(FULL, [runs / "one"], family, ABOUT, tmp_path)
        answers = read_answers(path)
        data = read_run(RunFolder.open(runs / "one"))
        made = make_cases(CORPUS, PROBES, None)
        mine = asked_run(answers, [made])
        [name] = [system.name for system in data.systems if ("none" in system.name) == (family == "blind")]
        for compute in (transitions, scores):
            ours = [{**entry, "system": ""} for entry in compute(mine)]
            theirs = [{**entry, "system": ""} for entry in compute(data) if entry["system"] == name]
            assert ours == theirs
    # Whoever sees no premise reads every edit of it like the pair itself.
    assert set(answers.seeds["0"][CORPUS]["rows.delete"]) <= {"=", " "}


def test_the_same_run_makes_the_same_file(runs: Path, tmp_path: Path) -> None:
    first = write_answers(FULL, [runs / "one"], "svm", ABOUT, tmp_path / "a").read_bytes()
    assert write_answers(FULL, [runs / "one"], "svm", ABOUT, tmp_path / "b").read_bytes() == first


def test_runs_over_different_corpora_make_one_file(runs: Path, tmp_path: Path) -> None:
    answers = read_answers(write_answers(FULL, [runs / "one", runs / "other"], "svm", ABOUT, tmp_path))
    assert list(answers.asked) == [CORPUS, "builtin/tables-train"]
    assert answers.asked[CORPUS].suite != answers.asked["builtin/tables-train"].suite
    with pytest.raises(DataError, match=r"is in .* and in a run before it"):
        write_answers(FULL, [runs / "one", runs / "one"], "svm", ABOUT, tmp_path)


def test_what_cannot_be_written_is_said(runs: Path, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="has no system of the family 'nobody'"):
        write_answers(FULL, [runs / "one"], "nobody", ABOUT, tmp_path)
    with pytest.raises(UsageError, match=r"No table reads answers 'evidence-parra'. Did you mean 'evidence-para'"):
        write_answers("evidence-parra", [runs / "one"], "svm", ABOUT, tmp_path)
    words = [FULL, str(runs / "one"), "--family", "svm", "--encoder", "robot", "--train", "x", "--out", str(tmp_path)]
    done = CliRunner().invoke(main, words)
    assert done.output == f"{tmp_path / FULL}.json.gz\n"
    failed = CliRunner().invoke(main, [*words[:3], "nobody", *words[4:]])
    assert failed.exit_code == 1
    assert "Error: " in failed.output


def test_answers_to_other_cases_are_refused(runs: Path, tmp_path: Path) -> None:
    path = write_answers(FULL, [runs / "one"], "svm", ABOUT, tmp_path)
    content = json.loads(gzip.decompress(path.read_bytes()))
    made = make_cases(CORPUS, PROBES, None)
    content["asked"][CORPUS]["cases"]["rows.delete"] = "0" * 24
    with pytest.raises(
        NotMeasuredError, match=r"answers other cases of rows.delete on builtin/tables-dev .* ask the model again"
    ):
        asked_run(read_answers(write(path, content)), [made])
    with pytest.raises(NotMeasuredError, match=r"has no answers to rows.delete\?n=1 on builtin/tables-dev"):
        asked_run(read_answers(path), [make_cases(CORPUS, ["rows.delete?n=1"], None)])


def test_letters_that_do_not_fit_their_pairs_are_refused(runs: Path, tmp_path: Path) -> None:
    path = write_answers(FULL, [runs / "one"], "svm", ABOUT, tmp_path)
    content = json.loads(gzip.decompress(path.read_bytes()))
    whole = content["seeds"]["0"][CORPUS]["rows.delete"]
    for torn in (whole[:-1], whole + "E", whole.replace(" ", "", 1), whole[: len(whole) // 2]):
        content["seeds"]["0"][CORPUS]["rows.delete"] = torn
        with pytest.raises(DataError, match=r"a word per pair and a letter per case for rows\.delete"):
            asked_run(read_answers(write(path, content)), [make_cases(CORPUS, PROBES, None)])


def test_good_answers_are_read_and_a_folder_takes_precedence(tmp_path: Path) -> None:
    answers = find_answers(FULL, write(tmp_path / f"{FULL}.json.gz", GOOD).parent)
    assert answers is not None
    assert answers.by == "robot, para, trained on infotabs/train, seed 0"
    assert answers.to("infotabs/dev", "rows.delete", "r", [3, 0]) == [["EN=", ""]]
    assert find_answers("evidence-nothing", tmp_path) is None


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("encoder",), 3, "a text under 'encoder'"),
        (("train",), "infotabs/train", "a list of corpora under 'train'"),
        (("asked",), {}, "what was asked under 'asked'"),
        (("asked", "infotabs/dev"), "d", "a digest, a suite, and digests of cases by probe"),
        (("asked", "infotabs/dev", "suite"), None, "a digest, a suite, and digests of cases by probe"),
        (("asked", "infotabs/dev", "cases"), {"gold": 1}, "a digest, a suite, and digests of cases by probe"),
        (("seeds",), {}, "answers for each seed under 'seeds'"),
        (("seeds", "0"), [], "answers for each seed under 'seeds'"),
        (("seeds", "0"), {}, "answers of seed 0 to infotabs/dev"),
        (("seeds", "0", "infotabs/dev"), {"gold": "E N"}, "a text of letters for each probe on infotabs/dev, seed 0"),
        (("seeds", "0", "infotabs/dev", "gold"), 3, "a text of letters for each probe on infotabs/dev, seed 0"),
        (("seeds", "0", "infotabs/dev", "gold"), "E X", "only E, N, C, = and spaces for gold .*, not 'X'"),
    ],
)
def test_odd_content_is_refused(tmp_path: Path, place: tuple[str, ...], value: object, message: str) -> None:
    content = copy.deepcopy(GOOD)
    inside = content
    for name in place[:-1]:
        inside = inside[name]
    inside[place[-1]] = value
    with pytest.raises(DataError, match=message):
        read_answers(write(tmp_path / "x.json.gz", content))


@given(st.integers(0, 400), st.integers(0, 255))
def test_torn_and_flipped_files_are_refused_or_read_whole(cut: int, flip: int) -> None:
    import tempfile

    whole = gzip.compress(json.dumps(GOOD).encode(), mtime=0)
    torn = bytearray(whole[: max(1, len(whole) - cut)])
    torn[min(cut, len(torn) - 1)] ^= flip
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.json.gz"
        path.write_bytes(torn)
        try:
            seeds = read_answers(path).seeds
        except DataError:
            return
        assert seeds == GOOD["seeds"]
