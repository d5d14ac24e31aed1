"""Several shards in one file: what was written is read, and whatever else is there is found out."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nliprobe.store.bundle import Bundle, DamagedBundleError, Part, write_bundle

contents = st.lists(st.binary(max_size=60), max_size=5)
PARTS = [Part("a/0", 3, b"first"), Part("a/1", 0, b""), Part("b/0", 2, b"second part")]


def parts_of(pieces: list[bytes]) -> list[Part]:
    return [Part(f"kind/{number:05d}", number * 7, content) for number, content in enumerate(pieces)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bundles")


@settings(max_examples=40)
@given(contents, st.dictionaries(st.sampled_from("xyz"), st.integers()))
def test_what_was_written_is_read(folder: Path, pieces: list[bytes], about: dict[str, int]) -> None:
    write_bundle(folder / "one", iter(parts_of(pieces)), about)
    with Bundle(folder / "one") as bundle:
        assert dict(bundle.about.values) == about
        assert [Part(name, record.rows, bundle.read(name)) for name, record in bundle.parts.items()] == parts_of(pieces)
        bundle.check()


@settings(max_examples=60)
@given(st.data(), contents.filter(any))
def test_no_altered_byte_and_no_cut_goes_unnoticed(folder: Path, data: st.DataObject, pieces: list[bytes]) -> None:
    path = folder / "altered"
    write_bundle(path, parts_of(pieces), {"n": 1})
    whole = path.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    cut = data.draw(st.booleans())
    path.write_bytes(whole[:place] if cut else whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
    with pytest.raises(DamagedBundleError, match="is damaged"), Bundle(path) as bundle:
        bundle.check()
    assert not path.exists()
    assert (folder / "altered.damaged").exists()


@pytest.mark.parametrize("content", [b"", b"\0" * 8, b"x" * 40, b"[1]" + (3).to_bytes(8, "little"), b"\xff" * 40])
def test_what_is_no_bundle_is_set_aside(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "other").write_bytes(content)
    with pytest.raises(DamagedBundleError):
        Bundle(tmp_path / "other")
    assert (tmp_path / "other.damaged").read_bytes() == content


def test_one_that_is_not_there_is_no_damage(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Bundle(tmp_path / "none")
    assert not list(tmp_path.iterdir())


def test_it_can_be_read_to_the_end_after_it_was_deleted(tmp_path: Path) -> None:
    write_bundle(tmp_path / "one", PARTS, {})
    with Bundle(tmp_path / "one") as bundle:
        (tmp_path / "one").unlink()
        assert bundle.read("b/0") == b"second part"


def test_a_writer_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def failing() -> object:
        yield PARTS[0]
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        write_bundle(tmp_path / "one", failing(), {})  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_a_part_that_nobody_wrote_is_damage(tmp_path: Path) -> None:
    write_bundle(tmp_path / "one", PARTS, {})
    with Bundle(tmp_path / "one") as bundle, pytest.raises(DamagedBundleError, match="no part 'c'"):
        bundle.read("c")
