"""What a judgement costs in the store of people's work: an item is asked for and judged; and the database's part of it.

``python benchmarks/people_store.py`` measures SQLite in a temporary folder; with the URL of an empty PostgreSQL
database it measures that, too. The processor time is that of this process: a server's work is only in the wall time.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

import sqlalchemy

from measure import report
from nliprobe.people.records import Item, Project
from nliprobe.people.store import Database, open_store
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item
from nliprobe.people.store.projects import create_project
from nliprobe.people.store.raters import join_project

# The project of the load test: 4,000 items with five raters each are 20,000 judgements.
ITEMS, RATERS, PER_ITEM = 4000, 200, 5
JUDGEMENTS, REPEATS = 200, 5


class DatabaseTime:
    """Adds up the processor time that statements and commits of an engine take, in the driver and below."""

    def __init__(self, engine: sqlalchemy.Engine) -> None:
        self.seconds, self.statements, self._start = 0.0, 0, 0.0
        sqlalchemy.event.listen(engine, "before_cursor_execute", self._before)
        sqlalchemy.event.listen(engine, "after_cursor_execute", self._after)

    def _before(self, *given: object) -> None:
        self._start = time.process_time()

    def _after(self, *given: object) -> None:
        self.seconds += time.process_time() - self._start
        self.statements += 1


def fill(store: Database, name: str, items: int) -> None:
    content = {"premise": "A dog barks in the yard of a small house.", "hypothesis": "It is loud."}
    things = [Item(f"q{number:05}", content, {"gold": "E"}, f"s{number % 8}") for number in range(items)]
    create_project(store, Project(name, "verify", raters_per_item=PER_ITEM), things)
    for number in range(RATERS):
        join_project(store, name, f"r{number:03}")


def judge(store: Database, name: str, first: int) -> None:
    for number in range(first, first + JUDGEMENTS):
        rater = f"r{number % RATERS:03}"
        offer = next_item(store, name, rater)
        assert offer is not None
        judge_item(store, name, rater, offer.item.name, {"label": "E"}, request=f"{number}")


def measure(place: str, items: int) -> dict[str, float]:
    with open_store(place) as store:
        name = f"p{items}"
        fill(store, name, items)
        judge(store, name, 0)
        cpu, wall = [], []
        for repeat in range(1, REPEATS + 1):
            starts = time.process_time(), time.perf_counter()
            judge(store, name, repeat * JUDGEMENTS)
            cpu.append((time.process_time() - starts[0]) / JUDGEMENTS)
            wall.append((time.perf_counter() - starts[1]) / JUDGEMENTS)
        # Listening costs time itself, so it is done apart.
        database, start = DatabaseTime(store.engine), time.process_time()
        judge(store, name, (REPEATS + 1) * JUDGEMENTS)
        with_listening = time.process_time() - start
    return {
        "items": items,
        "cpu_ms_per_judgement": 1000 * statistics.median(cpu),
        "wall_ms_per_judgement": 1000 * statistics.median(wall),
        "statements_per_judgement": database.statements / JUDGEMENTS,
        "database_share_of_cpu": database.seconds / with_listening,
    }


def main() -> None:
    places = {"postgresql": sys.argv[1]} if len(sys.argv) > 1 else {}
    with tempfile.TemporaryDirectory() as folder:
        results = {
            kind: [measure(place, items) for items in (ITEMS // 10, ITEMS)]
            for kind, place in {"sqlite": str(Path(folder) / "people.sqlite"), **places}.items()
        }
    report("people_store", {"judgements": JUDGEMENTS * REPEATS, "raters": RATERS, **results})


if __name__ == "__main__":
    main()
