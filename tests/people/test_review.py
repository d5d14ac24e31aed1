"""Walking through a queue, merging two people's copies, counting, and the corpus of what was settled."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tests.people.reviewed import ITEM, ITEMS, TABLE, new_queue

from nliprobe.base.errors import DataError, UsageError
from nliprobe.corpora.file import FileCorpus
from nliprobe.people.review.files import append_decisions, read_queue
from nliprobe.people.review.merge import merge_queues
from nliprobe.people.review.records import Decision, Verdict, judged
from nliprobe.people.review.settled import write_settled
from nliprobe.people.review.tally import tally
from nliprobe.people.review.walk import Walk
from nliprobe.stats.intervals import wilson
from nliprobe.task.sources import open_source


def test_a_walk_keeps_every_decision_at_once(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    walk = Walk(path, read_queue(path), rater="Ann")
    walk.accept("clear")
    assert read_queue(path).decision("c1") == Decision("c1", Verdict.ACCEPT, "C", "clear", "Ann")
    walk.label("N")
    walk.reject()
    walk.skip("later")
    assert walk.current is None
    assert walk.decided == 3
    assert [item.case_id for item in read_queue(path).open] == ["c4"]
    again = Walk(path, read_queue(path))
    assert (again.current, again.left) == (ITEMS[3], 1)


def test_going_back_reaches_cases_of_earlier_walks(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    append_decisions(path, [judged(ITEMS[0], "C"), judged(ITEMS[1], "C")])
    walk = Walk(path, read_queue(path))
    assert walk.current == ITEMS[2]
    assert walk.back()
    assert walk.current == ITEMS[1]
    assert walk.back()
    assert not walk.back()
    assert walk.current == ITEMS[0]
    walk.skip()  # a settled case stays settled
    walk.label("E")
    assert walk.current == ITEMS[2]
    assert walk.decided == 0
    queue = read_queue(path)
    assert (queue.outcome("c1"), queue.outcome("c2")) == ("C", "E")


def test_accepting_without_an_expected_label_is_refused(tmp_path: Path) -> None:
    path = new_queue(tmp_path, ITEMS[3:])
    with pytest.raises(ValueError, match="'EN' is not one of the labels"):
        Walk(path, read_queue(path)).accept()
    assert read_queue(path).open == [ITEMS[3]]


def test_merging_takes_agrees_and_disputes(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    other = tmp_path / "other.jsonl"
    shutil.copy(path, other)
    append_decisions(path, [judged(ITEMS[0], "C", rater="Ann"), judged(ITEMS[1], "C", rater="Ann")])
    theirs = [judged(ITEMS[0], "C"), judged(ITEMS[1], "N", remark="no length", rater="Ben"), judged(ITEMS[2], "E")]
    append_decisions(other, [*theirs, Decision("c4", Verdict.SKIP)])
    merged = merge_queues(path, other)
    assert (merged.taken, merged.earlier, merged.unknown) == (1, 0, 0)
    assert [(item.case_id, item.ours.label, item.theirs.label) for item in merged.conflicts] == [("c2", "C", "N")]
    assert [(one.ours, one.theirs) for one in merged.both] == [("C", "C"), ("C", "N")]
    queue = read_queue(path)
    assert {name: queue.outcome(name) for name in queue.items} == {"c1": "C", "c2": None, "c3": "E", "c4": None}
    dispute = queue.decision("c2")
    assert dispute is not None
    assert dispute.remark == "Ann: C; Ben: N (no length)"
    # Somebody decides, and merging the same copy again changes nothing.
    append_decisions(path, [judged(ITEMS[1], "C")])
    before = path.read_bytes()
    again = merge_queues(path, other)
    assert (again.taken, again.conflicts, again.earlier) == (0, (), 1)
    assert path.read_bytes() == before
    assert [(one.ours, one.theirs) for one in again.both] == [("C", "C"), ("C", "N"), ("E", "E")]


def test_only_copies_are_merged(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    strange = new_queue(tmp_path, (replace(ITEM, case_id="z"),), "strange.jsonl")
    with pytest.raises(DataError, match="they are no copies of one queue"):
        merge_queues(path, strange)
    changed = new_queue(tmp_path, (replace(ITEM, perturbed="Other."),), "changed.jsonl")
    with pytest.raises(DataError, match="The case 'c1' is another one"):
        merge_queues(path, changed)


def test_counts_by_rule_have_intervals(tmp_path: Path) -> None:
    items = tuple(replace(ITEM, case_id=f"c{number}", group=f"t{number}") for number in range(20))
    path = new_queue(tmp_path, items)
    decisions = [judged(item, "N" if number < 3 else "C", blind=number < 10) for number, item in enumerate(items[:15])]
    append_decisions(path, [*decisions, Decision("c15", Verdict.REJECT), Decision("c16", Verdict.SKIP)])
    document = tally(read_queue(path), "queue.jsonl")
    [rule] = document["rules"]
    assert (rule["kind"], rule["rule"], rule["cases"], rule["open"]) == ("number", "over-raised", 20, 4)
    assert (rule["accepted"], rule["fixed"], rule["rejected"]) == (12, 3, 1)
    assert rule["became"] == {"E": 0, "N": 3, "C": 0}
    expected = wilson(12, 15)
    assert expected is not None
    assert rule["right"]["ci95"] == pytest.approx([expected.low, expected.high])
    assert (rule["usable"]["count"], rule["usable"]["n"]) == (15, 16)
    assert (rule["blind"]["count"], rule["blind"]["n"]) == (7, 10)
    assert document["all"]["right"] == rule["right"]
    assert document["skipped"] == 1


def test_settled_cases_become_a_corpus(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    append_decisions(path, [judged(ITEMS[0], "C"), judged(ITEMS[1], "N"), Decision("c3", Verdict.REJECT)])
    append_decisions(path, [judged(ITEMS[3], "E")])
    out = tmp_path / "settled.jsonl"
    written = write_settled(read_queue(path), out)
    assert (written.cases, written.originals) == (3, 2)
    corpus = open_source(written.spec)
    assert isinstance(corpus, FileCorpus)
    pairs = list(corpus.pairs())
    assert [str(pair.gold) for pair in pairs] == ["E", "C", "E", "N", "E"]
    assert pairs[1].bases == (pairs[0].id,)
    assert pairs[1].premise == TABLE
    assert pairs[1].group == "t1"
    facets = dict(pairs[1].facets)
    assert facets["rule"] == "over-raised"
    assert facets["original"] == "made/1"
    assert facets["verdict"] == "accept"
    assert dict(pairs[0].facets) == {"effect": "original", "original": "made/1"}
    assert pairs[4].bases == ()
    assert pairs[4].premise == "A plain text."
    plain = list(open_source(f"file:{out}").pairs())
    assert [pair.gold for pair in plain] == [pair.gold for pair in pairs]


def test_settled_cases_without_labelled_originals_are_a_corpus(tmp_path: Path) -> None:
    path = new_queue(tmp_path, ITEMS[3:])
    append_decisions(path, [judged(ITEMS[3], "N")])
    written = write_settled(read_queue(path), tmp_path / "settled.jsonl")
    assert written.originals == 0
    assert [str(pair.gold) for pair in open_source(written.spec).pairs()] == ["N"]


def test_nothing_settled_is_no_corpus(tmp_path: Path) -> None:
    queue = read_queue(new_queue(tmp_path))
    with pytest.raises(DataError, match="nothing to write"):
        write_settled(queue, tmp_path / "settled.jsonl")
    with pytest.raises(UsageError, match=r"should end in \.jsonl"):
        write_settled(queue, tmp_path / "settled.csv")
