"""CSV, Parquet and Hugging Face folders hold what the run holds."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from tests.exchange.conftest import HOSTILE, need

import nliprobe
from nliprobe.api.exchange.rows import ANSWER_COLUMNS, CASE_COLUMNS
from nliprobe.base.cells import restore_named
from nliprobe.base.errors import StoreError, UsageError


def test_parquet_has_a_row_per_case_and_system(run_folder: Path, tmp_path: Path) -> None:
    exported = nliprobe.export(run_folder, tmp_path / "out", to="parquet")
    frame = pl.read_parquet(tmp_path / "out" / "data")
    run = nliprobe.open_run(run_folder)
    assert frame.columns == [*CASE_COLUMNS, *ANSWER_COLUMNS]
    assert len(frame) == len(run.cases()) * 2 == exported.document["cases"] * 2
    assert json.loads((tmp_path / "out" / "export.json").read_text(encoding="utf-8")) == exported.document
    given = run.predictions().select("system", "case_id", "label").sort("system", "case_id")
    assert frame.select("system", "case_id", label="answer").sort("system", "case_id").equals(given)
    failing = run.failures().select("system", "case_id").unique().sort("system", "case_id")
    broken = frame.filter((pl.col("gold_outcome") == "broken") | (pl.col("expects_outcome") == "broken"))
    assert broken.select("system", "case_id").sort("system", "case_id").equals(failing)


def test_csv_keeps_every_text_and_runs_none(run_folder: Path, tmp_path: Path) -> None:
    nliprobe.export(run_folder, tmp_path / "csv", to="csv")
    nliprobe.export(run_folder, tmp_path / "parquet", to="parquet")
    cells = pl.read_csv(tmp_path / "csv" / "cases.csv", infer_schema=False)
    texts = pl.read_parquet(tmp_path / "parquet" / "data")
    assert not cells["hypothesis"].str.starts_with("=").any()
    restored = [restore_named({**row, "guarded": row["guarded"] or ""}) for row in cells.iter_rows(named=True)]
    for name in ("premise", "hypothesis", "case_id", "answer", "gold"):
        assert [row[name] for row in restored] == texts[name].to_list()
    assert set(HOSTILE) <= set(texts["hypothesis"])


def test_a_suite_needs_no_run(tmp_path: Path) -> None:
    exported = nliprobe.export(
        None, tmp_path / "out", to="parquet", on="builtin/tables-all", probes=["rows.delete"], represent="json"
    )
    frame = pl.read_parquet(tmp_path / "out" / "data")
    assert frame.columns == list(CASE_COLUMNS)
    assert exported.document["kind"] == "suite"
    assert all(json.loads(text) for text in frame["premise"])
    derived = frame.filter(probe="rows.delete")
    assert len(derived) > 0
    assert set(derived["bases"].list.len()) == {1}


def test_what_cannot_be_exported_is_said_and_leaves_nothing(run_folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(UsageError, match="whose suite is given"):
        nliprobe.export(run_folder, out, to="csv", on="builtin/sentences-dev")
    with pytest.raises(UsageError, match="Name what to export"):
        nliprobe.export(None, out, to="csv")
    with pytest.raises(UsageError, match="results of a run"):
        nliprobe.export(None, out, to="mlflow", on="builtin/sentences-dev")
    with pytest.raises(UsageError, match="does not belong"):
        nliprobe.export(run_folder, out, to="csv", int8=True)
    with pytest.raises(UsageError, match="There is no format 'cvs'"):
        nliprobe.export(run_folder, out, to="cvs")
    assert not out.exists()
    out.mkdir()
    (out / "mine").write_text("x")
    with pytest.raises(StoreError, match="not empty"):
        nliprobe.export(run_folder, out, to="csv")


def test_ctrl_c_leaves_nothing(run_folder: Path, tmp_path: Path) -> None:
    def stop(done: int, of: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        nliprobe.export(run_folder, tmp_path / "out", to="csv", progress=stop)
    assert list(tmp_path.glob("*out*")) + list(tmp_path.glob(".*out*")) == []


def test_datasets_loads_a_run(run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("datasets")
    import datasets

    nliprobe.export(run_folder, tmp_path / "out", to="hf")
    cache = str(tmp_path / "cache")
    cases = datasets.load_dataset(str(tmp_path / "out"), cache_dir=cache)["test"]
    answers = datasets.load_dataset(str(tmp_path / "out"), "predictions", split="test", cache_dir=cache)
    assert cases.column_names == list(CASE_COLUMNS)
    assert len(answers) == 2 * len(cases)
    assert set(HOSTILE) <= set(cases["hypothesis"])
