"""Systems on their way to workers, without any cluster."""

from __future__ import annotations

from pathlib import Path

import pytest

from nliprobe.api.resolve import Request
from nliprobe.base.errors import ModelError, NotFoundError
from nliprobe.engine.ask import Failures
from nliprobe.engine.on_ray.parcel import Parcel, Piece, cut, pack, setting, unpack
from nliprobe.engine.on_ray.worker import Worker
from nliprobe.models.system import System
from nliprobe.task.case import Input, Prediction, input_id
from nliprobe.training.fit import make_ready

WORDS = ("all dogs sleep", "no dog sleeps", "some cats eat fish", "it rains")


def trained() -> System:
    request = Request(on=["builtin/sentences-dev"], systems=["svm"], train=["builtin/sentences-dev"])
    [system] = request.build_systems(request.training())
    make_ready(system, request.training())
    return system


def asked() -> list[Input]:
    return [Input(input_id(one, other), (one,), other) for one in WORDS for other in WORDS]


def ask(parcel: Parcel, worker: Worker, piece: Piece) -> dict[str, Prediction]:
    worker.open(piece.system, parcel)
    replies = list(worker.ask(piece, Failures()))
    if replies[-1].refusal is not None:
        raise replies[-1].refusal.error()
    return {name: answer for reply in replies for name, answer in reply.answers.items()}


def test_a_worker_answers_as_the_system_that_was_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    system, inputs = trained(), asked()
    expected = dict(zip([item.id for item in inputs], system.model.predict(inputs), strict=True))
    worker = Worker(setting([]))
    assert worker.meet().refusal is None
    pieces = cut("svm", 0, inputs, 5)
    assert [len(piece.inputs) for piece in pieces] == [5, 5, 5, 1]
    got = {name: answer for piece in pieces for name, answer in ask(pack(system), worker, piece).items()}
    assert got == expected


def test_a_worker_refuses_a_system_that_is_another_one_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    parcel = pack(trained())._replace(identity="another")
    with pytest.raises(ModelError, match=r"svm is another one on this node .* \(On "):
        ask(parcel, Worker(setting([])), Piece("svm", 0, tuple(asked())))
    with pytest.raises(ModelError, match="is another one on this node"):
        unpack(parcel)


def test_a_worker_refuses_another_version_and_a_folder_that_is_not_there(tmp_path: Path) -> None:
    here = setting([])
    refusals = [Worker(wrong).meet().refusal for wrong in (here._replace(version="9.9"), here._replace(folder="/none"))]
    assert refusals[0] is not None
    assert "started by nliprobe 9.9" in str(refusals[0].error())
    assert refusals[1] is not None
    assert isinstance(refusals[1].error(), NotFoundError)
    assert "/none, in which the run was started, does not exist" in str(refusals[1].error())
