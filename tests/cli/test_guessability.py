"""``nliprobe data guessability``: the file it writes, the subset that this file gives, and agreement with SNLI-hard."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from tests.analysis.schemas import validate
from tests.cli.helpers import nliprobe, nliprobe_json
from tests.training.test_guessability import corpus

from nliprobe.api.guessability import data_guessability
from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.task.facet_file import FacetFile
from nliprobe.task.sources import open_source

pytestmark = pytest.mark.corpora


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with a corpus whose labels can be guessed, and a hard subset of it."""
    pairs = list(corpus(60, marked=True).pairs())
    for name, kept in (("mine", pairs), ("subset", pairs[:20])):
        with (tmp_path / f"{name}.csv").open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["id", "premise", "hypothesis", "label"])
            writer.writerows([pair.id, pair.premise, pair.hypothesis, str(pair.gold)] for pair in kept)
            if name == "mine":
                writer.writerow(["u", "premise 1", "Nobody knows.", "-"])
    return tmp_path


def test_the_file_gives_the_hard_subset(here: Path) -> None:
    done = nliprobe("data", "guessability", "file:mine.csv", "-o", "hard.csv", cwd=here)
    assert "180 of 181 pairs are guessed, in 60 groups" in done.stdout
    assert "1 left out: no gold label" in done.stdout
    assert "learnt from the other pairs of the corpus, 5 folds, seed 0" in done.stdout
    assert "be guessed: 'file:mine.csv?facets=file:hard.csv&where=guessable:no'" in done.stdout
    document = nliprobe_json("data", "guessability", "file:mine.csv", cwd=here)
    validate("data-guessability", document)
    assert document["file"] is None
    said = nliprobe("data", "check", "file:mine.csv?facets=file:hard.csv&where=guessable:no", cwd=here, code=0)
    assert f"{document['hard']:,} pairs" in said.stdout
    nliprobe(
        "run", "--quiet", "--system", "majority", "--train", "file:mine.csv", "--on",
        "file:mine.csv?facets=file:hard.csv", "-o", "run", cwd=here,
    )  # fmt: skip
    assert "guessable" in nliprobe("show", "run", "--by", "guessable", cwd=here).stdout


def test_every_format_holds_the_same(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here)
    for ending in ("csv", "tsv", "jsonl", "parquet"):
        data_guessability("file:mine.csv", Path(f"h.{ending}"))
    contents = [FacetFile.open(f"h.{ending}").facets for ending in ("csv", "tsv", "jsonl", "parquet")]
    assert all(content == contents[0] for content in contents)
    facets = dict(contents[0]["mine/c/dev/0E"])
    assert list(facets) == ["guessability", "guessable", "guessers", "guess"]


def test_a_subset_of_ones_own_and_other_training(here: Path) -> None:
    words = ["data", "guessability", "file:mine.csv", "--against", "file:subset.csv", "--folds", "3", "--seed", "4"]
    document = nliprobe_json(*words, cwd=here)
    validate("data-guessability", document)
    [item] = document["against"]
    assert (item["name"], item["matched_by"], item["size"], item["matched"]) == ("subset", "pair id", 20, 20)
    assert item["share"] == pytest.approx(20 / 180)
    assert (document["folds"], document["seed"]) == (3, 4)
    said = nliprobe("data", "guessability", "file:subset.csv", "--train", "file:mine.csv", cwd=here).stdout
    assert "learnt from 160 pairs of mine, seed 0" in said
    assert "20 not learnt from: they are also in subset" in said
    assert "1 not learnt from: no gold label" in said


def test_what_is_wrong_is_said_before_anything_is_learnt(here: Path) -> None:
    done = nliprobe("data", "guessability", "file:mine.csv", "-o", "hard.xlsx", cwd=here, code=2)
    assert "should end in .csv, .tsv, .jsonl, .parquet" in done.stderr
    done = nliprobe("data", "guessability", "file:mine.csv", "--against", "builtin/sentences-dev", cwd=here, code=1)
    assert "builtin/sentences-dev is not a part of mine" in done.stderr
    nliprobe("data", "guessability", "file:mine.csv", "--folds", "1", cwd=here, code=2)
    nliprobe("data", "guessability", "file:nowhere.csv", cwd=here, code=1)
    with pytest.raises(UsageError, match="at least 2, not 1"):
        data_guessability(f"file:{here / 'mine.csv'}", folds=1)


def test_ctrl_c_leaves_no_half_file(here: Path) -> None:
    out = here / "hard.csv"
    out.write_text("as it was\n", encoding="utf-8")

    def stop(done: int, total: int) -> None:
        if done == total - 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        data_guessability(f"file:{here / 'mine.csv'}", out, progress=stop)
    assert out.read_text(encoding="utf-8") == "as it was\n"
    assert not [path.name for path in here.iterdir() if "partial" in path.name]


def test_the_hard_subset_is_that_of_snli(data: Path) -> None:
    try:
        for name in ("snli/test", "snli/train-100k", "snli-hard"):
            open_source(name, data)
    except NotFoundError as error:
        pytest.skip(str(error))
    # From 40,000 pairs guessers learn what they learn from 100,000 (a recall of 0.79 and 0.80), in half the time.
    document = data_guessability("snli/test", root=data, train=["snli/train-100k?limit=40000"])
    validate("data-guessability", document)
    [item] = document["against"]
    assert (item["name"], item["matched_by"], item["matched"]) == ("snli-hard/test", "pair id", 3_261)
    assert item["share"] == pytest.approx(3_261 / 9_824)
    interval = item["precision"]["ci95"]
    assert interval is not None
    # Half as much again as a random subset, even at the lower end of the interval.
    assert interval[0] >= 1.5 * item["share"]
    assert item["recall"]["value"] == pytest.approx(0.80, abs=0.02)
    assert document["skipped"] == {"no gold label": 176}
