"""The published schemas, and validating documents by them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

SCHEMAS = Path(__file__).parents[2] / "docs" / "reference" / "schemas"


def load_schema(name: str) -> Any:
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return schema


def validate(name: str, document: object) -> None:
    """Check a document as programs would read it: through JSON, without NaN."""
    Draft202012Validator(load_schema(name)).validate(json.loads(json.dumps(document, allow_nan=False)))
