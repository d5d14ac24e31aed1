"""The questions that are open at the same time, and the division of CPUs among workers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.fakes import Hasher, system

from nliprobe.base.errors import UsageError
from nliprobe.engine.ask import Answers, Failures
from nliprobe.engine.on_ray.connect import Node, Seats, environment, seats
from nliprobe.engine.on_ray.floor import Floor, Open, kept
from nliprobe.engine.stages import Question
from nliprobe.engine.steps import Desk
from nliprobe.models.failures import failed
from nliprobe.store.cache import AnswerCache
from nliprobe.task.case import Input, Prediction, Status
from nliprobe.task.labels import SETS


def desk(folder: Path | None) -> Desk:
    return Desk(system(Hasher()), "predictions/x", None if folder is None else AnswerCache(folder), None, Failures())


def question(shard: int, ids: list[str]) -> Question:
    return Question(shard, [f"case {name}" for name in ids], ids, {}, [Input(name, (), "") for name in ids])


@given(
    shards=st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1), min_size=1, max_size=6),
    data=st.data(),
    cached=st.booleans(),
)
def test_floor_completes_every_question_and_asks_no_cached_input_twice(
    tmp_path_factory: pytest.TempPathFactory, shards: list[list[str]], data: st.DataObject, cached: bool
) -> None:
    asked_desk = desk(tmp_path_factory.getbasetemp() / "none" if cached else None)
    floor = Floor()
    waiting: list[tuple[Open, Input]] = []
    cache: Answers = {}
    complete: dict[int, Answers] = {}
    good: Counter[str] = Counter()
    looked_up = 0

    def settle(entry: Open) -> None:
        cache.update({name: item for name, item in entry.answers.items() if item.status is Status.OK})
        known = floor.close(entry, looked_up).known
        complete[entry.question.shard] = {**known, **entry.answers}

    pending: list[Question] = []
    while looked_up < len(shards) or pending or waiting:
        choices = [
            *(["look up"] if looked_up < len(shards) and not pending else []),
            *(["admit"] if pending else []),
            *(["answer"] if waiting else []),
        ]
        step = data.draw(st.sampled_from(choices))
        if step == "look up":
            # At most one question is looked up ahead, and what was complete by then is in the cache.
            new = question(looked_up, shards[looked_up])
            known = {item.id: cache[item.id] for item in new.missing if cached and item.id in cache}
            pending.append(new._replace(known=known, missing=[item for item in new.missing if item.id not in known]))
            looked_up += 1
        elif step == "admit":
            entry = floor.admit(asked_desk, pending.pop(), looked_up)
            waiting.extend((entry, item) for item in entry.asked)
            if entry.complete:
                settle(entry)
        else:
            entry, item = waiting.pop(data.draw(st.integers(0, len(waiting) - 1)))
            answer = Prediction(SETS[1]) if data.draw(st.booleans()) else failed("no")
            good[item.id] += answer.status is Status.OK
            assert floor.of("fake", entry.question.shard) is entry
            taken = floor.take(entry, {item.id: answer})
            waiting.extend((other, again) for other, items in taken.again for again in items)
            for other in taken.complete:
                settle(other)
    assert not len(floor)
    assert floor.front is None
    for number, ids in enumerate(shards):
        assert set(complete[number]) == set(ids)
    if cached:
        assert all(times == 1 for name, times in good.items() if times), "a good answer is not asked for again"
    else:
        assert sum(good.values()) <= sum(map(len, shards))


def test_kept_hands_out_each_answer_once_and_no_failure(tmp_path: Path) -> None:
    floor = Floor()
    entry = floor.admit(desk(tmp_path), question(0, ["a", "b", "c"]), 1)
    floor.take(entry, {"a": Prediction(SETS[1]), "b": failed("no")})
    assert [(item, set(answers)) for item, answers in kept(floor)] == [(entry, {"a"})]
    assert kept(floor) == []
    assert not entry.complete
    assert (entry.inputs, entry.known) == (3, 2)
    assert floor.of("fake", 7) is None


@pytest.mark.parametrize(
    ("nodes", "workers", "gpus", "expected"),
    [
        ([Node(2, 0)], None, 0, Seats(1, 2)),
        ([Node(16, 0)], None, 0, Seats(4, 4)),
        ([Node(0, 0), Node(16, 0), Node(2, 0)], None, 0, Seats(5, 3)),
        ([Node(2, 0)], 2, 0, Seats(2, 1)),
        ([Node(2, 0), Node(4, 0)], 2, 0, Seats(2, 2)),
        ([Node(3, 0), Node(3, 0)], 2, 0, Seats(2, 3)),
        ([Node(16, 4), Node(8, 0)], None, 1, Seats(4, 4)),
        ([Node(16, 1)], None, 0.5, Seats(2, 8)),
    ],
)
def test_seats_divide_cpus_so_that_all_workers_fit(
    nodes: list[Node], workers: int | None, gpus: float, expected: Seats
) -> None:
    assert seats(nodes, workers, gpus) == expected


def test_seats_refuse_what_does_not_fit() -> None:
    with pytest.raises(UsageError, match=r"5 workers do not fit .* 1 node with 4 CPUs and 0 GPUs .* at most 4"):
        seats([Node(4, 0)], 5, 0)
    with pytest.raises(UsageError, match="No node of the cluster has 1 GPU and 1 CPU"):
        seats([Node(4, 0)], None, 1)


def test_environment_passes_on_what_models_need_and_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLIPROBE_DATA", "/data")
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    passed = environment(3)
    assert (passed["NLIPROBE_DATA"], passed["OMP_NUM_THREADS"]) == ("/data", "3")
    assert "OPENAI_API_KEY" not in passed
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert {environment(3)[name] for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS")} == {"1"}
