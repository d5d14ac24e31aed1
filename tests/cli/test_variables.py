"""Options in environment variables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from tests.cli.helpers import nliprobe, nliprobe_json

from nliprobe.cli.main import VERBS, Verbs, cli


def every_command() -> Iterator[tuple[str, click.Command]]:
    """Return all commands with the words by which they are called."""
    context = click.Context(cli, info_name="nliprobe")
    waiting = [(verb, Verbs().get_command(context, verb)) for verb in VERBS]
    while waiting:
        words, command = waiting.pop()
        assert command is not None
        yield words, command
        if isinstance(command, click.Group):
            waiting += [(f"{words} {name}", below) for name, below in command.commands.items()]


def test_every_option_has_the_variable_of_its_own_name() -> None:
    seen = 0
    for words, command in every_command():
        for item in command.params:
            names = [name for name in item.opts if name.startswith("--")]
            if not names or item.envvar == "NLIPROBE_DATABASE":
                continue
            wanted = "_".join(["nliprobe", *words.split(), max(names, key=len)[2:]]).replace("-", "_").upper()
            assert item.envvar == wanted
            seen += 1
    assert seen > 200


def test_no_variable_means_two_things() -> None:
    named = [
        item.envvar
        for _, command in every_command()
        for item in command.params
        if isinstance(item.envvar, str) and item.envvar != "NLIPROBE_DATABASE"
    ]
    assert len(named) == len(set(named))
    # These are read elsewhere, and are no options of a verb.
    assert not {"NLIPROBE_CACHE", "NLIPROBE_DATA", "NLIPROBE_OWNER_TOKEN"} & set(named)


@pytest.mark.parametrize("name", ["SYSTEM", "SYSTEMS"])
def test_a_variable_is_named_like_the_option_and_holds_several_values(name: str, tmp_path: Path) -> None:
    variables = {f"NLIPROBE_RUN_{name}": "majority small", "NLIPROBE_RUN_TRAIN": "builtin/tables-train"}
    nliprobe("run", "--quiet", "--on", "builtin/tables-dev", "--out", str(tmp_path / "run"), env=variables)
    record = nliprobe_json("show", str(tmp_path / "run"))
    assert [item["name"] for item in record["run"]["systems"]] == ["majority", "small"]


def test_the_command_line_goes_before_the_variable(tmp_path: Path) -> None:
    done = nliprobe("serve", "--on", "nowhere/dev", env={"NLIPROBE_SERVE_ON": "neither/dev"}, code=1)
    assert "There is no corpus named 'nowhere'" in done.stderr
    done = nliprobe("serve", env={"NLIPROBE_SERVE_ON": "neither/dev"}, code=1)
    assert "There is no corpus named 'neither'" in done.stderr
