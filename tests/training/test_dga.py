"""The network ``dga``: its gates, its characters, its masks, and its training on the CPU."""

from __future__ import annotations

import string
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.training.watching import Breaks, Notes

from nliprobe.api.train import TrainRequest, train
from nliprobe.base.errors import UsageError
from nliprobe.base.registry import Spec
from nliprobe.models.system import System, SystemSpec
from nliprobe.models.trained import WEIGHTS, network_of
from nliprobe.models.zoo.dga import GATES, Dga
from nliprobe.task.case import Input

torch = pytest.importorskip("torch", reason="the [torch] extra is not installed")

if TYPE_CHECKING:
    from torch import Tensor, nn

    from nliprobe.models.zoo._dga import DgaModule

SMALL = "vectors=none&width=6&hidden=5&layer=7&device=cpu"
TINY = "vectors=none&width=3&hidden=2&layer=3&device=cpu"
CPU = torch.device("cpu")
TEXTS = [
    "A man in a blue shirt plays the guitar on a crowded street.",
    "Nobody sleeps.",
    "",
    "Two dogs run across the x-ray-like field, barking at 3.5 children 🙂 مرحبا",
    "dog",
    "An unknowable zxqv walks; another unknowable zxqw walks.",
]


def pairs(texts: list[str]) -> list[Input]:
    return [
        Input(f"{number:024d}", (one,), two) for number, (one, two) in enumerate(zip(texts, texts[::-1], strict=True))
    ]


def network(more: str = "", texts: list[str] = TEXTS, size: str = SMALL) -> tuple[Dga, DgaModule]:
    made = network_of(Spec.parse(f"dga?{size}{more}"))
    assert isinstance(made, Dga)
    made.study(pairs(texts), [])
    torch.manual_seed(0)
    module: DgaModule = made.fresh(3).eval()
    return made, module


def by_steps(lstm: nn.LSTM, inputs: Tensor, length: int, gate: str) -> Tensor:
    """Return a gate of one text, one step of an LSTM at a time."""
    ways = []
    for way, order in (("", range(length)), ("_reverse", reversed(range(length)))):
        w_i, w_h, b_i, b_h = (
            getattr(lstm, f"{name}_l0{way}") for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )
        state = memory = torch.zeros(lstm.hidden_size)
        gates = torch.zeros(length, lstm.hidden_size)
        for place in order:
            i, f, g, o = (w_i @ inputs[place] + b_i + w_h @ state + b_h).chunk(4)
            memory = f.sigmoid() * memory + i.sigmoid() * g.tanh()
            state = o.sigmoid() * memory.tanh()
            gates[place] = {"input": i.sigmoid(), "forget": 1 - f.sigmoid(), "output": o.sigmoid()}[gate]
        ways.append(gates)
    return torch.cat(ways, -1)


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize("lengths", [[4], [1, 5, 3], [2, 2]])
def test_gates_are_those_of_a_cell_run_step_by_step(gate: str, lengths: list[int]) -> None:
    from nliprobe.models.zoo._dga import lstm_gate
    from nliprobe.models.zoo._texts import run_lstm

    torch.manual_seed(1)
    lstm = torch.nn.LSTM(3, 4, batch_first=True, bidirectional=True)
    # Padding that is not zero, and a place after the longest text: neither may reach a gate.
    inputs = torch.randn(len(lengths), max(lengths) + 1, 3)
    with torch.no_grad():
        gates = lstm_gate(lstm, gate, inputs, run_lstm(lstm, inputs, torch.tensor(lengths)))
        for number, length in enumerate(lengths):
            torch.testing.assert_close(gates[number, :length], by_steps(lstm, inputs[number], length, gate))


def test_the_mean_is_weighted_by_the_norm_of_the_gate() -> None:
    from nliprobe.models.zoo._dga import weighted_mean

    states, weights = torch.randn(2, 3, 4), torch.rand(2, 3) + 0.1
    mask = torch.tensor([[True, True, True], [True, False, False]])
    means = weighted_mean(states, weights, mask)
    shares = weights[0] / weights[0].sum()
    torch.testing.assert_close(means[0], sum(shares[t] * states[0, t] for t in range(3)))
    torch.testing.assert_close(means[1], states[1, 0])


@pytest.mark.parametrize("gate", GATES)
def test_padding_and_order_change_nothing(gate: str) -> None:
    from nliprobe.models.zoo._characters import spelled_batch

    made, module = network(f"&gate={gate}")
    items = made.prepare(module, pairs(TEXTS)).items
    with torch.no_grad():
        together = made.forward(module, items, CPU)
        backwards = made.forward(module, items[::-1], CPU).flip(0)
        alone = torch.cat([made.forward(module, [item], CPU) for item in items])
        wide = module(
            *(spelled_batch([item[side] for item in items], made.spellings, CPU, least=40) for side in (0, 1))
        )
    for other in (backwards, alone, wide):
        torch.testing.assert_close(other, together, atol=1e-5, rtol=0)
    assert together.std(0).min() > 1e-4, "different pairs have different scores"


@pytest.mark.parametrize("gate", GATES)
def test_gradients_are_those_of_small_differences(gate: str) -> None:
    made, module = network(f"&gate={gate}", TEXTS[:2], TINY)
    module.double()
    items = made.prepare(module, pairs(TEXTS[:2])).items
    gold = torch.tensor([0, 2])

    def loss() -> Tensor:
        return torch.nn.functional.cross_entropy(made.forward(module, items, CPU), gold)

    module.zero_grad()
    loss().backward()
    torch.manual_seed(3)
    for name, weight in module.named_parameters():
        assert weight.grad is not None, name
        assert weight.grad.abs().sum() > 0, f"nothing reaches {name}"
        way = torch.randn_like(weight)
        if name in ("words.weight", "characters.embed.weight"):
            way[0] = 0  # padding is zero and stays so
        with torch.no_grad():
            # So small that no maximum moves to another character: there is one per word and filter.
            weight += 1e-8 * way
            above = loss()
            weight -= 2e-8 * way
            below = loss()
            weight += 1e-8 * way
        expected = ((above - below) / 2e-8).item()
        assert (weight.grad * way).sum().item() == pytest.approx(expected, rel=1e-4, abs=1e-7), name


def test_unknown_words_are_told_apart_by_their_letters() -> None:
    made, module = network()
    words = [f"zxq{letter}{other}" for letter in string.ascii_lowercase for other in string.ascii_lowercase]
    first, second = next(
        pair for pair in combinations(words, 2) if len({made.vocabulary.number(word) for word in pair}) == 1
    )
    one, two = made.embed(module, [first, second], CPU)
    assert abs(one - two).max() > 1e-3


@given(st.text(max_size=40), st.text(max_size=40))
@settings(deadline=None, max_examples=50)
def test_any_text_has_a_vector_of_its_own_batch_or_not(one: str, two: str) -> None:
    made, module = network()
    both = made.embed(module, [one, two], CPU)
    assert both.shape == (2, 6 * 5)
    assert abs(both - [made.embed(module, [text], CPU)[0] for text in (one, two)]).max() < 1e-5


def test_an_embedding_is_mean_maximum_and_gated_mean() -> None:
    made, module = network()
    [vector] = made.embed(module, ["dog"], CPU)
    mean, highest, gated = vector.reshape(3, 10)
    assert mean == pytest.approx(highest, abs=1e-6), "of one word, all are its state"
    assert gated == pytest.approx(highest, abs=1e-6)
    [vector] = made.embed(module, ["dogs run"], CPU)
    mean, highest, gated = vector.reshape(3, 10)
    assert (highest >= mean).all()
    assert (highest >= gated).all()
    assert abs(mean - gated).max() > 0


def test_long_texts_and_words_are_cut() -> None:
    made, module = network("&longest=4&letters=3")
    prepared = made.prepare(module, pairs(["a b c d e", "a b c d"]))
    assert prepared.cut == 2
    assert prepared.sizes == [8, 8]
    cut, whole = made.embed(module, ["a b c d e f", "a b c d"], CPU)
    assert cut == pytest.approx(whole, abs=1e-6)
    _, characters = made.spellings.take(made.read("abcdef ab")[0])
    assert [row.tolist() for row in characters] == [[1, 2, 3], [1, 2, 0]]


def test_it_overfits_32_pairs(tmp_path: Path) -> None:
    spec = "dga?vectors=none&width=16&hidden=16&layer=16&epochs=60&patience=60&batch=32&lr=7e-3&dropout=0&device=cpu"
    [result] = train(
        TrainRequest(spec, ["builtin/sentences-train?limit=32"], ["builtin/sentences-train?limit=32"]),
        tmp_path,
        Notes(),
    )
    assert max(result.dev) == 1.0


@pytest.mark.parametrize("after", [2, 5])
def test_training_goes_on_where_it_was_broken_off(after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    request = TrainRequest(
        f"dga?{SMALL}&epochs=2&batch=8", ["builtin/sentences-train?limit=24"], ["builtin/sentences-dev?limit=12"]
    )
    train(request, tmp_path / "whole", Notes())
    monkeypatch.setattr("nliprobe.training.trainer.SECONDS_BETWEEN_STATES", -1.0)
    with pytest.raises(RuntimeError, match="crash"):
        train(request, tmp_path / "broken", Breaks(after))
    [found] = train(request, tmp_path / "broken", Notes())
    assert (found.folder / WEIGHTS).read_bytes() == (tmp_path / "whole/seed-0" / WEIGHTS).read_bytes()


def test_the_folder_alone_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    request = TrainRequest(
        f"dga?{SMALL}&epochs=1", ["builtin/sentences-train?limit=24"], ["builtin/sentences-dev?limit=12"]
    )
    train(request, tmp_path / "here", Notes())
    (tmp_path / "here/seed-0").rename(tmp_path / "there")
    monkeypatch.delenv("NLIPROBE_DATA", raising=False)
    asked = [System.build(SystemSpec.parse(f"trained:{tmp_path / 'there'}?device=cpu")).model for _ in range(2)]
    # Words are numbered as they are read: another order must not matter.
    backwards = list(asked[1].predict(pairs(TEXTS)[::-1]))[::-1]
    for one, two in zip(asked[0].predict(pairs(TEXTS)), backwards, strict=True):
        assert one.probabilities == pytest.approx(two.probabilities, abs=1e-5)
    assert asked[0].embed(TEXTS).shape == (len(TEXTS), 30)
    assert asked[0].embed(TEXTS) == pytest.approx(asked[1].embed(TEXTS), abs=1e-5)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("dga?gate=reset", "The gate should be input, forget or output, not 'reset'"),
        ("dga?layer=0", "'layer' should be at least 1"),
        ("dga?letters=0", "'letters' should be at least 1"),
    ],
)
def test_bad_choices_are_sentences(spec: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        network_of(Spec.parse(spec))
