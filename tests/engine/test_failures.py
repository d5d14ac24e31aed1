"""Inputs that fail: told apart from the others, kept in the run, never in the cache, asked again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.fakes import Hasher, folder, suite, system

from nliprobe.base.errors import ModelError, NotFoundError
from nliprobe.engine.ask import FAILURES_IN_A_ROW, Failures, ask, ask_known, open_cache
from nliprobe.engine.doctor.examine import examine
from nliprobe.engine.doctor.interview import Interview
from nliprobe.engine.local import execute
from nliprobe.engine.stages import count_failed
from nliprobe.engine.steps import RunTally
from nliprobe.models.failures import InputsFailed
from nliprobe.models.system import System
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Input, Prediction, Status
from nliprobe.task.labels import LabelSet

INPUTS = [Input(f"{n:032x}", ("p",), f"hypothesis {n}") for n in range(200)]


class Picky(Hasher):
    """Cannot answer the inputs that ``bad`` picks; how it fails is chosen by ``way``."""

    def __init__(self, bad: Callable[[Input], bool], way: str = "raises", version: str | None = "1") -> None:
        super().__init__(version)
        self.bad = bad
        self.way = way
        self.calls = 0

    def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
        self.calls += 1
        good = list(super().predict(inputs))
        places = [place for place, item in enumerate(inputs) if self.bad(item)]
        if not places:
            return good
        if self.way == "raises":
            raise ValueError(f"cannot read '{inputs[places[0]].hypothesis}'\nsecond line")
        if self.way == "inputs failed":
            raise InputsFailed("the service is busy.")
        for place in places:
            good[place] = {
                "nan": Prediction(LabelSet.of("E"), (float("nan"), 0.5, 0.5)),
                "labelled": Prediction(LabelSet.of("E"), status=Status.FAILED),
                "says so": Prediction(None, None, Status.FAILED, "no tokens left"),
            }[self.way]
        return good


def put(model: Hasher, inputs: Sequence[Input] = INPUTS, failures: Failures | None = None) -> dict[str, Prediction]:
    return ask(system(model), inputs, None, lambda count: None, failures or Failures()).answers


@pytest.mark.parametrize("way", ["raises", "inputs failed", "nan", "labelled", "says so"])
@given(bad=st.sets(st.integers(0, 199), max_size=19), batch=st.sampled_from([1, 7, 64, 1000]))
def test_ask_fails_exactly_the_inputs_that_fail(way: str, bad: set[int], batch: int) -> None:
    model = Picky(lambda item: int(item.id, 16) in bad, way)
    model.batch = batch  # type: ignore[misc]
    answers = put(model)
    expected = put(Hasher())
    assert {int(name, 16) for name, answer in answers.items() if answer.status is Status.FAILED} == bad
    assert all(answers[name] == expected[name] for name in answers if int(name, 16) not in bad)
    assert all(answers[f"{n:032x}"].raw for n in bad)


def test_ask_says_why_an_input_failed() -> None:
    answers = put(Picky(lambda item: item.hypothesis == "hypothesis 7"))
    assert answers[INPUTS[7].id] == Prediction(None, None, Status.FAILED, "ValueError: cannot read 'hypothesis 7'")
    answers = put(Picky(lambda item: item.hypothesis == "hypothesis 7", "nan"))
    assert "not probabilities" in (answers[INPUTS[7].id].raw or "")


def test_ask_stops_after_many_failures_in_a_row_and_keeps_the_answers() -> None:
    kept: dict[str, Prediction] = {}
    model = Picky(lambda item: int(item.id, 16) >= 100)
    with pytest.raises(ModelError, match=r"(?s)fake failed on 20 inputs in a row, 20 in all.*cannot read") as e:
        ask(system(model), INPUTS, kept.update, lambda count: None, Failures())
    assert "fix this and repeat the command to continue" in str(e.value)
    assert kept == put(Hasher(), INPUTS[:100])
    assert model.calls < 7 + 2 * 16 * 3


def test_ask_counts_failures_in_a_row_across_shards() -> None:
    failures = Failures()
    model = Picky(lambda item: True)
    put(model, INPUTS[: FAILURES_IN_A_ROW - 1], failures)
    put(Hasher(), INPUTS[:1], failures)
    assert failures == Failures(19, 0, "ValueError: cannot read 'hypothesis 0'")
    put(model, INPUTS[: FAILURES_IN_A_ROW - 1], failures)
    with pytest.raises(ModelError, match="20 inputs in a row, 39 in all"):
        put(model, INPUTS[:1], failures)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (TypeError("no"), r"fake failed: TypeError: no \(test_failures.py, line \d+\)\. This is a mistake in its code"),
        (NameError("x"), "NameError: x"),
        (AttributeError("y"), "AttributeError: y"),
        (ImportError("z"), "ImportError: z"),
        (AssertionError(), "AssertionError"),
        (NotFoundError("There is no checkpoint here."), "^There is no checkpoint here.$"),
        (ModelError("It has not been trained."), "^It has not been trained.$"),
    ],
)
def test_ask_stops_at_once_at_what_would_fail_every_input(error: Exception, message: str) -> None:
    class Wrong(Hasher):
        def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
            if len(self.asked) >= 32:
                raise error
            return super().predict(inputs)

    kept: dict[str, Prediction] = {}
    model = Wrong()
    with pytest.raises(type(error) if error.args and "There" in str(error) else ModelError, match=message):
        ask(system(model), INPUTS, kept.update, lambda count: None, Failures())
    assert len(model.asked) == len(kept) == 32


def test_ask_takes_a_mistake_behind_an_adapter_for_one() -> None:
    class Wrapped(Hasher):
        def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
            try:
                return [Prediction(item.label) for item in inputs]  # type: ignore[attr-defined]
            except Exception as error:
                raise InputsFailed(f"The callable m:f failed with {type(error).__name__}: {error}.") from error

    with pytest.raises(ModelError, match=r"The callable m:f failed with AttributeError: .*mistake in its code"):
        put(Wrapped())


def go(path: Path, item: System, size: int = 20) -> RunTally:
    run = RunFolder.open(path) if path.exists() else folder(path, item)
    return execute(run, suite(), [item], lambda made: None, shard_size=size)


def rows(path: Path, item: System) -> dict[str, tuple[object, ...]]:
    return {row[0]: row[1:] for row in RunFolder.open(path).read(f"predictions/{item.folder}").rows()}


@pytest.mark.parametrize("version", ["1", None])
def test_failed_answers_are_kept_in_the_run_and_asked_again(tmp_path: Path, version: str | None) -> None:
    def bad(item: Input) -> bool:
        return int(item.id, 16) % 9 == 0

    item = system(Picky(bad, version=version))
    tally = go(tmp_path / "run", item)
    before = rows(tmp_path / "run", item)
    failed = {row[0] for row in before.values() if row[5] == "failed"}
    assert tally.failed["fake"] >= len(failed) > 3
    assert count_failed(RunFolder.open(tmp_path / "run"), f"predictions/{item.folder}") == len(failed)
    assert all(str(row[6]).startswith("ValueError") for row in before.values() if row[5] == "failed")

    still = Picky(lambda item: bad(item) and int(item.id, 16) % 2 == 0, version=version)
    again = go(tmp_path / "run", system(still))
    assert set(still.asked) == failed, "only what failed is asked again"
    assert 0 < again.failed["fake"] < tally.failed["fake"]

    good = Hasher(version)
    last = go(tmp_path / "run", system(good))
    assert set(good.asked) < failed
    assert last.failed["fake"] == 0
    clean = system(Hasher(None))
    go(tmp_path / "clean", clean)
    assert rows(tmp_path / "run", item) == rows(tmp_path / "clean", clean)
    free = Hasher(version)
    go(tmp_path / "run", system(free))
    assert free.asked == []


def test_failed_answers_are_never_cached(tmp_path: Path) -> None:
    bad = Picky(lambda item: int(item.id, 16) % 9 == 0)
    go(tmp_path / "a", system(bad))
    good = Hasher()
    go(tmp_path / "b", system(good))
    assert good.asked
    assert all(int(name, 16) % 9 == 0 for name in good.asked)
    cache = open_cache(system(bad))
    assert cache is not None
    ask_known(system(Picky(lambda item: True, version="2")), INPUTS[:3], cache, lambda made: None)
    assert cache.get([item.id for item in INPUTS[:3]]) == {}


def test_doctor_stops_at_a_model_that_mostly_fails() -> None:
    def examined(model: Hasher) -> str:
        return examine(Interview(system(model), None, lambda made: None)).status

    with pytest.raises(ModelError, match="failed on 20 inputs in a row"):
        examined(Picky(lambda item: True))
    with pytest.raises(ModelError, match=r"The doctor stops fake: it failed on \d+ of 30 pairs.*cannot read"):
        examined(Picky(lambda item: int(item.id, 16) % 4 != 0))
    assert examined(Picky(lambda item: int(item.id, 16) % 15 == 0)) in ("ok", "weak")
