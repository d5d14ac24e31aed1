"""One training of a grid, in this process or in one of its own that tells how it goes in JSON lines.

A process of its own is stopped by closing its standard input: so it also stops, and keeps what was learnt, if the
command that started it is killed.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TextIO, TypedDict

from nliprobe.api.through import Through
from nliprobe.api.train import TrainRequest, train
from nliprobe.base.errors import NliprobeError
from nliprobe.base.registry import load_plugin, loaded_plugins
from nliprobe.training.trainer import Watcher

STOPPED = 130


class CellMessage(TypedDict):
    """What a process is asked to train; every corpus is named by its spec."""

    spec: str
    train: list[str]
    dev: list[str]
    represent: str | None
    premise: str
    seed: int
    root: str | None
    through: dict[str, str | float | int] | None
    out: str
    plugins: list[str]


@dataclass(frozen=True)
class CellResult:
    """How a training ended.

    Attributes:
        folder: the trained model, or none.
        dev: the accuracy on dev after each epoch.
        seconds: how long it took; none if it was trained before.
        error: why it failed, or nothing.
        stopped: whether the user stopped it.
    """

    folder: Path | None = None
    dev: tuple[float, ...] = ()
    seconds: float | None = None
    error: str = ""
    stopped: bool = False


def train_cell(request: TrainRequest, out: Path, watcher: Watcher) -> CellResult:
    """Train one model with one seed; an error is a result, because the other trainings of a grid go on."""
    try:
        [trained] = train(request, out, watcher)
    except NliprobeError as error:
        return CellResult(error=str(error))
    except Exception as error:  # torch has many: no memory, a driver that is gone
        return CellResult(error=f"{type(error).__name__}: {error}".strip().splitlines()[0])
    result = trained.result
    if result is not None and result.stopped:
        return CellResult(stopped=True)
    return CellResult(trained.folder, trained.dev, None if result is None else result.seconds)


def write_message(request: TrainRequest, out: Path) -> str:
    """Return a training as one line for a process of its own; its corpora must be spec strings."""
    message = CellMessage(
        spec=request.spec,
        train=[str(item) for item in request.train],
        dev=[str(item) for item in request.dev],
        represent=request.represent,
        premise=request.premise,
        seed=request.seeds[0],
        root=None if request.root is None else str(request.root),
        through=None if request.through is None else asdict(request.through),
        out=str(out),
        plugins=[str(path) for path in loaded_plugins()],
    )
    return json.dumps(message) + "\n"


def read_result(line: str) -> CellResult | str | None:
    """Read a line of a process: what it says, its result, or None for a line that is not its own."""
    try:
        told = json.loads(line)
    except ValueError:
        return None
    if "say" in told:
        return str(told["say"])
    folder = told["folder"]
    return CellResult(None if folder is None else Path(folder), tuple(told["dev"]), *(told[key] for key in _REST))


_REST = ("seconds", "error", "stopped")


class _Teller:
    """Passes on what training says."""

    def __init__(self, tell: Callable[[dict[str, object]], None]) -> None:
        self._tell = tell

    def begin(self, steps: int, done: int) -> None:
        """Say if training continues."""
        if done:
            self.say(f"continuing after {done:,} of {steps:,} steps")

    def advance(self, loss: float | None) -> None:
        """Say nothing: many trainings run side by side."""

    def say(self, line: str) -> None:
        """Pass a line on."""
        self._tell({"say": line})


def _stop_with(stream: TextIO) -> None:
    """Press Ctrl-C for the user when the stream ends."""
    stream.read()
    os.kill(os.getpid(), signal.SIGINT)


def main() -> int:
    """Train what the first line of standard input says, until it is done or standard input ends."""
    # Libraries print what they like; the lines of this process go where only they go.
    lines = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)
    message: CellMessage = json.loads(sys.stdin.readline())
    threading.Thread(target=_stop_with, args=(sys.stdin,), daemon=True).start()

    def tell(content: dict[str, object]) -> None:
        # Who is told may have been killed: that is no fault of the training, which still keeps what was learnt.
        with suppress(BrokenPipeError):
            lines.write(json.dumps(content) + "\n")

    try:
        for path in message["plugins"]:
            load_plugin(Path(path))
        request = TrainRequest(
            message["spec"],
            message["train"],
            message["dev"],
            message["represent"],
            message["premise"],
            [message["seed"]],
            None if message["root"] is None else Path(message["root"]),
            None if message["through"] is None else Through(**message["through"]),  # type: ignore[arg-type]
        )
        result = train_cell(request, Path(message["out"]), _Teller(tell))
    except KeyboardInterrupt:
        result = CellResult(stopped=True)
    told = {**asdict(result), "folder": None if result.folder is None else str(result.folder)}
    tell(told)
    return STOPPED if result.stopped else int(bool(result.error))


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    # The thread that waits for the end of standard input must not be waited for.
    os._exit(code)
