from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.corpora.files import write, write_infotabs, write_rows

from nliprobe.api.sources import open_source
from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.corpora import CORPORA, Corpus
from nliprobe.corpora.check import availability, check_corpus
from nliprobe.task.source import PairSource

LINES = ["G\tT1\tx\tE", "G\tT1\ty\tN", "G\tT1\ty\tN", "G\tT1\tx\tC"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("infotab/dev", r"There is no corpus named 'infotab'\. Did you mean 'infotabs'\?"),
        ("infotabs/dve", r"infotabs has no split 'dve'\. Did you mean 'dev'\?"),
        ("snli/dev", r"snli/dev is not here .* https://nlp\.stanford\.edu/projects/snli/ .* snli_1\.0_dev\.jsonl"),
    ],
)
def test_what_is_not_there_is_said(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(NotFoundError, match=message):
        open_source(text, tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("infotabs", r"'infotabs' does not say which split\. Available: infotabs/train, infotabs/dev,"),
        (
            "infotabs/dev?n=3",
            r"'infotabs/dev' has no parameter 'n'\. Available: evidence, facets, limit, sample, sample_seed, seed, sk",
        ),
        ("infotabs:dev", r"gives infotabs an argument, but it takes none"),
        ("infotabs/dev?limit=0", r"'infotabs/dev\?limit' should be a number of pairs, at least 1, not '0'"),
        ("infotabs/dev?limit=few", r"at least 1, not 'few'"),
    ],
)
def test_wrong_requests_are_refused(tmp_path: Path, text: str, message: str) -> None:
    write_infotabs(tmp_path, LINES)
    with pytest.raises(UsageError, match=message):
        open_source(text, tmp_path)


def test_a_bare_file_name_is_recognised(tmp_path: Path) -> None:
    path = write(tmp_path / "my.csv", "")
    with pytest.raises(UsageError, match="is a file, not the name of a corpus: write file:"):
        open_source(str(path), tmp_path)


def test_roots_come_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_infotabs(tmp_path / "b" / "infotabs", LINES)
    monkeypatch.setenv("NLIPROBE_DATA", f"{tmp_path / 'a'}{os.pathsep}{tmp_path / 'b'}")
    corpus = open_source("infotabs/dev")
    assert isinstance(corpus, Corpus)
    assert corpus.folder == tmp_path / "b" / "infotabs"


def test_limit_takes_the_first_pairs_under_a_name_of_its_own(tmp_path: Path) -> None:
    write_infotabs(tmp_path, LINES)
    whole, part = open_source("infotabs/dev", tmp_path), open_source("infotabs/dev?limit=2", tmp_path)
    assert list(part.pairs()) == list(whole.pairs())[:2]
    assert part.name == "infotabs/dev?limit=2"
    assert part.partition == whole.partition
    assert part.files() == whole.files()
    assert len({whole.digest(), part.digest(), open_source("infotabs/dev?limit=3", tmp_path).digest()}) == 3
    assert check_corpus(part).problems == ()


def test_limit_works_on_own_files(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "x.csv", [{"premise": "p", "hypothesis": str(n), "label": "E"} for n in range(5)])
    corpus: PairSource = open_source(f"file:{path}?limit=2")
    assert len(list(corpus.pairs())) == 2


def test_limit_does_not_read_beyond(tmp_path: Path) -> None:
    write_infotabs(tmp_path, ["G\tT1\tx\tE", "G\tT9\ty\tN"])
    assert len(list(open_source("infotabs/dev?limit=1", tmp_path).pairs())) == 1


def test_check_counts_and_compares(tmp_path: Path) -> None:
    write_infotabs(tmp_path, LINES)
    report = check_corpus(open_source("infotabs/dev", tmp_path))
    assert (report.name, report.pairs, report.expected) == ("infotabs/dev", 4, 1_800)
    assert report.labels == {"C": 1, "E": 1, "N": 2}
    assert (report.unlabelled, report.tables, report.duplicates, report.conflicts) == (0, 1, 2, 1)
    assert report.problems == ("infotabs/dev has 4 pairs where 1,800 are expected.",)


def test_check_reports_what_cannot_be_read(tmp_path: Path) -> None:
    write_infotabs(tmp_path, ["G\tT1\tx\tE", "G\tT9\ty\tN"])
    report = check_corpus(open_source("infotabs/dev", tmp_path))
    assert report.pairs == 1
    assert len(report.problems) == 1
    assert "line 3: the table 'T9' is missing" in report.problems[0]


def test_check_of_an_own_file_expects_nothing(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "x.csv", [{"premise": "p", "hypothesis": "h", "label": "-"}])
    report = check_corpus(open_source(f"file:{path}"))
    assert (report.expected, report.unlabelled, report.labels, report.problems) == (None, 1, {}, ())


def test_availability_lists_every_split(tmp_path: Path) -> None:
    write_infotabs(tmp_path / "infotabs", LINES)
    found = {f"{item.corpus}/{item.split}": item.folder for item in availability([tmp_path])}
    assert found["infotabs/dev"] == tmp_path / "infotabs"
    assert found["infotabs/train"] is None
    assert found["hans/evaluation"] is None


def test_an_incomplete_folder_says_what_is_missing(tmp_path: Path) -> None:
    write_infotabs(tmp_path, LINES)
    corpus = open_source("infotabs/dev", tmp_path)
    (tmp_path / "tables" / "table_categories.tsv").unlink()
    with pytest.raises(
        NotFoundError, match=r"infotabs/dev is incomplete: .* has no tables/table_categories\.tsv\. Get"
    ):
        list(corpus.pairs())


def test_shards_of_another_dataset_are_not_taken_for_a_corpus(tmp_path: Path) -> None:
    rows = [{"premise": "p", "hypothesis": "h", "label": 1}]
    write_rows(tmp_path / "other" / "data" / "train-00000-of-00001.parquet", rows)
    with pytest.raises(NotFoundError, match="snli/train is not here"):
        open_source("snli/train", tmp_path / "other")
    (tmp_path / "other").rename(tmp_path / "snli")
    for root in (tmp_path, tmp_path / "snli"):
        assert len(list(open_source("snli/train", root).pairs())) == 1


@pytest.mark.parametrize("name", CORPORA.names())
def test_every_corpus_declares_what_it_is(name: str) -> None:
    kind = CORPORA.get(name)
    assert kind.corpus_name == name
    assert all([kind.title, kind.home, kind.licence])
    for split in kind.splits:
        assert issubclass(kind, Corpus)
        assert kind.wanted(split)
        assert all(kind.wanted(split))
