"""Pages with infoboxes and many-column tables."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.corpora.pages import PERSON
from tests.fuzz.harness import Target
from tests.fuzz.targets._attempts import attempt

from nliprobe.corpora.infobox.hypotheses import table_lines, template
from nliprobe.corpora.infobox.notes import Notes
from nliprobe.corpora.infobox.pages import PageOptions
from nliprobe.corpora.infobox.read import ImportOptions, read_tables
from nliprobe.corpora.infobox.single import table_in

_GRID = (
    "<table><caption>Teams</caption><thead><tr><th rowspan=2>Team<th colspan=2>Points</tr><tr><th>Home<th>Away"
    "</thead><tr><td>A<td>1<td>2<tr><td colspan=3>East</table>"
)
_NESTED = (
    '<html><head><meta charset="utf-8"><title>X - Wikipedia</title></head><table class=infobox><tr><th>A</th><td>1'
    "<br/>2<sup>[3]</sup></td></tr><tr><td colspan=2><table><tr><th>B<td>3</table></td></tr></table><!-- end -->"
)


def _seeds() -> list[bytes]:
    return [PERSON.encode(), _GRID.encode(), _NESTED.encode(), _GRID.encode("utf-16")]


def _run(data: bytes, folder: Path) -> None:
    path = folder / "page.html"
    path.write_bytes(data)
    options = [PageOptions(), PageOptions("all", "join"), PageOptions("1", "title"), PageOptions("all", form="grid")]
    attempt(*(partial(_read, path, option) for option in options))
    attempt(partial(table_in, data.decode("utf-8", "replace"), "cell"))


def _read(path: Path, page: PageOptions) -> None:
    notes = Notes()
    # The options of a page say how every table of it is read, those of the file say the same for a path.
    tables = read_tables([str(path)], notes, ImportOptions(page=page))
    table_lines(tables).encode()
    template(tables).encode()


TARGET = Target("infobox_html", _seeds, _run)
