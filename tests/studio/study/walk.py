"""Going through a study as a participant does: every response is kept, to look into it afterwards."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import TYPE_CHECKING

from tests.studio.helpers import Client

if TYPE_CHECKING:
    from httpx2 import Response

_FIELD = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')
_ACTION = re.compile(r'<form method="post" action="([^"]+)"')
_LINK = re.compile(r"<code>http://127\.0\.0\.1(?::\d+)?(/study/[^<]+)</code>")


@dataclass
class Walker:
    """A participant's browser, and all that it received."""

    client: Client
    link: str
    base: str
    page: str = ""
    address: str = ""
    received: list[str] = field(default_factory=list)

    def open(self, address: str, status: int = 200) -> str:
        """Load a page."""
        return self._keep(self.client.get(address), status)

    def fields(self) -> dict[str, str]:
        """The hidden fields of the form on the page."""
        return {name: unescape(value) for name, value in _FIELD.findall(self.page)}

    def target(self) -> str:
        """Where the form of the page goes."""
        found = _ACTION.search(self.page)
        assert found is not None, self.page
        return found[1]

    def send(self, status: int = 200, **said: object) -> str:
        """Fill in the form of the page and send it."""
        return self._keep(self.client.post(self.target(), data={**self.fields(), **said}), status)

    def send_fields(self, target: str, fields: Mapping[str, object], status: int = 200) -> str:
        """Send fields that were kept from an earlier page."""
        return self._keep(self.client.post(target, data=fields), status)

    def answer(self) -> str:
        """Answer whatever the page asks, with the first choice or all points on one bin."""
        if 'name="points"' in self.page:
            return self.send(points=["0", "5", "0", "0", "0"])
        choice = re.search(r'type="radio" name="answer" value="([^"]+)"', self.page)
        assert choice is not None, self.page
        return self.send(answer=unescape(choice[1]))

    def walk(self, until: str = "/thanks", most: int = 200) -> None:
        """Go on until an address is reached."""
        self.open(self.base)
        for _ in range(most):
            if self.address.endswith(until):
                return
            if 'id="answer"' in self.page:
                self.answer()
            elif 'id="on"' in self.page:
                onward = re.search(r'id="on" href="([^"]+)"', self.page)
                assert onward is not None
                self.open(onward[1])
            else:
                self.send()
        raise AssertionError(f"{until} was not reached, but {self.address}")

    def _keep(self, answer: Response, status: int) -> str:
        for each in [*answer.history, answer]:
            self.received.append(f"{each.headers}\n{each.text}")
        assert answer.status_code == status, f"{answer.url}: {answer.status_code} {answer.text[:600]}"
        self.page, self.address = answer.text, str(answer.url.path)
        return self.page


def study_address(owner: Client) -> str:
    """Return the owner's address of the only study."""
    page = owner.show("/studies")
    found = re.search(r'href="(/studies/[0-9a-f]+)"', page)
    assert found is not None, page
    return found[1]


def links(owner: Client, address: str) -> list[str]:
    """Return all links on the owner's page of a study, without the host."""
    return _LINK.findall(owner.show(address))


def new_participant(owner: Client, client: Client) -> Walker:
    """Invite somebody, who opens the link."""
    address = study_address(owner)
    owner.show(address)
    owner.submit(f"{address}/invite", count="1", note="Ann")
    link = links(owner, address)[-1]
    made = Walker(client, link, f"/study/{link.split('/')[2]}")
    made.open(link)
    return made
