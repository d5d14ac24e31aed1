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
@click.option(
    "--suggest-n", "suggest", type=float, metavar="MARGIN",
    help="Also say how many cases each check needs for a margin, such as 0.01 for one point.",
)  # fmt: skip
@click.option(
    "--cases", default=0, show_default=True, metavar="N", help="Show so many failing cases with each failed check."
)
@click.option(
    "--summary", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Also append the checks to this file, as Markdown, for example to $GITHUB_STEP_SUMMARY.",
)  # fmt: skip
@options.partial_option
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True,
    help="Print text for people, JSON for programs, or Markdown for a pull request.",
)  # fmt: skip
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
    suggest: float | None,
    cases: int,
    summary: Path | None,
    partial: bool,
    form: str,
) -> None:
    """Let a run pass or fail against a contract or an earlier run; exit code 3 if it fails.

    A contract looks at the unfavourable bounds of intervals that hold together for all its checks, or with "on:
    estimate" at the number itself. Against a baseline, a run fails if it is clearly worse on the same cases, or if a
    corpus or probe is missing; a contract can say instead what is compared with it.
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
        cases=cases,
        suggest=suggest,
    )
    if junit is not None:
        outcome.junit(junit)
    if summary is not None:
        outcome.summary(summary)
    if form == "json":
        options.print_json(outcome.document)
    elif form == "markdown":
        echo(outcome.markdown(), nl=False)
    else:
        from nliprobe.report.gate_text import print_gate

        print_gate(outcome.document)
    if not outcome.passed:
        raise click.exceptions.Exit(FAILED)
