"""Two hundred raters over HTTP while the server is killed ten times: nothing acknowledged is lost or doubled.

``make test-studio`` asks for 20,000 judgements, as many as a large project has, which takes two to six minutes per
database. Elsewhere it is 4,000; ``NLIPROBE_LOAD_JUDGEMENTS`` says another number.
"""

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

from tests.people.store.labelled import items, project
from tests.studio.load.server import ROOT, Server, environment

from nliprobe.people.store.inviting import invite
from nliprobe.people.store.judging import read_judgements
from nliprobe.people.store.progress import miscounted, read_progress
from nliprobe.people.store.projects import create_project
from nliprobe.people.store.raters import read_raters
from nliprobe.studio.context import Studio, open_studio
from nliprobe.studio.settings import Settings

JUDGEMENTS = int(os.environ.get("NLIPROBE_LOAD_JUDGEMENTS", "4000"))
RATERS, PER_ITEM, KILLS = 200, 5, 10


def told(acknowledged: Path) -> list[list[str]]:
    # A line that is being written may be there in part.
    return [json.loads(line) for line in acknowledged.read_text().splitlines(keepends=True) if line.endswith("\n")]


def check(studio: Studio, acknowledged: Path) -> None:
    """Check that every acknowledged judgement is there once, as it was sent, and that every item is complete."""
    said = Counter(
        (str(studio.signer.read("rater", cookie.partition("=")[2])["rater"]), item, label)
        for cookie, item, label in told(acknowledged)
    )
    judgements = read_judgements(studio.store, "p")
    kept = Counter(
        (each.rater, studio.signer.alias("p", each.rater, each.item), str(each.answer["label"])) for each in judgements
    )
    assert set(said.values()) == {1}, "nothing is acknowledged twice"
    assert kept == said, "what was acknowledged is there, once, and nothing else"
    assert set(Counter((each.rater, each.item) for each in judgements).values()) == {1}, "nobody judges an item twice"
    assert set(Counter(each.item for each in judgements).values()) == {PER_ITEM}, "every item has as many as it needs"
    assert len(judgements) == JUDGEMENTS
    assert read_progress(studio.store, "p").is_complete
    assert miscounted(studio.store, "p") == []


def test_nothing_is_lost_when_the_server_is_killed(place: str, tmp_path: Path) -> None:
    acknowledged = tmp_path / "acknowledged.jsonl"
    acknowledged.touch()
    (tmp_path / "runs").mkdir()
    studio = open_studio(Settings(tmp_path / "runs", place), "unused")
    create_project(studio.store, project(raters_per_item=PER_ITEM), items(JUDGEMENTS // PER_ITEM, strata=8))
    made = invite(studio.store, "p")
    link = "/i/" + studio.signer.sign("invitation", {"project": "p", "number": made.number})
    server = Server(place, tmp_path / "runs")
    server.start()
    command = [sys.executable, "-m", "tests.studio.load.crowd", str(server.port), link, str(acknowledged), str(RATERS)]
    crowd = subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE)
    draw, killed = random.Random(7), 0
    try:
        for number in range(KILLS):
            # Spread over the whole work, never at the same point of it.
            wanted = JUDGEMENTS * (number + draw.uniform(0.2, 0.8)) / (KILLS + 1)
            while len(told(acknowledged)) < wanted:
                assert crowd.poll() is None, "the raters ended before the last kill"
                time.sleep(0.05)
            server.kill()
            killed += 1
            server.start()
        output, _ = crowd.communicate(timeout=1800)
        assert crowd.returncode == 0
    finally:
        if crowd.poll() is None:
            crowd.kill()
            crowd.wait()
        server.kill(signal.SIGTERM)
    answers = json.loads(output)
    assert answers.pop("0", 0) > 0, "the kills cut requests short"
    assert set(answers) <= {"200", "303"}, answers
    assert killed == KILLS
    check(studio, acknowledged)
    # Whoever pressed the button while the server died came in twice; nobody worked under both names.
    assert len(read_raters(studio.store, "p")) >= RATERS
    studio.close()
