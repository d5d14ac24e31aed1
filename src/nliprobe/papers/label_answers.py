"""Make recorded answers from labels that were given elsewhere, in the order of the inputs that were asked.

A GPU machine answers many networks with one label per distinct input of a suite (``labels`` in a plan of
:mod:`nliprobe.api.remote_job`). Here the cases of the suite are made again, and each gets the label of what it reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from nliprobe.api.plan import read_inputs
from nliprobe.api.remote_job import inputs_digest
from nliprobe.base.errors import DataError
from nliprobe.base.files import read_json
from nliprobe.papers.asked import MadeCorpus
from nliprobe.papers.probe_answers import UNCHANGED


class GivenLabels(NamedTuple):
    """The ids of the inputs that were asked, and what each system answered, in their order."""

    inputs: list[str]
    labels: dict[str, list[str]]


def read_labels(inputs: Path, files: Mapping[str, Path]) -> GivenLabels:
    """Read files of labels over the same inputs, by the names of the systems."""
    items = read_inputs(inputs)
    expected = inputs_digest(items)
    labels: dict[str, list[str]] = {}
    for name, path in files.items():
        content = read_json(path)
        letters = content.get("labels")
        if content.get("inputs") != expected or not isinstance(letters, str | list) or len(letters) != len(items):
            raise DataError(f"{path} answers other inputs than those of {inputs}.")
        labels[name] = list(map(str, letters))
    return GivenLabels([item.id for item in items], labels)


def words(corpus: MadeCorpus, labels: Mapping[str, str]) -> dict[str, str]:
    """Return for each probe a word per pair with the letter of each case, as files of answers hold them.

    Args:
        corpus: the cases, made with a representation, so that what is read for each is known.
        labels: by the ids of inputs.
    """
    read = {case: item for made in corpus.probes.values() for case, item in zip(made.ids, made.inputs, strict=True)}
    lacking = {item for item in read.values() if item not in labels}
    if lacking:
        raise DataError(f"{len(lacking):,} inputs of {corpus.name} have no label: they were made from other cases.")
    texts: dict[str, str] = {}
    for probe, made in corpus.probes.items():
        letters = iter(
            UNCHANGED if any(read.get(base) == item for base in bases) else labels[item]
            for item, bases in zip(made.inputs, made.bases, strict=True)
        )
        texts[probe] = " ".join("".join(next(letters) for _ in range(size)) for size in made.sizes)
    return texts
