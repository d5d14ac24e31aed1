"""The released stress tests and MultiNLI-hard: official names, ids, groups, and files that are wrong."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.corpora.files import Rows, write, write_rows

from nliprobe.api.sources import open_source
from nliprobe.base.errors import DataError
from nliprobe.corpora.nli_stress import NliStress
from nliprobe.task.pair import Facet, Pair

# What the archive calls its files, as seen in the listings of several public projects that use it.
OFFICIAL = {
    "antonymy-matched": "Antonym/multinli_0.9_antonym_matched",
    "antonymy-mismatched": "Antonym/multinli_0.9_antonym_mismatched",
    "length-matched": "Length_Mismatch/multinli_0.9_length_mismatch_matched",
    "length-mismatched": "Length_Mismatch/multinli_0.9_length_mismatch_mismatched",
    "negation-matched": "Negation/multinli_0.9_negation_matched",
    "negation-mismatched": "Negation/multinli_0.9_negation_mismatched",
    "numerical": "Numerical_Reasoning/multinli_0.9_quant_hard",
    "overlap-matched": "Word_Overlap/multinli_0.9_taut2_matched",
    "overlap-mismatched": "Word_Overlap/multinli_0.9_taut2_mismatched",
    "spelling-matched": "Spelling_Error/multinli_0.9_dev_gram_swap_matched",
    "spelling-mismatched": "Spelling_Error/multinli_0.9_dev_gram_swap_mismatched",
    "spelling-keyboard-matched": "Spelling_Error/multinli_0.9_dev_gram_keyboard_matched",
    "spelling-keyboard-mismatched": "Spelling_Error/multinli_0.9_dev_gram_keyboard_mismatched",
    "spelling-content-matched": "Spelling_Error/multinli_0.9_dev_gram_contentword_swap_perturbed_matched",
    "spelling-content-mismatched": "Spelling_Error/multinli_0.9_dev_gram_contentword_swap_perturbed_mismatched",
    "spelling-function-matched": "Spelling_Error/multinli_0.9_dev_gram_functionword_swap_perturbed_matched",
    "spelling-function-mismatched": "Spelling_Error/multinli_0.9_dev_gram_functionword_swap_perturbed_mismatched",
}
ROWS: Rows = [
    {"gold_label": "contradiction", "sentence1_binary_parse": "( x )", "sentence2_binary_parse": "( y )"}
    | {"sentence1": premise, "sentence2": hypothesis, "promptID": name, "pairID": name, "genre": "oup"}
    for premise, hypothesis, name in [
        ('He "won" it.', 'He "lost" it.', "7c"),
        ('He "won" it.', 'She "won" it.', "7c"),
        ("A good day.", "A bad day.", "7c"),
        ("A good day.", "An ill day.", "8n"),
    ]
]
NUMERICAL: Rows = [
    {"gold_label": label, "sentence1_binary_parse": premise, "sentence2_binary_parse": hypothesis}
    for label, premise, hypothesis in [
        ("entailment", "Tim has 5 pens", "Tim has more than 3 pens"),
        ("neutral", "Tim has more than 3 pens", "Tim has 5 pens"),
        ("contradiction", "Tim has 5 pens", "Tim has 2 pens"),
        ("entailment", "Ann has 4 cats", "Ann has less than 9 cats"),
        ("entailment", "Tim has 5 pens", "Tim has more than 3 pens"),
    ]
]


def test_every_official_name_is_a_split() -> None:
    assert set(OFFICIAL) == set(NliStress.splits)


@pytest.mark.parametrize("suffix", [".txt", ".jsonl"])
@pytest.mark.parametrize("split", OFFICIAL)
def test_official_files_in_the_folders_of_the_archive(tmp_path: Path, split: str, suffix: str) -> None:
    write_rows(tmp_path / "StressTests" / f"{OFFICIAL[split]}{suffix}", ROWS)
    corpus = open_source(f"nli-stress/{split}", tmp_path)
    pairs = list(corpus.pairs())
    assert [(pair.premise, pair.hypothesis) for pair in pairs] == [(r["sentence1"], r["sentence2"]) for r in ROWS]
    assert [pair.id.removeprefix(f"nli-stress/{split}/") for pair in pairs] == ["7c", "7c#2", "7c#3", "8n"]
    assert {str(pair.gold) for pair in pairs} == {"C"}
    assert Facet("genre", "oup") in pairs[0].facets


def test_facets_say_test_edit_and_genres(tmp_path: Path) -> None:
    write_rows(tmp_path / "nli_stress" / f"{Path(OFFICIAL['spelling-content-mismatched']).name}.txt", ROWS)
    pair = next(open_source("nli-stress/spelling-content-mismatched", tmp_path).pairs())
    assert pair.facets == (
        Facet("test", "spelling"),
        Facet("genres", "mismatched"),
        Facet("edit", "content word"),
        Facet("genre", "oup"),
    )


def test_antonymy_groups_by_the_pair_it_was_made_from_and_others_by_premise(tmp_path: Path) -> None:
    for split in ("antonymy-matched", "length-matched"):
        write_rows(tmp_path / "nli_stress" / f"{OFFICIAL[split]}.txt", ROWS)
    antonymy = [pair.group for pair in open_source("nli-stress/antonymy-matched", tmp_path).pairs()]
    assert antonymy == ["7c", "7c", "7c", "8n"]
    length = [pair.group for pair in open_source("nli-stress/length-matched", tmp_path).pairs()]
    assert length[0] == length[1] != length[2] == length[3]


def test_numerical_pairs_of_one_question_are_one_group(tmp_path: Path) -> None:
    write_rows(tmp_path / "nli_stress" / "multinli_0.9_quant_hard.txt", NUMERICAL)
    pairs = list(open_source("nli-stress/numerical", tmp_path).pairs())
    groups = [pair.group for pair in pairs]
    assert groups[0] == groups[1] == groups[2] == groups[4] != groups[3]
    assert pairs[4].id == f"{pairs[0].id}#2"
    assert pairs[0].facets == (Facet("test", "numerical"),)


def test_an_empty_cell_is_named(tmp_path: Path) -> None:
    rows = [*ROWS, {**ROWS[0], "sentence2": " "}]
    write_rows(tmp_path / "nli_stress" / "multinli_0.9_antonym_matched.txt", rows)
    with pytest.raises(DataError, match=r"line 6: the hypothesis in column 'sentence2' is empty"):
        list(open_source("nli-stress/antonymy-matched", tmp_path).pairs())


def _hard(folder: Path, s1: str = "a b\nc\n", s2: str = "d\ne\n", labels: str = "neutral\nentailment\n") -> None:
    for name, text in (("s1", s1), ("s2", s2), ("labels", labels)):
        write(folder / f"{name}.test", text)


@pytest.mark.parametrize("folder", ["mnli_hard/matched", "mnli_hard/MNLIMatchedHardWithHardTest"])
def test_mnli_hard(tmp_path: Path, folder: str) -> None:
    _hard(tmp_path / folder)
    pairs = list(open_source("mnli-hard/matched", tmp_path).pairs())
    assert [(pair.premise, pair.hypothesis, str(pair.gold)) for pair in pairs] == [("a b", "d", "N"), ("c", "e", "E")]
    assert {pair.facets for pair in pairs} == {(Facet("genres", "matched"),)}


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"s2": "d\n"}, r"different numbers of lines: \S+s1\.test has 2, \S+s2\.test has 1, \S+labels\.test has 2"),
        ({"labels": "neutral\nentailment\nneutral\n"}, r"s1\.test has 2, \S+s2\.test has 2, \S+labels\.test has 3"),
        ({"s1": "a b\n \n"}, r"s1\.test, line 2: the line is empty"),
        ({"labels": "neutral\nperhaps\n"}, r"labels\.test, line 2: unknown label 'perhaps'"),
    ],
)
def test_mnli_hard_refuses_files_that_do_not_belong_together(
    tmp_path: Path, files: dict[str, str], message: str
) -> None:
    _hard(tmp_path / "mnli_hard" / "matched", **files)
    with pytest.raises(DataError, match=message):
        list(open_source("mnli-hard/matched", tmp_path).pairs())


@pytest.mark.parametrize(
    ("spec", "path", "text"),
    [
        ("nli-stress/numerical", "nli_stress/multinli_0.9_quant_hard.txt", "gold_label\tsentence1\tsentence2\n"),
        ("mnli-hard/matched", "mnli_hard/matched/s1.test", ""),
    ],
)
def test_latin_1_bytes_are_an_error_with_their_line(tmp_path: Path, spec: str, path: str, text: str) -> None:
    _hard(tmp_path / "mnli_hard" / "matched")
    write(tmp_path / path, (text + "neutral\tCafé.\tIt is a café.\n").encode("latin-1"))
    with pytest.raises(DataError, match=rf"{Path(path).name}, line {text.count(chr(10)) + 1}: .*(latin|cp1252|UTF-8)"):
        list(open_source(spec, tmp_path).pairs())


def _pairs(spec: str, data: Path) -> list[Pair]:
    return list(open_source(spec, data).pairs())


def test_the_released_numerical_pairs_are_triples(data: Path) -> None:
    pairs = _pairs("nli-stress/numerical", data)
    triples = [pairs[start : start + 3] for start in range(0, len(pairs), 3)]
    assert all("".join(str(pair.gold) for pair in triple) == "ENC" for triple in triples)
    assert all((one.premise, one.hypothesis) == (two.hypothesis, two.premise) for one, two, _ in triples)
    assert all(one.premise == three.premise for one, _, three in triples)
    assert all(len({pair.group for pair in triple}) == 1 for triple in triples)
    assert len({pair.group for pair in pairs}) == 1_889
    contents = Counter((pair.premise, pair.hypothesis) for pair in pairs)
    assert len(pairs) - len(contents) == 643


@pytest.mark.parametrize(("genres", "groups", "sentences"), [("matched", 1_142, 1_426), ("mismatched", 1_237, 1_566)])
def test_the_released_antonymy_repeats_ids(data: Path, genres: str, groups: int, sentences: int) -> None:
    pairs = _pairs(f"nli-stress/antonymy-{genres}", data)
    assert len({pair.group for pair in pairs}) == groups
    assert len({pair.premise for pair in pairs}) == sentences
    assert len({(pair.premise, pair.group) for pair in pairs}) == sentences
    assert all(pair.premise != pair.hypothesis for pair in pairs)


@pytest.mark.parametrize("split", ["matched", "mismatched"])
def test_mnli_hard_is_a_part_of_multinli_dev(data: Path, split: str) -> None:
    def key(pair: Pair) -> tuple[str, str]:
        premise, hypothesis = (
            "".join(filter(str.isalnum, str(text))).lower() for text in (pair.premise, pair.hypothesis)
        )
        return premise, hypothesis

    dev = {key(pair): pair.gold for pair in _pairs(f"multinli/dev-{split}", data)}
    assert all(dev[key(pair)] == pair.gold for pair in _pairs(f"mnli-hard/{split}", data))
