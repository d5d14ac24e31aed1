"""The published schemas of compare and gate name the fields of the types, each with a description."""

from __future__ import annotations

from typing import get_type_hints

import pytest
from tests.analysis.schemas import load_schema

from nliprobe.analysis.compare import documents
from nliprobe.analysis.failures import Failure, Original


@pytest.mark.parametrize(
    ("file", "place", "kind"),
    [
        ("compare", "", documents.CompareDocument),
        ("compare", "system", documents.ComparedSystem),
        ("compare", "pair", documents.ComparedPair),
        ("compare", "overall", documents.Overall),
        ("compare", "marginTest", documents.MarginTest),
        ("compare", "separation", documents.Separation),
        ("compare", "flip", documents.Flip),
        ("compare", "flipSide", documents.FlipSide),
        ("compare", "comparison", documents.Comparison),
        ("gate", "", documents.GateDocument),
        ("gate", "side", documents.SideHead),
        ("gate", "check", documents.GateCheck),
        ("gate", "suggestion", documents.Suggestion),
        ("gate", "case", Failure),
        ("gate", "original", Original),
    ],
)
def test_schemas_name_the_fields_of_the_types(file: str, place: str, kind: type) -> None:
    schema = load_schema(file)
    part = schema["$defs"][place] if place else schema
    assert set(part["properties"]) == set(part["required"]) == set(get_type_hints(kind))
    assert all("description" in field for field in part["properties"].values())
