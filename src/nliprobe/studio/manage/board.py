"""What all pages about one project share: which project it is, its address, and the menu between its pages."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.responses import Response

from nliprobe.base.errors import NotFoundError
from nliprobe.people.records import Project, Rater
from nliprobe.people.store.projects import read_projects
from nliprobe.people.store.raters import read_raters
from nliprobe.studio.calls import Call, back_to
from nliprobe.studio.context import address
from nliprobe.studio.rendering import render

# The pages of a project: the end of their address, and what the menu calls them.
_PAGES = (
    ("", "Overview"),
    ("/items", "Items"),
    ("/disagreements", "Disagreements"),
    ("/invitations", "Invitations"),
    ("/instructions", "Instructions"),
    ("/rules", "Rules"),
    ("/export", "Export"),
    ("/log", "Log"),
)
_MOST_DIGITS = 9


@dataclass(frozen=True)
class Board:
    """One project as the owner's pages know it.

    Attributes:
        call: the request.
        project: the project.
        key: how it is called in addresses.
    """

    call: Call
    project: Project
    key: str

    @property
    def home(self) -> str:
        """The address of its first page."""
        return f"/projects/{self.key}"

    def at(self, rest: str) -> str:
        """Return the address of one of its pages."""
        return f"{self.home}{rest}"

    def page(self, template: str, title: str, *, status: int = 200, **values: object) -> Response:
        """Fill a template of a page of this project."""
        links = [(self.at(rest), name) for rest, name in _PAGES]
        own = self.project
        known = {"project": own, "home": self.home, "links": links, "title": f"{title} · {own.name}", "heading": title}
        return render(self.call, f"manage/{template}", status=status, told=told(self.call), **{**known, **values})

    def back(self, rest: str = "", said: str = "") -> Response:
        """Send the browser to one of its pages, with a word about what was done."""
        query = f"{'&' if '?' in rest else '?'}done={said}" if said else ""
        return back_to(f"{self.at(rest)}{query}")


# What was done, by the short word in the address; a text of the address is never shown.
TOLD = {
    "made": "The project was made. Nobody knows of it yet: make an invitation.",
    "opened": "The batch is open.",
    "closed": "The batch is closed; what was judged is kept.",
    "blocked": "The rater is blocked. Nothing of theirs counts, and their items are open again for others.",
    "unblocked": "The rater may work again. What they said counts where nobody has taken their place.",
    "withdrawn": "What the rater said is deleted, and their items are open again for others.",
    "decided": "Your decision is kept. Exports take it instead of the majority.",
    "revoked": "The invitation lets nobody new in. Raters who came in by it can go on working.",
    "instructed": "The instructions have a new version. Raters are told that they have changed.",
    "renewed": "The rater has a new link. Earlier ones no longer work, and browsers that came by them are signed out.",
    "same": "Nothing was changed.",
    "moved": "Batches were opened or closed since that page was loaded. Nothing was changed: this is how they are now.",
    "changed": "The rules are changed.",
}


def told(call: Call) -> str:
    """Return the sentence about what was just done, if there is one."""
    return TOLD.get(call.query.get("done", ""), "")


def board_of(call: Call) -> Board:
    """Return the project that an address names.

    Raises:
        NotFoundError: there is none.
    """
    key = call.path["key"]
    found = next((project for project in read_projects(call.studio.store) if address(project.name) == key), None)
    if found is None:
        raise NotFoundError("There is no project at this address. The list of projects has them all.")
    return Board(call, found, key)


def rater_at(board: Board) -> tuple[int, Rater]:
    """Return the rater that an address names by the number in which they came."""
    number = number_in(board.call.path["number"])
    raters = read_raters(board.call.studio.store, board.project.name)
    if not 1 <= number <= len(raters):
        raise NotFoundError(f"The project '{board.project.name}' has no rater with the number {number}.")
    return number, raters[number - 1]


def number_in(text: str) -> int:
    """Return a number of an address."""
    if not (text.isascii() and text.isdecimal()) or len(text) > _MOST_DIGITS:
        raise NotFoundError("There is nothing at this address.")
    return int(text)


def page_asked(call: Call, total: int, per_page: int) -> tuple[int, int]:
    """Return which page of a list is shown, and how many there are.

    Lists become shorter while somebody works on them: where there is no such page any more, the last one is shown.
    """
    pages = max(1, -(-total // per_page))
    return min(max(1, number_in(call.query.get("page", "1"))), pages), pages
