"""Tables about people, from small files of responses whose numbers were worked out by hand."""

from __future__ import annotations

import itertools
import operator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.helpers import nliprobe, nliprobe_json

from nliprobe.base.errors import DataError
from nliprobe.papers.checklist._responses import PHASE_2, STUDY, read_responses
from nliprobe.papers.recipes import Cell, find_recipes
from nliprobe.people.study.responses import Answer, Bid
from nliprobe.people.study.scoring import bid_arrays, foreseen, mutual, together

BID_HEADER = "stage,participant,template,b1,b2,b3,b4,b5,true_bin"
ANSWER_HEADER = "stage,participant,item,answer,truth"
BIDS = [
    BID_HEADER,
    "1,P1,a,5,0,0,0,0,1",
    "1,P1,b,0,3,2,0,0,3",
    "1,P1,c,0,0,0,0,5,5",
    "1,P1,d,1,1,1,1,1,1",
    "1,P2,a,0,5,0,0,0,1",
    "1,P2,b,0,1,4,0,0,3",
    "1,P2,c,0,0,0,2,3,5",
    "1,P2,d,,,,,5,1",
    "2,P1,a,5,0,0,0,0,1",
    "2,Zoe,a,0,0,0,5,0,1",
]
TRUTH = "ENCE"
GIVEN = {"B2": ("ENCE", "ENEN", "NNEE"), "R2": ("ENCE", "ENCE", "ENCN"), "example-questions": ("ENCE", "ENEN", "NNEE")}


def answer_lines() -> list[str]:
    return [
        ANSWER_HEADER,
        *(
            f"{stage},{name},q{number},{answer.lower()},{truth}"
            for stage, people in GIVEN.items()
            for name, answers in zip("ABC", people, strict=True)
            for number, (answer, truth) in enumerate(zip(answers, TRUTH, strict=True))
        ),
    ]


def written(folder: Path, lines: list[str]) -> Path:
    path = folder / "responses.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def ours(item: str, responses: Path | None) -> dict[Cell, float | None]:
    [found] = find_recipes(f"checklist:{item}")
    return {Cell(cell["row"], cell["col"]): cell["ours"] for cell in found.run(responses=responses)["cells"]}


def test_bids(tmp_path: Path) -> None:
    values = ours("table7", written(tmp_path, BIDS))
    assert values[Cell("P1", "average_score 1")] == 13 / 4
    assert values[Cell("P2", "average_score 1")] == 7 / 4
    # Of five equal bids the lowest bin counts, which is right in d.
    assert values[Cell("P1", "argmax_accuracy 1")] == 3 / 4
    assert values[Cell("P2", "argmax_accuracy 1")] == 2 / 4
    assert values[Cell("P1 & P2", "argmax_consensus 1")] == 1 / 4
    assert values[Cell("P1 & P2", "pearson 1")] == pytest.approx(0.25 / 12.75)
    assert values[Cell("P1", "average_score 2")] == 5
    assert values[Cell("P1 & Zoe", "argmax_consensus 2")] == 0
    assert values[Cell("P1 & Zoe", "pearson 2")] is None
    assert values[Cell("P3", "average_score 1")] is None
    assert values[Cell("P1", "average_score 3")] is None


def test_answers(tmp_path: Path) -> None:
    path = written(tmp_path, answer_lines())
    values = ours("figure4", path)
    assert values[Cell("B2", "accuracy")] == pytest.approx(125 * (4 + 2 + 2) / 12)
    assert values[Cell("B2", "accuracy_sd")] == pytest.approx(62.5 / 3**0.5)
    assert values[Cell("B2", "agreement")] == pytest.approx(62.5)
    assert values[Cell("R2", "accuracy")] == pytest.approx(125 * 11 / 12)
    assert values[Cell("R2", "agreement")] == pytest.approx(125 * 10 / 12)
    assert values[Cell("R2 over B2", "accuracy_gain_percent")] == pytest.approx(37.5)
    assert values[Cell("R2 over B2", "agreement_gain_percent")] == pytest.approx(100 * (10 / 6 - 1))
    assert values[Cell("B1", "accuracy")] is None
    values = ours("table8", path)
    assert values[Cell("accuracy", "example-questions")] == pytest.approx(25 * 8 / 12)
    assert values[Cell("agreement", "example-questions")] == pytest.approx(12.5)
    assert values[Cell("accuracy", "template-explanations")] is None


@pytest.mark.parametrize("item", ["table7", "table8", "figure4"])
def test_without_a_file_or_with_the_other_kind_it_says_so(item: str, tmp_path: Path) -> None:
    [found] = find_recipes(f"checklist:{item}")
    document = found.run()
    assert all(cell["ours"] is None for cell in document["cells"])
    assert "--responses FILE" in document["notes"][0]
    other = written(tmp_path, answer_lines() if item == "table7" else BIDS)
    document = found.run(responses=other)
    assert all(cell["ours"] is None for cell in document["cells"])
    assert "holds" in document["notes"][0]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([BID_HEADER.replace(",b3", ""), "1,P1,a,1,1,1,1,1"], "line 2: there is no column 'b3'. Bids have the columns"),
        ([ANSWER_HEADER.replace(",truth", ""), "B1,A,q,e"], "there is no column 'truth'"),
        (["a,b", "1,2"], "there is no column 'stage'"),
        ([BID_HEADER, "4,P1,a,5,0,0,0,0,1"], "line 2: there is no stage '4'. Available: 1, 2, 3."),
        ([ANSWER_HEADER, "B3,A,q,e,e"], "there is no stage 'B3'"),
        ([ANSWER_HEADER, "example-question,A,q,e,e"], "Did you mean 'example-questions'?"),
        ([BID_HEADER, "1,P1,a,five,0,0,0,0,1"], "line 2: 'five' under b1 is not a bid. Expected a number from 0 to 5."),
        ([BID_HEADER, "1,P1,a,nan,0,0,0,0,1"], "'nan' under b1 is not a bid"),
        ([BID_HEADER, "1,P1,a,0,-1,0,0,0,1"], "'-1' under b2 is not a bid"),
        ([BID_HEADER, "1,P1,a,3,3,0,0,0,1"], "6 points are placed on the bins, but there are only 5"),
        ([BID_HEADER, "1,P1,a,3,0,0,0,0,0"], "'0' is not a bin"),
        ([BID_HEADER, "1,P1,a,3,0,0,0,0,²"], "'²' is not a bin"),
        ([BID_HEADER, "1,,a,3,0,0,0,0,1"], "the column 'participant' is empty"),
        (
            [BID_HEADER, "1,P1,a,3,0,0,0,0,1", "1,P1,a,3,0,0,0,0,1"],
            "P1 answers 'a' of stage 1 a second time, after line",
        ),
        (
            [ANSWER_HEADER, "B1,A,q,e,e", "B1,B,q,e,n"],
            "line 3: what is right about 'q' of stage B1 differs from line 2",
        ),
        ([ANSWER_HEADER, "B1,A,q,e,"], "the column 'truth' is empty"),
        ([ANSWER_HEADER], "holds no responses"),
        ([ANSWER_HEADER, "B1,A,q"], "3 fields where the header has 5"),
    ],
)
def test_faults_are_sentences(lines: list[str], said: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read_responses(written(tmp_path, lines))
    assert said in str(caught.value)
    assert "responses.csv" in str(caught.value)


def test_the_command_takes_a_file(tmp_path: Path) -> None:
    path = written(tmp_path, BIDS)
    document = nliprobe_json("reproduce", "checklist:table7", "--responses", str(path))
    [cell] = [cell for cell in document["cells"] if (cell["row"], cell["col"]) == ("P1", "average_score 1")]
    assert cell == {
        "row": "P1",
        "col": "average_score 1",
        "paper": 1.4,
        "ours": 3.25,
        "by": "participants of responses.csv",
    }
    path.write_text(f"{BID_HEADER}\n9,P1,a,5,0,0,0,0,1\n", encoding="utf-8")
    done = nliprobe("reproduce", "checklist:table7", "--responses", str(path), code=1)
    assert done.stderr.count("\n") == 1
    assert "there is no stage '9'" in done.stderr


def test_an_empty_answer_is_wrong_and_agrees_with_none() -> None:
    answers = [Answer("B1", name, "q", "", "e") for name in "AB"]
    assert foreseen(answers, 125) == [0, 0]
    assert mutual(answers, 125) == 0
    assert mutual(answers[:1], 125) is None


labels = st.lists(st.sampled_from("enc"), min_size=5, max_size=5)


@given(st.lists(labels, min_size=2, max_size=5), labels)
def test_accuracy_and_agreement_are_the_counts_of_the_definition(people: list[list[str]], truth: list[str]) -> None:
    answers = [
        Answer("B1", f"p{person}", str(item), given_, truth[item])
        for person, row in enumerate(people)
        for item, given_ in enumerate(row)
    ]
    assert foreseen(answers, 5) == pytest.approx([sum(map(operator.eq, row, truth)) for row in people])
    pairs = [sum(map(operator.eq, one, other)) for one, other in itertools.combinations(people, 2)]
    assert mutual(answers, 5) == pytest.approx(sum(pairs) / len(pairs))


def test_two_without_a_template_in_common_are_not_compared() -> None:
    points = (5.0, 0.0, 0.0, 0.0, 0.0)
    bids = bid_arrays([Bid("1", "P1", "a", points, 0), Bid("1", "P2", "b", points, 0)])
    assert together(bids, 0, 1) is None


def test_stages_are_those_of_the_printed_values() -> None:
    [table8], [figure4] = find_recipes("checklist:table8"), find_recipes("checklist:figure4")
    assert {cell.col for cell in table8.printed()} == set(PHASE_2)
    assert {cell.row for cell in figure4.printed()} == {"B1", "B2", "R2 over B2"}
    assert STUDY == ("B1", "B2", "R2")
