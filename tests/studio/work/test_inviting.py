"""The way in for raters: links that are previewed, forged, expired, taken back, used up, and opened twice."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text
from starlette.applications import Starlette
from tests.studio.helpers import Client
from tests.studio.work.desks import EVERY, come_in, field, hidden_fields, invitation, judge, make_project, work

from nliprobe.people.records import Item
from nliprobe.people.store.inviting import read_invitations, revoke_invitation
from nliprobe.people.store.judging import read_judgements
from nliprobe.people.store.raters import block_rater, join_project, read_raters, withdraw_rater
from nliprobe.studio.context import Studio, address
from nliprobe.studio.work.inviting import DOORWAY, WORKER_NAMES

# The owner's page of a rater reads gold labels, so there are none that cannot be read.
ITEMS = [Item(f"q{number}", EVERY["verify"].contents[number % 2]) for number in range(4)]


def names(studio: Studio, project: str) -> list[str]:
    return [rater.name for rater in read_raters(studio.store, project)]


def test_opening_a_link_changes_nothing(anybody: Client, studio: Studio) -> None:
    project = make_project(studio)
    link = invitation(studio, project)
    for _ in range(3):
        text = anybody.show(link)
    assert "Read <em>both</em> texts." in text
    assert "pseudonym" in text
    assert "withdraw" in text
    assert "up to 4 items" in text
    assert names(studio, project.name) == []
    assert read_invitations(studio.store, project.name)[0].uses == 0
    assert not anybody.cookies


def test_the_first_judgement_is_at_most_three_clicks_after_the_link(app: Starlette, studio: Studio) -> None:
    """Each click is a button of the page that is open; nothing is typed."""
    project = make_project(studio)
    client, clicks = Client(app), 0
    text = client.show(invitation(studio, project))
    answer = client.submit(field(text, "action", of="form"), 200, **hidden_fields(text))
    clicks += 1
    button = re.search(r'<button name="(\w+)" value="(\w+)"', answer.text)
    assert button is not None
    client.submit(field(answer.text, "action", of="form"), 200, **hidden_fields(answer.text), **{button[1]: button[2]})
    clicks += 1
    assert len(read_judgements(studio.store, project.name)) == 1
    assert clicks <= 3


def test_of_a_visit_little_is_remembered(anybody: Client, studio: Studio) -> None:
    """Its key comes from the browser, and ten thousand of them are kept."""
    project = make_project(studio)
    fields = hidden_fields(anybody.show(invitation(studio, project)))
    anybody.submit(f"{work(project)}/join", 200, **{**fields, "visit": "x" * 15_000})
    assert [len(key) for _, _, key in studio.part(DOORWAY).visits] == [200]


def test_a_button_that_is_pressed_twice_lets_one_rater_in(app: Starlette, studio: Studio) -> None:
    project = make_project(studio)
    link = invitation(studio, project, most_uses=1)
    fields = hidden_fields(Client(app).show(link))
    with ThreadPoolExecutor(4) as pool:
        # No cookie of the first press has come when the others are sent.
        list(pool.map(lambda _: Client(app).submit(f"{work(project)}/join", 200, **fields), range(4)))
    assert names(studio, project.name) == ["rater-1"]


def test_the_same_browser_is_the_same_rater(app: Starlette, studio: Studio) -> None:
    project = make_project(studio)
    link = invitation(studio, project)
    client = come_in(app, link)
    judge(client, project)
    client.submit(f"{work(project)}/join", 200, **hidden_fields(client.show(link)))
    assert names(studio, project.name) == ["rater-1"]
    come_in(app, link)
    assert names(studio, project.name) == ["rater-1", "rater-2"]


@pytest.mark.parametrize("name", WORKER_NAMES)
def test_a_worker_of_a_platform_is_the_same_rater_again(name: str, app: Starlette, studio: Studio) -> None:
    project = make_project(studio)
    link = invitation(studio, project, most_uses=1)
    again = come_in(app, f"{link}?{name}=abc123&study=7")
    judge(again, project)
    revoke_invitation(studio.store, project.name, 1)
    fields = hidden_fields(again.show(f"{link}?{name}=abc123"))
    assert "Item 2" in again.submit(f"{work(project)}/join", 200, **fields).text
    assert [(rater.name, rater.external) for rater in read_raters(studio.store, project.name)] == [
        ("rater-1", "abc123")
    ]
    other = Client(app)
    fields = hidden_fields(other.show(f"{link}?{name}=other"))
    assert "taken back" in other.submit(f"{work(project)}/join", 422, **fields).text


def test_an_endless_worker_id_is_cut_or_refused(anybody: Client, studio: Studio) -> None:
    project = make_project(studio)
    link = invitation(studio, project)
    fields = hidden_fields(anybody.show(f"{link}?worker={'x' * 3000}"))
    assert len(fields["worker"]) == 200
    anybody.submit(f"{work(project)}/join", 422, **{**fields, "worker": "x" * 3000})


def test_an_invitation_that_lets_nobody_in_says_why(app: Starlette, studio: Studio) -> None:
    project = make_project(studio)
    used = invitation(studio, project, most_uses=1)
    mine = come_in(app, used)
    over = invitation(studio, project, seconds=1e-9)
    back = invitation(studio, project)
    revoke_invitation(studio.store, project.name, 3)
    token = studio.signer.sign("invitation", {"project": project.name, "number": 1}, seconds=-1)
    for link, words in (
        (used, "used as often"),
        (over, "has expired"),
        (back, "was taken back"),
        (f"/i/{token}", "The time of this link is over"),
        (f"{back[:-3]}abc", "not made here"),
        ("/i/x", "not made here"),
        ("/i/" + studio.signer.sign("return", {"project": project.name, "number": 1}), "not made here"),
        ("/i/" + studio.signer.sign("invitation", {"project": "gone", "number": 1}), "no longer here"),
        ("/i/" + studio.signer.sign("invitation", {"project": project.name}), "not complete"),
        ("/i/" + studio.signer.sign("invitation", {"project": project.name, "number": 99}), "no longer there"),
    ):
        client = Client(app)
        assert words in client.show(link, 422), link
        sent = client.post(f"{work(project)}/join", data={"token": link[3:]})
        assert sent.status_code == 422, link
        assert client.get(work(project)).status_code == 403
    assert names(studio, project.name) == ["rater-1"]
    # Who came in by it goes on, and the page says where.
    assert f'href="{work(project)}"' in mine.show(used, 422)
    mine.show(work(project))


def test_a_session_survives_a_restart_of_the_server(app: Starlette, studio: Studio) -> None:
    from nliprobe.studio.app import make_app
    from nliprobe.studio.context import open_studio

    project = make_project(studio)
    client = come_in(app, invitation(studio, project))
    judge(client, project)
    again = open_studio(studio.settings, "another-token-of-the-owner")
    later = Client(make_app(again))
    later.cookies = client.cookies
    assert "Item 2" in later.show(work(project))
    judge(later, project)
    assert len(read_judgements(again.store, project.name)) == 2
    again.close()


def test_a_rater_goes_on_elsewhere_by_their_own_link(app: Starlette, studio: Studio) -> None:
    project = make_project(studio)
    client = come_in(app, invitation(studio, project))
    judge(client, project)
    link = field(client.show(f"{work(project)}/me"), "value", of='input type="text" id="link"')
    path = link.removeprefix(studio.address)
    elsewhere = Client(app)
    assert "rater-1" in elsewhere.show(path)
    assert not elsewhere.cookies  # a preview signs nobody in
    assert "Item 2" in elsewhere.submit(path).text
    assert names(studio, project.name) == ["rater-1"]
    # Not at the end: the last characters of a signature can be written in several ways, or be just these.
    Client(app).show(path[:-20] + ("y" if path[-20] == "x" else "x") + path[-19:], 422)
    block_rater(studio.store, project.name, "rater-1", "why not")
    assert "ended your work" in elsewhere.show(work(project), 403)
    assert "why not" not in elsewhere.show(work(project), 403)


def test_a_cookie_of_one_project_opens_no_other(app: Starlette, studio: Studio) -> None:
    mine, other = make_project(studio, "verify"), make_project(studio, "judge")
    client = come_in(app, invitation(studio, mine))
    cookie = client.cookies["nliprobe_rater"]
    assert client.get(work(other)).status_code == 403
    assert client.get(work(other), headers={"cookie": f"nliprobe_rater={cookie}"}).status_code == 403
    assert client.get("/log", headers={"cookie": f"nliprobe_owner={cookie}"}).status_code == 403


def test_a_crowd_from_one_address_is_let_in_and_a_flood_is_not(app: Starlette, studio: Studio) -> None:
    from nliprobe.studio.work.inviting import DOORWAY

    project = make_project(studio)
    fields = hidden_fields(Client(app).show(invitation(studio, project)))
    while studio.part(DOORWAY).joined.take("testclient"):
        pass
    answer = Client(app).submit(f"{work(project)}/join", 429, **{**fields, "visit": "new"})
    assert answer.headers["retry-after"]


def test_somebody_elses_id_opens_nothing_but_an_empty_desk(app: Starlette, owner: Client, studio: Studio) -> None:
    project = make_project(studio, items=ITEMS)
    link = invitation(studio, project) + "?workerId=abc123"
    first = come_in(app, link)
    judge(first, project, label="C")
    stranger = Client(app)
    fields = hidden_fields(stranger.show(link))
    assert "begun in another browser" in stranger.submit(f"{work(project)}/join", 422, **fields).text
    stranger.show(f"{work(project)}/answers", 403)
    assert "Item 2" in first.submit(f"{work(project)}/join", 200, **hidden_fields(first.show(link))).text
    # The owner has a link for who cannot get in any more.
    found = re.search(r'value="http://[^/]+(/back/[^"]+)"', owner.show(f"/projects/{address(project.name)}/raters/1"))
    assert found is not None
    elsewhere = Client(app)
    elsewhere.show(found[1])
    assert "Item 2" in elsewhere.submit(found[1], 200).text


def test_who_took_somebody_elses_id_before_them_sees_nothing_of_what_they_say(app: Starlette, studio: Studio) -> None:
    project = make_project(studio)
    link = invitation(studio, project) + "?worker=abc123"
    stranger = come_in(app, link)
    opened = field(stranger.show(f"{work(project)}/me"), "value", of='input type="text" id="link"')
    rater = come_in(app, link)
    judge(rater, project, label="C", remark="between us")
    for page in ("", "/answers", "/me"):
        assert "come again from there" in stranger.show(f"{work(project)}{page}", 403)
    stranger.submit(f"{work(project)}/withdraw", 403, sure="yes")
    stranger.submit(opened.removeprefix(studio.address), 422)
    fields = hidden_fields(stranger.show(link))
    assert "begun in another browser" in stranger.submit(f"{work(project)}/join", 422, **fields).text
    assert "between us" in rater.show(f"{work(project)}/answers")
    assert names(studio, project.name) == ["rater-1"]


def test_a_newer_link_ends_earlier_ones_and_the_browsers_that_came_by_them(
    app: Starlette, owner: Client, studio: Studio
) -> None:
    project = make_project(studio, items=ITEMS)
    link = invitation(studio, project)
    client = come_in(app, link)
    judge(client, project)
    earlier = field(client.show(f"{work(project)}/me"), "value", of='input type="text"')
    page = f"/projects/{address(project.name)}/raters/1"
    owner.show(page)
    assert "has a new link" in owner.submit(f"{page}/link").text
    assert "replaced by a newer one" in client.show(work(project), 403)
    client.submit(f"{work(project)}/judge", 403, **hidden_fields(client.show(link)), label="E")
    back = "/back/" + earlier.rpartition("/")[2]
    assert "replaced by a newer one" in client.show(back, 422)
    client.submit(back, 422)
    found = re.search(r'value="http://[^/]+(/back/[^"]+)"', owner.show(page))
    assert found is not None
    assert "Item 2" in client.submit(found[1], 200).text
    withdraw_rater(studio.store, project.name, "rater-1")
    assert "Nothing was changed" in owner.submit(f"{page}/link").text


def test_who_came_after_a_backup_is_nobody_else_when_it_is_restored(app: Starlette, studio: Studio) -> None:
    project = make_project(studio)
    link = invitation(studio, project)
    lost = come_in(app, link)
    fields = hidden_fields(lost.show(work(project)))
    link_elsewhere = field(lost.show(f"{work(project)}/me"), "value", of='input type="text" id="link"')
    back = link_elsewhere.removeprefix(studio.address)
    for table in ("work", "raters"):
        statement = text(f"DELETE FROM {table}")
        studio.store.write(lambda connection, statement=statement: connection.execute(statement))  # type: ignore[misc]
    # Nobody has the name again yet: whoever had it is told so, without a name of the owner's, and can come in anew.
    for answer in (lost.get(work(project)), lost.get(back)):
        assert "no longer known" in answer.text
        assert project.name not in answer.text
    other = come_in(app, link)
    judge(other, project, remark="between us")
    assert names(studio, project.name) == ["rater-1"]
    for page in ("", "/answers", "/me"):
        assert "between us" not in lost.show(f"{work(project)}{page}", 403)
    lost.submit(f"{work(project)}/judge", 403, **fields, label="C")
    lost.show(back, 422)
    lost.submit(f"{work(project)}/join", 200, **hidden_fields(lost.show(link)))
    assert "between us" not in lost.show(f"{work(project)}/answers")
    assert names(studio, project.name) == ["rater-1", "rater-2"]


def test_links_of_before_they_had_numbers_are_the_first_ones(app: Starlette, studio: Studio) -> None:
    project = make_project(studio)
    join_project(studio.store, project.name, "rater-1")
    old = "/back/" + studio.signer.sign("return", {"project": project.name, "rater": "rater-1"})
    assert "Item 1" in Client(app).submit(old, 200).text
