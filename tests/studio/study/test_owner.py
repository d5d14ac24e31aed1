"""The owner's pages of studies."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from html import unescape
from pathlib import Path

from starlette.applications import Starlette
from tests.cli.helpers import nliprobe_json
from tests.people.studied import SECRET, small_study
from tests.studio.helpers import Client
from tests.studio.study.walk import Walker, links, new_participant, study_address

from nliprobe.people.store.events import read_events
from nliprobe.studio.app import routes
from nliprobe.studio.context import Studio
from nliprobe.studio.who import Owner


def test_studies_are_listed_with_their_people(owner: Client, walker: Walker) -> None:
    walker.walk("/stage/1/2")
    page = owner.show("/studies")
    assert "A study" in page
    assert "1 taking part, 0 of them finished" in page


def test_the_owner_sees_links_and_progress(owner: Client, walker: Walker) -> None:
    walker.walk("/stage/1/4")
    address = study_address(owner)
    page = owner.show(address)
    assert "3 of 36 answers" in page
    assert "Ann" in page
    owner.submit(f"{address}/invite", count="2", note="<i>two</i>")
    assert "&lt;i&gt;two&lt;/i&gt;" in owner.show(address)
    # What was just made is to be sent: it need not be searched for, and what is older stays folded.
    assert owner.show(f"{address}?new=2-3").count("<details open><summary>Link") == 2
    assert "<details open><summary>Link" not in owner.show(f"{address}?new=many")
    assert len(set(links(owner, address))) == 3
    owner.submit(f"{address}/invite", 422, count="1000", note="")
    # More than a database can count.
    for number in ("2147483648", "9" * 30, "-" + "9" * 30):
        assert (
            "should be a whole number of at most" in owner.submit(f"{address}/open", 422, open="yes", most=number).text
        )
        assert "at most" in owner.submit(f"{address}/withdraw", 422, participant=number).text


def test_the_owner_reads_that_nobody_else_can_open_the_links(owner: Client, studio: Studio) -> None:
    page = owner.show(study_address(owner))
    assert "Only this machine can open these links now." in page
    studio.settings = replace(studio.settings, public="https://studio.example.org")
    assert "Only this machine" not in owner.show(study_address(owner))


def test_the_owner_comes_back_to_what_was_done(owner: Client) -> None:
    address = study_address(owner)
    owner.show(address)
    owner.submit(f"{address}/invite", count="3", note="")
    for answer, back in (
        (owner.submit(f"{address}/invite", count="2"), "?new=4-5#participant-4"),
        (owner.submit(f"{address}/link", participant="2"), "?renewed=2#participant-2"),
        (owner.submit(f"{address}/withdraw", participant="3", sure="yes"), "#participant-3"),
        (owner.submit(f"{address}/open", open="yes"), "#everybody"),
    ):
        assert answer.history[0].headers["location"] == address + back
        page = owner.show(address)
        assert f'id="{back.partition("#")[2]}"' in page
    page = owner.show(f"{address}?new=4-5")
    assert "2 new links." in page[page.index('id="participant-4"') : page.index('id="participant-5"')]
    page = owner.show(f"{address}?renewed=2")
    assert "a new link." in page[page.index('id="participant-2"') : page.index('id="participant-3"')]


def test_who_has_answered_nothing_is_not_among_those_who_have(owner: Client, app: Starlette) -> None:
    for stop in ("/thanks", "/stage/1/2", "/stage/1/1", "/practice"):
        new_participant(owner, Client(app)).walk(stop)
    page = owner.show(f"{study_address(owner)}/results")
    assert "2 people have answered. 1 of them has not finished" in page


def test_results_are_those_of_the_command_line(owner: Client, app: Starlette, folder: Path, tmp_path: Path) -> None:
    address = study_address(owner)
    assert "Nobody has answered yet" in owner.show(f"{address}/results")
    for stop in ("/thanks", "/stage/2/4"):
        new_participant(owner, Client(app)).walk(stop)
    page = owner.show(f"{address}/results")
    assert "2 people have answered. 1 of them has not finished" in page
    assert SECRET in page, "the owner may know"
    assert "SIMULATED" not in page
    answer = owner.get(f"{address}/answers.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert {row["participant"] for row in csv.DictReader(io.StringIO(answer.text))} == {
        "participant-1",
        "participant-2",
    }
    (tmp_path / "answers.csv").write_text(answer.text, encoding="utf-8", newline="")
    document = nliprobe_json("study", "results", str(folder), str(tmp_path / "answers.csv"))
    assert document["participants"] == 2
    for stage in document["stages"]:
        share = stage["accuracy"]["value"]
        assert f"{100 * share:.1f}" in page, stage["stage"]


def test_a_reworded_form_keeps_no_result_back(owner: Client, walker: Walker, folder: Path, tmp_path: Path) -> None:
    walker.walk("/stage/3/feedback")
    walker.send_fields(walker.target(), {**walker.fields(), "f:useful": "yes", "f:remark": "Fine."})
    walker.walk()
    address, path = study_address(owner), folder / "study.json"
    text = path.read_text(encoding="utf-8")
    read = json.loads(text)
    # One question has other answers now, and one is gone.
    read["stages"][2]["feedback"] = [{**read["stages"][2]["feedback"][0], "answers": ["very", "hardly"]}]
    path.write_text(json.dumps(read), encoding="utf-8")
    page = unescape(owner.show(f"{address}/results"))
    assert "1 to 'remark' of stage B1, 1 to 'useful' of stage B1" in page
    (tmp_path / "answers.csv").write_text(owner.show(f"{address}/answers.csv"), encoding="utf-8", newline="")
    assert nliprobe_json("study", "results", str(folder), str(tmp_path / "answers.csv"))["participants"] == 1
    path.write_text(text, encoding="utf-8")
    assert "left out" not in owner.show(f"{address}/results")
    assert "Fine." in owner.show(f"{address}/answers.csv")


def test_the_owner_reads_what_participants_say_and_what_numbers_mean(owner: Client, walker: Walker) -> None:
    walker.walk("/stage/3/feedback")
    remark = "It was long. " * 40
    walker.send_fields(walker.target(), {**walker.fields(), "f:remark": remark})
    page = unescape(owner.show(f"{study_address(owner)}/results"))
    assert "Stage B1: Anything else?" in page
    assert f"“{remark}”" in page
    assert "Even: what the same points on every bin would get." in page


def test_the_owner_deletes_what_a_participant_said(owner: Client, walker: Walker, studio: Studio) -> None:
    walker.walk("/stage/1/4")
    address = study_address(owner)
    owner.show(address)
    # The button stands below others: a slip deletes nothing.
    assert "Nothing was done" in owner.submit(f"{address}/withdraw", 422, participant="1").text
    assert "has withdrawn" not in owner.show(address)
    owner.submit(f"{address}/withdraw", participant="1", sure="yes")
    assert "has withdrawn" in owner.show(address)
    assert "Nobody has answered yet" in owner.show(f"{address}/results")
    walker.open(walker.base, 403)
    told = [(entry.what, entry.about) for entry in read_events(studio.store)]
    assert ("participant withdrawn", {"study": "study-of-the-secret-system", "participant": 1, "answers": 4}) in told


def test_who_has_withdrawn_meanwhile_gets_no_link(owner: Client, walker: Walker) -> None:
    walker.walk("/stage/1/4")
    address = study_address(owner)
    owner.show(address)
    owner.submit(f"{address}/link", participant="1")
    assert "Your answers are kept." in walker.open(walker.base, 403)
    owner.submit(f"{address}/withdraw", participant="1", sure="yes")
    page = walker.open(walker.base, 403)
    assert "replaced by a newer one" in page
    assert "Your answers are kept." not in page
    # From a page of the owner that was loaded before.
    assert "participant-1 has withdrawn" in owner.submit(f"{address}/link", 422, participant="1").text


def test_what_is_wrong_with_a_study_is_said_to_its_owner(owner: Client, folder: Path) -> None:
    text = (folder / "study.json").read_text(encoding="utf-8")
    (folder / "study.json").write_text(text.replace("Premise of q01.", "Another one."), encoding="utf-8")
    assert "were changed after it was written" in owner.show("/studies")
    (folder / "study.json").write_text("{", encoding="utf-8")
    assert "study.json" in owner.show("/studies")
    (folder / "study.json").unlink()
    assert "There is no study" in owner.show("/studies")


def test_all_pages_of_owners_are_the_owners(anybody: Client) -> None:
    for route in routes():
        path = getattr(route, "path", "")
        if path.startswith("/studies"):
            assert route.endpoint.role is Owner  # type: ignore[attr-defined]
            assert anybody.get(path.replace("{key}", "000000000000")).status_code in (403, 405)


def test_pages_without_studies_say_how_to_make_one(tmp_path: Path) -> None:
    from tests.studio.helpers import TOKEN, sign_in_owner

    from nliprobe.studio.app import make_app
    from nliprobe.studio.context import open_studio
    from nliprobe.studio.settings import Settings

    studio = open_studio(Settings(folder=tmp_path, database=str(tmp_path / "p.sqlite")), TOKEN)
    assert "nliprobe serve --study FOLDER" in sign_in_owner(Client(make_app(studio))).show("/studies")
    studio.close()
    assert small_study()
