"""The client of services that take and give JSON: many requests at once, a shared pace, retries, no secret in a text.

What is asked again, up to ``retries`` times, after waits that grow and are drawn at random:

- an answer 408, 409, 425, 429 or 5xx (429, 529 and any with Retry-After let all requests of the client wait),
- no whole answer within ``timeout`` seconds, a connection that cannot be made or breaks,
- an answer that is not JSON, or 200 with an ``error`` that speaks of limits or load.

Everything else is decided at once: 401, 402, 403, 404, 405, 410, a redirect to another place and an invalid certificate
stop the run; any other answer is the failure of what was asked (:class:`RequestFailed`).
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import random
import ssl
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin, urlsplit

from nliprobe.base.errors import MissingExtraError, ModelError, UsageError
from nliprobe.base.urls import redact_all
from nliprobe.models._http_pace import Clock, Pace, Random, SystemClock, backoff, retry_after
from nliprobe.models._http_place import Credentials, Place
from nliprobe.models._http_verdicts import Again, Answer, RequestFailed, content_of, require_size, unpacked

if TYPE_CHECKING:
    import httpx2

__all__ = ["Clock", "JsonClient", "Random", "Reply", "RequestFailed", "RequestPolicy"]

# A server that wants more patience than this is waited for by the user, not by the run.
LONGEST_PAUSE = 600.0
_MOST_REDIRECTS = 3
# A server that runs accepts connections within a second, also at the other end of the world.
_CONNECT_SECONDS = 10.0


@dataclass(frozen=True)
class RequestPolicy:
    """How a service is asked; the parameters that ``http:`` and ``chat:`` share.

    Attributes:
        timeout: how many seconds one attempt may take, from the connection to the last byte of the answer.
        retries: how often a request is tried again.
        concurrency: how many requests are under way at once.
        rate: how many requests are sent per minute at most; 0 for no limit.
        key_env: the name of the environment variable that holds the key; never the key itself.
        key_header: the header of the key; ``Authorization`` carries it as a bearer token, any other as it is.
    """

    timeout: float = 60.0
    retries: int = 5
    concurrency: int = 8
    rate: float = 0.0
    key_env: str = ""
    key_header: str = "Authorization"

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        if not 0 < self.timeout < math.inf:
            raise UsageError(f"'timeout' should be a positive number of seconds, not {self.timeout:g}.")
        if self.retries < 0:
            raise UsageError(f"'retries' should be 0 or more, not {self.retries}.")
        if not 1 <= self.concurrency <= 1024:
            raise UsageError(f"'concurrency' should be from 1 to 1024, not {self.concurrency}.")
        if not 0 <= self.rate < math.inf:
            raise UsageError(f"'rate' should be a number of requests per minute, 0 for no limit, not {self.rate:g}.")
        if not self.key_header.isascii() or not self.key_header.replace("-", "").isalnum():
            raise UsageError("'key_header' should be the name of a header, such as Authorization or api-key.")


class Reply(NamedTuple):
    """An answer of a service.

    Attributes:
        json: the JSON object that it is.
        status: its status, 200 to 299.
        seconds: how long the last attempt took.
        attempts: how often the request was sent.
    """

    json: dict[str, object]
    status: int
    seconds: float
    attempts: int


class JsonClient:
    """Posts JSON to one service.

    The connections belong to the event loop in which they were made and are closed with it.

    Args:
        url: where the service is; user, password and query are sent, and shown nowhere.
        policy: how it is asked.
        clock: tells the time and waits.
        draw: draws the waits between attempts.
    """

    def __init__(
        self, url: str, policy: RequestPolicy, *, clock: Clock | None = None, draw: Random | None = None
    ) -> None:
        self._policy = policy
        self._credentials = Credentials(url, policy.key_env, policy.key_header)
        self._clock = clock or SystemClock()
        self._draw = draw or random.Random()
        self._pace = Pace(policy.rate, self._clock)
        self._repeated: Counter[str] = Counter()
        self._client: httpx2.AsyncClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._keeper: asyncio.Task[None] | None = None

    @property
    def shown(self) -> str:
        """The URL as people may see it."""
        return self._credentials.shown

    def scrub(self, text: str) -> str:
        """Return a text without the key, the password and the secrets of the URL."""
        return self._credentials.scrub(text)

    def notes(self) -> list[str]:
        """Return a note on requests that were repeated, with the most frequent reasons."""
        if not self._repeated:
            return []
        reasons = ", ".join(f"{reason} ({count:,})" for reason, count in self._repeated.most_common(3))
        return [f"{self._repeated.total():,} requests to {self.shown} were repeated, because it {reasons}."]

    def check(self) -> None:
        """Raise an error if the key or a package is missing; nothing is asked."""
        self._credentials.check()
        _library()

    async def post(self, body: Mapping[str, object], path: str = "") -> Reply:
        """Send a JSON object and return the answer.

        Args:
            body: what to send.
            path: where to send it, below the URL of the client.

        Raises:
            RequestFailed: this request is not answered; others may be.
            ModelError: no request will be answered, and what to do about it.
        """
        content = json.dumps(body).encode("ascii")
        reached = False
        for attempt in range(self._policy.retries + 1):
            await self._pace.turn()
            started = self._clock.now()
            try:
                answer = await self._send(self._credentials.place, content, path)
                usable = content_of(answer, self._credentials.hint)
            except Again as again:
                reached = reached or again.reached
                if attempt == self._policy.retries:
                    raise self._given_up(again, attempt + 1, reached=reached) from None
                self._repeated[self.scrub(again.reason.partition(" (")[0][:80])] += 1
                await self._wait(again, attempt)
            except RequestFailed as error:
                told = {"status": error.status, "content": error.content, "attempts": attempt + 1}
                raise RequestFailed(self._sentence(str(error)), **told) from None  # type: ignore[arg-type]
            except ModelError as error:
                raise ModelError(self._sentence(str(error))) from None
            else:
                return Reply(usable, answer.status, self._clock.now() - started, attempt + 1)
        raise AssertionError("the last attempt returns or raises")

    def close(self) -> None:
        """Let the connections be closed; those of an event loop that has ended are closed already."""
        keeper, loop = self._keeper, self._loop
        self._client = self._loop = self._keeper = None
        if keeper is not None and loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(keeper.cancel)

    async def _send(self, place: Place, content: bytes, path: str) -> Answer:
        """Make one attempt, with the few redirects that lead to another path of the same server."""
        httpx2 = _library()
        url, target = place.url(path), place.target(path)
        try:
            async with asyncio.timeout(self._policy.timeout):
                for _ in range(_MOST_REDIRECTS):
                    answer = await self._exchange(url, target, content)
                    moved = self._moved(answer, url, place)
                    if moved is None:
                        return answer
                    url, target = moved
        except httpx2.ConnectTimeout:
            raise Again(
                f"cannot be reached (no connection within {self._to_connect:g} seconds)", reached=False
            ) from None
        except (TimeoutError, httpx2.TimeoutException):
            raise Again(f"did not answer within {self._policy.timeout:g} seconds") from None
        except httpx2.TransportError as error:
            raise self._broken(error) from None
        except httpx2.InvalidURL as error:
            raise ModelError(f"has a URL that cannot be used ({error})") from None
        raise ModelError(f"redirected the request {_MOST_REDIRECTS} times")

    async def _exchange(self, url: str, target: bytes, content: bytes) -> Answer:
        client = self._connected()
        headers = {
            **self._credentials.headers,
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
        }
        # The library is told of a URL without its query, and logs that; the server is sent the whole.
        async with client.stream(
            "POST", url, content=content, headers=headers, extensions={"target": target}
        ) as response:
            given = {name.lower(): value for name, value in response.headers.items()}
            declared = given.get("content-length", "")
            require_size(int(declared) if declared.isdecimal() else 0)
            chunks, size = [], 0
            async for chunk in response.aiter_raw():
                size += len(chunk)
                require_size(size)
                chunks.append(chunk)
            body = unpacked(b"".join(chunks), given.get("content-encoding", ""))
            return Answer(response.status_code, given, self._credentials.scrub_body(body))

    def _moved(self, answer: Answer, url: str, place: Place) -> tuple[str, bytes] | None:
        """Return where to send the same request, if an answer says so and it is the same server."""
        if answer.status not in (307, 308) or "location" not in answer.headers:
            return None
        location = urljoin(url, answer.headers["location"])
        if not place.serves(location):
            return None
        parts = urlsplit(location)
        there = Place(place.scheme, place.host, parts.path, parts.query or place.query)
        return there.url(), there.target()

    def _connected(self) -> httpx2.AsyncClient:
        """Return the connections of the running event loop, which are closed when it ends."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            httpx2 = _library()
            self._credentials.keep_out_of_logs()
            most = self._policy.concurrency
            limits = httpx2.Limits(max_connections=most, max_keepalive_connections=most)
            timeout = httpx2.Timeout(None, connect=self._to_connect)
            # Certificates take 0.05 s to load; a server without TLS has none, and is never left for one that has.
            verify = self._credentials.place.scheme == "https"
            headers = {"User-Agent": "nliprobe"}
            self._client = httpx2.AsyncClient(timeout=timeout, limits=limits, headers=headers, verify=verify)
            self._loop = loop
            self._keeper = loop.create_task(_keep_open(self._client))
        return self._client

    @property
    def _to_connect(self) -> float:
        """How long a connection may take: less than the attempt, so that it is known which of the two took too long."""
        return min(_CONNECT_SECONDS, 0.9 * self._policy.timeout)

    async def _wait(self, again: Again, attempt: int) -> None:
        """Wait before the next attempt; if the server is busy, so does every other request."""
        headers = again.answer.headers if again.answer is not None else {}
        asked = retry_after(headers.get("retry-after"), headers.get("date"), self._clock)
        wait = backoff(attempt, self._draw)
        if asked is not None:
            if asked > LONGEST_PAUSE:
                raise ModelError(
                    self._sentence(f"{again.reason} and asks for a pause of {asked / 60:.0f} minutes")
                    + " What was answered is kept: repeat the command then."
                )
            # The draw comes on top, so that those who were told the same do not come back together.
            wait = asked + min(wait, 1.0)
        if again.everyone:
            self._pace.pause(wait)
        else:
            await self._clock.sleep(wait)

    def _given_up(self, again: Again, attempts: int, *, reached: bool) -> ModelError:
        times = f" {attempts} attempts were made." if attempts > 1 else ""
        message = self._sentence(again.reason) + times
        if not reached:
            return ModelError(f"{message} Is the service running, and is the URL right?")
        answer = again.answer
        busy = answer is not None and answer.status == 429
        hint = " Lower rate= or concurrency=, or raise retries=." if busy else ""
        return RequestFailed(
            message + hint,
            status=None if answer is None else answer.status,
            attempts=attempts,
            fewer_may_do=not again.everyone,
        )

    def _broken(self, error: httpx2.TransportError) -> Exception:
        import httpx2

        causes = list(_causes(error))
        if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
            return ModelError(f"has a certificate that is not valid ({causes[-1]})")
        # The innermost says what the system said.
        words = [_system_words(cause) for cause in causes if isinstance(cause, OSError)]
        why = next((word for word in reversed(words) if word), str(error) or type(error).__name__)
        if isinstance(error, httpx2.ConnectError | httpx2.ProxyError):
            return Again(f"cannot be reached ({why})", reached=False)
        return Again(f"broke off the connection ({why})")

    def _sentence(self, what: str) -> str:
        words = " ".join(redact_all(what).split()).rstrip(".")
        return self._credentials.scrub(f"The service {self.shown} {words}{'' if words.endswith('?') else '.'}")


async def _keep_open(client: httpx2.AsyncClient) -> None:
    try:
        await asyncio.Event().wait()
    finally:
        await client.aclose()


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and what caused it; of several causes at once, such as two addresses, the last."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        yield cause
        seen.add(id(cause))
        cause = cause.exceptions[-1] if isinstance(cause, BaseExceptionGroup) else cause.__cause__ or cause.__context__


def _system_words(error: OSError) -> str:
    """Return what the system says about an error; asyncio puts the address in its place."""
    number = error.errno or 0
    return os.strerror(number) if number > 0 else error.strerror or str(error)


def _library() -> ModuleType:
    try:
        import httpx2
    except ImportError as error:
        raise MissingExtraError("Services are asked with httpx2, which is not installed", "http") from error
    library: ModuleType = httpx2
    return library
