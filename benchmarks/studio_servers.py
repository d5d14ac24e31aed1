"""Two servers for the benchmark of the studio: the studio with a stopwatch in it, and one that somebody wrote in a day.

``python studio_servers.py studio PLACE PORT FILE``, or ``naive`` for ``studio``: on SIGUSR1 the server writes
to the file how much time its requests and its database took so far.

The naive server keeps judgements, too, but hands out without a lock, without leases and without keys of requests:
raters who come at once get the same item, and a repeated request counts twice. It opens a connection per request, and
asks the database for a free item each time.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from html import escape
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

PER_ITEM = 5


class Stopwatch:
    """Adds up how long things take, in all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.seconds: dict[str, float] = {}
        self.times: dict[str, int] = {}

    @contextmanager
    def of(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            taken = time.perf_counter() - start
            with self._lock:
                self.seconds[name] = self.seconds.get(name, 0.0) + taken
                self.times[name] = self.times.get(name, 0) + 1

    def write(self, path: Path) -> None:
        with self._lock:
            content = {"seconds": dict(self.seconds), "times": dict(self.times), "cpu": time.process_time()}
        partial = path.with_suffix(".partial")
        partial.write_text(json.dumps(content), encoding="utf-8")
        partial.replace(path)


def timed_app(app: Any, watch: Stopwatch) -> Callable[..., Awaitable[None]]:
    """An app around another one that measures its requests."""

    async def around(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        with watch.of("requests"):
            await app(scope, receive, send)

    return around


def studio(place: str, watch: Stopwatch) -> Any:
    """The studio; the methods of its store are measured."""
    from sqlalchemy import Engine

    from nliprobe.people.store.database import Database
    from nliprobe.studio.app import make_app
    from nliprobe.studio.context import open_studio
    from nliprobe.studio.serve import share_interpreter
    from nliprobe.studio.settings import Settings

    share_interpreter()

    def measured(name: str) -> None:
        plain = getattr(Database, name)

        def around(database: Database, work: Callable[[object], object]) -> object:
            with watch.of("database"):
                return plain(database, work)

        setattr(Database, name, around)

    for name in ("read", "write", "write_once"):
        measured(name)
    inside = Database._in_transaction

    def transaction(database: Database, work: Callable[[object], object], engine: Engine) -> object:
        with watch.of("transactions"):
            return inside(database, work, engine)

    Database._in_transaction = transaction  # type: ignore[assignment,method-assign]
    return make_app(open_studio(Settings(Path(mkdtemp()), place), "a-token-for-the-benchmark"))


def naive(place: str, watch: Stopwatch) -> Any:
    """What one writes in a day."""
    import sqlite3

    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import HTMLResponse, JSONResponse
    from starlette.routing import Route

    mark = "%s" if "://" in place else "?"

    def connect() -> Any:
        if "://" in place:
            import psycopg

            return psycopg.connect(place)
        return sqlite3.connect(place, timeout=30)

    free = (
        "SELECT name, content FROM naive_items "
        f"WHERE name NOT IN (SELECT item FROM naive_judgements WHERE rater = {mark}) "
        f"AND (SELECT count(*) FROM naive_judgements j WHERE j.item = naive_items.name) < {PER_ITEM} "
        "ORDER BY name LIMIT 1"
    )

    def next_item(rater: str) -> tuple[str, str] | None:
        with watch.of("database"), closing(connect()) as connection:
            found: tuple[str, str] | None = connection.execute(free, (rater,)).fetchone()
            return found

    def keep(rater: str, item: str, label: str) -> None:
        values = f"({mark}, {mark}, {mark})"
        with watch.of("database"), closing(connect()) as connection:
            connection.execute(
                f"INSERT INTO naive_judgements (rater, item, label) VALUES {values}", (rater, item, label)
            )
            connection.commit()

    def show(request: Request) -> HTMLResponse:
        found = next_item(request.headers["cookie"])
        if found is None:
            return HTMLResponse("<p>Nothing is left.</p>")
        fields = {"item": found[0], "request": "none"}
        form = "".join(f'<input type="hidden" name="{name}" value="{value}">' for name, value in fields.items())
        texts = "".join(f"<p>{escape(str(text))}</p>" for text in json.loads(found[1]).values())
        return HTMLResponse(f"<!doctype html><form>{form}{texts}</form>")

    async def judge(request: Request) -> JSONResponse:
        from starlette.concurrency import run_in_threadpool

        sent = await request.json()
        await run_in_threadpool(keep, request.headers["cookie"], sent["item"], sent["fields"]["label"])
        return JSONResponse({"kept": True})

    return Starlette(routes=[Route("/naive", show), Route("/naive/judge", judge, methods=["POST"])])


def fill_naive(place: str, items: list[tuple[str, str]]) -> None:
    """Make the tables of the naive server."""
    import sqlite3

    connection: Any
    if "://" in place:
        import psycopg

        connection, mark = psycopg.connect(place), "%s"
    else:
        connection, mark = sqlite3.connect(place), "?"
    with closing(connection):
        connection.execute("CREATE TABLE naive_items (name TEXT PRIMARY KEY, content TEXT)")
        connection.execute("CREATE TABLE naive_judgements (rater TEXT, item TEXT, label TEXT)")
        connection.execute("CREATE INDEX naive_by_item ON naive_judgements (item)")
        connection.execute("CREATE INDEX naive_by_rater ON naive_judgements (rater)")
        connection.cursor().executemany(f"INSERT INTO naive_items VALUES ({mark}, {mark})", items)
        connection.commit()


def main(kind: str, place: str, port: int, report: Path) -> None:
    import uvicorn

    watch = Stopwatch()
    app = {"studio": studio, "naive": naive}[kind](place, watch)
    signal.signal(signal.SIGUSR1, lambda number, frame: watch.write(report))
    # As nliprobe serve has it.
    uvicorn.run(
        timed_app(app, watch), port=port, log_level="warning", access_log=False, server_header=False, http="h11"
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), Path(sys.argv[4]))
