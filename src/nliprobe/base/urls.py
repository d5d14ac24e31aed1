"""URLs as people may see them: without the credentials that some hold."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

HIDDEN = "***"
# A password may hold anything, also quotes and spaces, if it was not written as URLs should be.
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@\n]*@)?\S*")
# Names of query parameters whose values are secret in the services that people use.
_SECRET_NAME = re.compile(
    r"key(?!_env|_header)|token(?!s)|secret|pass|pwd|sig|auth|cred|code|session|jwt", re.IGNORECASE
)
# A parameter of a query. In a spec string the marks of the URL's own query are written %3F and %26.
_PARAMETER = re.compile(
    r"(?P<mark>[?&;]|%3F|%26)(?P<name>(?:(?!%3F|%26|%3D)[^=&?#;])*)(?P<equals>=|%3D)?(?P<value>(?:(?!%3F|%26)[^&?#;])*)",
    re.IGNORECASE,
)
# Keys are at least that long; a version, a deployment or a language is shorter.
_LONG_VALUE = 20


def redact(url: str) -> str:
    """Return a URL without its user and password, and without the values of query parameters that look secret.

    A value looks secret if the name of its parameter says so (``api_key``, ``token``, ``sig``), or if it is long.

    >>> redact("https://me:word@host:8000/nli?api_key=abc&lang=en#top")
    'https://***@host:8000/nli?api_key=***&lang=en#top'
    >>> redact("https://me:wo/rd@host/nli")
    'https://***'
    """
    scheme, mark, rest = url.partition("://")
    if not mark:
        return url
    try:
        parts = urlsplit(url)
        sound = bool(parts.hostname) and (parts.port is None or parts.port >= 0)
    except ValueError:
        sound = False
    if not sound:  # a password with a slash in it: nobody can tell where it ends
        return f"{scheme}://{HIDDEN}" if "@" in rest else url
    user, at, host = parts.netloc.rpartition("@")
    tail = _PARAMETER.sub(_without_value, rest[len(parts.netloc) :])
    return f"{scheme}://{HIDDEN + '@' if at and user else ''}{host}{tail}"


def redact_all(text: str) -> str:
    """Return a text in which every URL is redacted.

    >>> redact_all("curl -s https://me:word@host/nli is busy")
    'curl -s https://***@host/nli is busy'
    """
    return _URL.sub(lambda match: redact(match[0]), text) if "://" in text else text


def is_secret(name: str, value: str) -> bool:
    """Tell whether the value of a query parameter is not for everybody's eyes."""
    return bool(value) and (_SECRET_NAME.search(name) is not None or len(value) >= _LONG_VALUE)


def _without_value(match: re.Match[str]) -> str:
    mark, name, equals, value = match.group("mark", "name", "equals", "value")
    if not equals:  # a query that is nothing but a key
        return mark + (HIDDEN if is_secret("", name) else name)
    return f"{mark}{name}{equals}{HIDDEN if is_secret(name, value) else value}"
