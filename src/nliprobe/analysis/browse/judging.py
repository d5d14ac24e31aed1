"""What each system makes of every case, a byte each: its answer, and whether gold and expectation hold.

An expectation that every answer would have kept is told apart from one that holds: nobody could have broken it.

Outcomes come from the one path of the house, :mod:`nliprobe.analysis.outcomes`. Cases are read here with numbers in
the place of most ids, so that a million take a fifth of the memory that their whole analysis takes.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.browse.wanted import ANY_ALLOWED
from nliprobe.analysis.cases import CERTAINTIES, NONE, NOT_ASKED, Cases, read_answers
from nliprobe.analysis.matching import read_probabilities, read_unchanged
from nliprobe.analysis.outcomes import any_allowed, judge_expectations
from nliprobe.analysis.shard_columns import base_ids, masks, numbers, places
from nliprobe.base.errors import StoreError
from nliprobe.base.hashing import digest, digest_bytes
from nliprobe.store.run import RunFolder
from nliprobe.task.outcomes import HOLDS, NOT_APPLICABLE, OUTCOMES, gold_table

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

# What a byte tells, the fastest changing first: an answer (a mask, or NOT_ASKED), and a place in either of these.
GOLD_OUTCOMES = tuple(item.value for item in OUTCOMES)
RULE_OUTCOMES = (*GOLD_OUTCOMES, ANY_ALLOWED)
_ANSWERS = NOT_ASKED + 1
_SIZES = (_ANSWERS, len(GOLD_OUTCOMES), len(RULE_OUTCOMES))
_BYTES = 256
# So many cases are judged at a time.
_AT_A_TIME = 65_536


def judge(connection: sqlite3.Connection, run: RunFolder, shards: Sequence[str]) -> None:
    """Judge the answers of every system of a run that are new or were given to other cases.

    Args:
        connection: the index that is being made.
        run: the run.
        shards: the digests of its shards of cases.
    """
    known = dict(connection.execute("SELECT system, content FROM judged").fetchall())
    wanted = {system.name: answered_content(run, system.name, shards) for system in run.systems}
    connection.executemany("DELETE FROM judged WHERE system = ?", [(name,) for name in known if name not in wanted])
    changed = [name for name, content in wanted.items() if known.get(name) != content]
    if not changed:
        return
    cases = _lean_cases(run)
    for name in changed:
        content = judged(run, cases, name).tobytes()
        row = (name, wanted[name], digest_bytes(content), content)
        connection.execute("INSERT OR REPLACE INTO judged VALUES (?, ?, ?, ?)", row)


def answered_content(run: RunFolder, system: str, shards: Sequence[str]) -> str:
    """Return what changes when the answers of a system or the cases do, or how answers are judged."""
    from nliprobe import __version__

    record = run.system(system)
    answers = [shard_content(run, record.predictions, int(path.stem)) for path in run.readable(record.predictions)]
    return digest(__version__, *RULE_OUTCOMES, str(record.partition), *shards, "answers", *answers)


def shard_content(run: RunFolder, kind: str, number: int) -> str:
    """Return the digest of a shard; a run of the first format keeps none, so that its bytes are read."""
    from nliprobe.base.hashing import digest_file

    path = run.shard(kind, number)
    record = run.shard_record(path)
    try:
        return digest_file(path) if record is None else record.content
    except OSError as error:
        raise StoreError(f"Cannot read {path}: {error.strerror or error}.") from error


def judged(run: RunFolder, cases: Cases, system: str) -> NDArray[np.uint8]:
    """Judge all answers of one system; a case that it was not asked has no outcome."""
    import numpy as np

    own = run.system(system).partition
    corpora = {item.name: item.partition for item in run.corpora}
    answers = read_answers(run, cases, system)
    unchanged = read_unchanged(run, cases.ids, cases.base, system)
    shares = read_probabilities(run, cases.ids, system) if cases.weighs else None
    by_gold = np.stack([gold_table(corpora[name].join(own)) for name in cases.corpora])
    asked = answers != NOT_ASKED
    outcomes = np.empty_like(answers)
    for start in range(0, len(answers), _AT_A_TIME):
        rows = np.arange(start, min(start + _AT_A_TIME, len(answers)))
        expects = judge_expectations(cases, rows, answers, unchanged, shares, own)
        gold = by_gold[cases.corpus[rows], cases.gold[rows], np.where(asked[rows], answers[rows], 0)]
        free = (expects == HOLDS) & any_allowed(cases, rows, answers, own)
        expects[free] = RULE_OUTCOMES.index(ANY_ALLOWED)
        gold, expects = (np.where(asked[rows], item, NOT_APPLICABLE) for item in (gold, expects))
        outcomes[rows] = answers[rows] + _SIZES[0] * (gold + _SIZES[1] * expects)
    return outcomes


class Told(NamedTuple):
    """What bytes tell, by the byte: answers, and places in the two tuples of outcomes."""

    answer: NDArray[np.uint8]
    gold: NDArray[np.uint8]
    expects: NDArray[np.uint8]


@cache
def told() -> Told:
    """Return what each of the 256 bytes tells."""
    import numpy as np

    codes = np.arange(_BYTES) % math.prod(_SIZES)
    return Told(*(part.astype(np.uint8) for part in np.unravel_index(codes, _SIZES, order="F")))


def _lean_cases(run: RunFolder) -> Cases:
    """Read what decides outcomes; bases are found by 64 bits of their ids, as texts that are read are compared."""
    import numpy as np
    import polars as pl

    corpora = tuple(item.name for item in run.corpora)
    probes: dict[str, int] = {}
    rules: dict[str, int] = {}
    names = ["case_id", "corpus", "probe", "bases", "gold", "expects", "certainty"]
    parts: dict[str, list[NDArray[np.generic]]] = {}
    ids: list[pl.Series] = []
    for shard in run.shards("cases", names):
        columns = {
            "corpus": places(shard["corpus"], corpora, run).cast(pl.Int32),
            "probe": numbers(shard["probe"], probes),
            "gold": masks(shard["gold"]),
            "expects": numbers(shard["expects"], rules).fill_null(NONE),
            "certainty": places(shard["certainty"], CERTAINTIES, run).cast(pl.UInt8),
            **{
                name: base_ids(shard["bases"], place, of=of).hash().fill_null(0) * (shard["bases"].list.len() == of)
                for name, place, of in (("base", 0, 1), ("first", 0, 2), ("second", 1, 2))
            },
        }
        ids.append(shard["case_id"].rechunk())
        for name, values in columns.items():
            parts.setdefault(name, []).append(values.to_numpy())
    if not ids:
        raise StoreError(f"The run {run.path} has no cases yet. Repeat the command that made it: it continues.")
    arrays = {name: np.concatenate(values) for name, values in parts.items()}
    together = pl.concat(ids)
    keys = together.hash().to_numpy()
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    for name in ("base", "first", "second"):
        arrays[name] = _rows(run, arrays[name], keys, order)
    nothing = np.zeros(len(together), dtype=np.int64)  # neither pairs nor groups decide an outcome
    return Cases(corpora, tuple(probes), tuple(rules), together, **arrays, pair=nothing, group=nothing)


def _rows(
    run: RunFolder, wanted: NDArray[np.uint64], keys: NDArray[np.uint64], order: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the rows of cases with some keys; 0 stands for no case."""
    import numpy as np

    rows = np.full(len(wanted), NONE, dtype=np.int64)
    asked = np.flatnonzero(wanted)
    places = np.minimum(np.searchsorted(keys, wanted[asked]), len(keys) - 1)
    if (keys[places] != wanted[asked]).any():
        raise StoreError(
            f"The run {run.path} has a case that is derived from another one which the run does not hold. If the run "
            "is still being written, wait for the next cases; otherwise make it again."
        )
    rows[asked] = order[places]
    return rows
