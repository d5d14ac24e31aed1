"""The file of a review: what is written is read back, decisions survive, and what is wrong is a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.people.reviewed import ITEM, ITEMS, new_queue

from nliprobe.base.errors import DataError, NotFoundError, StoreError, command_line
from nliprobe.people.review.files import append_decisions, read_queue, write_queue
from nliprobe.people.review.records import Decision, ReviewItem, Verdict, item_of, judged
from nliprobe.task.case import Case, Certainty
from nliprobe.task.edits import Edit
from nliprobe.task.labels import C, E
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.relations import Relation
from nliprobe.task.table import Row, Table

_TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
_TABLES = st.builds(
    lambda title, rows: Table(title, tuple(Row(key, tuple(values)) for key, values in rows)),
    _TEXTS,
    st.lists(st.tuples(_TEXTS, st.lists(_TEXTS))),
)


@given(_TEXTS, _TEXTS, st.one_of(_TEXTS, _TABLES), _TEXTS)
def test_every_case_and_remark_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, original: str, perturbed: str, premise: str | Table, remark: str
) -> None:
    item = replace(ITEM, original=original, perturbed=perturbed, premise=premise, span=None)
    path = new_queue(tmp_path_factory.mktemp("queue"), (item,))
    append_decisions(path, [Decision("c1", Verdict.REJECT, remark=remark)])
    queue = read_queue(path)
    assert list(queue.items.values()) == [item]
    assert queue.history == {"c1": [Decision("c1", Verdict.REJECT, remark=remark)]}
    start, stop = item.changed
    before = item.original[slice(*item.changed_before)]
    assert item.perturbed[:start] + before + item.perturbed[stop:] == item.original


def test_the_last_decision_counts(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    append_decisions(path, [judged(ITEM, "N"), judged(ITEM, "C", remark="looked again", rater="Ann", blind=True)])
    queue = read_queue(path)
    assert queue.decision("c1") == Decision("c1", Verdict.ACCEPT, "C", "looked again", "Ann", blind=True)
    assert [item.case_id for item in queue.open] == ["c2", "c3", "c4"]


def test_a_torn_decision_is_lost_alone(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    append_decisions(path, [judged(ITEM, "C", remark="naïve")])
    first = path.read_bytes()
    append_decisions(path, [judged(ITEMS[1], "N", remark="naïve")])
    whole = path.read_bytes()
    for length in range(len(first) + 1, len(whole) - 1):
        path.write_bytes(whole[:length])
        queue = read_queue(path)
        assert queue.outcome("c1") == "C"
        assert queue.outcome("c2") is None
        assert "cut off" in queue.notices[0]
        append_decisions(path, [judged(ITEMS[1], "E")])
        mended = read_queue(path)
        assert (mended.outcome("c1"), mended.outcome("c2"), mended.notices) == ("C", "E", [])


def test_people_on_one_file_do_not_write_over_each_other(tmp_path: Path) -> None:
    items = tuple(replace(ITEM, case_id=f"c{number}") for number in range(40))
    path = new_queue(tmp_path, items)
    with ThreadPoolExecutor(8) as people:
        list(people.map(lambda item: append_decisions(path, [judged(item, "N", remark="x" * 200)]), items))
    assert read_queue(path).open == []


def test_half_a_case_is_an_error(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(DataError, match=r"line 4 is cut off in the middle of a case: copy the file again"):
        read_queue(path)


def test_a_last_line_without_its_end_is_whole(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    append_decisions(path, [judged(ITEM, "C")])
    assert read_queue(path).outcome("c1") == "C"


def test_verdicts_written_by_hand_count(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    _edit(path, 0, lambda line: line | {"verdict": "Accept"})
    _edit(path, 1, lambda line: line | {"verdict": "fix", "label": "neutral", "remark": "by hand"})
    _edit(path, 2, lambda line: line | {"verdict": "fix", "label": "E"})
    queue = read_queue(path)
    assert queue.decision("c1") == Decision("c1", Verdict.ACCEPT, "C")
    assert queue.decision("c2") == Decision("c2", Verdict.FIX, "N", "by hand")
    assert queue.decision("c3") == Decision("c3", Verdict.ACCEPT, "E")
    append_decisions(path, [judged(ITEM, "E")])
    assert read_queue(path).outcome("c1") == "E"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"verdict": "fix", "label": "X"}, r"line 1 has \"X\" under 'label': expected E, N or C"),
        ({"verdict": "fix", "label": "EN"}, r"expected E, N or C"),
        ({"verdict": "fix"}, r"line 1: the label of 'c1' is fixed, but there is no label"),
        ({"verdict": "yes"}, r"has \"yes\" under 'verdict': expected accept, fix, reject, skip"),
        ({"verdict": 1}, r"has 1 under 'verdict': expected a text"),
        ({"verdict": "accept", "label": "E"}, r"is accepted with the label E, but C is expected"),
        ({"verdict": "conflict"}, r"expected what two people said"),
        ({"perturbed": "Blue Harbour is long."}, r"line 1: the case 'c1' was changed after it was exported"),
        ({"expected": "E"}, r"was changed after it was exported"),
        ({"premise": {"title": "t"}}, r"under 'premise': expected a text, or a table"),
        ({"premise": None}, r"under 'premise': expected a text"),
        ({"span": [1]}, r"under 'span': expected two numbers"),
        ({"case_id": "c2"}, r"line 1: the case 'c2' was changed"),
        ({"schema": "nliprobe/review-queue/2"}, r"line 1: this is 'nliprobe/review-queue/2', and this version reads"),
    ],
)
def test_what_is_wrong_in_a_line_is_said(tmp_path: Path, change: dict[str, object], sentence: str) -> None:
    path = new_queue(tmp_path)
    _edit(path, 0, lambda line: line | change)
    with pytest.raises(DataError, match=sentence):
        read_queue(path)


def test_accepting_needs_one_expected_label(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    _edit(path, 3, lambda line: line | {"verdict": "accept"})
    with pytest.raises(DataError, match=r"line 4: 'c4' has no single expected label to accept"):
        read_queue(path)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "holds no cases"),
        (b"[1]\n", "expected a JSON object"),
        (b"{}\n", "this is 'None'"),
        (b'{"schema": \n{}\n', "line 1: this is not JSON"),
        (b'\xff\xfe{"a"}\n', "line 1: this is not UTF-8"),
        (b'{"decides": "c9", "verdict": "reject"}\n', "holds no cases"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "other.jsonl"
    path.write_bytes(content)
    with pytest.raises(DataError, match=sentence):
        read_queue(path)


def test_a_missing_file_says_how_to_make_one(tmp_path: Path) -> None:
    with command_line(), pytest.raises(NotFoundError, match=r"Write one with nliprobe review .* --on CORPUS"):
        read_queue(tmp_path / "queue.jsonl")


def test_a_case_twice_and_a_decision_about_none_are_refused(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    lines = path.read_bytes()
    path.write_bytes(lines + lines.partition(b"\n")[0] + b"\n")
    with pytest.raises(DataError, match=r"line 5: the case 'c1' is already in line 1"):
        read_queue(path)
    path.write_bytes(lines + b'{"decides": "c9", "verdict": "reject"}\n')
    with pytest.raises(DataError, match=r"line 5: there is no case 'c9' in this file"):
        read_queue(path)


def test_a_queue_is_never_replaced(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="may hold decisions"):
        write_queue(path, ITEMS)
    assert path.read_bytes() == before


def test_cases_of_other_probes_become_items() -> None:
    pair = Pair("made/1", Table("T", (Row("a", ("1",)),)), "T has a 1.", E, "t1")
    relation = Relation.parse("E>EN N>N C>NC")
    edits = (Edit("row.delete", 0, before='["a", ["1"]]'),)
    case = Case("x", "rows.delete", pair, Table("T", ()), pair.hypothesis, expects=relation, edits=edits)
    item = item_of(case._replace(certainty=Certainty.LIKELY), "made")
    assert (item.expected, item.kind, item.rule, item.span) == ("EN", "rows.delete", "", None)
    assert item.before == pair.premise
    edit = Edit("hypothesis.replace", span=(8, 9), before="1", after="2")
    facets = (Facet("rule", "raised"), Facet("kind", "number"), Facet("effect", "flip"))
    case = Case("y", "p", pair, pair.premise, "T has a 2.", gold=C, edits=(edit,), facets=facets)
    item = item_of(case, "made")
    assert (item.expected, item.kind, item.rule, item.effect, item.span) == ("C", "number", "raised", "flip", (8, 9))
    assert item.before is None


def _edit(path: Path, number: int, change: Callable[[dict[str, object]], dict[str, object]]) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[number] = json.dumps(change(json.loads(lines[number])))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_items_are_told_apart_by_what_people_judge() -> None:
    others: list[ReviewItem] = [
        replace(ITEM, original="x"),
        replace(ITEM, perturbed="x"),
        replace(ITEM, premise="x"),
        replace(ITEM, before="x"),
        replace(ITEM, expected="E"),
        replace(ITEM, span=None),
    ]
    assert len({item.digest for item in [ITEM, *others]}) == 7
