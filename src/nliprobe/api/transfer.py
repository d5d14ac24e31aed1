"""Transfer of sentence embeddings: how far a model's vectors of single texts serve nine other tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.api._transfer_cache import keep, kept
from nliprobe.api.resolve import expand_seeds
from nliprobe.api.systems import GivenSystem, SystemsLike, as_systems
from nliprobe.api.transfer_documents import SCHEMA, TransferDocument, TransferSystemDocument
from nliprobe.base.errors import ModelError, NotFoundError, UsageError, option
from nliprobe.base.hashing import digest
from nliprobe.corpora.transfer.tasks import TASKS, check_task, open_task
from nliprobe.models import MODELS
from nliprobe.models.base import Model
from nliprobe.models.glove import Glove
from nliprobe.models.system import SystemSpec
from nliprobe.task.labels import LabelMap
from nliprobe.training.transfer import FOLDS, VERSION, Answered, run_task, steps

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.corpora.transfer.task import TransferTask

    Vectors = NDArray[np.float32]

# Texts embedded at once, so that progress is seen.
_BATCH = 8192
BASELINE = "glove"

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, repr=False)
class Transfer:
    """How far vectors serve other tasks; ``document`` is that of ``nliprobe score --transfer``."""

    document: TransferDocument

    def __repr__(self) -> str:
        systems = ", ".join(system["system"] for system in self.document["systems"])
        return f"<Transfer of {systems} to {', '.join(task['task'] for task in self.document['tasks'])}>"


class _Embedder(NamedTuple):
    name: str
    spec: str
    model: Model
    baseline: bool = False


def transfer(
    systems: SystemsLike,
    tasks: str | Sequence[str] = (),
    *,
    root: str | Path | None = None,
    folds: int = FOLDS,
    seed: int = 0,
    progress: Progress = lambda what, done, total: None,
    say: Callable[[str], None] = lambda line: None,
) -> Transfer:
    """Test the vectors of models on other tasks: logistic regression over frozen vectors of sentences.

    Mean GloVe is tested beside them where there are word vectors, and so are a constant answer and chance. What was
    computed for a model with a fingerprint is kept in the cache: repeating a call is free, and one that was stopped
    continues.

    Args:
        systems: whose vectors to test: spec strings such as ``trained:models/infersent`` or ``glove``, or models with
            a method ``embed``.
        tasks: some of mr, cr, mpqa, subj, sst2, trec, mrpc, sick-e and sick-r; all by default.
        root: the folder above the tasks' files; by default that of NLIPROBE_DATA.
        folds: of tasks without splits of their own.
        seed: of the folds.
        progress: is told what is being done, and how many of how many steps are done.
        say: called with a line per result.
    """
    if folds < 2:
        raise UsageError(f"The number of folds should be at least 2, not {folds}.")
    from nliprobe.api._transfer_measures import task_document

    names = [tasks] if isinstance(tasks, str) else list(tasks)
    for name in names:
        check_task(name)
    embedders, notes = _embedders(as_systems(systems))
    # All files are read before anything is computed, so that a missing one is said at once.
    opened = [open_task(name, None if root is None else Path(root)) for name in dict.fromkeys(names or TASKS)]
    job = _Job(folds, seed, progress, say, sum(1 + steps(task, folds) for task in opened) * len(embedders))
    # A model that embeds nothing should not cost the work on the others; one that is not asked need not be loaded.
    for one in embedders:
        if any(not job.knows(one, task) for task in opened):
            _vectors(one, ["A dog runs."])
    tested = {(one.name, task.name): job.run(one, task) for one in embedders for task in opened}
    glove = next((one for one in embedders if one.baseline), None)
    return Transfer(
        {
            "schema": SCHEMA,
            "seed": seed,
            "tasks": [task_document(task, tested[embedders[0].name, task.name]) for task in opened],
            "systems": [_system(one, opened, tested, glove) for one in embedders],
            "notes": [*notes, *(f"{one.name}: {note}" for one in embedders for note in one.model.notes())],
        }
    )


def _system(
    one: _Embedder,
    tasks: Sequence[TransferTask],
    tested: dict[tuple[str, str], Answered],
    glove: _Embedder | None,
) -> TransferSystemDocument:
    from nliprobe.api._transfer_measures import result_document

    results = []
    for task in tasks:
        baseline = None if glove is None or one is glove else tested[glove.name, task.name]
        results.append(result_document(task, tested[one.name, task.name], baseline))
    return {"system": one.name, "spec": one.spec, "baseline": one is glove, "results": results}


def _embedders(systems: Sequence[str | GivenSystem]) -> tuple[list[_Embedder], list[str]]:
    """Return the models to test, and mean GloVe after them unless it is among them; the notes say if it is missing."""
    if not systems:
        raise UsageError(f"Name the models whose vectors are tested with {option('system', python='systems')}.")
    built: list[_Embedder] = []
    for asked in systems:
        if isinstance(asked, GivenSystem):
            spec, model = asked.build()
            built.append(_Embedder(asked.name, str(spec.model), model, isinstance(model, Glove)))
            continue
        for system in expand_seeds(SystemSpec.parse(asked)):
            labels = LabelMap.parse(system.labels) if system.labels else None
            model = MODELS.get(system.model.name).from_spec(system.model, labels)
            built.append(_Embedder(system.name, str(system.model), model, isinstance(model, Glove)))
    names = [one.name for one in built]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"Two systems are named '{twice}'. Tell them apart with name=…")
    notes: list[str] = []
    if not any(one.baseline for one in built):
        try:
            baseline = Glove()
            baseline.check()
            built.append(_Embedder("mean GloVe" if BASELINE in names else BASELINE, BASELINE, baseline, baseline=True))
        except NotFoundError as error:
            notes.append(f"Mean GloVe, the baseline of all vectors, is not measured. {error}")
    return built, notes


def _vectors(one: _Embedder, texts: Sequence[str]) -> Vectors:
    """Return the vectors of texts; what is no table of finite numbers is an error that names the system."""
    import numpy as np

    vectors = np.asarray(one.model.embed(texts), dtype=np.float32)
    if vectors.ndim != 2 or len(vectors) != len(texts) or not vectors.shape[1]:
        raise ModelError(
            f"'{one.name}' should give {len(texts):,} texts one vector each, all of one width, but gave an array of "
            f"shape {vectors.shape}."
        )
    if not np.isfinite(vectors).all():
        place = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
        raise ModelError(f"'{one.name}' gave a vector with something that is not a number for {texts[place]!r:.80}.")
    return vectors


class _Job:
    """Tests one system on one task after the other, and keeps what it found."""

    def __init__(self, folds: int, seed: int, progress: Progress, say: Callable[[str], None], total: int) -> None:
        self._folds, self._seed = folds, seed
        self._progress, self._say = progress, say
        self._done, self._total = 0, total
        self._embedded: tuple[tuple[str, str], dict[str, int], Vectors] | None = None

    def knows(self, one: _Embedder, task: TransferTask) -> bool:
        """Tell whether the answers are in the cache."""
        key = self._key(one, task)
        return key is not None and kept(key) is not None

    def run(self, one: _Embedder, task: TransferTask) -> Answered:
        """Return the answers of a system to a task, from the cache if they are there."""
        from nliprobe.api._transfer_measures import result_document

        what, key = f"{one.name} on {task.name}", self._key(one, task)
        end = self._done + 1 + steps(task, self._folds)
        tested = None if key is None else kept(key)
        if tested is None:
            self._advance(what, 0)
            places, vectors = self._embed(one, task)
            first = vectors[[places[text] for text in task.first]]
            second = vectors[[places[text] for text in task.second]] if task.second else None
            self._advance(what)
            tested = run_task(
                task, first, second, folds=self._folds, seed=self._seed, advance=lambda: self._advance(what)
            )
            if key is not None:
                keep(key, task, tested)
        self._advance(what, end - self._done)
        result = result_document(task, tested, None)
        main = result["accuracy"] or result["pearson"]
        self._say(f"{what}: {'–' if main is None or main['value'] is None else format(main['value'], '.4f')}")
        return tested

    def _embed(self, one: _Embedder, task: TransferTask) -> tuple[dict[str, int], Vectors]:
        """Return the vectors of the distinct texts of a task; SICK's two tasks have the same."""
        import numpy as np

        name = (one.name, digest(*task.first, *task.second))
        if self._embedded is not None and self._embedded[0] == name:
            return self._embedded[1], self._embedded[2]
        self._embedded = None
        texts = list(dict.fromkeys((*task.first, *task.second)))
        parts = [_vectors(one, texts[start : start + _BATCH]) for start in range(0, len(texts), _BATCH)]
        widths = {part.shape[1] for part in parts}
        if len(widths) > 1:
            raise ModelError(f"'{one.name}' gave vectors of {' and of '.join(map(str, sorted(widths)))} numbers.")
        self._embedded = (name, {text: place for place, text in enumerate(texts)}, np.concatenate(parts))
        return self._embedded[1], self._embedded[2]

    def _key(self, one: _Embedder, task: TransferTask) -> str | None:
        fingerprint = one.model.fingerprint()
        if fingerprint is None:
            return None
        return digest("transfer", str(VERSION), fingerprint, task.digest, str(self._folds), str(self._seed))

    def _advance(self, what: str, count: int = 1) -> None:
        self._done += count
        self._progress(what, self._done, self._total)
