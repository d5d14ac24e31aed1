"""The grid of ``nliprobe train``: several models or shares of edited pairs, and the table of what they get."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import click

from nliprobe.base.registry import split_specs
from nliprobe.cli._output import echo
from nliprobe.cli._progress import RunProgress
from nliprobe.cli._training_progress import TrainingProgress


class _Asking(RunProgress):
    """Shows its bars from when asking begins: until then those of training are on the screen."""

    def __init__(self, training: TrainingProgress) -> None:
        super().__init__()
        self._training = training

    def __enter__(self) -> Self:
        return self

    def begin(self, pairs: int | None) -> None:
        """Show that a run begins, in the place of the bars of training."""
        if self._bars is None:
            self._training.__exit__(None, None, None)
            super().__enter__()
        super().begin(pairs)


def train_grid(
    models: Sequence[str],
    train: Sequence[str],
    dev: Sequence[str],
    out: Path,
    *,
    through: str,
    shares: Sequence[float],
    labels: str,
    stress: Sequence[str],
    also: Sequence[str],
    probes: Sequence[str],
    over: Sequence[float] | None,
    seeds: Sequence[int],
    jobs: int,
    represent: str | None,
    premise: str | None,
    root: Path | None,
    quiet: bool,
) -> None:
    """Train and ask everything, print the table, and set the exit code."""
    from nliprobe.api.grid_face import GridInterruptedError, grid
    from nliprobe.engine.steps import Silent

    training = TrainingProgress(quiet=quiet)
    asking = _Asking(training)
    try:
        with training, asking:
            done = grid(
                models,
                train,
                out,
                dev=dev,
                shares=shares,
                through=through,
                through_labels=labels,
                stress=stress,
                also=[split_specs(text) for text in also],
                probes=probes,
                deviation_over=over,
                seeds=seeds,
                jobs=jobs,
                represent=represent,
                premise=premise,
                root=root,
                watcher=training,
                progress=Silent() if quiet else asking,
                say=training.say,
            )
    except GridInterruptedError:
        again = shlex.join(["nliprobe", *sys.argv[1:]])
        echo(f"Stopped; what was learnt and answered is kept. Continue with: {again}", err=True)
        raise click.exceptions.Exit(130) from None
    done.show()
    if done.document is not None and not quiet:
        echo(f"The table is in {out / 'grid.json'}, the runs are in {out / 'runs'}.", err=True)
    if done.failed:
        for name, reason in done.failed.items():
            echo(f"nliprobe: {name} failed: {reason}", err=True)
        raise click.exceptions.Exit(1)
