"""What went wrong, as a page for people or JSON for scripts."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from nliprobe.base.errors import NliprobeError, NotFoundError, StoreError
from nliprobe.studio.log import log_fault
from nliprobe.studio.rendering import render_bare


class ForbiddenError(NliprobeError):
    """Whoever asks may not."""


class NotNowError(StoreError):
    """Something cannot be reached now; whoever asks may read why."""


class TooLargeError(NliprobeError):
    """A request is larger than allowed."""

    def __init__(self, largest: int) -> None:
        super().__init__(f"That is too large: at most {largest // 1000:,} KB can be sent at once. Nothing was done.")


class TooManyError(NliprobeError):
    """Requests come faster than allowed."""


def refusal(request: Request, error: Exception) -> Response:
    """Answer a request that failed; what is ours is a sentence, anything else is a sentence and a line of the log."""
    status, sentence = _status(error), str(error)
    if isinstance(error, HTTPException):
        sentence = _SENTENCES.get(status, str(error.detail))
    elif not isinstance(error, NliprobeError):
        log_fault("Something failed", error)
        sentence = "Something went wrong inside nliprobe. The server's log says what. What was saved before is kept."
    headers = {"Retry-After": "5"} if status in (429, 503) else {}
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"error": sentence}, status_code=status, headers={"Cache-Control": "no-store", **headers})
    return render_bare("refusal.html", status=status, headers=headers, title=_TITLES.get(status, "That did not work"),
                       sentence=sentence, onward=_onward(request, status))  # fmt: skip


def _onward(request: Request, status: int) -> str:
    """Return where a participant goes on whose answer was refused; pages of participants have no menu."""
    is_inside = request.url.path.startswith("/study/") and "token" not in request.path_params
    return f"/study/{request.path_params['key']}" if is_inside and status in (422, 429) else ""


# What people see who load an address again that takes only what a page sends, or that is none.
_SENTENCES = {
    404: "There is nothing at this address.",
    405: "This address only takes what a page sends, and shows nothing. Go back to that page.",
}
_TITLES = {
    403: "This is not for you",
    404: "Not found",
    413: "Too large",
    429: "Too fast",
    500: "A fault of ours",
    503: "Not now",
}


def _status(error: Exception) -> int:
    kinds: list[tuple[type[Exception], int]] = [
        (ForbiddenError, 403),
        (TooLargeError, 413),
        (TooManyError, 429),
        (NotFoundError, 404),
        (StoreError, 503),
        (NliprobeError, 422),
    ]
    if isinstance(error, HTTPException):
        return error.status_code
    return next((status for kind, status in kinds if isinstance(error, kind)), 500)
