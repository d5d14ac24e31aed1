"""The rows of the tables of accuracies: baselines trained and asked now, other models by the answers kept of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.papers.recipes import Cell, Computed, Folders, Value

if TYPE_CHECKING:
    from nliprobe.papers.infotabs.answers_file import Answers

TRAIN = "infotabs/train"
SPLITS = ("dev", "alpha1", "alpha2", "alpha3")
SUBSTITUTE = (
    "The paper's {} cannot be had here. Beside each such row stands another encoder that reads the same, named under "
    "'by'; where several rows read the same it is one and the same model. It is no reproduction of the row."
)


class Rows:
    """Gathers the rows of one table."""

    def __init__(self, folders: Folders) -> None:
        self.folders = folders
        self.values: dict[Cell, float | Value | None] = {}
        self.notes: list[str] = []

    def train_and_ask(self, row: str, system: str) -> None:
        """Fill a row with a system that learns from the training split and answers the others, here and now."""
        from nliprobe.papers.infotabs._scores import accuracy, read_gold

        for split, answers in _ask(system, self.folders).items():
            self.values[Cell(row, split)] = accuracy(read_gold(f"infotabs/{split}", self.folders.root).letters, answers)

    def beside(self, rows: Sequence[str], name: str) -> Answers | None:
        """Fill rows with the accuracy of the answers of a name."""
        from nliprobe.papers.infotabs._scores import accuracy, over_seeds, read_gold

        found = self.find(rows, name)
        for split in SPLITS:
            value: Value | None = None
            if found is not None and (asked := f"infotabs/{split}") in found.digests:
                gold = read_gold(asked, self.folders.root)
                answers = found.to(asked, gold.digest, gold.letters)
                value = over_seeds([accuracy(gold.letters, letters) for letters in answers], found.by)
            self.values.update({Cell(row, split): value for row in rows})
        return found

    def find(self, rows: Sequence[str], name: str) -> Answers | None:
        """The answers of a name, with a note where there are none or not of every split."""
        from nliprobe.papers.infotabs.answers_file import find_answers

        found = find_answers(name, self.folders.answers)
        if found is None:
            self.notes.append(f"{', '.join(rows)}: not measured (there are no answers '{name}').")
            return None
        if lacking := [split for split in SPLITS if f"infotabs/{split}" not in found.digests]:
            self.notes.append(f"{', '.join(rows)}: not measured on {', '.join(lacking)}.")
        return found

    def done(self, *notes: str) -> Computed:
        """All rows, with notes that come first."""
        return Computed(self.values, [*notes, *self.notes])


def _ask(name: str, folders: Folders) -> dict[str, str]:
    """The answers of a system to each split, a letter a pair; known ones come from the cache of all runs."""
    from nliprobe.api.resolve import Request
    from nliprobe.engine.ask import ask_known
    from nliprobe.engine.caches import open_cache
    from nliprobe.training.fit import make_ready

    request = Request([f"infotabs/{split}" for split in SPLITS], [name], train=[TRAIN], root=folders.root)
    training = request.training()
    [system] = request.build_systems(training)
    ready: set[str] = set()

    def prepare(found: object) -> None:
        if not ready:
            make_ready(system, training)
        ready.add(name)

    cache = open_cache(system)
    answers: dict[str, str] = {}
    for split, source in zip(SPLITS, request.suite().sources, strict=True):
        inputs = [system.reader.read_pair(pair) for pair in source.pairs()]
        answers[split] = "".join(str(answer.label) for answer in ask_known(system, inputs, cache, prepare))
    return answers
