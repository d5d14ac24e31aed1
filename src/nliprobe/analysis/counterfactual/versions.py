"""The versions of one pair: the pair it was made from, and the counterfactuals made from it, with all answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

from nliprobe.analysis.cases import CERTAINTIES, NONE, NOT_ASKED, RunData
from nliprobe.analysis.counterfactual.entries import FAMILY
from nliprobe.analysis.matching import read_some
from nliprobe.base.registry import Spec
from nliprobe.task.case import IDENTITY
from nliprobe.task.edits import apply_edits, edits_from_json
from nliprobe.task.labels import SETS
from nliprobe.task.pair import Premise
from nliprobe.task.table import Table

if TYPE_CHECKING:
    from nliprobe.store.run import RunFolder


class VersionText(TypedDict):
    """What was asked: the premise (a table as JSON), the hypothesis, and the gold label, empty if unknown."""

    premise: str
    hypothesis: str
    gold: str


class VersionAnswer(TypedDict):
    """What one system answered to both; None if it did not."""

    system: str
    before: str | None
    after: str | None


class PairVersion(TypedDict):
    """An original and a counterfactual of it.

    ``probe`` is what made the counterfactual: a probe, or ``gold`` if it is a pair of the corpus.
    """

    case_id: str
    probe: str
    certainty: str
    kind: Literal["table", "text"]
    before: VersionText
    after: VersionText
    answers: list[VersionAnswer]


def pair_versions(run: RunFolder, data: RunData, pair_id: str) -> list[PairVersion]:
    """Return the counterfactuals that a pair belongs to: the one it is, then those that were made from it."""
    import numpy as np

    cases = data.cases
    names = run.read("pairs", ["pair_id"])["pair_id"]
    if IDENTITY not in cases.probes or pair_id not in names:
        return []
    number, gold = names.index_of(pair_id), cases.probes.index(IDENTITY)
    own = np.flatnonzero((cases.pair == number) & (cases.probe == gold))
    made = np.isin(cases.base, own) & np.isin(cases.probe, [place for place, _ in _makers(cases.probes)])
    moves = [(int(cases.base[row]), int(row)) for row in (*own[cases.base[own] != NONE], *np.flatnonzero(made))]
    texts = _texts(run, data, sorted({row for move in moves for row in move})) if moves else {}
    return [_version(data, before, after, texts) for before, after in moves]


def _makers(probes: tuple[str, ...]) -> list[tuple[int, str]]:
    return [
        (place, probe)
        for place, probe in enumerate(probes)
        if probe == IDENTITY or Spec.parse(probe).name.startswith(FAMILY)
    ]


def _texts(run: RunFolder, data: RunData, rows: list[int]) -> dict[int, tuple[Premise, str]]:
    """Read the premises and hypotheses of some cases, as they were asked."""
    ids = data.cases.ids.gather(rows)
    cases = read_some(run, "cases", ids, ["case_id", "pair_id", "edits"])
    pairs = read_some(run, "pairs", cases["pair_id"], ["pair_id", "kind", "premise", "hypothesis"])
    known = {row["case_id"]: row for row in cases.join(pairs, on="pair_id").iter_rows(named=True)}
    texts: dict[int, tuple[Premise, str]] = {}
    for place, name in zip(rows, ids, strict=True):
        row = known[name]
        premise = Table.from_json(row["premise"]) if row["kind"] == "table" else row["premise"]
        edits = edits_from_json(row["edits"]) if row["edits"] else ()
        texts[place] = apply_edits(premise, row["hypothesis"], edits)
    return texts


def _version(data: RunData, before: int, after: int, texts: dict[int, tuple[Premise, str]]) -> PairVersion:
    cases = data.cases
    return PairVersion(
        case_id=cases.ids[after],
        probe=cases.probes[cases.probe[after]],
        certainty=CERTAINTIES[cases.certainty[after]].value,
        kind="table" if isinstance(texts[after][0], Table) else "text",
        before=_text(data, before, *texts[before]),
        after=_text(data, after, *texts[after]),
        answers=[
            VersionAnswer(
                system=system.name,
                before=_label(int(system.answers[before])),
                after=_label(int(system.answers[after])),
            )
            for system in data.systems
        ],
    )


def _text(data: RunData, row: int, premise: Premise, hypothesis: str) -> VersionText:
    text = premise.to_json() if isinstance(premise, Table) else premise
    return VersionText(premise=text, hypothesis=hypothesis, gold=str(SETS[int(data.cases.gold[row])]))


def _label(mask: int) -> str | None:
    return None if mask in (0, NOT_ASKED) else str(SETS[mask])
