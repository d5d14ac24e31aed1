"""The names of tests are the same in every process: two workers that collect different ones refuse to start."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def start_collecting(seed: int, folders: list[str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:randomly", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    environment.pop("PYTEST_XDIST_WORKER", None)
    return subprocess.Popen([*command, *folders], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)


def names_of(process: subprocess.Popen[str]) -> list[str]:
    printed, _ = process.communicate(timeout=300)
    assert process.returncode == 0, printed[-2000:]
    return [line for line in printed.splitlines() if "::" in line]


def collected_twice(folders: list[str]) -> tuple[list[str], list[str]]:
    """Collect under two seeds of hashing and at two moments: whatever depends on either differs."""
    first = start_collecting(1, folders)
    time.sleep(1.1)  # the clock inside a gzip file counts seconds
    second = start_collecting(2, folders)
    return names_of(first), names_of(second)


def test_names_do_not_depend_on_the_process(request: pytest.FixtureRequest) -> None:
    # This process has collected the tests already, at another moment and with another seed of hashing.
    here = {item.nodeid for item in request.session.items}
    there = names_of(start_collecting(1, []))
    assert len(there) > 1000
    assert here <= set(there)


def test_names_that_depend_on_the_process_are_noticed(tmp_path: Path) -> None:
    source = """
        import gzip, pytest

        @pytest.mark.parametrize("raw", [gzip.compress(b"x")])
        def test_clock(raw): pass

        @pytest.mark.parametrize("name", {"a", "b", "c", "d", "e", "f", "g", "h"})
        def test_order(name): pass
    """
    lines = [line[8:] for line in source.splitlines()]
    (tmp_path / "test_drifting.py").write_text("\n".join(lines), encoding="utf-8")
    first, second = collected_twice([str(tmp_path)])
    assert len(first) == len(second) == 9
    assert first[0] != second[0]
    assert first[1:] != second[1:]


def test_a_test_file_that_cannot_be_imported_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "test_broken.py").write_text("import no_module_of_this_name\n\ndef test_it(): pass\n", encoding="utf-8")
    process = start_collecting(1, [str(tmp_path / "test_broken.py")])
    printed, _ = process.communicate(timeout=300)
    assert process.returncode == 2, printed[-2000:]
    assert "No module named 'no_module_of_this_name'" in printed
