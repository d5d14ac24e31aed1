"""The document of an export has the published form, and says what is true of the folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from tests.analysis.schemas import load_schema, validate
from tests.exchange.conftest import need

import nliprobe
from nliprobe.api.exchange.documents import ExchangeDocument, WrittenFile
from nliprobe.api.export import EXCHANGE_FORMATS
from nliprobe.base.errors import UsageError

NEEDED = {"mlflow": "mlflow", "wandb": "wandb"}
OF_RESULTS = ("mlflow", "wandb")


def check(folder: Path, document: Any) -> None:
    validate("exchange", document)
    assert json.loads((folder / "export.json").read_text(encoding="utf-8")) == document
    there = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    del there["export.json"]
    assert {item["name"]: item["bytes"] for item in document["files"]} == {
        name: path.stat().st_size for name, path in there.items()
    }


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("to", EXCHANGE_FORMATS)
def test_a_run_in_every_format(run_folder: Path, tmp_path: Path, to: Any) -> None:
    need(*([NEEDED[to]] if to in NEEDED else []))
    exported = nliprobe.export(run_folder, tmp_path / "out", to=to)
    check(tmp_path / "out", exported.document)
    assert (exported.document["kind"], exported.document["partial"]) == ("run", False)
    assert exported.document["systems"] == ["small", "blind"]
    assert exported.document["cases"] == len(nliprobe.open_run(run_folder).cases())


@pytest.mark.parametrize("to", EXCHANGE_FORMATS)
def test_a_suite_in_every_format_that_needs_no_answers(tmp_path: Path, to: Any) -> None:
    if to in OF_RESULTS:
        with pytest.raises(UsageError, match=f'to="{to}" writes the results of a run'):
            nliprobe.export(None, tmp_path / "out", to=to, on="builtin/sentences-dev")
        return
    exported = nliprobe.export(None, tmp_path / "out", to=to, on="builtin/sentences-dev", probes=["swap"], seed=3)
    check(tmp_path / "out", exported.document)
    assert (exported.document["kind"], exported.document["systems"]) == ("suite", [])
    assert exported.document["probes"] == ["gold", "swap"]


@pytest.mark.parametrize(("place", "kind"), [("", ExchangeDocument), ("file", WrittenFile)])
def test_schema_names_the_fields_of_the_types(place: str, kind: type) -> None:
    schema = load_schema("exchange")
    part = schema["$defs"][place] if place else schema
    assert list(part["properties"]) == part["required"] == list(get_type_hints(kind))
    assert all("description" in field for field in part["properties"].values())
    assert place or set(schema["properties"]["to"]["enum"]) == set(EXCHANGE_FORMATS)
