from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.engine.fakes import Hasher, folder, suite, system

from nliprobe.base.errors import ModelError
from nliprobe.base.interrupts import ONE_PRESS, Interrupts
from nliprobe.engine.local import execute
from nliprobe.engine.steps import RunTally
from nliprobe.models.base import Model
from nliprobe.models.system import System
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import LabelSet


def nothing(item: System) -> None:
    pass


def go(path: Path, *systems: System, size: int = 20, probes: Sequence[str] = ()) -> RunTally:
    run = RunFolder.open(path) if path.exists() else folder(path, *systems)
    return execute(run, suite(*probes), list(systems), nothing, shard_size=size)


def answers(path: Path, item: System) -> dict[str, str]:
    run = RunFolder.open(path)
    frame = run.read(f"predictions/{item.folder}")
    assert frame["case_id"].n_unique() == frame.height
    assert set(frame["case_id"]) == set(run.read("cases")["case_id"])
    return dict(zip(frame["case_id"], frame["label"], strict=True))


def test_execute_asks_each_distinct_input_once(tmp_path: Path) -> None:
    model = Hasher()
    tally = go(tmp_path / "run", system(model))
    assert len(model.asked) == len(set(model.asked)) == tally.asked["fake"]
    assert tally.pairs == 36
    assert tally.cases == sum(RunFolder.open(tmp_path / "run").read("cases")["probe"].is_not_null())
    assert RunFolder.open(tmp_path / "run").read("pairs").height == 36


def test_execute_without_premise_asks_each_hypothesis_once(tmp_path: Path) -> None:
    model = Hasher()
    go(tmp_path / "run", system(model, "fake?premise=none"))
    assert len(model.asked) == 3


@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
def test_execute_answers_do_not_depend_on_the_shard_size(tmp_path: Path, size: int) -> None:
    first, second = system(Hasher(None)), system(Hasher(None))
    go(tmp_path / "a", first, size=20)
    go(tmp_path / "b", second, size=size)
    assert answers(tmp_path / "a", first) == answers(tmp_path / "b", second)


def test_execute_again_asks_nothing(tmp_path: Path) -> None:
    go(tmp_path / "a", system(Hasher()))
    same, other = Hasher(), Hasher()
    go(tmp_path / "a", system(same))
    go(tmp_path / "b", system(other))
    assert same.asked == other.asked == []
    unversioned = Hasher(None)
    go(tmp_path / "c", system(unversioned))
    assert unversioned.asked, "a model without a version is asked anew in a new folder"


def test_one_probe_more_asks_only_its_new_inputs(tmp_path: Path) -> None:
    first, second = Hasher(), Hasher()
    before = go(tmp_path / "before", system(first), probes=["gold"])
    after = go(tmp_path / "after", system(second), probes=["gold", "rows.delete"])
    assert after.cases > before.cases
    assert not set(first.asked) & set(second.asked)
    inputs = RunFolder.open(tmp_path / "after").read(f"predictions/{system(second).folder}")["input_id"]
    assert after.asked["fake"] == len(second.asked) == inputs.n_unique() - len(first.asked)
    assert after.reused["fake"] == len(first.asked)


def test_execute_recomputes_a_damaged_shard_and_a_damaged_cache(tmp_path: Path, own_cache: Path) -> None:
    item = system(Hasher())
    go(tmp_path / "a", item)
    before = answers(tmp_path / "a", item)
    shard = RunFolder.open(tmp_path / "a").shard(f"predictions/{item.folder}", 1)
    shard.write_bytes(b"torn")
    for path in own_cache.rglob("*.parquet"):
        path.write_bytes(path.read_bytes()[:30])
    model = Hasher()
    tally = go(tmp_path / "a", system(model))
    assert answers(tmp_path / "a", item) == before
    assert len(tally.damaged) > 0
    assert model.asked
    assert shard.with_name(shard.name + ".damaged").read_bytes() == b"torn"


class Faulty(Hasher):
    """A model that breaks in a chosen way at its third batch."""

    def __init__(self, fault: str) -> None:
        super().__init__()
        self.fault = fault
        self.batches = 0

    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        self.batches += 1
        good = list(super().predict(inputs))
        if self.batches < 3:
            return good
        if self.fault == "short":
            return good[:-1]
        if self.fault == "extra":
            return [*good, good[0]]
        if self.fault == "nan":
            return [Prediction(LabelSet.of("E"), (float("nan"), 0.5, 0.5)), *good[1:]]
        if self.fault == "interrupt":
            if self.batches == 3:
                os.kill(os.getpid(), signal.SIGINT)
            return good
        if self.fault == "two interrupts":
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(ONE_PRESS + 0.1)
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)
        raise ModelError("the model died.")


@pytest.mark.parametrize("fault", ["short", "extra", "dies"])
def test_execute_stops_at_a_faulty_model_and_keeps_what_was_answered(tmp_path: Path, fault: str) -> None:
    broken = Faulty(fault)
    with pytest.raises(ModelError):
        go(tmp_path / "run", system(broken), size=1000)
    model = Hasher()
    item = system(model)
    go(tmp_path / "run", item, size=1000)
    assert not set(model.asked) & set(broken.asked[:32]), "the first two batches were good and are kept"
    go(tmp_path / "clean", system(Hasher(None)), size=1000)
    assert answers(tmp_path / "run", item) == answers(tmp_path / "clean", system(Hasher(None)))


def test_first_interrupt_finishes_the_shard(tmp_path: Path) -> None:
    item = system(Faulty("interrupt"))
    tally = go(tmp_path / "run", item, size=100)
    assert tally.interrupted
    assert tally.shards == 1
    assert RunFolder.open(tmp_path / "run").has(f"predictions/{item.folder}", 0, 100)
    rest = system(Hasher())
    assert not go(tmp_path / "run", rest, size=100).interrupted
    clean = system(Hasher(None))
    go(tmp_path / "clean", clean, size=100)
    assert answers(tmp_path / "run", rest) == answers(tmp_path / "clean", clean)


def test_second_interrupt_stops_at_once_and_keeps_answers(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        go(tmp_path / "run", system(Faulty("two interrupts")), size=100)
    model = Hasher()
    go(tmp_path / "run", system(model), size=100)
    total = Hasher(None)
    go(tmp_path / "clean", system(total), size=100)
    assert len(model.asked) <= len(total.asked) - 32
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_swapped_premises_work_across_shards(tmp_path: Path) -> None:
    models = [Hasher(None), Hasher(None)]
    for model, size in zip(models, (7, 1000), strict=True):
        go(tmp_path / str(size), system(model, "fake?premise=swapped"), size=size, probes=["gold", "rows.delete"])
    first, second = (answers(tmp_path / str(size), system(Hasher(None), "fake?premise=swapped")) for size in (7, 1000))
    assert first == second


def test_models_are_prepared_only_when_they_must_answer(tmp_path: Path) -> None:
    prepared: list[str] = []
    item = system(Hasher())
    execute(folder(tmp_path / "a", item), suite(), [item], lambda s: prepared.append(s.name), shard_size=20)
    execute(folder(tmp_path / "b", item), suite(), [item], lambda s: prepared.append(s.name), shard_size=20)
    assert prepared == [item.name]


def test_all_fakes_are_models() -> None:
    assert issubclass(Faulty, Model)


def test_work_broken_off_by_the_first_interrupt_is_done_again() -> None:
    calls: list[int] = []

    def work() -> str:
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt  # as Polars does
        return "done"

    with Interrupts("the test") as interrupts:
        assert interrupts.through(work) == "done"
        assert interrupts.wanted
