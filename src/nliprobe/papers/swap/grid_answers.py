"""Make the document of a grid from the labels that networks gave on another machine.

``python -m nliprobe.api.remote_job`` trains and asks there and writes one letter per distinct input of a suite. The
cases are made here again, and what is read for each finds its letter by the id of the input.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.api.grid import GridAbout, grid_document
from nliprobe.api.grid_cell import CellResult
from nliprobe.base.errors import DataError
from nliprobe.papers.asked import make_cases, partitions, run_cases
from nliprobe.task.labels import LETTERS

if TYPE_CHECKING:
    from nliprobe.analysis.cases import RunData
    from nliprobe.analysis.grid import GridSystem
    from nliprobe.analysis.grid_documents import GridDocument


@dataclass(frozen=True)
class LabelledSuite:
    """A suite that systems were asked elsewhere.

    Attributes:
        on: its corpora.
        probes: its probes; ``gold`` is always among them.
        inputs: the ids of its distinct inputs.
        labels: what each system answered, by its name: E, N or C in the order of the inputs, ``?`` for no answer.
        represent: how the systems read pairs.
        premise: their premise control.
    """

    on: Sequence[str]
    probes: Sequence[str]
    inputs: Sequence[str]
    labels: Mapping[str, Sequence[str]]
    represent: str = "para"
    premise: str = "full"


def grid_from_labels(
    suites: Sequence[LabelledSuite],
    systems: Mapping[GridSystem, Sequence[float]],
    about: GridAbout,
    over: Sequence[float],
    also: Sequence[Sequence[str]] = (),
    root: Path | None = None,
) -> GridDocument:
    """Make the document of a grid as if it had been trained and asked here.

    Args:
        suites: what was asked, each corpus in one suite only.
        systems: which system is which, with its accuracies on dev.
        about: what they were trained on.
        over: the shares that the deviation adds up.
        also: corpora that are tests themselves, those of one test together.
        root: the folder above the corpora; by default that of NLIPROBE_DATA.
    """
    lacking = sorted({place.system for place in systems} - {name for suite in suites for name in suite.labels})
    failed = dict.fromkeys(lacking, "it was not asked")
    ended = [(place, CellResult(dev=tuple(dev), error=failed.get(place.system, ""))) for place, dev in systems.items()]
    return grid_document([labelled_run(suite, root) for suite in suites], ended, about, over, also)


def labelled_run(suite: LabelledSuite, root: Path | None = None) -> RunData:
    """Return the labels of all systems as the data of a run; those of other inputs than are made here are refused."""
    import numpy as np

    from nliprobe.analysis.cases import NONE, RunData, SystemAnswers
    from nliprobe.task.labels import THREE_WAY, LabelSet

    corpora = [make_cases(name, suite.probes, root, suite.represent) for name in suite.on]
    cases = run_cases(corpora)
    numbers = {name: number for number, name in enumerate(suite.inputs)}
    read = [name for corpus in corpora for made in corpus.probes.values() for name in made.inputs]
    unknown = next((name for name in read if name not in numbers), None)
    if unknown is not None:
        raise DataError(
            f"The labels are of other inputs than those of {', '.join(suite.on)} here: {unknown} is not among them. "
            "A probe or a corpus has changed: ask the networks again."
        )
    places = np.array([numbers[name] for name in read], dtype=np.int64)
    unchanged = (cases.base != NONE) & (places == places[cases.base])
    masks = {letter: LabelSet.of(letter).mask for letter in LETTERS} | {"?": 0}
    systems = []
    for name, labels in suite.labels.items():
        odd = next((label for label in labels if label not in masks), None)
        if odd is not None or len(labels) != len(suite.inputs):
            raise DataError(
                f"{name} should have E, N, C or ? for each of {len(suite.inputs):,} inputs, but has "
                f"{len(labels):,} labels" + ("." if odd is None else f", {odd!r} among them.")
            )
        answers = np.array([masks[label] for label in labels], dtype=np.uint8)[places]
        systems.append(SystemAnswers(name, THREE_WAY, suite.premise, answers, unchanged))
    return RunData(cases, tuple(systems), partitions(corpora))
