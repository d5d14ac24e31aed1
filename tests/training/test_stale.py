"""Nothing stale: retrained weights get no old answers, and another encoder no old training."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.training.watching import Breaks, Notes

from nliprobe.api.remote_job import main
from nliprobe.api.resolve import Request
from nliprobe.api.run import run
from nliprobe.api.train import TrainRequest, train
from nliprobe.base.errors import StoreError
from nliprobe.models.trained import WEIGHTS
from nliprobe.models.trained_record import TrainedRecord
from nliprobe.training.state import CHECKPOINT

torch = pytest.importorskip("torch", reason="the [torch] extra is not installed")
transformers = pytest.importorskip("transformers", reason="the [torch] extra is not installed")

NETWORKS = ["classifier", "tabattn"]


def other_weights(folder: Path, seed: int) -> None:
    """Write other weights of the same size into a checkpoint, as retraining does."""
    file = folder / "model.safetensors"
    size = file.stat().st_size
    torch.manual_seed(seed)
    transformers.BertModel(transformers.AutoConfig.from_pretrained(folder)).save_pretrained(folder)
    assert file.stat().st_size == size


@pytest.fixture
def own_encoder(encoder: Path, tmp_path: Path) -> Path:
    shutil.copytree(encoder, tmp_path / "encoder")
    return tmp_path / "encoder"


def request(encoder: Path, network: str = "classifier") -> TrainRequest:
    spec = f"{network}?encoder={encoder}&epochs=1&lr=1e-3&batch=8&max_length=64&device=cpu"
    return TrainRequest(spec, ["builtin/tables-train?limit=18"], ["builtin/tables-dev?limit=18"])


@pytest.mark.parametrize("network", NETWORKS)
def test_another_encoder_at_the_same_path_is_another_training(network: str, own_encoder: Path, tmp_path: Path) -> None:
    [first] = train(request(own_encoder, network), tmp_path / "out", Notes())
    assert "model.safetensors" in (TrainedRecord.read(first.folder).made_from or {})
    [again] = train(request(own_encoder, network), tmp_path / "out", Notes())
    assert again.result is None, "it is trained already"
    other_weights(own_encoder, 7)
    with pytest.raises(StoreError, match=r"what it started from changed since \(model.safetensors\).*another folder"):
        train(request(own_encoder, network), tmp_path / "out", Notes())
    [new] = train(request(own_encoder, network), tmp_path / "new", Notes())
    assert (new.folder / WEIGHTS).read_bytes() != (first.folder / WEIGHTS).read_bytes()


def test_the_state_of_a_training_is_not_given_to_another_encoder(
    own_encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nliprobe.training.trainer.SECONDS_BETWEEN_STATES", -1.0)
    with pytest.raises(RuntimeError, match="crash"):
        train(request(own_encoder), tmp_path / "out", Breaks(2))
    state = tmp_path / "out/seed-0" / CHECKPOINT
    before = state.read_bytes()
    other_weights(own_encoder, 7)
    with pytest.raises(StoreError, match="another training that was not finished: its network, encoder, data or"):
        train(request(own_encoder), tmp_path / "out", Notes())
    assert state.read_bytes() == before, "it is left as it was"
    other_weights(own_encoder, 0)


def test_a_model_that_does_not_say_what_it_started_from_is_not_taken_for_finished(
    own_encoder: Path, tmp_path: Path
) -> None:
    [first] = train(request(own_encoder), tmp_path / "out", Notes())
    record = TrainedRecord.read(first.folder)
    TrainedRecord(**{**vars(record), "made_from": None}).write(first.folder)
    with pytest.raises(StoreError, match="did not say from which encoder"):
        train(request(own_encoder), tmp_path / "out", Notes())


@pytest.mark.parametrize("weights", ["model.safetensors", "pytorch_model.bin"])
def test_retrained_weights_are_asked_anew(weights: str, own_encoder: Path, tmp_path: Path) -> None:
    def retrain(seed: int) -> None:
        torch.manual_seed(seed)
        config = transformers.AutoConfig.from_pretrained(
            own_encoder, num_labels=3, id2label={0: "entailment", 1: "neutral", 2: "contradiction"}
        )
        model = transformers.BertForSequenceClassification(config)
        model.save_pretrained(own_encoder)
        if weights.endswith(".bin"):
            (own_encoder / "model.safetensors").unlink()
            torch.save(model.state_dict(), own_encoder / weights)

    def answers(out: Path) -> list[float]:
        system = f"transformers:{own_encoder}?device=cpu&allow_bin=1&name=m"
        result = run(Request(["builtin/sentences-dev?limit=12"], [system], labels=LABELS), out)
        assert result.tally is not None
        asked.append(result.tally.asked["m"])
        return list(result.run.predictions("m")["p_e"])

    asked: list[int] = []
    retrain(1)
    first = answers(tmp_path / "one")
    assert answers(tmp_path / "two") == first
    retrain(2)
    second = answers(tmp_path / "three")
    assert first != second
    assert asked == [12, 0, 12]
    with pytest.raises(StoreError, match=rf"{weights} changed since the run was begun"):
        answers(tmp_path / "one")


LABELS = "entailment,neutral,contradiction"


def test_a_job_does_not_report_what_an_earlier_one_did(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "x-0.result.json").write_text('{"system": "x", "seed": 0}')
    (tmp_path / "a-0.jsonl.gz").write_bytes(b"answers of an earlier job")
    (tmp_path / "plan.json").write_text(
        '{"root": ".", "systems": [{"name": "x", "network": "classifier", "train": ["builtin/tables-train"],'
        ' "dev": ["builtin/tables-dev"], "represent": "para", "seeds": [0],'
        ' "ask": [{"name": "a", "on": ["builtin/tables-dev"]}]}]}'
    )
    assert main([str(tmp_path / "plan.json"), str(tmp_path), str(tmp_path / "work")]) == 1
    assert '"results": []' in (tmp_path / "results.json").read_text()
    assert not (tmp_path / "a-0.jsonl.gz").exists()
