"""Small ONNX classifiers of their own making, with a tokenizer and a configuration: no torch is needed for them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
WORDS = [*MARKS, *"abcdefgh", "the", "row", "of"]
THREE = ("entailment", "neutral", "contradiction")


def weights(classes: int = 3) -> NDArray[np.float32]:
    """What each token adds to the score of each class."""
    import numpy as np

    return np.random.default_rng(1).normal(size=(len(WORDS), classes)).astype(np.float32)


def write_graph(
    path: Path,
    *,
    classes: int = 3,
    rows: int | str = "batch",
    columns: int | str = "tokens",
    inputs: Sequence[str] = ("input_ids", "attention_mask", "token_type_ids"),
    numbers: str = "INT64",
    output: str = "logits",
    opset: int = 17,
    pooled: bool = True,
    external: str = "",
) -> Path:
    """Write a graph whose scores are sums over the tokens of an input; tokens of the second side count twice."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    kind = getattr(TensorProto, numbers)
    given = [helper.make_tensor_value_info(name, kind, [rows, columns]) for name in inputs]
    nodes = [helper.make_node("Gather", ["table", inputs[0]], ["each"])]
    last = "each"
    for place, name in enumerate(inputs[1:]):
        shift = ["one"] if name == "token_type_ids" else []
        nodes += [
            helper.make_node("Cast", [name], [f"cast{place}"], to=TensorProto.FLOAT),
            helper.make_node("Add", [f"cast{place}", *shift], [f"side{place}"]) if shift else
            helper.make_node("Identity", [f"cast{place}"], [f"side{place}"]),
            helper.make_node("Unsqueeze", [f"side{place}", "last_axis"], [f"wide{place}"]),
            helper.make_node("Mul", [last, f"wide{place}"], [f"masked{place}"]),
        ]  # fmt: skip
        last = f"masked{place}"
    shape: list[int | str] = [rows, classes] if pooled else [rows, columns, classes]
    if pooled:
        nodes.append(helper.make_node("ReduceSum", [last, "token_axis"], [output], keepdims=0))
    else:
        nodes.append(helper.make_node("Identity", [last], [output]))
    import numpy as np

    tensors = {
        "table": weights(classes),
        "one": np.array([1], np.float32),
        "last_axis": np.array([-1], np.int64),
        "token_axis": np.array([1], np.int64),
    }
    held = [numpy_helper.from_array(value, name) for name, value in tensors.items()]
    scores = helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)
    graph = helper.make_graph(nodes, "sums", given, [scores], held)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    if external:
        onnx.save(model, path, save_as_external_data=True, location=external, size_threshold=64)
    else:
        onnx.save(model, path)
    return path


def write_tokenizer(folder: Path, **settings: object) -> None:
    """Write a tokenizer of words, with the truncation and padding that exported ones often bring along."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    made = Tokenizer(models.WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    made.enable_truncation(8)
    made.enable_padding(length=8)
    made.save(str(folder / "tokenizer.json"))
    content = {"model_max_length": 64, "pad_token": "[PAD]", "tokenizer_class": "PreTrainedTokenizerFast"}
    _write(folder / "tokenizer_config.json", content | settings)


def write_config(folder: Path, names: Sequence[str] = THREE, **settings: object) -> None:
    """Write a configuration with the names of the classes."""
    _write(folder / "config.json", {"id2label": {str(place): name for place, name in enumerate(names)}} | settings)


def write_model(folder: Path, **how: Any) -> Path:
    """Write a whole folder."""
    write_graph(folder / "model.onnx", **how)
    write_tokenizer(folder)
    write_config(folder, THREE[: how.get("classes", 3)])
    return folder


def expected(premise: str, hypothesis: str, classes: int = 3, window: int = 64) -> list[float]:
    """The probabilities that such a graph gives, worked out by hand."""
    import numpy as np

    table, number = weights(classes), {word: place for place, word in enumerate(WORDS)}
    one, two = ([number.get(word, 1) for word in text.split()] for text in (premise, hypothesis))
    scores = table[[2, *one[: window - len(two) - 3], 3]].sum(0) + 2 * table[[*two, 3]].sum(0)
    shares = np.exp(scores - scores.max())
    return [float(share) for share in shares / shares.sum()]


def _write(path: Path, content: dict[str, object]) -> None:
    path.write_text(json.dumps(content), encoding="utf-8")
