"""A project from one form: checked, counted before it is made, and made once."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.studio.helpers import Client, sign_in_owner
from tests.studio.manage.made import SCRIPT

import nliprobe
from nliprobe.api.review import export_review
from nliprobe.people.store.progress import read_log
from nliprobe.people.store.projects import read_items, read_project, read_projects
from nliprobe.studio.app import make_app
from nliprobe.studio.context import Studio, address
from nliprobe.studio.jobs import JobState
from nliprobe.studio.manage.form import DEFAULTS
from nliprobe.studio.manage.offers import Kind, offers
from nliprobe.studio.settings import Settings

PAIRS = [
    {"id": "a", "premise": "One cat sat.", "hypothesis": "A cat sat.", "label": "E"},
    {"id": "b", "premise": "Two cats sat.", "hypothesis": "A cat sat.", "label": "E"},
    {"id": "c", "premise": "A dog ran.", "hypothesis": "It slept.", "label": "C"},
]


@pytest.fixture(scope="module")
def served_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of pairs, a run and a review queue."""
    folder = tmp_path_factory.mktemp("served")
    lines = "".join(json.dumps(pair) + "\n" for pair in PAIRS)
    (folder / "pairs.jsonl").write_text(lines, encoding="utf-8")
    export_review(folder / "queue.jsonl", "builtin/sentences-dev", "hypothesis.negation", n=3)
    nliprobe.run("small", "builtin/sentences-dev", probes=["gold", "swap"], out=folder / "runs" / "one", doctor=False)
    return folder


@pytest.fixture
def settings(served_files: Path, tmp_path: Path) -> Settings:
    return Settings(
        folder=served_files / "runs",
        database=str(tmp_path / "people.sqlite"),
        corpora=(f"file:{served_files / 'pairs.jsonl'}?id=id&label=label",),
        queues=(served_files / "queue.jsonl",),
    )


def offer(studio: Studio, kind: Kind, number: int = 0) -> str:
    return [one.key for one in offers(studio.settings) if one.kind is kind][number]


def fields(studio: Studio, **changes: str) -> dict[str, str]:
    return {**DEFAULTS, "name": "cats", "source": offer(studio, Kind.CORPUS), **changes}


def send(owner: Client, studio: Studio, **changes: str) -> str:
    """Send the form and return the page that comes of it."""
    owner.show("/projects/new")
    answer = owner.submit("/projects/new", 200, **fields(studio, **changes))
    assert "/projects/new/" in str(answer.url), answer.text
    return answer.text


def test_a_project_from_a_corpus_is_counted_first_and_then_made(owner: Client, studio: Studio) -> None:
    page = send(owner, studio, raters="3", title="Cats", instructions="Read **both**.", most="2", lease="5")
    assert "3 items" in page
    assert "9 judgements" in page
    assert "Nothing is left out" in page
    assert "5 raters or more" in page
    assert read_projects(studio.store) == []
    made = owner.submit(_address(page))
    assert f"/projects/{address('cats')}" in str(made.url)
    assert "The project was made" in made.text
    project = read_project(studio.store, "cats")
    assert (project.title, project.raters_per_item, project.most_per_rater) == ("Cats", 3, 2)
    assert (project.instructions, project.lease_seconds) == ("Read **both**.", 300)
    assert read_log(studio.store, "cats")[0].what == "project made"
    # The button twice, or the back button, makes no second one.
    assert owner.submit(_address(page)).status_code == 200
    assert len(read_projects(studio.store)) == 1


def test_what_cannot_be_asked_is_counted_with_its_reason(owner: Client, studio: Studio) -> None:
    page = send(owner, studio, task="counterfactual", source=_tables(studio))
    assert "What cannot be asked" in page
    assert "72 pairs left out: it is neutral, and no label is wanted" in page
    page = send(owner, studio, task="counterfactual")
    assert "3 pairs left out because the premise is a text, not a table" in page
    assert "Nothing was made" in page
    assert "Change the form" in page


def test_a_run_gives_its_pairs_and_cases(owner: Client, studio: Studio) -> None:
    run = offer(studio, Kind.RUN)
    assert "141 items" in send(owner, studio, source=run, choice="pairs")
    assert "no two of its systems differ" in send(owner, studio, source=run, choice="disagree")
    assert "items</strong>" in send(owner, studio, source=run, choice="wrong")
    page = send(owner, studio, source=run, choice="broken", items="4")
    assert "4 items" in page
    owner.submit(_address(page))
    assert len(read_items(studio.store, "cats")) == 4


def test_a_review_queue_gives_cases_to_settle(owner: Client, studio: Studio) -> None:
    page = send(owner, studio, task="settle", source=offer(studio, Kind.QUEUE))
    owner.submit(_address(page))
    items = read_items(studio.store, "cats")
    assert items
    assert all("suggested" not in item.content for item in items), "blind unless the owner says otherwise"


def test_pilot_batches_and_attention_items(owner: Client, studio: Studio) -> None:
    page = send(
        owner, studio, source=_tables(studio), items="20", pilot="5", batch="10", attention=_sentences(studio),
        attention_count="4", attention_every="3", partition="E|NC",
    )  # fmt: skip
    assert "20 items" in page
    assert "in 3 batches" in page
    assert "4 attention items" in page
    owner.submit(_address(page))
    project = read_project(studio.store, "cats")
    assert (project.attention_every, project.options) == (3, {"partition": "E|NC"})
    assert sum(item.expected is not None for item in read_items(studio.store, "cats")) == 4


WRONG = {
    "name": ["", "x\ny", "ü" * 300, "a\0b"],
    "title": ["x" * 400],
    "task": ["", "bid", "nonsense", SCRIPT],
    "source": ["", "builtin/tables-dev", "../../etc/passwd", "corpus-99", "run-000000000000", SCRIPT],
    "choice": ["", SCRIPT],
    "items": ["0", "-1", "1.5", "x", "9" * 30, "²", SCRIPT],
    "per_group": ["0", "x"],
    "raters": ["", "0", "1001"],
    "most": ["0"],
    "pilot": ["-1"],
    "batch": ["0"],
    "attention": ["corpus-99", "queue-0", "file:/etc/passwd", SCRIPT],
    "attention_count": ["0", "x"],
    "attention_every": ["0", "1"],
    "evenly": ["", SCRIPT],
    "partition": ["", "E|E", SCRIPT],
    "instructions": ["x" * 100_001],
    "lease": ["0", ""],
    "seed": ["", "-1", "x"],
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_stands_beside_its_field_and_nothing_is_made(owner: Client, studio: Studio, name: str) -> None:
    owner.show("/projects/new")
    for value in WRONG[name]:
        answer = owner.submit("/projects/new", 422, **fields(studio, **{name: value}))
        assert f'id="{name}-wrong"' in answer.text, (name, value)
        assert SCRIPT not in answer.text
        assert answer.text.count('-wrong"') >= 1
    assert read_projects(studio.store) == []


def test_a_run_that_was_deleted_meanwhile_is_said_to_be_gone(owner: Client, studio: Studio) -> None:
    owner.show("/projects/new")
    for source, is_said in (("", False), ("run-000000000000", True)):
        page = owner.submit("/projects/new", 422, **fields(studio, source=source)).text
        assert "Choose what the items are made from." in page
        assert ("What was chosen is not there any more." in page) == is_said


def test_the_first_field_that_is_wrong_has_the_focus(owner: Client, studio: Studio) -> None:
    owner.show("/projects/new")
    for changes, first in (
        ({"name": "", "seed": "x"}, "name"),
        ({"seed": "x", "instructions": "x" * 100_001, "evenly": "x"}, "instructions"),
        ({"seed": "x", "evenly": "x", "partition": "x"}, "partition"),
        ({"lease": "x", "pilot": "x"}, "pilot"),
    ):
        page = owner.submit("/projects/new", 422, **fields(studio, **changes)).text
        assert re.findall(r'id="(\w+)"[^>]* autofocus', page) == [first]


def test_fields_that_do_not_fit_each_other(owner: Client, studio: Studio) -> None:
    owner.show("/projects/new")
    queue, corpus = offer(studio, Kind.QUEUE), offer(studio, Kind.CORPUS)
    for changes, name in (
        ({"task": "settle"}, "source"),
        ({"task": "verify", "source": queue}, "source"),
        ({"attention": corpus}, "attention"),
        ({"task": "settle", "source": queue, "attention": corpus}, "attention"),
        ({"task": "write", "attention": _tables(studio)}, "attention"),
    ):
        answer = owner.submit("/projects/new", 422, **fields(studio, **changes))
        assert f'id="{name}-wrong"' in answer.text, changes


def test_a_name_that_is_taken_is_said_before_and_while_it_is_made(owner: Client, studio: Studio) -> None:
    first, second = send(owner, studio), send(owner, studio)
    owner.submit(_address(first))
    page = owner.submit(_address(second)).text
    assert "There is a project &#39;cats&#39;" in page
    answer = owner.submit("/projects/new", 422, **fields(studio))
    assert "already: choose another name" in answer.text


def test_the_form_comes_back_as_it_was_sent(owner: Client, studio: Studio) -> None:
    page = send(owner, studio, title=f"T {SCRIPT}", raters="7")
    assert SCRIPT not in page
    form = owner.show(f"/projects/new?plan={_address(page).rpartition('/')[2]}")
    assert 'value="7"' in form
    assert "T &lt;script&gt;" in form
    assert SCRIPT not in form
    owner.show("/projects/new?plan=nothing", 404)


def test_instructions_can_be_looked_at_before_and_hold_no_html(owner: Client, studio: Studio) -> None:
    owner.show("/projects/new")
    answer = owner.submit("/projects/new", 200, **fields(studio, instructions=f"**Read** {SCRIPT}", go="preview"))
    assert "<strong>Read</strong> &lt;script&gt;" in answer.text
    assert SCRIPT not in answer.text
    html = owner.submit_json("/projects/preview", {"instructions": f"*x* {SCRIPT} ![p](http://e/x.png)"}).json()["html"]
    assert "<em>x</em>" in html
    assert "<script" not in html
    assert "<img" not in html
    assert html.endswith(" p</p>\n"), "of a picture its description stays, and no mark of what was left out"


def test_a_slow_plan_shows_that_it_goes_on(owner: Client, studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    go = threading.Event()
    monkeypatch.setattr("nliprobe.studio.manage.making._PATIENCE", 0.0)
    monkeypatch.setattr("nliprobe.studio.manage.making.plan_project", lambda plan: go.wait(10) and None)
    page = send(owner, studio)
    assert "This page goes on by itself" in page
    state = str(page).partition('data-state="')[2].partition('"')[0]
    assert owner.get(state).json() == {"over": False}
    go.set()
    job = next(job for key, job in studio.jobs._known.items() if "project" in key)
    while job.state is not JobState.DONE:
        pass
    assert owner.get(state).json() == {"over": True}


def test_old_plans_are_forgotten(owner: Client, studio: Studio) -> None:
    first = _address(send(owner, studio))
    for _ in range(5):
        send(owner, studio)
    assert "no longer kept" in owner.show(first, 404)
    assert len([key for key in studio.jobs._known if "project" in key]) == 5


def test_a_corpus_that_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    from nliprobe.studio.context import open_studio

    (tmp_path / "runs").mkdir()
    settings = Settings(tmp_path / "runs", str(tmp_path / "p.sqlite"), corpora=("file:/nowhere/x.csv",))
    studio = open_studio(settings, "a-token-for-tests-only")
    owner = sign_in_owner(Client(make_app(studio)))
    page = send(owner, studio)
    assert "/nowhere/x.csv" in page
    assert "Nothing was made" in page
    studio.close()


def _address(page: str) -> str:
    found = page.partition('<form method="post" action="/projects/new/')[2].partition('"')[0]
    return f"/projects/new/{found or page.partition('/projects/new?plan=')[2].partition(chr(34))[0]}"


def _tables(studio: Studio) -> str:
    return next(one.key for one in offers(studio.settings) if one.place == "builtin/tables-dev")


def _sentences(studio: Studio) -> str:
    return next(one.key for one in offers(studio.settings) if one.place == "builtin/sentences-dev")
