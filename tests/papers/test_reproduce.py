"""``nliprobe reproduce`` as users call it, its document and its page."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.analysis.schemas import load_schema, validate
from tests.cli.helpers import nliprobe, nliprobe_json
from tests.report.browser import opened, serious

from nliprobe.base.errors import NotFoundError
from nliprobe.papers.console import text_lines
from nliprobe.papers.infotabs.answers_file import SHIPPED
from nliprobe.papers.page import reproduce_page
from nliprobe.papers.recipes import (
    Cell,
    CellDocument,
    Chart,
    Computed,
    Folders,
    ItemDocument,
    Recipe,
    Value,
    find_recipes,
)
from nliprobe.report.bars import Bar

HOSTILE = "</script><img src=x onerror=alert(1)>"


def test_list_has_every_item() -> None:
    listed = [line.split()[0] for line in nliprobe("reproduce", "--list").stdout.splitlines()]
    items = {
        "checklist": (range(1, 10), (1, 2, 4, 5)),
        "evidence": (range(1, 19), (2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15)),
        "infotabs": (range(1, 15), (2, 3, 6)),
        "swap": ((1, 2, 3), ()),
    }
    expected: list[str] = []
    for paper, (tables, figures) in items.items():
        expected += [f"{paper}:table{n}" for n in tables]
        expected += ["infotabs:alpha2", "infotabs:appendixf"] if paper == "infotabs" else []
        expected += [f"{paper}:figure{n}" for n in figures]
        expected += ["evidence:section6"] if paper == "evidence" else []
    assert listed == expected
    assert [entry["item"] for entry in nliprobe_json("reproduce", "--list")["items"]] == listed


def test_what_is_wrong_is_one_sentence(tmp_path: Path) -> None:
    assert "Name what to reproduce" in nliprobe("reproduce", code=2).stderr
    assert "Did you mean 'infotabs:table3'" in nliprobe("reproduce", "infotabs:tabel3", code=1).stderr
    done = nliprobe("reproduce", "infotabs:table1", "--answers", str(tmp_path), code=2)
    assert "holds no answers" in done.stderr


def test_of_a_whole_paper_each_item_says_what_is_missing(tmp_path: Path) -> None:
    done = nliprobe("reproduce", "infotabs", "--from", str(tmp_path), "--format", "json", code=1)
    lines = done.stderr.splitlines()
    assert [line.split(": ")[1] for line in lines] == [one.item for one in find_recipes("infotabs") if _needs_data(one)]
    assert all("not here" in line for line in lines)
    document = json.loads(done.stdout)
    validate("reproduce", document)
    assert len(document["items"]) == len(find_recipes("infotabs"))
    assert all(cell["ours"] is None for item in document["items"] for cell in item["cells"])
    single = nliprobe("reproduce", "infotabs:table2", "--from", str(tmp_path), code=1)
    assert single.stdout == ""
    assert single.stderr.count("\n") == 1


def _needs_data(one: Recipe) -> bool:
    try:
        one.run(Path("/nowhere"))
    except NotFoundError:
        return True
    # A table none of whose models was measured has nothing to compute.
    return False


def test_one_item_is_the_document_itself(data: Path) -> None:
    document = nliprobe_json("reproduce", "infotabs:table2", "--from", str(data))
    validate("reproduce", document)
    assert list(document) == ["schema", "item", "title", "cells", "notes"]
    assert list(document["cells"][0]) == ["row", "col", "paper", "ours"]
    both = nliprobe_json("reproduce", "infotabs:table1", "infotabs:table2", "infotabs:table1", "--from", str(data))
    validate("reproduce", both)
    assert [item["item"] for item in both["items"]] == ["infotabs:table1", "infotabs:table2"]


def test_values_stand_side_by_side(data: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    said = nliprobe(
        "reproduce", "infotabs:table13", "infotabs:figure2", "--from", str(data), "--html", str(page)
    ).stdout
    assert "a: not as in the paper but all-MiniLM-L6-v2, para, trained on infotabs/train, mean of seeds" in said
    assert "Para dev              entailment         76.19              –" in said
    assert "2.32           2.32         +0.00" in said
    assert said.endswith(f"{page}\n")
    text = page.read_text(encoding="utf-8")
    assert text.count('class="plot"') == 4
    assert "not as in the paper but all-MiniLM-L6-v2" in text


def test_own_answers_are_taken_and_named(data: Path, tmp_path: Path) -> None:
    content = json.loads(gzip.decompress((SHIPPED / "para.json.gz").read_bytes()))
    content["encoder"] = "my-encoder"
    (tmp_path / "para.json.gz").write_bytes(gzip.compress(json.dumps(content).encode()))
    words = "reproduce", "infotabs:table13", "--from", str(data)
    mine, kept = nliprobe_json(*words, "--answers", str(tmp_path))["cells"], nliprobe_json(*words)["cells"]
    of_mine = [cell["ours"] for cell in mine if cell["row"].startswith("my-encoder Para")]
    assert of_mine == [cell["ours"] for cell in kept if cell["row"].startswith("MiniLM Para")]
    assert len(of_mine) == 12
    assert all(cell["by"].startswith("my-encoder, para") for cell in mine if cell["row"].startswith("my-encoder"))


def made(cells: Sequence[tuple[str, str, float | None, float | Value | None]]) -> tuple[Recipe, ItemDocument]:
    """A recipe with these cells that draws its first one."""

    def draw(found: object) -> list[Chart]:
        return [Chart(f"chart {HOSTILE}", [Bar(HOSTILE, (("e", 2.0), ("all", 1.0)), HOSTILE)])]

    recipe = Recipe("own:table1", f"Title {HOSTILE}", lambda folders: Computed({}, []), draw)
    documents: list[CellDocument] = []
    for row, col, paper, value in cells:
        one = value if isinstance(value, Value) else Value(value)
        documents.append({"row": row, "col": col, "paper": paper, "ours": one.number})
        if one.by:
            documents[-1]["by"] = one.by
        if one.sd is not None:
            documents[-1]["sd"] = one.sd
        if one.ci95 is not None:
            documents[-1]["ci95"] = list(one.ci95)
    return recipe, {"item": "own:table1", "title": recipe.title, "cells": documents, "notes": [f"note {HOSTILE}"]}


def test_lines_show_counts_shares_and_percentages_as_such() -> None:
    _, document = made(
        [
            ("n", "dev", 10, 12),
            ("kappa", "dev", 0.5, 0.25),
            ("percent", "dev", 27, Value(27.0, "another", 0.5)),
            ("empty", "dev", 3.5, None),
            ("own", "dev", None, 2.5),
            ("zero", "dev", 1.5, 1.4999),
        ]
    )
    lines = [" ".join(line.split()) for line in text_lines(document)]
    assert lines[1:7] == [
        "n dev 10 12 +2",
        "kappa dev 0.5000 0.2500 -0.2500",
        "percent dev 27.00 27.00 ±0.50 +0.00 a",
        "empty dev 3.50 – –",
        "own dev – 2.50 –",
        "zero dev 1.50 1.50 +0.00",
    ]
    assert lines[7] == "a: not as in the paper but another"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_is_safe_and_readable(tmp_path: Path, scheme: str) -> None:
    path = tmp_path / "page.html"
    items = [made([(HOSTILE, "dev", 1.5, Value(2.5, HOSTILE)), (HOSTILE, "alpha1", 1.5, None)])]
    items[0][1]["error"] = f"error {HOSTILE}"
    path.write_text(reproduce_page(items), encoding="utf-8")
    with opened(path, scheme=scheme) as found:
        assert found.page.locator("img").count() == 0
        assert found.page.locator("tbody tr").count() == 2
        assert found.requests == [path.as_uri()]
        assert found.complaints == []
        assert serious(found.page) == []


@pytest.mark.parametrize(("place", "kind"), [("item", ItemDocument), ("cell", CellDocument)])
def test_schema_names_the_fields_of_the_types(place: str, kind: type) -> None:
    assert list(load_schema("reproduce")["$defs"][place]["properties"]) == list(kind.__annotations__)


def test_a_recipe_that_forgets_a_printed_cell_fails() -> None:
    [table1] = find_recipes("infotabs:table1")
    forgetful = Recipe(table1.item, table1.title, lambda folders: Computed({Cell("train", "pairs"): 1}, []))
    with pytest.raises(KeyError):
        forgetful.run()
    assert Folders() == (None, None, None)
