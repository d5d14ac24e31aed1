"""Options of the verbs about projects for raters."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

from nliprobe.people.records import DATABASE

F = TypeVar("F", bound=Callable[..., object])


def database_option(command: F) -> F:
    """Add the option that names the store."""
    return click.option(
        "--database", default=DATABASE, show_default=True, metavar="FILE|URL", envvar="NLIPROBE_DATABASE",
        show_envvar=True, help="Store of people's work: an SQLite file, or the URL of a PostgreSQL database.",
    )(command)  # fmt: skip
