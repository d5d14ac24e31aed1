"""Folders that are written whole or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from nliprobe.base.errors import StoreError
from nliprobe.base.files import this_machine
from nliprobe.base.folders import writing_folder

_KILLED = """
import os, signal, sys
from pathlib import Path
from nliprobe.base.folders import writing_folder
with writing_folder(Path(sys.argv[1])) as folder:
    (folder / "half").write_text("x")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def left(place: Path) -> list[str]:
    return sorted(path.name for path in place.iterdir())


def test_a_folder_gets_its_name_at_the_end(tmp_path: Path) -> None:
    for before in (tmp_path / "new", tmp_path / "deep" / "new", tmp_path / "empty"):
        if before.name == "empty":
            before.mkdir()
        with writing_folder(before) as folder:
            (folder / "inner").mkdir()
            (folder / "inner" / "file").write_text("x")
            assert not before.exists() or not any(before.iterdir())
        assert (before / "inner" / "file").read_text() == "x"
    assert left(tmp_path) == ["deep", "empty", "new"]


def test_after_an_error_nothing_is_left(tmp_path: Path) -> None:
    def write() -> None:
        with writing_folder(tmp_path / "new") as folder:
            (folder / "half").write_text("x")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    assert left(tmp_path) == []


def test_what_is_there_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("x")
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match=r"full is not empty. Name a folder"), writing_folder(tmp_path / "full"):
        raise AssertionError
    with pytest.raises(StoreError, match="file is a file"), writing_folder(tmp_path / "file"):
        raise AssertionError
    assert (tmp_path / "full" / "mine").read_text() == "x"


def test_a_folder_that_someone_fills_meanwhile_stays(tmp_path: Path) -> None:
    def write() -> None:
        with writing_folder(tmp_path / "new") as folder:
            (folder / "mine").write_text("x")
            (tmp_path / "new").mkdir()
            (tmp_path / "new" / "theirs").write_text("y")

    with pytest.raises(StoreError, match=r"Cannot write .*new"):
        write()
    assert left(tmp_path) == ["new"]
    assert left(tmp_path / "new") == ["theirs"]


def test_what_a_killed_process_left_is_deleted_and_that_of_a_live_one_stays(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", _KILLED, str(tmp_path / "new")], check=False)
    assert done.returncode == -signal.SIGKILL
    [partial] = left(tmp_path)
    assert partial.startswith(".new.")
    live = tmp_path / f".new.{this_machine()}-{os.getppid()}.partial"
    live.mkdir()
    with writing_folder(tmp_path / "new") as folder:
        (folder / "file").write_text("x")
    assert left(tmp_path) == [live.name, "new"]
