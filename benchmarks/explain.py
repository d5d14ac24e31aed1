"""1,000 explanations of the SVM on SNLI and on InfoTabS paragraphs, the ``lime`` package beside it, and neighbours.

An explanation weighs words and, where a premise has several, rows or sentences, from 500 masks each, and checks how
faithful it is. Where ``lime`` is installed, both explain the same texts by their words, in turns, from 500 masks each.
The package checks nothing and chooses no features, which is its fastest way; ours does its checks. Neighbours are five
of 200,000 vectors of 384 numbers.
"""

from __future__ import annotations

import os
import statistics
import time
import tracemalloc
import warnings
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from measure import corpora, median_of, report
from nliprobe.api.sources import open_source
from nliprobe.explain.lime import explain
from nliprobe.explain.nearest import nearest, unit_length
from nliprobe.explain.target import target_of
from nliprobe.explain.words import Words
from nliprobe.models.svm import Svm
from nliprobe.models.system import System, SystemSpec
from nliprobe.task.case import Input
from nliprobe.task.pair import Pair
from nliprobe.training.fit import read_examples

EXPLANATIONS, MASKS = 1000, 500
# Texts that lime explains, too: it takes seconds for some.
COMPARED = 50
POOL, WIDTH, COUNT, REPEATS = 200_000, 384, 5, 9
# By corpus: what the SVM learns from, and what it is asked. Of SNLI only speed matters, so that any split will do.
SPLITS = {"snli": ("snli/test", "snli/dev"), "infotabs": ("infotabs/train", "infotabs/dev")}
# lime explains one text: both are joined by a sign that neither has.
BORDER = "‖"


class Spent(NamedTuple):
    """Seconds of the clock and of all cores."""

    wall: float
    processor: float


def spent(work: Callable[[], object]) -> Spent:
    start, used = time.perf_counter(), time.process_time()
    work()
    return Spent(time.perf_counter() - start, time.process_time() - used)


def trained(source: str) -> System:
    opened = open_source(source)
    system = System.build(SystemSpec.parse("svm"), model=Svm(), train={opened.name: opened.digest()})
    assert isinstance(system.model, Svm)
    system.model.fit(read_examples(system.learning_reader, [opened]))
    return system


def as_text(system: System, pair: Pair) -> Pair:
    """The pair as the system reads it, as one text that has words and no units."""
    asked = system.reader.read_pair(pair)
    return Pair(pair.id, asked.premise, asked.hypothesis, sentences=((0, len(asked.premise)),))


def words_of(text: str) -> list[str]:
    return [text[slice(*span)] for span in Words.of(text).spans]


def margins(system: System, place: int, texts: Sequence[str]) -> NDArray[np.float64]:
    """Answer lime: a row per text, with the margin that is explained in the second column."""
    both = [text.partition(BORDER) for text in texts]
    rows = system.model.margins([Input("", (premise.strip(),), claim.strip()) for premise, _, claim in both])
    values = np.array(rows)[:, place]
    return np.stack([-values, values], axis=1)


def by_lime(system: System, pair: Pair) -> None:
    from lime.lime_text import LimeTextExplainer

    asked = system.reader.read_pair(pair)
    place = system.model.partition.blocks.index(target_of(system, asked).label)
    explainer = LimeTextExplainer(
        bow=False, mask_string="", split_expression=words_of, feature_selection="none", random_state=0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        explainer.explain_instance(
            f"{asked.premise} {BORDER} {asked.hypothesis}",
            lambda texts: margins(system, place, texts),
            num_samples=MASKS,
        )


def compared(system: System, pairs: Sequence[Pair]) -> dict[str, object]:
    """The same texts by their words, in turns, so that both see the same load of the machine."""
    if find_spec("lime") is None:
        return {"lime_ratio": None, "lime_ratio_by_processor": None}
    by_lime(system, pairs[0])  # imports the package
    ours, theirs = [], []
    # Threads of matrix products turn round for a while after their work: those of one would run in the other's time.
    with threadpool_limits(limits=1, user_api="blas"):
        for pair in pairs:
            ours.append(spent(lambda pair=pair: explain(system, pair)))  # type: ignore[misc]
            theirs.append(spent(lambda pair=pair: by_lime(system, pair)))  # type: ignore[misc]
    return {
        "lime_texts": len(pairs),
        "lime_seconds": sum(one.wall for one in theirs),
        "ours_seconds": sum(one.wall for one in ours),
        "lime_ratio": statistics.median(two.wall / one.wall for one, two in zip(ours, theirs, strict=True)),
        "lime_ratio_by_processor": sum(one.processor for one in theirs) / sum(one.processor for one in ours),
    }


def explanations(train: str, asked: str) -> dict[str, object]:
    system = trained(train)
    pairs = list(islice(open_source(asked).pairs(), EXPLANATIONS))
    explain(system, pairs[0])
    whole = spent(lambda: [explain(system, pair) for pair in pairs])
    return {
        "explanations": len(pairs),
        "seconds": whole.wall,
        "processor_seconds": whole.processor,
        "words": statistics.fmean(len(words_of(system.reader.read_pair(pair).premise)) for pair in pairs),
        **compared(system, [as_text(system, pair) for pair in pairs[:COMPARED]]),
    }


def neighbours() -> dict[str, object]:
    random = np.random.default_rng(0)
    pool = unit_length(random.normal(size=(POOL, WIDTH)).astype(np.float32))
    asked = unit_length(random.normal(size=(1, WIDTH)).astype(np.float32))
    plain = np.argsort(-(pool.astype(np.float64) @ asked[0].astype(np.float64)), kind="stable")[:COUNT].tolist()
    [found] = nearest(pool, asked, COUNT)
    assert found.places == plain, "the same as by sorting all cosines"
    tracemalloc.start()
    nearest(pool, asked, COUNT)
    more = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return {
        "vectors": POOL,
        "numbers": WIDTH,
        "seconds": median_of(lambda: nearest(pool, asked, COUNT), REPEATS),
        "seconds_by_sorting_all": median_of(lambda: np.argsort(-(pool @ asked[0]), kind="stable")[:COUNT], REPEATS),
        "pool_mb": pool.nbytes / 1e6,
        "more_mb_while_searching": more / 1e6,
    }


def main() -> None:
    result: dict[str, object] = {"masks": MASKS, "neighbours": neighbours()}
    if corpora() is not None:
        result |= {name: explanations(*splits) for name, splits in SPLITS.items()}
    # On a busy machine only processor seconds and ratios mean something.
    result["load_average"] = os.getloadavg()[0]
    must = {"seconds of 1,000 explanations": 60, "lime_ratio": 2, "seconds of neighbours": 1}
    report("explain", {**result, "must": must})


if __name__ == "__main__":
    main()
