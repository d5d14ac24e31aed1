"""Take pictures of a project as its owner sees it for the manual, from a real server and a real browser.

``python -m scripts.studio_owner_pictures`` writes studio-project.png and studio-team.png in docs/images anew. The
raters are simulated: their pseudonyms, answers and times are drawn.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.report.browser import launched
from tests.studio.serving import serving

from nliprobe.api.people import ProjectPlan, attention_pairs, make_project, plan_project
from nliprobe.base.seeds import draws
from nliprobe.people.records import Item
from nliprobe.people.store import open_store
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item, skip_item
from nliprobe.people.store.projects import ProjectChanges, change_project
from nliprobe.people.store.raters import join_project
from nliprobe.studio.app import make_app
from nliprobe.studio.context import Studio, address
from nliprobe.studio.settings import Settings
from nliprobe.studio.signing import Signer

IMAGES = Path(__file__).parents[1] / "docs" / "images"
# Never the owner's of a real studio.
TOKEN = "only-for-pictures"
# How often each rater errs, and how many seconds an item takes them.
RATERS = {
    "rater-1": (0.05, 24),
    "rater-2": (0.10, 31),
    "rater-4": (0.65, 4),
    "rater-5": (0.08, 38),
}


class Clock:
    """A clock that goes as fast as simulated raters work."""

    now = 1_790_000_000.0

    def __call__(self) -> float:
        return self.now


def said(item: Item, rater: str) -> str:
    draw = draws(0, "picture", item.name, rater)
    gold = str(item.hidden.get("gold", ""))
    wrong = [label for label in "ENC" if label != gold]
    return draw.choice(wrong) if draw.random() < RATERS[rater][0] else gold


def work(studio: Studio, clock: Clock, most: int) -> None:
    for rater in RATERS:
        join_project(studio.store, "tables", rater)
    for _ in range(most):
        for rater, (_, seconds) in RATERS.items():
            offered = next_item(studio.store, "tables", rater)
            if offered is None:
                continue
            item = offered.item
            clock.now += seconds * (0.6 + draws(1, "seconds", item.name, rater).random())
            if draws(2, "skip", item.name, rater).random() < 0.01:
                skip_item(studio.store, "tables", rater, item.name, "Two rows contradict each other.", flag=True)
                continue
            judge_item(studio.store, "tables", rater, item.name, {"label": said(item, rater)}, request=item.name)


def main() -> None:
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        store = open_store(place / "people.sqlite", clock=clock)
        settings = Settings(folder=place, database=str(place / "people.sqlite"))
        studio = Studio(settings, store, Signer(b"pictures", clock, secure=False), TOKEN)
        checks = attention_pairs("builtin/sentences-dev", "verify", {}, most=20)
        plan = ProjectPlan(
            "verify", ["builtin/tables-dev"], attention=[checks], attention_every=10,
            raters_per_item=3, most_items=150, pilot=30, batch=60, title="Is the label right?",
        )  # fmt: skip
        make_project(store, "tables", plan_project(plan))
        work(studio, clock, 40)
        change_project(store, "tables", ProjectChanges(batches_open=2))
        work(studio, clock, 24)
        with serving(make_app(studio), studio), launched() as browser:
            context = browser.new_context(viewport={"width": 1060, "height": 1400}, reduced_motion="reduce")
            page = context.new_page()
            page.goto(f"{studio.address}/enter#{TOKEN}")
            page.wait_for_url(lambda url: "/enter" not in url)
            page.goto(f"{studio.address}/projects/{address('tables')}")
            page.screenshot(path=IMAGES / "studio-project.png")
            page.goto(f"{studio.address}/projects/{address('tables')}/invitations")
            page.set_viewport_size({"width": 1060, "height": 900})
            page.screenshot(path=IMAGES / "studio-team.png")
            context.close()
        studio.close()


if __name__ == "__main__":
    main()
