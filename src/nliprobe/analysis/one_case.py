"""One case of a run with everything about it: what was asked before and after the edit, and all answers."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal, TypedDict

from nliprobe.analysis.expected import allowed_labels
from nliprobe.analysis.integrity import Integrity, integrity
from nliprobe.base.errors import NotFoundError, StoreError, option
from nliprobe.base.prefix import shared_start
from nliprobe.task.case import Prediction, Status
from nliprobe.task.edits import apply_edits, edits_from_json
from nliprobe.task.labels import LabelSet, Partition
from nliprobe.task.outcomes import Outcome, outcome
from nliprobe.task.pair import Premise
from nliprobe.task.rule_forms import read_rule, rule_words
from nliprobe.task.rules import Rule
from nliprobe.task.table import Table
from nliprobe.task.unbound import is_unbound

if TYPE_CHECKING:
    import polars as pl

    from nliprobe.store.access import StoredCase
    from nliprobe.store.record import SystemRecord
    from nliprobe.store.run import RunFolder

CASE_SCHEMA: Final = "nliprobe/case/1"
# Ids that a message names, and the first characters that near ones share with what was asked for.
_NAMED, _NEAR = 3, 2


class AskedText(TypedDict):
    """What was asked in a case: its id and probe, the premise (a table as an object) and the hypothesis."""

    case_id: str
    pair_id: str
    probe: str
    premise: str | dict[str, object]
    hypothesis: str


class CaseAnswer(TypedDict):
    """What one system answered to one case; ``probabilities`` are those of E, N and C."""

    label: str | None
    status: str
    probabilities: list[float | None] | None
    raw: str | None


class CaseSystem(TypedDict):
    """What one system makes of a case.

    ``before`` has its answers to the cases that this one was made from, ``after`` the answer to this one; each is None
    if it was not asked. ``allowed`` are the labels that the expectation allows after them; ``any_allowed`` is set if
    the system can give no answer that breaks it. ``unchanged`` is set if the system reads this case exactly like its
    base; then nothing is expected.
    """

    system: str
    before: list[CaseAnswer | None]
    after: CaseAnswer | None
    allowed: str
    any_allowed: bool
    unchanged: bool
    gold_outcome: str
    expects_outcome: str


class CaseEvidence(TypedDict):
    """The rows or sentences that people need, by their places in the premise of the pair, from 0."""

    units: list[int]
    grade: str
    outside: bool
    alone: bool


class CaseDocument(TypedDict):
    """What ``nliprobe show RUN --case ID --format json`` writes."""

    schema: Literal["nliprobe/case/1"]
    run: str
    integrity: Integrity
    corpus: str
    certainty: str
    gold: str | None
    pair_gold: str | None
    expects: str | None
    expected: str
    asked: AskedText
    bases: list[AskedText]
    edits: list[dict[str, object]]
    evidence: CaseEvidence | None
    facets: list[dict[str, str]]
    systems: list[CaseSystem]


def case_document(run: RunFolder, case_id: str) -> CaseDocument:
    """Describe one case of a run.

    Args:
        run: the run folder.
        case_id: the id of the case, or so many of its first characters that it is the only one.
    """
    stored = _found(run, case_id)
    bases = [run.case(name) for name in _names(stored)]
    row, pair = stored.case, _pair(stored, run)
    rule = None if row["expects"] is None else read_rule(row["expects"])
    corpora = {item.name: item.partition for item in run.corpora}
    partition = corpora[str(row["corpus"])]
    return CaseDocument(
        schema=CASE_SCHEMA,
        run=run.path.resolve().name,
        integrity=integrity(run),
        corpus=str(row["corpus"]),
        certainty=str(row["certainty"]),
        gold=_text_or_none(row["gold"]),
        pair_gold=_text_or_none(pair["gold"]),
        expects=_text_or_none(row["expects"]),
        expected="" if rule is None else rule_words(rule),
        asked=_asked(stored, run),
        bases=[_asked(base, run) for base in bases],
        edits=json.loads(str(row["edits"])) if row["edits"] else [],
        evidence=_evidence(stored),
        facets=[{"name": facet.name, "value": facet.value} for facet in stored.facets],
        systems=[_system(item, stored, bases, rule, partition) for item in run.systems],
    )


def asked_premise(asked: AskedText) -> Premise:
    """Return the premise of a document: a table or a text."""
    premise = asked["premise"]
    return premise if isinstance(premise, str) else Table.from_json(json.dumps(premise))


def _found(run: RunFolder, case_id: str) -> StoredCase:
    try:
        return run.case(case_id)
    except NotFoundError:
        return run.case(_only_match(run, case_id))


def _only_match(run: RunFolder, start: str) -> str:
    """Return the id of the only case that begins so; ids are read shard by shard, because there may be millions."""
    matches: list[str] = []
    near: list[str] = []
    for shard in run.shards("cases", ["case_id"]):
        ids: pl.Series = shard["case_id"]
        if start:
            matches += ids.filter(ids.str.starts_with(start)).to_list()
        if len(near) < 1000:
            near += ids.filter(ids.str.starts_with(start[:_NEAR])).head(1000).to_list()
        near += [] if near else ids.head(_NAMED).to_list()
    if len(matches) == 1:
        return matches[0]
    if matches:
        some = ", ".join(sorted(matches)[:_NAMED])
        raise NotFoundError(
            f"{len(matches):,} cases of the run {run.path} have ids that begin with '{start}', such as {some}. "
            "Write more of the id."
        )
    near.sort(key=lambda name: (-shared_start(name, start), name))
    is_pair = start in run.read("pairs", ["pair_id"])["pair_id"]
    hint = f" That is a pair: show it with {option('pair', start)}." if is_pair else ""
    raise NotFoundError(
        f"The run {run.path} has no case '{start}'.{hint} Ids near it: {', '.join(near[:_NAMED]) or 'none'}. The ids "
        f"of failing cases are in the report, and with {option('failing', 'N')} in the JSON."
    )


def _names(stored: StoredCase) -> list[str]:
    bases = stored.case["bases"]
    return [str(name) for name in bases] if isinstance(bases, list) else []


def _pair(stored: StoredCase, run: RunFolder) -> dict[str, object]:
    if stored.pair is None:
        raise StoreError(f"The run {run.path} has lost the pair '{stored.case['pair_id']}'. Make the run again.")
    return dict(stored.pair)


def _asked(stored: StoredCase, run: RunFolder) -> AskedText:
    pair, row = _pair(stored, run), stored.case
    premise: Premise = str(pair["premise"])
    if pair["kind"] == "table":
        premise = Table.from_json(str(pair["premise"]))
    edits = edits_from_json(str(row["edits"])) if row["edits"] else ()
    premise, hypothesis = apply_edits(premise, str(pair["hypothesis"]), edits)
    return AskedText(
        case_id=stored.id,
        pair_id=str(row["pair_id"]),
        probe=str(row["probe"]),
        premise=json.loads(premise.to_json()) if isinstance(premise, Table) else premise,
        hypothesis=hypothesis,
    )


def _evidence(stored: StoredCase) -> CaseEvidence | None:
    pair = stored.pair or {}
    units = pair.get("evidence")
    if not isinstance(units, list):
        return None
    return CaseEvidence(
        units=[int(unit) for unit in units],
        grade=str(pair.get("grade") or "gold"),
        outside=bool(pair.get("outside")),
        alone=bool(pair.get("alone")),
    )


def _system(
    system: SystemRecord, stored: StoredCase, bases: Sequence[StoredCase], rule: Rule | None, partition: Partition
) -> CaseSystem:
    name = system.name
    after = stored.answers.get(name)
    before = [base.answers.get(name) for base in bases]
    given = [item.prediction if item is not None else Prediction(None, status=Status.NO_ANSWER) for item in before]
    unchanged = (
        len(before) == 1 and after is not None and before[0] is not None and after.input_id == before[0].input_id
    )
    answer = None if after is None else after.prediction
    labels = [item.label or LabelSet(0) for item in given]
    return CaseSystem(
        system=name,
        before=[None if item is None else _answer(item.prediction) for item in before],
        after=None if answer is None else _answer(answer),
        allowed="" if rule is None or unchanged else allowed_labels(rule, labels),
        any_allowed=rule is not None and not unchanged and is_unbound(rule, given, system.partition),
        unchanged=unchanged,
        gold_outcome=_by_gold(stored.case["gold"], answer, partition.join(system.partition)),
        expects_outcome=_by_rule(rule, given, answer, system.partition, unchanged=unchanged),
    )


def _by_gold(gold: object, answer: Prediction | None, partition: Partition) -> str:
    if gold is None or answer is None:
        return Outcome.NOT_APPLICABLE.value
    if answer.label is None:
        return Outcome.UNANSWERED.value
    right = partition.agrees(answer.label, LabelSet.of(str(gold)))
    return (Outcome.HOLDS if right else Outcome.BROKEN).value


def _by_rule(
    rule: Rule | None, before: Sequence[Prediction], answer: Prediction | None, partition: Partition, *, unchanged: bool
) -> str:
    if rule is None or answer is None or unchanged:
        return Outcome.NOT_APPLICABLE.value
    return outcome(rule, before, answer, partition).value


def _answer(prediction: Prediction) -> CaseAnswer:
    shares = prediction.probabilities
    known = (
        None
        if shares is None
        else [None if share is None or math.isnan(share) else round(share, 6) for share in shares]
    )
    label = None if prediction.label is None else str(prediction.label)
    return CaseAnswer(label=label, status=prediction.status.value, probabilities=known, raw=prediction.raw)


def _text_or_none(value: object) -> str | None:
    return None if value is None else str(value)
