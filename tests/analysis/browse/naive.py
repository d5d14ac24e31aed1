"""The case browser the simple way: every case is looked at in Python, one after the other."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nliprobe.analysis.browse.wanted import ANY_ALLOWED, UNANSWERED, UNASKED, Wanted
from nliprobe.analysis.outcomes import case_outcomes
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Prediction
from nliprobe.task.edits import edits_from_json
from nliprobe.task.labels import LabelSet, Partition
from nliprobe.task.outcomes import outcome
from nliprobe.task.pair import Facet
from nliprobe.task.rule_forms import read_rule
from nliprobe.task.table import Table
from nliprobe.task.units import row_from_text

SAID = ("E", "N", "C", "EN", "EC", "NC", "ENC")


@dataclass(frozen=True)
class NaiveCase:
    """A case with everything it can be asked by."""

    case_id: str
    corpus: str
    probe: str
    gold: str
    certainty: str
    group: str
    pair: str
    facets: frozenset[Facet]
    texts: tuple[str, ...]
    answers: dict[str, str]
    outcomes: dict[tuple[str, str], str]


def naive_cases(run: RunFolder) -> list[NaiveCase]:
    """Read all cases of a run."""
    pairs = {row["pair_id"]: row for row in run.read("pairs").iter_rows(named=True)}
    facets = run.read("facets").rows(named=True)
    judged = {
        item.name: {row["case_id"]: row for row in case_outcomes(run, item.name).rows(named=True)}
        for item in run.systems
    }
    return [
        NaiveCase(
            row["case_id"],
            row["corpus"],
            row["probe"],
            row["gold"] or "none",
            row["certainty"],
            pairs[row["pair_id"]]["group"],
            row["pair_id"],
            frozenset(
                Facet(item["name"], item["value"])
                for item in facets
                if item["case_id"] == row["case_id"] or (item["case_id"] is None and item["pair_id"] == row["pair_id"])
            ),
            tuple(_texts(pairs[row["pair_id"]], row["edits"])),
            {name: _answer(rows.get(row["case_id"])) for name, rows in judged.items()},
            {
                (item.name, kind): _outcome(row, judged[item.name].get(row["case_id"]), kind, item.partition)
                for item in run.systems
                for kind in ("gold", "expects")
            },
        )
        for row in run.read("cases").rows(named=True)
    ]


def naive_matches(case: NaiveCase, wanted: Wanted) -> bool:
    """Tell whether a case is wanted."""
    chosen = ("corpus", "probe", "gold", "certainty", "group", "pair")
    return (
        all(getattr(wanted, name) in (None, getattr(case, name)) for name in chosen)
        and case.facets >= set(wanted.facets)
        and all(case.answers[system] == answer for system, answer in wanted.answers)
        and all(
            any(case.outcomes[name, judged] == outcome for name in ([system] if system else case.answers))
            for system, judged, outcome in wanted.outcomes
        )
        and (not wanted.disagree or _disagree(case))
        and all(_holds(case, term) for term in _terms(wanted.search))
    )


def _texts(pair: dict[str, object], edits: str | None) -> Iterator[str]:
    yield from (str(pair[name]) for name in ("pair_id", "hypothesis", "group"))
    premise = str(pair["premise"])
    yield " ".join(Table.from_json(premise).texts) if pair["kind"] == "table" else premise
    for edit in edits_from_json(edits) if edits else ():
        if edit.op.startswith("row.") and edit.after:
            row = row_from_text(edit.after)
            yield " ".join((row.key, *row.values))
        elif not edit.op.endswith("permute"):
            yield edit.after


def _answer(row: dict[str, object] | None) -> str:
    return UNASKED if row is None else str(row["answer"] or UNANSWERED)


def _outcome(case: dict[str, Any], judged: dict[str, Any] | None, kind: str, partition: Partition) -> str:
    if judged is None:
        return "not applicable"
    if kind == "gold" or judged[kind] != "holds":
        return str(judged[kind])
    # What else the system could have said, with another certainty than before.
    rule, base = read_rule(case["expects"]), Prediction(LabelSet.of(judged["base"]), (0.0, 0.1, 0.9))
    others = [Prediction(LabelSet.of(one), (0.9, 0.1, 0.0)) for one in SAID if set(one) <= set(str(partition))]
    return ANY_ALLOWED if all(outcome(rule, [base], other, partition) == "holds" for other in others) else "holds"


def _disagree(case: NaiveCase) -> bool:
    given = [set(answer) for answer in case.answers.values() if answer not in (UNASKED, UNANSWERED)]
    return any(not one & two for one in given for two in given)


def _terms(search: str) -> list[str]:
    return [quoted or word for quoted, word in re.findall(r'"([^"]*)"?|(\S+)', search)]


def _holds(case: NaiveCase, term: str) -> bool:
    words = _words(term)
    if not words or case.case_id == term or (len(term) >= 6 and case.case_id.startswith(term)):
        return True
    return any(f" {' '.join(words)} " in f" {' '.join(_words(text))} " for text in case.texts)


def _words(text: str) -> list[str]:
    plain = "".join(
        letter for letter in unicodedata.normalize("NFKD", text).lower() if not unicodedata.combining(letter)
    )
    return re.findall(r"[^\W_]+", plain)
