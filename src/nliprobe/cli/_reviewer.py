"""The terminal reviewer: shows one case after the other and asks for one key per decision."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

import click

from nliprobe.base.halves import whole
from nliprobe.cli._output import echo
from nliprobe.cli._review import render_item
from nliprobe.people.review.records import Queue
from nliprobe.people.review.walk import Walk
from nliprobe.report.terminal import new_console

if TYPE_CHECKING:
    from rich.console import Console

    from nliprobe.people.review.records import ReviewItem

_HELP = "a accept · e, n, c right label · r reject · s skip · b back · m remark · ? help · q quit"
_BLIND = "e, n, c right label · r reject · s skip · b back · m remark · ? help · q quit"
_LONG = """\
a        the expected label is right
e, n, c  the right label is entailment, neutral or contradiction, given the premise alone
r        reject: no label is right, because the sentence is broken, unclear or says nothing
s        skip: decide later
b        back to the case before, to decide again
m        write a remark, which is kept with the next decision about this case
q        quit; everything decided is kept, and the same command continues"""
_CTRL_D = "\x04"


class Keys(Protocol):
    """Where keys come from."""

    def key(self) -> str:
        """Return the next key, or nothing at the end."""
        ...

    def line(self) -> str:
        """Return the rest of a line."""
        ...


class TerminalKeys:
    """Reads keys from a terminal, without Enter."""

    def key(self) -> str:
        """Return the next key."""
        try:
            return click.getchar()
        except EOFError:
            return ""

    def line(self) -> str:
        """Return a line that is typed."""
        text: str = click.prompt("remark", default="", show_default=False, err=True)
        return text


class PipedKeys:
    """Reads keys from a file or a pipe; white space between them does not count."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def key(self) -> str:
        """Return the next key, or nothing at the end."""
        while byte := self._stream.read(1):
            if not byte.isspace():
                return byte.decode("utf-8", "replace")
        return ""

    def line(self) -> str:
        """Return the rest of the line, and show it, which a terminal does by itself."""
        text = self._stream.readline().decode("utf-8", "replace")
        echo(f"remark: {text.strip()}")
        return text


def open_keys() -> Keys:
    """Return the keys of standard input."""
    return TerminalKeys() if sys.stdin.isatty() else PipedKeys(sys.stdin.buffer)


def review(path: Path, queue: Queue, keys: Keys, *, rater: str = "", blind: bool = False) -> None:
    """Show the open cases of a queue and keep what is decided, until there is none left or the person quits."""
    walk = Walk(path, queue, rater=rater, blind=blind)
    console = new_console()
    for notice in queue.notices:
        echo(notice, err=True)
    remark, shown = "", None
    while True:
        item = walk.current
        if item is None:
            break
        if item is not shown:
            remark, shown = "", item
            _show(console, walk, item)
        key = keys.key()
        if key in ("", "q", _CTRL_D):
            break
        if key == "m":
            remark = whole(keys.line().strip())
        elif key == "?":
            echo(_LONG)
        elif key == "b":
            if not walk.back():
                echo("This is the first case.")
        else:
            answer = _decide(walk, item, key.lower(), remark)
            echo(answer)
            # The next one may be this one again, after "back".
            shown = shown if walk.current is item else None


def _show(console: Console, walk: Walk, item: ReviewItem) -> None:
    queue = walk.queue
    settled = len(queue.items) - len(queue.open)
    head = f"{settled:,} of {len(queue.items):,} settled, {walk.left:,} to look at"
    decision = queue.decision(item.case_id)
    plain = not console.is_terminal or console.no_color
    console.print(render_item(item, decision, head, blind=walk.blind, plain=plain))
    echo(_BLIND if walk.blind else _HELP)


def _decide(walk: Walk, item: ReviewItem, key: str, remark: str) -> str:
    """Carry out a decision and say what was kept."""
    if key == "a":
        if walk.blind:
            return "The expected label is hidden: press e, n or c for the label that you would give."
        if len(item.expected) != 1:
            return "There is no single expected label to accept: press e, n or c for the right one."
        decision = walk.accept(remark)
    elif key in ("e", "n", "c"):
        decision = walk.label(key.upper(), remark)
    elif key == "r":
        decision = walk.reject(remark)
    elif key == "s":
        decision = walk.skip(remark)
    else:
        return f"There is no key {key!r}. {_BLIND if walk.blind else _HELP}"
    label = f" {decision.label}" if decision.label else ""
    # Whether the label is the expected one is not told to somebody who judges blindly.
    return f"→{label}" if walk.blind and decision.label else f"→ {decision.verdict.value}{label}"
