"""Settled cases come back into their queue, and predictions and bids into the file of responses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.helpers import nliprobe_json
from tests.people.reviewed import ITEM, ITEMS, new_queue

from nliprobe.base.errors import DataError
from nliprobe.people.export.decisions import Decided, decide_queue
from nliprobe.people.export.responses import write_responses
from nliprobe.people.items.of_pairs import items_of
from nliprobe.people.items.of_queues import settle_items
from nliprobe.people.items.of_templates import AskedTemplate, bin_items
from nliprobe.people.records import Adjudication, Item, Json, Judgement
from nliprobe.people.review.files import read_queue
from nliprobe.people.review.records import Verdict
from nliprobe.people.tasks import TASKS
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair

SETTLE = TASKS.get("settle")({})


def settled(items: list[Item], **said: str) -> list[Judgement]:
    """Return what each rater says: a label per item, ``-`` to reject, a space for nothing."""
    return [
        Judgement(
            items[place].name,
            rater,
            SETTLE.checked(items[place], {"verdict": "reject"} if label == "-" else {"label": label}),
            float(place),
            remark="hm" if label == "-" else "",
        )
        for rater, labels in said.items()
        for place, label in enumerate(labels)
        if label != " "
    ]


def test_decisions_are_those_that_review_reads(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    items = settle_items(read_queue(path))
    # Expected are C, C, E, and E or N.
    judgements = settled(items, ann="CE-E", ben="CE-N", cat="CNE ")
    assert decide_queue(path, items, judgements) == Decided(14, 3, 1)
    queue = read_queue(path)
    last = [queue.decision(item.case_id) for item in ITEMS]
    assert [decision and (decision.verdict, decision.label, decision.rater) for decision in last] == [
        (Verdict.ACCEPT, "C", "cat"),
        (Verdict.FIX, "E", "majority"),
        (Verdict.REJECT, "", "majority"),
        (Verdict.CONFLICT, "", ""),
    ]
    assert all(decision is not None and (decision.blind or decision.said) for decision in last)
    assert last[2] is not None
    assert last[2].remark == "ann: reject (hm); ben: reject (hm); cat: E"
    assert [item.case_id for item in queue.open] == ["c4"]
    document = nliprobe_json("review", str(path), "--summary")
    assert (document["all"]["accepted"], document["all"]["fixed"], document["all"]["rejected"]) == (1, 1, 1)
    assert document["conflicts"] == ["c4"]
    # Once more changes nothing.
    before = path.read_bytes()
    assert decide_queue(path, items, judgements) == Decided(0, 3, 1)
    assert path.read_bytes() == before
    # What is still open can be asked again.
    assert [item.name for item in settle_items(queue)] == ["c4"]
    assert len(settle_items(queue, everything=True)) == 4


def test_what_the_owner_decided_counts_also_where_no_judgement_is_left(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    items = settle_items(read_queue(path))
    decided = [Adjudication("c4", {"verdict": "reject", "label": ""}, "owner", 1.0, "no sentence")]
    assert decide_queue(path, items, settled(items, ann="C"), decided) == Decided(2, 2, 0)
    last = read_queue(path).decision("c4")
    assert last is not None
    assert (last.verdict, last.rater, last.remark) == (Verdict.REJECT, "owner", "no sentence")
    assert decide_queue(path, items, settled(items, ann="C"), decided) == Decided(0, 2, 0)


def test_raters_who_saw_the_label_accept_it(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    items = settle_items(read_queue(path), blind=False)
    answer = SETTLE.checked(items[0], {"verdict": "accept"})
    assert decide_queue(path, items, [Judgement("c1", "ann", answer, 0.0)]) == Decided(1, 1, 0)
    decision = read_queue(path).decision("c1")
    assert decision is not None
    assert (decision.verdict, decision.label, decision.blind) == (Verdict.ACCEPT, "C", False)


def test_another_queue_is_a_sentence(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    items = settle_items(read_queue(path))
    other = new_queue(tmp_path, (replace(ITEM, case_id="c9"),), "other.jsonl")
    with pytest.raises(DataError, match=r"other\.jsonl has no case 'c1'"):
        decide_queue(other, items, settled(items, ann="C"))
    altered = new_queue(tmp_path, (replace(ITEM, perturbed="Another text."),), "altered.jsonl")
    with pytest.raises(DataError, match=r"another one in .* than the one that raters saw"):
        decide_queue(altered, items, settled(items, ann="C"))


def reproduced(item: str, responses: Path) -> dict[tuple[str, str], float]:
    """Return the cells of a table of the paper that the responses fill."""
    cells = nliprobe_json("reproduce", item, "--responses", str(responses))["cells"]
    return {(cell["row"], cell["col"]): cell["ours"] for cell in cells if cell["ours"] is not None}


def test_predictions_are_the_answers_of_a_study(tmp_path: Path) -> None:
    predict = TASKS.get("predict")({})
    pairs = [Pair(f"=x/{n}", "p", f"h{n}", LabelSet.of("E"), "g") for n in range(2)]
    truths = dict(zip((pair.id for pair in pairs), ("contradiction", "N"), strict=True))
    hidden = {name: {"truth": truth, "stage": "B1"} for name, truth in truths.items()}
    items = list(items_of(predict, pairs, hidden=hidden).items)
    said = [
        Judgement(item.name, who, predict.checked(item, {"label": label}), 0.0)
        for who, labels in (("ann", "CN"), ("ben", "EN"))
        for item, label in zip(items, labels, strict=True)
    ]
    path = tmp_path / "responses.csv"
    assert write_responses(path, predict, items, said).written == 4
    # Of 125 questions, as the study has: Ann is right about all, Ben about half; they agree on half.
    found = reproduced("checklist:figure4", path)
    assert (found["B1", "accuracy"], found["B1", "agreement"]) == (125 * 0.75, 125 * 0.5)


def test_bids_and_picked_bins_are_read_by_the_scoring(tmp_path: Path) -> None:
    template = AskedTemplate("numerical.twice", "{N} is twice {M}.", 0.35, stage="1")
    bid = TASKS.get("bid")({})
    asked = bin_items(bid, [template])
    bids: list[tuple[str, list[Json]]] = [("P1", [1, 4, 0, 0, 0]), ("P2", [0, 2, 3, 0, 0])]
    said = [Judgement(asked[0].name, who, {"points": points}, 0.0) for who, points in bids]
    write_responses(tmp_path / "bids.csv", bid, asked, said)
    found = reproduced("checklist:table7", tmp_path / "bids.csv")
    assert (found["P1", "average_score 1"], found["P2", "average_score 1"]) == (4, 2)
    assert (found["P1", "argmax_accuracy 1"], found["P2", "argmax_accuracy 1"]) == (1, 0)
    pick = TASKS.get("pick")({})
    items = bin_items(pick, [replace(template, stage="template-explanations")])
    picks = [Judgement(items[0].name, who, {"bin": number}, 0.0) for who, number in (("ann", 2), ("ben", 3))]
    write_responses(tmp_path / "picks.csv", pick, items, picks)
    assert reproduced("checklist:table8", tmp_path / "picks.csv")["accuracy", "template-explanations"] == 12.5


@pytest.mark.parametrize(("hidden", "missing"), [({"truth": "E"}, "stage"), ({"stage": "B1"}, "truth")])
def test_what_cannot_be_scored_is_a_sentence(hidden: dict[str, Json], missing: str, tmp_path: Path) -> None:
    predict = TASKS.get("predict")({})
    item = Item("q1", {"premise": "p", "hypothesis": "h"}, hidden)
    with pytest.raises(DataError, match=f"'q1' has no {missing}"):
        write_responses(tmp_path / "r.csv", predict, [item], [Judgement("q1", "ann", {"label": "E"}, 0.0)])
