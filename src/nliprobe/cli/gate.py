"""``nliprobe gate``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.analysis.compare.gate import SLACK
from nliprobe.cli import _options as options
from nliprobe.cli._output import echo

FAILED = 3


@click.command("gate")
@options.config_option
@click.argument("run", type=options.RUN)
@click.option(
    "--baseline", type=click.Path(path_type=Path), metavar="RUN", help="Run that this one must not be worse than."
)
@click.option(
    "--contract", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
    help="YAML file with limits that this run must keep.",
)  # fmt: skip
@click.option("--system", metavar="SYSTEM", help="System of the run; not needed if it has only one.")
@click.option(
    "--baseline-system", metavar="SYSTEM",
    help="System of the baseline. By default the one with the same name, or the only one.",
)  # fmt: skip
@click.option("--margin", default=0.0, show_default=True, help="How much worse is still accepted, as a fraction.")
@click.option(
    "--junit", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Also write the checks to this file, as JUnit XML.",
)  # fmt: skip
@click.option(
    "--write", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Write a contract that this run keeps.",
)  # fmt: skip
@click.option("--slack", default=SLACK, show_default=True, help="Room that limits of --write leave, as a fraction.")
@options.partial_option
@options.format_option
def command(
    run: Path,
    baseline: Path | None,
    contract: Path | None,
    system: str | None,
    baseline_system: str | None,
    margin: float,
    junit: Path | None,
    write: Path | None,
    slack: float,
    partial: bool,
    form: str,
) -> None:
    """Let a run pass or fail against a contract or an earlier run; exit code 3 if it fails.

    A contract looks at the unfavourable bound of each 95 % interval, or with "on: estimate" at the number itself.
    Against a baseline, a run fails if it is clearly worse on the same cases, or if a corpus or probe is missing.
    """
    from nliprobe.api.face import gate, open_run

    opened = open_run(run, partial=partial)
    if write is not None:
        written = opened.write_contract(write, system=system, slack=slack)
        echo(f"{len(written.checks)} checks written to {write}", err=True)
        if baseline is None and contract is None:
            return
    outcome = gate(
        opened,
        baseline=baseline,
        contract=contract,
        system=system,
        baseline_system=baseline_system,
        margin=margin,
        partial=partial,
    )
    if junit is not None:
        outcome.junit(junit)
    if form == "json":
        options.print_json(outcome.document)
    else:
        from nliprobe.report.gate_text import print_gate

        print_gate(outcome.document)
    if not outcome.passed:
        raise click.exceptions.Exit(FAILED)
