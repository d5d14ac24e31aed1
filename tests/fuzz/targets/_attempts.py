"""What several targets share."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable

from nliprobe.base.errors import NliprobeError
from nliprobe.task.case import Prediction
from nliprobe.task.pair import Pair
from nliprobe.task.table import Table

PAIRS_CSV = (
    "id,premise,hypothesis,label,genre\n"
    '1,"A man, asleep, on a bench.",A man rests.,entailment,travel\n'
    '2,"He said ""no""\nand left.",He stayed.,contradiction,fiction\n'
    "3,Ein Café – Zoë’s,It is 😀.,neutral,\n"
)
PAIRS_TSV = "gold_label\tsentence1\tsentence2\tpairID\nentailment\tTwo dogs run.\tDogs move.\t1e\n-\tA.\tB.\t2n\n"
PAIRS_JSONL = (
    '{"pairID": "a1", "sentence1": "A man sleeps.", "sentence2": "A person rests.", "gold_label": "entailment"}\n'
    '{"pairID": "a2", "sentence1": "Ein Caf\\u00e9 \\ud83d\\ude00", "sentence2": "x", "gold_label": "-"}\n'
)
TABLES_JSONL = (
    '{"premise": {"title": "K2", "Height": ["8,611 m"]}, "hypothesis": "K2 is high.", "label": "E"}\n'
    '{"premise": "[[\\"a\\", \\"b\\"], [\\"1\\", \\"2\\"]]", "hypothesis": "a is 1.", "label": "C"}\n'
    '{"premise": "<table><tr><th>Born</th><td>1965</td></tr></table>", "hypothesis": "x", "label": "N"}\n'
)


def attempt(*jobs: Callable[[], object]) -> None:
    """Run all jobs; an error that is a sentence ends only its own job."""
    for job in jobs:
        try:
            job()
        except NliprobeError as error:
            str(error).encode("utf-8", "replace")


def zipped(text: str) -> bytes:
    """Return a text as a gzip file that is the same at any time."""
    return gzip.compress(text.encode(), mtime=0)


def require_pairs_can_be_written(pairs: Iterable[Pair]) -> None:
    """Raise an error where UTF-8 has no bytes for something in a pair: Parquet and pages would fail later."""
    for pair in pairs:
        premise = pair.premise.to_json() if isinstance(pair.premise, Table) else pair.premise
        for text in (pair.id, premise, pair.hypothesis, pair.group, *pair.bases):
            text.encode()
        for facet in pair.facets:
            facet.name.encode()
            facet.value.encode()


def require_answers_can_be_written(answers: Iterable[Prediction]) -> None:
    """Raise an error where UTF-8 has no bytes for a raw answer."""
    for answer in answers:
        (answer.raw or "").encode()
