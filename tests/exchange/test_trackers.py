"""MLflow and Weights & Biases get the numbers of a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.exchange.conftest import need

import nliprobe


@pytest.mark.filterwarnings("ignore")
def test_mlflow_shows_the_systems(run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("mlflow")
    from mlflow.tracking import MlflowClient

    nliprobe.export(run_folder, tmp_path / "out", to="mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    client = MlflowClient(tracking_uri=(tmp_path / "out").as_uri())
    runs = client.search_runs([client.get_experiment_by_name("nliprobe").experiment_id])
    by_name = {item.info.run_name: item for item in runs}
    assert set(by_name) == {"run", "small", "blind"}
    score = nliprobe.open_run(run_folder).scores().filter(system="small", corpus="builtin/sentences-dev", probe="gold")
    metrics = by_name["small"].data.metrics
    for name in ("accuracy", "accuracy_low", "accuracy_high"):
        assert metrics[f"builtin/sentences-dev/gold/{name}"] == pytest.approx(score[name][0])
    assert by_name["small"].data.params["system"] == "small"
    assert {item.path for item in client.list_artifacts(by_name["run"].info.run_id)} == {"report.html", "show.json"}


@pytest.mark.filterwarnings("ignore")
def test_wandb_logs_offline(run_folder: Path, tmp_path: Path) -> None:
    need("wandb")
    nliprobe.export(run_folder, tmp_path / "out", to="wandb")
    assert len(list((tmp_path / "out" / "wandb").glob("offline-run-*/*.wandb"))) == 2
    assert not [path for path in (tmp_path / "out").rglob("*") if path.is_symlink()]
