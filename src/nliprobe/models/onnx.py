"""``onnx:PATH``: a classifier exported to ONNX, asked by onnxruntime without torch and without ``transformers``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self, cast

from nliprobe.base.errors import NotFoundError, UsageError, command
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS, tokenizer_file
from nliprobe.models._onnx_session import IDS, MASK, Graph
from nliprobe.models._tokens import read_inputs
from nliprobe.models.answers import AnswerReader, partition_of
from nliprobe.models.base import Model, PairView
from nliprobe.models.batches import CPU_BUDGET, batches, cut_note, load_tokenizer
from nliprobe.models.head_labels import head_labels
from nliprobe.models.onnx_files import CONFIG, ExportNote, OnnxFiles, find_files, read_note
from nliprobe.models.origin import Origin
from nliprobe.models.tokenizer_file import FileTokenizer, read_settings
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import LabelMap, Partition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from transformers import PreTrainedTokenizerBase

_WINDOW = 512


@dataclass(frozen=True)
class OnnxParams:
    """The parameters of ``onnx``.

    Attributes:
        file: which graph of a folder is asked, if it has several.
        device: ``cpu``, or ``cuda`` with the package onnxruntime-gpu.
        tokens: how many tokens a batch may have with its padding.
        max_length: the window in tokens; the model's own if it is smaller. By default that of ``nliprobe export``, or
            512.
        threads: how many threads compute; by default OMP_NUM_THREADS, or all cores.
    """

    file: str = ""
    device: str = "cpu"
    tokens: int = CPU_BUDGET
    max_length: int | None = None
    threads: int = 0

    def __post_init__(self) -> None:
        """Refuse sizes with which nothing can be asked."""
        for name, least in (("tokens", 1), ("max_length", 1), ("threads", 0)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise UsageError(f"'{name}' should be at least {least}, not {value}.")


class _Loaded(NamedTuple):
    graph: Graph
    tokenizer: PreTrainedTokenizerBase
    window: int
    padding: int


@MODELS.register("onnx")
class Onnx(Model):
    """A sequence classifier in an ONNX file, with its tokenizer and configuration beside it: onnx:FOLDER or onnx:FILE.

    Folders of ``nliprobe export``, of Optimum and of hubs (``onnx/model.onnx``) are read as they are. The labels are
    those of ``config.json``; where it only says LABEL_0, LABEL_1 …, declare the order with ``labels=``.
    """

    batch: ClassVar[int] = 4096

    def __init__(self, name: str, params: OnnxParams, labels: LabelMap | None) -> None:
        self.name = name
        self.params = params
        self._declared = labels
        self._asked = self._cut = 0
        self._origin = Origin(lambda: find_files(name, params.file).all())

    @classmethod
    def from_spec(cls, spec: Spec, labels: LabelMap | None) -> Self:
        """Name the graph; it is loaded when the first answer is asked for."""
        if not spec.argument:
            raise UsageError("'onnx' needs a folder or a file, as in onnx:path/to/folder.")
        return cls(spec.argument, spec.build(OnnxParams), labels)

    @property
    def partition(self) -> Partition:
        """The labels of its head."""
        return partition_of(self._labels)

    @property
    def learnt_view(self) -> PairView | None:
        """How the model was shown pairs when it learnt, if ``nliprobe export`` has noted it."""
        return None if self._note is None else self._note.view

    def fingerprint(self) -> str:
        """Return a hash of the files that decide answers; the precision is that of the graph."""
        where = self.params.device.partition(":")[0]
        return digest("onnx", str(self._longest), where, self._origin.digest())

    def origin(self) -> Origin:
        """Return the graph with its tensors, tokenizer and configuration."""
        return self._origin

    def check(self) -> None:
        """Find the files and read the labels; the graph is not loaded."""
        self._files.require_tensors()
        _ = self._labels

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        """Answer with the label of the highest score, and with probabilities of the labels it tells apart."""
        graph, tokenizer, window, padding = self._loaded
        rows, cut = read_inputs(tokenizer, inputs, window)
        self._asked += len(inputs)
        self._cut += cut
        reader = AnswerReader(self._labels)
        answers: list[Prediction | None] = [None] * len(inputs)
        for chosen in self._batches(graph, rows.sizes.tolist()):
            scores = graph.scores(rows.take(chosen), padding)
            self._require_classes(scores.shape[1])
            for place, row in zip(chosen, scores.tolist(), strict=True):
                answers[place] = reader.scores(row, graph.kind)
        return [answer for answer in answers if answer is not None]

    def embed_pairs(self, inputs: Sequence[Input]) -> NDArray[np.float32]:
        """Return the last layer's vector of each input, as the graph gives it.

        Raises:
            UsageError: the graph gives scores only.
        """
        import numpy as np

        graph, tokenizer, window, padding = self._loaded
        if not graph.has_vectors:
            raise UsageError(
                f"{self._files.graph} gives scores, but no vectors of pairs: it was written elsewhere, or by an "
                f"earlier version. Export its model again with {command('export', 'to', 'onnx')}, or ask the model "
                "itself with transformers:… or trained:…."
            )
        rows = read_inputs(tokenizer, inputs, window).rows
        vectors = np.empty((len(inputs), 0), dtype=np.float32)
        for chosen in self._batches(graph, rows.sizes.tolist()):
            some = graph.vectors(rows.take(chosen), padding)
            if not vectors.shape[1]:
                vectors = np.empty((len(inputs), some.shape[1]), dtype=np.float32)
            vectors[chosen] = some
        return vectors

    def notes(self) -> list[str]:
        """Say how many premises did not fit the window, and whether the graph reads more than it is asked."""
        fixed = []
        graph = self._loaded.graph if "_loaded" in vars(self) else None
        if graph is not None and (graph.rows, graph.columns) != (None, None):
            shape = f"{graph.rows or 'any number of'} inputs of {graph.columns or 'any number of'} tokens"
            fixed.append(f"The graph always reads {shape}, so that inputs are filled up. A dynamic one is faster.")
        return cut_note(self._cut, self._asked) + fixed

    def _batches(self, graph: Graph, sizes: Sequence[int]) -> Iterator[list[int]]:
        """Yield inputs of similar lengths, as many as fit the budget or as the graph insists on."""
        if graph.alone:
            yield from ([place] for place in range(len(sizes)))
            return
        if graph.columns is not None:
            sizes = [graph.columns] * len(sizes)
        together: dict[int, list[int]] = {}
        for place, size in enumerate(sizes):
            together.setdefault(0 if graph.masked else size, []).append(place)
        for places in together.values():
            lengths = [sizes[place] for place in places]
            budget = self.params.tokens if graph.rows is None else graph.rows * max(lengths)
            for chosen in batches(lengths, budget):
                step = graph.rows or len(chosen)
                for start in range(0, len(chosen), step):
                    yield [places[index] for index in chosen[start : start + step]]

    @cached_property
    def _files(self) -> OnnxFiles:
        return find_files(self.name, self.params.file)

    @cached_property
    def _note(self) -> ExportNote | None:
        return read_note(self._files)

    @property
    def _longest(self) -> int:
        """The window that was asked for."""
        return self.params.max_length or (_WINDOW if self._note is None else self._note.window)

    @cached_property
    def _config(self) -> dict[str, object]:
        path = self._files.beside(CONFIG)
        return {} if path is None else read_settings([path])

    @cached_property
    def _labels(self) -> LabelMap:
        """The declared order of the classes, or the one that the configuration names."""
        if self._declared is not None:
            return self._declared
        named = self._config.get("id2label")
        if not isinstance(named, dict) or not all(str(index).isdigit() for index in named):
            raise UsageError(
                f"{self._files.graph} has no {CONFIG} that names its classes: declare them in their order, "
                "for example labels=entailment,neutral,contradiction."
            )
        names = [str(name) for _, name in sorted(named.items(), key=lambda item: int(item[0]))]
        return head_labels(self.name, names)

    @cached_property
    def _loaded(self) -> _Loaded:
        self.check()
        tokenizer = self._read_tokenizer()
        graph = Graph(self._files.graph, self.params.device, self.params.threads)
        self._origin.require_unchanged(self.name)
        if graph.classes is not None:
            self._require_classes(graph.classes)
        own = self._config.get("max_position_embeddings")
        limits = [self._longest, tokenizer.model_max_length, own if isinstance(own, int) and own > 0 else self._longest]
        window = min([*limits, *([] if graph.columns is None else [graph.columns])])
        padding = tokenizer.pad_token_id
        if padding is None:
            padding = self._config.get("pad_token_id")
        return _Loaded(graph, tokenizer, window, padding if isinstance(padding, int) else 0)

    @property
    def _one_sided(self) -> dict[str, object]:
        """What the tokenizer gives to a network that knows only one side, such as RoBERTa."""
        return {"model_input_names": [IDS, MASK]} if self._config.get("type_vocab_size") == 1 else {}

    def _require_classes(self, count: int) -> None:
        declared = len(self._labels.codes)
        if count != declared:
            raise UsageError(f"{self._files.graph} has {count} classes, but {declared} labels are declared.")

    def _read_tokenizer(self) -> PreTrainedTokenizerBase:
        """Return the tokenizer of ``tokenizer.json``, or where only older files are there, that of ``transformers``."""
        path = self._files.beside(tokenizer_file.NAME)
        if path is not None:
            settings = [other for name in tokenizer_file.SETTINGS if (other := path.with_name(name)).is_file()]
            return cast("PreTrainedTokenizerBase", FileTokenizer.read(path, read_settings(settings) | self._one_sided))
        folder = next((place for place in self._files.folders if (place / CONFIG).is_file()), None)
        if folder is None:
            raise NotFoundError(
                f"{self._files.graph} has no tokenizer: put the {tokenizer_file.NAME} of its checkpoint beside it."
            )
        return load_tokenizer(str(folder))
