"""``nliprobe plan``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli import _options as options


@click.command("plan")
@options.config_option
@options.plugin_option
@options.system_option
@options.on_option
@options.probes_option
@options.train_option
@options.from_option
@options.seed_option
@options.format_option
@click.option(
    "-o", "--inputs", "out", type=click.Path(dir_okay=False, path_type=Path),
    help="Write the distinct inputs here as JSON lines (input_id, premise, hypothesis).",
)  # fmt: skip
@click.option("--represent", default="para", show_default=True, help="Representation of tables in the written inputs.")
@click.option("--premise", default="full", show_default=True, help="Premise control: full, none, dummy, swapped.")
def command(
    systems: tuple[str, ...],
    on: tuple[str, ...],
    probes: tuple[str, ...],
    train: tuple[str, ...],
    root: Path | None,
    seed: int,
    form: str,
    out: Path | None,
    represent: str,
    premise: str,
) -> None:
    """Say what a run would ask, and write its inputs for a model that runs elsewhere.

    Bring the answers back with: nliprobe run --system predictions:ANSWERS …, one JSON line an input with its
    input_id and a label or scores.
    """
    from nliprobe.api.plan import plan, write_inputs
    from nliprobe.api.resolve import Request
    from nliprobe.represent.controls import Control

    request = Request(on, systems, probes, train, root, seed)
    found = plan(request)
    written = write_inputs(request, represent, Control.parse(premise), out) if out is not None else None
    if form == "json":
        options.print_json(
            {
                "schema": "nliprobe/plan/1",
                "suite": found.suite,
                "cases": [{"corpus": c, "probe": p, "n": n} for (c, p), n in sorted(found.cases.items())],
                "skipped": [
                    {"corpus": c, "probe": p, "reason": r, "n": n} for (c, p, r), n in sorted(found.skips.items())
                ],
                "systems": [
                    {"name": name, "inputs": n, "known": found.known[name]} for name, n in found.inputs.items()
                ],
                "written": written,
            }
        )
        return
    for (corpus, probe), n in sorted(found.cases.items()):
        click.echo(f"{corpus:<28} {probe:<24} {n:>10,} cases")
    for (corpus, probe, reason), n in sorted(found.skips.items()):
        click.echo(f"{corpus:<28} {probe:<24} does not apply to {n:,} pairs: {reason}")
    for name, n in found.inputs.items():
        click.echo(f"{name}: {n:,} distinct inputs, {found.known[name]:,} of them known already")
    click.echo(f"{sum(found.cases.values()):,} cases in all; suite {found.suite}")
    if written is not None:
        click.echo(f"{written:,} inputs written to {out}", err=True)
