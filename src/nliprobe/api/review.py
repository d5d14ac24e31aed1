"""Settling uncertain cases: from corpora and probes, or from a run, to a queue that people work through."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from nliprobe.api.pairs import SourcesLike, as_sources
from nliprobe.api.resolve import Request
from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.files import require_writable
from nliprobe.base.seeds import draws
from nliprobe.people.review.files import read_queue, write_queue
from nliprobe.people.review.merge import Merged, merge_queues, said_by
from nliprobe.people.review.records import ReviewItem, item_of
from nliprobe.people.review.settled import SettledCorpus, write_settled
from nliprobe.people.review.tally import ReviewDocument, ShareDocument, share_document, tally
from nliprobe.task.case import IDENTITY, Case, Certainty, Skip
from nliprobe.task.edits import apply_edits, edits_from_json
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair, Premise
from nliprobe.task.rule_forms import read_rule
from nliprobe.task.source import Pool
from nliprobe.task.table import Table

if TYPE_CHECKING:
    from nliprobe.store.run import RunFolder

UNCERTAIN = frozenset({Certainty.LIKELY, Certainty.NEEDS_PERSON})
MERGE_SCHEMA = "nliprobe/review-merge/1"


class ConflictDocument(TypedDict):
    """A case that two people settled differently, and what each of them said."""

    case_id: str
    ours: str
    theirs: str


class MergeDocument(TypedDict):
    """What ``nliprobe review FILE --merge OTHER --format json`` prints; ``review-merge.schema.json`` explains it.

    ``agreement`` is how often both said the same where both had settled a case, ``kappa`` the same beyond chance.
    """

    schema: str
    file: str
    other: str
    taken: int
    conflicts: list[ConflictDocument]
    earlier: int
    unknown: int
    agreement: ShareDocument
    kappa: float | None


def export_review(
    out: str | Path,
    on: SourcesLike = (),
    probes: str | Iterable[str] = (),
    *,
    run: str | Path | None = None,
    certainty: Collection[Certainty] = UNCERTAIN,
    n: int | None = None,
    root: str | Path | None = None,
    seed: int = 0,
) -> int:
    """Write the cases that people should settle into a new file, and return how many they are.

    Args:
        out: the file, JSON lines.
        on: pairs, in any form that :func:`nliprobe.run` takes.
        probes: what makes cases of them, such as ``hypothesis.entity``.
        run: the folder of a run, whose cases are taken instead of making them.
        certainty: which cases are exported.
        n: how many cases per kind and rule, drawn by the seed; by default all.
        root: the folder above the corpora; by default that of NLIPROBE_DATA.
        seed: of the probes, as in a run, and of the choice of ``n`` cases.
    """
    path = Path(out)
    if path.exists():
        raise UsageError(f"{path} is there already and may hold decisions: choose another name for the new cases.")
    require_writable(path)
    if (run is None) == (not as_sources(on)):
        raise UsageError("Name either corpora and probes, or a run, to take the cases from.")
    if run is not None:
        from nliprobe.store.run import RunFolder

        cases = _run_cases(RunFolder.open(Path(run)), certainty)
    else:
        names = (probes,) if isinstance(probes, str) else tuple(probes)
        if not names:
            raise UsageError("Name the probes that make the cases, such as hypothesis.entity.")
        cases = _made_cases(
            Request(as_sources(on), probes=names, root=Path(root) if root else None, seed=seed), certainty
        )
    items = [item_of(case, corpus) for corpus, case in cases]
    written = write_queue(path, _drawn(items, n, seed))
    if not written:
        levels = " or ".join(level.value for level in Certainty if level in certainty)
        raise DataError(f"There is nothing to settle: no case is {levels}.")
    return written


def review_summary(file: str | Path) -> ReviewDocument:
    """Count the decisions in a queue: how often each rule's expected label was right."""
    return tally(read_queue(Path(file)), str(file))


def merge_review(file: str | Path, other: str | Path) -> MergeDocument:
    """Add the decisions of another person's copy to a queue; what both settled differently is open again."""
    merged = merge_queues(Path(file), Path(other))
    return MergeDocument(
        schema=MERGE_SCHEMA,
        file=str(file),
        other=str(other),
        taken=merged.taken,
        conflicts=[
            ConflictDocument(case_id=item.case_id, ours=said_by(item.ours), theirs=said_by(item.theirs))
            for item in merged.conflicts
        ],
        earlier=merged.earlier,
        unknown=merged.unknown,
        agreement=share_document([(both.group, both.ours == both.theirs) for both in merged.both]),
        kappa=_kappa(merged),
    )


def settle_review(file: str | Path, out: str | Path) -> SettledCorpus:
    """Write the settled cases of a queue as a corpus; the result says how a run names it."""
    return write_settled(read_queue(Path(file)), Path(out))


def _kappa(merged: Merged) -> float | None:
    import numpy as np

    from nliprobe.stats.agreement import cohen_kappa

    if not merged.both:
        return None
    outcomes = sorted({outcome for both in merged.both for outcome in (both.ours, both.theirs)})
    ours, theirs = (
        np.array([outcomes.index(outcome) for outcome in said], dtype=np.int64)
        for said in ([both.ours for both in merged.both], [both.theirs for both in merged.both])
    )
    return cohen_kappa(ours, theirs)


def _made_cases(request: Request, certainty: Collection[Certainty]) -> Iterator[tuple[str, Case]]:
    suite = request.suite()
    for source in suite.sources:
        for corpus, case in suite.items(source, Pool.of(source) if suite.needs_pool else None):
            if not isinstance(case, Skip) and case.probe != IDENTITY and case.certainty in certainty:
                yield corpus, case


def _run_cases(run: RunFolder, certainty: Collection[Certainty]) -> Iterator[tuple[str, Case]]:
    """Yield the cases of a run as its probes made them."""
    import polars as pl

    levels = [level.value for level in certainty]
    rows = run.read("cases").filter(pl.col("certainty").is_in(levels) & (pl.col("probe") != IDENTITY))
    columns = ["pair_id", "kind", "premise", "hypothesis", "gold", "group"]
    pairs = run.read("pairs", columns).join(rows.select("pair_id").unique(), on="pair_id", how="semi")
    facets: dict[str, list[Facet]] = {}
    for case_id, name, value in run.read("facets", ["case_id", "name", "value"]).drop_nulls("case_id").iter_rows():
        facets.setdefault(case_id, []).append(Facet(name, value))
    sources = {row["pair_id"]: _pair(row) for row in pairs.iter_rows(named=True)}
    for row in rows.iter_rows(named=True):
        pair = sources[row["pair_id"]]
        edits = edits_from_json(row["edits"]) if row["edits"] else ()
        premise, hypothesis = apply_edits(pair.premise, pair.hypothesis, edits)
        yield (
            row["corpus"],
            Case(
                row["case_id"],
                row["probe"],
                pair,
                premise,
                hypothesis,
                gold=_labels(row["gold"]),
                expects=read_rule(row["expects"]) if row["expects"] else None,
                edits=edits,
                certainty=Certainty(row["certainty"]),
                facets=tuple(facets.get(row["case_id"], ())),
            ),
        )


def _pair(row: dict[str, str | None]) -> Pair:
    text = row["premise"] or ""
    premise: Premise = Table.from_json(text) if row["kind"] == "table" else text
    return Pair(str(row["pair_id"]), premise, row["hypothesis"] or "", _labels(row["gold"]), row["group"] or "")


def _labels(text: str | None) -> LabelSet | None:
    return LabelSet.of(text) if text else None


def _drawn(items: list[ReviewItem], n: int | None, seed: int) -> list[ReviewItem]:
    """Keep at most ``n`` cases per kind and rule, in their order."""
    if n is None:
        return items
    parts: dict[tuple[str, str], list[int]] = {}
    for place, item in enumerate(items):
        parts.setdefault((item.kind, item.rule), []).append(place)
    chosen = [
        place
        for (kind, rule), places in parts.items()
        for place in draws(seed, "review", kind, rule).sample(places, min(n, len(places)))
    ]
    return [items[place] for place in sorted(chosen)]
