"""Fill the rows of tables of accuracies: baselines are trained and asked now, other models have shipped answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.papers.recipes import Cell, Computed, Folders, Value

if TYPE_CHECKING:
    from nliprobe.papers.infotabs.answers_file import Answers

TRAIN = "infotabs/train"
SPLITS = ("dev", "alpha1", "alpha2", "alpha3")
SUBSTITUTE = (
    "The paper's checkpoints of {} are not available here. Each such row is compared with another encoder that reads "
    "the same, named under 'by'; rows that read the same are compared with the same model. None reproduces a row."
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

    def score_answers(self, rows: Sequence[str], name: str) -> Answers | None:
        """Fill rows with the accuracy of the answers of a name, and return the answers."""
        from nliprobe.papers.infotabs._scores import accuracy, over_seeds, read_gold

        recorded = self.find(rows, name)
        for split in SPLITS:
            value: Value | None = None
            if recorded is not None and (asked := f"infotabs/{split}") in recorded.digests:
                gold = read_gold(asked, self.folders.root)
                answers = recorded.to(asked, gold.digest, gold.letters)
                value = over_seeds([accuracy(gold.letters, letters) for letters in answers], recorded.by)
            self.values.update({Cell(row, split): value for row in rows})
        return recorded

    def find(self, rows: Sequence[str], name: str) -> Answers | None:
        """Return the answers of a name, with a note if there are none or not for every split."""
        from nliprobe.papers.infotabs.answers_file import find_answers

        recorded = find_answers(name, self.folders.answers)
        if recorded is None:
            self.notes.append(f"{', '.join(rows)}: not measured (there are no answers '{name}').")
            return None
        if lacking := [split for split in SPLITS if f"infotabs/{split}" not in recorded.digests]:
            self.notes.append(f"{', '.join(rows)}: not measured on {', '.join(lacking)}.")
        return recorded

    def done(self, *notes: str) -> Computed:
        """Return all rows; the given notes come first."""
        return Computed(self.values, [*notes, *self.notes])


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
