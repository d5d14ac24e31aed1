"""Lexicons in files of tab-separated fields, and templates that draw from them."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from tests.fuzz.harness import Target

from nliprobe.language.lexicon import read_lexicon
from nliprobe.templates.parse import read_templates
from nliprobe.templates.render import render

_TEMPLATES = """
capability: lexical
lexicons: {W: {file: words.tsv}}
templates:
  - {id: a.b, premise: "{W1} is {a(W2)}, {plural(W2)}.", hypothesis: "{W1} is not {W2}.", label: N, because: x}
"""


def _seeds() -> list[bytes]:
    folder = resources.files("nliprobe.language.lexicons")
    files = sorted(item.name for item in folder.iterdir() if item.name.endswith(".tsv"))
    texts = [(folder / name).read_text(encoding="utf-8") for name in files]
    return [
        b"text\tgender\n# a comment\nAna\tf\nBob\tm\n",
        *(text[: text.find("\n", 1500) + 1].encode() for text in texts),
    ]


def _run(data: bytes, folder: Path) -> None:
    path = folder / "words.tsv"
    path.write_bytes(data)
    (folder / "t.yaml").write_text(_TEMPLATES, encoding="utf-8")
    read_lexicon(path, "W").digest()
    for template in read_templates(folder / "t.yaml").templates:
        for text in render(template, 5).premises:
            text.encode()


TARGET = Target("lexicon_file", _seeds, _run)
