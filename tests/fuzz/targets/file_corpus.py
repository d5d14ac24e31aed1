"""Pairs of a user's own file: columns guessed or named, labels, ids, tables in cells, groups and facets."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tests.fuzz.harness import Target
from tests.fuzz.targets._attempts import (
    PAIRS_CSV,
    PAIRS_JSONL,
    PAIRS_TSV,
    TABLES_JSONL,
    attempt,
    require_pairs_can_be_written,
)

from nliprobe.base.registry import Spec
from nliprobe.corpora.check import check_corpus
from nliprobe.corpora.file import FileCorpus

_DERIVED = (
    "uid,premise,hypothesis,label,from,rule\n1,a,b,E,,\n2,a,c,,1,same_label\n"
    '3,a,d,,1,"{""name"": ""same_label""}"\n4,a,e,,2,monotone E down\n'
)
_LISTS = '[{"premise": "a", "hypothesis": "b", "label": 0, "tags": ["x", "y", 3, null]}]'
_OPTIONS = (
    "",
    "label=none&facets=genre;tags",
    "labels=entailment,neutral,contradiction&group=genre",
    "id=uid&base=from&expects=rule",
    "partition=E|NC&header=hypothesis&title=id",
)


def _seeds() -> list[bytes]:
    return [text.encode() for text in (PAIRS_CSV, PAIRS_TSV, PAIRS_JSONL, TABLES_JSONL, _DERIVED, _LISTS)]


def _run(data: bytes, folder: Path) -> None:
    # What begins like JSON is read as JSON whatever a name says, so these three reach every reader.
    for name in ("x.csv", "x.tsv", "x.jsonl"):
        path = folder / name
        path.write_bytes(data)
        attempt(*(partial(_read, f"file:{path}" + (f"?{options}" if options else "")) for options in _OPTIONS))


def _read(spec: str) -> None:
    corpus = FileCorpus.from_spec(Spec.parse(spec), [])
    corpus.digest()
    check_corpus(corpus)
    require_pairs_can_be_written(corpus.pairs())


TARGET = Target("file_corpus", _seeds, _run)
