"""The pages of *Read*: what they hold, where they lead, and what they say when a run is not as it should be."""

from __future__ import annotations

import json
import re
import shutil
import time
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from tests.analysis.runs import Asked, derived, write_run
from tests.analysis.runs import pair as simple_pair
from tests.studio.helpers import Client
from tests.studio.read.runs import CASES, SCRIPT, write_tables

from nliprobe.base.errors import StoreError
from nliprobe.store.frames import case_frames
from nliprobe.store.run import RunFolder
from nliprobe.studio.context import Studio, address
from nliprobe.studio.jobs import JobState
from nliprobe.studio.read.apart import APART
from nliprobe.studio.read.asked import Asked as AskedFor
from nliprobe.studio.read.explaining import EXPLANATIONS
from nliprobe.studio.read.routes import ROUTES
from nliprobe.studio.settings import Settings

RUN = f"/runs/{address('run0')}"
_LINK = re.compile(r'href="(/runs/[^"]*)"')


@pytest.fixture
def run(settings: Settings) -> RunFolder:
    return write_tables(settings.folder)


def ready(owner: Client, address: str, words: str) -> str:
    """Load a page until what is made behind it is there."""
    end = time.monotonic() + 60
    while words not in (text := owner.show(address)):
        assert time.monotonic() < end, text
        time.sleep(0.05)
    return text


def found(text: str) -> int:
    """How many cases a page says there are."""
    counted = re.search(r"of ([\d,]+) cases?|(No) cases", text)
    assert counted, text
    return 0 if counted[2] else int(counted[1].replace(",", ""))


def test_runs_are_listed_with_what_they_show(owner: Client, run: RunFolder, settings: Settings) -> None:
    text = ready(owner, "/", "constant answer")
    assert f'href="{RUN}"' in text
    assert "complete: 2 systems on some/dev, 10 cases" in text
    state = owner.get("/runs.json", headers={"accept": "application/json"}).json()
    assert [item["key"] for item in state["runs"]] == [address("run0")]
    assert state["pending"] is False


def test_a_run_in_the_place_of_another_shows_its_own_verdict(owner: Client, run: RunFolder, settings: Settings) -> None:
    assert "constant answer" in ready(owner, RUN, "constant answer")
    shutil.rmtree(run.path)
    cases = [simple_pair("a", None), simple_pair("b", None)]
    write_run(settings.folder, {"other/dev": cases}, [Asked("one", {"a": "E", "b": "E"})])
    for place in ("/", RUN):
        text = ready(owner, place, "cannot be told without labels")
        assert "constant answer" not in text


def test_a_run_that_was_damaged_after_its_end_says_where_until_it_is_repaired(owner: Client, run: RunFolder) -> None:
    state = f"{RUN}/state.json"
    owner.show(RUN)
    assert json.loads(owner.show(state))["ready"]
    shard = run.shard("cases", 0)
    whole = shard.read_bytes()
    with shard.open("r+b") as stream:  # in its place: the folder is as it was
        stream.truncate(100)
    assert f"{shard.name} has 100 bytes, but was written with {len(whole):,}." in owner.show(RUN)
    for place in (f"{RUN}/compare", f"{RUN}/cases/{CASES['delete']}"):
        text = owner.show(place, 503)
        assert f"{shard.name} has 100 bytes" in text
        assert "partial" not in text
    said = json.loads(owner.show(state))
    # A page that says so would load itself again and again if it were told that the cases can be read.
    assert (said["state"], said["ready"]) == ("damaged", False)
    shard.write_bytes(whole)
    assert json.loads(owner.show(state))["ready"]
    assert "1–10 of 10 cases." in owner.show(RUN)


def test_what_failed_once_is_tried_again_with_the_page(
    owner: Client, run: RunFolder, studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*names: object) -> object:
        raise StoreError("There was no memory left.")

    apart = studio.part(APART)
    with monkeypatch.context() as patch:
        patch.setattr(apart, "verdicts", fail)
        patch.setattr(apart, "comparison", fail)
        ready(owner, "/", "no memory left")
        ready(owner, f"{RUN}/compare", "no memory left")
    ready(owner, "/", "constant answer")
    ready(owner, f"{RUN}/compare", "Paired tests")


def test_a_folder_without_runs_says_how_to_make_one(owner: Client) -> None:
    assert "nliprobe run" in owner.show("/")


def test_only_the_owner_reads_runs(anybody: Client, run: RunFolder) -> None:
    for route in ROUTES:
        place = route.path.replace("{key}", address("run0")).replace("{case}", CASES["delete"])
        asked = anybody.post(place) if "POST" in (route.methods or ()) else anybody.get(place)
        assert asked.status_code == 403, place


def test_all_cases_are_listed_and_every_link_works(owner: Client, run: RunFolder) -> None:
    text = owner.show(RUN)
    assert "1–10 of 10 cases." in text
    links = {unescape(link) for link in _LINK.findall(text)}
    assert sum("/cases/" in link for link in links) == 10
    for link in links:
        if not link.endswith("/report"):
            further = owner.show(link)
            assert SCRIPT not in further, link


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("?q=died", 4),
        ("?q=DIED+ghent", 4),
        ("?q=1960", 1),
        ('?q="sings and"', 5),
        ("?q=boolean/3", 1),
        (f"?q={CASES['delete'][:8]}", 1),
        ("?q=%22+OR+*+NEAR(", 0),
        ("?q=%00%22*", 10),
        ("?probe=gold", 7),
        ("?probe=rows.delete&q=ghent", 1),
        ("?gold=N", 1),
        ("?facet=author%3DW1", 4),
        ("?facet=template%3Dboolean.and&facet=value:NAME%3DEve", 1),
        ("?system=one&answer=E", 10),
        ("?system=one&answer=C", 0),
        ("?by_gold=broken", 4),
        ("?system=one&by_gold=broken", 2),
        ("?by_rule=holds&system=one", 2),
        ("?differ=1", 5),
        ("?certainty=likely", 1),
        ("?group=T1", 4),
        ("?pair=boolean/1", 1),
        ("?corpus=unknown", 0),
        ("?system=nobody&probe=gold", 7),
        ("?nonsense=1&facet=nothing&after=", 10),
    ],
)  # fmt: skip
def test_filters_and_words_choose_cases(owner: Client, run: RunFolder, query: str, count: int) -> None:
    assert found(owner.show(RUN + query)) == count


class Form(HTMLParser):
    """The filters of a page: what each is set to, and what else it can be set to."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: list[tuple[str, str]] = []
        self.choices: list[tuple[int, str, str]] = []
        self._option: dict[str, str] | None = None
        begin = page.index('class="filters"')
        self.feed(page[begin : page.index("</form>", begin)])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        if tag == "select" or (tag == "input" and (known["type"] != "checkbox" or "checked" in known)):
            self.fields.append((known["name"], known.get("value", "")))
        self._option = known if tag == "option" else None

    def handle_data(self, data: str) -> None:
        if self._option is None:
            return
        value = self._option.get("value", data)
        self.choices.append((len(self.fields) - 1, value, data))
        if "selected" in self._option:
            self.fields[-1] = self.fields[-1][0], value
        self._option = None

    def query(self, place: int | None = None, value: str = "") -> str:
        """What the browser asks for, as the form is or with another choice."""
        fields = [(name, value if at == place else was) for at, (name, was) in enumerate(self.fields)]
        return f"?{urlencode(fields)}"


@pytest.mark.parametrize(
    "query",
    [
        "?",
        "?system=one",
        "?system=one&answer=E&by_gold=broken&other=one",
        "?facet=value:NAME%3DEve",
        "?facet=value:NAME%3DEve&facet=template%3Dboolean.and",
        "?facet=author%3DW1&q=nothing+like+it",
        "?facet=nobody%3DW9&probe=gold",
        "?by_gold=not+applicable&facet=author%3DW1",
    ],
)
def test_each_choice_says_how_many_cases_it_leaves(owner: Client, run: RunFolder, query: str) -> None:
    text = owner.show(RUN + query)
    form = Form(text)
    # To press the button chooses nothing else.
    assert found(owner.show(RUN + form.query())) == found(text)
    counted = [(place, value, re.search(r" \(([\d,]+)\)$", words)) for place, value, words in form.choices]
    assert any(number for _, _, number in counted)
    for place, value, number in counted:
        if number:
            left = found(owner.show(RUN + form.query(place, value)))
            assert left == int(number[1].replace(",", "")), (form.fields[place], value)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("?answer=E", "choose a system"),
        ("?system=nobody", "no system &#39;nobody&#39;"),
        (f"?q={'x' * 2000}", "longer than 1,000 characters"),
    ],
)
def test_what_is_left_out_is_said(owner: Client, run: RunFolder, query: str, words: str) -> None:
    text = owner.show(RUN + query)
    assert words in text
    assert found(text) == 10


def test_pages_are_turned_by_addresses(owner: Client, settings: Settings) -> None:
    cases = [simple_pair(f"p{place:03}") for place in range(60)]
    write_run(settings.folder, {"some/dev": cases}, [Asked("one", {case.id: "E" for case in cases})], shard=20)
    seen: list[str] = []
    place = f"{RUN}?q=premise"
    for start, end in ((1, 25), (26, 50), (51, 60)):
        text = owner.show(place)
        assert f"{start}–{end} of 60 cases" in text
        seen += re.findall(r"/cases/(p\d+)", text)
        following = re.search(r'rel="next" href="([^"]+)"', text)
        place = unescape(following[1]) if following else ""
    assert seen == [case.id for case in cases]
    assert not place
    back = re.search(r'rel="prev" href="([^"]+)"', text)
    assert back
    assert "26–50 of 60 cases" in owner.show(unescape(back[1]))


def test_what_is_chosen_can_be_taken_back(owner: Client, run: RunFolder) -> None:
    text = owner.show(f"{RUN}?q=died&probe=gold&facet=author%3DW1&system=one&answer=E&differ=1")
    for words in ("words: died", "probe: gold", "author: W1", "one answered E", "systems disagree"):
        assert words in unescape(text)
    asked = AskedFor([("q", "died"), ("facet", "a=1"), ("facet", "b=2=3"), ("system", "one")], ("one", "two"))
    assert [item.without for item in asked.chosen()] == [
        "?facet=a%3D1&facet=b%3D2%3D3&system=one",
        "?q=died&system=one&facet=b%3D2%3D3",
        "?q=died&system=one&facet=a%3D1",
        "?q=died&facet=a%3D1&facet=b%3D2%3D3",
    ]


def test_a_case_shows_its_edit_answers_and_rule(owner: Client, run: RunFolder) -> None:
    text = owner.show(f"{RUN}/cases/{CASES['delete']}")
    assert "The row “Died” is taken out." in text
    assert "<del>1980</del>" in text
    assert "needed by people" in text
    assert "People need row 2 of the pair" in text
    assert "E 0.700" in text
    assert "✓ holds" in text
    assert "after entailment: entailment or neutral; after neutral: neutral" in text
    update = owner.show(f"{RUN}/cases/{CASES['update']}")
    assert "<del>1980</del><ins>1960</ins>" in update
    assert "✗ broken" in update
    words = owner.show(f"{RUN}/cases/{CASES['words']}")
    assert "<del>died</del><ins>passed</ins>" in words
    assert "likely: this is not counted" in words


def test_a_rule_that_nobody_could_break_is_not_said_to_hold(owner: Client, settings: Settings) -> None:
    base = simple_pair("base", "E")
    free, bound = (
        derived(name, base, relation=relation) for name, relation in (("free", "E>ENC"), ("bound", "E>EN N>N C>C"))
    )
    answers = dict.fromkeys(("base", "free", "bound"), "E")
    systems = [Asked("three", answers), Asked("two", answers, partition="E|NC")]
    write_run(settings.folder, {"some/dev": [base, free, bound]}, systems)
    listed = owner.show(f"{RUN}?probe=rows.delete")
    assert listed.count("any allowed</span>") == 3
    assert listed.count("✓ holds") == 1
    for query, names in (("any+allowed", ["free"]), ("holds", ["bound"])):
        found_cases = re.findall(r"/cases/(\w+)", owner.show(f"{RUN}?system=three&by_rule={query}"))
        assert sorted(set(found_cases)) == names
    assert ">any allowed (2)<" in owner.show(f"{RUN}?system=two")
    _, _, below = owner.show(f"{RUN}/cases/bound").partition('aria-label="Answers"')
    # Who cannot tell neutral from contradiction cannot break this rule either.
    assert re.findall(">(any allowed|✓ holds)</span>", below.partition("</table>")[0]) == ["✓ holds", "any allowed"]


def test_a_case_leads_to_others_of_its_template_and_pair(owner: Client, run: RunFolder) -> None:
    text = owner.show(f"{RUN}?q=boolean/0")
    [case] = set(re.findall(r"/cases/([0-9a-f]+)", text))
    page = owner.show(f"{RUN}/cases/{case}")
    assert "The same template with other words" in page
    assert "Ben sings." in page
    assert "Ann sings." not in page.partition("The same template")[2]
    assert "The same pair, edited otherwise" in owner.show(f"{RUN}/cases/{CASES['delete']}")


def test_cases_around_keep_the_filter(owner: Client, run: RunFolder) -> None:
    text = owner.show(f"{RUN}/cases/{CASES['update']}?pair=tables/1")
    ways = dict(re.findall(r'rel="(prev|next)" href="([^"]+)"', text))
    assert unescape(ways["prev"]) == f"{RUN}/cases/{CASES['delete']}?pair=tables%2F1"
    assert unescape(ways["next"]) == f"{RUN}/cases/{CASES['words']}?pair=tables%2F1"
    assert 'rel="next"' not in owner.show(f"{RUN}/cases/{CASES['words']}?pair=tables/1")


def test_systems_are_compared_with_links_to_their_cases(owner: Client, run: RunFolder) -> None:
    text = ready(owner, f"{RUN}/compare", "Paired tests")
    cells = re.findall(r'<td class="number[^"]*"><a href="([^"]+)">([\d,]+)</a>', text)
    assert [int(count) for _, count in cells] == [5, 5]
    for link, count in cells:
        assert found(owner.show(unescape(link))) == int(count)
    assert "Choose two different systems" in owner.show(f"{RUN}/compare?left=one&right=one")
    assert found(owner.show(f"{RUN}?probe=gold")) == 7


def test_a_large_run_is_read_in_a_process_of_its_own(owner: Client, studio: Studio, run: RunFolder) -> None:
    apart, systems = studio.part(APART), [item.name for item in run.systems]
    here = apart.verdicts(run.path), apart.comparison(run.path, *systems), apart.report(run.path)
    apart.few = 0
    there = apart.verdicts(run.path), apart.comparison(run.path, *systems), apart.report(run.path)
    assert json.loads(json.dumps(here)) == list(there)
    with pytest.raises(StoreError, match="no system"):
        apart.comparison(run.path, "one", "nobody")
    assert "Paired tests" in ready(owner, f"{RUN}/compare", "Paired tests")


def test_a_process_that_is_killed_while_it_reads_is_said(
    studio: Studio, run: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    apart = studio.part(APART)
    apart.few = 0
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(StoreError, match="was stopped before its end"):
        apart.verdicts(run.path)


def test_the_report_is_sent_with_its_own_policy(owner: Client, run: RunFolder) -> None:
    ready(owner, f"{RUN}/report", "Where the points come from")
    answer = owner.get(f"{RUN}/report")
    policy = answer.headers["content-security-policy"]
    assert "sha256-" in policy
    assert "'unsafe-inline'" not in policy
    assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize("place", ["/runs/000000000000", f"{RUN}/cases/unknown", "/runs/../../etc", f"{RUN}/nothing"])
def test_what_is_not_there_is_a_page(owner: Client, run: RunFolder, place: str) -> None:
    owner.show(RUN)
    assert "Traceback" not in owner.show(place, 404)


def test_a_run_that_is_deleted_meanwhile_says_so(owner: Client, run: RunFolder) -> None:
    owner.show(RUN)
    shutil.rmtree(run.path)
    for place in (RUN, f"{RUN}/cases/{CASES['delete']}", f"{RUN}/compare", f"{RUN}/report"):
        assert "no longer there" in owner.show(place, 404)
    answer = owner.get(f"{RUN}/state.json", headers={"accept": "application/json"})
    assert answer.status_code == 404
    assert "no longer there" in answer.json()["error"]
    assert "There are no runs" in owner.show("/")


def test_a_damaged_run_says_so_and_the_others_are_read(owner: Client, run: RunFolder, settings: Settings) -> None:
    write_tables(settings.folder)
    run.shard("cases", 1).write_bytes(b"torn")
    text = owner.show(RUN)
    assert "The run is damaged." in text
    assert "Repeat the command" in text
    assert "10 of 10 cases" in owner.show(f"/runs/{address('run1')}")
    assert "damaged" in owner.show("/")
    (run.path / "run.json").write_text("{", encoding="utf-8")
    assert "Traceback" not in owner.get(RUN).text


def test_a_run_being_written_updates_itself(owner: Client, settings: Settings) -> None:
    run = write_tables(settings.folder, complete=False)
    text = ready(owner, RUN, "of 10 cases")
    assert "read/live.js" in text
    assert found(owner.show(f"{RUN}?system=two+{quote(SCRIPT)}&answer=not+asked")) == 4
    state = owner.get(f"{RUN}/state.json", headers={"accept": "application/json"}).json()
    assert (state["state"], state["cases"]) == ("unfinished", 10)
    for kind, frame in case_frames(["some/dev"], [simple_pair("later")]).items():
        run.write(kind, 4, frame)
    ready(owner, RUN, "of 11 cases")
    assert owner.get(f"{RUN}/state.json", headers={"accept": "application/json"}).json()["cases"] == 11


def test_a_run_without_cases_yet_is_not_said_to_have_gone_wrong(owner: Client, settings: Settings) -> None:
    run = write_run(settings.folder, {"some/dev": []}, [Asked("one", {})], status="running")
    text = owner.show(RUN)
    assert "No cases are written yet: they are listed here when the first are." in text
    assert 'class="wrong"' not in text
    state = owner.get(f"{RUN}/state.json", headers={"accept": "application/json"}).json()
    assert (state["ready"], state["current"], state["problem"]) == (False, False, None)
    assert "No cases are written yet" in state["making"]
    assert "No cases are written yet" in owner.show(f"{RUN}/compare", 503)
    for kind, frame in case_frames(["some/dev"], [simple_pair("first")]).items():
        run.write(kind, 0, frame)
    assert "1–1 of 1 case" in owner.show(RUN)


def test_an_index_that_was_torn_is_made_again(owner: Client, run: RunFolder, own_cache: Path) -> None:
    owner.show(RUN)
    [index] = (own_cache / "browse").glob("*.sqlite")
    index.write_bytes(index.read_bytes()[:5000])
    ready(owner, RUN, "1–10 of 10 cases")


def test_an_explanation_is_asked_for_only_of_systems_that_serve_was_told(
    owner: Client, run: RunFolder, studio: Studio
) -> None:
    page = owner.show(f"{RUN}/cases/{CASES['delete']}")
    assert "cannot be asked again here" in page
    assert "Explain the answer" not in page
    owner.submit(f"{RUN}/cases/{CASES['delete']}/explain", 404, system="one")
    owner.submit(f"{RUN}/cases/{CASES['delete']}/explain", 422)


def test_an_answer_is_explained_behind_the_page(owner: Client, settings: Settings, studio: Studio) -> None:
    import nliprobe

    nliprobe.run({"small": "small"}, "builtin/tables-dev?sample=2", out=settings.folder / "asked")
    place = f"/runs/{address('asked')}"
    [case, *_] = re.findall(r"/cases/([0-9a-f]+)", ready(owner, place, "cases."))
    page = owner.show(f"{place}/cases/{case}?probe=gold&system=nobody&evil=1")
    assert "Explain the answer of small" in page
    [form] = re.findall(r'action="([^"]+/explain[^"]*)"', page)
    # The cases before and after are still those of the list that the case was come to from.
    assert owner.submit(unescape(form), system="small").url.query == b"probe=gold"
    text = ready(owner, f"{place}/cases/{case}", "Why small answers")
    assert "The stronger the shade" in text
    waiting = owner.get(f"{place}/cases/{case}/state.json", headers={"accept": "application/json"})
    assert waiting.json() == {"pending": False}
    # What is slow or hangs is not in the way of reports, and ends with the process that holds the systems.
    assert studio.jobs.find(f"explain {settings.folder / 'asked'} {case} small") is None
    question = studio.part(EXPLANATIONS).find(settings.folder / "asked", case, "small")
    assert question is not None
    assert question.state is JobState.DONE
    assert "explanation asked for" in owner.show("/log")
