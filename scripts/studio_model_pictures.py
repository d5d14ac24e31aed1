"""Take pictures of the studio's pages about models for the manual: a run, a case, a trial, and a question of a study.

``python -m scripts.studio_model_pictures`` writes them to docs/images anew, from a demo, a study about ``small`` and a
plugin that goes by wording alone.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page
from tests.report.browser import launched
from tests.studio.serving import serving

from nliprobe.base.registry import load_plugin
from nliprobe.studio.app import make_app
from nliprobe.studio.context import open_studio
from nliprobe.studio.settings import Settings

IMAGES = Path(__file__).parents[1] / "docs" / "images"
# Never the owner's of a real studio.
TOKEN = "only-for-pictures"
WORDING = """
from nliprobe.models import MODELS, Model
from nliprobe.task.case import Prediction
from nliprobe.task.labels import LabelSet


@MODELS.register("wording")
class Wording(Model):
    \"\"\"Goes by a negation in the hypothesis, and does not read the premise.\"\"\"

    def fingerprint(self):
        return "wording"

    def predict(self, inputs):
        negated = [" not " in item.hypothesis for item in inputs]
        shares = [(0.1, 0.2, 0.7) if one else (0.5, 0.307, 0.193) for one in negated]
        return [Prediction(LabelSet.of("C" if one else "E"), share) for one, share in zip(negated, shares)]
"""
INFOBOX = """<table class="infobox"><caption>Emily Blunt</caption>
<tr><th>Born</th><td>23 February 1983<br>London, England</td></tr><tr><th>Occupation</th><td>Actress</td></tr>
<tr><th>Years active</th><td>2001–present</td></tr><tr><th>Spouse</th><td>John Krasinski</td></tr></table>"""


def nliprobe(*arguments: str) -> None:
    """Run the command."""
    subprocess.run([sys.executable, "-m", "nliprobe", *arguments], check=True, stdout=subprocess.DEVNULL)


def window(browser: Browser, width: int, high: int) -> Page:
    """Open a window of somebody new."""
    size = {"width": width, "height": high}
    return browser.new_context(viewport=size, reduced_motion="reduce").new_page()  # type: ignore[arg-type]


def take_run_and_case(page: Page, address: str) -> None:
    """Look for a word among the broken cases of the demo, and open the first one."""
    page.goto(address)
    page.get_by_role("link", name="demo").first.click()
    page.wait_for_selector("text=Full report")
    page.goto(f"{page.url}?q=born&probe=rows.delete&system=small&by_rule=broken")
    page.wait_for_selector("text=in the run")
    page.wait_for_selector("text=small: ")
    page.screenshot(path=IMAGES / "studio-run.png")
    page.locator("article a, li a").filter(has_text=".").first.click()
    page.wait_for_selector("text=What was expected")
    page.set_viewport_size({"width": 1280, "height": 1250})
    page.screenshot(path=IMAGES / "studio-case.png")


def take_trial(page: Page, address: str) -> None:
    """Ask about an infobox, and take a row out."""
    page.goto(f"{address}/ask")
    page.locator("#premise").fill(INFOBOX)
    page.locator("#hypothesis").fill("Emily Blunt was born in London.")
    page.get_by_role("button", name="Ask").click()
    page.wait_for_selector("text=Answers")
    page.get_by_role("button", name="Take out").first.click()
    page.wait_for_selector("text=prohibited")
    # After an edit the page is at its answers.
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    page.screenshot(path=IMAGES / "studio-try.png")


def take_question(owner: Page, page: Page, address: str) -> None:
    """Come in as a participant, and go on to the first question with similar examples."""
    owner.goto(f"{address}/studies")
    owner.locator("ul.listed a").first.click()
    owner.get_by_role("button", name="Make links").click()
    page.goto(owner.locator(".people .link code").first.inner_text())
    while not page.url.endswith("/stage/1/1"):
        if (choice := page.locator("label.choice")).count():
            choice.first.click()
        page.locator("main button.main, main a.main, #on").first.click()
        page.wait_for_load_state()
    page.screenshot(path=IMAGES / "studio-study.png")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        plugin = place / "wording.py"
        plugin.write_text(WORDING, encoding="utf-8")
        load_plugin(plugin)
        nliprobe("demo", "--out", str(place / "runs" / "demo"))
        nliprobe("study", "new", "--system", "small", "--on", "checklist?n=20", "--pool", "builtin/sentences-dev",
                 "--templates", "5", "-o", str(place / "study"))  # fmt: skip
        settings = Settings(
            folder=place / "runs",
            database=str(place / "people.sqlite"),
            systems=("small", "wording"),
            studies=(place / "study",),
        )
        studio = open_studio(settings, TOKEN)
        with serving(make_app(studio), studio) as address, launched() as browser:
            owner = window(browser, 1280, 940)
            owner.goto(f"{address}/enter#{TOKEN}")
            owner.wait_for_url(f"{address}/")
            take_run_and_case(owner, address)
            owner.set_viewport_size({"width": 1100, "height": 760})
            take_trial(owner, address)
            take_question(owner, window(browser, 1280, 805), address)
        studio.close()


if __name__ == "__main__":
    main()
