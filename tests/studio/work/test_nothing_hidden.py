"""Raw responses: a client gets what the task shows, and nothing else, whatever it asks for."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from dataclasses import replace

from starlette.applications import Starlette
from tests.studio.both import per_task
from tests.studio.helpers import Client
from tests.studio.work.desks import (
    EVERY,
    come_in,
    field,
    hidden_fields,
    invitation,
    judge,
    make_project,
    some_items,
    work,
)

from nliprobe.people.records import Item, Json, Project
from nliprobe.people.store.adjudicating import adjudicate
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item, skip_item
from nliprobe.people.store.raters import join_project
from nliprobe.people.tasks import TASKS
from nliprobe.studio.context import Studio, address

JSON = {"accept": "application/json"}
# Everything that a rater must not see has one of these in it.
SECRETS = ("secret", "other-rater", "their-remark", "their-reason", "owner-reason", "worker-of-another")


def project_with_secrets(studio: Studio, task: str) -> Project:
    """A project whose hidden fields, attention items, other raters and decisions are all marked."""
    hidden: dict[str, Json] = {
        name: f"secret-{name}" for name in ("gold", "truth", "pair_id", "group", "template", "suggested", "prediction")
    }
    plain = [replace(item, hidden=hidden) for item in some_items(task, 6)]
    sure = [replace(item, name=f"{item.name}-sure", expected=known(task, item)) for item in plain[:2]]
    project = make_project(studio, task, items=[*plain, *sure], attention_every=2, raters_per_item=3)
    join_project(studio.store, project.name, "other-rater", "worker-of-another")
    for number in range(2):
        offer = next_item(studio.store, project.name, "other-rater")
        assert offer is not None
        name, said = offer.item.name, EVERY[task].answer
        judge_item(studio.store, project.name, "other-rater", name, said, request=str(number), remark="their-remark")
        if offer.item.expected is None:
            adjudicate(studio.store, project.name, name, said, reason="owner-reason")
    offer = next_item(studio.store, project.name, "other-rater")
    assert offer is not None
    skip_item(studio.store, project.name, "other-rater", offer.item.name, "their-reason", flag=True)
    return project


def known(task: str, item: Item) -> dict[str, Json]:
    """An answer to an attention item that says so itself, where answers are texts."""
    answer = TASKS.get(task)(EVERY[task].options).checked(item, EVERY[task].answer)
    return answer | {"true": "A secret text."} if task == "write" else answer


@per_task
def test_no_response_has_what_is_hidden(task: str, app: Starlette, studio: Studio) -> None:
    project = project_with_secrets(studio, task)
    got: list[str] = []
    client = Recording(app, got)
    base, shown = work(project), 0
    used: object = "none yet"
    text = client.show(link := invitation(studio, project))
    client.submit(f"{base}/join", 200, **hidden_fields(text))
    while True:
        offer = client.get(base, headers=JSON).json()
        if offer["item"] is None:
            break
        shown += 1
        assert set(offer) == {"item", "task", "shown", "request", "draft", "progress", "instructions"}
        assert set(offer["shown"]) <= declared(task)
        form = {**hidden_fields(client.show(base)), **EVERY[task].form}
        sent = {"item": offer["item"], "request": form["request"], "fields": EVERY[task].form}
        client.submit_json(f"{base}/draft", sent)
        client.submit_json(f"{base}/check", sent)
        client.submit(f"{base}/check", 200, **form)
        client.post(f"{base}/judge", data={**form, "label": "?", "choice": "?", "bin": "x"})
        client.post(f"{base}/skip", data={**form, "flag": "yes"})
        client.submit(f"{base}/judge", 200, **form)
        client.submit(f"{base}/judge", 200, **form)
        client.submit_json(f"{base}/judge", {**sent, "request": "of another tab"}, 409)
        client.post(f"{base}/judge", data={**form, "request": used})
        used = form["request"]
        client.show(f"{base}/answers/{offer['item']}")
        client.get(f"{base}/answers/secret-name-0")
        client.post(f"{base}/skip", data={**form, "reason": "x"})
    for page in ("", "/answers", "/answers?page=2", "/me", "?told=judged&seen=1"):
        client.show(base + page)
        client.get(base + page, headers=JSON)
    client.show(link)
    client.submit(f"{base}/pause")
    client.submit(f"{base}/withdraw", 200, sure="yes")
    client.get(base)
    assert shown >= 7, "attention items were among them"
    assert len(got) > 50
    for response in got:
        found = [secret for secret in SECRETS if secret in response]
        assert not found, f"{found} in {response[:2000]}"


def test_a_project_with_a_title_is_called_by_nothing_else(app: Starlette, owner: Client, studio: Studio) -> None:
    """Its name may be that of a system; links and cookies are signed, and anybody can read what they say."""
    project = make_project(studio, items=[replace(item, hidden={"gold": "E"}) for item in some_items("verify")])
    owner.show(f"/projects/{address(project.name)}/invitations")
    page = owner.submit(f"/projects/{address(project.name)}/invitations", days="1", most="1").text
    link = field(page, "value", of='input id="link" type="text"').removeprefix(studio.address)
    got: list[str] = []
    client = Recording(app, got)
    client.submit(f"{work(project)}/join", 200, **hidden_fields(client.show(link)))
    judge(client, project)
    back = field(client.show(f"{work(project)}/me"), "value", of='input type="text" id="link"')
    client.submit(back.removeprefix(studio.address), 200)
    tokens = [link[3:], back.rpartition("/")[2], client.cookies["nliprobe_rater"]]
    said = [urlsafe_b64decode(token.partition(".")[0] + "==").decode() for token in tokens]
    assert all(address(project.name) in each for each in said), "each token was read"
    assert not [each for each in (*said, *got) if project.name in each]


def declared(task: str) -> set[str]:
    """The fields that a task declares, and what it lets raters choose from."""
    made = TASKS.get(task)(EVERY[task].options)
    return {field.name for field in made.fields} | set(made.choices())  # type: ignore[attr-defined]


@per_task
def test_an_attention_item_looks_like_any_other(task: str, app: Starlette, studio: Studio) -> None:
    content = EVERY[task].contents[0]
    plain = Item("plain", content)
    sure = Item("sure", content, expected=known(task, plain))
    pages = []
    for name, items, every in (("a", [plain, Item("rest", content)], 0), ("b", [sure, plain], 2)):
        project = make_named(studio, task, name, items, every)
        client = come_in(app, invitation(studio, project))
        if every:
            # The seed of the project makes the first item an attention item.
            offer = next_item(studio.store, project.name, "rater-1")
            assert offer is not None
            assert offer.item.expected is not None
        first = client.show(work(project)), client.get(work(project), headers=JSON).text
        judge(client, project)
        pages.append([plainly(text, project) for text in (*first, client.show(work(project)))])
        pages[-1].append(plainly(client.show(f"{work(project)}/answers"), project))
    assert pages[0] == pages[1]


def make_named(studio: Studio, task: str, name: str, items: list[Item], every: int) -> Project:
    from nliprobe.people.store.choosing import is_attention_due
    from nliprobe.people.store.projects import create_project

    known = Project(name, task, "t", "i", EVERY[task].options, attention_every=every)
    seed = next(seed for seed in range(99) if not every or is_attention_due(replace(known, seed=seed), "rater-1", 0))
    return create_project(studio.store, replace(known, seed=seed), items)


def plainly(text: str, project: Project) -> str:
    """A page without what differs between any two pages: keys, tokens, addresses, the time."""
    return re.sub(r"[0-9a-f]{12,}|\d{4}-\d\d-\d\d \d\d:\d\d", "", text.replace(work(project), ""))


class Recording(Client):
    """A browser that keeps every response as it came, headers and all."""

    def __init__(self, app: Starlette, got: list[str]) -> None:
        super().__init__(app)
        self.got = got

    def request(self, *arguments: object, **named: object) -> object:  # type: ignore[override]
        answer = super().request(*arguments, **named)  # type: ignore[arg-type]
        for each in (*answer.history, answer):
            headers = [f"{name}: {value}" for name, value in each.headers.items() if name != "set-cookie"]
            self.got.append("\n".join([*headers, each.text]))
        return answer
