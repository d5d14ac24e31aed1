"""The studio under load, on SQLite and PostgreSQL: how long a rater waits, and how many judgements per second it keeps.

200 raters come over loopback; 50 judgements per second are due, whether or not earlier ones are done. The client is a
process on the same machine, and what it takes counts. A server that opens a connection per request stands beside it, in
the same run; so does a project in which raters may judge just as many items as are needed, which makes it harder to
choose who gets what. Goal: at 50 judgements per second 95 of 100 are acknowledged within 300 ms on two idle cores.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from measure import report, serving
from studio_servers import PER_ITEM, fill_naive

ROOT = Path(__file__).parent.parent
RATERS, ITEMS = 200, 4000
RATE, SECONDS = 50.0, 15.0
FASTEST, FASTEST_SECONDS = 50, 5.0
# All servers in turn, so often: what others do on the host comes and goes. The run with the middle p95 counts.
REPEATS = 3
GOAL_MS = 300
TEXT = "The river rises in the northern hills and passes three towns before it reaches the sea. " * 3


def main() -> None:
    sys.path.insert(0, str(ROOT))
    result: dict[str, object] = {"load_before": round(os.getloadavg()[0], 2)}
    with tempfile.TemporaryDirectory() as folder:
        result["sqlite"] = compared(str(Path(folder) / "people.sqlite"), str(Path(folder) / "naive.sqlite"))
    with postgres() as server:
        if server is not None:
            postmaster = int((server.folder / "data" / "postmaster.pid").read_text(encoding="utf-8").split()[0])
            result["postgresql"] = compared(server.new_database("people"), server.new_database("naive"), postmaster)
        else:
            result["postgresql"] = "not installed"
    setting = {"raters": RATERS, "items": ITEMS, "raters_per_item": PER_ITEM, "seconds": SECONDS}
    report("studio", {**setting, **result, "must": {"judgement_p95_ms": GOAL_MS, "at_per_second": RATE}})


def compared(place: str, naive_place: str, database: int | None = None) -> dict[str, object]:
    """Measure the studio and the naive server on one kind of database, whose process has a number if it is one."""
    base, raters = project(place, "p")
    limited_base, limited_raters = project(place, "limited", most=ITEMS * PER_ITEM // RATERS)
    contents = [(f"q{number:05}", json.dumps(content(number))) for number in range(ITEMS)]
    fill_naive(naive_place, contents)
    nobody = [(f"rater={number}", "") for number in range(RATERS)]
    plans = [("studio", place, base, raters), ("studio", place, limited_base, limited_raters)]
    plans.append(("naive", naive_place, "/naive", nobody))
    rounds = [[measured(*plan, database) for plan in plans] for _ in range(REPEATS)]
    ours, limited, naive = (middle(runs) for runs in zip(*rounds, strict=True))
    ratio = {
        "judgement_p95": round(naive["judgement_ms"]["p95"] / ours["judgement_ms"]["p95"], 2),
        "next_item_p95": round(naive["next_item_ms"]["p95"] / ours["next_item_ms"]["p95"], 2),
        "highest_per_second": round(ours["highest_per_second"] / naive["highest_per_second"], 2),
    }
    return {"studio": ours, "studio_with_a_limit_per_rater": limited, "naive": naive, "times_better_than_naive": ratio}


def middle(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the run with the middle p95 of judgements, and those of all."""
    ordered = sorted(runs, key=lambda run: float(run["judgement_ms"]["p95"]))
    return {**ordered[len(ordered) // 2], "judgement_p95_ms_of_all": [run["judgement_ms"]["p95"] for run in ordered]}


def content(number: int) -> dict[str, Any]:
    return {"premise": f"{number}. {TEXT}", "hypothesis": "The river passes a town."}


def project(place: str, name: str, most: int | None = None) -> tuple[str, list[tuple[str, str]]]:
    """Make a project with its raters; return the address of the work, and the cookie and form token of each."""
    from nliprobe.people.records import Item, Project
    from nliprobe.people.store.projects import create_project
    from nliprobe.people.store.raters import join_project
    from nliprobe.studio.context import address, open_studio
    from nliprobe.studio.settings import Settings

    studio = open_studio(Settings(Path(tempfile.gettempdir()), place), "a-token-for-the-benchmark")
    items = [Item(f"q{number:05}", content(number), {"gold": "E"}) for number in range(ITEMS)]
    create_project(studio.store, Project(name, "verify", raters_per_item=PER_ITEM, most_per_rater=most), items)
    raters = []
    for number in range(RATERS):
        rater = join_project(studio.store, name, f"r{number:03}")
        session = studio.signer.sign("rater", {"project": name, "rater": rater.name}, seconds=3600)
        raters.append((f"nliprobe_rater={session}", studio.signer.form_token(session)))
    studio.close()
    return f"/work/{address(name)}", raters


def measured(
    kind: str, place: str, base: str, raters: list[tuple[str, str]], database: int | None = None
) -> dict[str, Any]:
    """Start a server, let the raters work, and look into the server at the end of the steady part."""
    program = Path(__file__).with_name("studio_servers.py")
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(
            lambda port: [sys.executable, str(program), kind, place, str(port), str(Path(folder) / "watch.json")],
            environment(),
        ) as (process, port),
    ):
        plan = {"port": port, "base": base, "raters": raters, "rate": RATE, "seconds": SECONDS, "fastest": FASTEST}
        command = [sys.executable, "-m", "tests.studio.load.steady"]
        crowd = subprocess.Popen(
            command, cwd=ROOT, env=environment(), text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip
        assert crowd.stdin is not None
        assert crowd.stdout is not None
        assert crowd.stderr is not None
        crowd.stdin.write(json.dumps({**plan, "fastest_seconds": FASTEST_SECONDS}) + "\n")
        crowd.stdin.flush()
        require_line(crowd.stderr.readline(), "ready", crowd)
        before = look(process, Path(folder) / "watch.json", database)
        require_line(crowd.stderr.readline(), "steady", crowd)
        after = look(process, Path(folder) / "watch.json", database)
        crowd.stdin.write("\n")
        output, errors = crowd.communicate()
        if crowd.returncode:
            raise SystemExit(f"the raters failed:\n{errors}")
    return {**json.loads(output), **inside(before, after)}


def inside(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Return what the server spent in the steady part: processor time, and the database's share of its requests."""

    def spent(name: str) -> float:
        return float(after["seconds"].get(name, 0.0) - before["seconds"].get(name, 0.0))

    judgements = RATE * SECONDS
    shares = {"database_share_of_time": round(spent("database") / spent("requests"), 3)}
    if spent("transactions"):
        # The rest of the database's time is waiting for the turn.
        shares["transactions_share_of_time"] = round(spent("transactions") / spent("requests"), 3)
    return {
        # What the host gave to others while somebody here wanted to work.
        "stolen_share_of_cores": round((after["stolen"] - before["stolen"]) / (SECONDS * (os.cpu_count() or 1)), 3),
        "server_cpu_ms_per_judgement": round(1e3 * (after["cpu"] - before["cpu"]) / judgements, 2),
        "server_cpu_share_of_a_core": round((after["cpu"] - before["cpu"]) / SECONDS, 3),
        "database_cpu_ms_per_judgement": round(1e3 * (after["database_cpu"] - before["database_cpu"]) / judgements, 2),
        "request_ms_mean": round(
            1e3 * spent("requests") / (after["times"]["requests"] - before["times"]["requests"]), 2
        ),
        "database_ms_per_judgement": round(1e3 * spent("database") / judgements, 2),
        **shares,
    }


def look(process: subprocess.Popen[bytes], path: Path, database: int | None) -> dict[str, Any]:
    path.unlink(missing_ok=True)
    process.send_signal(signal.SIGUSR1)
    while not path.exists():
        time.sleep(0.005)
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return {**found, "database_cpu": 0.0 if database is None else family_cpu(database), "stolen": stolen_seconds()}


def stolen_seconds() -> float:
    """Return how long the processors of this machine have waited for the host."""
    fields = Path("/proc/stat").read_text(encoding="utf-8").split("\n", 1)[0].split()
    return int(fields[8]) / os.sysconf("SC_CLK_TCK")


def family_cpu(parent: int) -> float:
    """Processor time of a process and its children, the dead ones included; SQLite has none, it runs in the server."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        # After the name: state, parent; then user, system, and both of the children that were waited for.
        if int(path.parent.name) == parent:
            ticks += sum(map(int, fields[11:15]))
        elif int(fields[1]) == parent:
            ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def require_line(line: str, wanted: str, crowd: subprocess.Popen[str]) -> None:
    if line.strip() != wanted:
        crowd.kill()
        raise SystemExit(f"the raters failed:\n{line}{crowd.communicate()[1]}")


@contextmanager
def postgres() -> Iterator[Any]:
    from tests.people.store.postgres import Postgres

    if Postgres.missing():
        yield None
        return
    server = Postgres()
    try:
        yield server
    finally:
        server.remove()


def environment() -> dict[str, str]:
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


if __name__ == "__main__":
    main()
