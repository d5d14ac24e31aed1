"""Run the notebook of the manual and write its outputs, and the page that the manual shows of it.

``python scripts/notebook.py`` writes docs/notebooks/first-run.ipynb and docs/guide/first-run.md anew. Needs no Jupyter:
cells are executed one after the other in one namespace, as a notebook does.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import tempfile
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parents[1] / "docs"
NOTEBOOK = DOCS / "notebooks" / "first-run.ipynb"
PAGE = DOCS / "guide" / "first-run.md"


class Output(NamedTuple):
    """What one cell printed, and the value of its last line as text and as HTML."""

    printed: str = ""
    text: str = ""
    html: str = ""


class Cell(NamedTuple):
    kind: str
    source: str
    output: Output = Output()


def read(path: Path) -> list[Cell]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [Cell(cell["cell_type"], "".join(cell["source"]), _output(cell.get("outputs", []))) for cell in cells]


def execute(cells: list[Cell]) -> list[Cell]:
    """Run the code cells in an empty folder; gives the cells with what they put out."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    here = Path.cwd()
    done: list[Cell] = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for number, cell in enumerate(cells):
                done.append(
                    cell._replace(output=_run(cell.source, f"cell {number}", namespace)) if _code(cell) else cell
                )
        finally:
            os.chdir(here)
    return done


def notebook(cells: list[Cell]) -> str:
    """Write cells as a notebook; ids and counts are fixed, so that only what changed differs."""
    written: list[dict[str, object]] = []
    count = 0
    for number, cell in enumerate(cells):
        entry: dict[str, object] = {"cell_type": cell.kind, "id": f"cell-{number}", "metadata": {}}
        if _code(cell):
            count += 1
            entry |= {"execution_count": count, "outputs": _outputs(cell.output, count)}
        written.append(entry | {"source": cell.source.splitlines(keepends=True)})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": written, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def page(cells: list[Cell]) -> str:
    """Write cells as a page of the manual."""
    parts: list[str] = []
    for cell in cells:
        if not _code(cell):
            parts.append(cell.source)
            continue
        parts.append(f"```python\n{cell.source}\n```")
        if cell.output.printed:
            parts.append(f"```text\n{cell.output.printed.rstrip()}\n```")
        if cell.output.html:
            parts.append(f"```{{raw}} html\n{cell.output.html.strip()}\n```")
        elif cell.output.text:
            parts.append(f"```text\n{cell.output.text}\n```")
    return "\n\n".join(parts) + "\n"


def _code(cell: Cell) -> bool:
    return cell.kind == "code"


def _run(source: str, name: str, namespace: dict[str, object]) -> Output:
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value: object = None
    # Known to inspect.getsource, as what is typed in a notebook is.
    import linecache

    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, name, "exec"), namespace)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), namespace)
    shown = getattr(value, "_repr_html_", None) if type(value).__module__.startswith("nliprobe") else None
    return Output(printed.getvalue(), "" if value is None else repr(value), shown() if shown is not None else "")


def _outputs(output: Output, count: int) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    if output.printed:
        found.append({"name": "stdout", "output_type": "stream", "text": output.printed.splitlines(keepends=True)})
    if output.text:
        data = {"text/plain": output.text.splitlines(keepends=True)}
        data |= {"text/html": output.html.splitlines(keepends=True)} if output.html else {}
        found.append({"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"})
    return found


def _output(outputs: list[dict[str, object]]) -> Output:
    printed = text = html = ""
    for item in outputs:
        lines, data = item.get("text"), item.get("data")
        if isinstance(lines, list):
            printed += "".join(lines)
        if isinstance(data, dict):
            text, html = "".join(data.get("text/plain", [])), "".join(data.get("text/html", []))
    return Output(printed, text, html)


if __name__ == "__main__":
    made = execute(read(NOTEBOOK))
    NOTEBOOK.write_text(notebook(made), encoding="utf-8")
    PAGE.write_text(page(made), encoding="utf-8")
