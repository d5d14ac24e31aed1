"""The page on services: its server runs as printed, is asked as the page says, and all parameters are there."""

from __future__ import annotations

import re
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

import pytest
from tests.cli.helpers import nliprobe

from nliprobe.models.http import HttpParams

PAGE = Path(__file__).parents[2] / "docs" / "models" / "http.md"
TEXT = PAGE.read_text(encoding="utf-8")


def block(kind: str, begins: str) -> str:
    found = re.findall(rf"^```{kind}\n({re.escape(begins)}.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert len(found) == 1
    return str(found[0])


@contextmanager
def serving(folder: Path) -> Iterator[int]:
    """Run the server of the page on a free port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    code = block("python", "import json")
    assert code.count("8000") == 1
    (folder / "server.py").write_text(code.replace("8000", str(port)), encoding="utf-8")
    with subprocess.Popen([sys.executable, str(folder / "server.py")], stderr=subprocess.DEVNULL) as process:
        try:
            deadline = time.monotonic() + 30
            while True:
                assert process.poll() is None
                assert time.monotonic() < deadline
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    break
                except OSError:
                    time.sleep(0.05)
            yield port
        finally:
            process.kill()


def test_the_server_of_the_page_is_asked_as_the_page_says(tmp_path: Path) -> None:
    pytest.importorskip("httpx2", reason="services are asked with httpx2, which is not installed")
    command = block("console", "$ nliprobe run --system http:http://127.0.0.1:8000")
    with serving(tmp_path) as port:
        words = shlex.split(command.removeprefix("$ nliprobe ").replace("8000", str(port)))
        done = nliprobe(*words, cwd=tmp_path)
    assert "282 inputs asked, 0 known before\n" in done.stderr
    assert "failed" not in done.stderr


def test_the_table_of_parameters_is_complete_and_right() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (`?[\w]*`?) ?\| ", TEXT, re.MULTILINE)
    documented = {name: default.strip("`") for name, default in rows}
    expected = {field.name: f"{field.default:g}" if isinstance(field.default, float) else str(field.default)
                for field in fields(HttpParams)}  # fmt: skip
    assert {name: documented[name] for name in expected} == expected
