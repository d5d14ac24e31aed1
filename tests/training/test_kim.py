"""``kim``: what it knows besides ``esim``; tests of all networks over words hold it to the rest."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.training.watching import Breaks, Notes
from tests.training.word_networks import built, corpus, inputs, request, write_vectors

from nliprobe.api.train import train
from nliprobe.base.errors import DataError, NotFoundError, StoreError, UsageError
from nliprobe.base.registry import Spec
from nliprobe.language import wordnet
from nliprobe.language.relations import FEATURES, WordRelations, feature_table
from nliprobe.models.network import Network
from nliprobe.models.system import System, SystemSpec
from nliprobe.models.trained import network_of
from nliprobe.models.trained_record import TrainedRecord
from nliprobe.models.zoo.kim import RELATIONS, Kim
from nliprobe.task.case import Input

torch = pytest.importorskip("torch", reason="the [torch] extra is not installed")
pytest.importorskip("transformers", reason="the [torch] extra is not installed")

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

CPU = torch.device("cpu")
RELATED = Input("a" * 24, ("a man sits in the park.",), "no woman runs at the street, boy.")


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_vectors(tmp_path_factory.mktemp("vectors"))


def made(name: str, vectors: Path, **more: object) -> tuple[Network, Module]:
    network, module = built(name, vectors, **more)
    return network, module


def answers(network: Network, module: Module, given: Sequence[Input]) -> Tensor:
    with torch.no_grad():
        return network.forward(module, network.prepare(module, given).items, CPU)


def without_relations(network: Network) -> None:
    assert isinstance(network, Kim)
    network.relations = WordRelations.learn([""] * len(network.vocabulary.words))


def test_without_relations_it_is_esim(vectors: Path) -> None:
    """The words of a text then weigh the same, so that what is pooled with weights is the mean once more."""
    esim, plain = made("esim", vectors)
    kim, knowing = made("kim", vectors)
    width = plain.project[0].weight.shape[1]
    pool = plain.score[1].weight.shape[1] // 4
    weights = dict(knowing.state_dict())
    for name, weight in plain.state_dict().items():
        if name == "project.0.weight":
            weights[name][:, :width] = weight
        elif name == "score.1.weight":
            mean_a, max_a, mean_b, max_b = weight.split(pool, 1)
            # A share of what esim does with the mean goes to the weighted mean.
            weights[name] = torch.cat([0.3 * mean_a, max_a, 0.7 * mean_a, 0.4 * mean_b, max_b, 0.6 * mean_b], 1)
        else:
            weights[name] = weight
    knowing.load_state_dict(weights)
    given = [*inputs(12), RELATED]
    with_relations = answers(kim, knowing, given)
    without_relations(kim)
    assert (answers(kim, knowing, given) - answers(esim, plain, given)).abs().max() <= 1e-5
    assert (with_relations - answers(esim, plain, given)).abs().max() > 1e-3


def test_relations_reach_the_words_they_belong_to(vectors: Path) -> None:
    network, module = made("kim", vectors)
    items = network.prepare(module, [inputs(1)[0], RELATED]).items
    assert isinstance(network, Kim)
    [related] = network.extra(items, CPU)
    seen = {}
    for (text, one, two), code in zip(related.places.T.tolist(), related.codes.tolist(), strict=True):
        if text == 1:
            pair = tuple(
                network.vocabulary.word(int(number)) for number in (items[1].premise[one], items[1].hypothesis[two])
            )
            row = feature_table()[code]
            seen[pair] = {name: float(value) for name, value in zip(FEATURES, row, strict=True) if value}
    assert seen[("man", "woman")] == {"antonymy": 1, "co-hyponymy": 1}
    assert seen[("man", "boy")]["hyponymy"] == 7 / 8
    assert ("the", "the") not in seen
    assert related.places.dtype == related.codes.dtype == torch.int64


def test_each_use_of_relations_changes_answers(vectors: Path) -> None:
    """Co-attention (knowledge), local inference (the last columns of the projection) and weighted pooling."""
    network, module = made("kim", vectors)
    given = [RELATED]
    before = answers(network, module, given)
    module.knowledge = 5.0
    assert (answers(network, module, given) - before).abs().max() > 1e-6
    module.knowledge = 1.0
    with torch.no_grad():
        module.project[0].weight[:, -len(FEATURES) :] += 1
        assert (answers(network, module, given) - before).abs().max() > 1e-6
        module.project[0].weight[:, -len(FEATURES) :] -= 1
        module.weigh[0].weight += 3
        module.weigh[0].bias.fill_(1)
        assert (answers(network, module, given) - before).abs().max() > 1e-6


def test_turned_relations_are_those_of_the_other_text(vectors: Path) -> None:
    from nliprobe.models.zoo._kim import turned

    words = ["dog", "animal", "man", "woman", "car", "automobile", "wolf"]
    places = np.arange(len(words))
    relations = WordRelations.learn(words)
    some, others = places[:3], places[2:]
    forth = torch.tensor(relations.features(some[None, :, None], others[None, None, :]))
    back = torch.tensor(relations.features(others[None, :, None], some[None, None, :]))
    assert forth.abs().sum() > 0
    assert torch.equal(turned(forth), back)


def test_words_it_does_not_know_relate_to_nothing(vectors: Path) -> None:
    network, module = made("kim", vectors)
    assert isinstance(network, Kim)
    assert "automobile" not in network.vocabulary.words
    items = network.prepare(module, [Input("b" * 24, ("an automobile",), "automobile")]).items
    [related] = network.extra(items, CPU)
    assert related.codes.numel() == 0


def test_the_number_of_parameters_is_that_of_esim_and_of_what_relations_add(vectors: Path) -> None:
    counts = {
        name: sum(weight.numel() for weight in made(name, vectors, hidden=30)[1].parameters())
        for name in ("esim", "kim")
    }
    # Five columns of the projection, two pools of 60 numbers each, five weights and a bias.
    assert counts["kim"] - counts["esim"] == 5 * 30 + 2 * 60 * 30 + 6


def test_a_folder_answers_with_the_relations_it_was_trained_with(
    vectors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [trained] = train(request("kim", vectors, corpus(tmp_path)), tmp_path / "out", Notes())
    record = TrainedRecord.read(trained.folder)
    assert record.made_from is not None
    assert record.made_from["WordNet"] == wordnet.source().version
    before = ask(trained.folder)
    monkeypatch.setenv("NLIPROBE_WORDNET", "nltk:none-such")
    with pytest.raises(NotFoundError):
        wordnet.source()
    assert ask(trained.folder) == before


def ask(folder: Path) -> list[object]:
    system = System.build(SystemSpec.parse(f"trained:{folder}?device=cpu"))
    return [answer.probabilities for answer in system.model.predict([*inputs(4), RELATED])]


class OtherWordNet:
    """The built-in WordNet under another name."""

    def __init__(self) -> None:
        self._inner = wordnet.source()
        self.version = "another WordNet"

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)


def test_training_does_not_go_on_with_another_wordnet(
    vectors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = request("kim", vectors, corpus(tmp_path))
    monkeypatch.setattr("nliprobe.training.trainer.SECONDS_BETWEEN_STATES", -1.0)
    with pytest.raises(RuntimeError, match="crash"):
        train(asked, tmp_path / "broken", Breaks(3))
    train(asked, tmp_path / "whole", Notes())
    other = OtherWordNet()
    monkeypatch.setattr(wordnet, "source", lambda: other)
    with pytest.raises(StoreError, match="another training that was not finished"):
        train(asked, tmp_path / "broken", Notes())
    with pytest.raises(StoreError, match=r"holds another trained model: .*changed since \(WordNet\)"):
        train(asked, tmp_path / "whole", Notes())


def test_relations_of_another_vocabulary_are_refused(vectors: Path, tmp_path: Path) -> None:
    [trained] = train(request("kim", vectors, corpus(tmp_path)), tmp_path / "out", Notes())
    spec = Spec.parse(TrainedRecord.read(trained.folder).spec)
    WordRelations.learn(["dog", "cat"]).keep(trained.folder / RELATIONS)
    with pytest.raises(DataError, match=r"made for another vocabulary: it relates 2 words"):
        network_of(spec).shape(trained.folder, 3)
    (trained.folder / RELATIONS).write_bytes(b"\0" * 100)
    with pytest.raises(DataError, match="does not hold the relations of words"):
        network_of(spec).shape(trained.folder, 3)
    with pytest.raises(DataError, match="is not as the training left it"):
        ask(trained.folder)
    shutil.rmtree(trained.folder)


@pytest.mark.parametrize("knowledge", ["-1", "inf", "nan"])
def test_knowledge_is_no_negative_number(knowledge: str) -> None:
    with pytest.raises(UsageError, match="'knowledge' should be 0 or a positive number"):
        network_of(Spec.parse(f"kim?vectors=none&knowledge={knowledge}"))
