"""What models on torch share: the device, the extra's message, inputs as token ids, batches of like lengths."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.task.prediction import Input

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedTokenizerBase

# Inputs tokenised at once: the fast tokenisers work in parallel over a list.
_AT_ONCE = 4096


class Tokens(NamedTuple):
    """One input as a network reads it; ``types`` is empty where the tokenizer tells no sides apart."""

    ids: list[int]
    types: list[int]


class Encoded(NamedTuple):
    """Inputs as token ids, and how many of them had to be cut."""

    tokens: list[Tokens]
    cut: int


def require_torch() -> None:
    """Say how to install what is missing."""
    try:
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError as error:
        raise NotFoundError(f"This model needs {error.name}. Install with: pip install 'nliprobe[torch]'.") from error


def choose_device(name: str) -> torch.device:
    """``auto`` is the GPU where there is one."""
    import torch

    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise UsageError(f"There is no device '{name}': expected auto, cpu, cuda or cuda:N.") from error
    if device.type == "cuda" and not torch.cuda.is_available():
        raise UsageError(f"The device '{name}' was asked for, but torch sees no GPU here.")
    return device


def encode(tokenizer: PreTrainedTokenizerBase, inputs: Sequence[Input], max_length: int) -> Encoded:
    """Tokenise inputs. The hypothesis is kept whole: what does not fit the window is cut from the premise's end."""
    tokens: list[Tokens] = []
    cut = 0
    with_premise = {bool(item.segments) for item in inputs}
    if len(with_premise) > 1:
        raise UsageError("Inputs with and without premise cannot be mixed in one batch.")
    for start in range(0, len(inputs), _AT_ONCE):
        part = inputs[start : start + _AT_ONCE]
        texts = [[item.hypothesis for item in part]]
        if True in with_premise:
            texts.insert(0, [item.premise for item in part])
        batch = tokenizer(*texts, truncation="only_first", max_length=max_length, padding=False)
        found = batch["input_ids"]
        types = batch.get("token_type_ids") or [[] for _ in found]
        cut += sum(bool(item.overflowing) for item in batch.encodings or [])
        tokens.extend(Tokens(list(ids), list(kinds)) for ids, kinds in zip(found, types, strict=True))
    return Encoded(tokens, cut)


def batches(tokens: Sequence[Tokens], budget: int) -> Iterator[list[int]]:
    """Indices of inputs in batches of like lengths, each of at most ``budget`` tokens with its padding.

    Sorted lengths add half a percent of padding where random order more than doubles the work.
    """
    order = sorted(range(len(tokens)), key=lambda index: (-len(tokens[index].ids), index))
    batch: list[int] = []
    longest = 0
    for index in order:
        longest = max(longest, len(tokens[index].ids))
        if batch and longest * (len(batch) + 1) > budget:
            yield batch
            batch, longest = [], len(tokens[index].ids)
        batch.append(index)
    if batch:
        yield batch


def pad(tokens: Sequence[Tokens], padding: int, device: torch.device) -> dict[str, torch.Tensor]:
    """A batch of inputs as the tensors a network takes."""
    import torch

    longest = max(len(item.ids) for item in tokens)
    size = (len(tokens), longest)
    ids = torch.full(size, padding, dtype=torch.long)
    mask = torch.zeros(size, dtype=torch.long)
    types = torch.zeros(size, dtype=torch.long)
    for row, item in enumerate(tokens):
        ids[row, : len(item.ids)] = torch.tensor(item.ids)
        mask[row, : len(item.ids)] = 1
        if item.types:
            types[row, : len(item.types)] = torch.tensor(item.types)
    made = {"input_ids": ids, "attention_mask": mask}
    if tokens[0].types:
        made["token_type_ids"] = types
    return {name: tensor.to(device, non_blocking=True) for name, tensor in made.items()}


def network_scores(
    network: Callable[[dict[str, torch.Tensor]], torch.Tensor],
    tokens: Sequence[Tokens],
    padding: int,
    device: torch.device,
    budget: int,
) -> list[list[float]]:
    """Ask a network in batches of like lengths; the answers come back in the order of the inputs.

    The network must be set to answer, not to learn.
    """
    import torch

    found: list[list[float]] = [[] for _ in tokens]
    with torch.inference_mode(), torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        for chosen in batches(tokens, budget):
            rows = network(pad([tokens[index] for index in chosen], padding, device)).float().cpu().tolist()
            for index, row in zip(chosen, rows, strict=True):
                found[index] = row
    return found
