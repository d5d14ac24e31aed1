"""The stages of a run: generate, represent, ask, write. Each is a function over one shard, or over one system in it.

    generate   :func:`nliprobe.engine.stages.shards`   suite → Shard, in order, in one place
               :func:`write_cases`                   Shard → its pairs, facets and cases in the run folder
    represent  :func:`represent`                     Shard, system → Question: what the system reads, deduplicated
               :func:`look_up`                       Question → Question: what is known is not asked
    ask        :func:`nliprobe.engine.ask.ask`       Question.missing → Asked: the answers of the model
    write      :func:`write_answers`                 Question, Asked → the cache, and the answers in the run folder

**The contract of an executor.** An executor decides where and when the stages run. :mod:`nliprobe.engine.local` runs
*ask* in the calling thread and all others in a second thread; :mod:`nliprobe.engine.on_ray` runs *ask* on workers of a
cluster. What passes between stages is plain data and can be sent to another process. Any executor can be used that
follows these rules:

1. Shards are numbered as they are generated. All other stages of a shard may run anywhere, in any order of shards.
2. ``write_answers`` of a question runs after its ``ask``: the run folder holds all answers of a shard, or none of them.
3. If a system's answers are cached, a question that was looked up before the answers to an earlier one were written is
   given these answers by :func:`settle`; otherwise inputs are asked twice.
4. A system is prepared before it is asked, and nothing else uses its model or its reader at the same time.
5. The :class:`nliprobe.engine.ask.Failures` of a system pass from one of its questions to the next.
6. Answers of a system without a cache are written to its :class:`nliprobe.store.journal.Journal` as they come, and what
   it holds of a shard is known when the shard is looked up again.

Then every executor writes the same run folder, shard by shard.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol, TypeGuard, TypeVar

from nliprobe.engine.ask import Answers, Asked, answered
from nliprobe.models.answers import problem_of
from nliprobe.models.system import System
from nliprobe.store.cache import AnswerCache
from nliprobe.store.frames import case_frames, prediction_frame, read_frame, to_predictions
from nliprobe.store.journal import Journal
from nliprobe.store.run import RunFolder
from nliprobe.store.soundness import KINDS
from nliprobe.task.case import Case, Input, Skip, Status
from nliprobe.task.source import PairSource, Pool

T = TypeVar("T")
# Cases per shard (architecture, "Engine and store"): large enough for batches, small enough for memory.
SHARD_SIZE = 32_768


class Watch(Protocol):
    """Iterates over cases one by one, so that a run can be stopped before the end of a shard."""

    def __call__(self, items: Iterable[T], /) -> Iterator[T]:
        """Yield the items in order; may raise between two of them."""
        ...


class SuiteLike(Protocol):
    """What the engine needs of a suite."""

    @property
    def sources(self) -> Sequence[PairSource]:
        """The corpora, in order."""
        ...

    @property
    def needs_pool(self) -> bool:
        """Whether probes draw from a pool."""
        ...

    def items(self, source: PairSource, pool: Pool | None) -> Iterator[tuple[str, Case | Skip]]:
        """Yield the cases of one split, with its name."""
        ...


class Shard(NamedTuple):
    """Some cases of one suite, in order, with the corpus of each. ``skips`` counts pairs that gave no case."""

    number: int
    corpora: list[str]
    cases: list[Case]
    skips: Counter[tuple[str, str, str]]
    pools: dict[str, Pool]


def shards(suite: SuiteLike, size: int = SHARD_SIZE, *, pools: bool = False, watch: Watch = iter) -> Iterator[Shard]:
    """Yield the suite as shards; a shard may hold cases of several corpora, with their pools if asked for."""
    number = 0
    known: dict[str, Pool] = {}
    corpora: list[str] = []
    cases: list[Case] = []
    skips: Counter[tuple[str, str, str]] = Counter()
    for source in suite.sources:
        pool = Pool.of(source) if pools or suite.needs_pool else None
        if pool is not None:
            known[source.name] = pool
        for corpus, case in watch(suite.items(source, pool if suite.needs_pool else None)):
            if isinstance(case, Skip):
                skips[corpus, case.probe, case.reason] += 1
                continue
            corpora.append(corpus)
            cases.append(case)
            if len(cases) == size:
                yield Shard(number, corpora, cases, skips, dict(known))
                number, corpora, cases, skips = number + 1, [], [], Counter()
                known = {corpus: known[corpus]} if corpus in known else {}
    if cases or skips:
        yield Shard(number, corpora, cases, skips, dict(known))


def read_shard(system: System, shard: Shard, watch: Watch = iter) -> list[Input]:
    """Return the input that a system reads for each case of a shard."""
    reader = system.reader
    if not reader.needs_pool:
        return [reader.read(case) for case in watch(shard.cases)]
    inputs: list[Input] = []
    entered = ""
    for corpus, case in zip(shard.corpora, watch(shard.cases), strict=True):
        if corpus != entered:
            reader.enter(shard.pools[corpus])
            entered = corpus
        inputs.append(reader.read(case))
    return inputs


def distinct(inputs: Sequence[Input]) -> dict[str, Input]:
    """Return each input once, by its id, in order."""
    by_id: dict[str, Input] = {}
    for item in inputs:
        by_id.setdefault(item.id, item)
    return by_id


def by_length(inputs: Sequence[Input]) -> list[Input]:
    """Sort inputs, longest first: batches of similar length need little padding, and too large a batch fails early."""
    return sorted(inputs, key=lambda item: (-sum(map(len, item.segments)) - len(item.hypothesis), item.id))


def by_premise(inputs: Sequence[Input]) -> list[Input]:
    """Sort inputs by their premises: a service that keeps the beginning of a prompt computes each premise once.

    Premises that begin alike, such as edits of one table, are neighbours, too.
    """
    return sorted(inputs, key=lambda item: (item.form, item.premise, item.hypothesis, item.id))


class Question(NamedTuple):
    """What one system will be asked about one shard.

    Attributes:
        shard: the number of the shard.
        case_ids: its cases, in order.
        input_ids: what the system reads for each case.
        known: answers that need not be asked for, by input id.
        missing: the inputs that must be asked, in the order in which they are asked.
        reused: how many answers came from the cache or from the journal.
    """

    shard: int
    case_ids: list[str]
    input_ids: list[str]
    known: Answers
    missing: list[Input]
    reused: int = 0


def represent(system: System, shard: Shard, watch: Watch = iter) -> Question:
    """Turn the cases of a shard into what a system reads; each distinct input is missing, once."""
    inputs = read_shard(system, shard, watch)
    missing = list(distinct(inputs).values())
    return Question(shard.number, [case.id for case in shard.cases], [item.id for item in inputs], {}, missing)


def look_up(system: System, question: Question, before: Answers, cache: AnswerCache | None) -> Question:
    """Remove what is known from what is missing, and sort the rest into the order in which it is asked.

    Args:
        system: whom to ask.
        question: what is to be asked.
        before: answers that are in the run already; see :func:`answers_before`.
        cache: what the system has answered in other runs.
    """
    missing = [item for item in question.missing if item.id not in before] if before else question.missing
    cached = answered(cache.get([item.id for item in missing])) if cache is not None else {}
    if cached:
        missing = [item for item in missing if item.id not in cached]
    if not system.model.keyed:
        missing = by_premise(missing) if system.model.order == "premise" else by_length(missing)
    return question._replace(known={**before, **cached} if before else cached, missing=missing, reused=len(cached))


def settle(question: Question, answers: Answers) -> Question:
    """Remove what has been answered since the question was looked up."""
    new = {item.id: answers[item.id] for item in question.missing if item.id in answers}
    if not new:
        return question
    return question._replace(
        known={**question.known, **new},
        missing=[item for item in question.missing if item.id not in new],
        reused=question.reused + len(new),
    )


def write_cases(run: RunFolder, shard: Shard) -> None:
    """Write the pairs, facets and cases of a shard, unless they are there."""
    # Cases are written last, so that their file shows that pairs and facets of the shard are there, too.
    if run.has("cases", shard.number, len(shard.cases)) and all(run.has(kind, shard.number) for kind in KINDS):
        return
    frames = case_frames(shard.corpora, shard.cases)
    for kind in KINDS:
        run.write(kind, shard.number, frames[kind])


def write_answers(
    run: RunFolder, kind: str, question: Question, asked: Asked, cache: AnswerCache | None, journal: Path | None
) -> None:
    """Keep the new answers for other runs, and write all answers of the shard; ``kind`` is predictions/<folder>.

    What the journal holds of the shard is then no longer needed.
    """
    if cache is not None:
        cache.add(asked.unkept)
    answers = {**question.known, **asked.answers} if asked.answers else question.known
    predictions = [answers[name] for name in question.input_ids]
    run.write(kind, question.shard, prediction_frame(question.case_ids, question.input_ids, predictions))
    sweep_journal(journal, question.shard)


def answers_before(run: RunFolder, kind: str, shard: int) -> Answers | None:
    """Return the answers that a shard in the folder holds, if some of its inputs failed and are to be asked again.

    None means that nothing failed and the shard is done.
    """
    import polars as pl

    path = run.shard(kind, shard)
    failures = pl.col("status") == Status.FAILED.value
    if not read_frame(path, ["status"]).select(failures.any()).item():
        return None
    answered_rows = read_frame(path).filter(~failures)
    return dict(zip(answered_rows["input_id"].to_list(), to_predictions(answered_rows), strict=True))


def answers_in_journal(folder: Path | None, shard: int) -> Answers:
    """Return the answers that had come when the run was last broken off; they pass the same checks as new ones."""
    if not _has_journals(folder):
        return {}
    return {name: answer for name, answer in Journal(folder).read(shard).items() if not problem_of(answer)}


def sweep_journal(folder: Path | None, shard: int) -> None:
    """Remove what the journal holds of a shard that is complete."""
    if _has_journals(folder):
        Journal(folder).sweep(shard)


def _has_journals(folder: Path | None) -> TypeGuard[Path]:
    """Tell whether the run has journals; ``folder`` is that of a system which may have some, else none."""
    return folder is not None and folder.parent.exists()


def count_failed(run: RunFolder, kind: str) -> int:
    """Return how many inputs failed when a run was last made; the same command asks them again."""
    import polars as pl

    failed = pl.col("status") == Status.FAILED.value
    if not any(frame.select(failed.any()).item() for frame in run.shards(kind, ["status"])):
        return 0
    return run.read(kind, ["input_id", "status"]).filter(failed)["input_id"].n_unique()
