"""A first file of options for a user's own model and data, in which every line says what it is for.

Nothing is guessed silently: what a path or a column was taken for stands in a comment; what cannot be told is asked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from nliprobe.api.sources import open_source
from nliprobe.base.errors import NliprobeError, UsageError, option
from nliprobe.base.registry import Spec
from nliprobe.corpora.file import FileCorpus
from nliprobe.models import MODELS
from nliprobe.models.system import SystemSpec
from nliprobe.probes.suite import build_probe, probe_specs
from nliprobe.represent.controls import Control
from nliprobe.task.sources import origin
from nliprobe.task.table import Table

# What the third question offers: a purpose, and the probes for tables, for passages and for single sentences.
PURPOSES: Mapping[str, str] = {
    "premise": "whether it uses the premise at all (fast)",
    "edits": "whether its answers follow edits of the premise, too",
    "stress": "whether distracting words, numbers and spelling throw it off, too",
}
_EDITS = {
    "tables": ("gold", "rows.delete", "rows.permute"),
    "passages": ("gold", "sentences.delete", "sentences.permute"),
    "sentences": ("gold", "swap", "inv.surface"),
}
_SENTENCES = 3
_ROWS = 200
COLUMNS = ("premise", "hypothesis", "label")
_FUNCTION = re.compile(r".+\.py:\w+")
# Models whose answers were given elsewhere, to inputs with their premises.
_WITHOUT_TWIN = ("predictions",)


@dataclass(frozen=True)
class Chosen:
    """A spec string, and what is said about it in comments."""

    spec: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Setup:
    """What a file of options is made from."""

    model: Chosen
    data: Chosen
    kind: str
    probes: tuple[str, ...]
    purpose: str
    out: str
    train: tuple[str, ...] = ()
    twin: str = ""


def choose_model(text: str) -> Chosen:
    """Turn what a user writes about a model into a spec string: a spec, a folder, or a file.

    >>> choose_model("svm").spec
    'svm'
    """
    path = Path(text)
    if "?" not in text and path.exists():
        return _model_at(text, path)
    if _FUNCTION.fullmatch(text) and Path(text.rpartition(":")[0]).is_file():
        return Chosen(str(Spec("python", text)), (f"{text} is a function in a file, so it is asked as python:….",))
    spec = Spec.parse(text)
    try:
        MODELS.get(spec.name)
    except NliprobeError as error:
        raise UsageError(
            f"{error} A model is a folder with a checkpoint, a file NAME.onnx, NAME.py:FUNCTION, or a spec such as "
            f"transformers:NAME or chat:NAME. There is no file or folder '{text}'."
        ) from error
    SystemSpec.parse(text)
    return Chosen(text)


def _model_at(text: str, path: Path) -> Chosen:
    if path.suffix == ".onnx" or (path.is_dir() and any(path.glob("*.onnx"))):
        return Chosen(str(Spec("onnx", text)), (f"{text} holds an ONNX model, so it is asked as onnx:PATH.",))
    if path.is_dir() and (path / "trained.json").is_file():
        return Chosen(str(Spec("trained", text)), (f"{text} was trained by nliprobe, so it is asked as trained:PATH.",))
    if path.is_dir() and (path / "config.json").is_file():
        note = f"{text} has a config.json, so it is asked as a checkpoint of Hugging Face's transformers."
        return Chosen(str(Spec("transformers", text)), (note,))
    raise UsageError(
        f"It cannot be told what model {text} holds: expected a folder with config.json or trained.json, or a file "
        "that ends in .onnx. Name a function as FILE.py:FUNCTION, and anything else by its spec (nliprobe ls models)."
    )


def choose_data(text: str, columns: Mapping[str, str], labels: str = "") -> Chosen:
    """Turn what a user writes about data into a spec string, and say what each column was taken for.

    Args:
        text: a file, or a corpus by its spec string.
        columns: the columns that the user named: premise, hypothesis, label.
        labels: what the values of the label mean.
    """
    path = Path(text)
    if "?" not in text and path.exists():
        params = {**columns, **({"labels": labels} if labels else {})}
        spec = Spec("file", text, tuple(sorted(params.items())))
    else:
        spec = Spec.parse(text)
        if spec.name != "file" and (columns or labels):
            raise UsageError(f"Columns and labels are for a file; {text} says itself what it holds.")
        params = {**dict(spec.params), **columns, **({"labels": labels} if labels else {})}
        spec = replace(spec, params=tuple(sorted(params.items())))
    source = origin(open_source(str(spec)))
    if not isinstance(source, FileCorpus):
        return Chosen(_listed(spec))
    taken = source.taken()
    # Names are written out even where they are the usual ones: a file with another column tomorrow means the same.
    named = {"premise": taken.premise, "hypothesis": taken.hypothesis, "label": taken.label or "none"}
    options = dict(spec.params)
    written = {**options, **({} if options.get("tables") or options.get("sentences") else named)}
    found = [
        f"{what}: column {_quoted(name)}{'' if what in options else ' (by its name)'}" for what, name in named.items()
    ]
    if taken.label is None:
        found[-1] = "no label: nothing can be said about accuracy, only about changes of the answer"
    notes = [*found, *source.notices()]
    if taken.others:
        notes.append(f"not used: {', '.join(map(_quoted, taken.others))}")
    for _ in source.pairs():  # every label is read, so that the first run does not end at the last line
        pass
    return Chosen(_listed(replace(spec, params=tuple(sorted(written.items())))), tuple(notes))


def columns_of(text: str) -> dict[str, list[str]]:
    """Return the columns of a file with some of their values, to choose from."""
    spec = Spec.parse(text) if "?" in text or not Path(text).exists() else Spec("file", text)
    source = origin(open_source(str(spec)))
    if not isinstance(source, FileCorpus):
        return {}
    rows = [record for _, record in islice(source.records[0].records(), _ROWS)]
    return {name: list(dict.fromkeys(str(row.get(name)) for row in rows))[:5] for name in (rows[0] if rows else {})}


def kind_of(data: str) -> str:
    """Tell whether the premises of a corpus are tables, passages or single sentences, by its first pairs."""
    from nliprobe.language.sentences import split_sentences

    premises = [pair.premise for pair in islice(open_source(data).pairs(), _ROWS)]
    if any(isinstance(premise, Table) for premise in premises):
        return "tables"
    lengths = sorted(len(split_sentences(premise)) for premise in premises if isinstance(premise, str))
    return "passages" if lengths and lengths[len(lengths) // 2] >= _SENTENCES else "sentences"


def choose_probes(text: str, kind: str) -> tuple[tuple[str, ...], str]:
    """Return the probes of a purpose, or those that are named, and the purpose if there is one."""
    if text == "premise":
        return ("gold",), text
    if text == "edits":
        return _EDITS[kind], text
    if text == "stress":
        return ("gold", "stress"), text
    names = [piece.strip() for piece in text.split(",") if piece.strip()]
    for name in probe_specs(names):
        build_probe(name)
    return tuple(names), ""


def setup(model: Chosen, data: Chosen, probes: str, train: Sequence[str] = ()) -> Setup:
    """Put the answers to the questions together; a model that learns needs something to learn from."""
    name = SystemSpec.parse(model.spec).model.name
    if MODELS.get(name).trainable and not train:
        raise UsageError(
            f"{model.spec} must learn before it is asked: name its training data with {option('train', 'CORPUS')}."
        )
    kind = kind_of(data.spec)
    chosen, purpose = choose_probes(probes, kind)
    own = SystemSpec.parse(model.spec)
    blind = name in _WITHOUT_TWIN or own.control not in (None, Control.FULL)
    twin = "" if blind else f"{model.spec}{'&' if '?' in model.spec else '?'}premise=none"
    stem = Path(Spec.parse(data.spec).argument or data.spec).stem or "first"
    folder = "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in stem)
    return Setup(model, data, kind, chosen, purpose, f"runs/{folder}", tuple(train), twin)


def config_text(made: Setup, name: str = "probe.yaml") -> str:
    """Write the file of options."""
    why = (
        ["    # The same model, shown no premise. What it gets right is guessed from the hypothesis; only what the",
         "    # model above gets right beyond that comes from the premise.",
         f"    - {_quoted(made.twin)}"]
        if made.twin
        else ["    # No twin without premise: these answers were given to whole pairs. Ask without premises, too,",
              "    # and add its answers here: without them nobody can tell reading from guessing."]
    )  # fmt: skip
    purpose = f" ({PURPOSES[made.purpose]})" if made.purpose else ""
    train = ["  # What models that learn learn from.", f"  train: {_listed_texts(made.train)}"] if made.train else []
    commands = {
        f"nliprobe validate {name}": "checks it without asking anything",
        f"nliprobe run --config {name}": "asks; repeating it continues",
        f"nliprobe report {made.out}": "writes the page",
    }
    width = max(map(len, commands))
    lines = [
        "# Options of nliprobe, written by: nliprobe init",
        *(f"#   {command:<{width}}   {about}" for command, about in commands.items()),
        "run:",
        "  # Whom to ask. Parameters follow a question mark: nliprobe ls models, and the manual, list them.",
        "  system:",
        *(f"    # {_commented(note)}" for note in made.model.notes),
        f"    - {_quoted(made.model.spec)}",
        *why,
        *train,
        f"  # What to ask about: premises are {made.kind}.",
        *(f"  # - {_commented(note)}" for note in made.data.notes),
        f"  on: {_quoted(made.data.spec)}",
        f"  # What is done to the pairs{purpose}; nliprobe ls probes lists all.",
        f"  probes: {_listed_texts(made.probes)}",
        "  # Where the answers are kept.",
        f"  out: {_quoted(made.out)}",
        "  # Decides every random draw; the same seed gives the same cases everywhere.",
        "  seed: 0",
    ]
    return "\n".join(lines) + "\n"


def _listed(spec: Spec) -> str:
    """Write a spec as it stands in a list with commas."""
    return str(spec).replace(",", "%2C")


def _listed_texts(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_quoted, texts))}]"


def _quoted(text: str) -> str:
    """Write a text in quotes that YAML reads back as it is, in one line."""
    return json.dumps(text, ensure_ascii=not text.isprintable())


def _commented(text: str) -> str:
    return " ".join(text.split())
