"""Print for people and programs: the one place through which every verb writes to a terminal, a pipe or a file."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from nliprobe.base.output import stdout
from nliprobe.base.visible import visible, visible_json


def echo(message: object = "", *, nl: bool = True, err: bool = False) -> None:
    """Print a text, in which nothing from data steers the terminal, to standard output or standard error."""
    _write(visible(str(message)), nl=nl, err=err)


def secho(message: object, *, fg: str | None = None, bold: bool | None = None, nl: bool = True) -> None:
    """Print a text in colour, if standard output is a terminal."""
    _write(click.style(visible(str(message)), fg=fg, bold=bold), nl=nl, err=False)


def echo_json(text: str, *, nl: bool = True) -> None:
    """Print JSON with the value it has; characters that a terminal would obey are escaped."""
    # An encoding that lacks a letter would make JSON that cannot be read.
    narrow = stdout().encoding.lower().replace("-", "") not in ("utf8", "utf16", "utf32")
    shown = "".join(f"\\u{code:04x}" if code > 0x7E else chr(code) for code in _units(text)) if narrow else text
    _write(visible_json(shown), nl=nl, err=False)


def _units(text: str) -> list[int]:
    """Return the UTF-16 code units of a text, which are what JSON escapes."""
    content = text.encode("utf-16-le", "surrogatepass")
    return [int.from_bytes(content[place : place + 2], "little") for place in range(0, len(content), 2)]


def _write(text: str, *, nl: bool, err: bool) -> None:
    if not err:
        click.echo(text, file=stdout(), nl=nl)
        return
    try:
        click.echo(text, nl=nl, err=True)
    except OSError:
        # Work is not lost because a remark about it cannot be written; what was buffered must not fail at the end, too.
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (for the rest of the process)
