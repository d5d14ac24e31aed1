"""What every registered network over words must hold; the names are discovered."""

from __future__ import annotations

import importlib
import random
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest
from tests.training.watching import Breaks, Notes
from tests.training.word_networks import NAMES, built, corpus, inputs, pairs, request, write_vectors

from nliprobe.api.train import train
from nliprobe.base.errors import UsageError
from nliprobe.models.batches import network_scores
from nliprobe.models.system import System, SystemSpec
from nliprobe.models.trained import WEIGHTS
from nliprobe.models.zoo import NETWORKS
from nliprobe.models.zoo._word_network import WordNetwork
from nliprobe.task.case import Input
from nliprobe.task.pair import Pair

if TYPE_CHECKING:
    from torch import Tensor

torch = pytest.importorskip("torch", reason="the [torch] extra is not installed")
pytest.importorskip("transformers", reason="the [torch] extra is not installed")

CPU = torch.device("cpu")
LONG = Input("f" * 24, (" ".join(["a small dog runs in the park ,"] * 6),), "no woman waits " * 12)
every_network = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_vectors(tmp_path_factory.mktemp("vectors"))


def scores(network: WordNetwork, module: object, given: Sequence[Input], budget: int = 8192) -> Tensor:
    prepared = network.prepare(module, given)
    forward = lambda items: network.forward(module, items, CPU)  # noqa: E731
    return torch.tensor(network_scores(forward, prepared, CPU, budget, exact=True, cpu_budget=budget))


def at_once(network: WordNetwork, module: object, given: Sequence[Input]) -> Tensor:
    with torch.no_grad():
        return network.forward(module, network.prepare(module, given).items, CPU)


def asked(folder: Path, more: str = "") -> System:
    return System.build(SystemSpec.parse(f"trained:{folder}?device=cpu{more}"))


def test_all_networks_over_words_are_discovered() -> None:
    assert {"cbow", "decatt", "esim", "infersent"} <= set(NAMES)
    assert set(NAMES) <= set(NETWORKS.names())


@every_network
def test_padding_changes_nothing(name: str, vectors: Path) -> None:
    network, module = built(name, vectors)
    given = inputs(6)
    alone = torch.cat([at_once(network, module, [item]) for item in given])
    beside = at_once(network, module, [*given, LONG])[:-1]
    assert (alone - beside).abs().max() <= 1e-5
    assert alone.std() > 0, "otherwise nothing is compared"


@every_network
def test_scores_follow_from_the_vectors_of_pairs(name: str, vectors: Path) -> None:
    network, module = built(name, vectors)
    items = network.prepare(module, [*inputs(6), LONG]).items
    last = module.score[-1] if isinstance(module.score, torch.nn.Sequential) else module.score
    with torch.no_grad():
        states = network.states(module, items, CPU)
        assert (last(states) - network.forward(module, items, CPU)).abs().max() <= 1e-5
        alone = torch.cat([network.states(module, [item], CPU) for item in items])
    assert (states - alone).abs().max() <= 1e-5
    assert states.std() > 0


@every_network
def test_neither_order_nor_budget_of_batches_changes_answers(name: str, vectors: Path) -> None:
    network, module = built(name, vectors)
    given = [*inputs(11), LONG]
    whole = scores(network, module, given)
    order = list(range(len(given)))
    random.Random(1).shuffle(order)
    shuffled = scores(network, module, [given[place] for place in order])
    assert (whole[order] - shuffled).abs().max() <= 1e-5
    for budget in (1, 40, 200):
        assert (whole - scores(network, module, given, budget)).abs().max() <= 1e-5


@every_network
def test_gradients_are_those_of_finite_differences(name: str, vectors: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network, module = built(name, vectors, dropout=0, train_words=1)
    module.double()
    extra = type(network).extra
    tree_map = torch.utils._pytree.tree_map

    def doubled(self: WordNetwork, items: Sequence[object], device: object) -> object:
        widened = lambda one: one.double() if torch.is_tensor(one) and one.is_floating_point() else one  # noqa: E731
        return tree_map(widened, extra(self, items, device))  # type: ignore[arg-type,unused-ignore]

    monkeypatch.setattr(type(network), "extra", doubled)
    items = network.prepare(module, [*inputs(4), LONG]).items
    torch.manual_seed(0)
    weights = torch.randn(len(items), 3, dtype=torch.float64)

    def value() -> Tensor:
        return (network.forward(module, items, CPU) * weights).sum()

    value().backward()
    draw = random.Random(5)
    step = 1e-6
    for parameter_name, parameter in module.named_parameters():
        assert parameter.grad is not None, f"{parameter_name} is not learnt"
        flat, gradient = parameter.data.view(-1), parameter.grad.view(-1)
        for place in {int(gradient.abs().argmax()), draw.randrange(len(flat)), draw.randrange(len(flat))}:
            before = flat[place].item()
            with torch.no_grad():
                flat[place] = before + step
                above = value().item()
                flat[place] = before - step
                below = value().item()
                flat[place] = before
            expected = (above - below) / (2 * step)
            assert gradient[place].item() == pytest.approx(expected, rel=1e-4, abs=1e-6), f"{parameter_name}[{place}]"


@every_network
def test_thirty_two_pairs_are_learnt_by_heart(name: str, vectors: Path, tmp_path: Path) -> None:
    by_heart: dict[str, float] = {
        "hidden": 32,
        "dropout": 0,
        "epochs": 30,
        "patience": 30,
        "batch": 32,
        "lr": 0.02,
        "train_words": 1,
    }
    [trained] = train(request(name, vectors, corpus(tmp_path), "full", **by_heart), tmp_path / "out", Notes())
    assert max(trained.dev) == 1.0
    assert trained.result is not None
    assert trained.result.losses[-1] < trained.result.losses[0]


@every_network
def test_an_interrupted_training_ends_with_the_same_weights(
    name: str, vectors: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = request(name, vectors, corpus(tmp_path))
    [whole] = train(asking, tmp_path / "whole", Notes())
    monkeypatch.setattr("nliprobe.training.trainer.SECONDS_BETWEEN_STATES", -1.0)
    for steps in (3, 3):  # in the middle of the first epoch, and of the second
        with pytest.raises(RuntimeError, match="crash"):
            train(asking, tmp_path / "broken", Breaks(steps))
    notes = Notes()
    [broken] = train(asking, tmp_path / "broken", notes)
    assert 0 < notes.before < notes.total
    assert (broken.folder / WEIGHTS).read_bytes() == (whole.folder / WEIGHTS).read_bytes()
    assert broken.dev == whole.dev
    assert broken.result is not None
    assert whole.result is not None
    assert broken.result.losses == pytest.approx(whole.result.losses)


@every_network
def test_the_folder_alone_answers(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = write_vectors(tmp_path / "vectors")
    source = corpus(tmp_path)
    [trained] = train(request(name, vectors, source), tmp_path / "out", Notes())
    moved = trained.folder.rename(tmp_path / "moved")
    vectors.unlink()
    monkeypatch.delenv("NLIPROBE_DATA", raising=False)
    monkeypatch.setenv("NLIPROBE_CACHE", str(tmp_path / "another-cache"))
    system = asked(moved)
    given = [Pair(f"a/b/{number}", one, two) for number, (one, two, _) in enumerate(pairs(32))]
    answers = system.model.predict([system.reader.read_pair(pair) for pair in given])
    right = sum(str(answer.label) == label for answer, (_, _, label) in zip(answers, pairs(32), strict=True))
    assert right / 32 == max(trained.dev), "as the network answered when its epoch was the best"
    assert system.model.notes() == []


@every_network
def test_odd_texts_are_answered(name: str, vectors: Path) -> None:
    network, module = built(name, vectors)
    texts = [
        "",
        " ",
        "dog",
        "\n\t",
        "—",
        "the dog runs",
        "🐕 🏃‍♀️",
        "الكلب يجري",
        "犬が走る",
        "\x00\ud800",
        "zyzzyva-dog",
        "'",
    ]
    given = [Input(f"{n:024x}", (one,) if one else (), two) for n, (one, two) in
             enumerate((one, two) for one in texts for two in texts)]  # fmt: skip
    answers = scores(network, module, given)
    assert torch.isfinite(answers).all()
    alone = torch.cat([at_once(network, module, [item]) for item in given[:3]])
    assert (alone - answers[:3]).abs().max() <= 1e-5


@every_network
def test_a_very_long_premise_is_cut_and_counted(name: str, vectors: Path, tmp_path: Path) -> None:
    network, module = built(name, vectors)
    long = Input("e" * 24, ("the dog " * 1500,), "the dog runs")
    cut = Input("d" * 24, ("the dog " * 20,), "the dog runs")
    prepared = network.prepare(module, [long, cut])
    assert prepared.cut == 1
    assert prepared.sizes[0] == prepared.sizes[1] == 2 * network.plan.longest, "as wide as the longer text"
    answers = at_once(network, module, [long, cut])
    assert (answers[0] - answers[1]).abs().max() <= 1e-5


@every_network
def test_two_labels_are_learnt_and_answered(name: str, tmp_path: Path) -> None:
    asking = request(name, "none", corpus(tmp_path, 16, two_way=True), width=6)
    [trained] = train(asking, tmp_path / "out", Notes())
    system = asked(trained.folder)
    assert str(system.model.partition) == "E|NC"
    [answer] = system.model.predict([system.reader.read_pair(Pair("a/b/1", "the dog runs", "the dog sits"))])
    assert str(answer.label) in ("E", "NC")


@every_network
def test_a_twin_learns_without_the_premise(name: str, vectors: Path, tmp_path: Path) -> None:
    [trained] = train(request(name, vectors, corpus(tmp_path, 16), premise="none"), tmp_path / "out", Notes())
    blind = asked(trained.folder)
    assert blind.reader.control.value == "none"
    first, second = (Pair(f"a/b/{n}", premise, "no dog runs.") for n, premise in enumerate(["a dog runs.", "a cat."]))
    one, two = (blind.model.predict([blind.reader.read_pair(pair)])[0].probabilities for pair in (first, second))
    assert one == two, "it never sees what differs"


@every_network
def test_embeddings_are_of_each_text_alone(name: str, vectors: Path) -> None:
    network, module = built(name, vectors)
    texts = ["the dog runs", "", "a very old horse " * 9]
    if not network.encodes:
        with pytest.raises(UsageError, match="reads premise and hypothesis together"):
            network.embed(module, texts, CPU)
        return
    together = network.embed(module, texts, CPU)
    assert together.shape[0] == 3
    for place, text in enumerate(texts):
        assert together[place] == pytest.approx(network.embed(module, [text], CPU)[0], abs=1e-5)
    assert network.embed(module, [], CPU).shape[0] == 0


@pytest.fixture
def agreement(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script that compares devices, ``benchmarks/gpu/agreement.py``."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks" / "gpu"))
    return importlib.import_module("agreement")


@every_network
def test_the_comparison_of_devices_finds_none_between_a_device_and_itself(name: str, agreement: ModuleType) -> None:
    assert agreement.difference(name, "cpu", "cpu", "&hidden=8", 24) == 0.0


@every_network
@pytest.mark.skipif(not torch.cuda.is_available(), reason="torch sees no GPU here")
def test_answers_on_a_gpu_are_those_on_a_cpu(name: str, agreement: ModuleType) -> None:
    assert agreement.difference(name, "cpu", "cuda", "&hidden=32", 64) <= agreement.LARGEST
