"""Encoders without padding compute what they do with it; skipped where the [torch] extra is not installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nliprobe.base.errors import UsageError
from nliprobe.models import forward as ways
from nliprobe.models.forward import Padded, pick_forward
from nliprobe.models.packed.arithmetic import Plain
from nliprobe.models.packed.encoder import PackedEncoder, positions
from nliprobe.models.packed.parts import Parts, find_parts
from nliprobe.models.token_rows import TokenRows, concatenate

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel

torch = pytest.importorskip("torch", reason="the [torch] extra is not installed")
transformers = pytest.importorskip("transformers", reason="the [torch] extra is not installed")

CPU = torch.device("cpu")
WORDS, LONGEST = 60, 40
KINDS = ("Bert", "Roberta", "XLMRoberta", "Camembert", "Electra")


def classifier(kind: str, **more: object) -> PreTrainedModel:
    """A tiny classifier with random weights that are large enough for every part to matter."""
    shape: dict[str, object] = {
        "vocab_size": WORDS, "hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2, "num_labels": 3,
        "intermediate_size": 24, "max_position_embeddings": LONGEST + 2, "type_vocab_size": 2, "embedding_size": 16,
        "initializer_range": 0.3,
    } | more  # fmt: skip
    torch.manual_seed(len(kind))
    config = getattr(transformers, f"{kind}Config")(**shape)
    model: PreTrainedModel = getattr(transformers, f"{kind}ForSequenceClassification")(config).eval()
    return model


MODELS = {kind: classifier(kind) for kind in KINDS}


def packed(model: PreTrainedModel) -> PackedEncoder:
    parts = find_parts(model)
    assert parts is not None
    return PackedEncoder(parts, Plain(parts.activation), CPU)


inputs = st.lists(st.integers(0, WORDS - 1), min_size=1, max_size=LONGEST)
batches = st.lists(inputs, min_size=1, max_size=6)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25, deadline=None)
@given(batch=batches, sides=st.booleans())
def test_packed_batches_give_the_scores_of_padded_ones(kind: str, batch: list[list[int]], *, sides: bool) -> None:
    types = [[int(2 * place >= len(row)) for place in range(len(row))] for row in batch] if sides else None
    rows = TokenRows.from_lists(batch, types)
    model = MODELS[kind]
    padded = Padded(model, model.config.pad_token_id, CPU)
    with torch.inference_mode():
        scores = packed(model).scores(rows).softmax(-1)
        # Alone, because a text may spell the padding token, and padding would then change its positions.
        alone = torch.cat([padded.scores(rows.take([place])) for place in range(len(rows))]).softmax(-1)
        states = packed(model).pair_states(rows)
        expected = torch.cat([padded.pair_states(rows.take([place])) for place in range(len(rows))])
    assert scores.numpy() == pytest.approx(alone.numpy(), abs=1e-5)
    assert states.numpy() == pytest.approx(expected.numpy(), abs=1e-4)


@given(batch=batches)
def test_positions_are_counted_within_each_input(batch: list[list[int]]) -> None:
    rows = TokenRows.from_lists(batch, None)
    assert positions(rows, None).tolist() == [place for row in batch for place in range(len(row))]
    counted = []
    for row in batch:
        real = np.cumsum([token != 1 for token in row])
        counted += [1 if token == 1 else 1 + int(number) for token, number in zip(row, real, strict=True)]
    assert positions(rows, 1).tolist() == counted


@given(batch=batches, data=st.data())
def test_rows_are_taken_sliced_and_joined_as_lists_are(batch: list[list[int]], data: st.DataObject) -> None:
    rows = TokenRows.from_lists(batch, [[len(row) % 2] * len(row) for row in batch])
    places = data.draw(st.lists(st.integers(0, len(batch) - 1), max_size=8))
    taken = rows.take(places)
    assert [row.ids.tolist() for row in taken] == [batch[place] for place in places]
    assert [row.types.tolist() for row in taken if row.types is not None] == [
        [len(batch[place]) % 2] * len(batch[place]) for place in places
    ]
    cut = data.draw(st.integers(0, len(batch)))
    both = concatenate([rows[:cut], rows[cut:]])
    assert both.ids.tolist() == rows.ids.tolist()
    assert both.starts.tolist() == rows.starts.tolist()
    ids, mask, types = rows.padded(59)
    assert types is not None
    assert [row[real].tolist() for row, real in zip(ids, mask, strict=True)] == batch
    assert set(ids[~mask].tolist()) <= {59}
    with pytest.raises(IndexError):
        _ = rows[len(rows)]


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("Bert", {"position_embedding_type": "relative_key"}),
        ("Bert", {"is_decoder": True}),
        ("Bert", {"hidden_act": "silu"}),
        ("Electra", {"embedding_size": 8}),
        ("Albert", {}),
        ("DistilBert", {"dim": 16, "n_heads": 2, "n_layers": 1, "hidden_dim": 24}),
        ("DebertaV2", {}),
    ],
)
@pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning")
def test_other_encoders_are_padded(kind: str, more: dict[str, object]) -> None:
    model = classifier(kind, **more)
    assert find_parts(model) is None
    picked = pick_forward(model, 0, CPU, "float32")
    assert isinstance(picked.forward, Padded)
    assert picked.notes == []


def test_an_encoder_with_a_changed_layer_is_padded() -> None:
    model = classifier("Bert")

    class Adapted(torch.nn.Linear):  # type: ignore[misc,name-defined,unused-ignore]
        """A layer as adapters put it in place of another."""

    query = model.bert.encoder.layer[1].attention.self
    query.query = Adapted(16, 16)
    assert find_parts(model) is None


def test_an_encoder_that_computes_something_else_is_padded_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    model = classifier("Roberta")

    def wrong(model: PreTrainedModel) -> Parts | None:
        parts = find_parts(model)
        return None if parts is None else parts._replace(padding=parts.padding and parts.padding + 1)

    monkeypatch.setattr("nliprobe.models.packed.parts.find_parts", wrong)
    picked = pick_forward(model, 1, CPU, "float32")
    assert isinstance(picked.forward, Padded)
    assert picked.notes == ["Batches are padded: without padding this checkpoint computes something else."]


def test_a_way_that_cannot_be_used_here_is_left_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Plain):
        def activate(self, states: object, dense: object) -> Tensor:
            raise RuntimeError("no C compiler\nand more")

    parts = find_parts(MODELS["Bert"])
    assert parts is not None
    broken = PackedEncoder(parts, Broken(parts.activation), CPU)
    fine = PackedEncoder(parts, Plain(parts.activation), CPU)
    monkeypatch.setattr(ways, "_packed_ways", lambda model, device: [broken, fine])
    picked = pick_forward(MODELS["Bert"], 0, CPU, "float32")
    assert picked.forward is fine
    assert picked.notes == ["A faster way to compute cannot be used here (no C compiler)."]


@pytest.mark.parametrize("batch", [([[3, WORDS]], None), ([[3, 4]], [[0, 2]])])
def test_tokens_that_the_checkpoint_does_not_have_are_refused(
    batch: tuple[list[list[int]], list[list[int]] | None],
) -> None:
    with pytest.raises(UsageError, match="they do not go together"):
        packed(MODELS["Bert"]).scores(TokenRows.from_lists(*batch))
