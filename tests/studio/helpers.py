"""Browsers without a window: they keep cookies, send the token of forms, and follow redirects."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from starlette.testclient import TestClient

if TYPE_CHECKING:
    from httpx2 import Response
    from starlette.applications import Starlette

TOKEN = "a-token-for-tests-only"
_META = re.compile(r'<meta name="form-token" content="([0-9a-f]+)">')


class Client(TestClient):
    """Asks an app as a browser would."""

    def __init__(self, app: Starlette) -> None:
        super().__init__(app, base_url="http://127.0.0.1", raise_server_exceptions=False)
        self.form_token = ""

    def show(self, address: str, status: int = 200) -> str:
        """Load a page, remember the token of its forms, and return its text."""
        answer = self.get(address)
        assert answer.status_code == status, f"{address}: {answer.status_code} {answer.text[:400]}"
        if found := _META.search(answer.text):
            self.form_token = found[1]
        return answer.text

    def submit(self, address: str, status: int = 200, **fields: object) -> Response:
        """Post a form, with the token of the page that was loaded last."""
        answer = self.post(address, data={"form_token": self.form_token, **fields})
        assert answer.status_code == status, f"{address}: {answer.status_code} {answer.text[:400]}"
        return answer

    def submit_json(self, address: str, content: object, status: int = 200) -> Response:
        """Post JSON as our scripts do."""
        headers = {"accept": "application/json", "x-form-token": self.form_token}
        answer = self.post(address, json=content, headers=headers)
        assert answer.status_code == status, f"{address}: {answer.status_code} {answer.text[:400]}"
        return answer


def sign_in_owner(client: Client) -> Client:
    """Sign in with the owner's token."""
    client.submit("/enter", token=TOKEN)
    client.show("/log")
    return client
