"""Files of options, read as the verbs read them, without running the verbs."""

from __future__ import annotations

from pathlib import Path

import click
from tests.fuzz.harness import Target

from nliprobe.api.validate import validate
from nliprobe.base.errors import NliprobeError
from nliprobe.cli.main import cli
from nliprobe.cli.validate import option_readers

_VERBS = ("run", "train", "gate", "plan", "generate", "show", "score", "report", "compare")
# Every verb reads the whole file: two per input, so that the limit of time is one of reading.
_VERBS_PER_INPUT = 2
_SEEDS = (
    "run:\n  on: builtin/tables-dev\n  probes: [gold, 'rows.permute?n=2']\n  system: svm?represent=json\n"
    "  train: builtin/tables-train\n  shard-size: 100\n  quiet: true\n  out: runs/a\n  seed: 3\nshow:\n",
    "run: &run {on: [builtin/sentences-dev], out: x, system: ['python:m:f?labels=entailment;neutral;contradiction'],\n"
    "  premise: none, train-premise: swapped, represent: para, labels: 'entailment,neutral,contradiction'}\n"
    "plan: {<<: *run, seed: 7}\n",
    "train:\n  model: svm\n  train: [builtin/tables-train]\n  dev: builtin/tables-dev\n"
    "  seeds: [0, 1]\n  out: models/x\n",
    "gate:\n  run: runs/a\n  baseline: runs/b\n  margin: 0.01\n  slack: .5\n  junit: gate.xml\n  format: json\n",
    "generate:\n  templates: checklist\n  n: 20\n  only: [negation, lexical]\n  by: NAME\n"
    "  out: s.parquet\n  workers: 2\n",
    "show: {run: runs/a, failing: 3, probe: gold}\nreport: {run: runs/a, out: r.html}\ncompare: {run: a, run2: b}\n",
    "score:\n  on: builtin/tables-dev\n  answers: x.csv\n  in-order: true\n",
)


def _seeds() -> list[bytes]:
    return [seed.encode() for seed in _SEEDS]


def _run(data: bytes, folder: Path) -> None:
    path = folder / "options.yaml"
    path.write_bytes(data)
    group = click.Context(cli, info_name="nliprobe")
    assert isinstance(cli, click.Group)
    first = len(data) % len(_VERBS)
    for verb in (_VERBS * 2)[first : first + _VERBS_PER_INPUT]:
        command = cli.get_command(group, verb)
        assert command is not None
        try:
            command.make_context(verb, ["--config", str(path)], parent=group)
        except (click.ClickException, NliprobeError) as error:
            str(error).encode("utf-8")
    for report in validate([str(path)], verbs=option_readers()):
        str(report.to_json()).encode("utf-8")


TARGET = Target("config_file", _seeds, _run)
