"""Suites that are kept between runs, so that the cases of a suite are made once.

Two kinds of files are kept: the shards of pairs, facets and cases of a suite, and, for each way of reading, the ids of
what is read for each case. Who gives a suite its key answers for it that the key names everything which decides these
bytes. Files are verified when they are read, and those that were used the longest ago are deleted when all together are
too large.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from nliprobe.base.errors import StoreError
from nliprobe.base.files import cache_folder, sweep_partials
from nliprobe.base.hashing import DIGEST_BYTES, digest_bytes
from nliprobe.store.bundle import Bundle, Part, write_bundle
from nliprobe.store.frames import read_frame
from nliprobe.store.record import Counts, ShardRecord, SkippedPairs, combined
from nliprobe.store.run import RunFolder
from nliprobe.store.soundness import KINDS

FOLDER = "suites"
# 25 million cases: a case takes about 28 bytes, and 12 bytes for each way of reading.
MOST_BYTES = 1 << 30
_CASES, _INPUTS = ".cases", ".inputs"


class KeptSuite:
    """What is kept of one suite, for some ways of reading; all of it is there, or there is no kept suite.

    It can be read to the end while another process deletes it.
    """

    def __init__(self, key: str, readings: Sequence[str]) -> None:
        """Open the files of a suite.

        Raises:
            FileNotFoundError: a file is not there.
            DamagedBundleError: a file is damaged; it has been set aside.
        """
        with ExitStack() as opened:
            self._cases = opened.enter_context(Bundle(_cases_file(key)))
            self._inputs = {name: opened.enter_context(Bundle(_inputs_file(key, name))) for name in readings}
            self.counts, self.skipped, self.content = _read_about(self._cases)
            for bundle in self._inputs.values():
                if bundle.about.text("cases") != self.content["cases"]:
                    raise bundle.damaged("it belongs to other cases")
            self._opened = opened.pop_all()
        for bundle in (self._cases, *self._inputs.values()):
            with suppress(OSError):  # a disk that cannot be written
                os.utime(bundle.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._opened.close()

    def rows(self, kind: str, number: int) -> int:
        """Return how many rows a shard of pairs, facets or cases has."""
        return self._cases.parts[_shard(kind, number)].rows

    def shard(self, kind: str, number: int) -> bytes:
        """Return the bytes of a shard of pairs, facets or cases; DamagedBundleError if they are damaged."""
        return self._cases.read(_shard(kind, number))

    def case_ids(self, number: int) -> list[str]:
        """Return the ids of the cases of a shard; DamagedBundleError if they are damaged."""
        ids: list[str] = read_frame(self._cases.path, ["case_id"], content=self.shard("cases", number))[
            "case_id"
        ].to_list()
        return ids

    def input_ids(self, reading: str, number: int) -> list[str]:
        """Return the ids of what is read for the cases of a shard; DamagedBundleError if they are damaged."""
        bundle = self._inputs[reading]
        text, digits = bundle.read(_shard("inputs", number)).hex(), 2 * DIGEST_BYTES
        ids = [text[start : start + digits] for start in range(0, len(text), digits)]
        if len(ids) != self.rows("cases", number):
            raise bundle.damaged("it has other cases")
        return ids


def keep_suite(run: RunFolder, key: str, readings: Mapping[str, str]) -> None:
    """Keep the cases of a complete run and what was read for them, as far as this process has made them.

    Args:
        run: the run; other processes may have written parts of it, by whatever code, and these are not kept.
        key: what decides the cases.
        readings: the ways of reading, each with the kind of shards that has the ids of what was read so.
    """
    record, path = run.record, _cases_file(key)
    assert record.counts is not None  # the run is complete
    kinds = (*KINDS, *readings.values())
    if sum(item.bytes for kind in kinds for item in _records(run, kind)) > MOST_BYTES:
        return
    sweep_partials(path.parent)
    content = _content_of(path)
    if content is None:
        if not all(map(run.wrote, (shard for kind in KINDS for shard in run.files(kind)))):
            return
        about = {"counts": asdict(record.counts), "skipped": [asdict(item) for item in record.skipped]}
        write_bundle(path, _case_parts(run), about)
        content = _content_of(path)
    if content == record.content:
        for reading, kind in readings.items():
            inputs = _inputs_file(key, reading)
            if not inputs.is_file() and all(map(run.wrote, run.files(kind))):
                write_bundle(inputs, _input_parts(run, kind), {"cases": content["cases"]})
    trim(path.parent)


def trim(folder: Path, most: int | None = None) -> None:
    """Delete the files that were used the longest ago, until those that are left take no more than ``most`` bytes."""
    left = MOST_BYTES if most is None else most
    files: list[tuple[float, int, Path]] = []
    for path in folder.glob("[!.]*"):
        with suppress(FileNotFoundError):  # deleted by another process
            state = path.stat()
            files.append((state.st_mtime, state.st_size, path))
    for _, size, path in sorted(files, reverse=True):
        left -= size
        if left < 0:
            with suppress(OSError):
                path.unlink()


class CheckedSuites(NamedTuple):
    """How many suites are kept and sound, and the files that were not, as they are called now."""

    number: int
    damaged: list[Path]


def check_suites() -> CheckedSuites:
    """Read every byte of all kept suites, and set damaged files aside."""
    number, damaged = 0, []
    for path in sorted((cache_folder() / FOLDER).glob("[!.]*")):
        if path.suffix in (_CASES, _INPUTS):
            try:
                with Bundle(path) as bundle:
                    bundle.check()
                    number += path.suffix == _CASES
            except FileNotFoundError:  # deleted by another process
                continue
            except StoreError:
                damaged.append(path if path.exists() else path.with_name(path.name + ".damaged"))
    return CheckedSuites(number, damaged)


def _cases_file(key: str) -> Path:
    return cache_folder() / FOLDER / f"{key}{_CASES}"


def _inputs_file(key: str, reading: str) -> Path:
    return cache_folder() / FOLDER / f"{key}-{reading}{_INPUTS}"


def _shard(kind: str, number: int) -> str:
    return f"{kind}/{number:05d}"


def _read_about(cases: Bundle) -> tuple[Counts, tuple[SkippedPairs, ...], dict[str, str]]:
    """Return the size of a suite, which pairs it skips, and the digest over its shards of each kind."""
    counts = Counts.read(cases.about.inner("counts"))
    skipped = tuple(SkippedPairs.read(item) for item in cases.about.each("skipped"))
    content: dict[str, str] = {}
    for kind in KINDS:
        whole = combined(cases.parts.get(_shard(kind, number)) for number in range(counts.shards))
        if whole is None:
            raise cases.damaged("it lacks shards")
        content[kind] = whole
    return counts, skipped, content


def _content_of(path: Path) -> dict[str, str] | None:
    """Return the digests over the shards of a kept suite, or none if it is not there or damaged."""
    try:
        with Bundle(path) as cases:
            return _read_about(cases)[2]
    except (FileNotFoundError, StoreError):
        return None


def _records(run: RunFolder, kind: str) -> Iterator[ShardRecord]:
    for path in run.files(kind):
        record = run.shard_record(path)
        if record is None:
            raise StoreError(f"{path} has no record next to it, or one that was altered.")
        yield record


def _case_parts(run: RunFolder) -> Iterator[Part]:
    for kind in KINDS:
        for number, (path, record) in enumerate(zip(run.files(kind), _records(run, kind), strict=True)):
            content = path.read_bytes()
            if digest_bytes(content) != record.content:
                raise StoreError(f"{path} was altered after it was written: its digest is not that of its record.")
            yield Part(_shard(kind, number), record.rows, content)


def _input_parts(run: RunFolder, kind: str) -> Iterator[Part]:
    for number, frame in enumerate(run.shards(kind, ["input_id"])):
        ids = frame["input_id"].to_list()
        yield Part(_shard("inputs", number), len(ids), bytes.fromhex("".join(ids)))
