"""Answers of each task: what is taken, what it becomes, and the sentence for what is not."""

from __future__ import annotations

import copy
import json

import pytest

from nliprobe.base.errors import DataError, UsageError
from nliprobe.people.records import Content, Item, Json
from nliprobe.people.tasks import TASKS, Task
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.table import Row, Table

TABLE = Table("K2", (Row("Height", ("8,611 m",)), Row("Ranges", ("Karakoram", " Asia"))), "Mountain")
K2: dict[str, Json] = json.loads(TABLE.to_json())
CUP = Table("Cup", (Row("", ("Ann", "1")), Row("", ("Bo", ""))), "", ("who", "won"))
GRID: dict[str, Json] = json.loads(CUP.to_json())
ROWS: list[Json] = json.loads(TABLE.to_json())["rows"]
TEXT = "It rained. We left."


def task(name: str, **options: Json) -> Task:
    return TASKS.get(name)(options)


def item(**content: Json) -> Item:
    return Item("q1", content)


PAIR = item(premise=K2, hypothesis="It is high.")
TEXTS = item(premise=TEXT, hypothesis="We left.", sentences=[[0, 10], [11, 19]])


@pytest.mark.parametrize(
    ("options", "given", "kept"),
    [
        ({}, "Entailment", "E"),
        ({}, " not enough info ", "N"),
        ({"partition": "E|NC"}, "contradiction", "NC"),
        ({"partition": "E|NC"}, "not entailed", "NC"),
        ({"partition": "E|C"}, "refutes", "C"),
    ],
)
def test_labels_are_kept_as_blocks(options: Content, given: str, kept: str) -> None:
    asked = TASKS.get("verify")(options)
    assert asked.checked(PAIR, {"label": given}) == {"label": kept}
    assert asked.vote({"label": kept}) == kept


@pytest.mark.parametrize(
    ("options", "given", "sentence"),
    [
        ({}, "perhaps not", "has \"perhaps not\" under 'label': expected E, N or C"),
        ({}, "NC", "expected E, N or C"),
        ({}, "", "expected E, N or C"),
        ({}, "-", "expected E, N or C"),
        ({}, "0", "expected E, N or C"),
        ({}, 1, "expected a text"),
        ({}, None, "expected a text"),
        ({}, "e" * 10_000, "expected E, N or C"),
        ({"partition": "E|C"}, "neutral", "expected E or C"),
    ],
)
def test_other_labels_are_sentences(options: Content, given: Json, sentence: str) -> None:
    with pytest.raises(DataError) as error:
        TASKS.get("verify")(options).checked(PAIR, {"label": given})
    assert sentence in str(error.value)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("partition", ["", "E", "E|E", "X|Y", 3, None])
def test_a_partition_has_two_blocks_or_more(partition: Json) -> None:
    with pytest.raises(UsageError, match="should be like"):
        task("verify", partition=partition)


def test_an_odd_example_is_noted_and_no_part_of_the_vote() -> None:
    judge = task("judge")
    odd = judge.checked(PAIR, {"label": "E", "odd": True})
    assert odd == {"label": "E", "odd": True}
    assert judge.checked(PAIR, {"label": "E"}) == {"label": "E", "odd": False}
    assert judge.agrees({"label": "E", "odd": False}, odd)
    assert not judge.agrees({"label": "C", "odd": True}, odd)
    with pytest.raises(DataError, match="'odd': expected true or false"):
        judge.checked(PAIR, {"label": "E", "odd": "no"})


def test_marks_are_sorted_and_each_is_kept_once() -> None:
    marking = task("evidence")
    assert marking.checked(TEXTS, {"units": [1, 0, 1], "outside": False}) == {"units": [0, 1], "outside": False}
    assert marking.checked(PAIR, {"units": [], "outside": True}) == {"units": [], "outside": True}
    assert marking.vote({"units": [], "outside": True}) is None


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ({"units": [2], "outside": False}, "numbers of rows from 0 to 1"),
        ({"units": [-1], "outside": False}, "numbers of rows from 0 to 1"),
        ({"units": [10**30], "outside": False}, "numbers of rows from 0 to 1"),
        ({"units": [True], "outside": False}, "a list of numbers of rows"),
        ({"units": [1.0], "outside": False}, "a list of numbers of rows"),
        ({"units": "1", "outside": False}, "a list of numbers of rows"),
        ({"units": [1]}, "whether knowledge from outside is needed"),
        ({"units": [1], "outside": 0}, "whether knowledge from outside is needed"),
        ({"units": [1], "outside": False, "rows": [1]}, "'rows', which means nothing here"),
        ([1], "should be an object with the keys units, outside, not list"),
        (None, "should be an object"),
    ],
)
def test_other_marks_are_sentences(answer: Content, sentence: str) -> None:
    with pytest.raises(DataError) as error:
        task("evidence").checked(PAIR, answer)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"premise": TEXT, "hypothesis": "x"}, "there is nothing to mark"),
        ({"premise": TEXT, "hypothesis": "x", "sentences": [[0, 99]]}, "spans of the premise"),
        ({"premise": TEXT, "hypothesis": "x", "sentences": [[5, 3]]}, "spans of the premise"),
        ({"premise": TEXT, "hypothesis": "x", "sentences": [[0, True]]}, "a list of places"),
        ({"premise": K2, "hypothesis": "x", "sentences": [[0, 1]]}, "nothing, because the premise is a table"),
        ({"premise": {"title": "x", "rows": []}, "hypothesis": "x"}, "a table with a row or more"),
        ({"premise": {"title": "x", "rows": [["k", "v"]]}, "hypothesis": "x"}, "a key and a list of values"),
        ({"premise": {"rows": [["k", ["v"]]]}, "hypothesis": "x"}, "lacks the key 'title'"),
        ({"premise": {"title": "x", "rows": [["k", ["v"]]], "tilte": ""}, "hypothesis": "x"}, "Did you mean 'title'"),
        ({"premise": {"title": "x", "columns": ["a"], "rows": [["", ["1", "2"]]]}, "hypothesis": "x"}, "1 values"),
        ({"premise": "a\0b", "hypothesis": "x"}, "without the character NUL"),
        ({"premise": {"title": "a\0b", "rows": [["k", ["v"]]]}, "hypothesis": "x"}, "without NUL"),
        ({"premise": "a\ud800", "hypothesis": "x"}, "expected a text"),
        ({"premise": "  ", "hypothesis": "x"}, "a text that is not empty"),
        ({"premise": "x" * 200_001, "hypothesis": "x"}, "at most 200,000 characters, not 200,001"),
    ],
)
def test_items_that_cannot_be_shown_are_sentences(content: Content, sentence: str) -> None:
    with pytest.raises(DataError) as error:
        task("evidence").check_item(Item("q7", content))
    assert sentence in str(error.value)
    assert "q7" in str(error.value)


def having(table: dict[str, Json], **changed: Json) -> dict[str, Json]:
    return {**table, **changed}


def written(**texts: Json) -> dict[str, Json]:
    return {"true": "It is high.", "false": "It is low.", "undecided": "It is old.", **texts}


def test_hypotheses_are_kept_on_one_line() -> None:
    kept = task("write").checked(PAIR, written(true="  It is \n\t very high. "))
    assert kept["true"] == "It is very high."


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"true": "  \n "}, "a text that is not empty"),
        ({"true": "\u200b?!"}, "a text that is not empty"),
        ({"true": "it  is LOW."}, "under 'false': expected another sentence than under 'true'"),
        ({"undecided": "x" * 501}, "at most 500 characters, not 501"),
        ({"undecided": " " * 2_000_000 + "x"}, "at most 1,000 characters"),
        ({"false": "a\0b"}, "without the character NUL"),
        ({"false": "a\udc00b"}, "expected a text"),
        ({"false": 7}, "expected a text"),
    ],
)
def test_other_hypotheses_are_sentences(change: dict[str, Json], sentence: str) -> None:
    with pytest.raises(DataError) as error:
        task("write").checked(PAIR, written(**change))
    assert sentence in str(error.value)
    assert len(str(error.value)) < 300


EDIT = item(premise=K2, hypothesis="It is over 8,000 m high.", wanted="C")


def edited(table: dict[str, Json], row: int, *values: str, key: str | None = None) -> dict[str, Json]:
    made = copy.deepcopy(table)
    rows = made["rows"]
    assert isinstance(rows, list)
    old = rows[row]
    assert isinstance(old, list)
    rows[row] = [old[0] if key is None else key, list(values)]
    return made


def test_an_edit_keeps_what_nobody_changed() -> None:
    kept = task("counterfactual").checked(EDIT, {"table": edited(K2, 0, " 611  m ", "")})
    # The space before Asia is that of the original: only the other row was edited.
    assert kept["table"] == edited(K2, 0, "611 m")
    respaced = edited(edited(K2, 0, "611 m"), 1, "Karakoram ", "Asia")
    assert task("counterfactual").checked(EDIT, {"table": respaced}) == kept


def test_rows_may_come_and_go_where_the_project_says_so() -> None:
    rows = task("counterfactual", edits="rows")
    fewer = having(K2, rows=[["Height", ["8,611 m"]]])
    more = having(K2, rows=[*ROWS, ["Country", ["Pakistan"]]])
    assert rows.checked(EDIT, {"table": fewer}) == {"table": fewer}
    assert rows.checked(EDIT, {"table": more}) == {"table": more}
    for other in (fewer, more):
        with pytest.raises(DataError, match="the rows of the original, with other values"):
            task("counterfactual").checked(EDIT, {"table": other})


@pytest.mark.parametrize("edits", ["values", "rows"])
@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (K2, "a table that differs from the original"),
        (edited(K2, 1, "Karakoram", "  Asia "), "a table that differs from the original"),
        (having(K2, rows=ROWS[::-1]), "in the order of the original"),
        (having(K2, title="K3"), "whose title stays 'K2'"),
        (having(K2, category="River"), "whose category stays 'Mountain'"),
        (having(K2, columns=["a"]), "1 values in each row"),
        (edited(K2, 0, ""), "'Height' lacks one"),
        (edited(K2, 0, "x" * 1_001), "at most 1,000 characters"),
        (edited(K2, 0, *["x"] * 60), "at most 52 values in a row"),
        (edited(K2, 0, "a\0"), "without NUL"),
        (edited(K2, 0, "a\ud800"), "without NUL and halves of characters"),
        (having(K2, rows=[["k", ["v"]]] * 40), "at most 22 rows"),
        (having(K2, rows=[["k", ["v" * 600]]] * 600), "at most 300,000 characters in all"),
        ("K2", "expected an object"),
        ({"title": "K2", "rows": 3}, "a list of rows"),
    ],
)
def test_other_edits_are_sentences(edits: str, table: Json, sentence: str) -> None:
    with pytest.raises(DataError) as error:
        task("counterfactual", edits=edits).checked(EDIT, {"table": table})
    assert sentence in str(error.value)
    assert len(str(error.value)) < 400


def test_a_key_is_there_once_and_rows_of_a_grid_have_none() -> None:
    rows = task("counterfactual", edits="rows")
    with pytest.raises(DataError, match="'height' is there twice"):
        rows.checked(EDIT, {"table": having(K2, rows=[*ROWS, ["height", ["1 m"]]])})
    asked = item(premise=GRID, hypothesis="Ann won.", wanted="C")
    kept = rows.checked(asked, {"table": edited(GRID, 0, "Ann", "0")})
    assert kept["table"] == edited(GRID, 0, "Ann", "0")
    with pytest.raises(DataError, match="rows without keys"):
        rows.checked(asked, {"table": edited(GRID, 0, "Ann", "0", key="x")})
    with pytest.raises(DataError, match="a table with a row or more"):
        rows.checked(asked, {"table": having(GRID, rows=[])})


@pytest.mark.parametrize("options", [{"edits": "all"}, {"wanted": "E|C"}, {"wanted": ""}, {"edits": None}])
def test_options_of_edits_are_checked(options: Content) -> None:
    with pytest.raises(UsageError, match="should be"):
        TASKS.get("counterfactual")(options)


SEEN = item(premise=TEXT, hypothesis="We left late.", original="We left.", suggested="N")
BLIND = item(premise=TEXT, hypothesis="We left late.", original="We left.")


@pytest.mark.parametrize(
    ("asked", "answer", "kept"),
    [
        (SEEN, {"verdict": "accept"}, ("accept", "N")),
        (SEEN, {"verdict": "ACCEPT", "label": "neutral"}, ("accept", "N")),
        (SEEN, {"verdict": "fix", "label": "N"}, ("accept", "N")),
        (SEEN, {"label": "E"}, ("fix", "E")),
        (SEEN, {"verdict": "reject", "label": ""}, ("reject", "")),
        # Whether a blind answer is the expected one must not show.
        (BLIND, {"label": "N"}, ("fix", "N")),
        (BLIND, {"verdict": "reject"}, ("reject", "")),
    ],
)
def test_verdicts_have_a_label_or_none(asked: Item, answer: Content, kept: tuple[str, str]) -> None:
    settle = task("settle")
    assert settle.checked(asked, answer) == {"verdict": kept[0], "label": kept[1]}
    assert settle.vote({"verdict": kept[0], "label": kept[1]}) == (kept[1] or "reject")


@pytest.mark.parametrize(
    ("asked", "answer", "sentence"),
    [
        (SEEN, {"verdict": "skip"}, "accept, fix or reject"),
        (SEEN, {"verdict": "accept", "label": "E"}, "another one is a fix"),
        (SEEN, {"verdict": "fix"}, "lacks the key 'label'"),
        (SEEN, {}, "lacks the key 'label'"),
        (SEEN, {"verdict": "reject", "label": "E"}, "because the case is rejected"),
        (BLIND, {"verdict": "accept"}, "no single label is suggested"),
        (BLIND, {"label": "NC"}, "E, N or C"),
    ],
)
def test_other_verdicts_are_sentences(asked: Item, answer: Content, sentence: str) -> None:
    with pytest.raises(DataError) as error:
        task("settle").checked(asked, answer)
    assert sentence in str(error.value)


ASKED = item(template="{NAME} is older than {NAME2}.")


def test_bids_place_five_points() -> None:
    bid = task("bid")
    assert bid.checked(ASKED, {"points": [0, 3, 2, 0, 0]}) == {"points": [0, 3, 2, 0, 0]}
    assert bid.vote({"points": [0, 3, 2, 0, 0]}) == "2"
    assert bid.vote({"points": [0, 2, 2, 1, 0]}) is None
    assert bid.shown(ASKED)["points"] == 5


@pytest.mark.parametrize(
    "points", [[5], [1, 1, 1, 1, 2], [6, -1, 0, 0, 0], [5.0, 0, 0, 0, 0], [True, 4, 0, 0, 0], "5", None]
)
def test_other_bids_are_sentences(points: Json) -> None:
    with pytest.raises(DataError, match="'points': expected"):
        task("bid").checked(ASKED, {"points": points})


def test_one_bin_is_picked() -> None:
    assert task("pick").checked(ASKED, {"bin": 5}) == {"bin": 5}
    assert task("pick").vote({"bin": 5}) == "5"
    for wrong in (0, 6, 2.0, "3", True, None):
        with pytest.raises(DataError, match="a bin from 1 to 5"):
            task("pick").checked(ASKED, {"bin": wrong})


def test_what_is_known_about_a_pair_is_an_answer() -> None:
    marked = Evidence((1,), Grade.GOLD, outside=True)
    pair = Pair("x/1", TABLE, "It is in Asia.", LabelSet.of("N"), "K2", marked)
    assert task("verify").known(pair) == {"label": "N"}
    assert task("verify", partition="E|NC").known(pair) == {"label": "NC"}
    assert task("verify", partition="E|C").known(pair) is None
    assert task("judge").known(pair) == {"label": "N", "odd": False}
    assert task("evidence").known(pair) == {"units": [1], "outside": True}
    # The gold label is not what a system answers, and edited tables have no right answer.
    assert [task(name).known(pair) for name in ("predict", "write", "counterfactual", "settle", "bid")] == [None] * 5
    silver = Pair("x/2", TABLE, "It is in Asia.", None, "K2", Evidence((1,), Grade.SILVER))
    assert [task(name).known(silver) for name in ("verify", "evidence")] == [None, None]


def test_an_expected_answer_is_written_as_answers_are_kept() -> None:
    wrong = Item("q1", PAIR.content, expected={"label": "entailment"})
    with pytest.raises(DataError, match=r"nobody would ever give it: expected \{'label': 'E'\}"):
        task("verify").check_item(wrong)
