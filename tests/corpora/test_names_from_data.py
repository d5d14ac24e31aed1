"""Ids of tables come from data: they name a file in their folder, or none."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest

from nliprobe.api.sources import open_source
from nliprobe.base.errors import DataError
from nliprobe.corpora._grids import GridStore
from nliprobe.corpora._parts import TableFolder

SECRET = {"title": ["Secret"], "Key": ["hunter2"]}
NAMES = ["../secret", "..\\secret", "sub/../../secret", "/etc/hostname", "a\0b", "x" * 5000, "..", ""]


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    (tmp_path / "secret.json").write_text(json.dumps(SECRET), encoding="utf-8")
    (tmp_path / "secret.csv").write_text("a#b\n1#2\n", encoding="utf-8")
    folder = tmp_path / "tables"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "T1.json").write_text(json.dumps({"title": ["Fine"], "Key": ["value"]}), encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", [*NAMES, "SECRET"])
def test_an_id_of_a_table_cannot_leave_its_folder(name: str, tables: Path) -> None:
    name = str(tables.parent / "secret") if name == "SECRET" else name
    folder = TableFolder(tables)
    assert folder.find(name) is None
    assert folder.find(f"{name}.json") is None
    with pytest.raises(DataError, match=r"cannot be the name of a file|missing"):
        folder.get(name, "x.csv, line 2")
    assert folder.get("sub/T1", "x.csv, line 3").title == "Fine"


@pytest.mark.parametrize("name", [*NAMES, "../secret.csv"])
def test_a_name_of_a_grid_cannot_leave_its_folder(name: str, tables: Path) -> None:
    store = GridStore(tables)
    assert store.files([name]) == []
    with pytest.raises(DataError, match=r"cannot be the name of a file|missing"):
        store.get(name, "title", "statements.json")


def test_a_member_of_an_archive_is_only_read(tmp_path: Path) -> None:
    archive = tmp_path / "all_csv.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        for name in ("../../evil.csv", "/abs/evil2.csv"):
            entry = tarfile.TarInfo(name)
            entry.size = 8
            tar.addfile(entry, io.BytesIO(b"a#b\n1#2\n"))
    store = GridStore(archive)
    store.load(["evil.csv"])
    assert store.get("evil.csv", "t", "x").columns == ("a", "b")
    assert [path.name for path in tmp_path.rglob("*")] == ["all_csv.tar.gz"]


def test_pairs_of_an_own_file_cannot_read_other_files(tables: Path) -> None:
    own = tables.parent / "own.csv"
    own.write_text("table,hypothesis,label\n../secret,It is hunter2.,E\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"own\.csv, line 2: the table '\.\./secret' cannot be the name of a file in"):
        list(open_source(f"file:{own}?tables={tables}").pairs())
