"""``nliprobe plan``."""

from __future__ import annotations

from pathlib import Path

import click

from nliprobe.cli import _options as options
from nliprobe.cli._output import echo


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
    "-o", "--out", type=click.Path(dir_okay=False, path_type=Path),
    help="Write each distinct input to this file, one JSON line per input (input_id, premise, hypothesis).",
)  # fmt: skip
@click.option(
    "--examples", type=click.Path(dir_okay=False, path_type=Path),
    help="Write each labelled pair to this file, one JSON line per pair (premise, hypothesis, label, form): examples "
    "for the prompts of chat models.",
)  # fmt: skip
@click.option("--represent", default="para", show_default=True, help="How tables are written in the inputs.")
@click.option("--premise", default="full", show_default=True, help="Premise in the inputs: full, none, dummy, swapped.")
def command(
    systems: tuple[str, ...],
    on: tuple[str, ...],
    probes: tuple[str, ...],
    train: tuple[str, ...],
    root: Path | None,
    seed: int,
    form: str,
    out: Path | None,
    examples: Path | None,
    represent: str,
    premise: str,
) -> None:
    """Count what a run would ask, and write its inputs for a model that runs elsewhere.

    For a system that is sent prompts (chat:…), the first prompt is shown as it will be sent, and about what the run
    will cost.

    The model writes one JSON line per input to a file ANSWERS, with the input_id and a label or scores. Then use the
    answers with: nliprobe run --system predictions:ANSWERS …
    """
    from nliprobe.api.plan import in_words, plan, write_examples, write_inputs
    from nliprobe.api.resolve import Request
    from nliprobe.represent.controls import Control

    request = Request(on, systems, probes, train, root, seed)
    planned = plan(request)
    control = Control.parse(premise)
    written = write_inputs(request, represent, control, out) if out is not None else None
    shown = write_examples(request, represent, control, examples) if examples is not None else None
    if form == "json":
        options.print_json(
            {
                "schema": "nliprobe/plan/1",
                "suite": planned.suite,
                "cases": [{"corpus": c, "probe": p, "n": n} for (c, p), n in sorted(planned.cases.items())],
                "expensive": planned.expensive,
                "skipped": [
                    {"corpus": c, "probe": p, "reason": r, "n": n} for (c, p, r), n in sorted(planned.skips.items())
                ],
                "systems": [
                    {
                        "name": name,
                        "inputs": n,
                        "known": planned.known[name],
                        **({"prompt": planned.prompts[name]} if name in planned.prompts else {}),
                        **({"estimate": planned.estimates[name]._asdict()} if name in planned.estimates else {}),
                    }
                    for name, n in planned.inputs.items()
                ],
                "written": written,
            }
        )
        return
    for (corpus, probe), n in sorted(planned.cases.items()):
        echo(f"{corpus:<28} {probe:<24} {n:>10,} cases")
    for (corpus, probe, reason), n in sorted(planned.skips.items()):
        echo(f"{corpus:<28} {probe:<24} does not apply to {n:,} pairs: {reason}")
    for name, n in planned.inputs.items():
        echo(f"{name}: {n:,} distinct inputs, {planned.known[name]:,} of them known already")
        if name in planned.estimates:
            echo(f"{name}: {in_words(planned.estimates[name])}")
    if planned.expensive:
        echo(f"expensive, with many cases per pair: {', '.join(planned.expensive)}")
    echo(f"{sum(planned.cases.values()):,} cases in all; suite {planned.suite}")
    for name, prompt in planned.prompts.items():
        echo(f"\nThe first prompt of {name}:\n{prompt}")
    if written is not None:
        echo(f"{written:,} inputs written to {out}", err=True)
    if shown is not None:
        echo(f"{shown:,} examples written to {examples}", err=True)
