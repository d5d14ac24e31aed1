"""Writing a network as an ONNX graph, with its tokenizer and configuration: in float32, or with weights of 8 bits."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path
from pickle import UnpicklingError
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.base.errors import DataError, MissingExtraError, ModelError, UsageError
from nliprobe.base.files import read_json, write_json
from nliprobe.base.registry import Spec
from nliprobe.models import tokenizer_file
from nliprobe.models._onnx_session import IDS, LOGITS, MASK, TYPES, VECTORS
from nliprobe.models.base import Model, PairView
from nliprobe.models.batches import first_line, load_tokenizer, refused_weights, require_transformers, weights_from
from nliprobe.models.checkpoint import Checkpoint
from nliprobe.models.head_labels import head_labels, label_name
from nliprobe.models.onnx_files import GRAPH
from nliprobe.models.trained import WEIGHTS, Trained, load_weights, network_of
from nliprobe.models.zoo.classifier import Classifier
from nliprobe.task.labels import LabelMap, LabelSet

if TYPE_CHECKING:
    import torch
    from onnx import GraphProto
    from transformers import PretrainedConfig, PreTrainedTokenizerBase

INT8 = "model_int8.onnx"
_PACKAGES = ("torch", "transformers", "onnx", "onnxruntime", "onnxscript")
_PRODUCTS = ("MatMul", "Gemm")
# A file of Protocol Buffers holds at most 2 GB; tensors of larger networks are written into a file beside it.
_LARGEST_FILE = 1_900_000_000
# Attention that is written out as products and a softmax: over 24 and 160 pairs of InfoTabS with MiniLM, graphs of
# torch's own attention take 1.1 to 1.5 times as much processor time in onnxruntime.
_ATTENTION = "eager"


class Exportable(NamedTuple):
    """A network in evaluation mode, and what its folder needs.

    Attributes:
        module: takes the tensors of a batch by their names.
        tokenizer: makes the tokens.
        config: the configuration of its encoder.
        labels: of its classes, in order.
        window: the longest input in tokens.
        view: how it was shown pairs when it learnt, if known.
    """

    module: torch.nn.Module
    tokenizer: PreTrainedTokenizerBase
    config: PretrainedConfig
    labels: tuple[LabelSet, ...]
    window: int
    view: PairView | None


def require_exporter() -> None:
    """Raise an error that says what to install if a package is missing that writes graphs."""
    for name in _PACKAGES:
        try:
            import_module(name)
        except ImportError as error:
            raise MissingExtraError(f"Exporting to ONNX needs the package {name}", "export") from error
    require_transformers()


def exportable(model: Model, declared: LabelMap | None) -> Exportable:
    """Load what a graph is made from.

    Args:
        model: a checkpoint, or an encoder with a head that ``nliprobe train`` has trained.
        declared: the order of its labels, if the user declared one.

    Raises:
        UsageError: it is a model of another kind.
    """
    if isinstance(model, Checkpoint):
        return _of_checkpoint(model, declared)
    if isinstance(model, Trained) and model.record.kind == "network":
        network = network_of(Spec.parse(model.record.spec))
        if isinstance(network, Classifier):
            return _of_classifier(model, network)
    raise not_exportable(Spec.parse(model.record.spec).name if isinstance(model, Trained) else type(model).__name__)


def not_exportable(what: str) -> UsageError:
    """Return the error for a model that cannot become a graph."""
    return UsageError(
        f"'{what}' cannot be exported to ONNX. Those that can: transformers:…, and trained:… of the network classifier."
    )


def _of_checkpoint(model: Checkpoint, declared: LabelMap | None) -> Exportable:
    import torch
    from transformers import AutoModelForSequenceClassification

    allow_bin = model.params.allow_bin
    try:
        loaded = AutoModelForSequenceClassification.from_pretrained(
            model.name, attn_implementation=_ATTENTION, dtype=torch.float32, **weights_from(allow_bin=allow_bin)
        )
    except (OSError, ValueError, UnpicklingError) as error:
        raise refused_weights(model.name, error, allow_bin=allow_bin) from error
    names = [str(name) for _, name in sorted(loaded.config.id2label.items())]
    labels = declared or head_labels(model.name, names)
    if len(labels.codes) != len(names):
        raise UsageError(f"{model.name} has {len(names)} classes, but {len(labels.codes)} labels are declared.")
    tokenizer = load_tokenizer(model.name)
    model.origin().require_unchanged(model.name)
    window = min(model.params.max_length, tokenizer.model_max_length)
    window = min(window, getattr(loaded.config, "max_position_embeddings", None) or window)
    return Exportable(loaded.eval(), tokenizer, loaded.config, tuple(labels.order()), window, None)


def _of_classifier(model: Trained, network: Classifier) -> Exportable:
    record = model.record
    record.require_sound(model.folder, model.origin())
    module = network.shape(model.folder, len(record.classes))
    load_weights(module, model.folder / WEIGHTS)
    model.origin().require_unchanged(str(model.folder))
    encoder = module.encoder
    encoder.set_attn_implementation(_ATTENTION)  # type: ignore[union-attr,operator,unused-ignore]
    tokenizer = load_tokenizer(str(model.folder))
    window = min(network.plan.max_length, tokenizer.model_max_length)
    config: PretrainedConfig = encoder.config  # type: ignore[union-attr,assignment,unused-ignore]
    return Exportable(module.eval(), tokenizer, config, record.classes, window, model.learnt_view)


def write_graph(network: Exportable, folder: Path) -> Path:
    """Write tokenizer, configuration and a graph in float32 into a folder, and return the graph's path."""
    import torch

    from nliprobe.models._onnx_module import GraphModule

    _write_tokenizer(network, folder)
    names = [label_name(label) for label in network.labels]
    network.config.id2label = dict(enumerate(names))
    network.config.label2id = {name: index for index, name in enumerate(names)}
    network.config.save_pretrained(folder)
    batch = network.tokenizer(["a premise of several words", "a premise"], ["a hypothesis", "one"], padding=True)
    inputs = [name for name in (IDS, MASK, TYPES) if name in batch]
    tensors = tuple(torch.tensor(batch[name]) for name in inputs)
    dynamic = {0: torch.export.Dim("batch"), 1: torch.export.Dim("tokens")}
    size = sum(weight.numel() * weight.element_size() for weight in network.module.parameters())
    path = folder / GRAPH
    with _quietly() as said, torch.inference_mode():
        try:
            torch.onnx.export(
                GraphModule(network.module, inputs).eval(), tensors, path, input_names=inputs,
                output_names=[LOGITS, VECTORS],
                dynamo=True, dynamic_shapes=((dynamic,) * len(inputs),), external_data=size > _LARGEST_FILE,
                verbose=False,
            )  # fmt: skip
        except Exception as error:  # whatever torch cannot trace
            reason = first_line(error) or said.getvalue().strip().rpartition("\n")[2]
            raise ModelError(
                f"torch {torch.__version__} cannot write a network of the kind {network.config.model_type} as a graph: "
                f"{reason.rstrip('.')}."
            ) from error
    return path


def _write_tokenizer(network: Exportable, folder: Path) -> None:
    network.tokenizer.model_max_length = network.window
    network.tokenizer.save_pretrained(folder)
    if not (folder / tokenizer_file.NAME).is_file():
        raise DataError(
            f"The tokenizer of {network.config.model_type} is written in Python and has no {tokenizer_file.NAME}, "
            "without which its graph cannot be asked."
        )
    # Whether a tokenizer marks the two sides is otherwise known only to its class in ``transformers``.
    settings = folder / tokenizer_file.SETTINGS[0]
    write_json(settings, read_json(settings) | {"model_input_names": list(network.tokenizer.model_input_names)})


def write_int8(graph: Path) -> Path:
    """Write a graph anew with weights of 8 bits, whose inputs are rounded as they come; the old file is deleted.

    Each column of a weight has a scale of its own. Weights have no sign, and a zero of their own instead: with signed
    ones, processors without VNNI add up products in 16 bits, which overflow, and the same file would answer otherwise
    there (a tiny network: 29 of 60 labels as in float32, without a sign 47).

    Embeddings, norms, the softmax and products that make a vector narrower stay in float32. What goes into the second
    layer of a block has a few large values, by which all others would be rounded. With signed weights, a trained MiniLM
    and 500 pairs of SNLI test, each asked alone, the same answer came to 493 (1.3 times as fast as float32 by processor
    time), and with these products rounded, too, to 487 (1.9 times).
    """
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    whole = onnx.load(graph)
    # The shapes that torch notes are wrong once weights are turned.
    del whole.graph.value_info[:]
    path = graph.with_name(INT8)
    large = whole.ByteSize() > _LARGEST_FILE
    with _quietly():
        quantize_dynamic(
            whole, path, weight_type=QuantType.QUInt8, per_channel=True, op_types_to_quantize=[*_PRODUCTS],
            use_external_data_format=large, nodes_to_exclude=_narrowing(whole.graph),
        )  # fmt: skip
    for old in graph.parent.glob(f"{graph.name}*"):
        old.unlink()
    return path


def _narrowing(graph: GraphProto) -> list[str]:
    """Return the names of the products with a weight that gives fewer numbers than it takes."""
    shapes = {tensor.name: tuple(tensor.dims) for tensor in graph.initializer}
    names = []
    for node in graph.node:
        if node.op_type not in _PRODUCTS or len(shapes.get(node.input[1], ())) != 2:
            continue
        takes, gives = shapes[node.input[1]]
        if any(item.name == "transB" and item.i for item in node.attribute):
            takes, gives = gives, takes
        if gives < takes:
            names.append(node.name)
    return names


@contextmanager
def _quietly() -> Iterator[StringIO]:
    """Keep what exporters print and warn about; it is for those who write exporters."""
    said, level = StringIO(), logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings(), redirect_stdout(said), redirect_stderr(said):
            warnings.simplefilter("ignore")
            yield said
    finally:
        logging.disable(level)
