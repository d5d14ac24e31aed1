"""The pages of the case browser over HTTP: ``nliprobe serve`` on loopback, asked as the owner's browser asks it.

The server is a process of its own, so that its memory is the studio's; the client keeps one connection.
"""

from __future__ import annotations

import http.client
import os
import re
import statistics
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.parse import urlencode

from measure import nliprobe, serving

TOKEN = "a-token-for-the-benchmark"
REPEATS = 31
_VERDICT_SECONDS = 300
_COUNTED = re.compile(r'<p class="counted" role="status">(?:[\d,]+–[\d,]+ of ([\d,]+)|No)')
_COMPUTING = "What it shows is being computed"


class Shown(NamedTuple):
    """A page: how long it took, and its text."""

    ms: float
    text: str


class OwnersBrowser:
    """A browser in which the owner has signed in."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        form = {"content-type": "application/x-www-form-urlencoded"}
        self._connection.request("POST", "/enter", urlencode({"token": TOKEN}), form)
        answer = self._connection.getresponse()
        answer.read()
        if answer.status != 303:
            raise SystemExit(f"the owner could not sign in: {answer.status}")
        self._cookie = str(answer.headers["set-cookie"]).partition(";")[0]

    def show(self, address: str) -> Shown:
        """Load a page; it is there when its last byte is."""
        start = time.perf_counter()
        self._connection.request("GET", address, headers={"cookie": self._cookie})
        answer = self._connection.getresponse()
        text = answer.read().decode()
        taken = 1e3 * (time.perf_counter() - start)
        if answer.status != 200:
            raise SystemExit(f"{address}: {answer.status}\n{text[:500]}")
        return Shown(taken, text)


def measure_http(
    run: Path, pages: Mapping[str, Mapping[str, str]], case: str, env: Mapping[str, str]
) -> dict[str, Any]:
    """Measure pages of a run whose index is there.

    Args:
        run: its folder.
        pages: what is asked for, by a name: the conditions in the address of each page.
        case: a case whose own page is asked for.
        env: where corpora and what is kept are.
    """
    from nliprobe.studio.context import address

    home = f"/runs/{address(run.name)}"
    addresses = {name: f"{home}?{urlencode(asked)}" for name, asked in pages.items()}
    addresses["one_case"] = f"{home}/cases/{case}"
    with serving_runs(run.parent, env) as (process, port):
        browser = OwnersBrowser(port)
        idle = peak_mb(process)
        opened = browser.show(home)
        begun = time.perf_counter()
        # What a run shows is computed once, behind its page; until then it takes a core of the two.
        while _COMPUTING in browser.show(home).text:
            time.sleep(0.2)
            if time.perf_counter() - begun > _VERDICT_SECONDS:
                raise SystemExit("what the run shows was not computed")
        verdict = time.perf_counter() - begun
        shown: dict[str, list[Shown]] = {name: [] for name in addresses}
        # In turn, so that whatever else the machine does meets all of them.
        for _ in range(REPEATS):
            for name, place in addresses.items():
                shown[name].append(browser.show(place))
        peak = peak_mb(process)
    return {
        "opened_first_ms": round(opened.ms, 1),
        "verdict_seconds": round(verdict, 1),
        "pages": {name: summed_up(each) for name, each in shown.items()},
        "server_idle_mb": idle,
        "server_peak_mb": peak,
    }


def summed_up(shown: list[Shown]) -> dict[str, object]:
    times = sorted(each.ms for each in shown)
    counted = _COUNTED.search(shown[0].text)
    found = {} if counted is None else {"cases": int((counted[1] or "0").replace(",", ""))}
    return {
        "median_ms": round(statistics.median(times), 1),
        "p95_ms": round(statistics.quantiles(times, n=20)[-1], 1),
        "page_kb": round(len(shown[0].text.encode()) / 1e3),
        **found,
    }


def peak_mb(process: subprocess.Popen[bytes]) -> int:
    """The most memory that a process has had so far."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found is not None
    return round(int(found[1]) / 1024)


@contextmanager
def serving_runs(folder: Path, env: Mapping[str, str]) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Serve the runs of a folder until the end of the block."""
    with TemporaryDirectory() as kept:
        words = ("serve", str(folder), "--database", str(Path(kept) / "people.sqlite"), "--port")
        around = {**os.environ, **env, "NLIPROBE_OWNER_TOKEN": TOKEN}
        with serving(lambda port: nliprobe(*words, str(port)), around) as served:
            yield served
