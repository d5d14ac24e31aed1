"""Write files of answers to the checklist from a run over it, other parts of the library and benchmarks.

``python -m nliprobe.papers.checklist.write_answers runs/checklist nli --encoder all-MiniLM-L6-v2
--train snli/train-100k --out answers`` takes the systems of the family ``nli``, one per seed, and writes
``answers/nli.json.gz``.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nliprobe.base.errors import DataError, NliprobeError, NotFoundError
from nliprobe.base.files import write_atomic
from nliprobe.papers.checklist.answers_file import ENDING, read_answers

if TYPE_CHECKING:
    import polars as pl

SUITE = "checklist"


@dataclass(frozen=True)
class Description:
    """The model that a file of answers describes; see :class:`nliprobe.papers.checklist.answers_file.Answers`."""

    encoder: str
    train: tuple[str, ...]
    made_by: str = ""


def write_answers(run: Path, family: str, about: Description, out: Path, *, suite: str = SUITE, name: str = "") -> Path:
    """Write the answers of a family of systems, the first of which is seed 0.

    Args:
        run: a run folder over a suite of templates, other parts of the library (``checklist-paper``) and benchmarks.
        family: the family of the systems.
        about: the model.
        out: the folder for the file.
        suite: the suite whose answers are written, with those to other parts of the library; of the other corpora of
            the run, right answers are counted.
        name: the name of the file, if it is not that of the family.
    """
    import polars as pl

    from nliprobe.store.run import RunFolder

    folder = RunFolder.open(run)
    systems = [item for item in folder.systems if item.family == family]
    if not systems:
        raise NotFoundError(f"{run} has no system of the family '{family}'. Name one with family=… in its spec.")
    digests = {item.name: item.digest for item in folder.corpora}
    if suite not in digests:
        raise DataError(f"{run} was not asked {suite}, but {', '.join(digests)}. Run it with --on {suite}.")
    # The gold probe gives one case per pair, and cases and pairs are in the order of the suite.
    asked = folder.read("cases", ["case_id", "pair_id", "corpus"]).join(
        folder.read("pairs", ["pair_id", "gold"]), on="pair_id", how="left", maintain_order="left"
    )
    parts: dict[str, dict[str, str]] = {
        corpus: {} for corpus in digests if corpus == suite or corpus.partition("?")[0].startswith(SUITE)
    }
    counts: dict[str, dict[str, list[int]]] = {}
    for seed, system in enumerate(sorted(systems, key=lambda item: item.name)):
        answers = folder.predictions(system.name, ["case_id", "label"])
        joined = asked.join(answers, on="case_id", how="left", maintain_order="left")
        for corpus in digests:
            if corpus in parts:
                parts[corpus][str(seed)] = _letters(joined.filter(pl.col("corpus") == corpus), system.name)
            else:
                labelled = joined.filter((pl.col("corpus") == corpus) & pl.col("gold").is_not_null())
                right = int((labelled["gold"] == labelled["label"]).fill_null(value=False).sum())
                counts.setdefault(corpus, {})[str(seed)] = [right, labelled.height]
    content = {
        "system": family,
        "encoder": about.encoder,
        "premise": systems[0].premise,
        "train": list(about.train),
        "made_by": about.made_by,
        "digest": digests[suite],
        "seeds": parts.pop(suite),
        "more": {corpus: {"digest": digests[corpus], "seeds": seeds} for corpus, seeds in parts.items()},
        "counts": counts,
    }
    path = out / f"{name or family}{ENDING}"
    # Without a time in it, the same answers make the same file.
    write_atomic(path, gzip.compress(json.dumps(content).encode("utf-8"), mtime=0))
    read_answers(path)
    return path


def _letters(asked: pl.DataFrame, name: str) -> str:
    labels = asked["label"].to_list()
    if missing := sum(letter is None or len(letter) != 1 for letter in labels):
        raise DataError(f"{name} has no answer, or not one label, for {missing:,} of {len(labels):,} examples.")
    return "".join(labels)


@click.command("write_answers")
@click.argument("run", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("family")
@click.option("--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder for the answers.")
@click.option("--encoder", required=True, help="What the model was trained from, such as all-MiniLM-L6-v2.")
@click.option("--train", multiple=True, required=True, help="What it learnt from.")
@click.option("--made-by", default="", help="The command that trained it.")
@click.option("--suite", default=SUITE, show_default=True, help="The suite whose answers are written.")
@click.option("--name", default="", help="The name of the file, if it is not FAMILY.")
def main(
    run: Path, family: str, out: Path, encoder: str, train: tuple[str, ...], made_by: str, suite: str, name: str
) -> None:
    """Write FAMILY.json.gz from the answers of the systems of a family in a RUN."""
    about = Description(encoder, train, made_by)
    try:
        click.echo(str(write_answers(run, family, about, out, suite=suite, name=name)))
    except NliprobeError as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
