"""The published schemas, and validating documents by them."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

SCHEMAS = Path(__file__).parents[2] / "docs" / "reference" / "schemas"


# To check a schema takes longer than most tests; the files do not change while they run.
@cache
def _validator(name: str) -> Draft202012Validator:
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def load_schema(name: str) -> Any:
    """Return a published schema, which is a valid one."""
    return deepcopy(_validator(name).schema)


def validate(name: str, document: object) -> None:
    """Check a document as programs would read it: through JSON, without NaN."""
    _validator(name).validate(json.loads(json.dumps(document, allow_nan=False)))
