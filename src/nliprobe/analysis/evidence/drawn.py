"""Single pairs to look at: the units that people need and those that each system uses."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final, Literal, TypedDict

from nliprobe.analysis.cases import NONE, RunData
from nliprobe.analysis.counterfactual.versions import PairVersion, pair_versions
from nliprobe.analysis.evidence.documents import EvidenceEntry, Method
from nliprobe.analysis.evidence.measures import ALL, IRRELEVANT_ONLY, NOTHING, PARTIAL
from nliprobe.analysis.evidence.pairs import UnitPair, UnitPairs, read_unit_pairs
from nliprobe.analysis.evidence.use import SystemUse, system_use
from nliprobe.analysis.integrity import Integrity, integrity
from nliprobe.base.errors import NotFoundError
from nliprobe.task.labels import SETS
from nliprobe.task.units import Rows

if TYPE_CHECKING:
    from nliprobe.store.run import RunFolder

PAIR_SCHEMA: Final = "nliprobe/pair/1"
# Pairs of each kind that a page draws; more would push the numbers apart.
DRAWN = 2
_NEAR = 3
_KINDS = (ALL, PARTIAL, IRRELEVANT_ONLY, NOTHING)


class DrawnUnit(TypedDict):
    """A row or sentence; ``needed`` is None if the pair has no evidence."""

    key: str
    text: str
    needed: bool | None


class DrawnUse(TypedDict):
    """What one system does with the units of the pair.

    ``used`` is None if not all of the pair's cases were asked and answered; ``unread`` are the places of the units
    that never reach the system.
    """

    system: str
    answer: str | None
    method: Method
    used: list[int] | None
    unread: list[int]


class DrawnPair(TypedDict):
    """A pair with the units that people need and those that each system uses, to be shown."""

    pair: str
    corpus: str
    title: str
    hypothesis: str
    gold: str
    unit: str
    grade: str | None
    outside: bool
    alone: bool
    units: list[DrawnUnit]
    systems: list[DrawnUse]


class PairDocument(DrawnPair):
    """What ``nliprobe show RUN --pair ID --format json`` writes."""

    schema: Literal["nliprobe/pair/1"]
    run: str
    integrity: Integrity
    versions: list[PairVersion]


def pair_document(run: RunFolder, data: RunData, pair_id: str) -> PairDocument:
    """Draw one pair of a run."""
    drawn = drawn_pairs(run, data, [pair_id])
    if not drawn:
        names = [str(name) for name in run.read("pairs", ["pair_id"])["pair_id"]]
        # A run may have a million pairs: a few names show how they are written.
        near = get_close_matches(pair_id, names, n=_NEAR, cutoff=0.5) or names[:_NEAR]
        raise NotFoundError(
            f"The run {run.path} has no pair '{pair_id}'. Its pairs have names such as {', '.join(near)}."
        )
    return PairDocument(
        schema=PAIR_SCHEMA,
        run=run.path.resolve().name,
        integrity=integrity(run),
        versions=pair_versions(run, data, pair_id),
        **drawn[0],
    )


def drawn_pairs(run: RunFolder, data: RunData, ids: Collection[str]) -> list[DrawnPair]:
    """Draw some pairs of a run, in the order of the run."""
    pairs = read_unit_pairs(run, data, ids)
    uses = {
        system.name: {method: system_use(pairs, system, method) for method in ("delete", "keep")}
        for system in data.systems
    }
    return [
        _drawn(pairs, number, {name: by_method[_method(pairs, number)] for name, by_method in uses.items()})
        for number in range(len(pairs.pairs))
    ]


def pairs_to_draw(
    run: RunFolder, data: RunData, entries: Sequence[EvidenceEntry], controls: Collection[str]
) -> list[str]:
    """Choose pairs that show each kind of use by the first system that can use its premise: a few of each.

    Args:
        run: the run folder.
        data: the run.
        entries: what the run says about evidence.
        controls: the systems that cannot use their premise.
    """
    from nliprobe.base.hashing import digest

    chosen: list[str] = []
    firsts: dict[tuple[str, str, str], EvidenceEntry] = {}
    for entry in entries:
        if entry["n"] and entry["system"] not in controls:
            firsts.setdefault((entry["corpus"], entry["grade"], entry["method"]), entry)
    if not firsts:
        return chosen
    pairs = read_unit_pairs(run, data)
    order = sorted(range(len(pairs.pairs)), key=lambda number: digest(pairs.pairs[number].id))
    for entry in firsts.values():
        [system] = [item for item in data.systems if item.name == entry["system"]]
        use = system_use(pairs, system, entry["method"])
        by_kind: dict[int, list[str]] = {kind: [] for kind in _KINDS}
        for number in order:
            pair = pairs.pairs[number]
            if _belongs(pair, entry) and (used := _used(pairs, number, use)) is not None:
                by_kind[_kind(pair, used)].append(pair.id)
        chosen += [name for names in by_kind.values() for name in names[:DRAWN]]
    return list(dict.fromkeys(chosen))


def _belongs(pair: UnitPair, entry: EvidenceEntry) -> bool:
    decided = pair.gold in ("E", "C") and bool(pair.marked) and pair.alone == (entry["method"] == "keep")
    return decided and (pair.corpus, pair.grade) == (entry["corpus"], entry["grade"])


def _kind(pair: UnitPair, used: Sequence[int]) -> int:
    marked = set(pair.marked or ())
    if not used:
        return NOTHING
    if not marked & set(used):
        return IRRELEVANT_ONLY
    return ALL if marked <= set(used) else PARTIAL


def _method(pairs: UnitPairs, number: int) -> Method:
    """Choose what shows the use of a pair's units: keeping one where each suffices alone, else deleting."""
    kept = pairs.keep[pairs.own(number)]
    return "keep" if pairs.pairs[number].alone and len(kept) and (kept != NONE).all() else "delete"


def _drawn(pairs: UnitPairs, number: int, uses: Mapping[str, SystemUse]) -> DrawnPair:
    pair = pairs.pairs[number]
    marked = None if pair.marked is None else set(pair.marked)
    return DrawnPair(
        pair=pair.id,
        corpus=pair.corpus,
        title=pair.units.premise.title if isinstance(pair.units, Rows) else "",
        hypothesis=pair.hypothesis,
        gold=pair.gold,
        unit=pair.units.kind,
        grade=None if pair.grade is None else pair.grade.value,
        outside=pair.outside,
        alone=pair.alone,
        units=[
            DrawnUnit(key=key, text=text, needed=None if marked is None else place in marked)
            for place, (key, text) in enumerate(_units(pair))
        ],
        systems=[
            DrawnUse(
                system=name,
                answer=str(SETS[int(use.before[number])]) or None,
                method=_method(pairs, number),
                used=_used(pairs, number, use),
                unread=[int(place) for place in use.unread[pairs.own(number)].nonzero()[0]],
            )
            for name, use in uses.items()
        ],
    )


def _used(pairs: UnitPairs, number: int, use: SystemUse) -> list[int] | None:
    own = pairs.own(number)
    if not len(pairs.pairs[number].units) or not use.answered[number]:
        return None
    return [int(place) for place in use.used[own].nonzero()[0]]


def _units(pair: UnitPair) -> list[tuple[str, str]]:
    if not isinstance(pair.units, Rows):
        return [("", pair.units.text(place)) for place in range(len(pair.units))]
    table = pair.units.premise
    first = table.columns[0] if table.columns else ""
    return [(row.key or first, ", ".join(row.values)) for row in table.rows]
