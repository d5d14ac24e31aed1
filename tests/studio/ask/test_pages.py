"""The pages of *Try*, asked in this process; systems answer in theirs."""

from __future__ import annotations

import html
import json
import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from tests.studio.ask.loaded import two_systems
from tests.studio.helpers import Client

from nliprobe.api.sources import open_source
from nliprobe.api.tried import CASE_FILE_PARAMETERS
from nliprobe.people.store.events import read_events
from nliprobe.studio.ask.asking import ASKING, TimeLimits
from nliprobe.studio.ask.trials import MOST_VERSIONS, TRIALS, Trial, Trials
from nliprobe.studio.context import Studio
from nliprobe.studio.jobs import JobState
from nliprobe.studio.refusals import TooManyError
from nliprobe.task.case import Certainty
from nliprobe.task.relations import DELETE
from nliprobe.task.table import Row, Table

INFOBOX = (
    "<table class=infobox><caption>Emily Blunt<tr><th>Born<td>23 February 1983<br>London"
    "<tr><th>Occupation<td>Actress<script>alert(1)</script><tr><th>Spouse<td>John Krasinski</table>"
)
SCRIPT = "<script>alert('x')</script>\"'><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """One for all tests: to load the systems takes longer than most of them."""
    with two_systems(tmp_path_factory.mktemp("studio")) as made:
        yield made


def begin(
    owner: Client, premise: str = INFOBOX, hypothesis: str = "Emily Blunt was born in London.", **more: str
) -> str:
    """Type a pair and return the page with its answers."""
    owner.show("/ask")
    answer = owner.submit("/ask", 200, premise=premise, hypothesis=hypothesis, system=["0", "1"], **more)
    return complete(owner, str(answer.url))


def complete(owner: Client, address: str) -> str:
    for trial in owner.app.state.studio.part(TRIALS).latest():  # type: ignore[attr-defined]
        for version in trial.versions:
            for question in version.asked:
                assert question.wait(60)
    return owner.show(address)


def trial_of(studio: Studio) -> Trial:
    return studio.part(TRIALS).latest()[0]


def edit(owner: Client, studio: Studio, **fields: object) -> str:
    trial = trial_of(studio)
    answer = owner.submit(f"/ask/{trial.key}/edit", 200, at=str(len(trial.versions)), **fields)
    return complete(owner, str(answer.url))


def offered(page: str, words: str) -> str:
    """Return the value of the button whose words contain some text."""
    found = re.search(rf'name="case" value="(\w+)"[^>]*>[^<]*{re.escape(words)}', html.unescape(page))
    assert found, words
    return found[1]


def test_a_pasted_infobox_is_asked_and_answered(owner: Client, studio: Studio) -> None:
    page = begin(owner)
    assert "Read as a table, HTML: 3 rows." in page
    assert "1 hidden element or script dropped." in page
    assert "alert(1)" not in page
    for name in ("small", "wording", "entailment", "neutral", "contradiction"):
        assert name in page
    assert "One pair says nothing about how good a system is" in page
    assert "accuracy" not in page.lower()
    answers = [trial_of(studio).versions[0].answer(system) for system in (0, 1)]
    assert all(answer is not None and answer.probabilities is not None for answer in answers)


def test_a_row_that_is_taken_out_has_a_rule_and_the_move_is_judged(owner: Client, studio: Studio) -> None:
    page = begin(owner)
    case = re.search(r'value="(\w+)" aria-label="Take out the row Born"', page)
    assert case
    page = edit(owner, studio, case=case[1])
    made = trial_of(studio).versions[1].made
    assert made is not None
    assert made.rule == DELETE.relation
    assert "The row “Born” is taken out." in html.unescape(page)
    assert "Allowed after this edit: after entailment: entailment or neutral" in page
    # What sees no premise cannot follow an edit of it.
    assert "The system reads the same as before." in page
    before, after = (version.answer(0) for version in trial_of(studio).versions)
    assert before is not None
    assert after is not None
    prohibited = after.label is not None and not after.label <= DELETE.relation(before.label or "")
    assert ("✗ prohibited" in page) == prohibited
    assert "an answer that never moves" in page


def test_an_edit_by_hand_is_known_if_it_is_one_of_a_probe(owner: Client, studio: Studio) -> None:
    begin(owner)
    hypothesis = "Emily Blunt was born in London."
    rows = {"title": "Emily Blunt", "hypothesis": hypothesis}
    edit(owner, studio, key=["Spouse", "Born", "Occupation", ""],
         values=["John Krasinski", "23 February 1983\r\nLondon", "Actress", ""], **rows)  # fmt: skip
    page = edit(owner, studio, key=["Spouse", "Born", "Occupation"],
                values=["John Krasinski", "23 February 1983\r\nParis", "Actress"], **rows)  # fmt: skip
    moved, changed = trial_of(studio).versions[1:]
    assert moved.made is not None
    assert moved.made.name == "rows.permute"
    assert changed.made is not None
    assert changed.made.rule is None
    assert "Nothing is known about what must happen" in page
    assert isinstance(changed.premise, Table)
    assert changed.premise.rows[1] == Row("Born", ("23 February 1983", "Paris"))
    assert "<ins>Paris</ins>" in page
    assert "<del>London</del>" in page


def test_spaces_in_a_title_are_no_edit(owner: Client, studio: Studio) -> None:
    page = begin(owner, '{"title": "Emily\u00a0 Blunt", "Born": "London", "Job": "Actress", "Spouse": "John"}')
    sent = html.unescape(re.findall(r'name="title" value="([^"]*)"', page)[0])
    page = edit(owner, studio, title=sent, key=["Job", "Spouse"], values=["Actress", "John"],
                hypothesis="Emily Blunt was born in London.")  # fmt: skip
    made = trial_of(studio).versions[1].made
    assert made is not None
    assert made.name == "rows.delete"


def test_texts_are_swapped_negated_and_lose_sentences(owner: Client, studio: Studio) -> None:
    page = begin(owner, "The man plays a guitar. Anna owns two cats.", "The man is outside.")
    case = offered(page, "Premise and hypothesis are exchanged")
    page = edit(owner, studio, case=offered(page, "“not” is added"))
    assert "The man is <ins>not </ins>outside." in page
    owner.submit(f"/ask/{trial_of(studio).key}/edit", at="1", case=case)
    owner.submit(f"/ask/{trial_of(studio).key}/edit", at="1", case=offered(page, "Anna owns"), status=422)
    first, negated, swapped = trial_of(studio).versions
    assert (swapped.premise, swapped.hypothesis) == (first.hypothesis, first.premise)
    assert swapped.made is not None
    assert swapped.made.base == 1
    assert negated.hypothesis == "The man is not outside."


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_trial_is_saved_and_read_back(form: str, owner: Client, studio: Studio, tmp_path: Path) -> None:
    page = begin(owner)
    case = re.search(r'value="(\w+)" aria-label="Take out the row Spouse"', page)
    assert case
    edit(owner, studio, case=case[1])
    edit(owner, studio, title="Emily Blunt", key=["Born"], values=["1983"], hypothesis='=She was "born".')
    trial = trial_of(studio)
    owner.submit(f"/ask/{trial.key}/label", at="1", label="E")
    answer = owner.get(f"/ask/{trial.key}/save.{form}")
    assert "attachment" in answer.headers["content-disposition"]
    path = tmp_path / f"tried.{form}"
    path.write_bytes(answer.content)
    read = list(open_source(f"file:{path}?{CASE_FILE_PARAMETERS}", None).pairs())
    assert [(pair.premise, pair.hypothesis) for pair in read] == [
        (version.premise, version.hypothesis) for version in trial.versions
    ]
    assert str(read[0].gold) == "E"
    assert read[1].bases == (read[0].id,)
    assert read[1].expects == DELETE.relation
    assert read[2].bases == ()
    owner.show(f"/ask/{trial.key}/save.exe", 404)


def test_a_rule_that_is_only_likely_is_none_in_a_file(owner: Client, studio: Studio, tmp_path: Path) -> None:
    page = begin(owner, "The man plays a guitar. He owns two cats.", "The man is outside.")
    edit(owner, studio, case=offered(page, "He owns two cats"))
    trial = trial_of(studio)
    made = trial.versions[1].made
    assert made is not None
    assert (made.rule, made.certainty) == (DELETE.relation, Certainty.LIKELY)
    path = tmp_path / "tried.jsonl"
    path.write_bytes(owner.get(f"/ask/{trial.key}/save.jsonl").content)
    read = list(open_source(f"file:{path}?{CASE_FILE_PARAMETERS}", None).pairs())
    assert [(pair.bases, pair.expects) for pair in read] == [((), None)] * 2


def test_a_system_that_never_answered_is_not_asked_by_the_line_that_is_shown(owner: Client, studio: Studio) -> None:
    def named(page: str) -> list[str]:
        words = shlex.split(html.unescape(page.partition('id="command-part"><code>')[2].partition("</code>")[0]))
        return [after for word, after in pairwise(words) if word == "--system"]

    page = begin(owner)
    assert named(page) == ["small", "small?premise=none&name=wording"]
    trial = trial_of(studio)
    trial.versions[0].questions[1].state = JobState.FAILED
    assert named(owner.show(f"/ask/{trial.key}")) == ["small"]
    edit(owner, studio, title="Emily Blunt", key=["Born"], values=["1983"], hypothesis="She was born.")
    assert named(owner.show(f"/ask/{trial.key}")) == ["small", "small?premise=none&name=wording"]


def test_an_answer_is_explained(owner: Client, studio: Studio) -> None:
    begin(owner)
    key = trial_of(studio).key
    owner.submit(f"/ask/{key}/explain", at="1", system="0")
    page = complete(owner, f"/ask/{key}?at=1&why=0")
    assert "Why small answers this" in page
    assert "Rows of the table" in page
    owner.submit(f"/ask/{key}/explain", 404, at="1", system="7")


def test_every_use_is_logged_without_a_text(owner: Client, studio: Studio) -> None:
    begin(owner, "A secret premise.", "A secret hypothesis.")
    edit(owner, studio, premise="Another secret.", hypothesis="A secret hypothesis.")
    told = read_events(studio.store)
    words = [entry.what for entry in told]
    assert "asked systems" in words
    assert "asked systems about an edit" in words
    assert "secret" not in json.dumps([entry.about for entry in told])
    assert told[0].about["systems"] == "small, wording"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"premise": "", "hypothesis": "x"}, "The premise is empty"),
        ({"premise": " \n ", "hypothesis": "x"}, "The premise is empty"),
        ({"premise": "x", "hypothesis": " "}, "The hypothesis is empty"),
        ({"premise": "word " * 3001, "hypothesis": "x"}, "3,001 words"),
        ({"premise": "x", "hypothesis": "word " * 3001}, "3,001 words"),
        ({"premise": "x", "hypothesis": "x", "system": []}, "No system is chosen"),
        ({"premise": "x", "hypothesis": "x", "system": ["small"]}, "by their numbers"),
        ({"premise": "x", "hypothesis": "x", "system": ["7"]}, "no system number 7"),
        ({"premise": "x", "hypothesis": "x", "system": ["-1"]}, "by their numbers"),
        ({"premise": "x: y", "hypothesis": "x", "form": "lines"}, "no title"),
    ],
)
def test_what_cannot_be_asked_is_said_beside_what_was_typed(
    owner: Client, fields: dict[str, object], words: str
) -> None:
    owner.show("/ask")
    answer = owner.submit("/ask", 422, **{"system": ["0"], **fields})
    assert words in html.unescape(answer.text)
    if fields["hypothesis"] == "x":
        assert '<textarea id="hypothesis" name="hypothesis" rows="2" class="short" required>x</textarea>' in answer.text


def test_3000_words_and_scripts_in_every_field_are_harmless(owner: Client, studio: Studio) -> None:
    page = begin(owner, "word " * 2990, SCRIPT, title=SCRIPT)
    assert SCRIPT not in page
    page = edit(owner, studio, premise=SCRIPT, hypothesis=SCRIPT)
    assert "<script>alert" not in page
    assert "<img" not in page
    table = json.dumps({"title": SCRIPT, SCRIPT: [SCRIPT]})
    page = begin(owner, table, SCRIPT, form="json")
    page += edit(owner, studio, title="x" + SCRIPT, key=[SCRIPT, "k"], values=[SCRIPT, "v"], hypothesis=SCRIPT)
    assert "<script>alert" not in page
    assert "<img" not in page
    key = trial_of(studio).key
    owner.submit(f"/ask/{key}/explain", at="1", system="0")
    page = complete(owner, f"/ask/{key}?at=1&why=0")
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "<script>alert" not in owner.show("/ask")


def test_10_mb_are_refused(owner: Client) -> None:
    owner.show("/ask")
    assert "too large" in owner.submit("/ask", 413, premise="x" * 10_000_000, hypothesis="x", system="0").text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "Nothing is changed"),
        ({"hypothesis": ""}, "The hypothesis is empty"),
        ({"title": ""}, "no title"),
        ({"key": [], "values": []}, "no row left"),
        ({"key": ["", ""], "values": ["", " "]}, "no row left"),
        ({"key": ["Born"], "values": [""]}, "has no value"),
        ({"key": [""], "values": ["1983"]}, "has no key"),
        ({"key": ["a", "a"], "values": ["1", "2"]}, "Two rows have the key"),
        ({"key": ["a"], "values": ["1", "2"]}, "not complete"),
        ({"case": "0" * 24}, "not one of this version"),
        ({"key": [f"k{n}" for n in range(600)], "values": ["v"] * 600}, "cells"),
    ],
)
def test_an_edit_that_cannot_be_asked_is_a_sentence(
    owner: Client, studio: Studio, fields: dict[str, object], words: str
) -> None:
    begin(owner, "Up\nYear: 2009\nLength: 96", "Up is a film.", form="lines")
    sent = {"title": "Up", "key": ["Year", "Length"], "values": ["2009", "96"], "hypothesis": "Up is a film.", **fields}
    answer = owner.submit(f"/ask/{trial_of(studio).key}/edit", 422, at="1", **sent)
    assert words in html.unescape(answer.text)
    assert len(trial_of(studio).versions) == 1


def test_many_column_tables_are_edited_cell_by_cell(owner: Client, studio: Studio) -> None:
    grid = "team,won,lost,points\nReds,3,1,9\nBlues,1,3,3"
    page = begin(owner, grid, "The Reds won three games.", form="columns", title="League")
    assert 'aria-label="Row 1, team"' in page
    cells = ["Blues", "1", "3", "3", "Reds", "3", "1", "9", "", "", "", ""]
    edit(owner, studio, title="League", cell=cells, hypothesis="The Reds won three games.")
    made = trial_of(studio).versions[1].made
    assert made is not None
    assert made.name == "rows.permute"
    answer = owner.submit(
        f"/ask/{trial_of(studio).key}/edit", 422, at="2", title="League", cell=cells[:5], hypothesis="x"
    )
    assert "as many cells" in answer.text


def test_what_cannot_be_asked_now_is_not_lost(owner: Client, studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*about: object) -> None:
        raise TooManyError("20 questions are waiting already.")

    begin(owner, "A text.", "Yes.")
    trial = trial_of(studio)
    monkeypatch.setattr(studio.part(ASKING), "ask", refuse)
    page = owner.submit("/ask", 429, premise="Typed for long.", hypothesis="A thought.", system="0").text
    assert "20 questions are waiting already." in page
    assert "Typed for long.</textarea>" in page
    assert "A thought.</textarea>" in page
    assert studio.part(TRIALS).latest()[0] is trial
    page = owner.submit(f"/ask/{trial.key}/edit", 429, at="1", premise="Edited for long.", hypothesis="Yes.").text
    assert "20 questions are waiting already." in page
    assert "Edited for long.</textarea>" in page
    assert len(trial.versions) == 1


def test_what_is_not_there_is_not_found(owner: Client, studio: Studio) -> None:
    begin(owner)
    key = trial_of(studio).key
    for address in ("/ask/0123456789ab", f"/ask/{key}?at=9", f"/ask/{key}/state?at=2", f"/ask/{key}/save.exe"):
        owner.show(address, 404)
    for address in (f"/ask/{key}?at=x", f"/ask/{key}?why=x", f"/ask/{key}?why=1", f"/ask/{key}?at=" + "9" * 50):
        owner.show(address)
    owner.submit("/ask/0123456789ab/edit", 404, at="1")
    # Where a refused edit was shown, and the page is asked for once more by its address.
    assert "Go back to that page" in owner.show(f"/ask/{key}/edit", 405)
    owner.submit(f"/ask/{key}/label", 422, at="1", label="X")


def test_trying_is_the_owners(anybody: Client, owner: Client, studio: Studio) -> None:
    begin(owner)
    key = trial_of(studio).key
    stranger = Client(owner.app)  # type: ignore[arg-type]
    for address in ("/ask", f"/ask/{key}", f"/ask/{key}/state", f"/ask/{key}/save.csv"):
        stranger.show(address, 403)
    for address in ("/ask", f"/ask/{key}/edit", f"/ask/{key}/label", f"/ask/{key}/explain"):
        stranger.submit(address, 403)


def test_versions_and_trials_are_bounded(owner: Client, studio: Studio) -> None:
    begin(owner, "A text.", "Yes.")
    trial = trial_of(studio)
    trial.versions += [trial.versions[0]] * (MOST_VERSIONS - 1)
    answer = owner.submit(f"/ask/{trial.key}/edit", 422, at="1", premise="B.", hypothesis="Yes.")
    assert "versions already" in answer.text
    trials = Trials()
    for _ in range(30):
        trials.keep(trials.begin([0], ()))
    assert len(trials.latest()) == 20


def test_a_page_says_that_a_system_takes_too_long(owner: Client, studio: Studio) -> None:
    """The limit is shorter than anything can answer in."""
    asking = studio.part(ASKING)
    asking.limits = TimeLimits(question=0.0)
    page = begin(owner, "A text.", "Yes.")
    assert "did not answer within 0 seconds, so its process was ended. The next question begins a new one." in page
    asking.limits = TimeLimits()
    page = edit(owner, studio, premise="Another text.", hypothesis="Yes.")
    assert trial_of(studio).versions[1].answer(0) is not None
    assert "entailment" in page
    assert "a system was stopped" in [entry.what for entry in read_events(studio.store)]
