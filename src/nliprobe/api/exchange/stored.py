"""The cases of a run as they were asked, made again from its pairs and edits, shard by shard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.matching import read_some
from nliprobe.base.errors import StoreError, UsageError
from nliprobe.store.run import RunFolder
from nliprobe.task.case import IDENTITY, Case, Certainty
from nliprobe.task.edits import apply_edits, edits_from_json
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair, Premise
from nliprobe.task.rule_forms import read_rule
from nliprobe.task.rules import Rule
from nliprobe.task.table import Table

if TYPE_CHECKING:
    import polars as pl

_PAIR_COLUMNS = ("pair_id", "kind", "premise", "hypothesis", "gold", "group")
_FACET_COLUMNS = ("pair_id", "case_id", "name", "value")
_Facets = dict[str, list[Facet]]


class StoredShard(NamedTuple):
    """The cases of one shard, in order, with the corpus of each."""

    number: int
    corpora: list[str]
    cases: list[Case]


def stored_shards(run: RunFolder) -> Iterator[StoredShard]:
    """Yield the cases of a run shard by shard; what is held at once does not grow with the run.

    A pair is written with the case that asks it as it is. Cases that are derived from it follow, so that nearly all
    pairs of a shard are in it or in the one before; others are looked for in the whole run.
    """
    before: dict[str, Pair] = {}
    for path in run.readable("cases"):
        rows = run.read_shard("cases", path)
        pairs, of_cases = _pairs(run, path.name)
        known = {**before, **pairs}
        missing = rows.filter(~rows["pair_id"].is_in(list(known)))["pair_id"]
        if len(missing):
            known |= _far_pairs(run, missing)
        cases = list(_cases(run, rows, known, of_cases))
        yield StoredShard(int(path.stem), [corpus for corpus, _ in cases], [case for _, case in cases])
        before = pairs


def _pairs(run: RunFolder, name: str) -> tuple[dict[str, Pair], _Facets]:
    """Read the pairs of a shard with their facets, and the facets of its cases by their ids."""
    import polars as pl

    by_pair: _Facets = {}
    by_case: _Facets = {}
    for path in run.readable("facets"):
        if path.name == name:
            for pair_id, case_id, facet, value in run.read_shard("facets", path, _FACET_COLUMNS).iter_rows():
                place = by_pair.setdefault(pair_id, []) if case_id is None else by_case.setdefault(case_id, [])
                place.append(Facet(facet, value))
    frames = [run.read_shard("pairs", path, _PAIR_COLUMNS) for path in run.readable("pairs") if path.name == name]
    if not frames:
        return {}, by_case
    return {pair.id: pair for pair in _to_pairs(pl.concat(frames), by_pair)}, by_case


def _far_pairs(run: RunFolder, ids: pl.Series) -> dict[str, Pair]:
    """Read pairs of other shards, with their facets."""
    facets: _Facets = {}
    for pair_id, case_id, name, value in read_some(run, "facets", ids, _FACET_COLUMNS).iter_rows():
        if case_id is None:
            facets.setdefault(pair_id, []).append(Facet(name, value))
    return {pair.id: pair for pair in _to_pairs(read_some(run, "pairs", ids, _PAIR_COLUMNS), facets)}


def _to_pairs(rows: pl.DataFrame, facets: Mapping[str, list[Facet]]) -> Iterator[Pair]:
    for pair_id, kind, premise, hypothesis, gold, group in rows.select(_PAIR_COLUMNS).iter_rows():
        shown: Premise = _table(premise) if kind == "table" else premise
        known = tuple(facets.get(pair_id, ()))
        yield Pair(pair_id, shown, hypothesis, _labels(gold), group=group, facets=known)


def _cases(
    run: RunFolder, rows: pl.DataFrame, pairs: Mapping[str, Pair], facets: Mapping[str, list[Facet]]
) -> Iterator[tuple[str, Case]]:
    columns = ("case_id", "pair_id", "corpus", "probe", "bases", "gold", "expects", "edits", "certainty")
    for case_id, pair_id, corpus, probe, bases, gold, expects, edits, certainty in rows.select(columns).iter_rows():
        pair = pairs.get(pair_id)
        if pair is None:
            if run.left_out:  # the shard of the pair is damaged
                continue
            raise StoreError(
                f"The run {run.path} has a case of the pair '{pair_id}', but not the pair. Make the run again."
            )
        changes = edits_from_json(edits) if edits else ()
        try:
            premise, hypothesis = apply_edits(pair.premise, pair.hypothesis, changes)
        except ValueError as error:
            raise StoreError(f"The case {case_id} of the run {run.path} cannot be made again: {error}.") from error
        yield (
            corpus,
            Case(
                case_id,
                probe,
                pair,
                premise,
                hypothesis,
                tuple(bases),
                _labels(gold),
                None if expects is None else _rule(expects),
                changes,
                Certainty(certainty),
                () if probe == IDENTITY else tuple(facets.get(case_id, ())),
            ),
        )


# The pairs of a table come together, and share one object.
@lru_cache(maxsize=256)
def _table(text: str) -> Table:
    return Table.from_json(text)


def _labels(letters: str | None) -> LabelSet | None:
    return None if letters is None else LabelSet.of(letters)


@lru_cache(maxsize=4096)
def _rule(text: str) -> Rule:
    try:
        return read_rule(text)
    except UsageError as error:
        raise StoreError(f"The run holds a rule that cannot be read. {error} Make the run again.") from error
