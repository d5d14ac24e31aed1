"""Read files of recorded answers (compressed JSON), and refuse damaged ones with a clear message."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from nliprobe.base.errors import DataError, UsageError, did_you_mean

Refuse = Callable[[str], NoReturn]
ENDING = ".json.gz"


def known_names() -> tuple[str, ...]:
    """Return the names of the answers that the tables of all papers read, and that a user's folder can replace."""
    from nliprobe.papers.evidence import answers_file as evidence
    from nliprobe.papers.infotabs import answers_file as infotabs
    from nliprobe.papers.swap import answers_file as swap

    return (*infotabs.NAMES, *evidence.NAMES, *swap.NAMES)


def check_folder(folder: Path) -> None:
    """Raise if a user's folder holds no answers, or answers that no table uses."""
    from nliprobe.papers.swap.grid_files import has_grids

    known = known_names()
    names = sorted(path.name.removesuffix(ENDING) for path in folder.glob(f"*{ENDING}"))
    grids = has_grids(folder)
    if not names and not grids:
        raise UsageError(f"{folder} holds no answers: expected files such as para{ENDING}, of {', '.join(known)}.")
    for name in names:
        if name not in known:
            raise UsageError(f"No table has a place for {folder / name}{ENDING}. {did_you_mean(name, known)}")


@dataclass(frozen=True)
class RecordedAnswers:
    """What every file of answers says about the model that gave them.

    Attributes:
        path: the file.
        system: the name of the model.
        encoder: what it was trained from.
        premise: what it sees of the premise, such as ``full`` or ``none``.
        train: what it learnt from.
        made_by: the commands that trained it and kept its answers.
    """

    path: Path
    system: str
    encoder: str
    premise: str
    train: tuple[str, ...]
    made_by: str


class NotMeasuredError(DataError):
    """There are no answers to what is asked now: none at all, or only to something else."""


def seeds_words(seeds: Collection[str]) -> str:
    """Name the seeds behind a number.

    >>> seeds_words(["0", "1"]), seeds_words(["0"])
    ('mean of seeds 0, 1', 'seed 0')
    """
    numbers = ", ".join(seeds)
    return f"mean of seeds {numbers}" if len(seeds) > 1 else f"seed {numbers}"


def find_answer_file(name: str, *folders: Path | None) -> Path | None:
    """Return the file of some answers: that of the first folder which has one."""
    paths = [folder / f"{name}{ENDING}" for folder in folders if folder is not None]
    return next((path for path in paths if path.is_file()), None)


def read_answer_file(path: Path, texts: Sequence[str], refuse: Refuse) -> dict[str, object]:
    """Return the content of a file, in which ``texts`` name texts and ``train`` a list of corpora."""
    try:
        content = json.loads(gzip.decompress(path.read_bytes()))
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{path} is not a whole gzip file ({error}). Copy or make it again.") from error
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path} does not hold JSON ({error}). Copy or make it again.") from error
    if not isinstance(content, dict):
        refuse("a JSON object")
    for name in texts:
        if not isinstance(content.get(name), str):
            refuse(f"a text under '{name}'")
    train = content.get("train")
    if not isinstance(train, list) or not all(isinstance(name, str) for name in train):
        refuse("a list of corpora under 'train'")
    return content
