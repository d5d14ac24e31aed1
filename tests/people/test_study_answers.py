"""Answers of participants: what any front end writes, and faults as sentences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.people.studied import EXAMPLE_ITEMS, TEMPLATE_ITEMS, answers_file, give, small_study

from nliprobe.base.errors import DataError
from nliprobe.people.study.answers import Feedback, Given, read_answers, write_answers

HEADER = "participant,stage,item,answer"


def written(folder: Path, *lines: str, header: str = HEADER, name: str = "answers.csv") -> Path:
    path = folder / name
    path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    return path


names = st.text(st.characters(categories=("L", "N"), include_characters="=-+@ '"), min_size=1, max_size=8).map(
    str.strip
)


@given(
    st.lists(st.tuples(names.filter(bool), st.sampled_from(EXAMPLE_ITEMS), st.sampled_from(["E", "N", "C", ""]))),
    st.lists(st.lists(st.integers(0, 1), min_size=5, max_size=5), max_size=6),
)
def test_answers_are_read_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, said: list[tuple[str, str, str]], bids: list[list[int]]
) -> None:
    study, _ = small_study()
    labels = {(name, item): Given(name, "B1", item, answer, position=3) for name, item, answer in said}
    listed = [*labels.values(), Given("always", "picks", "t1", "0-20")]
    points = zip(TEMPLATE_ITEMS, bids, strict=False)
    listed += [Given("always", "bids", item, "", tuple(map(float, given_))) for item, given_ in points]
    path = tmp_path_factory.mktemp("answers") / "answers.csv"
    opinions = [Feedback("always", "B1", "useful", "yes"), Feedback("always", "", "easier", "R2")]
    write_answers(path, study, listed, opinions)
    collected = read_answers(study, [path])
    assert collected.given == listed
    assert collected.feedback == opinions
    assert not collected.notes


def test_labels_and_bins_are_spelt_in_many_ways(tmp_path: Path) -> None:
    study, _ = small_study()
    path = written(
        tmp_path,
        "A,B1,q01,Entailment",
        "A,B1,q02,n",
        "A,B1,q03,",
        "A,picks,t1,20 – 40 %",
        "A,picks,t2,5",
        "A,picks,t3,0-20",
    )
    assert [one.answer for one in read_answers(study, [path]).given] == ["E", "N", "", "20-40", "80-100", "0-20"]
    lines = tmp_path / "answers.jsonl"
    lines.write_text(
        json.dumps({"participant": "A", "stage": "bids", "item": "t1", "answer": "0 3 2 0 0"})
        + "\n"
        + json.dumps({"participant": 7, "stage": "bids", "item": "t1", "answer": ""})
        + "\n",
        encoding="utf-8",
    )
    first, second = read_answers(study, [lines]).given
    assert list(first.points) == [0, 3, 2, 0, 0]
    assert second.participant == "7"
    assert list(second.points) == [0, 0, 0, 0, 0]


def test_the_same_answer_twice_counts_once_and_is_said(tmp_path: Path) -> None:
    study, _ = small_study()
    collected = read_answers(study, [written(tmp_path, "A,B1,q01,E", "A,B1,q01,E", "A,B1,q02,N")])
    assert len(collected.given) == 2
    assert collected.notes == ["One line repeats an answer that was given before, and counts once."]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["A,B1,q01,E", "A,B1,q01,N"], "line 3: A answers 'q01' of stage B1 a second time and otherwise than in"),
        (["A,B9,q01,E"], "line 2: the study has no stage 'B9'"),
        (["A,B1,q99,E"], "stage B1 has no item 'q99'. Its items go from 'q01' to 'q12'."),
        (["A,B1,t1,E"], "stage B1 has no item 't1'"),
        (["A,B1,q01,maybe not"], "'maybe not' is no answer of stage B1. Expected one of E, N, C, or nothing"),
        (["A,picks,t1,6"], "'6' is no answer of stage picks"),
        (["A,picks,t1,²"], "'²' is no answer of stage picks"),
        (["A,bids,t1,1 2"], "'1 2' is no bid. Expected 5 numbers from 0 to 5"),
        (["A,bids,t1,1 2 x 0 0"], "is no bid"),
        (["A,bids,t1,nan 0 0 0 0"], "is no bid"),
        (["A,bids,t1,-1 0 0 0 0"], "is no bid"),
        (["A,bids,t1,3 3 0 0 0"], "6 points are placed on the bins, but there are only 5"),
        ([",B1,q01,E"], "the column 'participant' is empty"),
        (["A,,q01,E"], "is no question about the whole study. Name the stage of an item"),
        (["A,B1,useful,perhaps"], "'perhaps' is no answer to 'useful'. Available: no, yes."),
        (["A,B1,useful,yes"], "holds no answer to a question"),
    ],
)
def test_faults_are_sentences(lines: list[str], said: str, tmp_path: Path) -> None:
    study, _ = small_study()
    with pytest.raises(DataError) as caught:
        read_answers(study, [written(tmp_path, *lines)])
    assert said in str(caught.value)
    assert "answers.csv" in str(caught.value)


@pytest.mark.parametrize(
    ("header", "line", "said"),
    [
        ("participant,stage,item", "A,B1,q01", "there is no column 'answer'. Answers have the columns participant"),
        (f"{HEADER},position", "A,B1,q01,E,5", "'5' under position is no place of a stage, from 1 to 4"),
        (f"{HEADER},position", "A,B1,q01,E,first", "'first' under position"),
        (f"{HEADER},panel", "A,B1,q01,E,robots", "'robots' under panel should be 'simulated', or nothing"),
        (f"{HEADER},study", "A,B1,q01,E,000", "this answers another study (000, not"),
    ],
)
def test_faults_of_further_columns_are_sentences(header: str, line: str, said: str, tmp_path: Path) -> None:
    study, _ = small_study()
    with pytest.raises(DataError) as caught:
        read_answers(study, [written(tmp_path, line, header=header)])
    assert said in str(caught.value)


def test_people_and_simulated_participants_are_not_mixed(tmp_path: Path) -> None:
    study, _ = small_study()
    one = answers_file(tmp_path / "one.csv", study, give("B1", "A", "E"))
    two = answers_file(tmp_path / "two.csv", study, [Given("sim", "B1", "q01", "E", simulated=True)])
    assert read_answers(study, [two]).simulated
    assert not read_answers(study, [one]).simulated
    with pytest.raises(DataError, match=r"two\.csv, line 2: people and simulated participants are mixed .*one\.csv"):
        read_answers(study, [one, two])
