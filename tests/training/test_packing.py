"""Texts side by side: as torch packs them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="the [torch] extra is not installed")


@given(st.lists(st.integers(1, 9), min_size=1, max_size=8), st.integers(0, 3))
@settings(deadline=None, max_examples=60)
def test_a_recurrent_layer_reads_texts_as_torch_packs_them(lengths: list[int], more: int) -> None:
    from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

    from nliprobe.models.zoo._texts import run_lstm

    torch.manual_seed(0)
    lstm = torch.nn.LSTM(3, 4, batch_first=True, bidirectional=True).double()
    longest = max(lengths) + more
    states = torch.randn(len(lengths), longest, 3, dtype=torch.float64)
    one, two = states.clone().requires_grad_(), states.clone().requires_grad_()
    ours = run_lstm(lstm, one, torch.tensor(lengths))
    packed = pack_padded_sequence(two, torch.tensor(lengths), batch_first=True, enforce_sorted=False)
    theirs, _ = pad_packed_sequence(lstm(packed)[0], batch_first=True, total_length=longest)
    torch.testing.assert_close(ours, theirs)
    weights = torch.randn_like(ours)
    (ours * weights).sum().backward()
    (theirs * weights).sum().backward()
    torch.testing.assert_close(one.grad, two.grad)
