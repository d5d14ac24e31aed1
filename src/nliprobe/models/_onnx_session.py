"""A graph in onnxruntime: which tokens it takes, which scores it gives, and how the CPU is used for it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.errors import DataError, MissingExtraError, UsageError
from nliprobe.models._onnx_graph import rounds_batches
from nliprobe.models.answers import PROBABILITY_FIELDS, Scores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession, NodeArg

    from nliprobe.models.token_rows import TokenRows

IDS, MASK, TYPES = "input_ids", "attention_mask", "token_type_ids"
_TYPES = {"tensor(int64)": "int64", "tensor(int32)": "int32", "tensor(float)": "float32", "tensor(bool)": "bool"}
LOGITS = "logits"
# The output of our own graphs with one vector per input: the last layer's, of the pair as the network reads it.
VECTORS = "pair_vectors"
_OPSET = re.compile(r"Opset (\d+) is under development.*till opset (\d+)", re.DOTALL)
_PLACES = re.compile(
    r"\[ONNXRuntimeError\] : \d+ : \w+ : |Load model from .* failed:|/\S+\.(?:h|cc):\d+ .*?\) (?=[A-Z])"
)


class Graph:
    """A graph that reads tokens and gives a score per class.

    Attributes:
        name: its file.
        classes: how many classes it tells apart, or none if the file does not say.
        kind: whether its scores are logits or probabilities, by the name of its output.
        rows: how many inputs it always reads at once, or none if any number.
        columns: how many tokens it always reads per input, or none if any number.
        has_vectors: whether it gives a vector per input, too.
        alone: whether each input is asked alone, because the graph rounds by a scale of the whole batch.
    """

    def __init__(self, path: Path, device: str, threads: int) -> None:
        self.name = str(path)
        self._session = _open(path, device, threads)
        self._inputs = {item.name: _number_type(item, self.name) for item in self._session.get_inputs()}
        others = sorted(set(self._inputs) - {IDS, MASK, TYPES})
        if others or IDS not in self._inputs:
            raise DataError(
                f"{path} is not a classifier of texts: it reads {', '.join(others or self._inputs)}, "
                f"but tokens are given as {IDS}, {MASK} and {TYPES}."
            )
        shape = next(item.shape for item in self._session.get_inputs() if item.name == IDS)
        self.rows, self.columns = (size if isinstance(size, int) else None for size in shape)
        if self.columns is not None and not self.masked:
            raise DataError(
                f"{path} always reads {self.columns} tokens and takes no {MASK}, so that what fills a shorter input up "
                "would change its answers. Export it with a dynamic length."
            )
        self.alone = rounds_batches(path)
        output = _scores_of(self._session, self.name)
        self._output = output.name
        self.classes = output.shape[1] if isinstance(output.shape[1], int) else None
        self.has_vectors = any(item.name == VECTORS for item in self._session.get_outputs())
        self.kind = Scores.LOGITS if output.name == LOGITS else Scores.EITHER
        if output.name in PROBABILITY_FIELDS:
            self.kind = Scores.PROBABILITIES

    @property
    def masked(self) -> bool:
        """Whether it is told which tokens only fill up a row; otherwise only inputs of one length go together."""
        return MASK in self._inputs

    def scores(self, tokens: TokenRows, padding: int) -> NDArray[np.float32]:
        """Return the scores of the classes, a row per input."""
        return self._run(self._output, tokens, padding)

    def vectors(self, tokens: TokenRows, padding: int) -> NDArray[np.float32]:
        """Return one vector per input; the graph must have them."""
        return self._run(VECTORS, tokens, padding)

    def _run(self, output: str, tokens: TokenRows, padding: int) -> NDArray[np.float32]:
        import numpy as np

        ids, mask, types = tokens.padded(padding)
        given = {IDS: ids, MASK: mask, TYPES: np.zeros_like(ids) if types is None else types}
        fills = {IDS: padding, MASK: 0, TYPES: 0}
        feed = {
            name: self._fitted(given[name], fills[name]).astype(kind, copy=False) for name, kind in self._inputs.items()
        }
        made: NDArray[np.float32] = np.asarray(self._session.run([output], feed)[0], np.float32)
        if made.ndim != 2:
            raise DataError(f"{self.name} is not a classifier: '{output}' has {made.ndim} dimensions, not 2.")
        return made[: len(tokens)]

    def _fitted(self, table: NDArray[np.generic], fill: int) -> NDArray[np.generic]:
        """Fill a table up to the size that a graph insists on; added rows repeat the first, so that none is empty."""
        import numpy as np

        rows, columns = table.shape
        if self.columns is not None and columns < self.columns:
            table = np.pad(table, ((0, 0), (0, self.columns - columns)), constant_values=fill)
        if self.rows is not None and rows < self.rows:
            table = np.concatenate([table, np.repeat(table[:1], self.rows - rows, axis=0)])
        return table


def available_threads() -> int:
    """Return how many threads a graph may use: OMP_NUM_THREADS as in torch, otherwise the cores of this process."""
    wanted = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0]
    if wanted.isdigit() and int(wanted):
        return int(wanted)
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _open(path: Path, device: str, threads: int) -> InferenceSession:
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingExtraError("onnx:… needs the package onnxruntime, which is not installed", "onnx") from error
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.intra_op_num_threads = threads or available_threads()
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # what fails is raised, too
    providers = _providers(device, onnxruntime.get_available_providers())
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=providers)
    except Exception as error:  # its errors have no common class
        release = onnxruntime.__version__
        raise DataError(f"{path} cannot be loaded by onnxruntime {release}: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    """Return why a file was refused, without the places in the library's source that its errors begin with."""
    opset = _OPSET.search(str(error))
    if opset is not None:
        used, known = opset.groups()
        return (
            f"it uses version {used} of the operators, and versions up to {known} are known. "
            "Install a newer onnxruntime, or export it with an older opset."
        )
    line = (str(error).splitlines() or [type(error).__name__])[0]
    return f"{_PLACES.sub('', line).strip().rstrip('.') or type(error).__name__}."


def _providers(device: str, available: list[str]) -> list[tuple[str, dict[str, str]]]:
    """Return what computes: the CPU, or a GPU in true float32 with the CPU for what it cannot do."""
    kind, _, number = device.partition(":")
    cpu: tuple[str, dict[str, str]] = ("CPUExecutionProvider", {})
    if kind == "cpu" and not number:
        return [cpu]
    if kind != "cuda" or (number and not number.isdigit()):
        raise UsageError(f"There is no device '{device}' for ONNX: expected cpu, cuda or cuda:N.")
    if "CUDAExecutionProvider" not in available:
        raise UsageError(
            f"The device '{device}' was asked for, but this onnxruntime knows no GPU. Install with: "
            "pip install onnxruntime-gpu"
        )
    return [("CUDAExecutionProvider", {"device_id": number or "0", "use_tf32": "0"}), cpu]


def _number_type(item: NodeArg, graph: str) -> str:
    if item.type not in _TYPES or len(item.shape) != 2:
        raise DataError(
            f"{graph} is not a classifier of texts: its input '{item.name}' is a {item.type} of {len(item.shape)} "
            "dimensions, not a table of whole numbers."
        )
    return _TYPES[item.type]


def _scores_of(session: InferenceSession, graph: str) -> NodeArg:
    """Return the output with the scores: the one called logits, otherwise the first."""
    outputs = session.get_outputs()
    scores = next((item for item in outputs if item.name == LOGITS), outputs[0])
    if len(scores.shape) != 2:
        raise DataError(
            f"{graph} is not a classifier: its output '{scores.name}' has {len(scores.shape)} dimensions, but scores "
            "are a row per input with a number per class. Was it exported without its head?"
        )
    return scores
