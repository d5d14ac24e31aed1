"""The journal of a shard: answers that have come before the shard is complete, kept until it is written.

It is for systems whose answers may not be cached; those of all others are in the cache. Each line holds some answers
and their digest, so that a line that was cut short by a kill, or altered, is not read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from nliprobe.base.errors import StoreError
from nliprobe.base.hashing import digest_bytes
from nliprobe.task.case import Prediction, Shares, Status
from nliprobe.task.labels import LabelSet

FOLDER = "journal"
# How often a folder that was removed at the same moment is made again.
_TRIES = 100


class Journal:
    """The journals of one system in one run, a file per shard: ``journal/<system>/00000.jsonl``.

    A run has no folder of journals until something is written there: most shards are complete before that.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def file(self, shard: int) -> Path:
        """Return the file of one shard's journal."""
        return self._folder / f"{shard:05d}.jsonl"

    def add(self, shard: int, answers: Mapping[str, Prediction]) -> None:
        """Write answers by input id; a process that is killed afterwards has not lost them."""
        if not answers:
            return
        rows = [_row(name, answer) for name, answer in answers.items()]
        content = json.dumps(rows, separators=(",", ":")).encode("ascii")
        path = self.file(shard)
        try:
            # It begins with a line break, because the line before may have been cut short.
            with _opened(path) as stream:
                stream.write(b"\n" + digest_bytes(content).encode("ascii") + b" " + content + b"\n")
        except OSError as error:
            raise StoreError(
                f"Cannot write {path}: {error.strerror or error}. "
                "Mend that and repeat the command: it continues where it stopped."
            ) from error

    def read(self, shard: int) -> dict[str, Prediction]:
        """Return the answers of a shard by input id; of several to one input, the first."""
        answers: dict[str, Prediction] = {}
        for name, answer in self._answers(self.file(shard)):
            answers.setdefault(name, answer)
        return answers

    def sweep(self, shard: int) -> None:
        """Remove the journal of a shard that is complete, and with the last of them the folders."""
        try:
            self.file(shard).unlink(missing_ok=True)
            for folder in (self._folder, self._folder.parent):
                folder.rmdir()
        except OSError:  # there are others, or the disk is read-only: what is left over does no harm
            pass

    @staticmethod
    def _answers(path: Path) -> Iterator[tuple[str, Prediction]]:
        try:
            stream = path.open("rb")
        except FileNotFoundError:
            return
        except OSError as error:
            raise StoreError(f"Cannot read {path}: {error.strerror or error}.") from error
        with stream:
            for line in stream:
                yield from _answers_of(line)


def _opened(path: Path) -> BinaryIO:
    """Open a journal to add to it; a thread that sweeps the last of the others may remove its folder meanwhile."""
    for _ in range(_TRIES):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            return path.open("ab")
        except (FileNotFoundError, FileExistsError):  # it went after, or just before it was looked at
            continue
    return path.open("ab")


def _row(name: str, answer: Prediction) -> list[object]:
    label = None if answer.label is None else str(answer.label)
    # Models may give numbers of numpy.
    given = answer.probabilities
    shares = None if given is None else [None if share is None else float(share) for share in given]
    return [name, label, shares, answer.status.value, None if answer.raw is None else str(answer.raw)]


def _answers_of(line: bytes) -> list[tuple[str, Prediction]]:
    """Return the answers of a line, or none if it is not as it was written."""
    digest, _, content = line.rstrip(b"\n").partition(b" ")
    if not content or digest_bytes(content).encode("ascii") != digest:
        return []
    return [(name, _answer(*rest)) for name, *rest in json.loads(content)]


def _answer(label: str | None, shares: Shares | None, status: str, raw: str | None) -> Prediction:
    block = None if label is None else LabelSet.of(label)
    return Prediction(block, None if shares is None else (shares[0], shares[1], shares[2]), Status(status), raw)
