"""Which column is what: by names and values, never by a silent guess."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora.files import write, write_rows

from nliprobe.api.pairs import pairs
from nliprobe.api.sources import open_source
from nliprobe.base.errors import DataError, UsageError
from nliprobe.corpora.check import check_corpus
from nliprobe.corpora.notices import label_notices, source_notices
from nliprobe.task.labels import Partition

WORDS = ["entailment", "neutral", "contradiction"]


def rows(
    label: str, values: list[object], premise: str = "premise", hypothesis: str = "hypothesis"
) -> list[dict[str, object]]:
    return [{premise: f"p{n}", hypothesis: f"h{n}", label: value} for n, value in enumerate(values)]


def golds(path: Path, query: str = "") -> list[str]:
    return [str(pair.gold) for pair in open_source(f"file:{path}{query}").pairs()]


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label", "values"),
    [
        ("text", "claim", "verdict", ["SUPPORTS", "NOT ENOUGH INFO", "REFUTES"]),
        ("evidence", "claim", "label", ["supports", "nei", "refutes"]),
        ("context", "statement", "answer", ["yes", "unknown", "no"]),
        ("sentence_A", "sentence_B", "entailment_judgment", ["ENTAILMENT", "NEUTRAL", "CONTRADICTION"]),
        ("Sentence 1", "Sentence 2", "Gold Label", WORDS),
        ("prem", "hyp", "y", WORDS),
        ("doc", "summary", "target", WORDS),
    ],
)
def test_the_names_of_public_files_are_known(
    tmp_path: Path, premise: str, hypothesis: str, label: str, values: list[object]
) -> None:
    path = write_rows(tmp_path / "x.csv", rows(label, values, premise, hypothesis))
    assert golds(path) == ["E", "N", "C"]
    assert open_source(f"file:{path}?limit=2").name == "x?limit=2"


def test_codes_have_the_declared_order(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "x.csv", rows("y", [0, 1, 1], "text", "claim"))
    assert golds(path, "?labels=contradiction,entailment") == ["C", "E", "E"]
    with pytest.raises(DataError, match="is a code: declare what codes mean"):
        golds(path)


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        (
            "mark",
            [*WORDS * 33, "entailmnt"],
            r"'mark' could be one \(entailment 33, .* label=mark, or label=none",
        ),
        (
            "code",
            [0, 1, 2, 1],
            r"'code' could be one \(1 2, .* label=code, with what its codes mean",
        ),
        ("flag", [True, False, True], r"'flag' could be one \(True 2, False 1\)"),
    ],
)
def test_a_column_that_looks_like_a_label_is_asked_about(
    tmp_path: Path, name: str, values: list[object], message: str
) -> None:
    path = write_rows(tmp_path / "x.csv", rows(name, values))
    with pytest.raises(UsageError, match=rf"No column of .*x\.csv has the name of a label, but {message}"):
        golds(path)
    assert set(golds(path, "?label=none")) == {"None"}
    corpus = open_source(f"file:{path}?label=none")
    assert source_notices(corpus) == [], "who says that there is no label need not be told"
    assert check_corpus(open_source(f"file:{path}")).problems


@pytest.mark.parametrize("values", [["a", "b", "a"], [1, 5, 7], ["2020", "2021", ""], [0, 0, 0], ["", "", ""]])
def test_a_column_that_does_not_look_like_a_label_is_left_alone(tmp_path: Path, values: list[object]) -> None:
    corpus = open_source(f"file:{write_rows(tmp_path / 'x.jsonl', rows('topic', values))}")
    assert [pair.gold for pair in corpus.pairs()] == [None] * 3
    (notice,) = source_notices(corpus)
    assert "No pair has a label" in notice
    assert "premise = premise, hypothesis = hypothesis, label = none" in notice
    assert "not used: topic. Name the label with label=COLUMN, or say label=none." in notice


def test_the_name_of_a_label_with_other_values_is_passed_over_and_said(tmp_path: Path) -> None:
    corpus = open_source(f"file:{write_rows(tmp_path / 'x.csv', rows('target', ['politics', 'sport', 'art']))}")
    assert [pair.gold for pair in corpus.pairs()] == [None] * 3
    assert source_notices(corpus)[0] == (
        "Column 'target' has the name of a label, but its values are not labels: it is not used."
    )


@pytest.mark.parametrize(
    ("record", "what", "first", "second"),
    [
        ({"text": "a", "context": "b", "claim": "c", "label": "neutral"}, "premise", "context", "text"),
        ({"premise": "a", "claim": "b", "statement": "c", "label": "neutral"}, "hypothesis", "claim", "statement"),
        ({"premise": "a", "hypothesis": "b", "label": "neutral", "gold": "entailment"}, "label", "label", "gold"),
        ({"premise": "a", "hypothesis": "b", "y": "neutral", "verdict": "supports"}, "label", "verdict", "y"),
    ],
)
def test_two_columns_for_one_part_are_an_error_that_asks(
    tmp_path: Path, record: dict[str, object], what: str, first: str, second: str
) -> None:
    path = write_rows(tmp_path / "x.csv", [record])
    with pytest.raises(
        UsageError, match=rf"could be the {what}: {first}, {second}\. Say which: {what}={first} or {what}="
    ):
        golds(path)
    assert len(golds(path, f"?{what}={second}")) == 1
    with pytest.raises(UsageError, match=rf'Say which: nliprobe\.pairs\(data, {what}="{first}"\) or'):
        pairs([record])


def test_the_clear_name_decides_and_equal_labels_are_one(tmp_path: Path) -> None:
    record = {
        "premise": "a",
        "context": "b",
        "hypothesis": "c",
        "claim": "d",
        "label": "neutral",
        "gold_label": "neutral",
    }
    (pair,) = open_source(f"file:{write_rows(tmp_path / 'x.csv', [record])}").pairs()
    assert (pair.premise, pair.hypothesis, str(pair.gold)) == ("a", "c", "N")


def test_all_labels_with_a_typo_are_named_at_once(tmp_path: Path) -> None:
    values: list[object] = [*WORDS * 30, "entailmnt", "nuetral", "nuetral"]
    path = write_rows(tmp_path / "x.csv", rows("label", values))
    expected = r"line 92: unknown label 'entailmnt'.* In all, 3 of 93 values in column 'label' .* 'nuetral' 2, 'en"
    with pytest.raises(DataError, match=expected):
        golds(path)
    assert len(golds(path, "?labels=entailmnt:E;nuetral:N")) == 93


def test_the_codes_of_a_label_are_counted(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "x.csv", rows("label", [1, 0, 1]))
    with pytest.raises(DataError, match=r"the label '1' is a code: .* Column 'label' has the codes 0 \(1\), 1 \(2\)\."):
        golds(path)


def test_a_file_without_a_header_is_said_to_have_none(tmp_path: Path) -> None:
    path = write(tmp_path / "x.tsv", "7\ta dog runs\ta dog moves\tENTAILMENT\n8\ta dog sits\ta dog runs\tNEUTRAL\n")
    with pytest.raises(DataError, match="the first line is a pair, not the names of the columns: 7, a dog runs"):
        golds(path)


def test_a_missing_class_is_said(tmp_path: Path) -> None:
    corpus = open_source(f"file:{write_rows(tmp_path / 'x.csv', rows('label', ['entailment', 'neutral']))}")
    expected = "No pair is labelled C, though E|N|C is told apart. If that is meant, declare it: partition=E|NC."
    assert source_notices(corpus) == [expected]
    assert check_corpus(corpus).notices == (expected,)
    assert source_notices(open_source("builtin/sentences-dev?where=label:E")) == [], (
        "a published corpus declares itself"
    )


@pytest.mark.parametrize(
    ("labels", "partition", "message"),
    [
        ({"E": 1, "C": 1}, "E|N|C", "partition=E|C."),
        ({"E": 1}, "E|N|C", "No pair is labelled N or C, though E|N|C is told apart."),
        (
            {"E": 1, "NC": 2},
            "E|N|C",
            "Some labels leave open what E|N|C tells apart: NC 2. Declare it: partition=E|NC.",
        ),
        ({"E": 1, "NC": 2, "N": 1}, "E|N|C", "Some labels leave open what E|N|C tells apart: NC 2."),
    ],
)
def test_odd_labels_are_said(labels: dict[str, int], partition: str, message: str) -> None:
    (notice,) = label_notices(labels, Partition.parse(partition))
    assert notice.endswith(message)


@pytest.mark.parametrize("partition", ["E|N|C", "E|NC", "E|C"])
def test_full_labels_need_no_word(partition: str) -> None:
    blocks = Partition.parse(partition).blocks
    assert label_notices({str(block): 1 for block in blocks}, Partition.parse(partition)) == []


def test_doubled_quotes_in_a_tab_separated_file_are_said(tmp_path: Path) -> None:
    text = 'premise\thypothesis\tlabel\n"He said ""no""."\th\tneutral\n"plain"\tg\tentailment\nc\ti\tcontradiction\n'
    path = write(tmp_path / "x.tsv", text)
    (notice,) = source_notices(open_source(f"file:{path}"))
    assert notice.startswith("In 1 pairs a text stands between quotes")
    assert source_notices(open_source(f"file:{path}?quoting=1")) == []
    assert next(open_source(f"file:{path}?quoting=1").pairs()).premise == 'He said "no".'


def test_empty_rows_below_the_last_are_left_out(tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", "premise,hypothesis,label\na,b,neutral\n,,\n,,\n")
    assert golds(path) == ["N"]
    write(path, "premise,hypothesis,label\na,b,neutral\n,,\nc,d,neutral\n")
    with pytest.raises(DataError, match="line 3: the premise in column 'premise' is empty"):
        golds(path)


@given(st.lists(st.sampled_from([*WORDS, "", "x", "0", "1", "politics"]), min_size=1, max_size=12))
def test_no_values_of_an_unnamed_column_become_labels_without_a_word(values: list[object]) -> None:
    with suppress(UsageError):
        held = pairs(rows("tag", values))
        assert all(pair.gold is None for pair in held.pairs())
        assert len(source_notices(held)) == 1
