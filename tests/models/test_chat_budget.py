"""The budget of chat models: nothing is sent that could cost more than is left, and no reply is forgotten."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.models.chat.budget import Budget, BudgetReached, TokenRate
from nliprobe.models.chat.ledger import Ledger, Spent
from nliprobe.models.chat.params import BudgetParams
from nliprobe.models.chat.reply import Usage


def test_an_account_counts_what_earlier_processes_spent(tmp_path: Path) -> None:
    first, second = Ledger(), Ledger()
    first.keep_in(tmp_path / "spent")
    assert not (tmp_path / "spent").exists(), "nothing is written before something is spent"
    first.add(Usage(10, 2))
    first.add(Usage(20, 3, estimated=True))
    second.keep_in(tmp_path / "spent")
    assert second.total == Spent(2, 30, 5, 1)
    assert second.own == Spent()
    second.add(Usage(1, 1))
    second.keep_in(tmp_path / "spent")
    assert second.total == Spent(3, 31, 6, 1)
    first.close()
    second.close()


def test_what_was_spent_before_there_was_a_folder_is_kept(tmp_path: Path) -> None:
    ledger, later = Ledger(), Ledger()
    ledger.add(Usage(10, 2))
    ledger.add(Usage(10, 2))
    ledger.keep_in(tmp_path)
    ledger.close()
    later.keep_in(tmp_path)
    assert later.total == ledger.total == Spent(2, 20, 4)


def test_processes_see_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nliprobe.models.chat.ledger._LOOK_SECONDS", 0.0)
    one, two = Ledger(), Ledger()
    one.keep_in(tmp_path)
    two.keep_in(tmp_path)
    for ledger in (one, two, one):
        ledger.add(Usage(5, 5))
    assert one.total == two.total == Spent(3, 15, 15)
    one.close()
    two.close()


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), min_size=1, max_size=8), st.data())
def test_a_file_cut_anywhere_loses_the_line_that_was_cut(
    tmp_path_factory: pytest.TempPathFactory, replies: list[tuple[int, int]], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("spent")
    ledger = Ledger()
    ledger.keep_in(folder)
    for reply in replies:
        ledger.add(Usage(*reply))
    ledger.close()
    (file,) = folder.iterdir()
    content = file.read_bytes()
    cut = data.draw(st.integers(0, len(content)))
    file.write_bytes(content[:cut])
    whole = content[:cut].count(b"\n")
    again = Ledger()
    again.keep_in(folder)
    tokens_in, tokens_out = (sum(reply[place] for reply in replies[:whole]) for place in (0, 1))
    assert again.total == Spent(whole, tokens_in, tokens_out)


def run_requests(budget: Budget, costs: list[Usage | None], characters: int = 100) -> list[str]:
    """Send requests at once; each is under way for two turns of the loop."""
    said: list[str] = []

    async def send(usage: Usage | None) -> None:
        try:
            async with budget.request(characters):
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                budget.settle(characters, 10, usage)
                said.append("sent")
        except BudgetReached as error:
            said.append(str(error))

    async def every() -> None:
        await asyncio.gather(*(send(usage) for usage in costs))

    asyncio.run(every())
    return said


def budget(longest: int = 10, **caps: float) -> Budget:
    return Budget(BudgetParams(**caps), Ledger(), longest)  # type: ignore[arg-type]


def test_without_a_cap_everything_is_sent() -> None:
    assert run_requests(budget(), [Usage(100, 10)] * 5) == ["sent"] * 5


def test_requests_wait_for_what_others_leave_and_stop_at_the_cap() -> None:
    # 100 characters are estimated as 30 tokens; with the longest answer, 40 are set aside.
    tokens = budget(max_tokens_total=100)
    said = run_requests(tokens, [Usage(30, 1)] * 6)
    assert said[:2] == ["sent", "sent"]
    assert said.count("sent") == 2
    assert tokens.ledger.total.tokens == 62
    assert said[2] == (
        "The budget max_tokens_total=100 does not allow another request, which may have 30 + 10 tokens. Spent so far: "
        "60 + 2 tokens (requests + answers) for 2 requests. All answers are kept: repeat the command with a higher cap "
        "to continue, or with a lower max_tokens."
    )


def test_a_request_that_fails_gives_back_what_was_set_aside() -> None:
    tokens = budget(max_tokens_total=45)

    async def fail_then_send() -> None:
        with pytest.raises(ValueError):
            async with tokens.request(100):
                raise ValueError
        async with tokens.request(100):
            tokens.settle(100, 1, Usage(30, 1))

    asyncio.run(fail_then_send())
    assert tokens.ledger.total == Spent(1, 30, 1)


def test_money() -> None:
    money = budget(max_cost=0.001, price_in=10, price_out=40)  # 30 tokens in and 10 out cost 0.0007
    said = run_requests(money, [Usage(30, 5), Usage(30, 5)])
    assert said[0] == "sent"
    assert "The budget max_cost=0.001 does not allow" in said[1]
    assert "0.0005 at the given prices" in said[1]


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 10)), max_size=12),
    st.integers(1, 400),
    st.sampled_from(["max_tokens_total", "max_cost"]),
)
def test_the_cap_is_never_exceeded_while_estimates_hold(replies: list[tuple[int, int]], cap: int, kind: str) -> None:
    caps = (
        {"max_tokens_total": cap}
        if kind == "max_tokens_total"
        else {"max_cost": cap, "price_in": 1e6, "price_out": 1e6}
    )
    tokens = budget(**caps)
    # A service that counts none would lower the estimate of later requests: that is not what this is about.
    tokens.rate.learn(10_000_000, 3_000_000)
    said = run_requests(tokens, [Usage(*reply) for reply in replies])
    spent = tokens.ledger.total.tokens
    assert spent <= cap
    assert len(said) == len(replies)
    if said.count("sent") < len(replies):
        assert spent > cap - 42, "it stops only if the next request might not fit"


def test_estimates_learn_from_what_the_service_counts() -> None:
    rate = TokenRate()
    assert rate.tokens(1000) == 300
    rate.learn(400, 100)
    assert rate.tokens(1000) == 250
    assert rate.tokens(0) == 1
