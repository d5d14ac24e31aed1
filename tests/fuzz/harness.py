"""Run parsers on hostile inputs, in a process of their own with limits of memory and time.

A target is a file in ``tests/fuzz/targets`` that defines ``TARGET``. An input counts as a failure if the parser raises
anything but an error whose message is a sentence, takes more than :data:`LIMIT_SECONDS`, or needs more than
:data:`LIMIT_BYTES`. The failing inputs are kept in ``tests/fuzz/found/<target>`` and replayed by
``make test-faults``.
"""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path

from tests.fuzz.mutate import mutated

from nliprobe.base.errors import NliprobeError

FOLDER = Path(__file__).parent
FOUND = FOLDER / "found"
# Of the processor's time, so that a busy machine fails no parser; one that sleeps has this many times as long.
LIMIT_SECONDS = 5.0
_PATIENCE = 12
_LOOK_SECONDS = 0.1
TOO_MUCH = "more than 1 GB"
LIMIT_BYTES = 1 << 30
# The seeds are run first, without a limit of time that counts: modules are imported then.
_START_SECONDS = 120.0
# A process is replaced after this many inputs, so that what one of them left behind does not fail another.
_INPUTS_PER_PROCESS = 5_000


@dataclass(frozen=True)
class Target:
    """A parser or a job that must withstand any input.

    Attributes:
        name: the name of the target's file.
        seeds: gives small real inputs.
        run: writes what it needs of the input's bytes under an empty folder, and calls the parser.
    """

    name: str
    seeds: Callable[[], list[bytes]]
    run: Callable[[bytes, Path], None]


@dataclass(frozen=True)
class Failure:
    """An input that a target does not withstand, and how it ended."""

    target: str
    data: bytes = field(repr=False)
    kind: str
    report: str

    def __str__(self) -> str:
        return f"{self.target}: {self.kind}\n{self.report}"


def target_names() -> list[str]:
    """Return the names of all targets, in alphabetical order."""
    return sorted(path.stem for path in (FOLDER / "targets").glob("[a-z]*.py"))


def target(name: str) -> Target:
    """Return the target with this name."""
    package = import_module("tests.fuzz.targets")
    if further := os.environ.get("NLIPROBE_FUZZ_TARGETS"):
        package.__path__ = [*package.__path__, further]
    made = import_module(f"tests.fuzz.targets.{name}").TARGET
    assert isinstance(made, Target)
    assert made.name == name, f"the target in {name}.py calls itself {made.name}"
    return made


def mutations(name: str, seed: int, numbers: range) -> Iterator[Failure | None]:
    """Run a target on mutated seeds; yield a failure or None per input."""
    return _in_processes(_Work(name, numbers, f"{seed}/{name}"))


def replays(name: str, inputs: Sequence[bytes]) -> Iterator[Failure | None]:
    """Run a target on given inputs, and on its seeds before; yield a failure or None per given input."""
    return _in_processes(_Work(name, range(len(inputs)), inputs=tuple(inputs)))


def found_inputs(name: str) -> dict[str, bytes]:
    """Return the inputs of earlier failures of a target, by the names of their files."""
    return {path.name: path.read_bytes() for path in sorted((FOUND / name).glob("*")) if path.is_file()}


@dataclass(frozen=True)
class _Work:
    """What one process does: inputs are drawn by their numbers, or given."""

    name: str
    numbers: range
    source: str = ""
    inputs: tuple[bytes, ...] | None = None

    def data(self, seeds: Sequence[bytes], number: int) -> bytes:
        return mutated(seeds, self.source, number) if self.inputs is None else self.inputs[number]

    def part(self, numbers: range) -> _Work:
        return _Work(self.name, numbers, self.source, self.inputs)


def _in_processes(work: _Work) -> Iterator[Failure | None]:
    left = work.numbers
    while left:
        done = 0
        for outcome in _in_process(work.part(left[:_INPUTS_PER_PROCESS])):
            done += 1
            yield outcome
        left = left[done:]


def _in_process(work: _Work) -> Iterator[Failure | None]:
    """Yield the outcomes of inputs up to and including one that kills the process."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    with tempfile.NamedTemporaryFile(suffix=".log") as log:
        process = context.Process(target=_work, args=(work, theirs, log.name), daemon=True)
        process.start()
        theirs.close()
        try:
            if isinstance(_answer(ours, process, _START_SECONDS), Ended):
                report = _ended(process, log.name)
                raise RuntimeError(f"The seeds of the fuzz target {work.name} do not run:\n{report}")
            for number in work.numbers:
                outcome = _answer(ours, process, LIMIT_SECONDS)
                if isinstance(outcome, Ended):
                    data = work.data(target(work.name).seeds(), number)
                    yield Failure(work.name, data, outcome.kind, _ended(process, log.name))
                    return
                yield outcome
                if outcome is not None and outcome.kind == TOO_MUCH:
                    return  # its peak stays its peak
        finally:
            ours.close()
            if process.is_alive():
                process.kill()
            process.join()


@dataclass(frozen=True)
class Ended:
    """No answer came: the process died, or it takes too long or too much."""

    kind: str


def _answer(
    connection: Connection, process: multiprocessing.process.BaseProcess, seconds: float
) -> Failure | Ended | None:
    begun, worked, held = time.monotonic(), _processor_time(process), _memory(process)
    while not connection.poll(_LOOK_SECONDS):
        waited = time.monotonic() - begun
        if _processor_time(process) - worked > seconds or waited > _PATIENCE * seconds:
            return Ended(f"more than {seconds:g} s")
        if _memory(process) - held > LIMIT_BYTES:
            return Ended(TOO_MUCH)
    try:
        answer: Failure | None = connection.recv()
    except (EOFError, ConnectionError):
        return Ended("the process died")
    return answer


def _processor_time(process: multiprocessing.process.BaseProcess) -> float:
    """Return the seconds that a process has worked; elsewhere than on Linux, the time of the clock."""
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(process: multiprocessing.process.BaseProcess) -> int:
    """Return the bytes that a process holds in memory; elsewhere than on Linux this is not known."""
    try:
        pages = Path(f"/proc/{process.pid}/statm").read_text(encoding="utf-8").split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _memory_disk() -> str | None:
    """Return a folder in memory, where there is one: inputs are written and removed a hundred thousand times."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _ended(process: multiprocessing.process.BaseProcess, log: str) -> str:
    """End a process that may hang; return where it was, which it writes when it is aborted."""
    if process.is_alive() and process.pid:
        os.kill(process.pid, signal.SIGABRT)
    process.join(10)
    return f"exit code {process.exitcode}\n" + Path(log).read_text(encoding="utf-8", errors="replace")[-4000:]


def _work(work: _Work, connection: Connection, log: str) -> None:
    """Run the inputs of a process; send None or a failure after each."""
    stream = Path(log).open("w", encoding="utf-8")  # noqa: SIM115 (the interpreter writes into it when it dies)
    faulthandler.enable(stream)
    os.dup2(stream.fileno(), sys.stderr.fileno())
    job = target(work.name)
    with tempfile.TemporaryDirectory(dir=_memory_disk()) as place:
        os.chdir(place)
        seeds = job.seeds()
        assert seeds, f"the target {work.name} has no seeds"
        for number, data in enumerate(seeds):
            failure = _outcome(job, data, Path(place, f"seed-{number}"))
            assert failure is None, f"seed {number} fails: {failure}"
        connection.send(None)
        peak = _peak()
        for number in work.numbers:
            data = work.data(seeds, number)
            outcome = _outcome(job, data, Path(place, f"input-{number}"))
            if outcome is None and _peak() - peak > LIMIT_BYTES:
                outcome = Failure(job.name, data, TOO_MUCH, "")
            connection.send(outcome)


def _outcome(job: Target, data: bytes, folder: Path) -> Failure | None:
    import shutil

    folder.mkdir()
    try:
        job.run(data, folder)
    except NliprobeError:
        return None
    except Exception as error:
        places = [frame for frame in traceback.extract_tb(error.__traceback__) if "nliprobe" in frame.filename]
        place = f" in {Path(places[-1].filename).name}:{places[-1].name}" if places else ""
        report = "".join(traceback.format_exception(error)).replace(str(folder), "…")
        return Failure(job.name, data, f"{type(error).__name__}{place}", report[-4000:])
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return None


def _peak() -> int:
    """Return the most bytes that this process has held in memory; where this is not known, 0."""
    try:
        import resource
    except ImportError:
        return 0
    # Kilobytes, but bytes on a Mac.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
