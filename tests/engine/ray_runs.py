"""A corpus, models that log what they are asked, and comparisons of run folders, for the tests of the Ray engine."""

from __future__ import annotations

import json
from collections import Counter
from itertools import cycle
from pathlib import Path

from nliprobe.store.run import RunFolder

# Its models do what the file "do" in their folder says: "kill" once, "poison" always, "slow", "fail", "mistake", or be
# slow after so many processes have met ("meet 2").
MODEL = """
import os, signal, time
from pathlib import Path

HERE = Path(__file__).parent
LABELS = ("entailment", "neutral", "contradiction")

def predict(pairs, **params):
    what = (HERE / "do").read_text() if (HERE / "do").exists() else ""
    if what.startswith("meet"):
        (HERE / "met").mkdir(exist_ok=True)
        (HERE / "met" / str(os.getpid())).touch()
        for _ in range(600):
            if len(list((HERE / "met").iterdir())) >= int(what.split()[1]):
                break
            time.sleep(0.1)
    if what == "mistake":
        return len(3)
    answers = []
    for premise, hypothesis in pairs:
        if what == "fail":
            raise ValueError("no answer to be had")
        if what == "fail one" and hypothesis.endswith("77."):
            raise ValueError("not this one")
        if hypothesis.endswith("77."):
            if what == "kill" and not (HERE / "killed").exists():
                (HERE / "killed").touch()
                os.kill(os.getpid(), signal.SIGKILL)
            if what == "poison":
                os.kill(os.getpid(), signal.SIGKILL)
        if what == "slow" or what.startswith("meet"):
            time.sleep(0.01)
        answers.append(LABELS[(len(premise) + len(hypothesis) + sum(map(ord, hypothesis))) % 3])
    with open(HERE / "log", "a") as log:
        log.write("".join(f"{os.getpid()} {hypothesis}\\n" for _, hypothesis in pairs))
    return answers

async def slowly(premise, hypothesis):
    return predict([(premise, hypothesis)])[0]
"""


class Home:
    """A folder with a model and a corpus of pairs, some of which are there twice."""

    def __init__(self, folder: Path, pairs: int = 120) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model.py").write_text(MODEL)
        rows = [
            {"premise": f"There are {number} cows.", "hypothesis": f"The number is {number % 100}.", "label": label}
            for number, label in zip(range(pairs), cycle(("entailment", "neutral", "contradiction")), strict=False)
        ]
        rows += rows[:30]
        (folder / "pairs.jsonl").write_text("\n".join(map(json.dumps, rows)))

    @property
    def system(self) -> str:
        return f"python:{self.folder / 'model.py'}:predict"

    @property
    def on(self) -> str:
        return f"file:{self.folder / 'pairs.jsonl'}"

    def do(self, what: str) -> None:
        """Tell the model what to do from now on."""
        (self.folder / "do").write_text(what)

    @property
    def asked(self) -> Counter[str]:
        """How often each hypothesis was answered."""
        return Counter(line.partition(" ")[2] for line in self._lines)

    @property
    def processes(self) -> set[int]:
        """The processes that answered."""
        return {int(line.partition(" ")[0]) for line in self._lines}

    @property
    def _lines(self) -> list[str]:
        log = self.folder / "log"
        return log.read_text().splitlines() if log.exists() else []

    def forget(self) -> None:
        """Forget what was asked."""
        (self.folder / "log").unlink(missing_ok=True)


def contents(run: Path) -> dict[str, bytes]:
    """All shards of a run with their records, by name; the records of run and systems hold times.

    A process that was killed may leave a file that it was writing, until somebody sweeps it a minute later.
    """
    files = [path for path in run.rglob("*") if path.is_file() and path.suffix != ".partial"]
    return {
        str(path.relative_to(run)): path.read_bytes() for path in files if path.parent not in (run, run / "systems")
    }


def require_whole(run: Path) -> None:
    """Fail unless every case is there once for every system."""
    folder = RunFolder.open(run)
    assert folder.complete
    cases = folder.read("cases")["case_id"].to_list()
    for system in folder.systems:
        assert folder.read(system.predictions)["case_id"].to_list() == cases
    assert not (run / "journal").exists()
