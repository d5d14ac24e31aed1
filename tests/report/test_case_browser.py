"""The list of failing cases in a browser: search, filters, links, keys, side by side, JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.analysis.runs import Asked, derived, pair, write_run
from tests.report.browser import Opened, serious, tab

from nliprobe.api.report import failing_section, report
from nliprobe.api.resolve import Request
from nliprobe.api.run import run
from nliprobe.report.packed import unpack

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


# Where a clipboard would be: what was copied is kept.
KEEP_COPIES = """Object.defineProperty(navigator, "clipboard", {
  value: { writeText: async (text) => { window.copied = text; } } })"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of two systems that fail often and differ, one of them with probabilities."""
    folder = tmp_path_factory.mktemp("cases")
    (folder / "models.py").write_text(
        "from zlib import crc32\n"
        "def guess(pairs):\n    return ['ENC'[crc32((p + h).encode()) % 3] for p, h in pairs]\n"
        "def shares(pairs):\n    return [[0.5 + crc32((h + p).encode()) % 50 / 100, 0.0, "
        "0.5 - crc32((h + p).encode()) % 50 / 100] for p, h in pairs]\n"
    )
    labels = "labels=entailment,neutral,contradiction"
    systems = [
        f"python:{folder / 'models.py'}:shares?name=sure&{labels}",
        f"python:{folder / 'models.py'}:guess?name=guess",
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLIPROBE_CACHE", str(folder / "cache"))
        request = Request(
            ["builtin/tables-dev"], systems, ["gold", "rows.delete", "rows.permute?n=2", "hypothesis.negation"]
        )
        return report(run(request, folder / "run").run, folder / "report.html")


@pytest.fixture
def seen(browser: Browser, path: Path) -> Iterator[Opened]:
    """The page as it opens; whatever a test does with it, it asks for nothing and says nothing."""
    with tab(browser, path) as page:
        page.page.evaluate(KEEP_COPIES)
        page.page.locator("#cases article.case").first.wait_for()
        yield page
        assert {url.split("#")[0] for url in page.requests} == {path.as_uri()}
        assert page.complaints == []


@pytest.fixture
def body(seen: Opened) -> Page:
    return seen.page


def ready(page: Page, what: str) -> None:
    page.wait_for_function(f"() => {what}", timeout=10_000)


def shown(page: Page) -> int:
    """How many cases the live region counts."""
    return int(page.locator("#status").inner_text().split()[0].replace(",", ""))


def counts(page: Page, what: str) -> None:
    ready(page, f"document.getElementById('status').textContent.startsWith({json.dumps(what)})")


def held(path: Path) -> tuple[dict[str, object], dict[str, list[object]]]:
    """What the page holds of its cases."""
    [data] = re.findall(r'id="cases-data">([^<]*)</script>', path.read_text(encoding="utf-8"))
    return unpack(data)


def test_the_most_confident_failures_are_shown_first(body: Page) -> None:
    first = body.locator("#cases article.case").first
    assert first.get_attribute("aria-label").startswith("sure, ")  # type: ignore[union-attr]
    assert "E 0.9" in first.inner_text()
    assert body.locator("#cases > li").count() == 20
    assert body.locator("#cases-sample").count() == 0


def test_words_and_filters_narrow_the_list_and_are_in_the_link(body: Page) -> None:
    everything = shown(body)
    body.select_option("#filter-probe", "rows.delete")
    ready(
        body,
        "document.querySelectorAll('#cases tr.removed').length === document.querySelectorAll('#cases article').length",
    )
    some = shown(body)
    assert 0 < some < everything
    body.fill("#search", "no such words anywhere")
    counts(body, "0 of")
    assert body.locator("#cases article").count() == 0
    word = "the"
    body.fill("#search", word)
    ready(body, "document.querySelectorAll('#cases article').length > 0")
    assert all(word in text.lower() for text in body.locator("#cases article").all_inner_texts())
    assert "probe=rows.delete" in body.url
    assert "q=the" in body.url


def test_all_words_must_be_in_the_texts_of_a_case_or_begin_its_id(body: Page, path: Path) -> None:
    head, lists = held(path)
    cases, pairs = head["cases"], head["pairs"]
    assert isinstance(cases, dict)
    assert isinstance(pairs, dict)

    def texts(number: int) -> str:
        pair = cases["pair"][number]
        items = lists["pairs"][pair], lists["premises"][pairs["premise"][pair]], lists["edits"][cases["edit"][number]]
        return json.dumps(items, ensure_ascii=False).lower()

    failing = [int(number) for number in head["failures"]["case"]]  # type: ignore[index]
    held_texts = {number: texts(number) for number in set(failing)}
    # The last text of a block and the first of the next lie beside each other: no word is found across them.
    hypotheses = [str(item[1]).lower() for item in lists["pairs"]]  # type: ignore[index]
    words = {word for said in hypotheses for word in said.split() if word.isalpha()}
    for searched in (*sorted(words, key=lambda word: (-len(word), word))[:3], "was the", "the " + max(words, key=len)):
        body.fill("#search", searched.upper())
        expected = sum(all(word in held_texts[number] for word in searched.split()) for number in failing)
        counts(body, f"{expected} of ")
    body.fill("#search", hypotheses[0][-3:].split()[-1] + hypotheses[1][:3].split()[0])
    counts(body, "0 of ")
    first = str(lists["ids"][failing[-1]])
    body.fill("#search", first)
    counts(body, f"{failing.count(failing[-1])} of ")
    # A part of an id that is not its beginning is no word of the case.
    body.fill("#search", first[1:])
    counts(body, "0 of ")


def test_a_page_that_holds_a_sample_says_so_wherever_it_counts(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = pair("p", "E")
    cases = [base, *(derived(f"p{place}", base) for place in range(200))]
    made = write_run(tmp_path, {"x": cases}, [Asked("bad", {case.id: "C" for case in cases} | {"p": "E"})], shard=500)
    monkeypatch.setattr("nliprobe.api.report.failing_section", partial(failing_section, largest=1_200))
    with tab(browser, report(made, tmp_path / "page.html")) as seen:
        seen.page.locator("#cases article.case").first.wait_for()
        about = seen.page.get_by_text("A random sample of").inner_text()
        [kept] = re.findall(r"A random sample of ([0-9]+) of these 200 is here", about)
        assert 0 < int(kept) < 200
        counts(seen.page, f"{kept} of {kept} failing cases in the sample")


def test_each_filter_leaves_what_it_names(body: Page) -> None:
    body.evaluate("document.querySelector('.further').open = true")
    for name, value, words in (
        ("kind", "wrong label", ", right is "),
        ("answer", "C", "C"),
        ("before", "N", "before N"),
        ("system", "guess", "guess · "),
    ):
        body.select_option(f"#filter-{name}", value)
        ready(
            body,
            f"[...document.querySelectorAll('#cases article')].every((card) => card.innerText.includes({words!r}))",
        )
        assert shown(body) > 0
        body.select_option(f"#filter-{name}", "")


def test_a_copied_link_opens_its_case_in_another_copy_of_the_page(browser: Browser, path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "another name.html"
    copy.write_bytes(path.read_bytes())
    with tab(browser, path) as first:
        first.page.evaluate(KEEP_COPIES)
        card = first.page.locator("#cases article.case").nth(3)
        hypothesis = card.locator(".hypothesis").inner_text()
        card.get_by_role("button", name="Copy link").click()
        ready(first.page, "window.copied && window.copied.includes('#case-')")
        link = first.page.evaluate("window.copied")
    assert link.startswith(path.as_uri() + "#case-")
    with tab(browser, copy) as other:
        # What is chosen does not hide it.
        other.page.goto(copy.as_uri() + "#cases?q=no+such+words")
        counts(other.page, "0 of")
        other.page.goto(copy.as_uri() + "#" + link.split("#")[1])
        opened_case = other.page.locator("#case-open article.case")
        opened_case.wait_for()
        assert opened_case.locator(".hypothesis").inner_text() == hypothesis
        assert opened_case.locator(".answer").count() == 2
        other.page.goto(copy.as_uri() + "#case-0000")
        other.page.get_by_text("This page has no failing case 0000.").wait_for()
        assert other.complaints == []


def test_keys_go_from_case_to_case_open_and_search(body: Page) -> None:
    focus = "[...document.querySelectorAll('#cases article.case')].indexOf(document.activeElement)"
    for key, place in (("j", 0), ("j", 1), ("ArrowDown", 2), ("k", 1)):
        body.keyboard.press(key)
        assert body.evaluate(focus) == place
    assert body.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    body.keyboard.press("Enter")
    ready(body, "!document.getElementById('case-open').hidden && document.activeElement.closest('#case-open')")
    assert "#case-" in body.url
    body.keyboard.press("Escape")
    assert body.evaluate(focus) == 1
    for _ in range(19):
        body.keyboard.press("j")
    ready(body, f"{focus} === 20")
    body.keyboard.press("?")
    assert body.locator("#help").is_visible()
    body.keyboard.press("Escape")
    assert not body.locator("#help").is_visible()
    body.keyboard.press("/")
    assert body.evaluate("document.activeElement.id") == "search"
    body.keyboard.type("jk?")
    assert body.locator("#search").input_value() == "jk?"


def test_two_systems_stand_side_by_side_on_the_same_case(body: Page, path: Path) -> None:
    body.evaluate("document.querySelector('.further').open = true")
    body.select_option("#filter-beside", "guess")
    ready(body, "document.querySelectorAll('#cases .answer').length === 40")
    assert body.locator("#filter-system").input_value() == "sure"
    head, _ = held(path)
    assert shown(body) == len(head["cases"]["pair"])  # type: ignore[index]
    assert body.locator("#cases article").first.locator(".answer .name").all_inner_texts() == ["sure", "guess"]
    body.check("#filter-differ")
    ready(body, "location.hash.includes('differ')")
    counts(body, "")
    for card in body.locator("#cases article").all()[:5]:
        one, two = (block.locator(".label").all_inner_texts() for block in card.locator(".answer .said").all())
        assert one != two


def test_a_case_is_copied_as_json(body: Page, path: Path) -> None:
    body.evaluate("window.copied = ''")
    body.select_option("#filter-probe", "rows.delete")
    ready(
        body,
        "document.querySelectorAll('#cases tr.removed').length === document.querySelectorAll('#cases article').length",
    )
    card = body.locator("#cases article.case").first
    card.get_by_role("button", name="Copy JSON").click()
    ready(body, "window.copied")
    case = json.loads(body.evaluate("window.copied"))
    _, lists = held(path)
    assert case["schema"] == "nliprobe/failing-case/1"
    assert case["case_id"] in lists["ids"]
    assert case["hypothesis"] == card.locator(".hypothesis").inner_text()
    [answer] = case["answers"]
    assert answer["failing"]
    assert answer["system"] == "sure"
    assert sum(answer["probabilities"]) == pytest.approx(1, abs=0.002)
    [gone] = case["removed"]
    key, value = case["premise"]["rows"][gone]
    assert card.locator("tr.removed").inner_text().split("\t")[:2] == [key, value]


def test_groups_have_headings_with_their_sizes_the_largest_first(body: Page) -> None:
    body.select_option("#filter-group", "group")
    ready(body, "document.querySelectorAll('#cases h3.group').length > 0")
    while body.locator("#more").is_visible() and body.locator("#cases h3.group").count() < 3:
        body.click("#more")
    sizes = [int(text.rsplit(": ", 1)[1].split()[0]) for text in body.locator("#cases h3.group").all_inner_texts()]
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (390, "light")])
def test_an_open_case_and_two_systems_are_accessible_and_fit(
    browser: Browser, path: Path, width: int, scheme: str
) -> None:
    with tab(browser, path, width=width, scheme=scheme) as page:
        page.page.evaluate("document.querySelector('.further').open = true")
        page.page.select_option("#filter-beside", "guess")
        ready(page.page, "document.querySelectorAll('#cases .answer').length === 40")
        page.page.locator("#cases article").first.get_by_role("button", name="Open").click()
        page.page.locator("#case-open article").wait_for()
        assert serious(page.page) == []
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width
        nodes = "[...document.querySelectorAll('#cases *, #case-open *')]"
        assert (
            page.page.evaluate(f"{nodes}.filter((node) => node.getBoundingClientRect().right > innerWidth).length") == 0
        )


def test_a_browser_that_cannot_unpack_shows_the_first_cases_and_says_so(
    browser: Browser, path: Path, tmp_path: Path
) -> None:
    with tab(browser, path) as page:
        page.page.add_init_script("delete window.DecompressionStream")
        page.page.reload()
        assert "cannot unpack all cases" in page.page.locator("#cases-note").inner_text()
        assert page.page.locator("#cases-sample article.case").count() == 10
        assert not page.page.locator("#cases-tools").is_visible()
        assert page.complaints == []


def test_without_a_script_the_first_cases_are_plain_html(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    sample = text.split('<div id="cases-sample">')[1].split("<ol ")[0]
    assert "Without a script only the first 10 are shown." in sample
    assert sample.count("<article") == 10


def test_a_chapter_leads_to_its_prohibited_changes(body: Page) -> None:
    figure = body.locator("section:has([id='probe-rows.delete'])")
    link = figure.get_by_role("link", name="Read the prohibited cases").first
    link.click()
    ready(body, "document.getElementById('filter-probe').value === 'rows.delete'")
    assert body.locator("#filter-kind").input_value() == "change that is not allowed"
    assert body.locator("#filter-system").input_value() in ("sure", "guess")
    counts(body, str(shown(body)))
    said = body.locator("#cases article.case").first.inner_text()
    assert "rows.delete" in said
    assert "is taken out." in said
