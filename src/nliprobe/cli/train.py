"""``nliprobe train``."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.base.errors import UsageError
from nliprobe.cli import _options as options
from nliprobe.cli._output import echo
from nliprobe.cli._values import Shares, WholeNumbers

if TYPE_CHECKING:
    from nliprobe.api.train import TrainedFolder


class _NamesNetworks(click.Command):
    """A command whose help lists the networks there are, also those of plugins."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help with the names of all networks."""
        from nliprobe.models.zoo import NETWORKS

        whole = self.help or ""
        self.help = whole.replace("{networks}", ", ".join(NETWORKS.names()))
        try:
            super().format_help_text(ctx, formatter)
        finally:
            self.help = whole


@click.command("train", cls=_NamesNetworks)
@options.config_option
@options.plugin_option
@click.argument("model", metavar="MODEL…", nargs=-1, required=True)
@options.train_option
@options.dev_option
@options.represent_option
@options.premise_option
@click.option(
    "--seeds", default="0", show_default=True, type=WholeNumbers(), metavar="N,…", help="Train once per seed."
)
@click.option("--through", default="", metavar="PROBE", help="Let training pairs pass through a probe first: swap.")
@click.option(
    "--through-share",
    default="1",
    show_default=True,
    type=Shares(),
    metavar="SHARE,…",
    help="Which share of them, 0 to 1. Several train a grid.",
)
@click.option("--through-labels", default="", metavar="N,C", help="Only those with these gold labels.  [default: all]")
@click.option(
    "-o", "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder of the model."
)
@click.option(
    "--stress",
    multiple=True,
    callback=options._split,
    metavar="CORPUS,…",
    help="Ask what was trained stress tests made from these corpora, one per genre, and print the table.",
)
@click.option(
    "--also",
    multiple=True,
    metavar="CORPUS,…",
    help="Ask these corpora as they are, too: the genres of one test. Repeatable, once per test.",
)
@click.option(
    "--probes",
    multiple=True,
    callback=options._split,
    metavar="PROBE,…",
    default=("stress",),
    show_default="stress",
    help="The tests that are made from the corpora of --stress.",
)
@click.option(
    "--deviation-over",
    type=Shares(),
    metavar="SHARE,…",
    help="The shares that the deviation adds up.  [default: all but 0]",
)
@click.option(
    "--jobs", default=1, show_default=True, type=click.IntRange(min=1), help="How many trainings run side by side."
)
@options.from_option
@click.option("--quiet", is_flag=True, help="Print nothing while training.")
def command(
    model: tuple[str, ...],
    train: tuple[str, ...],
    dev: tuple[str, ...],
    represent: str | None,
    premise: str | None,
    seeds: tuple[int, ...],
    through: str,
    through_share: tuple[float, ...],
    through_labels: str,
    out: Path,
    stress: tuple[str, ...],
    also: tuple[str, ...],
    probes: tuple[str, ...],
    deviation_over: tuple[float, ...] | None,
    jobs: int,
    root: Path | None,
    quiet: bool,
) -> None:
    """Train a network or a simpler model and keep it in a folder.

    MODEL is a network ({networks}) or a simpler model (glove, svm, majority) with its options, such as
    'esim?epochs=3' or 'classifier?encoder=path/to/checkpoint'.

    classifier and tabattn start from an encoder, all other networks from word vectors: name a GloVe file with
    ?vectors=PATH or NLIPROBE_VECTORS, put it into a folder 'glove' below NLIPROBE_DATA, or begin with random ones
    (?vectors=none).

    Networks are written to OUT/seed-N, simpler models to OUT; ask them with --system trained:FOLDER. Ctrl-C keeps what
    was learnt so far, and repeating the command continues the training.

    Several MODELs, or several shares of pairs that pass through a probe, are a grid: every model is trained with every
    share and seed into OUT/MODEL/share-SHARE/seed-N. With --stress or --also all of them are asked, and the table says
    how far the share moves them: the score S, the ratio R to that of share 0, and the deviation.
    """
    if len(model) > 1 or len(through_share) > 1 or stress or also:
        from nliprobe.cli._grid import train_grid

        if not through and through_share == (1.0,):
            through_share = (0.0,)
        train_grid(
            model, train, dev, out, through=through, shares=through_share, labels=through_labels, stress=stress,
            also=also, probes=probes, over=deviation_over, seeds=seeds, jobs=jobs, represent=represent,
            premise=premise, root=root, quiet=quiet,
        )  # fmt: skip
        return
    if jobs > 1:
        raise UsageError("--jobs is for several models or shares of a grid; here is only one.")
    from nliprobe.api.face import train as train_model
    from nliprobe.api.train import CURVE
    from nliprobe.cli._training_progress import TrainingProgress
    from nliprobe.report.curve import spark_line

    with TrainingProgress(quiet=quiet) as progress:
        trained = train_model(
            model[0],
            train,
            out,
            dev=dev,
            represent=represent,
            premise=premise,
            seeds=seeds,
            root=root,
            watcher=progress,
            through=through,
            through_share=through_share[0],
            through_labels=through_labels,
        )
    if trained and trained[-1].result is not None and trained[-1].result.stopped:
        again = shlex.join(["nliprobe", *sys.argv[1:]])
        echo(f"Stopped; what was learnt is kept. Continue with: {again}", err=True)
        raise click.exceptions.Exit(130)
    if quiet:
        return
    for item in trained:
        result = item.result
        if result is not None and result.cut:
            echo(f"{result.cut:,} training premises were cut to fit the window.", err=True)
        if result is not None and result.unused:
            echo(f"{result.unused:,} training pairs have a gold label that cannot be learnt.", err=True)
        echo(f"{item.folder}{_best(item)}")
        if len(item.dev) > 1:
            shown = " ".join(f"{100 * value:.1f}" for value in item.dev)
            echo(f"  dev by epoch {spark_line(item.dev)}  {shown}  (the curve: {item.folder / CURVE})", err=True)
    echo(f"Ask it with: nliprobe run --system trained:{trained[0].folder} --on … --out …", err=True)


def _best(trained: TrainedFolder) -> str:
    if not trained.dev:
        return ""
    best = max(trained.dev)
    constant = "" if trained.constant is None else f" (a constant answer: {100 * trained.constant:.2f})"
    return f"  best on dev {100 * best:.2f} in epoch {trained.dev.index(best) + 1}{constant}"
