"""``nliprobe export``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.cli import _options as options
from nliprobe.cli._bars import LiveBars
from nliprobe.cli._output import echo

if TYPE_CHECKING:
    from rich.progress import TaskID

    from nliprobe.api.exchange.documents import ExchangeDocument
    from nliprobe.api.export import Exchanged, Exported


class ExportBar(LiveBars):
    """Shows how many cases are written."""

    def __init__(self) -> None:
        super().__init__()
        self._task: TaskID | None = None

    def update(self, done: int, of: int | None) -> None:
        """Show how many cases are done, of how many if that is known."""
        if self._bars is not None:
            if self._task is None:
                self._task = self._bars.add_task("cases", total=of)
            self._bars.update(self._task, completed=done, total=of)


@click.command("export")
@options.config_option
@options.plugin_option
@click.argument("what", metavar="[RUN|FILE|MODEL]", required=False)
@click.option(
    "--to", required=True, metavar="FORMAT",
    help="Format to write, which decides what can be exported. A run or a suite: csv, parquet, hf, lm-eval, inspect. "
    "A run: mlflow, wandb. A model: onnx.",
)  # fmt: skip
@click.option(
    "-o", "--out", required=True, type=click.Path(path_type=Path),
    help="New folder to write. One that is not empty is refused.",
)  # fmt: skip
@click.option(
    "--on", multiple=True, callback=options._split, metavar="CORPUS,…",
    help="Corpora of a suite. Of a model: pairs on which the export is compared with its original, by default the "
    "built-in corpus. Repeatable.",
)  # fmt: skip
@click.option(
    "--probes", multiple=True, callback=options._split, metavar="PROBE,…",
    help="Probes of a suite, such as rows.delete. By default pairs are asked as they are. Repeatable.",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), help="Seed of a suite. By default 0.")
@click.option("--represent", default="", metavar="NAME", help="How tables are written as text. By default para.")
@click.option(
    "--premise", type=click.Choice(["full", "none", "dummy", "swapped"]), default=None,
    help="Which premise is shown: the full one, none, a dummy, or (of a suite) that of another pair. By default full.",
)  # fmt: skip
@click.option(
    "--prompt", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="With --to lm-eval or inspect: prompt file. By default the prompt of chat: models.",
)  # fmt: skip
@click.option(
    "--partial", is_flag=True,
    help="Export a run although it is unfinished or damaged, without what is missing. The export says so.",
)  # fmt: skip
@click.option("--int8", is_flag=True, help="Of a model: round weights to 8 bits, which is faster on a CPU.")
@click.option(
    "--pairs", default=1000, show_default=True, type=click.IntRange(min=1),
    help="Of a model: how many pairs are compared at most, drawn at random.",
)  # fmt: skip
@click.option("--keep-anyway", is_flag=True, help="Of a model: keep an export that gives another answer too often.")
@options.from_option
@options.format_option
def command(
    what: str | None, to: str, out: Path, on: tuple[str, ...], probes: tuple[str, ...], seed: int | None,
    represent: str, premise: str | None, prompt: Path | None, partial: bool, int8: bool, pairs: int,
    keep_anyway: bool, root: Path | None, form: str,
) -> None:  # fmt: skip
    """Write a run, a suite or a model for other programs.

    RUN is a run folder. FILE is a file of options (probe.yaml), whose section run says the suite to write; without
    either, it is the suite of --on and --probes. Cases, and of a run also answers and outcomes, become a table (csv,
    parquet) or a dataset (hf); cases become tasks of a harness (lm-eval, inspect); the results of a run become those of
    an experiment tracker (mlflow, wandb). What was written is kept in export.json.

    MODEL is transformers:PATH, or trained:FOLDER of the network classifier. With --to onnx it becomes a folder that is
    asked with --system onnx:FOLDER, without torch. Both are asked the same pairs. If they give different answers to
    more than 2 % of them with --int8 (0.5 % without), nothing is written and the exit code is 1.
    """
    from nliprobe.api.export import Exported, export

    with ExportBar() as bar:
        exported = export(
            what, out, to=to, on=on, probes=probes, seed=seed, represent=represent, premise=premise or "",
            prompt=prompt, partial=partial, int8=int8, pairs=pairs, keep_anyway=keep_anyway, root=root, say=bar.say,
            progress=bar.update,
        )  # fmt: skip
    if form == "json":
        options.print_json(exported.document)
        return
    if isinstance(exported, Exported):
        lines, following = _model_lines(exported), f"Ask it with: nliprobe run --system onnx:{out} --on … --out …"
    else:
        lines, following = _exchange_lines(exported), _next(exported.document, out)
    for line in lines:
        echo(line)
    echo(following, err=True)


def _exchange_lines(exported: Exchanged) -> Iterator[str]:
    document = exported.document
    size = sum(item["bytes"] for item in document["files"])
    files = len(document["files"])
    systems = f", {len(document['systems']):,} system{'s' * (len(document['systems']) != 1)}"
    yield (
        f"{exported.path}  {document['cases']:,} cases of {document['source']}"
        f"{systems if document['systems'] else ''}: {files:,} file{'s' * (files != 1)}, {size / 1e6:.1f} MB"
    )
    if document["partial"]:
        yield "warning: The run is not complete, and so is the export."
    for line in document["lost"]:
        yield f"note: {line}"


def _next(document: ExchangeDocument, out: Path) -> str:
    """Return what to do with an export."""
    group = "nliprobe" if document["premise"] == "full" else f"nliprobe_premise_{document['premise']}"
    return {
        "csv": f"Open it with: any spreadsheet, or polars.read_csv('{out}/cases.csv')",
        "parquet": f"Open it with: polars.read_parquet('{out}/data')",
        "hf": f"Load it with: datasets.load_dataset('{out}')",
        "lm-eval": f"Run it with: lm_eval run --include_path {out} --tasks {group} --model … --log_samples "
        "--output_path …",
        "inspect": f"Run it with: inspect eval {out}/suite.py --model … --log-format json",
        "mlflow": f"See it with: MLFLOW_ALLOW_FILE_STORE=true mlflow ui --backend-store-uri {out}",
        "wandb": f"Send it with: wandb sync {out}/wandb/offline-run-*",
    }[document["to"]]


def _model_lines(exported: Exported) -> Iterator[str]:
    from nliprobe.api.export_onnx import warnings_of

    document = exported.document
    agreement = document["agreement"]
    yield f"{exported.path / document['file']}  {document['dtype']}, {document['bytes'] / 1e6:.1f} MB"
    low, high = agreement["ci95"] or (0.0, 1.0)
    yield (
        f"the same answer to {agreement['same']:,} of {agreement['n']:,} pairs of {', '.join(agreement['on'])}: "
        f"{100 * agreement['rate']:.1f} % [{100 * low:.1f}, {100 * high:.1f}] (always {agreement['constant_answer']}: "
        f"{100 * agreement['constant']:.1f} %)"
    )
    if agreement["mean_difference"] is not None and agreement["largest_difference"] is not None:
        yield (
            f"probabilities differ by {agreement['mean_difference']:.2g} on average, "
            f"{agreement['largest_difference']:.2g} at most"
        )
    ratio = agreement["exported_per_second"] / agreement["original_per_second"]
    yield (
        f"{agreement['exported_per_second']:,.0f} pairs/s, the original {agreement['original_per_second']:,.0f} "
        f"({ratio:.2f}×, threads: {agreement['threads']})"
    )
    for line in warnings_of(document):
        yield f"warning: {line}"
