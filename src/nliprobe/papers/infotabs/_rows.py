"""Fill the rows of tables of accuracies: baselines are trained and asked now, other models have shipped answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from nliprobe.papers.recipes import Cell, Computed, Folders, Value

if TYPE_CHECKING:
    from nliprobe.papers.infotabs.answers_file import Answers

TRAIN = "infotabs/train"
SPLITS = ("dev", "alpha1", "alpha2", "alpha3")
# The encoder whose answers are shipped.
_SHIPPED = {"all-MiniLM-L6-v2": "MiniLM"}
NOT_HERE = (
    "{}: not measured, because the paper's checkpoints are not available here. Another encoder that reads the same has "
    "rows of its own, named after it; it reproduces no row of the paper."
)


class Rows:
    """Gathers the rows of one table."""

    def __init__(self, folders: Folders) -> None:
        self.folders = folders
        self.values: dict[Cell, float | Value | None] = {}
        self.notes: list[str] = []

    def train_and_ask(self, row: str, system: str) -> None:
        """Fill a row with a system that is trained on the training split now and asked the others."""
        from nliprobe.papers.infotabs._scores import accuracy, read_gold

        for split, answers in _ask(system, self.folders).items():
            self.values[Cell(row, split)] = accuracy(read_gold(f"infotabs/{split}", self.folders.root).letters, answers)

    def leave(self, printed: Mapping[Cell, float]) -> None:
        """Leave every printed cell that has no value yet unmeasured: it belongs to a model that is not here."""
        self.values.update({cell: None for cell in printed if cell not in self.values})

    def score_answers(self, reading: str, name: str) -> Answers | None:
        """Fill a row of their model with the accuracy of the answers of a name, and return the answers."""
        from nliprobe.papers.infotabs._scores import accuracy, over_seeds, read_gold

        recorded = self.find(reading, name)
        row = row_of(recorded, reading)
        for split in SPLITS:
            value: Value | None = None
            if recorded is not None and (asked := f"infotabs/{split}") in recorded.digests:
                gold = read_gold(asked, self.folders.root)
                answers = recorded.to(asked, gold.digest, gold.letters)
                value = over_seeds([accuracy(gold.letters, letters) for letters in answers], recorded.by)
            self.values[Cell(row, split)] = value
        return recorded

    def find(self, reading: str, name: str) -> Answers | None:
        """Return the answers of a name, with a note if there are none or not for every split."""
        from nliprobe.papers.infotabs.answers_file import find_answers

        recorded = find_answers(name, self.folders.answers)
        row = row_of(recorded, reading)
        if recorded is None:
            self.notes.append(f"{row}: not measured (there are no answers '{name}').")
            return None
        if lacking := [split for split in SPLITS if f"infotabs/{split}" not in recorded.digests]:
            self.notes.append(f"{row}: not measured on {', '.join(lacking)}.")
        return recorded

    def done(self, *notes: str) -> Computed:
        """Return all rows; the given notes come first."""
        return Computed(self.values, [*notes, *self.notes])


def row_of(recorded: Answers | None, reading: str = "") -> str:
    """Return the row of a model that is not the paper's: its name and what it reads.

    >>> row_of(None, "Para")
    'MiniLM Para'
    """
    model = "MiniLM" if recorded is None else _SHIPPED.get(recorded.encoder, recorded.encoder)
    return f"{model} {reading}".strip()


def _ask(name: str, folders: Folders) -> dict[str, str]:
    """Return a system's answers to each split, one letter per pair; known ones come from the cache of all runs."""
    from nliprobe.api.resolve import Request
    from nliprobe.engine.ask import ask_known, open_cache
    from nliprobe.training.fit import make_ready

    request = Request([f"infotabs/{split}" for split in SPLITS], [name], train=[TRAIN], root=folders.root)
    training = request.training()
    [system] = request.build_systems(training)
    ready: set[str] = set()

    def prepare(_: object) -> None:
        if not ready:
            make_ready(system, training)
        ready.add(name)

    cache = open_cache(system)
    answers: dict[str, str] = {}
    for split, source in zip(SPLITS, request.suite().sources, strict=True):
        inputs = [system.reader.read_pair(pair) for pair in source.pairs()]
        answers[split] = "".join(str(answer.label) for answer in ask_known(system, inputs, cache, prepare))
    return answers
