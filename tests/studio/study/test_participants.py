"""A participant goes through a study: in order, once, resumed anywhere, and never told what they must not know."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text
from starlette.applications import Starlette
from tests.people.studied import EXAMPLE_ITEMS, SECRET, TEMPLATES, small_study
from tests.studio.helpers import Client
from tests.studio.study.walk import Walker, new_participant, study_address

from nliprobe.people.store.studies import read_participant
from nliprobe.people.store.study_answers import collect_answers, read_standing
from nliprobe.people.study.files import KEY, write_study
from nliprobe.people.study.orders import item_order
from nliprobe.people.study.records import FeedbackQuestion, Practice, ShownExample, TemplateAccuracy, Wording
from nliprobe.studio.context import Studio

STUDY, ANSWERS = small_study()
NAME = "study-of-the-secret-system"


def test_a_participant_answers_everything(walker: Walker, studio: Studio) -> None:
    assert "Welcome." in walker.page
    assert "I agree." in walker.page
    walker.send()
    assert walker.address.endswith("/practice")
    assert "Because it is." not in walker.page
    walker.send(answer="E")
    assert "You answered: entailment. Because it is." in walker.page
    walker.walk("/stage/1")
    assert "Bid." in walker.page
    walker.walk("/stage/1/2")
    assert "question 2 of 6" in walker.page
    walker.walk("/stage/3/feedback")
    assert "Was it useful?" in walker.page
    said = {"f:useful": "yes", "f:remark": "<script>alert(1)</script>"}
    walker.send_fields(walker.target(), {**walker.fields(), **said})
    walker.walk()
    assert "You have answered everything" in walker.page
    assert "completion code" not in walker.page
    collected = collect_answers(studio.store, NAME, STUDY)
    assert len(collected.given) == 6 + 6 + 12 + 12
    assert [one.answer for one in collected.feedback if one.stage == "B1"] == ["<script>alert(1)</script>", "yes"]
    assert read_participant(studio.store, NAME, 1).finished is not None
    walker.open(walker.base)
    assert walker.address.endswith("/thanks")


def test_who_is_cut_off_before_the_last_page_has_finished(walker: Walker, owner: Client, studio: Studio) -> None:
    walker.walk(f"{walker.base}/feedback")
    assert read_participant(studio.store, NAME, 1).finished is None
    answer = walker.client.post(walker.target(), data=walker.fields(), follow_redirects=False)
    assert answer.headers["location"].endswith("/thanks")
    assert read_participant(studio.store, NAME, 1).finished is not None
    assert "has not finished" not in owner.show(f"{study_address(owner)}/results")


def test_no_response_holds_anything_of_the_key(walker: Walker, folder: Path) -> None:
    walker.walk()
    walker.open(f"{walker.base}/pause")
    walker.open(f"{walker.base}/withdraw")
    # Whatever is asked for otherwise.
    for address in ("/stage/9", "/stage/0", "/stage/x", "/key.json", "/study.json", "/results"):
        walker.open(walker.base + address, 404)
    walker.open("/studies", 403)
    everything = "\n".join(walker.received)
    secrets = {SECRET, "another-secret", "secret-pool", "secret/", NAME, str(folder), "study.json", *TEMPLATES}
    secrets |= {"negation", "pair_id", "gold", "truth", "Ann"}
    assert not [secret for secret in secrets if secret in everything]
    assert len(walker.received) > 60


def test_no_response_tells_which_answer_is_right(owner: Client, app: Starlette, folder: Path) -> None:
    """The same pages come from a study whose key says something else: so they cannot tell what it says."""
    pages = []
    for swap in (False, True):
        if swap:
            turned = {"E": "N", "N": "C", "C": "E"}
            stages = [
                one._replace(answers=tuple(a._replace(truth=turned.get(a.truth, "20-40")) for a in one.answers))
                for one in ANSWERS.stages
            ]
            write_study(folder, STUDY, replace(ANSWERS, stages=tuple(stages)))
        walker = new_participant(owner, Client(app))
        walker.walk()
        pages.append({_stable(text) for text in walker.received if "Premise of q" in text})
    # Participants have orders of their own: what is said about each item is compared, wherever it stands.
    assert pages[0] == pages[1]
    assert len(pages[0]) == 2 * len(EXAMPLE_ITEMS)


def _stable(text: str) -> str:
    """The boxes of a page, without what differs between participants and requests."""
    body = text[text.index('<div class="boxes">') :]
    body = re.sub(r'name="(form_token|request|now)" value="[^"]*"', "", body)
    return re.sub(r'/study/[0-9a-f]+/stage/\d+/\d+|<p><a href="[^"]*">The question before</a></p>', "", body)


def test_stages_about_examples_say_nothing_of_templates(walker: Walker) -> None:
    walker.walk("/stage/3/1")
    assert "{" not in walker.page[walker.page.index("<main") :]
    assert "template" not in walker.page[walker.page.index("<main") :].lower()


def test_an_example_says_that_its_system_reads_no_premise(owner: Client, app: Starlette, folder: Path) -> None:
    seen = ShownExample("", "It is loud.", (), ((6, 10),), "C")
    stages = [replace(one, items=tuple(item._replace(examples=(seen,)) for item in one.items)) for one in STUDY.stages]
    changed = replace(STUDY, stages=tuple(stages))
    write_study(folder, changed, replace(ANSWERS, study=changed.id))
    walker = new_participant(owner, Client(app))
    walker.walk("/stage/3/1")
    assert "<dd>(no premise)</dd>" in walker.page


def test_work_goes_on_on_another_device(walker: Walker, app: Starlette, studio: Studio) -> None:
    walker.walk("/stage/1/4")
    walker.open(f"{walker.base}/pause")
    found = re.search(r'href="http://127\.0\.0\.1(/study/[^"]+/come/[^"]+)"', walker.page)
    assert found is not None
    other = Walker(Client(app), found[1], walker.base)
    other.open(other.link)
    assert other.address.endswith("/stage/1/4")
    other.answer()
    walker.open(walker.base)
    assert walker.address.endswith("/stage/1/5")
    assert len(read_standing(studio.store, NAME, 1).answers) == 1 + 4


def test_an_answer_sent_twice_counts_once(walker: Walker, studio: Studio) -> None:
    walker.walk("/stage/2/1")
    target, sent = walker.target(), {**walker.fields(), "answer": "20-40"}
    for _ in range(3):
        walker.send_fields(target, sent)
        assert walker.address.endswith("/stage/2/2")
    standing = read_standing(studio.store, NAME, 1)
    assert list(standing.revisions.values()).count(1) == len(standing.revisions)


def test_forms_stay_good_when_the_link_is_opened_once_more(walker: Walker, studio: Studio) -> None:
    walker.walk("/stage/3/feedback")
    target, fields = walker.target(), walker.fields()
    walker.open(walker.link)
    walker.send_fields(target, {**fields, "f:remark": "Written for long."})
    assert read_standing(studio.store, NAME, 1).feedback["B1", "remark"] == "Written for long."


def test_two_windows_do_not_overwrite_one_another(walker: Walker, studio: Studio) -> None:
    walker.walk("/stage/2/1")
    target, first, second = walker.target(), walker.fields(), {}
    walker.open(walker.address)
    second = walker.fields()
    assert first["request"] != second["request"]
    walker.send_fields(target, {**first, "answer": "20-40"})
    page = walker.send_fields(target, {**second, "answer": "60-80"})
    assert "in another window" in page
    assert "You answered: <strong>20-40 %</strong>" in page
    item = item_order(STUDY, "picks", 1)[0]
    assert read_standing(studio.store, NAME, 1).answers["picks", item] == "20-40"
    walker.send(answer="60-80")
    assert read_standing(studio.store, NAME, 1).answers["picks", item] == "60-80"


def test_the_back_button_shows_what_was_answered_until_the_part_is_over(walker: Walker) -> None:
    walker.walk("/stage/3/3")
    walker.open(f"{walker.base}/stage/3/2")
    assert "You answered: <strong>entailment</strong>" in walker.page
    assert 'value="E" data-key="1" checked' in walker.page
    late, target = walker.fields(), walker.target()
    walker.send(answer="N")
    assert walker.address.endswith("/stage/3/3"), "and goes on"
    walker.walk("/stage/4")
    walker.open(f"{walker.base}/stage/3/2")
    assert walker.address.endswith("/stage/4"), "the part is over"
    said = {**late, "request": "another", "answer": "C"}
    assert "cannot be changed any more" in walker.send_fields(target, said, 422)


def test_who_is_refused_something_finds_the_way_on(walker: Walker, owner: Client) -> None:
    onward = f'<a class="button main" href="{walker.base}">Go on</a>'
    walker.walk("/stage/1/2")
    target, fields = walker.target(), walker.fields()
    assert onward in walker.send_fields(target, fields, 422), "nothing was chosen"
    walker.walk("/stage/2/1")
    page = walker.send_fields(target, {**fields, "request": "late", "points": ["0", "5", "0", "0", "0"]}, 422)
    assert "This part is over" in page
    assert onward in page
    walker.open(walker.base)
    assert walker.address.endswith("/stage/2")
    assert "Go on" not in walker.open(f"{walker.base}/stage/9", 404)
    assert "Go on" not in walker.open(f"{walker.link}x", 422), "nobody is let in by a link that is not complete"


def test_who_looks_back_goes_on_where_they_stopped(walker: Walker) -> None:
    walker.walk("/stage/1/4")
    assert "Go on where you stopped" not in walker.page
    walker.open(f"{walker.base}/stage/1/2")
    assert f'<a href="{walker.base}">Go on where you stopped</a>' in walker.page
    assert '<progress value="3" max="6"' in walker.page
    walker.open(walker.base)
    assert walker.address.endswith("/stage/1/4")
    walker.walk("/stage/3/feedback")
    assert f'<a href="{walker.base}/stage/3/12">The question before</a>' in walker.page
    assert f'<a href="{walker.base}/pause">Pause</a>' in walker.page
    walker.open(f"{walker.base}/stage/3/12")
    walker.send(answer="C")
    assert walker.address.endswith("/stage/3/feedback")


def test_what_was_read_at_the_beginning_can_be_read_again(walker: Walker) -> None:
    for stop in ("/practice", "/stage/1/1", "/stage/3/1"):
        walker.walk(stop)
        assert "Welcome." in walker.page


def test_nothing_is_seen_before_its_time(walker: Walker) -> None:
    walker.open(f"{walker.base}/stage/1/1")
    assert "I agree." in walker.page
    walker.send()
    for later in ("/stage/1/1", "/stage/2", "/stage/2/1", "/stage/1/feedback", "/feedback", "/thanks"):
        walker.open(walker.base + later)
        assert walker.address.endswith("/practice"), later
    walker.walk("/stage/1/1")
    walker.open(f"{walker.base}/stage/1/3")
    assert walker.address.endswith("/stage/1")
    walker.open(f"{walker.base}/stage/1/1")
    item = item_order(STUDY, "B1", 1)[0]
    said = {**walker.fields(), "item": item, "answer": "E"}
    assert "has not begun yet" in walker.send_fields(f"{walker.base}/stage/3/1", said, 422)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({}, "No answer was chosen"),
        ({"answer": "maybe"}, "is no answer of stage picks"),
        ({"answer": ["20-40", "40-60"]}, "is no text"),
        ({"answer": "20-40", "item": "t9"}, "of another question"),
        ({"answer": "20-40", "request": ""}, "cannot be the name of a request"),
        ({"answer": "20-40", "seen": "x"}, "whole number"),
        ({"points": ["9", "0", "0", "0", "0"]}, "is no answer of stage picks"),
    ],
)
def test_what_is_no_answer_is_refused(walker: Walker, studio: Studio, said: dict[str, object], sentence: str) -> None:
    walker.walk("/stage/2/1")
    before = len(read_standing(studio.store, NAME, 1).answers)
    assert sentence in walker.send(422, **said)
    assert len(read_standing(studio.store, NAME, 1).answers) == before


def test_a_question_can_be_skipped(walker: Walker, studio: Studio) -> None:
    walker.walk("/stage/1/1")
    walker.send(points=["5", "5", "5", "5", "5"], skip="1")
    item = item_order(STUDY, "bids", 1)[0]
    assert read_standing(studio.store, NAME, 1).answers["bids", item] == "0 0 0 0 0"
    walker.open(f"{walker.base}/stage/1/2")
    assert "No answer was chosen" in walker.send(422, points=["0", "", "0", "0", "0"])
    walker.open(f"{walker.base}/stage/1/2")
    assert "25 points are placed" in walker.send(422, points=["5", "5", "5", "5", "5"])


def test_a_study_that_is_changed_meanwhile_says_so(walker: Walker, folder: Path, studio: Studio) -> None:
    walker.walk("/stage/2/1")
    other = replace(STUDY, points=4)
    write_study(folder, other, replace(ANSWERS, study=other.id))
    assert "was changed meanwhile" in walker.send(503, answer="20-40")
    assert "Your answers are kept" in walker.open(walker.base, 503)
    assert NAME not in walker.page
    write_study(folder, STUDY, ANSWERS)
    walker.open(walker.base)
    assert walker.address.endswith("/stage/2")
    (folder / "study.json").unlink()
    walker.open(walker.base, 503)


def test_what_is_wrong_with_the_files_is_not_told_to_participants(walker: Walker, folder: Path) -> None:
    walker.walk("/stage/1/3")
    text = (folder / "study.json").read_text(encoding="utf-8")
    for wrong in (text[: len(text) // 2], "[]", text.replace('"title"', '"titel"', 1), None):
        if wrong is None:
            (folder / "study.json").unlink()
        else:
            (folder / "study.json").write_text(wrong, encoding="utf-8")
        walker.open(walker.base, 503)
        assert "was changed meanwhile" in walker.page
        assert folder.name not in walker.page
        assert "json" not in walker.page
    (folder / "study.json").write_text(text, encoding="utf-8")
    walker.walk("/stage/1/4")


def test_a_study_that_nobody_has_answered_may_change(walker: Walker, folder: Path) -> None:
    walker.send()
    assert walker.address.endswith("/practice")
    stale, target = walker.fields(), walker.target()
    other = replace(STUDY, points=4)
    write_study(folder, other, replace(ANSWERS, study=other.id))
    assert "were changed after this page was shown" in walker.send_fields(target, {**stale, "answer": "E"}, 422)
    walker.walk("/stage/1/1")
    assert "Place up to 4 points" in walker.page


def test_forged_and_foreign_links_are_refused(walker: Walker, app: Starlette, studio: Studio) -> None:
    anybody = Client(app)
    token = walker.link.rsplit("/", 1)[1]
    for address in (
        f"{walker.base}/come/{token[:-2]}xx",
        f"{walker.base}/come/x",
        f"{walker.base}/join/{token}",
        f"/study/000000000000/come/{token}",
    ):
        assert anybody.get(address).status_code == 422, address
    other = studio.signer.sign("participant link", {"study": walker.base.split("/")[2], "participant": 99})
    assert anybody.get(f"{walker.base}/come/{other}").status_code == 404
    assert Client(app).get(walker.base).status_code == 403
    foreign = studio.signer.sign("participant", {"study": "000000000000", "participant": 1})
    answer = Client(app).get(walker.base, headers={"cookie": f"nliprobe_participant={foreign}"})
    assert answer.status_code == 403


def test_links_and_cookies_do_not_tell_the_name_of_the_study(walker: Walker, studio: Studio) -> None:
    import base64

    token = walker.link.rsplit("/", 1)[1].split(".")[0]
    told = base64.urlsafe_b64decode(token + "==")
    link = read_participant(studio.store, NAME, 1).link
    assert json.loads(told) == {"study": walker.base.split("/")[2], "participant": 1, "link": link}


def test_who_came_after_a_backup_is_nobody_else_when_it_is_restored(
    walker: Walker, owner: Client, app: Starlette, studio: Studio
) -> None:
    studio.store.write(lambda connection: connection.execute(text("DELETE FROM participants")))
    other = new_participant(owner, Client(app))
    assert (other.base, read_participant(studio.store, NAME, 1).name) == (walker.base, "participant-1")
    other.walk("/stage/1/2")
    for address in (walker.base, f"{walker.base}/stage/1/1", f"{walker.base}/pause"):
        walker.open(address, 403)
    walker.open(walker.link, 422)


def test_a_form_of_another_session_changes_nothing(walker: Walker, studio: Studio) -> None:
    walker.send()
    said = {**walker.fields(), "answer": "E", "form_token": "0" * 40}
    walker.send_fields(walker.target(), said, 403)
    assert read_standing(studio.store, NAME, 1).answers == {}


def test_the_log_says_who_withdrew_from_which_study(owner: Client, walker: Walker) -> None:
    owner.submit(f"{study_address(owner)}/open", open="yes")
    walker.open(f"{walker.base}/withdraw")
    walker.send()
    page = owner.show("/log")
    assert "withdrew from a study" in page
    assert walker.base.rpartition("/")[2] not in page
    assert page.count(f"study {NAME}") == 3
    assert "None" not in page
    owner.submit(f"{study_address(owner)}/open", open="yes", most="7")
    assert f"most participants 7, study {NAME}" in owner.show("/log")


def test_who_withdraws_is_forgotten(walker: Walker, studio: Studio) -> None:
    walker.walk("/stage/1/3")
    walker.open(f"{walker.base}/withdraw")
    assert "Your answers were deleted" in walker.send()
    walker.open(walker.base, 403)
    walker.open(walker.link, 403)
    assert "You have withdrawn" in walker.page
    assert collect_answers(studio.store, NAME, STUDY).given == []


def test_a_remark_is_as_long_as_the_page_lets_it_be(walker: Walker, studio: Studio) -> None:
    walker.walk("/stage/3/feedback")
    # The page counts the end of a line as one character, and forms send two.
    walker.send_fields(walker.target(), {**walker.fields(), "f:remark": "a\r\n" * 2500})
    assert read_standing(studio.store, NAME, 1).feedback["B1", "remark"] == "a\n" * 2500


def test_a_form_in_another_window_does_not_wipe_out_what_was_said(walker: Walker, folder: Path, studio: Studio) -> None:
    walker.walk("/stage/3/feedback")
    target, first = walker.target(), walker.fields()
    walker.open(walker.address)
    second = walker.fields()
    for _ in range(2):
        walker.send_fields(target, {**first, "f:useful": "yes", "f:remark": "Fine."})
        assert walker.address.endswith("/stage/4")
    assert "What you said there is kept" in walker.send_fields(target, second, 422)
    said = {("B1", "useful"): "yes", ("B1", "remark"): "Fine."}
    assert read_standing(studio.store, NAME, 1).feedback == said
    # Who runs the study asks one more thing about the part: only that is asked.
    more = FeedbackQuestion("more", "What was missing?", ())
    stages = [replace(one, feedback=(*one.feedback, more)) if one.id == "B1" else one for one in STUDY.stages]
    write_study(folder, replace(STUDY, stages=tuple(stages)), ANSWERS)
    walker.open(walker.base)
    assert walker.address.endswith("/stage/3/feedback")
    assert "What was missing?" in walker.page
    assert "Was it useful?" not in walker.page
    walker.send_fields(walker.target(), {**walker.fields(), "f:more": "Nothing."})
    assert walker.address.endswith("/stage/4")
    assert read_standing(studio.store, NAME, 1).feedback == {**said, ("B1", "more"): "Nothing."}


HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'{{ 7*7 }}"


def test_script_in_every_field_stays_text(owner: Client, app: Starlette, folder: Path) -> None:
    wording = Wording(HOSTILE, HOSTILE)
    shown = ShownExample(HOSTILE, HOSTILE, ((0, 8),), ((0, 5), (6, 9)), "E")
    feedback = (FeedbackQuestion("x", HOSTILE, (HOSTILE, "no")), FeedbackQuestion("y", HOSTILE, ()))
    study = replace(
        STUDY,
        title=HOSTILE,
        landing=(HOSTILE,),
        consent=HOSTILE,
        practice=Practice(HOSTILE, HOSTILE, (shown,), "C", HOSTILE),
        items=tuple(
            one._replace(premise=HOSTILE, hypothesis=HOSTILE, wording=one.wording and wording) for one in STUDY.items
        ),
        stages=tuple(
            replace(
                one,
                title=HOSTILE,
                system=HOSTILE,
                instructions=(HOSTILE,),
                items=tuple(entry._replace(examples=(shown,)) for entry in one.items),
                templates=(TemplateAccuracy(wording, "N", 0.25, 40, HOSTILE),),
                feedback=feedback,
            )
            for one in STUDY.stages
        ),
        feedback=feedback,
    )
    write_study(folder, study, replace(ANSWERS, study=study.id))
    walker = new_participant(owner, Client(app))
    walker.walk()
    address = study_address(owner)
    everything = [*walker.received, *(owner.show(page) for page in ("/studies", address, f"{address}/results"))]
    for page in everything:
        assert "<script>alert" not in page
        assert "<img" not in page


def test_the_key_is_never_opened_for_a_participant(walker: Walker, folder: Path) -> None:
    (folder / KEY).unlink()
    walker.walk()
    assert "You have answered everything" in walker.page


def test_parts_are_named_as_the_participant_knows_them(owner: Client, app: Starlette, studio: Studio) -> None:
    # The second participant begins with the second stage, and labels are asked for in parts 2 and 3.
    walker = [new_participant(owner, Client(app)) for _ in range(2)][1]
    walker.walk("/study/" + walker.base.split("/")[2] + "/feedback")
    said = re.findall(r'name="f:easier" value="(\w+)"> <span>([^<]+)<', walker.page)
    assert said == [("B1", "Part 2: Labels"), ("R2", "Part 3: Labels")]
    walker.send_fields(walker.target(), {**walker.fields(), "f:easier": "R2"})
    assert read_standing(studio.store, NAME, 2).feedback["", "easier"] == "R2"
