"""The records of a review: cases to settle, people's decisions about them, and the queue of both."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from nliprobe.base.hashing import digest
from nliprobe.task.case import Case
from nliprobe.task.labels import LETTERS
from nliprobe.task.pair import Premise, Span
from nliprobe.task.rules import label_relation
from nliprobe.task.table import Table


class Verdict(StrEnum):
    """What a person says about a case."""

    ACCEPT = "accept"  # the expected label is right
    FIX = "fix"  # another label is right
    REJECT = "reject"  # no label is right: the case is unclear, broken or says nothing
    SKIP = "skip"  # not decided
    CONFLICT = "conflict"  # two people disagree, so that somebody has to decide again


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """A case to be settled.

    Attributes:
        case_id: the id of the case.
        pair_id: the id of the pair it was made from.
        corpus: the corpus of the pair.
        group: the group of the pair.
        probe: the probe that made the case.
        kind: the kind of edit; for probes that do not say, their name.
        rule: the rule that gives the label, if the probe names it.
        effect: whether the rule keeps or flips the label, if the probe says so.
        certainty: how sure the rule is.
        gold: the label of the original, or nothing if it has none.
        expected: the labels that the rule allows; nothing if it says nothing.
        original: the hypothesis of the original.
        perturbed: the hypothesis of the case.
        span: the part of the original that was replaced, if it was one part.
        premise: the premise of the case.
        before: the premise of the original, if it is another one.
    """

    case_id: str
    pair_id: str
    corpus: str
    group: str
    probe: str
    kind: str
    rule: str
    effect: str
    certainty: str
    gold: str
    expected: str
    original: str
    perturbed: str
    span: Span | None
    premise: Premise
    before: Premise | None = None

    @property
    def digest(self) -> str:
        """The digest of everything that people judge, by which an altered case is recognised."""
        premises = [premise_json(self.premise), "" if self.before is None else premise_json(self.before)]
        texts = [self.pair_id, self.corpus, self.group, self.probe, self.kind, self.rule, self.effect, self.certainty]
        labels = [self.gold, self.expected, self.original, self.perturbed, json.dumps(self.span)]
        return digest(self.case_id, *texts, *labels, *premises)

    @property
    def changed_before(self) -> Span:
        """The part of the original hypothesis that was replaced."""
        return self.span or _different(self.original, self.perturbed)

    @property
    def changed(self) -> Span:
        """The part of the perturbed hypothesis that replaces it."""
        start, stop = self.changed_before
        return start, len(self.perturbed) - (len(self.original) - stop)


class Decision(NamedTuple):
    """What a person decided about a case.

    Attributes:
        case_id: the case.
        verdict: what was decided.
        label: the right label, if there is one.
        remark: what the person wrote.
        rater: who decided, if known.
        blind: whether the expected label was hidden.
        said: the outcomes that are in conflict.
    """

    case_id: str
    verdict: Verdict
    label: str = ""
    remark: str = ""
    rater: str = ""
    blind: bool = False
    said: tuple[str, ...] = ()

    @property
    def outcome(self) -> str | None:
        """The label that was decided, or ``reject``; None if the case is still open."""
        if self.verdict in (Verdict.ACCEPT, Verdict.FIX):
            return self.label
        return self.verdict.value if self.verdict is Verdict.REJECT else None


@dataclass
class Queue:
    """Cases to settle, with everything that was decided about them.

    Attributes:
        items: the cases by their ids, in the order of the file.
        history: the decisions about each, the last of which counts.
        notices: what a person should know about the file.
    """

    items: dict[str, ReviewItem]
    history: dict[str, list[Decision]] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)

    def decision(self, case_id: str) -> Decision | None:
        """Return what counts for a case, or None if nobody has looked at it."""
        decisions = self.history.get(case_id)
        return decisions[-1] if decisions else None

    def outcome(self, case_id: str) -> str | None:
        """Return the label that was decided for a case, or ``reject``; None if it is open."""
        decision = self.decision(case_id)
        return None if decision is None else decision.outcome

    def add(self, decision: Decision) -> None:
        """Let a decision count."""
        self.history.setdefault(decision.case_id, []).append(decision)

    @property
    def open(self) -> list[ReviewItem]:
        """The cases that nobody has settled."""
        return [item for name, item in self.items.items() if self.outcome(name) is None]


def item_of(case: Case, corpus: str) -> ReviewItem:
    """Return a case as people judge it."""
    pair, facets = case.source, dict(case.facets)
    [edit] = case.edits if len(case.edits) == 1 else [None]
    same = case.premise == pair.premise
    return ReviewItem(
        case_id=case.id,
        pair_id=pair.id,
        corpus=corpus,
        group=pair.group or pair.id,
        probe=case.probe,
        kind=facets.get("kind", case.probe),
        rule=facets.get("rule", ""),
        effect=facets.get("effect", ""),
        certainty=case.certainty.value,
        gold="" if pair.gold is None else str(pair.gold),
        expected=_expected(case),
        original=pair.hypothesis,
        perturbed=case.hypothesis,
        span=edit.span if edit is not None and edit.op == "hypothesis.replace" else None,
        premise=case.premise,
        before=None if same else pair.premise,
    )


def judged(item: ReviewItem, label: str, *, remark: str = "", rater: str = "", blind: bool = False) -> Decision:
    """Return the decision of a person who gives a case a label: it accepts the expected one or fixes it."""
    if len(label) != 1 or label not in LETTERS:
        raise ValueError(f"'{label}' is not one of the labels E, N, C")
    verdict = Verdict.ACCEPT if label == item.expected else Verdict.FIX
    return Decision(item.case_id, verdict, label, remark, rater, blind)


def premise_json(premise: Premise) -> str:
    """Return a premise as JSON: a text, or a table as an object."""
    return _table_json(premise) if isinstance(premise, Table) else json.dumps(premise, ensure_ascii=False)


@lru_cache(maxsize=1024)  # the cases of a table follow one another
def _table_json(table: Table) -> str:
    return table.to_json()


def _expected(case: Case) -> str:
    """Return the labels that are right: those of the case, or those that its rule allows after the original's."""
    if case.gold is not None:
        return str(case.gold)
    relation = None if case.expects is None else label_relation(case.expects)
    gold = case.source.gold
    if relation is None or gold is None or relation.arity != 1 or len(gold) != 1:
        return ""
    return str(relation(gold))


def _different(before: str, after: str) -> Span:
    """Return the part of a text that is not at the beginning or the end of another one."""
    limit = min(len(before), len(after))
    start = next((place for place in range(limit) if before[place] != after[place]), limit)
    back = next((place for place in range(limit - start) if before[-1 - place] != after[-1 - place]), limit - start)
    return start, len(before) - back
