"""The account of a chat model in a run: a line per reply, written when the reply comes.

Each process writes a file of its own, so that several of them, also on several machines, can fill one run; what all of
them spent is the sum over the files. A line that was cut short by a kill is not counted, and no other line is lost.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import BinaryIO, NamedTuple

from nliprobe.base.errors import StoreError
from nliprobe.base.files import this_machine
from nliprobe.models.chat.reply import Usage

# How often the files of other processes are looked at.
_LOOK_SECONDS = 1.0


class Spent(NamedTuple):
    """What some requests cost in tokens; of ``estimated`` requests the service did not say it."""

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    estimated: int = 0

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.tokens_in + self.tokens_out

    def plus(self, other: Spent) -> Spent:
        """Return the sum of two accounts."""
        return Spent(*(one + two for one, two in zip(self, other, strict=True)))

    def with_reply(self, usage: Usage) -> Spent:
        """Return the account with one more reply."""
        return self.plus(Spent(1, usage.tokens_in, usage.tokens_out, int(usage.estimated)))


class Ledger:
    """Counts what a model spends; with a folder, what other processes and earlier runs of it spent counts, too."""

    def __init__(self) -> None:
        self._own = Spent()
        self._others = Spent()
        self._folder: Path | None = None
        self._stream: BinaryIO | None = None
        self._file: Path | None = None
        self._read: dict[Path, tuple[int, Spent]] = {}
        self._looked = 0.0

    @property
    def own(self) -> Spent:
        """What this process spent."""
        return self._own

    @property
    def total(self) -> Spent:
        """What was spent in all, as far as it is known."""
        if self._folder is not None and time.monotonic() - self._looked >= _LOOK_SECONDS:
            self._look(self._folder)
        return self._own.plus(self._others)

    def keep_in(self, folder: Path) -> None:
        """Keep the account in a folder from now on, with what was spent before."""
        if folder == self._folder:
            return
        self.close()
        self._folder, self._file = folder, folder / f"{this_machine()}-{os.getpid()}-{time.time_ns():x}.jsonl"
        self._look(folder)
        if self._own.requests:
            self._write(self._own)

    def add(self, usage: Usage) -> None:
        """Count a reply."""
        before = self._own
        self._own = before.with_reply(usage)
        if self._folder is not None:
            self._write(Spent().with_reply(usage))

    def close(self) -> None:
        """Close the file."""
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()

    def _write(self, spent: Spent) -> None:
        assert self._file is not None
        try:
            if self._stream is None:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                # Unbuffered: a line is with the system before the next request is sent.
                self._stream = self._file.open("ab", buffering=0)
            self._stream.write(json.dumps(list(spent)).encode("ascii") + b"\n")
        except OSError as error:
            raise StoreError(f"Cannot write {self._file}: {error.strerror or error}.") from error

    def _look(self, folder: Path) -> None:
        """Read what other files hold, if they grew."""
        self._looked = time.monotonic()
        try:
            sizes = {path: path.stat().st_size for path in folder.glob("*.jsonl") if path != self._file}
            for path, size in sizes.items():
                if self._read.get(path, (-1, Spent()))[0] != size:
                    self._read[path] = (size, _sum(path.read_bytes()))
        except OSError as error:
            raise StoreError(f"Cannot read the accounts in {folder}: {error.strerror or error}.") from error
        self._others = Spent()
        for path in sizes:
            self._others = self._others.plus(self._read[path][1])


def _sum(content: bytes) -> Spent:
    spent = Spent()
    for line in content.split(b"\n")[:-1]:
        try:
            numbers = json.loads(line)
        except ValueError:
            continue
        if isinstance(numbers, list) and len(numbers) == 4 and all(isinstance(number, int) for number in numbers):
            spent = spent.plus(Spent(*numbers))
    return spent
