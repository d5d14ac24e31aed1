"""Read the measured transfer results that Table 3 shows; ``benchmarks/transfer_table.py`` writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict, cast

from nliprobe.api.transfer_documents import SCHEMA
from nliprobe.base.errors import DataError
from nliprobe.base.files import read_json

if TYPE_CHECKING:
    from nliprobe.api.transfer_documents import TaskDocument, TransferDocument, TransferResultDocument

SHIPPED = Path(__file__).parent / "transfer"
FORMAT = 1


class RowDocument(TypedDict):
    """Which row of the table a system belongs to; systems of one row differ by their seed."""

    row: str
    system: str


class MeasuredDocument(TypedDict):
    """A file of measured results.

    Attributes:
        format: the version of this form.
        by: what was trained, and on what.
        rows: the row of each system.
        document: what ``nliprobe score --transfer all`` gave.
    """

    format: int
    by: str
    rows: list[RowDocument]
    document: TransferDocument


class Measured(NamedTuple):
    """Results by row of the table: a list of systems, each with its results by task."""

    by: str
    rows: dict[str, list[dict[str, TransferResultDocument]]]
    glove: dict[str, TransferResultDocument]
    tasks: dict[str, TaskDocument]


def shipped() -> list[Measured]:
    """Return the results in the package; none if there are no files."""
    return [read_measured(path) for path in sorted(SHIPPED.glob("*.json"))]


def read_measured(path: Path) -> Measured:
    """Read one file of results."""
    content = cast("MeasuredDocument", read_json(path))
    if content.get("format") != FORMAT or content.get("document", {}).get("schema") != SCHEMA:
        raise DataError(
            f"{path} should hold transfer results in format {FORMAT}, as benchmarks/transfer_table.py writes them."
        )
    document = content["document"]
    results = {
        system["system"]: {result["task"]: result for result in system["results"]} for system in document["systems"]
    }
    rows: dict[str, list[dict[str, TransferResultDocument]]] = {}
    for entry in content["rows"]:
        if entry["system"] not in results:
            raise DataError(f"{path} names the system {json.dumps(entry['system'])}, but has no results of it.")
        rows.setdefault(entry["row"], []).append(results[entry["system"]])
    glove = next((results[system["system"]] for system in document["systems"] if system["baseline"]), {})
    return Measured(content["by"], rows, glove, {task["task"]: task for task in document["tasks"]})
