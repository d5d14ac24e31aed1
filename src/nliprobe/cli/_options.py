"""Options that several verbs share, and the YAML file that can hold any of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from nliprobe.base.errors import DataError, UsageError, did_you_mean
from nliprobe.base.registry import split_specs
from nliprobe.cli import _complete as complete
from nliprobe.cli._output import echo_json
from nliprobe.cli._values import read_value

F = TypeVar("F", bound=Callable[..., object])
# The folder of a run that is read.
RUN = complete.RunPath()


def _split(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(piece for text in value for piece in split_specs(text))


def _load_config(ctx: click.Context, param: click.Parameter, value: Path | None) -> None:
    if value is None:
        return
    from nliprobe.base.yaml_files import read_yaml

    content = read_yaml(value)
    verb = str(ctx.info_name)
    if not isinstance(content, dict):
        raise DataError(f"{value} should hold a mapping with a section '{verb}:', not {type(content).__name__}.")
    section = content.get(verb)
    if not isinstance(section, dict | None):
        raise DataError(f"The section '{verb}' of {value} should be a mapping of options.")
    options = options_in_files(ctx.command)
    defaults: dict[str, object] = {}
    for key, given in (section or {}).items():
        option = options.get(str(key).replace("-", "_"))
        if option is None or option.name is None:
            hint = did_you_mean(str(key), options)
            raise UsageError(f"The section '{verb}' of {value} has no option '{key}'. {hint}")
        try:
            defaults[option.name] = read_value(option, given, ctx)
        except UsageError as error:
            raise UsageError(f"The option '{key}' in the section '{verb}' of {value}: {error}") from error
    ctx.default_map = {**(ctx.default_map or {}), **defaults}


def options_in_files(command: click.Command) -> dict[str, click.Parameter]:
    """Return the options that a file may hold for a verb, by the names they have there."""
    return {
        flag.lstrip("-").replace("-", "_"): item
        for item in command.params
        if item.name is not None and item.name != "config"
        for flag in item.opts
    }


def config_option(command: F) -> F:
    """Add ``--config FILE``: a YAML file with a section per verb, whose keys are the verb's options."""
    return click.option(
        "--config",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        is_eager=True,
        expose_value=False,
        callback=_load_config,
        help="YAML file with options, in a section with the name of the verb.",
    )(command)


def from_option(command: F) -> F:
    """Add ``--from DIR``: where corpora are."""
    return click.option(
        "--from",
        "root",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        help="Folder with the corpora. By default NLIPROBE_DATA.",
    )(command)


def on_option(command: F) -> F:
    """Add ``--on``: the corpora."""
    return click.option(
        "--on", "on", multiple=True, required=True, callback=_split, metavar="CORPUS,…",
        shell_complete=complete.in_list(complete.corpora),
        help="Corpora to ask about, such as infotabs/dev or file:my.jsonl?premise=text&label=y. Repeatable.",
    )(command)  # fmt: skip


def probes_option(command: F) -> F:
    """Add ``--probes``: what is done to the pairs."""
    return click.option(
        "--probes", multiple=True, callback=_split, metavar="PROBE,…", default=("gold",), show_default="gold",
        shell_complete=complete.in_list(complete.probes),
        help="Probes, such as gold,rows.delete,rows.permute?n=2, or a family of them, such as stress. Repeatable.",
    )(command)  # fmt: skip


def train_option(command: F) -> F:
    """Add ``--train``: what trainable models learn from."""
    return click.option(
        "--train", multiple=True, callback=_split, metavar="CORPUS,…",
        shell_complete=complete.in_list(complete.corpora),
        help="Corpora that trainable models learn from. Repeatable.",
    )(command)  # fmt: skip


def dev_option(command: F) -> F:
    """Add ``--dev``: what decides when training stops."""
    return click.option(
        "--dev", multiple=True, callback=_split, metavar="CORPUS,…",
        shell_complete=complete.in_list(complete.corpora),
        help="Corpora that decide when a network stops training, and its best epoch. Repeatable.",
    )(command)  # fmt: skip


def represent_option(command: F) -> F:
    """Add ``--represent``: how tables are shown, unless a system says otherwise."""
    return click.option(
        "--represent", metavar="NAME", shell_complete=complete.representations,
        help="How tables are written as text, such as para or struct. A system can choose its own with represent=NAME.",
    )(command)  # fmt: skip


def premise_option(command: F) -> F:
    """Add ``--premise``: how much of the premise is shown, unless a system says otherwise."""
    return click.option(
        "--premise", type=click.Choice(["full", "none", "dummy", "swapped"]),
        help="Which premise is shown: the full one, none, a dummy, or that of another pair (swapped). A system can "
        "choose its own with premise=…",
    )(command)  # fmt: skip


def train_premise_option(command: F) -> F:
    """Add ``--train-premise``: the same for the pairs models learn from."""
    return click.option(
        "--train-premise", type=click.Choice(["full", "none", "dummy", "swapped"]),
        help="Which premise trainable models are shown when they learn. By default the same as when they are asked.",
    )(command)  # fmt: skip


def system_option(command: F) -> F:
    """Add ``--system``: whom to ask; not split at commas, because label maps have some."""
    return click.option(
        "--system", "systems", multiple=True, metavar="SYSTEM", shell_complete=complete.models,
        help="Model to ask, with its options, such as svm?represent=para or svm?premise=none. Repeatable.",
    )(command)  # fmt: skip


def labels_option(command: F) -> F:
    """Add ``--labels``: the order of the labels, as the user decides."""
    return click.option(
        "--labels", default="", metavar="LABELS",
        help="Order of every system's labels, such as contradiction,entailment,neutral. The doctor does not overrule "
        "it.",
    )(command)  # fmt: skip


def no_doctor_option(command: F) -> F:
    """Add ``--no-doctor``: whether the doctor is switched off."""
    return click.option(
        "--no-doctor", is_flag=True,
        help="Do not check the order of the labels. The run and every report of it say so.",
    )(command)  # fmt: skip


def seed_option(command: F) -> F:
    """Add ``--seed``: decides all random draws."""
    return click.option("--seed", default=0, show_default=True, help="Seed of all random draws.")(command)


def plugin_option(command: F) -> F:
    """Add ``--plugin FILE``: a Python file that registers corpora, probes, models or representations."""

    def load(ctx: click.Context, param: click.Parameter, value: tuple[Path, ...]) -> None:
        from nliprobe.base.registry import load_plugin

        for path in value:
            load_plugin(path)

    return click.option(
        "--plugin", multiple=True, type=click.Path(path_type=Path), expose_value=False, is_eager=True, callback=load,
        help="Python file with probes, models, corpora or representations of your own. Repeatable.",
    )(command)  # fmt: skip


def partial_option(command: F) -> F:
    """Add ``--partial``: read a damaged run without what is damaged."""
    return click.option(
        "--partial", is_flag=True,
        help="Read a damaged run without its damaged files. The output says so and has no verdict.",
    )(command)  # fmt: skip


def threshold_option(command: F) -> F:
    """Add ``--threshold``: from which probability on the first of two labels counts as answered."""
    return click.option(
        "--threshold", default="", metavar="X",
        help="With two labels: the probability from which on the first counts as answered, or a corpus of the run on "
        "which the best one is chosen. By default 0.5.",
    )(command)  # fmt: skip


def format_option(command: F) -> F:
    """Add ``--format``: for people or for programs."""
    return click.option(
        "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
        help="Print text for people or JSON for programs.",
    )(command)  # fmt: skip


def print_json(document: object) -> None:
    """Print a document as JSON to standard output."""
    import json

    echo_json(json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False))
