"""The network ``dga``: its gates, its pooling, and the characters of words; the rest is every network's."""

from __future__ import annotations

import string
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.training.watching import Notes

from nliprobe.api.train import TrainRequest, train
from nliprobe.base.errors import UsageError
from nliprobe.base.registry import Spec
from nliprobe.models.system import System, SystemSpec
from nliprobe.models.trained import WEIGHTS, load_weights, network_of
from nliprobe.models.zoo.dga import GATES, Dga
from nliprobe.task.case import Input

torch = pytest.importorskip("torch", reason="the [torch] extra is not installed")

if TYPE_CHECKING:
    from torch import Tensor, nn

    from nliprobe.models.zoo._dga import DgaModule

SMALL = "vectors=none&width=6&hidden=5&layer=7&device=cpu"
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
    both = zip(texts, texts[::-1], strict=True)
    return [Input(f"{number:024d}", (one,), two) for number, (one, two) in enumerate(both)]


def network(more: str = "", texts: list[str] = TEXTS) -> tuple[Dga, DgaModule]:
    made = network_of(Spec.parse(f"dga?{SMALL}{more}"))
    assert isinstance(made, Dga)
    made.study(pairs(texts), [])
    torch.manual_seed(0)
    module: DgaModule = made.fresh(3).eval()
    return made, module


def by_steps(lstm: nn.LSTM, inputs: Tensor, length: int, gate: str) -> Tensor:
    """Return a gate of one text, one step of an LSTM at a time."""
    ways = []
    for way, order in (("", range(length)), ("_reverse", reversed(range(length)))):
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        of_input, of_state, input_bias, state_bias = (getattr(lstm, f"{name}_l0{way}") for name in names)
        state = memory = torch.zeros(lstm.hidden_size)
        gates = torch.zeros(length, lstm.hidden_size)
        for place in order:
            i, f, g, o = (of_input @ inputs[place] + input_bias + of_state @ state + state_bias).chunk(4)
            memory = f.sigmoid() * memory + i.sigmoid() * g.tanh()
            state = o.sigmoid() * memory.tanh()
            gates[place] = {"input": i.sigmoid(), "forget": 1 - f.sigmoid(), "output": o.sigmoid()}[gate]
        ways.append(gates)
    return torch.cat(ways, -1)


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize("lengths", [[4], [1, 5, 3], [2, 2]])
def test_gates_are_those_of_a_cell_run_step_by_step(gate: str, lengths: list[int]) -> None:
    from nliprobe.models.zoo._dga import gate_logarithms
    from nliprobe.models.zoo._texts import run_lstm

    torch.manual_seed(1)
    lstm = torch.nn.LSTM(3, 4, batch_first=True, bidirectional=True)
    # Padding that is not zero, and a place after the longest text: neither may reach a gate.
    inputs = torch.randn(len(lengths), max(lengths) + 1, 3)
    with torch.no_grad():
        gates = gate_logarithms(lstm, gate, inputs, run_lstm(lstm, inputs, torch.tensor(lengths))).exp()
        for number, length in enumerate(lengths):
            torch.testing.assert_close(gates[number, :length], by_steps(lstm, inputs[number], length, gate))


def test_a_forget_gate_that_is_wide_open_leaves_shares_that_are_numbers() -> None:
    made, module = network("&gate=forget")
    for way in ("", "_reverse"):
        getattr(module.layers[-1], f"bias_ih_l0{way}").data[5:10] = 60.0
    assert torch.isfinite(torch.from_numpy(made.embed(module, TEXTS, CPU))).all()
    items = made.prepare(module, pairs(TEXTS)).items
    made.forward(module, items, CPU).sum().backward()
    assert all(torch.isfinite(weight.grad).all() for weight in module.parameters())


def test_the_share_of_a_word_is_the_norm_of_its_gate_over_the_sum_of_norms() -> None:
    from nliprobe.models.zoo._dga import gate_shares

    gates = torch.rand(2, 3, 4)
    mask = torch.tensor([[True, True, True], [True, True, False]])
    shares = gate_shares(gates.log(), mask)
    for number, length in enumerate((3, 2)):
        norms = gates[number, :length].norm(dim=-1)
        torch.testing.assert_close(shares[number, :length], norms / norms.sum())
    assert shares[1, 2] == 0


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


@pytest.mark.parametrize("gate", ["forget", "output"])
def test_padding_and_order_change_nothing_with_the_other_gates(gate: str) -> None:
    made, module = network(f"&gate={gate}")
    items = made.prepare(module, pairs(TEXTS)).items
    with torch.no_grad():
        together = made.forward(module, items, CPU)
        backwards = made.forward(module, items[::-1], CPU).flip(0)
        alone = torch.cat([made.forward(module, [item], CPU) for item in items])
    for other in (backwards, alone):
        torch.testing.assert_close(other, together, atol=1e-5, rtol=0)
    assert together.std(0).min() > 1e-4, "different pairs have different scores"


def test_unknown_words_are_told_apart_by_their_letters() -> None:
    made, module = network()
    words = [f"zxq{letter}{other}" for letter in string.ascii_lowercase for other in string.ascii_lowercase]
    first, second = next(
        pair for pair in combinations(words, 2) if len({made.vocabulary.number(word) for word in pair}) == 1
    )
    one, two = made.embed(module, [first, second], CPU)
    assert abs(one - two).max() > 1e-4


@given(st.text(max_size=40), st.text(max_size=40))
@settings(deadline=None, max_examples=50)
def test_the_vector_of_a_text_depends_on_nothing_but_its_tokens(one: str, two: str) -> None:
    made, module = network()
    both = made.embed(module, [one, two], CPU)
    assert both.shape == (2, 6 * 5)
    # Words are numbered as they are read: another order must not matter.
    other, same = network()
    alone = [other.embed(same, [text], CPU)[0] for text in (two, one)][::-1]
    assert abs(both - alone).max() < 1e-5


@given(st.lists(st.text(max_size=60), min_size=1, max_size=5))
@settings(deadline=None, max_examples=50)
def test_spelled_words_have_the_numbers_of_the_vocabulary(texts: list[str]) -> None:
    made, _ = network("&longest=7")
    for text in texts:
        rows, cut = made.read(text)
        assert (made.spellings.take(rows)[0].tolist(), cut) == made.vocabulary.read_text(text, 7)


def test_long_texts_and_words_are_cut() -> None:
    made, module = network("&longest=4&letters=3")
    cut, whole = made.embed(module, ["a b c d e f", "a b c d"], CPU)
    assert cut == pytest.approx(whole, abs=1e-6)
    _, characters = made.spellings.take(made.read("abcdef ab")[0])
    assert [row.tolist() for row in characters] == [[1, 2, 3], [1, 2, 0]]


def test_the_network_of_another_folder_forgets_the_words_it_has_read(tmp_path: Path) -> None:
    spec = f"dga?{SMALL}&epochs=1"
    for name, source in (("one", "builtin/sentences-train?limit=12"), ("two", "builtin/tables-train?limit=12")):
        train(TrainRequest(spec, [source], [source]), tmp_path / name, Notes())
    folders = [tmp_path / name / "seed-0" for name in ("one", "two")]
    first, second = (System.build(SystemSpec.parse(f"trained:{folder}?device=cpu")).model for folder in folders)
    made = network_of(Spec.parse(spec))
    for folder, model in zip(folders, (first, second), strict=True):
        module = made.shape(folder, 3)
        load_weights(module, folder / WEIGHTS)
        assert made.embed(module.eval(), TEXTS, CPU) == pytest.approx(model.embed(TEXTS), abs=1e-6)


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
