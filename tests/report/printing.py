"""What the console prints, as text."""

from __future__ import annotations

import io

from rich.console import Console, RenderableType

from nliprobe.analysis.summary import summarise
from nliprobe.report.console import render
from nliprobe.store.run import RunFolder


def printed(what: RenderableType, width: int = 120) -> str:
    """Return what Rich prints on a console of a width."""
    stream = io.StringIO()
    Console(file=stream, width=width).print(what)
    return stream.getvalue()


def shown(run: RunFolder, width: int = 200) -> str:
    """Return what ``nliprobe show RUN`` prints."""
    return printed(render(summarise(run)), width)
