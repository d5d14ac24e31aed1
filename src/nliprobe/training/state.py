"""Save and load the state of unfinished training as one safetensors file, so that it resumes after a kill."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.errors import StoreError, option
from nliprobe.base.files import set_aside, write_atomic
from nliprobe.models.network import Network

if TYPE_CHECKING:
    import torch

CHECKPOINT = "checkpoint.safetensors"
_ABOUT = "nliprobe"


@dataclass
class TrainingState:
    """How far training has come.

    Attributes:
        identity: a digest of everything that determines training; the state of another training is refused.
        epoch: complete epochs.
        batch: batches done in the current epoch.
        step: batches done in all epochs.
        loss: the sum of the losses in the current epoch.
        dev: the accuracy on dev after each epoch.
        losses: the mean loss of each complete epoch.
        seconds: how long training took so far.
    """

    identity: str
    epoch: int = 0
    batch: int = 0
    step: int = 0
    loss: float = 0.0
    dev: list[float] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)
    seconds: float = 0.0


def save_state(
    folder: Path,
    state: TrainingState,
    network: Network,
    module: torch.nn.Module,
    optimizer: torch.optim.Optimizer,
    device: torch.device,
) -> None:
    """Save the state, whole or not at all: trainable weights, the optimizer's and network's memory, random states."""
    import torch
    from safetensors.torch import save

    tensors: dict[str, torch.Tensor] = {
        f"weight.{name}": weight for name, weight in module.named_parameters() if weight.requires_grad
    }
    for number, memory in optimizer.state_dict()["state"].items():
        tensors.update({f"optimizer.{number}.{name}": value for name, value in memory.items()})
    tensors.update({f"network.{name}": value for name, value in network.memory().items()})
    tensors["random.cpu"] = torch.get_rng_state()
    if device.type == "cuda":
        tensors["random.cuda"] = torch.cuda.get_rng_state(device)
    # A copy each: safetensors refuses tensors that share memory.
    whole = {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}
    write_atomic(folder / CHECKPOINT, save(whole, {_ABOUT: json.dumps(asdict(state))}))


def load_state(
    folder: Path,
    identity: str,
    network: Network,
    module: torch.nn.Module,
    optimizer: torch.optim.Optimizer,
    device: torch.device,
) -> TrainingState | None:
    """Restore the state saved in a folder; return None if there is none, or if it was damaged and set aside."""
    import torch
    from safetensors import SafetensorError, safe_open

    path = folder / CHECKPOINT
    if not path.is_file():
        return None
    try:
        with safe_open(path, framework="pt") as stream:
            state = TrainingState(**json.loads(stream.metadata()[_ABOUT]))
            tensors = {name: stream.get_tensor(name) for name in stream.keys()}  # noqa: SIM118 (it is no mapping)
    except (SafetensorError, OSError, KeyError, TypeError, ValueError):
        set_aside(path)
        return None
    if state.identity != identity:
        raise StoreError(
            f"{folder} holds another training that was not finished: its network, {network.starts_from}, data or "
            "choices differ. "
            f"Choose another folder with {option('out')}, or delete that one."
        )
    learning = {f"weight.{name}": weight for name, weight in module.named_parameters() if weight.requires_grad}
    shapes = {name: tensor.shape for name, tensor in tensors.items() if name.startswith("weight.")}
    if shapes != {name: weight.shape for name, weight in learning.items()} or "random.cpu" not in tensors:
        set_aside(path)
        return None
    with torch.no_grad():
        for name, weight in learning.items():
            weight.copy_(tensors[name])
    own = {name.removeprefix("network."): tensor for name, tensor in tensors.items() if name.startswith("network.")}
    network.recall(own)
    memory: dict[int, dict[str, torch.Tensor]] = {}
    for name, tensor in tensors.items():
        group, _, rest = name.partition(".")
        if group == "optimizer":
            number, _, what = rest.partition(".")
            memory.setdefault(int(number), {})[what] = tensor
    optimizer.load_state_dict({"state": memory, "param_groups": optimizer.state_dict()["param_groups"]})
    torch.set_rng_state(tensors["random.cpu"])
    if device.type == "cuda" and "random.cuda" in tensors:
        torch.cuda.set_rng_state(tensors["random.cuda"], device)
    return state
