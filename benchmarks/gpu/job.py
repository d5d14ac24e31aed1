"""Carry out plans on the GPU machine within a time limit, and pack the answers into a few files of limited size.

``python3 benchmarks/gpu/job.py OUT SECONDS PLAN.json …`` unpacks ``carry/corpora.tar.xz``, trains and asks what the
plans list, and writes ``OUT/answers-0.tar``, ``OUT/answers-1.tar`` … with whatever was answered when the time was over.
Trainings that were interrupted go on if the same command is given again on the same machine.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

LARGEST = 15 << 20
COMMAND = (sys.executable, "-m", "nliprobe.api.remote_job")
# Ignored by git and not carried: what is here stays between two commands on the same machine.
WORK = Path("runs/gpu")


def run(plan: Path, seconds: float) -> int:
    """Carry out one plan; the group of processes ends when the time is over."""
    answers = WORK / plan.stem / "answers"
    answers.mkdir(parents=True, exist_ok=True)
    command = [*COMMAND, str(plan), str(answers), str(WORK / plan.stem)]
    # Each of many trainings would otherwise start a thread per core.
    variables = {"OMP_NUM_THREADS": "1", "RAYON_NUM_THREADS": "2"}
    environment = {**os.environ, **variables, "PYTHONPATH": "src", "PYTHONUNBUFFERED": "1", "NLIPROBE_DATA": "carry"}
    with subprocess.Popen(command, env=environment, start_new_session=True) as process:
        try:
            return process.wait(max(seconds, 1))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            print(f"{plan}: stopped after {seconds:.0f} s", flush=True)
            return 1


@contextmanager
def shared_gpu() -> Iterator[None]:
    """Let the kernels of several processes run at once, where NVIDIA's service for that is installed.

    Eight trainings of recurrent networks side by side then take about a quarter longer than one alone.
    """
    control = shutil.which("nvidia-cuda-mps-control")
    if control is None:
        yield
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"CUDA_MPS_PIPE_DIRECTORY": folder, "CUDA_MPS_LOG_DIRECTORY": folder}
        started = subprocess.run([control, "-d"], check=False).returncode == 0
        try:
            yield
        finally:
            if started:
                subprocess.run([control], input=b"quit\n", check=False)


def in_pieces(files: Sequence[Path]) -> Iterator[Path]:
    """Yield files, one that is larger than an archive may be as pieces of it: name.00, name.01 and so on."""
    for path in files:
        if path.stat().st_size <= LARGEST - 4096:
            yield path
            continue
        with path.open("rb") as stream:
            for number in range(100):
                content = stream.read(LARGEST - 4096)
                if not content:
                    break
                piece = path.with_name(f"{path.name}.{number:02}")
                piece.write_bytes(content)
                yield piece


def pack(files: Sequence[Path], out: Path) -> None:
    """Write files into as few archives as the limit on their size allows."""
    shelves: list[list[Path]] = []
    room: list[int] = []
    for path in sorted(files, key=lambda path: -path.stat().st_size):
        size = path.stat().st_size + 2048
        place = next((index for index, left in enumerate(room) if left >= size), len(shelves))
        if place == len(shelves):
            shelves.append([])
            room.append(LARGEST)
        shelves[place].append(path)
        room[place] -= size
    for number, shelf in enumerate(shelves):
        with tarfile.open(out / f"answers-{number}.tar", "w") as archive:
            for path in shelf:
                archive.add(path, f"{path.parents[1].name}/{path.name}")


def main(out: Path, seconds: float, plans: Sequence[Path]) -> int:
    """Carry out the plans one after the other, and pack what they answered."""
    start = time.monotonic()
    with tarfile.open("carry/corpora.tar.xz") as archive:
        archive.extractall("carry", filter="data")
    with shared_gpu():
        failed = sum(run(plan, seconds - (time.monotonic() - start)) != 0 for plan in plans)
    answered = [path for plan in plans for path in (WORK / plan.stem / "answers").iterdir() if path.suffix != ".part"]
    pack(list(in_pieces(answered)), out)
    print(f"{len(answered)} files, {failed} plans not complete, {time.monotonic() - start:.0f} s", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), float(sys.argv[2]), [Path(name) for name in sys.argv[3:]]))
