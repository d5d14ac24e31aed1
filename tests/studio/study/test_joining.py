"""People come into a study: by links of their own and by the common one, each as one participant."""

from __future__ import annotations

import re

from starlette.applications import Starlette
from tests.people.studied import small_study
from tests.studio.helpers import Client
from tests.studio.study.walk import Walker, links, study_address

from nliprobe.people.store.events import read_events
from nliprobe.people.store.studies import read_participants
from nliprobe.studio.context import Studio

STUDY, ANSWERS = small_study()
NAME = "study-of-the-secret-system"


def test_a_worker_of_a_platform_joins_and_gets_a_code(owner: Client, app: Starlette, studio: Studio) -> None:
    address = study_address(owner)
    key = address.rsplit("/", 1)[1]
    closed = Client(app)
    link = f"/study/{key}/join/{studio.signer.sign('study link', {'study': key})}"
    assert "Nobody new can join" in closed.show(link, 403)
    owner.show(address)
    owner.submit(f"{address}/open", open="yes", most="1")
    assert links(owner, address) == [link]
    worker = Walker(Client(app), link, f"/study/{key}")
    assert "has an id for you" not in worker.open(link)
    worker.open(f"{link}?worker=<b>7</b>")
    assert 'value="&lt;b&gt;7&lt;/b&gt;"' in worker.page
    assert "has an id for you. It is kept beside your number" in worker.page, "before they agree"
    worker.send()
    assert worker.address.endswith("/practice")
    worker.open(link)
    assert worker.address.endswith("/practice"), "whoever has joined goes on"
    worker.walk()
    found = re.search(r'id="code">([A-Z0-9]{10})<', worker.page)
    assert found is not None
    assert found[1] in owner.show(address)
    again = Walker(Client(app), link, f"/study/{key}")
    again.open(f"{link}?worker=<b>7</b>")
    assert "begun in another browser" in again.send(422), "an id is no secret"
    worker.open(f"{worker.base}/pause")
    found = re.search(r'<a href="http://[^/]+(/study/[^"]+/come/[^"]+)"', worker.page)
    assert found is not None
    again.open(found[1])
    assert again.address.endswith("/thanks"), "the same participant on another device"
    late = Walker(Client(app), link, f"/study/{key}")
    late.open(f"{link}?PROLIFIC_PID=8")
    assert 'name="worker" value="8"' in late.page
    assert "as many participants as it needs" in late.send(422)


def test_another_worker_at_the_same_machine_is_another_participant(
    owner: Client, app: Starlette, studio: Studio
) -> None:
    address = study_address(owner)
    key = address.rsplit("/", 1)[1]
    owner.show(address)
    owner.submit(f"{address}/open", open="yes")
    link = links(owner, address)[0]
    walker = Walker(Client(app), link, f"/study/{key}")
    walker.open(f"{link}?PROLIFIC_PID=ann")
    walker.send()
    walker.walk()
    assert "completion code" in walker.open(f"{link}?PROLIFIC_PID=ann")
    assert "I agree" in walker.open(f"{link}?PROLIFIC_PID=ben"), "Ann's code is not Ben's"
    walker.send()
    assert walker.address.endswith("/practice")
    assert [one.external for one in read_participants(studio.store, NAME)] == ["ann", "ben"]
    walker.open(f"{link}?PROLIFIC_PID=ann")
    assert "begun in another browser" in walker.send(422), "the browser remembers who came last"
    owner.submit(f"{address}/open", open="no")
    walker.open(f"{link}?PROLIFIC_PID=ben")
    assert walker.address.endswith("/practice")
    assert "Nobody new can join" in walker.open(f"{link}?PROLIFIC_PID=cat", 403)


def test_who_took_somebody_elses_id_before_them_sees_nothing_of_what_they_say(
    owner: Client, app: Starlette, studio: Studio
) -> None:
    address = study_address(owner)
    owner.show(address)
    owner.submit(f"{address}/open", open="yes", most="1")
    [link] = links(owner, address)
    stranger, walker = (Walker(Client(app), link, f"/study/{link.split('/')[2]}") for _ in range(2))
    for one in (stranger, walker):
        one.open(f"{link}?worker=7")
        one.send()
        assert one.address.endswith("/practice")
    assert "come again from there" in stranger.open(stranger.base, 403)
    walker.walk("/stage/1/2")
    stranger.open(f"{stranger.base}/stage/1/1", 403)
    stranger.open(f"{stranger.base}/pause", 403)
    stranger.open(f"{link}?worker=7")
    assert "begun in another browser" in stranger.send(422)
    walker.walk()


def test_a_link_of_ones_own_can_be_over_and_be_renewed(owner: Client, app: Starlette, studio: Studio) -> None:
    address = study_address(owner)
    owner.show(address)
    owner.submit(f"{address}/invite", count="2", days="3")
    assert owner.show(address).count("to begin before") == 2
    first, second = (Walker(Client(app), link, f"/study/{address.rsplit('/', 1)[1]}") for link in links(owner, address))
    first.open(first.link)
    first.send()
    now = studio.store.clock() + 3 * 24 * 3600
    object.__setattr__(studio.store, "clock", lambda: now)
    first.open(first.link)
    assert first.address.endswith("/practice"), "who has begun goes on"
    assert "time of this link is over" in second.open(second.link, 422)
    assert owner.show(address).count("the time of the link is over") == 1
    assert "There is a new link" in owner.submit(f"{address}/link", participant="2", days="").text
    assert "newer one" in second.open(second.link, 422)
    second.open(links(owner, address)[1])
    assert "Your consent" in second.page
    # A new link for somebody who is in ends what was opened by the old one.
    owner.submit(f"{address}/link", participant="1")
    assert "replaced by a newer one" in first.open(first.base, 403)
    first.open(links(owner, address)[0])
    assert first.address.endswith("/practice")
    assert [one.what for one in read_events(studio.store)].count("link of a participant renewed") == 2
    for wrong in ("-1", "366", "soon"):
        owner.submit(f"{address}/link", 422, participant="1", days=wrong)
    owner.submit(f"{address}/link", 404, participant="9")


def test_who_presses_the_button_twice_joins_once(owner: Client, app: Starlette, studio: Studio) -> None:
    address = study_address(owner)
    owner.show(address)
    owner.submit(f"{address}/open", open="yes")
    [link] = links(owner, address)
    somebody = Walker(Client(app), link, f"/study/{address.rsplit('/', 1)[1]}")
    somebody.open(link)
    target, sent = somebody.target(), somebody.fields()
    somebody.send_fields(target, sent)
    somebody.send_fields(target, sent)
    other = Walker(Client(app), link, somebody.base)
    other.open(link)
    other.send()
    assert [one.number for one in read_participants(studio.store, NAME)] == [1, 2]
