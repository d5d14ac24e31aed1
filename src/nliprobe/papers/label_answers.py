"""Make recorded answers from labels that were given elsewhere, in the order of the inputs that were asked.

A GPU machine answers many networks with one label per distinct input of a suite (``labels`` in a plan of
:mod:`nliprobe.api.remote_job`). Here the cases of the suite are made again, and each gets the label of what it reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from nliprobe.api.plan import read_inputs
from nliprobe.api.remote_job import inputs_digest
from nliprobe.base.errors import DataError
from nliprobe.base.files import read_json
from nliprobe.base.hashing import digest
from nliprobe.papers.probe_answers import UNCHANGED
from nliprobe.task.case import IDENTITY, Case

# Labels by the ids of inputs.
Labels = Mapping[str, str]


class AskedCases(NamedTuple):
    """The cases of one corpus in their order: for each probe the ids of the inputs, pair by pair."""

    corpus: str
    digest: str
    suite: str
    cases: dict[str, str]
    inputs: dict[str, list[list[str]]]


def read_labels(inputs: Path, files: Mapping[str, Path]) -> dict[str, Labels]:
    """Read files of labels over the same inputs, by the names of the systems."""
    items = read_inputs(inputs)
    expected = inputs_digest(items)
    labels: dict[str, Labels] = {}
    for name, path in files.items():
        content = read_json(path)
        letters = content.get("labels")
        if content.get("inputs") != expected or not isinstance(letters, str | list) or len(letters) != len(items):
            raise DataError(f"{path} answers other inputs than those of {inputs}.")
        labels[name] = {item.id: str(letter) for item, letter in zip(items, letters, strict=True)}
    return labels


def asked_cases(corpus: str, probes: Sequence[str], premise: str, root: Path | None) -> AskedCases:
    """Make the cases of some probes on a corpus, and note what a system reads of each; ``gold`` is always asked."""
    from nliprobe.api.sources import open_source
    from nliprobe.probes.suite import Suite
    from nliprobe.represent.controls import Control
    from nliprobe.represent.reader import Reader, build_representation
    from nliprobe.task.source import Pool

    source = open_source(corpus, root)
    suite = Suite.build([source], probes)
    reader = Reader(build_representation("para"), Control.parse(premise), seed=0, keyed=False)
    reader.enter(Pool.of(source) if reader.needs_pool else None)
    ids: dict[str, list[str]] = {probe.spec: [] for probe in suite.probes}
    inputs: dict[str, list[list[str]]] = {probe.spec: [] for probe in suite.probes}
    read: dict[str, str] = {}
    for _, case in suite.items(source, Pool.of(source) if suite.needs_pool else None):
        if not isinstance(case, Case):
            continue
        if case.probe == IDENTITY:
            for rows in inputs.values():
                rows.append([])
        item = reader.read(case).id
        same = any(read.get(base) == item for base in case.bases)
        inputs[case.probe][-1].append(UNCHANGED if same else item)
        ids[case.probe].append(case.id)
        if case.probe == IDENTITY:
            read[case.id] = item
    cases = {probe: digest(*names) for probe, names in ids.items()}
    return AskedCases(source.name, source.digest(), suite.hash, cases, inputs)


def words(asked: AskedCases, labels: Labels) -> dict[str, str]:
    """Return for each probe a word per pair with the letter of each case, as files of answers hold them."""
    texts: dict[str, str] = {}
    for probe, rows in asked.inputs.items():
        lacking = {item for row in rows for item in row if item != UNCHANGED and item not in labels}
        if lacking:
            raise DataError(f"{len(lacking):,} inputs of {probe} on {asked.corpus} have no label.")
        texts[probe] = " ".join(
            "".join(UNCHANGED if item == UNCHANGED else labels[item] for item in row) for row in rows
        )
    return texts
