"""Every fuzz target withstands a few hundred drawn inputs, and all inputs that once failed; ``make fuzz`` runs more."""

from __future__ import annotations

import pytest
from tests.fuzz.harness import FOUND, found_inputs, mutations, replays, target_names
from tests.fuzz.mutate import LONGEST, mutated

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


def test_inputs_are_the_same_in_every_process() -> None:
    seeds = [b"premise,hypothesis,label\na,b,entailment\n", b'{"premise": "a"}']
    first = [mutated(seeds, "1/x", number) for number in range(200)]
    assert first == [mutated(seeds, "1/x", number) for number in range(200)]
    assert len(set(first)) > 190
    assert max(map(len, first)) <= LONGEST
