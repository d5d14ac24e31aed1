"""Many raters at once, and a process that is killed again and again: nothing acknowledged is lost or doubled."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.people.store.labelled import items, project
from tests.people.store.panel import STUDY
from tests.people.store.postgres import Postgres

from nliprobe.base.errors import StoreError
from nliprobe.people.store import open_store
from nliprobe.people.store.database import Database
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item, read_judgements
from nliprobe.people.store.progress import miscounted, read_progress
from nliprobe.people.store.projects import create_project
from nliprobe.people.store.raters import join_project
from nliprobe.people.store.studies import give_consent, invite_participant, keep_study
from nliprobe.people.store.study_answers import read_standings

ROOT = Path(__file__).parents[3]
ITEMS = 400


def run_crowd(place: str, acknowledged: Path, people: int, program: str = "crowd") -> subprocess.Popen[bytes]:
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    command = [sys.executable, "-m", f"tests.people.store.{program}", place, str(acknowledged), str(people)]
    return subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)})


def check(place: str, acknowledged: Path, *, per_item: int) -> int:
    """Check that every acknowledged judgement is there once, and that no rule is broken."""
    lines = [line for line in acknowledged.read_text().splitlines() if line]
    told = Counter(tuple(json.loads(line)) for line in lines)
    with open_store(place) as store:
        kept = Counter((item.rater, item.item) for item in read_judgements(store, "p"))
        assert set(kept.values()) == {1}, "nobody judges an item twice"
        assert told.keys() <= kept.keys(), "what was acknowledged is there"
        assert max(Counter(item for _, item in kept).values()) <= per_item, "no item has too many"
        assert miscounted(store, "p") == []
    return len(told)


@pytest.mark.studio
def test_nothing_is_lost_when_the_process_is_killed(place: str, tmp_path: Path) -> None:
    raters, per_item, kills = 200, 5, 10
    acknowledged = tmp_path / "acknowledged.jsonl"
    acknowledged.touch()
    with open_store(place) as store:
        create_project(store, project(raters_per_item=per_item), items(ITEMS, strata=8))
    draw, counts = random.Random(7), []
    for _ in range(kills):
        process = run_crowd(place, acknowledged, raters)
        size = acknowledged.stat().st_size
        # It is killed in the middle of work, not while it starts.
        limit = time.monotonic() + 120
        while acknowledged.stat().st_size < size + 500 and process.poll() is None and time.monotonic() < limit:
            time.sleep(0.02)
        time.sleep(draw.uniform(0, 0.5))
        process.send_signal(signal.SIGKILL)
        process.wait()
        counts.append(check(place, acknowledged, per_item=per_item))
    assert counts[0] > 0, "the first process was killed before it did anything"
    assert counts[-1] < ITEMS * per_item, "nothing was left for the last process"
    process = run_crowd(place, acknowledged, raters)
    assert process.wait(timeout=600) == 0
    check(place, acknowledged, per_item=per_item)
    with open_store(place) as store:
        assert read_progress(store, "p").is_complete


@pytest.mark.studio
def test_no_answer_of_a_study_is_lost_when_the_process_is_killed(place: str, tmp_path: Path) -> None:
    people, kills = 40, 4
    acknowledged = tmp_path / "acknowledged.jsonl"
    acknowledged.touch()
    with open_store(place) as store:
        keep_study(store, "s", STUDY)
        for number in range(1, people + 1):
            invite_participant(store, "s", STUDY)
            give_consent(store, "s", number)
    draw, alive = random.Random(7), 0
    for _ in range(kills):
        process = run_crowd(place, acknowledged, people, "panel")
        size, limit = acknowledged.stat().st_size, time.monotonic() + 120
        while acknowledged.stat().st_size < size + 300 and process.poll() is None and time.monotonic() < limit:
            time.sleep(0.01)
        time.sleep(draw.uniform(0, 0.1))
        alive += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert alive, "all was done before the first kill"
    assert run_crowd(place, acknowledged, people, "panel").wait(timeout=600) == 0
    told = {tuple(json.loads(line)) for line in acknowledged.read_text().splitlines()}
    with open_store(place) as store:
        kept = {
            (standing.participant.number, stage, item): standing.revisions[stage, item]
            for standing in read_standings(store, "s")
            for stage, item in standing.answers
        }
    assert told <= kept.keys(), "what was acknowledged is there"
    assert set(kept.values()) == {1}, "and nothing is there twice"
    assert len(kept) == people * sum(len(stage.items) for stage in STUDY.stages)


def judge_all(store: Database, rater: str) -> None:
    while (offer := next_item(store, "p", rater)) is not None:
        name = offer.item.name
        judge_item(store, "p", rater, name, {"label": "E"}, request=name, remark="x" * 5000)


def test_a_store_on_a_full_disk_says_so_and_keeps_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "people.sqlite"
    with open_store(path) as store:
        create_project(store, project(raters_per_item=1), items(50))
        join_project(store, "p", "a")
        pages = store.read(lambda connection: connection.scalar(text("PRAGMA page_count")))
        # A limit of pages is what SQLite knows of a full disk; it holds for one connection, and there is one.
        store.read(lambda connection: connection.execute(text(f"PRAGMA max_page_count = {pages + 20}")).all())
        with pytest.raises(StoreError, match="database or disk is full"):
            judge_all(store, "a")
        done = len(read_judgements(store, "p"))
        assert 0 < done < 50
    with open_store(path) as store:
        assert len(read_judgements(store, "p")) == done
        assert miscounted(store, "p") == []
        judge_all(store, "a")
        assert read_progress(store, "p").is_complete


@pytest.mark.studio
def test_a_lost_connection_is_opened_again(postgres: Postgres) -> None:
    with open_store(postgres.new_database("lost")) as store:
        create_project(store, project(), items(5))
        join_project(store, "p", "a")
        offer = next_item(store, "p", "a")
        assert offer is not None
        postgres.stop("immediate")
        postgres.start()
        judge_item(store, "p", "a", offer.item.name, {"label": "E"}, request="1")
        assert [item.item for item in read_judgements(store, "p")] == [offer.item.name]
        postgres.stop()
        try:
            with pytest.raises(StoreError, match="What was acknowledged is kept"):
                next_item(store, "p", "a")
        finally:
            postgres.start()
        assert len(read_judgements(store, "p")) == 1
