"""The console of all reports: whatever names and texts hold, they are shown and nothing of them is obeyed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, TYPE_CHECKING

from nliprobe.base.output import stdout
from nliprobe.base.visible import visible

if TYPE_CHECKING:
    from rich.console import Console


def new_console(file: IO[str] | None = None) -> Console:
    """Return a console that writes to a stream, by default to standard output; colours appear only on a terminal.

    Square brackets in names are not markup, and escape sequences in texts become visible characters.
    """
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

    class VisibleConsole(Console):
        """Cleans every text where it is rendered, before it is cut to the width of a column."""

        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
            """Yield the pieces of a text; those that steer the terminal come from Rich itself."""
            for piece in super().render(renderable, options):
                yield piece if piece.control else Segment(visible(piece.text), piece.style)

    return VisibleConsole(file=stdout() if file is None else file, markup=False, emoji=False)
