"""Environment variables of options: named like the option, such as NLIPROBE_RUN_SYSTEM for ``run --system``."""

from __future__ import annotations

import click


def name_variables(command: click.Command, prefix: str) -> None:
    """Let every option of a command, and of the commands below it, be set by a variable of its own name.

    Click knows an option by the parameter of the function, such as ``systems`` for ``--system``; those names work, too.

    >>> @click.command()
    ... @click.option("--no-doctor", "unchecked", is_flag=True)
    ... def run(unchecked: bool) -> None: ...
    >>> name_variables(run, "NLIPROBE_RUN")
    >>> run.params[0].envvar
    'NLIPROBE_RUN_NO_DOCTOR'
    """
    for item in command.params:
        longest = max(item.opts, key=len, default="")
        if item.envvar is None and longest.startswith("--"):
            item.envvar = f"{prefix}_{longest.lstrip('-').replace('-', '_').upper()}"
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            name_variables(below, f"{prefix}_{name.replace('-', '_').upper()}")
