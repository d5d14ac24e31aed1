"""The journal of a shard: it gives back what was written, and nothing else, whatever became of the file."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nliprobe.base.errors import StoreError
from nliprobe.store.journal import FOLDER, Journal
from nliprobe.task.case import Prediction, Status
from nliprobe.task.labels import SETS, LabelSet

shares = st.floats(0, 1, allow_nan=False)
answers = st.builds(
    Prediction,
    st.none() | st.sampled_from([item for item in SETS if item]),
    st.none() | st.tuples(shares, shares, shares),
    st.sampled_from(Status),
    # Also with lone surrogates and line breaks.
    st.none() | st.text(max_size=20),
)
batches = st.lists(
    st.dictionaries(st.text("0123456789abcdef", min_size=24, max_size=24), answers, max_size=5), max_size=6
)


def first_of_each(written: list[dict[str, Prediction]]) -> dict[str, Prediction]:
    kept: dict[str, Prediction] = {}
    for batch in written:
        for name, answer in batch.items():
            kept.setdefault(name, answer)
    return kept


@given(batches)
def test_journal_reads_what_was_written(written: list[dict[str, Prediction]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        journal = Journal(Path(name) / FOLDER / "system")
        for batch in written:
            journal.add(3, batch)
        assert journal.read(3) == first_of_each(written)
        assert journal.read(2) == {}


@settings(max_examples=60)
@given(batches, st.data())
def test_a_journal_that_was_cut_short_loses_only_its_end(
    written: list[dict[str, Prediction]], data: st.DataObject
) -> None:
    written = [batch for batch in written if batch]
    with tempfile.TemporaryDirectory() as name:
        journal = Journal(Path(name) / FOLDER / "system")
        ends = []
        for batch in written:
            journal.add(0, batch)
            ends.append(journal.file(0).stat().st_size)
        content = journal.file(0).read_bytes() if written else b""
        cut = data.draw(st.integers(0, len(content)))
        journal.file(0).parent.mkdir(parents=True, exist_ok=True)
        journal.file(0).write_bytes(content[:cut])
        # The last line break of a line is not needed.
        whole = [batch for batch, end in zip(written, ends, strict=True) if end - 1 <= cut]
        assert journal.read(0) == first_of_each(whole)
        more = {"f" * 24: Prediction(LabelSet.of("E"))}
        journal.add(0, more)
        assert journal.read(0) == first_of_each([*whole, more]), "what comes after a torn line is read"


@settings(max_examples=200)
@given(batches.filter(any), st.data())
def test_a_flipped_bit_never_gives_another_answer(written: list[dict[str, Prediction]], data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as name:
        journal = Journal(Path(name) / FOLDER / "system")
        for batch in written:
            journal.add(0, batch)
        content = bytearray(journal.file(0).read_bytes())
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] ^= 1 << data.draw(st.integers(0, 7))
        journal.file(0).write_bytes(bytes(content))
        possible = [item for batch in written for item in batch.items()]
        assert all(item in possible for item in journal.read(0).items())


def test_a_journal_is_swept_with_its_folders(tmp_path: Path) -> None:
    one, two = Journal(tmp_path / FOLDER / "one"), Journal(tmp_path / FOLDER / "two")
    answer = {"0" * 24: Prediction(LabelSet.of("E"))}
    one.add(0, answer)
    one.add(1, answer)
    two.add(0, answer)
    one.sweep(0)
    assert one.read(0) == {}
    assert one.read(1) == two.read(0) == answer
    one.sweep(1)
    one.sweep(7)
    assert [path.name for path in (tmp_path / FOLDER).iterdir()] == ["two"]
    two.sweep(0)
    assert list(tmp_path.iterdir()) == []


def test_a_journal_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("a file where a folder should be")
    with pytest.raises(StoreError, match=r"Cannot write .*00000.jsonl: .* continues where it stopped"):
        Journal(tmp_path / FOLDER / "one").add(0, {"0" * 24: Prediction(LabelSet.of("E"))})


def test_a_journal_can_be_added_to_while_another_is_swept(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    journal = Journal(tmp_path / "journal" / "system")
    answer = Prediction(LabelSet.of("E"))

    def go(shard: int) -> None:
        for _ in range(300):
            journal.add(shard, {"a": answer})
            assert journal.read(shard) == {"a": answer}
            journal.sweep(shard)

    with ThreadPoolExecutor(3) as threads:
        list(threads.map(go, range(3)))
    assert not (tmp_path / "journal").exists()
