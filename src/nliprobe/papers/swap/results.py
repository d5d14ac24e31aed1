"""Compute the numbers of ``docs/results/swap-and-stress.md`` from the shipped answers and the corpora.

The page holds marked blocks, which ``python scripts/swap_results.py`` writes and a test compares. If a probe makes
other cases than those that were asked, that is an error: no old number stands as a present one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.base.errors import DataError
from nliprobe.papers.blocks import block_pattern, fill_page, markdown_table
from nliprobe.papers.recipes import Folders
from nliprobe.papers.swap.answers_file import BENCH, BENCHED, RELEASED, STRESS, shipped_answers
from nliprobe.papers.swap.table1 import swap_rows
from nliprobe.report.words import constant_words

if TYPE_CHECKING:
    from nliprobe.analysis.cases import RunData
    from nliprobe.analysis.documents import ScoreDocument
    from nliprobe.analysis.stress_documents import StressEntry
    from nliprobe.analysis.swap.documents import SwapLabel
    from nliprobe.papers.probe_answers import Answers

TOPIC = "swap"
BLOCK = block_pattern(TOPIC)
_LABELS = ("E", "C", "N")
_HANS = "hans/evaluation"
_BECEL = "becel/"
# What a row of the swap table is called when the seeds do not agree.
_MIXED = "the seeds differ"
# The files of released answers of BERT-base.
_BERT = {
    "nli-stress/antonymy-matched": "stress-antonymy.jsonl",
    "nli-stress/numerical": "stress-numerical.jsonl",
    _HANS: "hans.jsonl",
}


class Spread(NamedTuple):
    """A share over seeds: its mean and standard deviation, in percent."""

    mean: float
    sd: float | None

    def __str__(self) -> str:
        return f"{self.mean:.1f}" + ("" if self.sd is None else f" ± {self.sd:.1f}")


def fill_blocks(text: str) -> str:
    """Return the page with every marked block computed anew; other text stays as it is."""
    return fill_page(text, TOPIC, lambda name: BLOCKS[name]())


def spread(shares: Sequence[float]) -> Spread:
    """Summarise shares from 0 to 1 over seeds."""
    return Spread(100 * fmean(shares), 100 * stdev(shares) if len(shares) > 1 else None)


@cache
def models() -> dict[str, Answers]:
    """Return the answers of all models by what the page calls them."""
    return shipped_answers(BENCHED)


@cache
def asked(model: str, corpus: str, *probes: str) -> RunData:
    """Return the answers of a model to some probes of a corpus as the data of a run."""
    from nliprobe.papers.asked import asked_run, make_cases

    return asked_run(models()[model], [make_cases(corpus, probes, None)])


def swap_block() -> str:
    """Write Table 1's form: per label, the accuracy on pairs as they are, swapped, and the drop with its interval."""
    rows = []
    for corpus in BENCH:
        for model, answers in models().items():
            by_label = swap_rows(answers, corpus, Folders())
            cells = [_change(by_label[label]) for label in _LABELS]
            rows.append([corpus, model, *cells, _verdicts(by_label)])
    head = ["corpus", "model", "E", "C", "N", "reading of E, C, N"]
    return markdown_table(head, rows, texts=6)


def _change(rows: Sequence[SwapLabel]) -> str:
    before, after, drop = (100 * fmean(row[name] for row in rows) for name in ("original", "swapped", "drop"))
    intervals = [row["drop_ci95"] for row in rows if row["drop_ci95"] is not None]
    low, high = (100 * fmean(ends[place] for ends in intervals) for place in (0, 1))
    return f"{before:.1f} → {after:.1f}, drop {drop:.1f} [{low:.1f}, {high:.1f}]"


def _verdicts(by_label: dict[str, list[SwapLabel]]) -> str:
    said = []
    for label in _LABELS:
        verdicts = {row["verdict"] for row in by_label[label]}
        said.append(verdicts.pop() if len(verdicts) == 1 else _MIXED)
    return "control" if set(said) == {"control"} else ", ".join(said)


def stress_block() -> str:
    """Write the stress tests: what each model gets on the pairs as they were and in the test."""
    from nliprobe.analysis.stress import stress

    # All tests of a corpus at once: to read it and its answers takes longer than most of them.
    found = {(corpus, model): stress(asked(model, corpus, *STRESS)) for corpus in BENCH[1:] for model in models()}
    rows = []
    for test in STRESS:
        for corpus in BENCH[1:]:
            for likely in (False, True):
                own = {model: _entries(found[corpus, model], test, likely=likely) for model in models()}
                own = {model: entries for model, entries in own.items() if entries}
                if own:
                    rows.append([f"`{test}`" + (", likely" if likely else ""), corpus, *_stress_cells(own)])
    head = ["test", "corpus", "n", "best constant", *models()]
    return markdown_table(head, rows, texts=2)


def _entries(found: Sequence[StressEntry], test: str, *, likely: bool) -> list[StressEntry]:
    return [entry for entry in found if entry["test"] == test and entry["likely"] is likely]


def _stress_cells(own: dict[str, list[StressEntry]]) -> Iterator[str]:
    first = next(iter(own.values()))[0]
    yield f"{first['n']:,}"
    yield constant_words(first["constant"])
    for entries in own.values():
        stressed = spread([entry["stressed"] for entry in entries])
        before = [entry["original"] for entry in entries if entry["original"] is not None]
        yield f"{100 * fmean(before):.1f} → {stressed}" if before else str(stressed)


def released_block() -> str:
    """Write the accuracy of each model on the released test sets, beside the best constant answer."""
    from nliprobe.analysis.scores import scores

    rows = []
    for corpus in (name for name in RELEASED if not name.startswith(_BECEL)):
        cells: list[str] = []
        for model in models():
            entries = [entry for entry in scores(asked(model, corpus)) if entry["probe"] == "gold"]
            if not cells:
                cells += [f"{entries[0]['n']:,}", constant_words(entries[0]["constant"])]
            cells.append(str(spread([entry["accuracy"] for entry in entries if entry["accuracy"] is not None])))
        rows.append([f"`{corpus}`", *cells, _bert(corpus)])
    return markdown_table(["set", "n", "best constant", *models(), "BERT-base, released answers"], rows)


def hans_block() -> str:
    """Write HANS by heuristic and gold label: the share of right answers."""
    columns = {model: _by_kind(model) for model in models()}
    bert = {entry["value"]: entry for entry in _bert_scores(_HANS, _BERT[_HANS])["breakdowns"][0]["accuracy"]}
    rows = []
    for kind in sorted(bert):
        heuristic, label = kind.split(", ")
        rows.append(
            [
                heuristic.replace("_", " "),
                "E" if label == "E" else "not E",
                f"{bert[kind]['n']:,}",
                *(str(shares[kind]) for shares in columns.values()),
                _percent(bert[kind]["rate"]),
            ]
        )
    return markdown_table(["heuristic", "gold", "n", *models(), "BERT-base, released answers"], rows, texts=2)


def _by_kind(model: str) -> dict[str, Spread]:
    """Return how often a model is right on the pairs of HANS of each heuristic and label, over its seeds."""
    from nliprobe.analysis.scored_facets import ScoredPairs, scored_breakdown
    from nliprobe.papers.asked import make_cases
    from nliprobe.task.case import Prediction
    from nliprobe.task.labels import SETS

    pairs, data = make_cases(_HANS, (), None).pairs, asked(model, _HANS)
    partition = data.partitions[_HANS]
    rates: dict[str, list[float]] = defaultdict(list)
    for system in data.systems:
        answers = [Prediction(SETS[mask]) for mask in system.answers.tolist()]
        scored = ScoredPairs(_HANS, model, pairs, answers, partition, partition)
        made = scored_breakdown(scored, "heuristic,label", asked=True)
        assert made is not None
        for entry in made["accuracy"]:
            rates[entry["value"]].append(entry["count"] / entry["n"])
    return {kind: spread(values) for kind, values in rates.items()}


def consistency_block() -> str:
    """Write how often answers to pairs made from one another do not fit together."""
    from nliprobe.analysis.consistency import consistency

    rows = []
    for corpus in (name for name in RELEASED if name.startswith(_BECEL)):
        cells: list[str] = []
        for model in models():
            entries = consistency(asked(model, corpus))
            rates = [entry["broken"]["rate"] for entry in entries]
            if not cells:
                cells.append(f"{entries[0]['broken']['n']:,}")
            cells.append(str(spread([rate for rate in rates if rate is not None])))
        rows.append([f"`{corpus}`", *cells])
    return markdown_table(["set", "n", *models()], rows)


def _bert(corpus: str) -> str:
    """Return the accuracy of the released answers of BERT-base on a set, if there are some."""
    return _percent(_bert_scores(corpus, _BERT[corpus])["accuracy"]) if corpus in _BERT else ""


@cache
def _bert_scores(corpus: str, file: str) -> ScoreDocument:
    import nliprobe

    scored = nliprobe.score(
        on=corpus,
        predictions=_released(file),
        labels="contradiction,entailment,neutral",
        in_order=corpus != _HANS,
    )
    return scored.document


def _percent(share: float | None) -> str:
    assert share is not None
    return f"{100 * share:.1f}"


def _released(file: str) -> Path:
    from nliprobe.base.files import data_roots

    for root in data_roots(None):
        path = root / "predictions" / "bert-base-mnli-seed1" / file
        if path.is_file():
            return path
    raise DataError(f"The released answers {file} are not here: set NLIPROBE_DATA to the folder above 'predictions'.")


BLOCKS: dict[str, Callable[[], str]] = {
    "table": swap_block,
    "stress": stress_block,
    "released": released_block,
    "hans": hans_block,
    "consistency": consistency_block,
}
