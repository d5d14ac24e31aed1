"""``nliprobe export``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.cli import _options as options
from nliprobe.cli._output import echo

if TYPE_CHECKING:
    from nliprobe.api.export import Exported


@click.command("export")
@options.config_option
@options.plugin_option
@click.argument("model", metavar="MODEL")
@click.option(
    "--to", required=True, metavar="FORMAT", help="Format to write, which decides what can be exported: onnx."
)
@click.option(
    "-o", "--out", required=True, type=click.Path(path_type=Path),
    help="New folder to write. One that is not empty is refused.",
)  # fmt: skip
@click.option("--int8", is_flag=True, help="Round weights to 8 bits: faster on a CPU, and nearly the same answers.")
@click.option(
    "--on", multiple=True, callback=options._split, metavar="CORPUS,…",
    help="Pairs on which the export is compared with its original. By default the built-in corpus. Repeatable.",
)  # fmt: skip
@click.option(
    "--pairs", default=1000, show_default=True, type=click.IntRange(min=1),
    help="How many pairs are compared at most, drawn at random.",
)  # fmt: skip
@click.option("--keep-anyway", is_flag=True, help="Keep an export that gives another answer too often.")
@options.from_option
@options.format_option
def command(
    model: str, to: str, out: Path, int8: bool, on: tuple[str, ...], pairs: int, keep_anyway: bool, root: Path | None,
    form: str,
) -> None:  # fmt: skip
    """Write a model for other programs, and measure how far it still gives the same answers.

    MODEL is transformers:PATH, or trained:FOLDER of the network classifier. With --to onnx it becomes a folder that is
    asked with --system onnx:FOLDER, without torch.

    Both are asked the same pairs. If they give different answers to more than 2 % of them with --int8 (0.5 % without),
    nothing is written and the exit code is 1. What was measured is kept in export.json.
    """
    from nliprobe.api.export import export

    exported = export(
        model, out, to=to, int8=int8, on=on, pairs=pairs, keep_anyway=keep_anyway, root=root,
        say=lambda line: echo(line, err=True),
    )  # fmt: skip
    if form == "json":
        options.print_json(exported.document)
        return
    for line in _lines(exported):
        echo(line)
    echo(f"Ask it with: nliprobe run --system onnx:{out} --on … --out …", err=True)


def _lines(exported: Exported) -> Iterator[str]:
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
