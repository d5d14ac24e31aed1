"""A thread beside the model's: the same results with it and without, errors that surface, nothing left running."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.engine.fakes import Hasher, folder, suite, system

from nliprobe.base.errors import StoreError
from nliprobe.engine.local import Beside, Stopped, execute
from nliprobe.engine.steps import RunTally
from nliprobe.models.system import System
from nliprobe.probes.suite import Suite
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Input, Prediction
from nliprobe.task.source import PairSource, Pool


def go(path: Path, *systems: System, overlap: bool = True, size: int = 20) -> RunTally:
    run = RunFolder.open(path) if path.exists() else folder(path, *systems)
    return execute(run, suite(), systems, lambda made: None, shard_size=size, overlap=overlap)


def files(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*.parquet")}


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("nliprobe-beside")]


@pytest.mark.parametrize("size", [7, 20, 1000])
@pytest.mark.parametrize("version", ["1", None])
def test_overlap_changes_nothing_in_the_folder(
    tmp_path: Path, size: int, version: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tallies, asked = [], []
    for overlap in (True, False):
        monkeypatch.setenv("NLIPROBE_CACHE", str(tmp_path / f"cache-{overlap}"))
        models = [Hasher(version), Hasher(version)]
        pair = system(models[0], "fake?name=a"), system(models[1], "fake?premise=none&name=b")
        tallies.append(go(tmp_path / str(overlap), *pair, overlap=overlap, size=size))
        asked.append([model.asked for model in models])
    assert asked[0] == asked[1]
    assert tallies[0] == tallies[1]
    assert files(tmp_path / "True") == files(tmp_path / "False")
    assert threads() == []


def test_the_next_shard_is_prepared_while_the_model_answers(tmp_path: Path) -> None:
    run_path = tmp_path / "run"

    class Waiting(Hasher):
        """Answers only when the cases of the next shard are written, as they are by the other thread."""

        batch = 1000

        def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
            number = len(list((run_path / "cases").glob("*.parquet")))
            deadline = time.monotonic() + 20
            if not self.asked:
                while number < 2:
                    assert time.monotonic() < deadline
                    time.sleep(0.005)
                    number = len(list((run_path / "cases").glob("*.parquet")))
                time.sleep(0.05)
                assert len(list((run_path / "cases").glob("*.parquet"))) == 2, "one shard ahead, not more"
            return super().predict(inputs)

    assert go(run_path, system(Waiting(None)), size=20).shards > 3


class Broken(Suite):
    """A suite whose cases break off."""

    def items(self, source: PairSource, pool: Pool | None) -> Iterator[tuple[str, object]]:  # type: ignore[override]
        for place, item in enumerate(super().items(source, pool)):
            if place == 50:
                raise ZeroDivisionError("in the probe")
            yield item


def test_an_error_beside_the_model_surfaces_with_its_traceback(tmp_path: Path) -> None:
    item = system(Hasher())
    whole = suite()
    broken = Broken(whole.sources, whole.probes)
    with pytest.raises(ZeroDivisionError, match="in the probe") as caught:
        execute(folder(tmp_path / "run", item), broken, [item], lambda made: None, shard_size=20)  # type: ignore[arg-type]
    assert any(entry.name == "items" for entry in caught.traceback)
    assert threads() == []
    assert RunFolder.open(tmp_path / "run").has(f"predictions/{item.folder}", 1, 20), "what was answered is written"


def test_an_error_while_writing_surfaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    item = system(Hasher())
    run = folder(tmp_path / "run", item)
    write = RunFolder.write

    def fail(self: RunFolder, kind: str, number: int, frame: object) -> None:
        if kind.startswith("predictions") and number == 1:
            raise StoreError("No space left.")
        write(self, kind, number, frame)  # type: ignore[arg-type]

    monkeypatch.setattr(RunFolder, "write", fail)
    with pytest.raises(StoreError, match="No space left"):
        execute(run, suite(), [item], lambda made: None, shard_size=20)
    assert threads() == []


@pytest.mark.parametrize("overlap", [True, False])
def test_a_model_that_stops_the_run_leaves_the_shards_before_written(tmp_path: Path, overlap: bool) -> None:
    class Dies(Hasher):
        def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
            if len(self.asked) > 40:
                raise KeyboardInterrupt
            return super().predict(inputs)

    item = system(Dies(None))
    with pytest.raises(KeyboardInterrupt):
        go(tmp_path / "run", item, overlap=overlap)
    assert RunFolder.open(tmp_path / "run").has(f"predictions/{item.folder}", 0, 20)
    assert threads() == []


def test_beside_breaks_off_what_is_watched_and_finishes_the_rest() -> None:
    done: list[str] = []
    started = threading.Event()

    def endless() -> None:
        def numbers() -> Iterator[int]:
            while True:
                started.set()
                yield 0

        for _ in beside.watch(numbers()):
            pass

    with Beside() as beside:
        watched = beside.hand_over(endless)
        beside.hand_over(lambda: done.append("written"))
        assert started.wait(20)
    assert isinstance(watched.exception(), Stopped)
    assert done == ["written"]
    assert threads() == []
