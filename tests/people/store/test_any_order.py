"""Whatever raters and owners do, and in whatever order, the rules of work hold."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.people.store.conftest import Clock
from tests.people.store.labelled import attention, items, project

from nliprobe.base.errors import DataError
from nliprobe.people.records import JudgementState, RaterState
from nliprobe.people.store import open_store
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item, read_judgements, skip_item
from nliprobe.people.store.progress import miscounted, read_progress
from nliprobe.people.store.projects import ProjectChanges, change_project, create_project, read_project
from nliprobe.people.store.raters import (
    block_rater,
    join_project,
    leave_project,
    read_raters,
    unblock_rater,
    withdraw_rater,
)

RATERS = st.sampled_from(["a", "b", "c", "d"])
LABELS = st.sampled_from("ENC")


class Work(RuleBasedStateMachine):
    """Raters and an owner at work; ``said`` is what was acknowledged and should count."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = Clock()
        self.store = open_store(Path(self.folder.name) / "people.sqlite", clock=self.clock)
        self.held: dict[str, str] = {}
        self.said: dict[tuple[str, str], str] = {}
        self.requests = 0

    @initialize(wanted=st.integers(1, 3), most=st.none() | st.integers(1, 4), every=st.sampled_from([0, 2, 3]))
    def start(self, wanted: int, most: int | None, every: int) -> None:
        rules = project(raters_per_item=wanted, most_per_rater=most, attention_every=every, lease_seconds=100)
        create_project(self.store, rules, [*items(4, strata=2), *items(2, batch=1, first=4), *attention(2)])
        for rater in ("a", "b", "c", "d"):
            join_project(self.store, "p", rater)

    def may_work(self, rater: str) -> bool:
        return {one.name: one.state for one in read_raters(self.store, "p")}[rater] is RaterState.ACTIVE

    @rule(rater=RATERS)
    def ask(self, rater: str) -> None:
        if not self.may_work(rater):
            return
        offer = next_item(self.store, "p", rater)
        if offer is None:
            self.held.pop(rater, None)
        else:
            assert (rater, offer.item.name) not in self.said, "nobody gets an item twice"
            self.held[rater] = offer.item.name

    @rule(rater=RATERS, label=LABELS, repeated=st.booleans())
    def judge(self, rater: str, label: str, repeated: bool) -> None:
        item = self.held.get(rater)
        if item is None:
            return
        self.requests += 1
        try:
            for _ in range(1 + repeated):
                judge_item(self.store, "p", rater, item, {"label": label}, request=f"{self.requests}")
        except DataError:
            return  # too late, blocked or withdrawn: it was not acknowledged
        self.said[rater, item] = label
        del self.held[rater]

    @rule(rater=RATERS, label=LABELS)
    def revise(self, rater: str, label: str) -> None:
        own = sorted(item for name, item in self.said if name == rater)
        if own and self.may_work(rater):
            self.requests += 1
            judge_item(self.store, "p", rater, own[0], {"label": label}, request=f"{self.requests}", revise=True)
            self.said[rater, own[0]] = label

    @rule(rater=RATERS)
    def skip(self, rater: str) -> None:
        item = self.held.pop(rater, None)
        if item is not None and self.may_work(rater):
            skip_item(self.store, "p", rater, item, "hm")

    @rule(rater=RATERS)
    def leave(self, rater: str) -> None:
        leave_project(self.store, "p", rater)

    @rule()
    def wait(self) -> None:
        self.clock.now += 101

    @rule(rater=RATERS)
    def block(self, rater: str) -> None:
        block_rater(self.store, "p", rater, "why not")
        self.forget(rater)

    @rule(rater=RATERS)
    def unblock(self, rater: str) -> None:
        unblock_rater(self.store, "p", rater)
        for judgement in read_judgements(self.store, "p"):
            if judgement.rater == rater:
                self.said[rater, judgement.item] = str(judgement.answer["label"])

    @rule(rater=RATERS)
    def withdraw(self, rater: str) -> None:
        withdraw_rater(self.store, "p", rater)
        self.forget(rater)
        assert all(one.rater != rater for one in read_judgements(self.store, "p", all_states=True))

    @rule()
    def open_the_next_batch(self) -> None:
        change_project(self.store, "p", ProjectChanges(batches_open=2))

    @rule()
    def want_more(self) -> None:
        change_project(
            self.store, "p", ProjectChanges(raters_per_item=min(4, read_project(self.store, "p").raters_per_item + 1))
        )

    def forget(self, rater: str) -> None:
        self.held.pop(rater, None)
        self.said = {key: label for key, label in self.said.items() if key[0] != rater}

    @invariant()
    def what_was_acknowledged_is_what_counts(self) -> None:
        kept = read_judgements(self.store, "p") if self.started else []
        assert {(one.rater, one.item): one.answer["label"] for one in kept} == self.said
        assert len(kept) == len(self.said)

    @invariant()
    def no_item_has_too_many(self) -> None:
        if not self.started:
            return
        wanted = read_project(self.store, "p").raters_per_item
        counts = Counter(item for _, item in self.said if item.startswith("q"))
        assert max(counts.values(), default=0) <= wanted
        assert miscounted(self.store, "p") == []
        judged = sum(batch.judged for batch in read_progress(self.store, "p").batches)
        assert judged == sum(counts.values())

    @property
    def started(self) -> bool:
        return self._initialize_rules_to_run == []

    def teardown(self) -> None:
        states = {one.state for one in read_judgements(self.store, "p", all_states=True)} if self.started else set()
        assert states <= set(JudgementState)
        self.store.close()
        self.folder.cleanup()


TestWork = Work.TestCase
TestWork.settings = settings(max_examples=8, stateful_step_count=25, deadline=None)
