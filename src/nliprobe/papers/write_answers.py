"""Write files of answers for ``nliprobe reproduce PAPER --answers``, from runs over corpora and their probes.

``python -m nliprobe.papers.write_answers evidence-para runs/rows runs/counterfactual --family para
--encoder all-MiniLM-L6-v2 --train infotabs/train --out answers`` takes the systems of the family ``para``, one per
seed, and writes ``answers/evidence-para.json.gz``.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.base.errors import DataError, NliprobeError, NotFoundError, UsageError, did_you_mean
from nliprobe.base.files import write_atomic
from nliprobe.papers.answer_files import ENDING
from nliprobe.papers.asked import MadeCorpus
from nliprobe.papers.evidence.answers_file import NAMES as EVIDENCE_NAMES
from nliprobe.papers.label_answers import GivenLabels, words
from nliprobe.papers.probe_answers import UNCHANGED, read_answers
from nliprobe.papers.swap.answers_file import NAMES as SWAP_NAMES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.analysis.cases import Cases, SystemAnswers


NAMES = (*EVIDENCE_NAMES, *SWAP_NAMES)


@dataclass(frozen=True)
class Description:
    """The model that a file of answers describes; see :class:`nliprobe.papers.probe_answers.Answers`."""

    encoder: str
    train: tuple[str, ...]
    made_by: str = ""


class Written:
    """What was asked, and the answers of each seed, gathered from one run after the other."""

    def __init__(self) -> None:
        self.asked: dict[str, dict[str, object]] = {}
        self.seeds: dict[str, dict[str, dict[str, str]]] = {}
        self.views: dict[str, str] = {}

    def add(self, run: Path, family: str) -> None:
        """Add the answers of a family of systems in a run, the first of which is seed 0."""
        from nliprobe.analysis.cases import read_run
        from nliprobe.base.hashing import digest
        from nliprobe.store.run import RunFolder

        folder = RunFolder.open(run)
        records = [item for item in folder.systems if family in (item.family, item.name)]
        if not records:
            raise NotFoundError(f"{run} has no system of the family '{family}'. Name one with family=… in its spec.")
        views = {"represent": records[0].represent, "premise": records[0].premise}
        if self.views not in ({}, views):
            raise DataError(f"{family} reads {views} in {run}, but {self.views} in the runs before it.")
        self.views = views
        data = read_run(folder)
        answers_of = {system.name: system for system in data.systems}
        systems = [answers_of[record.name] for record in sorted(records, key=lambda record: record.name)]
        digests = {item.name: item.digest for item in folder.corpora}
        pairs: dict[str, NDArray[np.int64]] = {}
        cases: dict[str, dict[str, str]] = {}
        for part in data.cases.slices():
            # The first probe is gold, which asks every pair once.
            order = pairs.setdefault(part.corpus, data.cases.pair[part.rows])
            if part.corpus in self.asked:
                raise DataError(f"{part.corpus} is in {run} and in a run before it. Name one run for each corpus.")
            cases.setdefault(part.corpus, {})[part.probe] = digest(*data.cases.ids.gather(part.rows).to_list())
            for seed, system in enumerate(systems):
                of_seed = self.seeds.setdefault(str(seed), {}).setdefault(part.corpus, {})
                of_seed[part.probe] = _words(data.cases, system, part.rows, order)
        suite = folder.record.suite.hash
        self.asked |= {name: {"digest": digests[name], "suite": suite, "cases": made} for name, made in cases.items()}

    def add_labels(self, corpus: MadeCorpus, given: GivenLabels, *, represent: str, premise: str) -> None:
        """Add the labels that each seed gave to the cases of a corpus."""
        self.views = {"represent": represent, "premise": premise}
        cases = {probe: made.digest for probe, made in corpus.probes.items()}
        self.asked[corpus.name] = {"digest": corpus.digest, "suite": corpus.suite, "cases": cases}
        for seed, labels in given.labels.items():
            by_input = dict(zip(given.inputs, labels, strict=True))
            self.seeds.setdefault(seed, {})[corpus.name] = words(corpus, by_input)


def write_answers(name: str, runs: Sequence[Path], family: str, about: Description, out: Path) -> Path:
    """Write the answers of a family of systems.

    Args:
        name: the name of the file, one of those that tables read.
        runs: run folders over different corpora.
        family: the family of the systems in all of them, or the name of a single system.
        about: the model.
        out: the folder for the file.
    """
    if name not in NAMES:
        raise UsageError(f"No table reads answers '{name}'. {did_you_mean(name, NAMES)}")
    written = Written()
    for run in runs:
        written.add(run, family)
    return write_recorded(name, written, about, out)


def write_recorded(name: str, written: Written, about: Description, out: Path) -> Path:
    """Write gathered answers under a name, and read them back to see that they are whole."""
    content = {
        "system": name,
        "encoder": about.encoder,
        **written.views,
        "train": list(about.train),
        "made_by": about.made_by,
        "asked": written.asked,
        "seeds": written.seeds,
    }
    path = out / f"{name}{ENDING}"
    # Without a time in it, the same answers make the same file.
    write_atomic(path, gzip.compress(json.dumps(content).encode("utf-8"), mtime=0))
    read_answers(path)
    return path


def _words(cases: Cases, system: SystemAnswers, rows: NDArray[np.int64], order: NDArray[np.int64]) -> str:
    """Return a word per pair of the corpus, with a letter per case."""
    from nliprobe.task.labels import SETS

    texts = {labels.mask: str(labels) for labels in SETS if len(labels) == 1}
    words: dict[int, list[str]] = {number: [] for number in order.tolist()}
    lacking = 0
    columns = (cases.pair[rows], system.answers[rows], system.unchanged[rows])
    for pair, mask, unchanged in zip(*(column.tolist() for column in columns), strict=True):
        letter = UNCHANGED if unchanged else texts.get(mask, "")
        lacking += not letter
        words[pair].append(letter)
    if lacking:
        raise DataError(f"{system.name} has no answer, or not one label, for {lacking:,} of {len(rows):,} cases.")
    return " ".join("".join(letters) for letters in words.values())


@click.command("write_answers")
@click.argument("name")
@click.argument(
    "runs", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="RUN…"
)
@click.option("--family", required=True, help="The systems in the runs, by their family or name.")
@click.option("--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder for the answers.")
@click.option("--encoder", required=True, help="What the model was trained from, such as all-MiniLM-L6-v2.")
@click.option("--train", multiple=True, required=True, help="What it learnt from.")
@click.option("--made-by", default="", help="The command that trained it.")
def main(
    name: str, runs: tuple[Path, ...], family: str, out: Path, encoder: str, train: tuple[str, ...], made_by: str
) -> None:
    """Write NAME.json.gz from the answers of a family of systems in one RUN or several."""
    try:
        click.echo(str(write_answers(name, runs, family, Description(encoder, train, made_by), out)))
    except NliprobeError as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
