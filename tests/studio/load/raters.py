"""A rater as a browser is one: comes by an invitation, keeps a cookie, repeats what was not acknowledged."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from tests.studio.load.client import Answer, Connection

# As the script of the page: a server that is away or refuses for the moment is asked again.
_AGAIN = (429, 500, 502, 503)
_PAUSE = 0.25
_HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
_ACTION = re.compile(r'<form[^>]* action="(/work/[0-9a-f]{12}/join)"')
_TOKEN = re.compile(r'<meta name="form-token" content="([0-9a-f]+)">')


class Offer(NamedTuple):
    """An item that a rater has, as the browser calls it, and the key of the request that will answer it."""

    item: str
    request: str


class HttpRater:
    """One rater with one connection.

    Attributes:
        base: the address of the work.
        cookie: who the rater is.
        answers: how often each status came back.
    """

    def __init__(self, port: int, base: str = "", cookie: str = "", form_token: str = "") -> None:
        self.base, self.cookie, self._form_token = base, cookie, form_token
        self.answers: Counter[int] = Counter()
        self._connection = Connection(port)

    async def join(self, link: str) -> None:
        """Come in by an invitation: open it, press its button, and see the first page."""
        shown = await self._until(lambda: self._connection.get(link, {}))
        page = shown.body.decode()
        action = _ACTION.search(page)
        assert action is not None, page[:500]
        fields = dict(_HIDDEN.findall(page))
        joined = await self._until(lambda: self._connection.post_form(action[1], {}, fields))
        assert joined.status == 303, joined
        self.base = joined.headers["location"]
        self.cookie = joined.headers["set-cookie"].partition(";")[0]
        page = (await self._until(lambda: self._connection.get(self.base, self._headers("text/html")))).body.decode()
        token = _TOKEN.search(page)
        assert token is not None, page[:500]
        self._form_token = token[1]

    async def next(self) -> Offer | None:
        """Load the page with the item to judge; return the item, or None when there is none left."""
        answer = await self._until(lambda: self._connection.get(self.base, self._headers("text/html")))
        assert answer.status == 200, answer
        fields = dict(_HIDDEN.findall(answer.body.decode()))
        return Offer(fields["item"], fields["request"]) if "item" in fields else None

    async def judge(self, offer: Offer, label: str) -> Answer:
        """Send a judgement until it is acknowledged or refused."""
        content = {"item": offer.item, "request": offer.request, "fields": {"label": label}}
        return await self._until(lambda: self._connection.post_json(f"{self.base}/judge", self._headers(), content))

    def close(self) -> None:
        """Give the connection up."""
        self._connection.close()

    def _headers(self, accept: str = "application/json") -> dict[str, str]:
        return {"accept": accept, "cookie": self.cookie, "x-form-token": self._form_token}

    async def _until(self, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        while True:
            try:
                answer = await ask()
            except ConnectionError:
                self.answers[0] += 1
            else:
                self.answers[answer.status] += 1
                if answer.status not in _AGAIN:
                    return answer
            await asyncio.sleep(_PAUSE)
