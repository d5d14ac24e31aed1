"""Participants of a study in one process, which may be killed: run as a program by the tests of the store.

Every participant is a thread that answers one stage after the other, from wherever it stopped, and writes a line when
an answer was acknowledged. What was on its way when the process was killed is sent again with the same key.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path

from tests.people.studied import small_study

from nliprobe.people.store import open_store
from nliprobe.people.store.database import Database
from nliprobe.people.store.study_answers import answer_item, read_standing
from nliprobe.people.study.orders import item_order
from nliprobe.people.study.records import Question

STUDY, _ = small_study()


def answer_all(store: Database, number: int, acknowledged: int) -> None:
    """Answer what a participant has not answered yet."""
    standing = read_standing(store, "s", number)
    for stage in standing.participant.stages:
        said = "0 0 5 0 0" if STUDY.stage(stage).question is Question.BID else STUDY.stage(stage).answers[number % 3]
        for item in item_order(STUDY, stage, number):
            if (stage, item) not in standing.answers:
                answer_item(store, "s", STUDY, number, stage, item, said, request=f"{stage} {item}")
                os.write(acknowledged, (json.dumps([number, stage, item]) + "\n").encode())


def main(place: str, acknowledged: Path, participants: int) -> None:
    """Let all participants answer at once."""
    with open_store(place) as store, acknowledged.open("ab", buffering=0) as file:
        threads = [
            threading.Thread(target=answer_all, args=(store, number, file.fileno()))
            for number in range(1, participants + 1)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
