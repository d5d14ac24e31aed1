"""The budget of a chat model: no request is sent that could cost more than is left.

Before a request is sent, what it will cost at most is set aside: its tokens, estimated from its length, and the longest
answer. If that is more than what is left, the request waits for those under way, which usually cost less; if none is
under way, the run stops. What was answered is kept, and the same command with a higher cap continues.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from nliprobe.base.errors import ModelError
from nliprobe.models.chat.ledger import Ledger
from nliprobe.models.chat.params import BudgetParams
from nliprobe.models.chat.reply import Usage

# Tokens per character before any reply has said how many there are: English has about 0.23, other scripts more.
_TOKENS_PER_CHARACTER = 0.3


class BudgetReached(ModelError):
    """What the user allowed to be spent is spent."""


class TokenRate:
    """Estimates the tokens of a text from its length, by what the service counted so far."""

    def __init__(self) -> None:
        self._characters = 0
        self._tokens = 0

    def learn(self, characters: int, tokens: int) -> None:
        """Note how many tokens the service counted for a request."""
        self._characters += characters
        self._tokens += tokens

    def tokens(self, characters: int) -> int:
        """Return about how many tokens a text of this length has."""
        rate = self._tokens / self._characters if self._characters else _TOKENS_PER_CHARACTER
        return max(1, round(characters * rate))


class Budget:
    """Lets requests through while there is something left, and counts what they cost.

    Args:
        params: the caps and prices.
        ledger: the account.
        longest: how many tokens an answer may have.
    """

    def __init__(self, params: BudgetParams, ledger: Ledger, longest: int) -> None:
        self._params = params
        self.ledger = ledger
        self._longest = longest
        self.rate = TokenRate()
        self._aside: dict[int, Usage] = {}
        self._change: asyncio.Event | None = None

    @asynccontextmanager
    async def request(self, characters: int) -> AsyncIterator[None]:
        """Wait until a request of this length may be sent; what it costs is set aside until the block ends."""
        most = Usage(self.rate.tokens(characters), self._longest)
        while not self._fits(most):
            if not self._aside:
                raise BudgetReached(self._sentence(most))
            self._change = self._change or asyncio.Event()
            await self._change.wait()
        ticket = max(self._aside, default=0) + 1
        self._aside[ticket] = most
        try:
            yield
        finally:
            del self._aside[ticket]
            change, self._change = self._change, None
            if change is not None:
                change.set()

    def settle(self, characters: int, written: int, usage: Usage | None) -> None:
        """Count a reply; without its usage it is estimated from the lengths of request and answer.

        Args:
            characters: the length of the request.
            written: the length of the answer.
            usage: what the service says.
        """
        if usage is None:
            usage = Usage(self.rate.tokens(characters), self.rate.tokens(written), estimated=True)
        else:
            self.rate.learn(characters, usage.tokens_in)
        self.ledger.add(usage)

    def in_words(self) -> str:
        """Return what was spent so far, for a sentence."""
        spent = self.ledger.total
        words = f"{spent.tokens_in:,} + {spent.tokens_out:,} tokens (requests + answers)"
        if self._params.priced:
            words += f", {self._params.cost(spent.tokens_in, spent.tokens_out):.4g} at the given prices"
        words += f" for {spent.requests:,} requests"
        if spent.estimated:
            words += f", of which {spent.estimated:,} are estimated, because the service does not count tokens"
        return words

    def _fits(self, most: Usage) -> bool:
        caps = self._params
        if not caps.max_tokens_total and not caps.max_cost:
            return True
        spent = self.ledger.total
        tokens_in = spent.tokens_in + most.tokens_in + sum(item.tokens_in for item in self._aside.values())
        tokens_out = spent.tokens_out + most.tokens_out + sum(item.tokens_out for item in self._aside.values())
        too_many = caps.max_tokens_total and tokens_in + tokens_out > caps.max_tokens_total
        too_dear = caps.max_cost and caps.cost(tokens_in, tokens_out) > caps.max_cost
        return not too_many and not too_dear

    def _sentence(self, most: Usage) -> str:
        caps = self._params
        given = {"max_tokens_total": f"{caps.max_tokens_total:,}", "max_cost": f"{caps.max_cost:g}"}
        named = " and ".join(f"{name}={value}" for name, value in given.items() if getattr(caps, name))
        return (
            f"The budget {named} does not allow another request, which may have {most.tokens_in:,} + "
            f"{most.tokens_out:,} tokens. Spent so far: {self.in_words()}. All answers are kept: repeat the command "
            "with a higher cap to continue, or with a lower max_tokens."
        )
