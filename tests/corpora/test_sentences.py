from __future__ import annotations

from pathlib import Path

import pytest
from tests.corpora.files import Rows, write, write_rows

from nliprobe.api.sources import open_source
from nliprobe.base.errors import DataError
from nliprobe.corpora.check import check_corpus
from nliprobe.task.pair import Facet, Pair

PARSES = {"sentence1_binary_parse": "( a )", "sentence2_binary_parse": "( b )"}
SNLI: Rows = [
    {"gold_label": "neutral", **PARSES, "sentence1": 'A "man".', "sentence2": "He sits.", "captionID": "1.jpg#2"}
    | {"pairID": "1.jpg#2r1n", "label1": "neutral"},
    {"gold_label": "-", **PARSES, "sentence1": 'A "man".', "sentence2": "He, too.", "captionID": "1.jpg#2"}
    | {"pairID": "1.jpg#2r1e", "label1": "neutral"},
    {"gold_label": "entailment", **PARSES, "sentence1": "Dogs run", "sentence2": "Animals", "captionID": "vg_len78"}
    | {"pairID": "vg_len78r3e", "label1": "entailment"},
]


def letters(pairs: list[Pair]) -> list[str | None]:
    return [None if pair.gold is None else str(pair.gold) for pair in pairs]


@pytest.mark.parametrize(
    "name", ["snli_1.0_dev.jsonl", "snli_1.0_dev.jsonl.gz", "snli_1.0_dev.txt", "snli_1.0_dev.csv"]
)
def test_snli_official_files(tmp_path: Path, name: str) -> None:
    write_rows(tmp_path / "snli_1.0" / name, SNLI)
    corpus = open_source("snli/dev", tmp_path)
    pairs = list(corpus.pairs())
    assert corpus.name == "snli/dev"
    assert [pair.id for pair in pairs] == [f"snli/dev/{row['pairID']}" for row in SNLI]
    assert letters(pairs) == ["N", None, "E"]
    assert [pair.group for pair in pairs] == ["1.jpg#2", "1.jpg#2", "vg_len78"]
    assert [(pair.premise, pair.hypothesis) for pair in pairs] == [(r["sentence1"], r["sentence2"]) for r in SNLI]


def test_snli_csv_copy_groups_by_the_caption_in_the_id(tmp_path: Path) -> None:
    rows = [{key: row[key] for key in ("pairID", "sentence1", "sentence2")} | {"label": "neutral"} for row in SNLI]
    write_rows(tmp_path / "snli" / "snli_1.0_test.csv", rows)
    assert [pair.group for pair in open_source("snli/test", tmp_path).pairs()] == ["1.jpg#2", "1.jpg#2", "vg_len78"]


def test_official_text_lines_may_stop_after_the_first_rater(tmp_path: Path) -> None:
    header = "gold_label\tsentence1\tsentence2\tpairID\tlabel1\tlabel2\n"
    path = write(tmp_path / "snli_1.0_dev.txt", header + "neutral\ta\tb\tx1r1n\tneutral\n")
    assert len(list(open_source("snli/dev", tmp_path).pairs())) == 1
    write(path, header + "neutral\ta\tb\n")
    with pytest.raises(DataError, match=r"snli_1\.0_dev\.txt, line 2: 3 fields where the header has 6"):
        list(open_source("snli/dev", tmp_path).pairs())


@pytest.mark.parametrize("folder", ["plain_text", "data"])
def test_snli_from_the_hub(tmp_path: Path, folder: str) -> None:
    rows = [{"premise": "p", "hypothesis": f"h{code}", "label": code} for code in (0, 1, 2, -1)]
    rows.append({"premise": "p", "hypothesis": "h0", "label": 1})
    for index, part in enumerate((rows[:2], rows[2:])):
        write_rows(tmp_path / "snli" / folder / f"validation-0000{index}-of-00002.parquet", part)
    pairs = list(open_source("snli/dev", tmp_path).pairs())
    assert letters(pairs) == ["E", "N", "C", None, "N"]
    assert len({pair.group for pair in pairs}) == 1
    assert pairs[4].id == f"{pairs[0].id}#2"
    assert len({pair.id for pair in pairs}) == 5


def test_snli_selections_of_train(tmp_path: Path) -> None:
    write_rows(tmp_path / "snli" / "snli_1.0_train_100k.jsonl.gz", SNLI)
    write_rows(tmp_path / "snli" / "train_subset_25k.jsonl", [{"label": 2, "premise": "p", "hypothesis": "h"}])
    assert letters(list(open_source("snli/train-100k", tmp_path).pairs())) == ["N", None, "E"]
    (pair,) = open_source("snli/train-25k", tmp_path).pairs()
    assert str(pair.gold) == "C"
    assert pair.id.startswith("snli/train-25k/")
    assert pair.group


def test_snli_hard(tmp_path: Path) -> None:
    write_rows(tmp_path / "snli_hard" / "snli_1.0_test_hard.jsonl", SNLI)
    corpus = open_source("snli-hard", tmp_path)
    assert corpus.name == "snli-hard/test"
    assert [pair.group for pair in corpus.pairs()] == ["1.jpg#2", "1.jpg#2", "vg_len78"]


MNLI: Rows = [
    {"gold_label": label, "sentence1": "p", "sentence2": f"h{index}", "promptID": "6666", "pairID": name}
    | {"genre": "oup"}
    for index, (label, name) in enumerate([("neutral", "6666n"), ("contradiction", "6666c"), ("-", "6666c")])
]


@pytest.mark.parametrize("suffix", ["jsonl", "txt", "csv"])
def test_multinli_official_files(tmp_path: Path, suffix: str) -> None:
    write_rows(tmp_path / "multinli_1.0" / f"multinli_1.0_dev_mismatched.{suffix}", MNLI)
    corpus = open_source("multinli/dev-mismatched", tmp_path)
    pairs = list(corpus.pairs())
    prefix = "multinli/dev-mismatched/"
    assert [pair.id for pair in pairs] == [f"{prefix}6666n", f"{prefix}6666c", f"{prefix}6666c#2"]
    assert letters(pairs) == ["N", "C", None]
    assert pairs[0].facets == (Facet("genre", "oup"),)
    assert {pair.group for pair in pairs} == {"6666"}
    assert corpus.expected.pairs == 10_000


def test_multinli_from_the_hub_has_only_labelled_pairs(tmp_path: Path) -> None:
    row = {"promptID": 31, "pairID": "31n", "premise": "p", "hypothesis": "h", "genre": "slate", "label": 1}
    write_rows(tmp_path / "multinli" / "data" / "validation_matched-00000-of-00001.parquet", [row])
    corpus = open_source("multinli/dev-matched", tmp_path)
    (pair,) = corpus.pairs()
    assert (pair.id, pair.group, str(pair.gold)) == ("multinli/dev-matched/31n", "31", "N")
    report = check_corpus(corpus)
    assert report.problems == ("multinli/dev-matched has 1 pairs where 9,815 are expected.",)


def test_multinli_sample_of_train(tmp_path: Path) -> None:
    row = {"sentence1": 'a " b', "sentence2": "c", "label": "neutral", "genre": "fiction"}
    write_rows(tmp_path / "multinli" / "nyu_hw_mnli_train.tsv", [row, row])
    first, second = open_source("multinli/train-20k", tmp_path).pairs()
    assert second.id == f"{first.id}#2"
    assert first.facets == (Facet("genre", "fiction"),)


HANS: Rows = [
    {
        "gold_label": "non-entailment",
        **PARSES,
        "sentence1": "The judge saw the doctor .",
        "sentence2": "The doctor saw .",
    }
    | {"pairID": "ex0", "heuristic": "lexical_overlap", "subcase": "ln_swap", "template": "temp1"},
    {"gold_label": "entailment", **PARSES, "sentence1": "a .", "sentence2": "b ."}
    | {"pairID": "ex1", "heuristic": "constituent", "subcase": "ce_adverb", "template": "temp9"},
]


def test_hans_official_file(tmp_path: Path) -> None:
    write_rows(tmp_path / "hans" / "heuristics_evaluation_set.txt", HANS)
    corpus = open_source("hans", tmp_path)
    pairs = list(corpus.pairs())
    assert (corpus.name, str(corpus.partition)) == ("hans/evaluation", "E|NC")
    assert letters(pairs) == ["NC", "E"]
    assert pairs[0].id == "hans/evaluation/ex0"
    assert pairs[0].facets == (
        Facet("heuristic", "lexical_overlap"),
        Facet("subcase", "ln_swap"),
        Facet("template", "temp1"),
    )


def test_hans_copy_without_parses_and_templates(tmp_path: Path) -> None:
    keys = ("gold_label", "sentence1", "sentence2", "pairID", "heuristic", "subcase")
    write_rows(tmp_path / "hans" / "heuristics_evaluation_set.tsv", [{key: row[key] for key in keys} for row in HANS])
    assert [facet.name for facet in next(open_source("hans", tmp_path).pairs()).facets] == ["heuristic", "subcase"]


@pytest.mark.parametrize("folder", ["anli_v1.0", "anli", "anli/anli_v1.0"])
def test_anli_official_folder(tmp_path: Path, folder: str) -> None:
    row = {"uid": "u1", "context": "p", "hypothesis": "h", "label": "c", "genre": "wikipedia", "tag": "r1_dev"}
    write_rows(tmp_path / folder / "R1" / "dev.jsonl", [row])
    write_rows(tmp_path / folder / "R1" / "train.jsonl", [row])
    (pair,) = open_source("anli/r1-dev", tmp_path).pairs()
    assert (pair.id, str(pair.gold)) == ("anli/r1-dev/u1", "C")
    assert pair.facets == (Facet("genre", "wikipedia"), Facet("tag", "r1_dev"))
    assert next(open_source("anli/r1-train", tmp_path).pairs()).id == "anli/r1-train/u1"


def test_anli_from_the_hub(tmp_path: Path) -> None:
    row = {"uid": "u1", "premise": "p", "hypothesis": "h", "label": 0, "reason": ""}
    write_rows(tmp_path / "anli" / "plain_text" / "test_r3-00000-of-00001.parquet", [row])
    (pair,) = open_source("anli/r3-test", tmp_path).pairs()
    assert (pair.id, str(pair.gold)) == ("anli/r3-test/u1", "E")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"sentence1": "a", "gold_label": "-"}\n', r"line 1: there is no column 'sentence2' or 'hypothesis'; the col"),
        ('{"sentence1": "a", "sentence2": " ", "gold_label": "-"}\n', r"line 1: the hypothesis in .* is empty\."),
        ('{"sentence1": "", "sentence2": "b", "gold_label": "-"}\n', r"line 1: the premise in .* is empty\."),
        ('{"sentence1": "a", "sentence2": "b", "gold_label": "x"}\n', r"line 1: unknown label 'x'"),
        (
            '{"sentence1": "a", "sentence2": 3, "gold_label": "-"}\n',
            r"line 1: the hypothesis in .* is not a text, but 3",
        ),
        ('{"sentence1": "a", "sentence2": "b", "gold_label": "-"}\n{}\n', r"line 2: there is no column 'sentence1'"),
    ],
)
def test_bad_records_are_refused_with_their_place(tmp_path: Path, content: str, message: str) -> None:
    write(tmp_path / "snli" / "snli_1.0_dev.jsonl", content)
    with pytest.raises(DataError, match=message):
        list(open_source("snli/dev", tmp_path).pairs())
