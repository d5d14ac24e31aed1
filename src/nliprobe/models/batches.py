"""Helpers of all models on torch: the device, loading, inputs as token ids, batches of similar lengths."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from pickle import UnpicklingError
from typing import TYPE_CHECKING, Generic, TypeVar

from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.models._tokens import read_inputs
from nliprobe.models.token_rows import Tokens as Tokens
from nliprobe.task.case import Input

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedTokenizerBase

T = TypeVar("T")
# On a CPU larger batches leave the caches: over 320 pairs of InfoTabS on one core MiniLM answers 17.1 pairs per second
# one by one, 19.2 in batches of 1,024 tokens, 19.6 of 2,048, 17.9 of 4,096 and 14.2 of 16,384 (padding adds 23 %).
# Wider networks fill the caches sooner, so the smaller of the two best is used.
CPU_BUDGET = 1024


@dataclass(frozen=True)
class Prepared(Generic[T]):
    """Inputs as a network reads them, how long each one is, and how many had to be cut."""

    items: Sequence[T]
    sizes: Sequence[int]
    cut: int = 0


def require_torch() -> None:
    """Raise an error that says how to install torch if it is missing."""
    try:
        import torch  # noqa: F401
    except ImportError as error:
        raise _missing(error) from error


def require_transformers() -> None:
    """Raise an error that says how to install torch and transformers if they are missing.

    Networks over words do without ``transformers``, whose import takes seconds.
    """
    require_torch()
    try:
        from transformers.utils import logging
    except ImportError as error:
        raise _missing(error) from error
    # Progress bars of loading weights would disturb the bars of the run.
    logging.disable_progress_bar()  # type: ignore[no-untyped-call,unused-ignore]


def _missing(error: ImportError) -> NotFoundError:
    return NotFoundError(f"This model needs {error.name}. Install with: pip install 'nliprobe[torch]'.")


def choose_device(name: str) -> torch.device:
    """Return the device of a name; ``auto`` is the GPU if there is one."""
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


def is_gpu(device: str) -> bool:
    """Tell whether a device is other than the CPU, where networks compute with half of the digits.

    Without torch nothing is asked at all, so nothing is said here; the error comes when the network is loaded.
    """
    try:
        return device != "cpu" and choose_device(device).type != "cpu"
    except (ImportError, UsageError):
        return False


def weights_from(*, allow_bin: bool) -> dict[str, bool | None]:
    """Return how ``transformers`` loads weights: from safetensors only, and never with code from the checkpoint.

    With ``allow_bin`` it takes ``.bin`` where there are no safetensors. That is a pickle, and reading one can run
    code that its author put there; ``transformers`` reads only tensors from it, a guard that has had gaps.
    """
    return {"use_safetensors": None if allow_bin else True, "trust_remote_code": False}


def refused_weights(name: str, error: Exception, *, allow_bin: bool) -> NotFoundError:
    """Return the error for weights that were not loaded; it says how to get at those in ``.bin`` files."""
    folder = Path(name)
    kept = sorted(path.name for path in folder.glob("*.bin")) if folder.is_dir() else []
    only_bin = bool(kept) and not any(folder.glob("*.safetensors"))
    if isinstance(error, UnpicklingError):
        return NotFoundError(f"{name} is not a checkpoint that can be loaded: its .bin file holds more than tensors.")
    if allow_bin or not (only_bin or "safetensors" in str(error)):
        return NotFoundError(f"{name} is not a checkpoint that can be loaded: {first_line(error)}")
    what = f"only in {kept[0]}" if only_bin else "not as safetensors"
    return NotFoundError(
        f"{name} holds its weights {what}. Weights are read from safetensors only, because a .bin file is a pickle and "
        "can run code when it is read. Save them as safetensors (save_pretrained does), or add allow_bin=1 if you "
        "trust where the file comes from."
    )


def load_encoder(name: str, *, empty: bool = False, allow_bin: bool = False) -> torch.nn.Module:
    """Load an encoder with the weights of a checkpoint, or only with its shape."""
    require_transformers()
    import torch
    from transformers import AutoConfig, AutoModel

    try:
        if empty:
            config = AutoConfig.from_pretrained(name, trust_remote_code=False)
            encoder: torch.nn.Module = AutoModel.from_config(config)  # type: ignore[no-untyped-call,unused-ignore]
        else:
            encoder = AutoModel.from_pretrained(name, dtype=torch.float32, **weights_from(allow_bin=allow_bin))
    except (OSError, ValueError, UnpicklingError) as error:
        raise refused_weights(name, error, allow_bin=allow_bin) from error
    return encoder


def load_tokenizer(name: str) -> PreTrainedTokenizerBase:
    """Load the tokenizer of a checkpoint."""
    require_transformers()
    from transformers import AutoTokenizer

    try:
        tokenizer: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(name, trust_remote_code=False)
    except (OSError, ValueError) as error:
        raise NotFoundError(f"{name} has no tokenizer that can be loaded: {first_line(error)}") from error
    return tokenizer


def first_line(error: Exception) -> str:
    """Return the first line of a library's error; the rest is for its developers."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def encode(tokenizer: PreTrainedTokenizerBase, inputs: Sequence[Input], max_length: int) -> Prepared[Tokens]:
    """Tokenise inputs; the hypothesis stays whole, and the end of a premise that does not fit the window is cut."""
    tokenised = read_inputs(tokenizer, inputs, max_length)
    return Prepared(tokenised.rows, tokenised.rows.sizes.tolist(), tokenised.cut)


def cut_note(cut: int, asked: int) -> list[str]:
    """Return a note on how many premises did not fit, if any."""
    return [f"{cut:,} of {asked:,} premises were cut to fit the window."] if cut else []


def batches(sizes: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Yield indices of inputs in batches of similar sizes, each of at most ``budget`` tokens with its padding."""
    import numpy as np

    from nliprobe.models.stream import Budget, batches_by_tokens

    for batch in batches_by_tokens(np.asarray(sizes, np.int64), Budget(budget), packs=False):
        yield batch.tolist()


def pad(tokens: Sequence[Tokens], padding: int, device: torch.device) -> dict[str, torch.Tensor]:
    """Return a batch of inputs as the tensors that a network takes."""
    import torch

    longest = max(len(item.ids) for item in tokens)
    size = (len(tokens), longest)
    ids = torch.full(size, padding, dtype=torch.long)
    mask = torch.zeros(size, dtype=torch.long)
    types = torch.zeros(size, dtype=torch.long)
    for row, item in enumerate(tokens):
        ids[row, : len(item.ids)] = torch.from_numpy(item.ids)
        mask[row, : len(item.ids)] = 1
        if item.types is not None:
            types[row, : len(item.types)] = torch.from_numpy(item.types)
    tensors = {"input_ids": ids, "attention_mask": mask}
    if tokens[0].types is not None:
        tensors["token_type_ids"] = types
    return {name: tensor.to(device, non_blocking=True) for name, tensor in tensors.items()}


@contextmanager
def answering(device: torch.device, *, exact: bool) -> Iterator[None]:
    """Compute without gradients; on a GPU in bfloat16, or for an ``exact`` network in true float32."""
    import torch

    if device.type == "cuda" and exact:
        # By default recurrent layers round what they multiply to ten bits.
        with torch.inference_mode(), torch.backends.cudnn.flags(enabled=True, allow_tf32=False):
            yield
    else:
        with torch.inference_mode(), torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            yield


def network_scores(
    forward: Callable[[Sequence[T]], torch.Tensor],
    prepared: Prepared[T],
    device: torch.device,
    budget: int,
    *,
    exact: bool = False,
    cpu_budget: int = CPU_BUDGET,
) -> list[list[float]]:
    """Ask a network in batches of similar sizes, and return its scores in the order of the inputs.

    The network must be in evaluation mode. An ``exact`` one computes in float32 on a GPU, too.
    """
    scores: list[list[float]] = [[] for _ in prepared.sizes]
    with answering(device, exact=exact):
        for chosen in batches(prepared.sizes, min(budget, cpu_budget) if device.type == "cpu" else budget):
            rows = forward([prepared.items[index] for index in chosen]).float().cpu().tolist()
            for index, row in zip(chosen, rows, strict=True):
                scores[index] = row
    return scores
