"""The Python of the manual: sessions (``>>>``) run and print what the page shows; other code compiles and imports."""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```(?:python|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def pages() -> Iterator[Path]:
    yield from sorted(
        path for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")] if "_build" not in path.parts
    )


def blocks(page: Path) -> Iterator[tuple[int, str]]:
    """Yield the line where each Python block begins, and the block."""
    text = page.read_text(encoding="utf-8")
    for match in _BLOCK.finditer(text):
        yield text.count("\n", 0, match.start(1)), match[1]


def is_session(block: str) -> bool:
    return block.lstrip().startswith(">>>")


def names(*, sessions: bool) -> list[str]:
    every = (page for page in pages() if any(is_session(block) == sessions for _, block in blocks(page)))
    return [str(page.relative_to(ROOT)) for page in every]


def run_sessions(page: Path) -> doctest.TestResults:
    """Run the sessions of a page in order; a later one sees the names of an earlier one."""
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    known: dict[str, object] = {}
    for line, block in blocks(page):
        if is_session(block):
            test = doctest.DocTestParser().get_doctest(block, known, page.name, str(page), line)
            runner.run(test, clear_globs=False)
            known = test.globs
    return runner.summarize(verbose=False)


@pytest.mark.parametrize("page", names(sessions=True))
def test_sessions_print_what_the_page_shows(page: str) -> None:
    failed, attempted = run_sessions(ROOT / page)
    assert failed == 0
    assert attempted > 0


def test_a_page_that_shows_something_else_is_noticed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\n>>> 1 + 1\n3\n```\n", encoding="utf-8")
    assert run_sessions(page) == (1, 1)
    assert "Got:\n    2" in capsys.readouterr().out


@pytest.mark.parametrize("page", names(sessions=False))
def test_code_compiles_and_imports_names_that_exist(page: str) -> None:
    for line, block in blocks(ROOT / page):
        if is_session(block):
            continue
        tree = ast.parse("\n" * line + block, page)
        ours = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "nliprobe"
        ]
        for node in ours:
            exec(compile(ast.Module([node], []), page, "exec"), {})
