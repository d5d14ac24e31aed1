"""Signed tokens: cookies of who has signed in, invitations, and what proves that a form came from our page."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from itsdangerous import BadData, URLSafeSerializer

from nliprobe.base.errors import DataError

# What a token may hold; everybody can read it, nobody can change it.
Claims: TypeAlias = dict[str, str | int]
# A token of a form need not be longer than what nobody can guess.
_CSRF_LENGTH = 40
_LONGEST = 2000
# So many tokens that were right are remembered, a few hundred bytes each.
_REMEMBERED = 2000
# Hexadecimal digits: no two of a million things have the same name.
_ALIAS_LENGTH = 20


class Signer:
    """Signs what clients keep for us, and reads it back; every purpose has signatures of its own."""

    def __init__(self, secret: bytes, clock: Callable[[], float], *, secure: bool) -> None:
        self._secret = secret
        self._clock = clock
        self.secure = secure
        # Every request of a rater brings the same cookie. A signature that was right stays right; only time goes on.
        self._known = lru_cache(_REMEMBERED)(self._verified)

    def sign(self, purpose: str, claims: Claims, *, seconds: float | None = None) -> str:
        """Return a token that can be read for one purpose, for so many seconds or for good."""
        until = {} if seconds is None else {"until": int(self._clock() + seconds)}
        written = self._serializer(purpose).dumps({**claims, **until})
        return written if isinstance(written, str) else written.decode("ascii")

    def read(self, purpose: str, token: str) -> Claims:
        """Return what a token of ours says.

        Raises:
            DataError: it is forged, torn, or for something else, or its time is over.
        """
        try:
            if len(token) > _LONGEST:
                raise BadData("too long")
            claims = dict(self._known(purpose, token))
        except BadData:
            raise DataError("This link is not complete, or it was not made here. Ask for a new one.") from None
        until = claims.pop("until", None)
        if isinstance(until, int) and self._clock() > until:
            raise DataError("The time of this link is over. Ask for a new one.")
        return claims

    def says(self, purpose: str, token: str, claims: Claims, *, seconds: float) -> bool:
        """Tell whether a token says just this, and will for so many seconds yet."""
        try:
            known = dict(self._known(purpose, token)) if len(token) <= _LONGEST else {}
        except BadData:
            return False
        until = known.pop("until", 0)
        return known == claims and isinstance(until, int) and until - self._clock() > seconds

    def form_token(self, session: str) -> str:
        """Return what our forms carry and no other site can know: bound to one session."""
        made = hmac.new(self._secret, f"form {session}".encode(), hashlib.sha256)
        return made.hexdigest()[:_CSRF_LENGTH]

    def is_form_token(self, session: str, given: str) -> bool:
        """Tell whether a form came from a page of this session."""
        return hmac.compare_digest(self.form_token(session).encode(), given.encode("utf-8", "replace"))

    def alias(self, *parts: str) -> str:
        """Return another name for something: always the same one, which tells nothing and cannot be guessed."""
        made = hmac.new(self._secret, "\0".join(("alias", *parts)).encode("utf-8", "replace"), hashlib.sha256)
        return made.hexdigest()[:_ALIAS_LENGTH]

    def _verified(self, purpose: str, token: str) -> Claims:
        claims = self._serializer(purpose).loads(token)
        assert isinstance(claims, dict)
        return claims

    def _serializer(self, purpose: str) -> URLSafeSerializer:
        # Signatures of another purpose must not count here; a longer digest than SHA-1 costs nothing.
        return URLSafeSerializer(
            self._secret, salt=f"nliprobe {purpose}", signer_kwargs={"digest_method": hashlib.sha256}
        )
