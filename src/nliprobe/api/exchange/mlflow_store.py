"""Exporting to MLflow: a file store with one run for the whole and one for each system under it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nliprobe.api.exchange.documents import ExchangeDocument
from nliprobe.api.exchange.results import DOCUMENT, REPORT, Results
from nliprobe.api.exchange.trackers import Tracker, export_results
from nliprobe.base.files import write_atomic

if TYPE_CHECKING:
    from nliprobe.api.export import ExportRequest, Say

EXPERIMENT = "nliprobe"
# MLflow refuses longer values of parameters; report and document have them whole.
_LONGEST_VALUE = 500
# Recent versions of MLflow ask users of file stores to say that they mean it.
_ALLOWED = "MLFLOW_ALLOW_FILE_STORE"


def export(request: ExportRequest, say: Say) -> ExchangeDocument:
    """Write a file store that MLflow shows: parameters say what was asked of whom; artifacts are the report."""
    return export_results(request, say, Tracker("MLflow", "mlflow", _log))


def _log(results: Results, folder: Path, target: Path) -> None:
    with _file_stores_allowed():
        client: Any = import_module("mlflow.tracking").MlflowClient(tracking_uri=folder.as_uri())
        experiment = client.create_experiment(EXPERIMENT)
        parent = _run(client, experiment, results.name, results.about, {})
        for name in (REPORT, DOCUMENT):
            client.log_artifact(parent, str(folder / name))
            (folder / name).unlink()
        for name, about in results.systems.items():
            run = _run(client, experiment, name, about | results.about, {"mlflow.parentRunId": parent})
            for metric, value in results.metrics[name].items():
                client.log_metric(run, metric, value)
            client.set_terminated(run)
        client.set_terminated(parent)
    _move(folder, target)


def _run(client: Any, experiment: str, name: str, about: Mapping[str, str], tags: Mapping[str, str]) -> str:
    run: str = client.create_run(experiment, run_name=name, tags=dict(tags)).info.run_id
    for key, value in about.items():
        client.log_param(run, key, value if len(value) <= _LONGEST_VALUE else f"{value[: _LONGEST_VALUE - 1]}…")
    return run


def _move(folder: Path, target: Path) -> None:
    """Let the store name the folder that it will have: it keeps the whole paths of artifacts."""
    for path in folder.rglob("meta.yaml"):
        text = path.read_text(encoding="utf-8")
        write_atomic(path, text.replace(folder.as_uri(), target.as_uri()).encode("utf-8"))


@contextmanager
def _file_stores_allowed() -> Iterator[None]:
    before = os.environ.get(_ALLOWED)
    os.environ[_ALLOWED] = "true"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_ALLOWED]
        else:
            os.environ[_ALLOWED] = before
