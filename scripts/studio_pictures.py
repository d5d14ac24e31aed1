"""Take the pictures of the studio's pages for the manual, from a real server and a real browser.

``python -m scripts.studio_pictures`` writes docs/images/studio-*.png anew; names after it take only these.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page
from tests.report.browser import launched
from tests.studio.serving import serving

from nliprobe.api.people import ProjectPlan, new_project
from nliprobe.people.store.inviting import invite
from nliprobe.studio.app import make_app
from nliprobe.studio.context import Studio, open_studio
from nliprobe.studio.settings import Settings

IMAGES = Path(__file__).parents[1] / "docs" / "images"
CORPUS = "builtin/tables-dev"
# Never the owner's of a real studio.
TOKEN = "only-for-pictures"


class Shot(NamedTuple):
    """A page of a rater: the task, the size of the window, and what is done before the picture is taken."""

    task: str
    width: int
    high: int
    act: Callable[[Page], None]
    options: dict[str, str] = {}


def label(page: Page) -> None:
    for number in range(2, 5):
        page.keyboard.press("2")
        page.wait_for_selector(f"text=Item {number}")
        page.wait_for_selector("#show-keys:visible")


def mark(page: Page) -> None:
    for key in ("3", "4"):
        page.keyboard.press(key)


def edit(page: Page) -> None:
    page.get_by_label("Main ingredients", exact=True).fill("Wheat\nSalt\nWater\nPotato starch\nSugar\nSoybeans")
    page.wait_for_selector("#diff ins")
    page.wait_for_selector("text=Draft kept")


SHOTS = {
    "studio-annotate": Shot("verify", 1000, 880, label),
    "studio-evidence": Shot("evidence", 1000, 860, mark),
    "studio-counterfactuals": Shot("counterfactual", 1280, 860, edit, {"edits": "rows"}),
}


def invited(studio: Studio, shot: Shot) -> str:
    """Make a project of the built-in tables, and return the link of an invitation to it."""
    plan = ProjectPlan(shot.task, [CORPUS], title="Tables, pilot", per_group=2, options=dict(shot.options))
    project = new_project(studio.settings.database, shot.task, plan).project
    number = invite(studio.store, project.name).number
    return f"{studio.address}/i/" + studio.signer.sign("invitation", {"project": project.name, "number": number})


def main(names: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        studio = open_studio(Settings(folder=place, database=str(place / "people.sqlite")), TOKEN)
        with serving(make_app(studio), studio), launched() as browser:
            for name, shot in ((name, SHOTS[name]) for name in names or SHOTS):
                size = {"width": shot.width, "height": shot.high}
                context = browser.new_context(viewport=size, reduced_motion="reduce")  # type: ignore[arg-type]
                page = context.new_page()
                page.goto(invited(studio, shot))
                page.get_by_role("button", name="Begin").click()
                page.wait_for_selector("#show-keys:visible")
                shot.act(page)
                page.wait_for_selector("#show-keys:visible")
                page.screenshot(path=IMAGES / f"{name}.png")
                context.close()
        studio.close()


if __name__ == "__main__":
    main(sys.argv[1:])
