"""Provide what objects are checked with: real pairs, and files for objects that read files."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from nliprobe.base.registry import Spec
from nliprobe.base.seeds import draws
from nliprobe.language.words import lower_words
from nliprobe.task.pair import Pair
from nliprobe.task.sources import open_source
from nliprobe.task.table import Table

# Every seventh pair of the built-in corpus: all its tables and labels, at a seventh of the time.
_STEP = 7

_MODULE = """
def predict(pairs, **params):
    return ["entailment" if len(hypothesis) % 2 else "neutral" for _, hypothesis in pairs]
"""
_PROGRAM = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    label = "entailment" if len(asked["hypothesis"]) % 2 else "neutral"
    print(json.dumps({"id": asked["id"], "label": label}), flush=True)
"""
_TEMPLATE = """
capability: numerical
templates:
  - id: numerical.bigger
    premise: "{NAME} has {N} coins."
    hypothesis: "{NAME} has more than {M} coins."
    draw: {N: 2..60, M: 2..60}
    label: "'E' if N > M else 'C'"
    because: The numbers are compared.
"""


@cache
def real_pairs() -> tuple[Pair, ...]:
    """Return pairs of the built-in corpus over tables, sentences and passages, with gold labels and evidence."""
    pairs: list[Pair] = []
    for split in ("tables-dev", "sentences-dev", "passages-dev"):
        pairs += list(open_source(f"builtin/{split}").pairs())[::_STEP]
    return tuple(pairs)


def model_spec(name: str, folder: Path) -> str:
    """Return the spec of a built-in model that needs more than its name, and write its files; else the name."""
    if name == "python":
        (folder / "contract_model.py").write_text(_MODULE, encoding="utf-8")
        return str(Spec("python", f"{folder / 'contract_model.py'}:predict", (("version", "1"),)))
    if name == "command":
        (folder / "program.py").write_text(_PROGRAM, encoding="utf-8")
        words = shlex.join([sys.executable, str(folder / "program.py")])
        return str(Spec("command", words, (("version", "1"),)))
    if name == "predictions":
        lines = [json.dumps({"id": pair.id, "label": str(pair.gold)}) for pair in real_pairs()]
        (folder / "answers.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return str(Spec("predictions", str(folder / "answers.jsonl")))
    if name == "glove":
        _write_vectors(folder, [pair.hypothesis for pair in real_pairs()])
        return str(Spec("glove", "", (("vectors", str(folder)),)))
    return name


def representation_spec(name: str, folder: Path) -> str:
    """Return the spec of a representation that needs more than its name, and write its files; else the name."""
    if name.startswith("overlap-"):
        return name.replace("-k", "-2")
    if not name.startswith("wmd-") or Spec.parse(name).params:
        return name
    _write_vectors(folder, [pair.hypothesis for pair in real_pairs() if isinstance(pair.premise, Table)])
    return str(Spec(name.replace("-k", "-2"), "", (("vectors", str(folder)),)))


def _write_vectors(folder: Path, texts: Iterable[str]) -> None:
    """Write drawn vectors for the words of texts."""
    import numpy as np

    words = sorted({word for text in texts for word in lower_words(text)})
    (folder / "words.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    np.save(folder / "vectors.npy", np.array([[draws(0, word).gauss() for _ in range(4)] for word in words]))


def corpus_spec(name: str, folder: Path) -> str | None:
    """Return the spec of a corpus without splits of its own, and write its file; None for other corpora."""
    if name.startswith("checklist") or name == "tables":
        return f"{name}?n=1"
    if name == "templates":
        (folder / "mine.yaml").write_text(_TEMPLATE, encoding="utf-8")
        return str(Spec(name, str(folder / "mine.yaml"), (("n", "20"),)))
    if name != "file":
        return None
    records = [
        {"premise": pair.premise, "hypothesis": pair.hypothesis, "label": str(pair.gold)}
        for pair in real_pairs()
        if isinstance(pair.premise, str)
    ]
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    (folder / "mine.jsonl").write_text("\n".join([*lines, lines[0]]) + "\n", encoding="utf-8")
    return str(Spec("file", str(folder / "mine.jsonl")))
