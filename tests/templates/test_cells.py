"""Cells: one value of a placeholder and one gender at a time."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.cli.helpers import nliprobe_json

from nliprobe.api.sources import open_source
from nliprobe.base.errors import UsageError
from nliprobe.templates.cells import cells
from nliprobe.templates.library import load_library
from nliprobe.templates.parse import parse_templates

TEMPLATE = next(template for template in load_library() if template.id == "negation.but-not")


def test_a_cell_has_one_value_and_one_gender() -> None:
    source = open_source("checklist-all?only=negation.but-not&by=PROFESSION&n=3")
    pairs = list(source.pairs())
    professions = len(TEMPLATE.domains["PROFESSION"]) if "PROFESSION" in TEMPLATE.domains else 0
    assert professions > 50
    counts: Counter[tuple[str, str]] = Counter()
    for pair in pairs:
        facets = {facet.name: facet.value for facet in pair.facets}
        genders = {value for name, value in facets.items() if name.startswith("gender:")}
        assert len(genders) == 1, "both names of one gender"
        assert facets["template"] == pair.group == "negation.but-not"
        counts[facets["value:PROFESSION"], genders.pop()] += 1
    assert len(counts) == 2 * professions
    assert set(counts.values()) == {3}
    assert len({pair.id for pair in pairs}) == len(pairs)
    assert source.digest() != open_source("checklist-all?only=negation.but-not&n=3").digest()


def test_a_hundred_a_cell_unless_said_otherwise() -> None:
    pairs = list(open_source("checklist-all?only=negation.but-not&by=gender").pairs())
    assert len(pairs) == 200


def test_cells_without_draws_are_left_out_and_mistakes_are_sentences() -> None:
    text = """
capability: lexical
lexicons: {ANIMAL: [cat, dog], PERSON: [Ana, Bo]}
templates:
  - {id: a.b, premise: "{PERSON} has {a(ANIMAL)} and {N} hats.", hypothesis: "{PERSON} has hats.", label: E,
     because: so, draw: {N: 2..9}, where: "ANIMAL != 'dog'"}
"""
    [template] = parse_templates(text).templates
    assert [one.cell for one in cells(template, "ANIMAL")] == ["cat"]
    with pytest.raises(UsageError, match=r"draws no ANIMALS\. Did you mean 'ANIMAL'"):
        cells(template, "ANIMALS")
    with pytest.raises(UsageError, match="is not drawn from a lexicon"):
        cells(template, "N")


def test_generate_by_cells(tmp_path: Path) -> None:
    out = str(tmp_path / "cells.parquet")
    document = nliprobe_json("generate", "checklist-all", "--only", "negation.but-not", "--by", "gender", "-o", out)
    assert document["examples"] == 200
