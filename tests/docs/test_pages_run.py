"""Pages that promise to work when pasted, pasted: their files are written and their commands run in order."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.cli.helpers import nliprobe

GUIDE = Path(__file__).parents[2] / "docs" / "guide"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"`([\w.-]+\.(?:html|csv|yaml|py))`")
_CORPORA = ("infotabs", "summedits", "climate-fever", "snli")


class Step(NamedTuple):
    """A file to write, or words of a command with the lines of output that the page shows."""

    file: str
    content: str
    words: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()


def steps(page: str) -> Iterator[Step]:
    text = (GUIDE / page).read_text(encoding="utf-8")
    for match in _BLOCK.finditer(text):
        kind, body = match[1], match[2]
        if kind == "console":
            yield from _commands(body)
        elif kind in ("html", "text", "yaml", "python"):
            # The file is the one that the paragraph before the block names last.
            named = _FILE.findall(text[: match.start()].rstrip().rpartition("\n\n")[2])
            if named:
                yield Step(named[-1], body)


def _commands(body: str) -> Iterator[Step]:
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, output = part.replace("\\\n", " ").partition("\n")
        words = shlex.split(command, comments=True)
        assert words[0] == "nliprobe"
        yield Step("", "", tuple(words[1:]), tuple(line for line in output.splitlines() if line.strip()))


def _needs_more(words: tuple[str, ...]) -> bool:
    """Whether a command needs what no reader has: a checkpoint, a corpus, sheets that people filled."""
    if words[:2] == ("annotate", "read"):
        return True
    corpora = any(name in word for name in _CORPORA for word in words)
    return corpora or any("path/to" in word or "alpha1" in word or word.endswith("network") for word in words)


GUIDES = {
    "tables": 10,
    "templates": 5,
    "table-templates": 4,
    "import": 6,
    "evidence": 5,
    "explain": 5,
    "counterfactuals": 1,
    "groundedness": 4,
    "swap-test": 2,
    "review": 1,
    "people": 7,
    "study": 6,
}
ROWS = ("delete", "insert", "update", "permute", "compose")
PAGES = [(f"{name}.md", least) for name, least in GUIDES.items()]
PAGES += [(f"../probes/rows-{name}.md", 1) for name in ROWS]


@pytest.mark.parametrize(("page", "least"), PAGES)
def test_the_page_works_when_pasted(page: str, least: int, tmp_path: Path) -> None:
    ran = 0
    for step in steps(page):
        if step.file:
            (tmp_path / step.file).write_text(step.content, encoding="utf-8")
            continue
        if _needs_more(step.words):
            continue
        code = 1 if any(line.startswith("error ") for line in step.shown) else 0
        done = nliprobe(*step.words, cwd=tmp_path, code=code)
        said = " ".join(f"{done.stdout}\n{done.stderr}".split())
        for line in step.shown:
            for piece in line.split("…"):
                plain = " ".join(piece.split())
                if plain and not re.search(r"\d/s$", plain):  # how fast it was differs
                    assert plain in said, f"{' '.join(step.words)} does not say: {line}"
        ran += 1
    assert ran >= least
