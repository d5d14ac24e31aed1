"""Write files of answers for ``nliprobe reproduce --answers``, from predictions of models trained elsewhere.

``python -m nliprobe.papers.infotabs.write_answers para out/para-0.jsonl.gz out/para-1.jsonl.gz --out answers`` takes
one file of predictions per seed (whatever ``predictions:FILE`` reads) and writes ``answers/para.json.gz``.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from nliprobe.base.errors import DataError, NliprobeError, UsageError
from nliprobe.base.files import write_atomic
from nliprobe.papers.answer_files import ENDING
from nliprobe.papers.infotabs.answers_file import NAMES, read_answers

ORDER = "entailment,neutral,contradiction"
OPTIONAL = ("infotabs/reasoning-dev", "infotabs/reasoning-alpha3")
ON = ("infotabs/dev", "infotabs/alpha1", "infotabs/alpha2", "infotabs/alpha3", *OPTIONAL)


@dataclass(frozen=True)
class Description:
    """The model that a file of answers describes; see :class:`nliprobe.papers.infotabs.answers_file.Answers`."""

    system: str
    encoder: str
    represent: str = "para"
    premise: str = "full"
    train: tuple[str, ...] = ("infotabs/train",)
    made_by: str = ""


def write_answers(
    about: Description,
    files: Sequence[Path],
    out: Path,
    *,
    root: Path | None = None,
    labels: str = ORDER,
    say: Callable[[str], None] = lambda line: None,
) -> Path:
    """Write the answers to every split that the predictions answer; a main split answered in part is an error.

    Args:
        about: the model.
        files: the predictions of seeds 0, 1, …
        out: the folder for the file.
        root: the folder above the corpora.
        labels: the order of scores in the predictions.
        say: is told which splits were left out.
    """
    from nliprobe.api.sources import open_source

    if about.system not in NAMES:
        raise UsageError(f"There is no place for answers '{about.system}'. Available: {', '.join(NAMES)}.")
    seeds = {str(seed): _letters(path, about, root, labels) for seed, path in enumerate(files)}
    splits = [split for split in ON if all(split in answers for answers in seeds.values())]
    if not splits:
        raise DataError(
            f"{files[0]} answers no pair of {', '.join(ON)} as read with represent={about.represent} and "
            f"premise={about.premise}. Name the representation and the premise that the model was asked with."
        )
    for split in ON:
        if split not in splits:
            say(f"{split} is left out: it was not asked")
    content = {
        "system": about.system,
        "encoder": about.encoder,
        "represent": about.represent,
        "premise": about.premise,
        "train": list(about.train),
        "made_by": about.made_by,
        "digests": {split: open_source(split, root).digest() for split in splits},
        "seeds": {seed: {split: answers[split] for split in splits} for seed, answers in seeds.items()},
    }
    path = out / f"{about.system}{ENDING}"
    # Without a time in it, the same answers make the same file.
    write_atomic(path, gzip.compress(json.dumps(content).encode("utf-8"), mtime=0))
    read_answers(path)
    return path


def _letters(path: Path, about: Description, root: Path | None, labels: str) -> dict[str, str]:
    """Return a file's answers to the pairs of each split that it answers."""
    from nliprobe.api.sources import open_source
    from nliprobe.base.registry import Spec
    from nliprobe.models.system import System, SystemSpec
    from nliprobe.represent.controls import Control
    from nliprobe.task.source import Pool

    model = Spec("predictions", str(path))
    control = Control.parse(about.premise)
    system = System.build(SystemSpec(model, represent=about.represent, control=control, labels=labels))
    reader = system.reader
    letters: dict[str, str] = {}
    for split in ON:
        source = open_source(split, root)
        reader.enter(Pool.of(source) if reader.needs_pool else None)
        answers = system.model.predict([reader.read_pair(pair) for pair in source.pairs()])
        known = [answer for answer in answers if answer.label is not None]
        # A split that was never asked has a few answers if another split shares some of its inputs.
        if known and len(known) < len(answers) and split not in OPTIONAL:
            raise DataError(f"{path} answers {len(known):,} of the {len(answers):,} pairs of {split}, not all.")
        if any(answer.label is not None and len(answer.label) > 1 for answer in known):
            raise DataError(f"{path} answers {split} with fewer than three labels; the tables need E, N and C.")
        if len(known) == len(answers):
            letters[split] = "".join(str(answer.label) for answer in known)
    return letters


@click.command("write_answers")
@click.argument("name")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder for the answers.")
@click.option("--encoder", required=True, help="What the model was trained from, such as all-MiniLM-L6-v2.")
@click.option("--represent", default="para", show_default=True, help="The representation it reads.")
@click.option("--premise", default="full", show_default=True, help="The premise control it was asked with.")
@click.option("--train", multiple=True, default=("infotabs/train",), show_default=True, help="What it learnt from.")
@click.option("--made-by", default="", help="The command that trained it.")
@click.option("--labels", default=ORDER, show_default=True, help="The order of scores in the files.")
@click.option("--from", "root", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Corpora.")
def main(
    name: str,
    files: tuple[Path, ...],
    out: Path,
    encoder: str,
    represent: str,
    premise: str,
    train: tuple[str, ...],
    made_by: str,
    labels: str,
    root: Path | None,
) -> None:
    """Write NAME.json.gz from one FILE of predictions per seed, in the order of the seeds."""
    about = Description(name, encoder, represent, premise, train, made_by)
    try:
        click.echo(str(write_answers(about, files, out, root=root, labels=labels, say=click.echo)))
    except NliprobeError as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
