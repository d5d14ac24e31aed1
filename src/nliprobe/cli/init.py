"""``nliprobe init``."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.base.errors import NliprobeError, UsageError
from nliprobe.cli import _complete as complete
from nliprobe.cli import _options as options
from nliprobe.cli._output import echo

if TYPE_CHECKING:
    from nliprobe.api.init import Chosen

_QUESTIONS = {
    "model": "1/3 Which model? (a folder with a checkpoint, NAME.onnx, FILE.py:FUNCTION, or one of nliprobe ls models)",
    "data": "2/3 Which pairs? (a file of yours: CSV, TSV, JSON, Parquet; or a corpus such as infotabs/dev)",
    "probes": "3/3 What do you want to know?",
}


@click.command("init")
@options.plugin_option
@click.option("--model", metavar="MODEL", shell_complete=complete.models, help="The model: a path or a spec.")
@click.option("--data", metavar="FILE|CORPUS", help="The pairs to ask about: a file of yours, or a corpus.")
@click.option(
    "--probes", metavar="PURPOSE|PROBE,…", shell_complete=complete.in_list(complete.probes),
    help="What you want to know: premise, edits or stress; or names of probes.",
)  # fmt: skip
@click.option(
    "--columns", default="", metavar="WHAT=COLUMN,…",
    help="Columns of your file whose names do not say what they are, as in premise=text,hypothesis=claim,label=y.",
)  # fmt: skip
@click.option(
    "--labels", default="", metavar="LABELS",
    help="What the labels of your file mean, such as entailment,neutral,contradiction for 0, 1, 2.",
)  # fmt: skip
@options.train_option
@click.option(
    "-o", "--out", default="probe.yaml", show_default=True, type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write, which must not exist.",
)  # fmt: skip
def command(
    model: str | None,
    data: str | None,
    probes: str | None,
    columns: str,
    labels: str,
    train: tuple[str, ...],
    out: Path,
) -> None:
    """Write a commented file of options for your own model and data.

    It asks three questions: which model, which pairs, and what you want to know. Without a terminal, give the answers
    as --model, --data and --probes. What your columns were taken for stands in the file; where their names do not say,
    you are asked. A twin of the model that sees no premise is added, because only what the model gets right beyond it
    comes from the premise.
    """
    from nliprobe.api.init import choose_model, config_text, setup
    from nliprobe.base.files import write_new

    if out.exists():
        raise UsageError(f"{out} exists. Choose another name with --out, or delete it first.")
    given = {"model": model, "data": data, "probes": probes}
    missing = [name for name, value in given.items() if not value]
    if missing and not _asks():
        names = ", ".join(f"--{name}" for name in missing)
        raise UsageError(f"Nobody is there to be asked: give {names}. See nliprobe init --help.")
    chosen = choose_model(model or _ask("model"))
    pairs = _data(data or _ask("data"), _named_columns(columns), labels)
    made = setup(chosen, pairs, probes or _ask_purpose(), train)
    if not write_new(out, config_text(made, str(out)).encode("utf-8")):
        raise UsageError(f"{out} exists. Choose another name with --out, or delete it first.")
    for note in (*made.model.notes, *made.data.notes):
        echo(note, err=True)
    echo(f"{out} is written. Read it, then: nliprobe run --config {out}", err=True)


def _asks() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _ask(name: str) -> str:
    return str(click.prompt(_QUESTIONS[name], err=True))


def _ask_purpose() -> str:
    from nliprobe.api.init import PURPOSES

    echo(_QUESTIONS["probes"], err=True)
    for name, words in PURPOSES.items():
        echo(f"  {name}: {words}", err=True)
    return str(click.prompt("A purpose, or names of probes", default="edits", err=True))


def _named_columns(text: str) -> dict[str, str]:
    from nliprobe.api.init import COLUMNS

    named: dict[str, str] = {}
    for piece in filter(None, (piece.strip() for piece in text.split(","))):
        what, equals, name = piece.partition("=")
        if what not in COLUMNS or not equals or not name:
            raise UsageError(f"'{piece}' in --columns should look like premise=text; known are {', '.join(COLUMNS)}.")
        named[what] = name
    return named


def _data(text: str, columns: Mapping[str, str], labels: str) -> Chosen:
    """Choose the columns; where their names do not decide, ask with what is in the file."""
    from nliprobe.api.init import COLUMNS, choose_data, columns_of

    try:
        return choose_data(text, columns, labels)
    except NliprobeError as error:
        found = columns_of(text) if Path(text).exists() or text.startswith("file:") else {}
        missing = [what for what in COLUMNS if what not in columns]
        if not found or not missing:
            raise
        if not _asks():
            shown = "; ".join(f"{name} ({_sample(values)})" for name, values in found.items())
            raise UsageError(
                f"{error} Its columns are: {shown}. Say what they are with --columns premise=…,hypothesis=…,label=… "
                "(label=none if there is none), and what the labels mean with --labels."
            ) from error
        echo(str(error), err=True)
        for name, values in found.items():
            echo(f"  {name}: {_sample(values)}", err=True)
    named = dict(columns)
    for what in missing:
        hint = " (none if there is none)" if what == "label" else ""
        kind = click.Choice([*found, *(["none"] if what == "label" else [])])
        named[what] = str(click.prompt(f"Which column is the {what}?{hint}", type=kind, show_choices=False, err=True))
    if named["label"] != "none" and not labels:
        spelled = ", ".join(found[named["label"]])
        question = (
            f"What do its labels ({spelled}) mean? (such as entailment,neutral,contradiction; empty if they say so)"
        )
        labels = str(click.prompt(question, default="", show_default=False, err=True))
    return choose_data(text, named, labels)


def _sample(values: list[str]) -> str:
    from nliprobe.report.words import shortened

    return ", ".join(shortened(" ".join(value.split()), 30) for value in values[:3])
