"""The answers to the checklist that are shipped_answers: they belong to this suite, and files of them are checked."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner
from tests.papers.made_answers import answering, of_three_minds

from nliprobe.api.sources import open_source
from nliprobe.base.errors import DataError, NotFoundError
from nliprobe.papers.checklist import answers_file
from nliprobe.papers.checklist._gold import scores, suite
from nliprobe.papers.checklist.answers_file import (
    HYPOTHESIS_ONLY,
    MEASURE,
    PAPER,
    READINGS,
    WITH_PREMISE,
    Answers,
    NotMeasuredError,
    has_answers,
    read_answers,
    shipped_answers,
)
from nliprobe.papers.checklist.write_answers import Description, main, write_answers
from nliprobe.store.record import CorpusRecord, RunRecord, SuiteRecord, SystemRecord
from nliprobe.store.run import RunFolder
from nliprobe.task.labels import THREE_WAY

ABOUT = Description("my-encoder", ("snli/train",))


@pytest.mark.parametrize("name", [WITH_PREMISE, HYPOTHESIS_ONLY])
def test_kept_answers_are_to_the_suite_here(name: str) -> None:
    if not has_answers(name):
        pytest.skip(f"MiniLM is not measured on this core: {MEASURE}")
    answers = shipped_answers(name)
    source = open_source("checklist")
    assert answers.digest == source.digest()
    assert [len(letters) for letters in answers.seeds.values()] == [183_200] * 3
    for part in (PAPER, READINGS):
        assert answers.more[part].digest == open_source(part).digest()
        assert len(answers.more[part].seeds) == 3
    assert list(answers.counts) == ["snli/dev", "multinli/dev-matched"]
    assert answers.premise == ("none" if name == HYPOTHESIS_ONLY else "full")
    assert answers.path.stat().st_size < 200_000


@pytest.mark.results
def test_scores_agree_with_a_count_over_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    with answering(of_three_minds, monkeypatch):
        found, letters = scores(WITH_PREMISE), of_three_minds(WITH_PREMISE).seeds["1"]
    assert len(suite().entries) == 194
    right: dict[str, list[bool]] = {}
    for pair in open_source("checklist?only=negation+world").pairs():
        hits = right.setdefault(str(pair.group), [])
        hits.append(letters[suite().entry(str(pair.group)).start + len(hits)] == str(pair.gold))
    assert len(right) > 10
    for name, hits in right.items():
        assert found.templates[1][name] == pytest.approx(100 * sum(hits) / len(hits))
    sizes = {entry.id: entry.stop - entry.start for entry in suite().entries}
    mean = sum(accuracy * sizes[name] for name, accuracy in found.templates[1].items()) / 183_200
    assert found.overall[1] == pytest.approx(mean)


def test_without_answers_the_error_says_how_to_get_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers_file, "SHIPPED", tmp_path)
    shipped_answers.cache_clear()
    with pytest.raises(NotMeasuredError, match=r"no answers 'nli' in .*checklist_results.py --answers"):
        shipped_answers(WITH_PREMISE)


def test_another_suite_is_refused() -> None:
    answers = Answers(Path("a.json.gz"), WITH_PREMISE, "made", "full", (), "", "1" * 24, {"0": "E" * 183_200}, {}, {})
    with pytest.raises(NotMeasuredError, match=r"answers another checklist .* the templates have changed since"):
        answers.to("0" * 24, 183_200)
    with pytest.raises(NotMeasuredError, match="answers another checklist-all"):
        answers.to("0" * 24, 183_200, "checklist-all")
    short = replace(answers, seeds={"0": "ENC"})
    with pytest.raises(DataError, match="183,200 answers of seed 0 to checklist, not 3"):
        short.to(answers.digest, 183_200)


def content() -> dict[str, object]:
    texts = dict.fromkeys(("system", "encoder", "premise", "made_by", "digest"), "made")
    return {**texts, "train": ["snli/train"], "seeds": {"0": "ENC"}, "counts": {"snli/dev": {"0": [2, 3]}}}


def test_a_file_without_other_parts_is_read(tmp_path: Path) -> None:
    path = tmp_path / "nli.json.gz"
    path.write_bytes(gzip.compress(json.dumps(content()).encode()))
    assert read_answers(path).to("made", 3) == ["ENC"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"encoder": 3}, "a text under 'encoder'"),
        ({"digest": None}, "a text under 'digest'"),
        ({"train": "snli"}, "a list of corpora under 'train'"),
        ({"seeds": {}}, "a text of letters for each seed"),
        ({"seeds": {"0": "ENX"}}, "not 'X'"),
        ({"more": {"checklist-paper": {"seeds": {"0": "ENC"}}}}, "a digest and seeds for each part"),
        ({"more": {"checklist-paper": {"digest": "d", "seeds": {}}}}, "a text of letters for each seed"),
        ({"counts": None}, "counts of right answers"),
        ({"counts": {"snli/dev": {"0": [5, 4]}}}, r"\[right, pairs\] for each seed under 'counts', 'snli/dev'"),
        ({"counts": {"snli/dev": {"0": [0, 0]}}}, "for each seed under 'counts'"),
        ({"counts": {"snli/dev": {"0": [True, 4]}}}, "for each seed under 'counts'"),
    ],
)
def test_faults_of_a_file_are_sentences(change: dict[str, object], said: str, tmp_path: Path) -> None:
    path = tmp_path / "nli.json.gz"
    path.write_bytes(gzip.compress(json.dumps({**content(), **change}).encode()))
    with pytest.raises(DataError, match=said):
        read_answers(path)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "Copy or make it again"),
        (b"plain", "not a whole gzip file"),
        (gzip.compress(b"{"), "does not hold JSON"),
        (gzip.compress(b"[]"), "a JSON object"),
    ],
    # Named here, for the bytes of a gzip file hold the clock.
    ids=["nothing", "plain", "torn", "list"],
)
def test_other_files_are_refused(raw: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "nli.json.gz"
    path.write_bytes(raw)
    with pytest.raises(DataError, match=said):
        read_answers(path)


FACET = ("pair_id", "name", "value")


def run_folder(path: Path, corpus: str = "checklist", last: str | None = "N") -> Path:
    """A run of two seeds over two examples of a checklist and three pairs of a benchmark, one without gold.

    One more example is of another part of the library.
    """
    names = {"big-0": "EC", "big-1": f"E{last or ''}"}
    part = f"{corpus}-paper"
    corpora = tuple(
        CorpusRecord(name, digest, THREE_WAY) for name, digest in ((corpus, "d1"), ("snli/dev", "d2"), (part, "d3"))
    )
    record = RunRecord("0.1.0", "3.11", "2024-01-01T00:00:00Z", SuiteRecord("abc", 0, corpora, ()), 6)
    run = RunFolder.create(path, record, [SystemRecord(name, name, name, name, family="big") for name in names])
    ids = ["x/0", "x/1", "y/0", "y/1", "y/2", "z/0"]
    run.write("pairs", 0, pl.DataFrame({"pair_id": ids, "gold": ["E", "C", "E", None, "N", "N"]}))
    run.write("facets", 0, pl.DataFrame(schema=dict.fromkeys(FACET, pl.String)))
    of = [corpus, corpus, "snli/dev", "snli/dev", "snli/dev", part]
    run.write("cases", 0, pl.DataFrame({"case_id": [f"c{name}" for name in ids], "pair_id": ids, "corpus": of}))
    for name, letters in names.items():
        labels = [*letters, *([None] * (2 - len(letters))), "E", "E", None, "N"]
        # Answers need not be in the order of the cases.
        frame = pl.DataFrame({"case_id": [f"c{name}" for name in ids], "label": labels}).reverse()
        run.write(f"predictions/{name}", 0, frame)
    return path


def test_answers_are_kept_from_a_run(tmp_path: Path) -> None:
    path = write_answers(run_folder(tmp_path / "run"), "big", ABOUT, tmp_path / "out")
    found = read_answers(path)
    assert found.seeds == {"0": "EC", "1": "EN"}
    assert found.counts == {"snli/dev": {"0": (1, 2), "1": (1, 2)}}
    assert found.benchmark("snli/dev") == [50, 50]
    assert found.benchmark("other") == []
    assert found.digest == "d1"
    assert found.more == {"checklist-paper": ("d3", {"0": "N", "1": "N"})}
    assert found.by() == "my-encoder, trained on snli/train, asked the checklist of nliprobe, mean of seeds 0, 1"
    before = path.read_bytes()
    words = [str(tmp_path / "run"), "big", "--encoder", "my-encoder", "--train", "snli/train"]
    done = CliRunner().invoke(main, [*words, "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert path.read_bytes() == before


def test_the_answers_to_another_suite_are_written_under_another_name(tmp_path: Path) -> None:
    run = run_folder(tmp_path / "run", corpus="templates:cells?n=1")
    path = write_answers(run, "big", ABOUT, tmp_path / "out", suite="templates:cells?n=1", name="cells-big")
    assert path.name == "cells-big.json.gz"
    assert read_answers(path).seeds == {"0": "EC", "1": "EN"}
    words = [str(run), "big", "--encoder", "my-encoder", "--train", "snli/train", "--out", str(tmp_path / "again")]
    done = CliRunner().invoke(main, [*words, "--suite", "templates:cells?n=1", "--name", "cells-big"])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "again" / "cells-big.json.gz").read_bytes() == path.read_bytes()


def test_a_run_that_does_not_do_is_refused(tmp_path: Path) -> None:
    run = run_folder(tmp_path / "run")
    with pytest.raises(NotFoundError, match="no system of the family 'small'"):
        write_answers(run, "small", ABOUT, tmp_path)
    with pytest.raises(DataError, match="was not asked checklist, but other, snli/dev, other-paper"):
        write_answers(run_folder(tmp_path / "other", corpus="other"), "big", ABOUT, tmp_path)
    with pytest.raises(DataError, match="big-1 has no answer, or not one label, for 1 of 2 examples"):
        write_answers(run_folder(tmp_path / "gap", last=None), "big", ABOUT, tmp_path)
    done = CliRunner().invoke(main, [str(run), "small", "--encoder", "e", "--train", "t", "--out", str(tmp_path)])
    assert done.exit_code == 1
    assert "no system of the family" in done.output
