"""The files of the built-in WordNet: what they hold, how they are built, and damage."""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from nliprobe.base.errors import DataError
from nliprobe.language._wordnet_file import FOLDER, FileSource
from nliprobe.language._wordnet_sources import PARTS, Pos

DEBIAN = Path("/usr/share/wordnet")
SCRIPT = Path(__file__).parents[2] / "scripts" / "build_wordnet.py"
MANIFEST = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))


def text_of(pos: Pos) -> str:
    return gzip.decompress((FOLDER / f"{pos}.gz").read_bytes()).decode("ascii")


def test_importing_reads_nothing_and_a_lookup_reads_one_part() -> None:
    check = """
import sys
import nliprobe.language.wordnet as wordnet
heavy = [name for name in ("numpy", "polars", "gzip", "nltk", "wn") if name in sys.modules]
before = sorted(wordnet.source()._parts)
wordnet.synonyms("run", "verb")
print(heavy, before, sorted(wordnet.source()._parts))
"""
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] [] ['verb']"


@pytest.mark.parametrize("pos", PARTS)
def test_files_have_the_digest_of_the_manifest(pos: Pos) -> None:
    assert hashlib.sha256(text_of(pos).encode()).hexdigest() == MANIFEST["files"][pos]["sha256"]


def test_counts_are_those_princeton_gives() -> None:
    # The table of wnstats(7WN) for WordNet 3.0.
    princeton = {
        "noun": (117798, 82115, 146312),
        "verb": (11529, 13767, 25047),
        "adj": (21479, 18156, 30002),
        "adv": (4481, 3621, 5580),
    }
    ours = {pos: (part["words"], part["synsets"], part["senses"]) for pos, part in MANIFEST["files"].items()}
    assert ours == princeton


def test_licence_and_size() -> None:
    licence = (FOLDER / "LICENSE").read_text(encoding="utf-8")
    assert licence.startswith("This software and database is being provided to you, the LICENSEE, by\nPrinceton")
    assert "WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved." in licence
    assert licence.endswith("Princeton University and LICENSEE agrees to preserve same.\n")
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 4_000_000


HEAD = b"WordNet 3.0\t1\tnoun\t"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not gzip",
        gzip.compress(HEAD + b"0\t0\t0\n")[:-3],
        gzip.compress("é".encode()),
        gzip.compress(b"WordNet 3.1\t1\tnoun\t0\t0\t0\n"),
        gzip.compress(b"WordNet 3.0\t1\tverb\t0\t0\t0\n"),
        gzip.compress(HEAD + b"0\t0\n"),
        gzip.compress(HEAD + b"x\t0\t0\n"),
        gzip.compress(HEAD + b"-1\t1\t0\n"),
        gzip.compress(HEAD + b"1\t0\t0\n"),
    ],
    ids=["empty", "no-gzip", "torn", "no-head", "version", "part", "few-counts", "no-number", "negative", "too-few"],
)
def test_damaged_files_are_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "noun.gz").write_bytes(content)
    with pytest.raises(DataError, match=r"noun\.gz is not the WordNet file .* Install nliprobe again"):
        FileSource(tmp_path).senses("dog", "noun")
    with pytest.raises(DataError, match=r"verb\.gz is not"):
        FileSource(tmp_path).senses("dog", "verb")


def test_damaged_manifest_is_named(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("[]", encoding="utf-8")
    with pytest.raises(DataError, match=r"manifest\.json is not"):
        _ = FileSource(tmp_path).version


# Against the source.


def builder() -> ModuleType:
    if not SCRIPT.is_file():
        pytest.skip("scripts/build_wordnet.py comes with a checkout, not with the package")
    spec = importlib.util.spec_from_file_location("build_wordnet", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def debian() -> Path:
    if not (DEBIAN / "data.noun").is_file():
        pytest.skip("Debian's wordnet-base is not installed")
    return DEBIAN


def test_building_again_gives_the_same(debian: Path, tmp_path: Path) -> None:
    assert builder().build(debian, tmp_path) == MANIFEST
    for pos in PARTS:
        assert gzip.decompress((tmp_path / f"{pos}.gz").read_bytes()).decode() == text_of(pos)
    assert (tmp_path / "LICENSE").read_text() == (FOLDER / "LICENSE").read_text()


def test_lines_of_the_source_and_ours_have_the_same_counts(debian: Path) -> None:
    for pos, part in MANIFEST["files"].items():
        lines = (debian / f"data.{pos}").read_text(encoding="ascii").splitlines()
        data = [line.partition(" | ")[0] for line in lines if not line.startswith("  ")]
        index = [line for line in (debian / f"index.{pos}").read_text().splitlines() if not line.startswith("  ")]
        assert (part["words"], part["synsets"]) == (len(index), len(data))
        assert part["hypernyms"] == sum(line.count(" @ ") + line.count(" @i ") for line in data)
        assert part["antonyms"] == sum(line.count(" ! ") for line in data)
        assert part["similar"] == sum(line.count(" & ") for line in data)


def test_packing_is_the_same_at_any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    build = builder()
    first = build.pack("dog\n")
    monkeypatch.setattr("time.time", lambda: 1e9)
    assert build.pack("dog\n") == first
    assert gzip.decompress(first) == b"dog\n"


@pytest.mark.parametrize("head", ["", "  1 WordNet 3.1 Copyright 2011\n"])
def test_builder_refuses_other_versions(tmp_path: Path, head: str) -> None:
    build = builder()
    (tmp_path / "data.noun").write_text(head, encoding="ascii")
    with pytest.raises(build.BuildError, match=r"does not say .* that it is WordNet 3\.0"):
        build.build_part(tmp_path, "noun")
    with pytest.raises(build.BuildError, match="Install Debian's wordnet-base"):
        build.build_part(tmp_path, "verb")


def test_builder_refuses_an_index_that_does_not_fit(tmp_path: Path) -> None:
    build = builder()
    head = "  1 WordNet 3.0 Copyright 2006\n"
    (tmp_path / "data.adv").write_text(head + "00000031 02 r 01 well 0 000 | gloss\n", encoding="ascii")
    (tmp_path / "index.adv").write_text(head + "ill r 1 0 1 0 00000031\n", encoding="ascii")
    (tmp_path / "adv.exc").write_text("best well\n", encoding="ascii")
    with pytest.raises(build.BuildError, match=r"index\.adv and data\.adv do not hold the same senses"):
        build.build_part(tmp_path, "adv")
    (tmp_path / "index.adv").write_text(head + "well r 1 0 1 0 00000031\n", encoding="ascii")
    assert build.build_part(tmp_path, "adv").text == "WordNet 3.0\t1\tadv\t1\t1\t1\nwell\t0\nwell\nbest\twell\n"
