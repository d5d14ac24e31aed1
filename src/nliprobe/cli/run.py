"""``nliprobe run``."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from nliprobe.base.urls import redact_all
from nliprobe.cli import _options as options
from nliprobe.cli._output import echo
from nliprobe.engine.stages import SHARD_SIZE


@click.command("run")
@options.config_option
@options.plugin_option
@options.system_option
@options.on_option
@options.probes_option
@options.train_option
@options.represent_option
@options.premise_option
@options.train_premise_option
@click.option("-o", "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder of the run.")
@options.labels_option
@options.no_doctor_option
@options.from_option
@options.seed_option
@click.option(
    "--shard-size", default=SHARD_SIZE, show_default=True, type=click.IntRange(min=1), help="Cases per shard."
)
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Where systems are asked: in this process, or by the workers of a Ray cluster.",
)
@click.option(
    "--address",
    default="",
    metavar="HOST:PORT",
    help="Ray cluster to which this machine belongs; 'auto' finds it. By default workers run on this machine.",
)
@click.option(
    "--workers", type=click.IntRange(min=1), help="Workers of --engine ray. By default one per GPU, or per 4 CPUs."
)
@click.option(
    "--worker-gpus",
    type=click.FloatRange(min=0),
    metavar="N",
    help="GPUs per worker. By default 1 if the device of a model is a GPU.",
)
@click.option("--quiet", is_flag=True, help="Print nothing while running.")
def command(
    systems: tuple[str, ...],
    on: tuple[str, ...],
    probes: tuple[str, ...],
    train: tuple[str, ...],
    represent: str | None,
    premise: str | None,
    train_premise: str | None,
    out: Path,
    labels: str,
    no_doctor: bool,
    root: Path | None,
    seed: int,
    shard_size: int,
    engine: str,
    address: str,
    workers: int | None,
    worker_gpus: float | None,
    quiet: bool,
) -> None:
    """Ask systems about a suite of cases and keep the answers in a run folder.

    Repeating the command continues a run that was stopped, asks failed inputs again, and does nothing when the run is
    complete. Ctrl-C finishes the current shard; a second Ctrl-C stops at once.
    """
    from nliprobe.api.face import RunInterruptedError, run
    from nliprobe.cli._progress import RunProgress
    from nliprobe.engine.steps import Silent

    with RunProgress() as progress:
        try:
            result = run(
                systems,
                on,
                probes,
                out,
                train=train,
                represent=represent,
                premise=premise,
                train_premise=train_premise,
                labels=labels,
                root=root,
                seed=seed,
                doctor=not no_doctor,
                engine=engine,
                address=address,
                workers=workers,
                worker_gpus=worker_gpus,
                shard_size=shard_size,
                progress=Silent() if quiet else progress,
                say=(lambda line: None) if quiet else progress.say,
            )
        except RunInterruptedError as stopped:
            result = stopped.run
    tally = result.tally
    if tally is None:
        counts = result.folder.record.counts
        size = "" if counts is None else f" ({counts.cases:,} cases)"
        echo(f"{out} is complete{size}; nothing to ask. Look at it with: nliprobe show {out}", err=True)
        return
    for path in tally.damaged:
        echo(f"A damaged file of the cache was set aside and its answers asked again: {path}", err=True)
    if tally.interrupted:
        again = shlex.join(["nliprobe", *map(redact_all, sys.argv[1:])])
        echo(f"Stopped after {tally.cases:,} cases, all kept. Continue with: {again}", err=True)
        raise click.exceptions.Exit(130)
    if quiet:
        return
    for name in sorted({*tally.asked, *tally.reused}):
        failed = f", {tally.failed[name]:,} failed (the same command asks them again)" if tally.failed[name] else ""
        echo(f"{name}: {tally.asked[name]:,} inputs asked, {tally.reused[name]:,} known before{failed}", err=True)
    from nliprobe.report.console import print_document

    print_document(result.summary())
    echo(f"The run is in {out}. As a page: nliprobe report {out}", err=True)
