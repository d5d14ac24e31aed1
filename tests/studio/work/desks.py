"""Projects of every task, raters who are invited to them, and answers as forms send them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from starlette.applications import Starlette
from tests.studio.helpers import Client

from nliprobe.people.records import Item, Json, Project
from nliprobe.people.store.inviting import invite
from nliprobe.people.store.projects import create_project
from nliprobe.studio.context import Studio, address

if TYPE_CHECKING:
    from playwright.sync_api import Page

OTHERS: list[Json] = [["Range", ["Lower Alps", "West"]], ["First ascent", ["1871"]]]
TABLE: dict[str, Json] = {"title": "Mont Alba", "category": "Mountain", "rows": [["Height", ["2,310 m"]], *OTHERS]}
CUP: dict[str, Json] = {
    "title": "Cup of 1987",
    "category": "",
    "columns": ["who", "won"],
    "rows": [["", ["Ann", "1"]], ["", ["Ben", "2"]]],
}
TEXT = "It rained all day. We left early."
PAIR: dict[str, Json] = {"premise": TABLE, "hypothesis": "Mont Alba is higher than 2,000 m."}
SPOKEN: dict[str, Json] = {"premise": TEXT, "hypothesis": "It was wet."}
EXAMPLES: list[Json] = [dict(PAIR), dict(SPOKEN)]


EXPLAINED: list[Json] = [
    SPOKEN | {"label": "E", "premise_marks": [[3, 9], [5, "x"], [7, 900]]},
    {"weights": [0.5, None]},
]


class Asked(NamedTuple):
    """What a task asks in the tests, and a form that answers it."""

    contents: tuple[dict[str, Json], ...]
    form: dict[str, object]
    answer: dict[str, Json]
    options: dict[str, Json] = {}


EVERY: dict[str, Asked] = {
    "verify": Asked((PAIR, SPOKEN), {"label": "E"}, {"label": "E"}),
    "judge": Asked((SPOKEN, PAIR), {"label": "N", "odd": "yes"}, {"label": "N", "odd": True}),
    "predict": Asked(
        (PAIR | {"explanation": EXPLAINED}, SPOKEN | {"explanation": "because"}),
        {"label": "C"},
        {"label": "C"},
    ),
    "settle": Asked(
        (PAIR | {"original": "It is high.", "before": TABLE}, SPOKEN | {"original": "y", "suggested": "E"}),
        {"choice": "N"},
        {"verdict": "fix", "label": "N"},
    ),
    "evidence": Asked(
        (PAIR, SPOKEN | {"sentences": [[0, 18], [19, 33]]}),
        {"unit": ["0", "1"], "outside": "yes"},
        {"units": [0, 1], "outside": True},
    ),
    "write": Asked(
        ({"premise": TABLE}, {"premise": TEXT}),
        {"true": "It is high.", "false": "It is low.", "undecided": "It is cold."},
        {"true": "It is high.", "false": "It is low.", "undecided": "It is cold."},
    ),
    "counterfactual": Asked(
        (PAIR | {"wanted": "C"},),
        {"row": ["0", "1", "2"], "values-0": "1,310 m", "values-1": "Lower Alps\nWest", "values-2": "1871"},
        {"table": TABLE | {"rows": [["Height", ["1,310 m"]], *OTHERS]}},
    ),
    "pick": Asked(({"template": "a is b", "examples": EXAMPLES, "information": {"E": 0.5}},), {"bin": "4"}, {"bin": 4}),
    "bid": Asked(
        ({"template": "a is b", "examples": EXAMPLES},),
        {"points-1": "0", "points-2": "3", "points-3": "", "points-4": "2", "points-5": "0"},
        {"points": [0, 3, 0, 2, 0]},
    ),
}


def some_items(task: str, count: int = 4) -> list[Item]:
    """Make items whose names and hidden fields must never be seen."""
    contents = EVERY[task].contents
    return [
        Item(f"secret-name-{number}", contents[number % len(contents)], {"gold": "secret-gold"}, "secret-stratum")
        for number in range(count)
    ]


def make_project(studio: Studio, task: str = "verify", count: int = 4, **rules: object) -> Project:
    """Make a project with a few items."""
    known = {"title": "A project", "instructions": "Read *both* texts.", "options": EVERY[task].options, **rules}
    items = known.pop("items", None) or some_items(task, count)
    project = Project(f"p-{task}", task, **known)  # type: ignore[arg-type]
    return create_project(studio.store, project, items)  # type: ignore[arg-type]


def invitation(studio: Studio, project: Project, **limits: float | int | None) -> str:
    """Return the address of an invitation."""
    made = invite(studio.store, project.name, **limits)  # type: ignore[arg-type]
    return "/i/" + studio.signer.sign("invitation", {"project": project.name, "number": made.number})


def come_in(app: Starlette, link: str) -> Client:
    """Open an invitation, press its button, and see the first item."""
    client = Client(app)
    text = client.show(link)
    client.submit(field(text, "action", of="form"), 200, **hidden_fields(text))
    key = re.search(r"/work/([0-9a-f]{12})", text)
    assert key is not None
    client.show(f"/work/{key[1]}")
    return client


def work(project: Project) -> str:
    """Return where the raters of a project work."""
    return f"/work/{address(project.name)}"


def hidden_fields(text: str) -> dict[str, str]:
    """Return what a form of a page sends besides what people enter; the one that is first on the page."""
    form = re.search(r"<form.*?</form>", text, re.DOTALL)
    assert form is not None
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form[0]))


def field(text: str, name: str, *, of: str) -> str:
    """Return an attribute of the first element of a kind."""
    found = re.search(rf'<{of}[^>]* {name}="([^"]*)"', text)
    assert found is not None, f"no {of} with {name}"
    return found[1]


def judge(client: Client, project: Project, status: int = 200, **fields: object) -> str:
    """Load the next item, answer it by its form, and return the page that follows."""
    text = client.show(work(project))
    form = {**hidden_fields(text), **EVERY[project.task].form, **fields}
    return client.submit(f"{work(project)}/judge", status, **form).text


def begin(page: Page, address: str, *, script: bool = True) -> None:
    """Come in by an invitation, and see the first item."""
    page.goto(address)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("#answer")
    page.wait_for_load_state()
    assert page.locator("#show-keys").is_visible() is script
