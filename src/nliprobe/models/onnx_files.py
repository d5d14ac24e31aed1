"""Where an ONNX model's files are: its graph, its tokenizer, and its configuration with the names of its classes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nliprobe.base.errors import DataError, NotFoundError, StoreError, UsageError, command
from nliprobe.base.fields import Fields
from nliprobe.base.files import read_json
from nliprobe.models import tokenizer_file
from nliprobe.models._onnx_graph import external_files
from nliprobe.models.base import PairView

GRAPH = "model.onnx"
CONFIG = "config.json"
RECORD = "export.json"
# Where Optimum and others put graphs beside a checkpoint.
_INNER = "onnx"
# What ``transformers`` makes a tokenizer from where there is no tokenizer.json.
_VOCABULARIES = (
    *("vocab.txt", "vocab.json", "merges.txt", "added_tokens.json"),
    *("spiece.model", "spm.model", "sentencepiece.bpe.model", "tokenizer.model"),
)
_SETTINGS = (CONFIG, tokenizer_file.NAME, *tokenizer_file.SETTINGS)


@dataclass(frozen=True)
class OnnxFiles:
    """The files of a model: a graph, and the folders in which the others are looked for, in this order."""

    graph: Path
    folders: tuple[Path, ...]

    def beside(self, name: str) -> Path | None:
        """Return the first file of a name, or none if no folder has one."""
        return next((folder / name for folder in self.folders if (folder / name).is_file()), None)

    def all(self) -> dict[str, Path]:
        """Return all files that decide answers, by their names: the graph, its tensors, tokenizer and configuration."""
        tensors = {name: self.graph.parent / name for name in external_files(self.graph)}
        older = _VOCABULARIES if self.beside(tokenizer_file.NAME) is None else ()
        settings = {name: path for name in (*_SETTINGS, *older) if (path := self.beside(name)) is not None}
        return {self.graph.name: self.graph, **tensors, **settings}

    def require_tensors(self) -> None:
        """Raise an error if a file is not there in which the graph keeps its tensors."""
        for name in external_files(self.graph):
            if not (self.graph.parent / name).is_file():
                raise NotFoundError(
                    f"{self.graph} keeps its tensors in {name}, which is not beside it. Copy that file there, too."
                )


def find_files(name: str, chosen: str = "") -> OnnxFiles:
    """Return the files of a model.

    Args:
        name: a file, or a folder with graphs in it or in a folder ``onnx`` inside it.
        chosen: the graph to take, as a path inside the folder.
    """
    path = Path(name)
    if path.is_file():
        if chosen:
            raise UsageError(f"{name} is a file already: 'file' chooses one of a folder.")
        folder, graph = path.parent, path
    elif path.is_dir():
        folder, graph = path, _choose(path, chosen)
    else:
        raise NotFoundError(f"There is no file or folder {name} with an ONNX model.")
    above = [graph.parent.parent] if graph.parent.name == _INNER else []
    return OnnxFiles(graph, tuple(dict.fromkeys([graph.parent, folder, *above])))


def _choose(folder: Path, chosen: str) -> Path:
    graphs = [*sorted(folder.glob("*.onnx")), *sorted((folder / _INNER).glob("*.onnx"))]
    names = [graph.relative_to(folder).as_posix() for graph in graphs]
    if chosen:
        if chosen not in names:
            raise NotFoundError(f"{folder} has no graph {chosen}. It has: {', '.join(names) or 'none'}.")
        return folder / chosen
    usual = next((graph for graph in graphs if graph.name == GRAPH), None)
    if usual is not None:
        return usual
    if not graphs:
        raise NotFoundError(
            f"{folder} holds no ONNX model: expected {GRAPH} or {_INNER}/{GRAPH}. A checkpoint becomes one with "
            f"{command('export', 'to', 'onnx')}."
        )
    if len(graphs) > 1:
        raise UsageError(f"{folder} holds several graphs ({', '.join(names)}): choose one with file=NAME.")
    return graphs[0]


@dataclass(frozen=True)
class ExportNote:
    """What the record of an export says about asking: the window in tokens, and how the model was shown its pairs."""

    window: int
    view: PairView | None


def read_note(files: OnnxFiles) -> ExportNote | None:
    """Return what ``nliprobe export`` noted beside a graph, or none for a graph from elsewhere."""
    path = files.graph.parent / RECORD
    if not path.is_file():
        return None
    try:
        fields = Fields(str(path), read_json(path), error=DataError, remedy="Export the model again.")
    except StoreError as error:
        raise DataError(str(error)) from error
    view = fields.inner_or_none("view")
    return ExportNote(
        fields.number("window"), None if view is None else PairView(view.text("represent"), view.text("premise"))
    )
