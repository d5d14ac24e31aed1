"""Training tiny networks on the CPU; skipped where the [torch] extra is not installed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.training.watching import Breaks, Notes

from nliprobe.api.sources import open_source
from nliprobe.api.train import TrainRequest, train
from nliprobe.base.errors import DataError, NotFoundError, StoreError, UsageError
from nliprobe.base.registry import Spec
from nliprobe.models.system import System, SystemSpec
from nliprobe.models.trained import WEIGHTS, network_of
from nliprobe.task.case import Input
from nliprobe.task.pair import Pair
from nliprobe.training.state import CHECKPOINT

pytest.importorskip("torch", reason="the [torch] extra is not installed")
pytest.importorskip("transformers", reason="the [torch] extra is not installed")

NETWORKS = ["classifier", "tabattn"]
Ask = Callable[..., TrainRequest]


@pytest.fixture
def ask(encoder: Path) -> Ask:
    def make(
        network: str = "classifier",
        more: str = "",
        seeds: tuple[int, ...] = (0,),
        represent: str | None = None,
        premise: str = "full",
        dev: str = "builtin/tables-dev?limit=18",
    ) -> TrainRequest:
        spec = f"{network}?encoder={encoder}&epochs=2&lr=1e-3&batch=8&max_length=64&device=cpu{more}"
        return TrainRequest(spec, ["builtin/tables-train?limit=36"], [dev], represent, premise, seeds)

    return make


def system(folder: Path, more: str = "") -> System:
    return System.build(SystemSpec.parse(f"trained:{folder}?device=cpu{more}"))


@pytest.mark.parametrize("network", NETWORKS)
def test_a_trained_network_answers_from_its_folder(network: str, ask: Ask, tmp_path: Path) -> None:
    notes = Notes()
    [found] = train(ask(network), tmp_path, notes)
    assert found.folder == tmp_path / "seed-0"
    assert len(found.dev) == 2
    assert notes.steps == notes.total == 2 * 5, "36 pairs in batches of 8, twice"
    assert [line.split(":")[0] for line in notes.lines[1:]] == ["epoch 1", "epoch 2"]
    names = {path.name for path in found.folder.iterdir()}
    assert {"trained.json", "training.json", WEIGHTS} <= names
    assert not {path.suffix for path in found.folder.iterdir()} & {".pt", ".bin", ".pkl", ".partial"}
    assert CHECKPOINT not in names, "a finished training keeps no state"
    asked = system(found.folder)
    assert asked.spec.represent == {"classifier": "para", "tabattn": "keyvalue"}[network]
    pairs = list(open_source("builtin/tables-dev?limit=18").pairs())
    answers = asked.model.predict([asked.reader.read_pair(pair) for pair in pairs])
    right = sum(answer.label == pair.gold for answer, pair in zip(answers, pairs, strict=True))
    assert right / len(pairs) == pytest.approx(max(found.dev)), "the weights of the best epoch are kept"
    assert all(sum(share or 0 for share in answer.probabilities or ()) == pytest.approx(1) for answer in answers)
    assert list(asked.model.predict([])) == []
    assert system(found.folder).fingerprint() == asked.fingerprint()


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("after", [3, 5, 7])
def test_training_goes_on_where_it_was_broken_off(
    network: str, after: int, ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train(ask(network), tmp_path / "whole", Notes())
    monkeypatch.setattr("nliprobe.training.trainer.SECONDS_BETWEEN_STATES", -1.0)
    with pytest.raises(RuntimeError, match="crash"):
        train(ask(network), tmp_path / "broken", Breaks(after))
    assert (tmp_path / "broken/seed-0" / CHECKPOINT).is_file()
    notes = Notes()
    [found] = train(ask(network), tmp_path / "broken", notes)
    assert notes.before in (after - 1, after), "at most the step that crashed is repeated"
    assert notes.before + notes.steps == notes.total
    whole = (tmp_path / "whole/seed-0" / WEIGHTS).read_bytes()
    assert (found.folder / WEIGHTS).read_bytes() == whole, "as if nothing had happened"


def test_a_torn_state_is_set_aside_and_another_trainings_is_refused(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nliprobe.training.trainer.SECONDS_BETWEEN_STATES", -1.0)
    with pytest.raises(RuntimeError, match="crash"):
        train(ask(), tmp_path, Breaks(3))
    state = tmp_path / "seed-0" / CHECKPOINT
    with pytest.raises(StoreError, match="another training that was not finished"):
        train(ask(premise="none"), tmp_path, Notes())
    with pytest.raises(NotFoundError, match="has not finished an epoch: continue it"):
        system(tmp_path / "seed-0")
    state.write_bytes(state.read_bytes()[:1000])
    notes = Notes()
    train(ask(), tmp_path, notes)
    assert notes.before == 0
    assert state.with_name(CHECKPOINT + ".damaged").is_file()


def test_seeds_are_other_models_and_are_trained_once(ask: Ask, tmp_path: Path) -> None:
    first = train(ask(seeds=(0, 1)), tmp_path, Notes())
    weights = [(item.folder / WEIGHTS).read_bytes() for item in first]
    assert weights[0] != weights[1]
    notes = Notes()
    again = train(ask(seeds=(0, 1)), tmp_path, notes)
    assert notes.steps == 0
    assert [item.dev for item in again] == [item.dev for item in first]
    with pytest.raises(StoreError, match="holds another trained model"):
        train(ask(represent="struct"), tmp_path, Notes())


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("premise", ["none", "dummy", "swapped"])
def test_premise_controls_at_training_and_at_evaluation(network: str, premise: str, ask: Ask, tmp_path: Path) -> None:
    # A table and its twin are one group, and swapping needs two.
    [found] = train(ask(network, premise=premise, dev="builtin/tables-dev?limit=27"), tmp_path, Notes())
    as_trained = system(found.folder)
    assert as_trained.reader.control.value == premise, "a model is asked as it was trained unless told otherwise"
    with_premise = system(found.folder, "&premise=full")
    assert with_premise.reader.control.value == "full"
    assert as_trained.identity() != with_premise.identity()
    pair = Pair("a/b/1", "the key of the table is a value", "the key is a value")
    [answer] = with_premise.model.predict([with_premise.reader.read_pair(pair)])
    assert answer.label is not None


def test_adagrad_as_in_the_seed_and_early_stopping(ask: Ask, tmp_path: Path) -> None:
    request = ask(more="&optimizer=adagrad&pool=cls&patience=1", dev="builtin/sentences-dev?limit=12")
    [found] = train(request, tmp_path, Notes())
    assert 1 <= len(found.dev) <= 2


def test_hypothesis_is_kept_whole(ask: Ask, tmp_path: Path) -> None:
    [found] = train(ask(), tmp_path, Notes())
    asked = system(found.folder)
    long = "the table " * 100
    first = asked.reader.read_pair(Pair("a/b/1", long, "the key is not a value ."))
    second = asked.reader.read_pair(Pair("a/b/2", long, "the key is a value ."))
    one, two = asked.model.predict([first, second])
    assert one.probabilities != two.probabilities
    assert asked.model.notes() == ["2 of 2 premises were cut to fit the window."]


def test_inputs_with_and_without_premise_may_be_asked_together(ask: Ask, tmp_path: Path) -> None:
    [found] = train(ask("tabattn"), tmp_path, Notes())
    asked, blind = system(found.folder), system(found.folder, "&premise=none")
    pair = next(iter(open_source("builtin/tables-dev?limit=1").pairs()))
    inputs = [asked.reader.read_pair(pair), blind.reader.read_pair(pair)]
    together = asked.model.predict(inputs)
    alone = [*asked.model.predict(inputs[:1]), *asked.model.predict(inputs[1:])]
    for one, two in zip(together, alone, strict=True):
        assert one.probabilities == pytest.approx(two.probabilities, abs=1e-4)
    assert together[0].probabilities != together[1].probabilities


def test_two_way_gold_is_learnt_two_way(encoder: Path, tmp_path: Path) -> None:
    path = tmp_path / "two.jsonl"
    rows = [{"premise": "the key", "hypothesis": f"value {n}", "label": "not_entailment" if n % 2 else "entailment"}
            for n in range(20)]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    spec = f"classifier?encoder={encoder}&epochs=1&device=cpu"
    [found] = train(TrainRequest(spec, [f"file:{path}"], [f"file:{path}"]), tmp_path / "out", Notes())
    asked = system(found.folder)
    assert str(asked.model.partition) == "E|NC"
    [answer] = asked.model.predict([asked.reader.read_pair(Pair("a/b/1", "the key", "value 1"))])
    assert str(answer.label) in ("E", "NC")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("classifier", "needs a checkpoint to start from"),
        ("classifier?encoder=x&optimizer=sgd", "adamw or adagrad"),
        ("classifier?encoder=x&pool=max", "cls or mean"),
        ("classifier?encoder=x&epochs=0", "'epochs' should be at least 1"),
        ("classifier?encoder=x&lr=0", "'lr' should be a positive number"),
        ("classifier?encoder=x&dropout=1", "'dropout' should be a share"),
        ("classifier?encoder=x&warmup=2", "'warmup' should be a share"),
        ("tabattn", "needs a contextual encoder"),
        ("tabattn?encoder=x&hidden=0", "'hidden' should be at least 1"),
        ("tabattn?encoder=x&widht=3", "no parameter 'widht'"),
        ("classifier:folder?encoder=x", "takes parameters after"),
    ],
)
def test_bad_choices_are_sentences(spec: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        network_of(Spec.parse(spec))


def test_bad_requests_are_sentences(ask: Ask, encoder: Path, tmp_path: Path) -> None:
    spec = f"classifier?encoder={encoder}"
    with pytest.raises(UsageError, match="nothing to learn from"):
        train(TrainRequest(spec, []), tmp_path, Notes())
    with pytest.raises(UsageError, match="stops by a dev split"):
        train(TrainRequest(spec, ["builtin/tables-train"]), tmp_path, Notes())
    with pytest.raises(UsageError, match=r"does not learn\. These do: adv, .*classifier, .*, majority, svm"):
        train(TrainRequest("transformers:x", ["builtin/tables-train"]), tmp_path, Notes())
    with pytest.raises(NotFoundError, match="is not a checkpoint that can be loaded"):
        train(TrainRequest(f"classifier?encoder={tmp_path}", ["builtin/tables-train"], ["builtin/tables-dev"]),
              tmp_path, Notes())  # fmt: skip
    unlabelled = tmp_path / "u.jsonl"
    unlabelled.write_text('{"premise": "a", "hypothesis": "b"}\n')
    with pytest.raises(DataError, match="needs labelled pairs"):
        train(TrainRequest(spec, [f"file:{unlabelled}"], [f"file:{unlabelled}"]), tmp_path, Notes())


def test_bad_folders_are_sentences(ask: Ask, encoder: Path, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="does not hold a trained model"):
        system(encoder)
    with pytest.raises(UsageError, match="needs the folder"):
        System.build(SystemSpec.parse("trained"))
    [found] = train(ask(), tmp_path / "good", Notes())
    other = tmp_path / "other"
    shutil.copytree(found.folder, other)
    config = json.loads((other / "config.json").read_text())
    (other / "config.json").write_text(json.dumps({**config, "hidden_size": 32}))
    with pytest.raises(DataError, match=r"config.json is not as the training left it. Train the model again"):
        system(other).model.predict([Input("0" * 24, ("p",), "h")])
    (other / "trained.json").write_text("{}")
    with pytest.raises(DataError, match=r"trained.json lacks the key 'format'. Train the model again."):
        system(other)


def test_a_disk_that_is_full_is_a_sentence(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: object, module: object, folder: Path) -> None:
        raise Exception("No space left on device (os error 28)")  # as the tokenizer's library does

    monkeypatch.setattr("nliprobe.models.zoo.classifier.Classifier.keep", full)
    with pytest.raises(StoreError, match=r"Cannot write the network's files into .*seed-0: No space left on device"):
        train(ask(), tmp_path / "models", Notes())
    assert not (tmp_path / "models" / "seed-0" / "trained.json").exists()
