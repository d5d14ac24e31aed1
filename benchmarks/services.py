"""Pairs per second of ``http:`` against a loop of urllib, on loopback, with a server that takes 20 ms per request.

The service is the same for all: a process of its own that waits 20 ms per request, whatever it holds. The loop asks one
pair per request, one after the other, as most scripts do; then it gets the batches, too. What the client itself costs
is measured beside it: one request at a time, no waiting in the server.
"""

from __future__ import annotations

import json
import multiprocessing
import statistics
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from multiprocessing.connection import Connection

from measure import report
from nliprobe.models.http import HttpModel, HttpParams
from nliprobe.task.case import Input

REPEATS = 3
WAIT = 0.02
BATCH = 16
CONCURRENCY = 8


class Handler(BaseHTTPRequestHandler):
    """Answers after a wait; the path says how long."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_POST(self) -> None:
        pairs = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["pairs"]
        time.sleep(float(self.path.strip("/")))
        content = json.dumps({"answers": [{"id": pair["id"], "label": "E"} for pair in pairs]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *words: object) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    """By default only five connections may wait to be accepted; the sixth tries again after a second."""

    request_queue_size = 128


def serve(channel: Connection) -> None:
    server = Server(("127.0.0.1", 0), Handler)
    channel.send(server.server_port)
    server.serve_forever()


@contextmanager
def running() -> Iterator[str]:
    """The URL of a server in a process of its own."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(there,), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{here.recv()}"
    finally:
        process.terminate()
        process.join()


def inputs(count: int) -> list[Input]:
    return [Input(f"{n:024x}", (f"A premise of usual length, number {n}. " * 8,), "A claim.") for n in range(count)]


def loop(url: str, asked: Sequence[Input], batch: int) -> list[str]:
    """One request after the other with urllib, which opens a connection for each."""
    labels = []
    for start in range(0, len(asked), batch):
        pairs = [
            {"id": item.id, "premise": item.premise, "hypothesis": item.hypothesis}
            for item in asked[start : start + batch]
        ]
        request = urllib.request.Request(url, json.dumps({"pairs": pairs}).encode())
        with urllib.request.urlopen(request) as answer:
            labels += [row["label"] for row in json.load(answer)["answers"]]
    return labels


def ours(url: str, asked: Sequence[Input], batch: int, concurrency: int) -> list[str]:
    model = HttpModel(url, HttpParams(batch=batch, concurrency=concurrency), None)
    try:
        return [str(answer.label) for answer in model.predict(asked)]
    finally:
        model.close()


def per_second(work: Callable[[Sequence[Input]], list[str]], count: int) -> float:
    """The median rate of some repeats."""
    rates = []
    for _ in range(REPEATS):
        asked = inputs(count)
        start = time.perf_counter()
        labels = work(asked)
        rates.append(count / (time.perf_counter() - start))
        assert labels == ["E"] * count
    return statistics.median(rates)


def main() -> None:
    if find_spec("httpx2") is None:
        print("services: httpx2 is not installed; skipped")
        return
    with running() as url:
        slow, fast = f"{url}/{WAIT}", f"{url}/0"
        rates = {
            "urllib, 1 pair per request": per_second(lambda asked: loop(slow, asked, 1), 60),
            f"urllib, {BATCH} pairs per request": per_second(lambda asked: loop(slow, asked, BATCH), 60 * BATCH),
            f"http:, 1 pair per request, {CONCURRENCY} at once": per_second(
                lambda asked: ours(slow, asked, 1, CONCURRENCY), 480
            ),
            f"http:, {BATCH} pairs per request, {CONCURRENCY} at once (the default)": per_second(
                lambda asked: ours(slow, asked, BATCH, CONCURRENCY), 480 * BATCH
            ),
        }
        naive = rates["urllib, 1 pair per request"]
        alone = {
            "urllib": 1000 / per_second(lambda asked: loop(fast, asked, 1), 400),
            "http:": 1000 / per_second(lambda asked: ours(fast, asked, 1, 1), 400),
        }
    ceiling = {1: CONCURRENCY / WAIT, BATCH: CONCURRENCY * BATCH / WAIT}
    rows = {name: {"pairs_per_second": round(rate, 1), "ratio": round(rate / naive, 1)} for name, rate in rates.items()}
    for name, row in rows.items():
        print(f"{name:56s}{row['pairs_per_second']:10,.1f} pairs/s{row['ratio']:8.1f}×")
    report(
        "services",
        {
            "server_ms": WAIT * 1000,
            "rates": rows,
            "share_of_what_the_server_can_do": {
                "1 pair per request": round(rates[f"http:, 1 pair per request, {CONCURRENCY} at once"] / ceiling[1], 3),
                "batches": round(
                    rates[f"http:, {BATCH} pairs per request, {CONCURRENCY} at once (the default)"] / ceiling[BATCH], 3
                ),
            },
            "ms_per_request_without_waiting": {name: round(value, 2) for name, value in alone.items()},
        },
    )


if __name__ == "__main__":
    main()
