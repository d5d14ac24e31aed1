"""Downloads and what is taken in: pseudonymous, with the decisions of the owner, through Label Studio and back."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from tests.studio.helpers import Client
from tests.studio.manage.made import SCRIPT, make, work

from nliprobe.api.review import export_review
from nliprobe.people.review.files import read_queue
from nliprobe.people.store.adjudicating import adjudicate, disagreements, read_adjudications
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item, read_judgements
from nliprobe.people.store.progress import read_log
from nliprobe.people.store.projects import read_items
from nliprobe.people.store.raters import join_project
from nliprobe.studio.context import Studio, address
from nliprobe.studio.settings import Settings
from nliprobe.task.evidence import Grade
from nliprobe.task.sources import open_source


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "runs").mkdir()
    return Settings(tmp_path / "runs", str(tmp_path / "people.sqlite"), queues=(tmp_path / "queue.jsonl",))


def lines(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_ratings_have_pseudonyms_and_the_owners_decisions(owner: Client, studio: Studio) -> None:
    home = make(studio.store)
    work(studio.store)
    first = disagreements(studio.store, "labels")[0].item.name
    adjudicate(studio.store, "labels", first, {"label": "N"})
    assert "You decided about 1 item:" in owner.show(f"{home}/export")
    answer = owner.submit(f"{home}/export", form="ratings")
    assert answer.headers["content-disposition"] == f'attachment; filename="project-{address("labels")}-ratings.csv"'
    rows = lines(answer.text)
    assert len(rows) == len(read_judgements(studio.store, "labels"))
    assert "external" not in rows[0]
    assert "worker-" not in answer.text
    assert {row["adjudicated"] for row in rows} == {"", "N"}
    with_ids = lines(owner.submit(f"{home}/export", form="ratings", external="yes").text)
    assert {row["external"] for row in with_ids} >= {"worker-0", "worker-1"}
    entries = [entry.about for entry in read_log(studio.store, "labels") if entry.what == "exported"]
    assert [entry["external_ids"] for entry in entries] == [False, True]


def test_a_corpus_takes_the_decision_instead_of_the_majority(owner: Client, studio: Studio, tmp_path: Path) -> None:
    home = make(studio.store)
    work(studio.store)
    split = disagreements(studio.store, "labels")[0]
    adjudicate(studio.store, "labels", split.item.name, {"label": "N"})
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(owner.submit(f"{home}/export", form="corpus").content)
    pairs = {pair.id: pair for pair in open_source(f"file:{path}?id=id&label=label&facets=adjudicated").pairs()}
    decided = next(pair for id_, pair in pairs.items() if id_.endswith(str(split.item.hidden["pair_id"])))
    assert str(decided.gold) == "N"
    assert ("adjudicated", "yes") in decided.facets
    assert sum(("adjudicated", "yes") in pair.facets for pair in pairs.values()) == 1


def test_the_ids_that_were_ticked_stay_so_while_one_looks_what_is_in_the_file(owner: Client, studio: Studio) -> None:
    home = make(studio.store)
    work(studio.store)
    box = 'name="external" value="yes" checked'
    assert box not in owner.show(f"{home}/export")
    assert box in owner.submit(f"{home}/export", form="ratings", external="yes", go="look").text
    assert box in owner.submit(f"{home}/export", 422, form="corpus", external="yes").text
    assert box not in owner.submit(f"{home}/export", form="ratings", go="look").text


def inside(page: str) -> str:
    found = re.search(r'aria-label="What is in the file">(.*?)</section>', page, re.DOTALL)
    assert found is not None, page
    return html.unescape(" ".join(re.sub(r"<[^>]+>", "", found[1]).split()))


@pytest.mark.parametrize("task", ["evidence", "verify"])
def test_the_page_says_what_is_in_a_file_and_how_it_is_read(
    owner: Client, studio: Studio, tmp_path: Path, task: str
) -> None:
    home = make(studio.store, "labels", task, raters_per_item=3 if task == "evidence" else 2)
    work(studio.store, "labels", task)
    said = inside(owner.submit(f"{home}/export", form="corpus", go="look").text)
    assert "exported" not in [entry.what for entry in read_log(studio.store, "labels")]
    name = f"project-{address('labels')}-corpus.jsonl"
    content = owner.submit(f"{home}/export", form="corpus").content
    (tmp_path / name).write_bytes(content)
    assert said.startswith(f"{name} has {len(content.splitlines())} lines.")
    [spec] = re.findall(r"nliprobe reads it as file:(\S+)", said)
    pairs = list(open_source(f"file:{tmp_path}/{spec}").pairs())
    assert len(pairs) == len(content.splitlines())
    if task == "evidence":
        assert all(pair.evidence is not None and pair.evidence.grade is Grade.GOLD for pair in pairs)
    else:
        [left_out] = re.findall(r"(\d+) items? left out: no majority", said)
        assert len(pairs) + int(left_out) == 12


@pytest.mark.parametrize("task", ["verify", "evidence", "write"])
def test_every_form_of_a_task_can_be_downloaded(owner: Client, studio: Studio, task: str) -> None:
    from nliprobe.api.people_export import forms_of

    home = make(studio.store, "labels", task)
    for form in forms_of(task):
        if form != "label-studio":
            page = owner.submit(f"{home}/export", 422, form=form).text
            assert "no judgement counts yet" in page
            assert "/dev/shm" not in page
            assert "/tmp" not in page
    work(studio.store, "labels", task)
    for form in forms_of(task):
        assert len(owner.submit(f"{home}/export", form=form).content) > 200, form


def test_a_settled_queue_is_downloaded_and_the_file_stays_as_it_is(
    owner: Client, studio: Studio, tmp_path: Path
) -> None:
    queue = tmp_path / "queue.jsonl"
    export_review(queue, "builtin/sentences-dev", "hypothesis.negation", n=2)
    before = queue.read_bytes()
    home = make(studio.store, "settle", "settle", on=[str(queue)], raters_per_item=1)
    join_project(studio.store, "settle", "ann")
    while (offered := next_item(studio.store, "settle", "ann")) is not None:
        judge_item(studio.store, "settle", "ann", offered.item.name, {"label": "C"}, request=offered.item.name)
    answer = owner.submit(f"{home}/export", form="queue", queue="0")
    assert answer.content.startswith(before)
    assert len(answer.content) > len(before)
    assert queue.read_bytes() == before
    # What the owner decides comes last in the queue, and counts.
    [first, *_] = read_items(studio.store, "settle")
    adjudicate(studio.store, "settle", first.name, {"verdict": "reject"}, reason="no sentence")
    decided = tmp_path / "decided.jsonl"
    decided.write_bytes(owner.submit(f"{home}/export", form="queue", queue="0").content)
    last = read_queue(decided).history[str(first.hidden["case_id"])][-1]
    assert (last.verdict, last.rater, last.remark) == ("reject", "owner", "no sentence")
    assert "is not served" in owner.submit(f"{home}/export", 422, form="queue", queue="9").text
    owner.submit(f"{home}/export", 422, form="queue", queue="x")
    queue.unlink()
    assert "cannot be read" in owner.submit(f"{home}/export", 422, form="queue", queue="0").text


@pytest.mark.parametrize("form", ["", "../x", "folder", "queue", SCRIPT])
def test_other_forms_are_refused(owner: Client, studio: Studio, form: str) -> None:
    home = make(studio.store)
    work(studio.store)
    page = owner.submit(f"{home}/export", 422, form=form).text
    assert "Choose one of the forms" in page
    assert SCRIPT not in page


def test_to_label_studio_and_back(owner: Client, studio: Studio) -> None:
    home = make(studio.store)
    work(studio.store, raters=1)
    archive = zipfile.ZipFile(io.BytesIO(owner.submit(f"{home}/export", form="label-studio").content))
    assert sorted(archive.namelist()) == ["label-studio.json", "label-studio.xml"]
    tasks = json.loads(archive.read("label-studio.json"))
    assert len(tasks) == 12
    # Somebody else labels everything there.
    for task in tasks:
        result = [{"from_name": "label", "to_name": "pair", "type": "choices", "value": {"choices": ["N"]}}]
        task["annotations"] = [{"result": result, "completed_by": {"id": 9, "email": "ann@example.org"}}]
    file = {"file": ("export.json", json.dumps(tasks), "application/json")}
    owner.show(f"{home}/export")
    for words in ("12 new judgements, 0 known", "0 new judgements, 12 known"):
        answer = owner.post(f"{home}/take", data={"form_token": owner.form_token}, files=file)
        assert answer.status_code == 200
        assert words in answer.text
    assert len([one for one in read_judgements(studio.store, "labels") if one.rater == "label-studio-9"]) == 12
    assert "ann@example.org" not in owner.show(f"{home}/log")
    assert "judgements brought in" in owner.show(f"{home}/log")


def test_a_wrong_file_changes_nothing_and_is_a_sentence(owner: Client, studio: Studio) -> None:
    home = make(studio.store)
    [item, *_] = read_items(studio.store, "labels")
    result = [{"from_name": "label", "value": {"choices": [SCRIPT]}}]
    one = [{"data": {"item": item.name}, "annotations": [{"result": result, "completed_by": 1}]}]
    for text in ("", "{", "[]", json.dumps(one), "[" * 100_000, "\x00", SCRIPT):
        answer = owner.post(
            f"{home}/take", data={"form_token": owner.form_token}, files={"file": ("x.json", text, "application/json")}
        )
        assert answer.status_code == 422, text[:50]
        assert "Nothing was taken in" in answer.text
        assert SCRIPT not in answer.text
    assert read_judgements(studio.store, "labels") == []


def test_a_file_in_another_encoding_is_refused_and_not_kept_with_question_marks(owner: Client, studio: Studio) -> None:
    home = make(studio.store, "labels", "write")
    [item, *_] = read_items(studio.store, "labels")
    texts = {f"hypothesis_{name}": f"Ren\xe9 is {name}." for name in ("true", "false", "undecided")}
    content = json.dumps([{"item": item.name, "annotator": 1, **texts}], ensure_ascii=False)
    file = {"file": ("x.json", content.encode("latin-1"), "application/json")}
    answer = owner.post(f"{home}/take", data={"form_token": owner.form_token}, files=file)
    assert answer.status_code == 422
    assert "no text in UTF-8" in answer.text
    assert read_judgements(studio.store, "labels") == []


def test_what_was_skipped_or_empty_elsewhere_is_counted_apart(owner: Client, studio: Studio) -> None:
    home = make(studio.store)
    first, second, third, *_ = read_items(studio.store, "labels")
    label = [{"from_name": "label", "value": {"choices": ["N"]}}]
    tasks = [
        {"data": {"item": item.name}, "annotations": [{"completed_by": 9, "result": result, "was_cancelled": skipped}]}
        for item, result, skipped in ((first, label, False), (second, [], False), (third, label, True))
    ]
    file = {"file": ("x.json", json.dumps(tasks), "application/json")}
    answer = owner.post(f"{home}/take", data={"form_token": owner.form_token}, files=file)
    assert "1 new judgement, 0 known; 1 empty in Label Studio; 1 skipped in Label Studio." in answer.text


def test_where_no_label_is_suggested_the_owner_is_not_asked_to_accept_one(
    owner: Client, studio: Studio, tmp_path: Path
) -> None:
    queue = tmp_path / "queue.jsonl"
    export_review(queue, "builtin/sentences-dev", "hypothesis.negation", n=2)
    for name, blind in (("blind", True), ("shown", False)):
        home = make(studio.store, name, "settle", on=[str(queue)], raters_per_item=1, blind=blind)
        page = owner.show(f"{home}/items/1")
        assert 'value="reject"' in page
        assert ('value="accept"' in page) is (not blind)


def test_a_case_for_which_a_label_was_chosen_can_still_be_rejected(
    owner: Client, studio: Studio, tmp_path: Path
) -> None:
    """A browser lets nobody take back the choice of a label."""
    queue = tmp_path / "queue.jsonl"
    export_review(queue, "builtin/sentences-dev", "hypothesis.negation", n=2)
    home = make(studio.store, "settle", "settle", on=[str(queue)], raters_per_item=1)
    owner.submit(f"{home}/items/0", verdict="fix", label="C")
    assert re.search(r'value="C" checked', owner.show(f"{home}/items/0"))
    owner.submit(f"{home}/items/0", verdict="reject", label="C", reason="no sentence")
    [decided] = read_adjudications(studio.store, "settle")
    assert (decided.answer, decided.reason) == ({"verdict": "reject", "label": ""}, "no sentence")


def test_a_file_that_is_too_large_is_refused(owner: Client, studio: Studio) -> None:
    home = make(studio.store)
    file = {"file": ("x.json", "x" * 21_000_000, "application/json")}
    answer = owner.post(f"{home}/take", data={"form_token": owner.form_token}, files=file)
    assert answer.status_code == 413
