"""Where a service is, and what proves to it who asks; the two are kept apart, so that no text shows the second."""

from __future__ import annotations

import base64
import json
import logging
import os
import re
from functools import cached_property
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from nliprobe.base.errors import UsageError
from nliprobe.base.urls import HIDDEN, is_secret, redact

# What users call environment variables. Anything else in key_env may be the key itself and is never repeated.
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")
# Shorter secrets are not looked for: in messages every other word, in answers some words would be taken for them.
_SHORTEST, _SHORTEST_IN_ANSWERS = 4, 8
_LOGGERS = ("httpx2", "httpcore2.connection", "httpcore2.http11", "httpcore2.proxy")


class Place(NamedTuple):
    """A URL in parts: what a client may name anywhere, and the query, which only the server sees."""

    scheme: str
    host: str
    path: str
    query: str

    def url(self, path: str = "") -> str:
        """Return the URL of a path below this one, without the query."""
        return f"{self.scheme}://{self.host}{self._whole(path)}"

    def serves(self, url: str) -> bool:
        """Tell whether a URL leads to the same server, by the same protocol."""
        return _server(url) == _server(self.url())

    def target(self, path: str = "") -> bytes:
        """Return what follows the host in a request, with the query."""
        whole = quote(self._whole(path), safe="/:@!$&'()*+,;=~%-._")
        return (f"{whole}?{self.query}" if self.query else whole).encode("ascii")

    def _whole(self, path: str) -> str:
        return f"{self.path.rstrip('/')}/{path.lstrip('/')}" if path else self.path or "/"


class Credentials:
    """The key and the credentials inside a URL: made into headers, and taken out of every text.

    Args:
        url: the URL as the user wrote it.
        key_env: the name of an environment variable with a key, or nothing.
        key_header: the header that carries the key.
    """

    def __init__(self, url: str, key_env: str, key_header: str) -> None:
        self.shown = redact(url)
        parts = _split(url, self.shown)
        user, at, host = parts.netloc.rpartition("@")
        self.place = Place(parts.scheme.lower(), host, parts.path, quote(parts.query, safe="/:@!$&'()*+,;=~%-._?"))
        self._user = user if at else ""
        self._key_env = key_env
        self._key_header = key_header
        if key_env and self._user and key_header.lower() == "authorization":
            raise UsageError(
                f"{self.shown} has a user and a password, and key_env= names a key: leave out one of them."
            )
        if key_env and not _VARIABLE.fullmatch(key_env) and key_env not in os.environ:
            raise UsageError(
                "'key_env' should be the name of an environment variable that holds the key, such as MY_KEY, and not "
                "the key itself (what was given is not repeated here)."
            )
        given = [value for name, value in parse_qsl(parts.query) if is_secret(name, value)]
        given += [piece for piece in parts.query.split("&") if "=" not in piece and is_secret("", piece)]
        password = self._user.partition(":")[2] or self._user
        self._in_url = [*given, password, unquote(password)]

    @property
    def hint(self) -> str:
        """What to look at if the service does not let a request in."""
        if self._key_env:
            return f"Is the key in {self._key_env} valid for it?"
        if self._user:
            return "Are the user and the password in its URL right?"
        return "Name the variable of its key with key_env=."

    def check(self) -> None:
        """Raise an error if the key is missing or cannot be sent."""
        _ = self.headers

    @cached_property
    def headers(self) -> dict[str, str]:
        """The header that proves who asks."""
        if self._key_env:
            key = os.environ.get(self._key_env, "").strip()
            if not key:
                raise UsageError(
                    f"The environment variable {self._key_env}, which should hold the key for {self.shown}, is not "
                    f"set. Set it, as in: export {self._key_env}=…"
                )
            if not key.isascii() or not key.isprintable():
                raise UsageError(
                    f"The value of the environment variable {self._key_env} cannot be a key: it has "
                    "characters that no header can hold."
                )
            plain = self._key_header.lower() != "authorization" or " " in key
            return {self._key_header: key if plain else f"Bearer {key}"}
        return {"Authorization": f"Basic {self._basic}"} if self._user else {}

    @cached_property
    def _basic(self) -> str:
        user, _, password = self._user.partition(":")
        return base64.b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode("ascii")

    @cached_property
    def _secrets(self) -> list[str]:
        key = os.environ.get(self._key_env, "").strip() if self._key_env else ""
        secrets = {key, key.rpartition(" ")[2], *self._in_url, self._basic if self._user else ""}
        # Servers write what they repeat as URLs or JSON do, with or without a backslash before a slash.
        secrets |= {quote(secret, safe="") for secret in secrets} | {json.dumps(secret)[1:-1] for secret in secrets}
        secrets |= {secret.replace("/", "\\/") for secret in secrets}
        # The longest first: one may be a part of another.
        return sorted((secret for secret in secrets if len(secret) >= _SHORTEST), key=len, reverse=True)

    def scrub(self, text: str) -> str:
        """Return a text for people, without any secret."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return text

    def scrub_body(self, body: bytes) -> bytes:
        """Return the body of an answer without the secrets that a server repeats in it."""
        for secret in self._secrets:
            if len(secret) >= _SHORTEST_IN_ANSWERS:
                body = body.replace(secret.encode(), HIDDEN.encode())
        return body

    def keep_out_of_logs(self) -> None:
        """Let the libraries below log nothing that holds a secret: the headers of an answer may repeat one."""
        for name in _LOGGERS:
            logger = logging.getLogger(name)
            if not any(isinstance(item, _NoSecrets) for item in logger.filters):
                logger.addFilter(_NoSecrets())
        _NoSecrets.secrets.update(self._secrets)


class _NoSecrets(logging.Filter):
    """Drops log lines that hold a secret of any client in this process."""

    secrets: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a line may be written."""
        line = record.getMessage()
        return not any(secret in line for secret in self.secrets)


def _server(url: str) -> tuple[str, str, int]:
    try:
        parts = urlsplit(url)
        return parts.scheme, parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return "", url, 0


class _Parts(NamedTuple):
    scheme: str
    netloc: str
    path: str
    query: str


def _split(url: str, shown: str) -> _Parts:
    try:
        parts = urlsplit(url.strip())
        sound = parts.scheme.lower() in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
        ascii_host = (parts.hostname or "").encode("idna").isascii() and not re.search(r"[\s\\]", parts.netloc)
    except (ValueError, UnicodeError):
        sound = ascii_host = False
    if not sound or not ascii_host:
        raise UsageError(
            f"'{shown}' is not the URL of a service: it should look like https://host/path or http://host:port/path; "
            "in a user name or password / is written %2F, @ %40, : %3A and # %23."
        )
    return _Parts(parts.scheme, parts.netloc, parts.path, parts.query)
