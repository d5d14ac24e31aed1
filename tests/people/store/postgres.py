"""A PostgreSQL server of its own for tests: Debian's programs, a folder of its own, a socket and no network."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import uuid
from pathlib import Path
from urllib.parse import urlsplit

_BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
# A server takes 0.2 GB; containers often have 64 MB of memory for files.
_MEMORY, _ENOUGH = Path("/dev/shm"), 1 << 30
_TEMPLATE = "store_template"
# Seconds in which a server must be there again: after a loss of power it syncs all its files, which takes more than
# the usual minute on a disk that others are writing to.
_PATIENCE = 240


class Postgres:
    """A server that can be stopped and started again.

    Args:
        in_memory: keep its files in memory where there is enough of it. A database has three hundred files: to copy
            them takes 50 ms there and five times as long on a disk. What measures or pulls a plug wants a disk.
    """

    def __init__(self, *, in_memory: bool = False) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="nliprobe-pg-", dir=_memory() if in_memory else "/tmp"))
        self._has_template = False
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
        self._run("initdb", "-D", str(self.folder / "data"), "-A", "trust", "-U", "tester", "--no-sync", "-E", "UTF8")
        self.start()

    @staticmethod
    def missing() -> str:
        """Say why there can be no server here, or nothing."""
        if not _BINARIES:
            return "PostgreSQL is not installed (Debian's package postgresql)"
        if os.geteuid() == 0 and not shutil.which("runuser"):
            return "PostgreSQL does not run as root, and there is no runuser"
        return ""

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c max_connections=120"
        log, patience = str(self.folder / "log"), str(_PATIENCE)
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-l", log, "-w", "-t", patience, "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it; ``immediate`` is what a loss of power does."""
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", mode, "-w", "stop")

    def remove(self) -> None:
        """Stop it for good."""
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def new_database(self, name: str) -> str:
        """Make an empty database and return its URL."""
        self._run("createdb", "-h", str(self.folder), "-U", "tester", name)
        return f"postgresql://tester@/{name}?host={self.folder}"

    def new_store(self) -> str:
        """Make a database that has the tables of a store already, and return its URL."""
        from nliprobe.people.store import open_store

        if not self._has_template:
            open_store(self.new_database(_TEMPLATE)).close()
            self._has_template = True
        name = f"s{uuid.uuid4().hex}"
        self._tell(f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE}")
        return f"postgresql://tester@/{name}?host={self.folder}"

    def drop_store(self, url: str) -> None:
        """Remove a database that :meth:`new_store` made; each takes 8 MB."""
        self._tell(f"DROP DATABASE {urlsplit(url).path[1:]} WITH (FORCE)")

    def _tell(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(f"postgresql://tester@/postgres?host={self.folder}", autocommit=True) as connection:
            connection.execute(statement.encode())

    def _run(self, program: str, *arguments: str) -> None:
        user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        command = [*user, str(_BINARIES[-1] / program), *arguments]
        with (self.folder / "programs.log").open("ab") if os.geteuid() else open(os.devnull, "wb") as output:  # noqa: PTH123
            done = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, cwd="/tmp", timeout=_PATIENCE + 20)
        assert done.returncode == 0, f"{program} failed; see {self.folder}/log"


def _memory() -> str:
    has = os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ENOUGH
    return str(_MEMORY) if has else "/tmp"
