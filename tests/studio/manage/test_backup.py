"""The commands of the manual that back a studio up and restore it, run as they are printed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from pathlib import Path

import pytest
from tests.people.store.postgres import Postgres
from tests.studio.manage.made import make, work

from nliprobe.people.store import open_store
from nliprobe.people.store.judging import read_judgements
from nliprobe.people.store.progress import miscounted, read_log
from nliprobe.people.store.secret import studio_secret

PAGE = (Path(__file__).parents[3] / "docs" / "guide" / "studio-team.md").read_text(encoding="utf-8")


def commands(begin: str, end: str) -> list[list[str]]:
    """The commands of each block in a part of the page."""
    part = PAGE[PAGE.index(begin) : PAGE.index(end)]
    blocks = re.findall(r"^```console\n(.*?)^```$", part, re.MULTILINE | re.DOTALL)
    return [[line[2:] for line in block.splitlines() if line.startswith("$ ")] for block in blocks]


def run(lines: list[str], folder: Path, **variables: str) -> str:
    environment = {**os.environ, **variables}
    done = subprocess.run(
        ["bash", "-ec", "\n".join(lines)], cwd=folder, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def administrator(postgres: Postgres) -> dict[str, str]:
    """The variables by which the programs of PostgreSQL find its administrator."""
    return {"PGHOST": str(postgres.folder), "PGUSER": "tester"}


@pytest.mark.skipif(not shutil.which("sqlite3"), reason="the program sqlite3 is not installed")
def test_sqlite_is_backed_up_while_raters_work_and_restored(tmp_path: Path) -> None:
    backup, restore = commands("**SQLite.**", "**PostgreSQL.**")
    place = tmp_path / "people.sqlite"
    with open_store(place) as store:
        make(store, most_items=40)
        work(store, raters=1, most=5)
        secret = studio_secret(store)
        acknowledged = read_judgements(store, "labels")
        # Others go on while the copy is made.
        others = threading.Thread(target=work, args=(store,))
        others.start()
        assert "ok" in run(backup, tmp_path)
        others.join()
        assert len(read_judgements(store, "labels")) > 5
    run(restore, tmp_path)
    with open_store(place, make=False) as store:
        kept = read_judgements(store, "labels")
        assert kept[: len(acknowledged)] == acknowledged
        assert miscounted(store, "labels") == []
        assert read_log(store, "labels")
        assert studio_secret(store) == secret, "links that were sent go on working"
        work(store)
    with open_store(tmp_path / "replaced" / "people.sqlite", make=False) as store:
        assert len(read_judgements(store, "labels")) > len(acknowledged), "what came later can be looked up"
        assert read_log(store, "labels")


@pytest.mark.skipif(not shutil.which("pg_dump"), reason="pg_dump is not installed")
def test_postgresql_is_backed_up_and_restored(postgres: Postgres, tmp_path: Path) -> None:
    [lines] = commands("**PostgreSQL.**", "## Who may do what")
    # The service is a user of its own, and an administrator backs up and restores.
    made = commands("## SQLite or PostgreSQL", "Tables are made at the first start")[0]
    run([line for line in made if not line.startswith("nliprobe ")], tmp_path, **administrator(postgres))
    url = f"postgresql://nliprobe@/studio?host={postgres.folder}"
    with open_store(url) as store:
        make(store)
        work(store)
        said, secret = read_judgements(store, "labels"), studio_secret(store)
    run(lines, tmp_path, NLIPROBE_DATABASE=url, **administrator(postgres))
    with open_store(url.replace("/studio?", "/studio-restored?"), make=False) as store:
        assert read_judgements(store, "labels") == said
        assert studio_secret(store) == secret
        work(store)
