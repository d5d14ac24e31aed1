"""The digest of the package's own code: every byte and every name counts, and what changed under way is not trusted."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from nliprobe.base import own_code
from nliprobe.base.own_code import code_digest

ROOMS = ("one", "two")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("one/a.py", "one/inner/a.py", "two/words.tsv", "three/b.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(own_code, "PACKAGE", tmp_path)
    # Everything here was made after this process began.
    monkeypatch.setattr(own_code, "LOADED_AT", float("inf"))
    return tmp_path


def test_every_byte_and_every_name_of_the_rooms_counts(package: Path) -> None:
    before = code_digest(ROOMS)
    assert before is not None
    stamp = (package / "one" / "a.py").stat()
    (package / "one" / "a.py").write_text("one/b.py")
    os.utime(package / "one" / "a.py", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert code_digest(ROOMS) != before
    (package / "one" / "a.py").write_text("one/a.py")
    assert code_digest(ROOMS) == before
    (package / "two" / "words.tsv").rename(package / "two" / "other.tsv")
    assert code_digest(ROOMS) != before
    (package / "two" / "other.tsv").rename(package / "two" / "words.tsv")
    shutil.move(package / "one" / "inner" / "a.py", package / "two" / "a.py")
    assert code_digest(ROOMS) != before


def test_compiled_files_and_other_rooms_do_not(package: Path) -> None:
    before = code_digest(ROOMS)
    (package / "one" / "__pycache__").mkdir()
    (package / "one" / "__pycache__" / "a.pyc").write_text("compiled")
    (package / "three" / "b.py").write_text("other")
    assert code_digest(ROOMS) == before


def test_code_that_changed_after_it_was_loaded_has_no_digest(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    newest = (package / "one" / "a.py").stat().st_mtime
    monkeypatch.setattr(own_code, "LOADED_AT", newest - 100)
    assert code_digest(ROOMS) is None
    # As if it had been written long ago and then put here: only the time of the inode shows it.
    for path in package.rglob("*"):
        os.utime(path, (1, 1))
    assert code_digest(ROOMS) is None


def test_a_package_without_files_has_no_digest(package: Path) -> None:
    assert code_digest(["four"]) is None


def test_this_package_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_code, "LOADED_AT", float("inf"))  # whoever runs the tests may write code meanwhile
    assert code_digest(["base"]) is not None
