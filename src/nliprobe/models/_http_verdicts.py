"""What an answer of a service means: it is used, asked for again, the failure of its inputs, or the end of the run."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from typing import NamedTuple

from nliprobe.base.errors import ModelError
from nliprobe.base.halves import whole_json
from nliprobe.models.failures import InputsFailed

# An answer with everything that a model said beside it is a few kilobytes; what is larger is not read.
LARGEST_BODY = 1 << 24
_SHOWN_CHARACTERS = 200
# A service that could not answer now may answer soon: too early, in conflict with another request, or too many.
_SOON = frozenset({408, 409, 425, 429})
# Not implemented, and a protocol that it does not speak: asked again it says the same.
_NEVER = frozenset({501, 505})
_BUSY = re.compile(
    r"rate.?limit|too many|overload|capacity|busy|throttl|try again|temporar|unavailable|time.?out|timed out"
    r"|\b(?:429|500|502|503|504|529)\b",
    re.IGNORECASE,
)
_NO_MONEY = re.compile(
    r"insufficient.{1,10}(?:quota|credit|balance|fund)|insufficient_?quota|exceeded your current quota|billing_\w+",
    re.IGNORECASE,
)
_TITLE = re.compile(rb"<title[^>]*>\s*(.*?)\s*</title>", re.IGNORECASE | re.DOTALL)


class RequestFailed(InputsFailed):
    """A service did not answer a request in the end; other inputs may be answered.

    Attributes:
        status: the status of its last answer, or none if there was none.
        content: what that answer said, decoded if it was JSON, otherwise a text.
        attempts: how often it was asked.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        content: object = None,
        attempts: int = 1,
        fewer_may_do: bool = True,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.content = content
        self.attempts = attempts
        self.fewer_may_do = fewer_may_do


class Answer(NamedTuple):
    """An answer as it came, with its headers in lower case and its body decoded from gzip."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Again(Exception):
    """A request is worth another attempt.

    Attributes:
        reason: half a sentence on what happened.
        everyone: whether all requests of the client should wait, not only this one.
        reached: whether the server was reached at all.
    """

    def __init__(
        self, reason: str, *, answer: Answer | None = None, everyone: bool = False, reached: bool = True
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.answer = answer
        self.everyone = everyone
        self.reached = reached


def unpacked(body: bytes, encoding: str) -> bytes:
    """Return a body without its compression; none was asked for, but some servers compress all the same."""
    if encoding.lower() in ("", "identity"):
        return body
    if encoding.lower() not in ("gzip", "x-gzip", "deflate"):
        raise Again(f"answered in the encoding {encoding[:20]}, which it was not asked for")
    # gzip or zlib by its header. Never more than an answer may have, whatever it was made from.
    reader = zlib.decompressobj(wbits=47)
    try:
        content = reader.decompress(body, LARGEST_BODY + 1)
    except zlib.error:
        raise Again(f"answered something that is not {encoding}") from None
    if not reader.eof and len(content) <= LARGEST_BODY:
        raise Again(f"answered with a {encoding} that is cut short")
    require_size(len(content))
    return content


def require_size(size: int) -> None:
    """Raise an error if an answer is larger than any that is of use."""
    if size > LARGEST_BODY:
        raise RequestFailed(f"gave an answer of more than {LARGEST_BODY >> 20} MB")


def content_of(answer: Answer, hint: str) -> dict[str, object]:
    """Return the JSON object of an answer that can be used; raise what should happen otherwise.

    Args:
        answer: what came.
        hint: what to look at if the service does not let a request in.

    Raises:
        Again: the request is worth another attempt.
        RequestFailed: it is not, and other inputs may be answered.
        ModelError: every other request would have the same answer.
    """
    if not 200 <= answer.status < 300:
        raise _refusal(answer, hint)
    content = decoded(answer.body)
    if isinstance(content, dict):
        if content.get("error"):
            raise _error_inside(answer, content["error"])
        return content
    if isinstance(content, str):
        raise Again(f"answered {_what_it_is(answer)} instead of JSON", answer=answer)
    raise RequestFailed(
        f"answered a JSON {type(content).__name__} instead of an object", status=answer.status, content=content
    )


def decoded(body: bytes) -> object:
    """Return what a body holds: a value if it is JSON, otherwise its text."""
    text = body.decode("utf-8-sig", "replace")
    try:
        value: object = json.loads(whole_json(text))
    except (ValueError, RecursionError):
        return text
    return json.dumps(value) if isinstance(value, str) else value


def said(content: object) -> str:
    """Return in one line what an answer says for people, in the forms that services have for that."""
    for name in ("error", "message", "detail", "errors", "type", "code"):
        inner = content.get(name) if isinstance(content, dict) else None
        if inner:
            return said(inner)
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN_CHARACTERS else line[:_SHOWN_CHARACTERS] + "..."


def _refusal(answer: Answer, hint: str) -> Exception:
    status, content = answer.status, decoded(answer.body)
    if 300 <= status < 400:
        return ModelError(
            f"answered {status}: what is asked for is at another place. Use its URL: "
            f"{answer.headers.get('location', 'it does not say which')}"
        )
    words = said(content) if not _is_page(answer) else _what_it_is(answer)
    what = f"answered {status}" + (f" ({words.rstrip('.')})" if words else "")
    if status in (401, 403, 407):
        return ModelError(f"{what}: it does not let this request in. {hint}")
    if status == 402 or (status == 429 and _NO_MONEY.search(json.dumps(content))):
        return ModelError(f"{what}: there is no money or quota left for this key. Answers so far are kept.")
    if status in (404, 405, 410):
        return ModelError(f"{what}: there is nothing to ask there. Is the URL right, and the name of the model?")
    if status in _SOON or (status >= 500 and status not in _NEVER):
        everyone = status in (429, 529) or "retry-after" in answer.headers
        return Again(what, answer=answer, everyone=everyone)
    return RequestFailed(what, status=status, content=content)


def _error_inside(answer: Answer, error: object) -> Exception:
    """Return what an error in an answer means whose status says that all is well."""
    what = f"answered {answer.status} with an error ({said(error).rstrip('.')})"
    text = error if isinstance(error, str) else json.dumps(error)
    if _NO_MONEY.search(text):
        return ModelError(f"{what}: there is no money or quota left for this key. Answers so far are kept.")
    if _BUSY.search(text):
        return Again(what, answer=answer, everyone=True)
    return RequestFailed(what, status=answer.status, content={"error": error})


def _is_page(answer: Answer) -> bool:
    return "html" in answer.headers.get("content-type", "") or answer.body.lstrip()[:15].lower().startswith(
        (b"<!doctype html", b"<html")
    )


def _what_it_is(answer: Answer) -> str:
    if _is_page(answer):
        title = _TITLE.search(answer.body)
        return "an HTML page" + (f" with the title '{said(title[1].decode('utf-8', 'replace'))}'" if title else "")
    return f"'{said(answer.body.decode('utf-8', 'replace'))}'" if answer.body.strip() else "nothing"
