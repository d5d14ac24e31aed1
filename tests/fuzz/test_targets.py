"""Every fuzz target withstands a few hundred drawn inputs, and all inputs that once failed; ``make fuzz`` runs more."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.fuzz import harness
from tests.fuzz.harness import FOUND, found_inputs, mutations, replays, target_names
from tests.fuzz.mutate import LONGEST, mutated

pytestmark = pytest.mark.faults

# Starting a process costs more than these inputs.
INPUTS_PER_TARGET = 25


@pytest.mark.parametrize("name", target_names())
def test_target_withstands_drawn_inputs_and_those_that_once_failed(name: str) -> None:
    failures = [failure for failure in mutations(name, 0, range(INPUTS_PER_TARGET)) if failure]
    kept = found_inputs(name)
    if kept:
        failures += [failure for failure in replays(name, list(kept.values())) if failure]
    assert not failures, "\n\n".join(map(str, failures))


def test_every_folder_of_found_inputs_belongs_to_a_target() -> None:
    assert {path.name for path in FOUND.iterdir() if path.is_dir()} <= set(target_names())


BAD_TARGET = """
import os, time
from tests.fuzz.harness import Target
from nliprobe.base.errors import DataError

def run(data, folder):
    if data == b"refused":
        raise DataError("It is a sentence.")
    if data == b"traceback":
        raise KeyError("x")
    if data == b"hang":
        while True: pass
    if data == b"death":
        os._exit(3)
    if data == b"memory":
        held = bytearray(b"x") * (1 << 28)
        time.sleep(60)  # costs no time of the processor, so that it is the memory that is noticed

TARGET = Target("bad", lambda: [b"good"], run)
"""


def test_everything_but_a_sentence_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The package of the targets also looks into this folder, here and in the processes that are started.
    (tmp_path / "bad.py").write_text(BAD_TARGET, encoding="utf-8")
    monkeypatch.setenv("NLIPROBE_FUZZ_TARGETS", str(tmp_path))
    monkeypatch.setattr(harness, "LIMIT_SECONDS", 4.0)
    # To fill a gigabyte takes longer than that on a slow machine.
    monkeypatch.setattr(harness, "LIMIT_BYTES", 1 << 27)
    inputs = [b"good", b"refused", b"traceback", b"hang", b"good", b"death", b"memory", b"good"]
    kinds = [failure and failure.kind.partition(" in ")[0] for failure in replays("bad", inputs)]
    slow, dead, large = "more than 4 s", "the process died", "more than 1 GB"
    assert kinds == [None, None, "KeyError", slow, None, dead, large, None]


def test_inputs_are_the_same_in_every_process() -> None:
    seeds = [b"premise,hypothesis,label\na,b,entailment\n", b'{"premise": "a"}']
    first = [mutated(seeds, "1/x", number) for number in range(200)]
    assert first == [mutated(seeds, "1/x", number) for number in range(200)]
    assert len(set(first)) > 190
    assert max(map(len, first)) <= LONGEST
