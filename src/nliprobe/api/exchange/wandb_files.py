"""Exporting to Weights & Biases: runs that were logged offline, one per system, to be sent with ``wandb sync``."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nliprobe.api.exchange.documents import ExchangeDocument
from nliprobe.api.exchange.results import DOCUMENT, REPORT, Results
from nliprobe.api.exchange.trackers import Tracker, export_results

if TYPE_CHECKING:
    from nliprobe.api.export import ExportRequest, Say

PROJECT = "nliprobe"


def export(request: ExportRequest, say: Say) -> ExchangeDocument:
    """Write offline runs: their summary has the numbers, their configuration says what was asked of whom."""
    return export_results(request, say, Tracker("Weights & Biases", "wandb", _log))


def _log(results: Results, folder: Path, target: Path) -> None:
    wandb: Any = import_module("wandb")
    settings = wandb.Settings(
        silent=True, disable_git=True, disable_code=True, console="off", x_disable_stats=True, x_disable_meta=True
    )
    for name, about in results.systems.items():
        run = wandb.init(
            project=PROJECT,
            name=name,
            group=results.name,
            dir=str(folder),
            mode="offline",
            reinit="create_new",
            config={**about, **results.about},
            settings=settings,
        )
        run.log(results.metrics[name])
        for file in (REPORT, DOCUMENT):
            # In the folder of the run: a link from there would name the folder that it has only while it is written.
            copied = Path(run.dir) / file
            copied.write_bytes((folder / file).read_bytes())
            run.save(str(copied), base_path=run.dir, policy="end")
        run.finish()
    for path in folder.rglob("*"):
        if path.is_symlink():  # to logs, under the name that the folder has only while it is written
            path.unlink()
