"""The six stress tests from 20,000 pairs, beside the same lookups in WordNet made again for every word of every text.

The usual scripts ask WordNet about each word where it stands. Here each distinct word is asked about once, so the
comparison is one of remembering; both sides use the same files and rules of spelling. Antonyms have stricter rules than
the usual way, which takes any noun or adjective that has an opposite.
"""

from __future__ import annotations

import random
import re
import statistics
import sys
import time
from collections.abc import Callable, Sequence

from measure import corpora, report, run_process
from nliprobe.api.sources import open_source
from nliprobe.language import wordnet
from nliprobe.language.spelling import FUNCTION_WORDS
from nliprobe.probes.suite import Suite, probe_specs
from nliprobe.task.case import Case
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool

SPLITS = ("snli/test", "multinli/dev-matched")
REPEATS = 3
ALL = "all"
PARTS: tuple[wordnet.Pos, ...] = ("noun", "verb", "adj", "adv")
WORD = re.compile(r"[a-z]{4,}")


def timed(work: Callable[[], int]) -> tuple[float, int]:
    """Processor seconds, because a comparison of a second or two must not depend on what else the machine does."""
    start = time.process_time()
    made = work()
    return time.process_time() - start, made


def generate(probes: Sequence[str]) -> int:
    """Make all cases of some probes, as a run does, and count those that are not the pairs themselves."""
    suite = Suite.build([open_source(name) for name in SPLITS], probes)
    made = 0
    for source in suite.sources:
        pool = Pool.of(source) if suite.needs_pool else None
        made += sum(isinstance(case, Case) and case.probe != "gold" for _, case in suite.items(source, pool))
    return made


def is_known(source: wordnet.Source, word: str) -> bool:
    return word in FUNCTION_WORDS or any(source.lemma(word, pos) for pos in PARTS)


def naive_spelling(pairs: Sequence[Pair]) -> int:
    """Misspell a word of each hypothesis, asking WordNet about every word and every misspelling anew."""
    source, draw, made = wordnet.source(), random.Random(0), 0
    for pair in pairs:
        words = [item.span() for item in WORD.finditer(pair.hypothesis)]
        known = [span for span in words if is_known(source, pair.hypothesis[slice(*span)])]
        draw.shuffle(known)
        for start, stop in known:
            word = pair.hypothesis[start:stop]
            forms = [word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)]
            wrong = [form for form in forms if form != word and not is_known(source, form)]
            if wrong:
                made += bool(pair.hypothesis[:start] + draw.choice(wrong) + pair.hypothesis[stop:])
                break
    return made


def naive_antonymy(pairs: Sequence[Pair]) -> int:
    """Replace a noun or adjective of each premise by an antonym, asking WordNet about every word anew."""
    source, draw, made = wordnet.source(), random.Random(0), 0
    for premise in dict.fromkeys(str(pair.premise) for pair in pairs):
        candidates = []
        for item in WORD.finditer(premise):
            for pos in ("noun", "adj"):
                base = source.lemma(item.group(), pos)
                synsets = [source.synset(key) for key in source.senses(base, pos)] if base else []
                opposites = [pair.opposite for synset in synsets for pair in synset.antonyms if pair.word == base]
                candidates += [(item.span(), opposite) for opposite in opposites]
        if candidates:
            (start, stop), opposite = draw.choice(candidates)
            made += bool(premise[:start] + opposite + premise[stop:])
    return made


def ours(pairs: Sequence[Pair], test: str) -> int:
    """Make the cases of one test, with the pool of each split."""
    suite = Suite.build([open_source(name) for name in SPLITS], [test])
    pools = {source.name: Pool.of(source) for source in suite.sources}
    probe = suite.probes[-1]
    made = (probe.cases(pair, pools["/".join(pair.id.split("/")[:2])]) for pair in pairs)
    return sum(isinstance(case, Case) for cases in made for case in cases)


def main() -> None:
    if corpora() is None:
        print("stress: NLIPROBE_DATA has no corpora; skipped")
        return
    pairs = [pair for name in SPLITS for pair in open_source(name).pairs()]
    for pos in PARTS:
        wordnet.lemma("word", pos)
    # Ours comes first in each comparison, so that it begins with nothing remembered.
    spelling, spelled = timed(lambda: ours(pairs, "stress.spelling"))
    naive_spelling_seconds, naive_spelled = timed(lambda: naive_spelling(pairs))
    antonymy, opposed = timed(lambda: ours(pairs, "stress.antonymy"))
    naive_antonymy_seconds, naive_opposed = timed(lambda: naive_antonymy(pairs))
    # Wall time, each time in a process of its own, with its start and the reading of the corpora.
    whole = [run_process([sys.executable, __file__, ALL]).seconds for _ in range(REPEATS)]
    report(
        "stress",
        {
            "pairs": len(pairs),
            "all_six_seconds": statistics.median(whole),
            "all_six_cases": generate(["stress"]),
            "each_with_reading_cpu_seconds": {
                test: timed(lambda test=test: generate([test]))[0]  # type: ignore[misc]
                for test in probe_specs(["stress"])
            },
            "spelling_cpu_seconds": spelling,
            "spelling_cases": spelled,
            "naive_spelling_cpu_seconds": naive_spelling_seconds,
            "naive_spelling_cases": naive_spelled,
            "spelling_times_faster": naive_spelling_seconds / spelling,
            "antonymy_cpu_seconds": antonymy,
            "antonymy_cases": opposed,
            "naive_antonymy_cpu_seconds": naive_antonymy_seconds,
            "naive_antonymy_cases": naive_opposed,
            "antonymy_times_faster": naive_antonymy_seconds / antonymy,
            "must": {"all_six_seconds": 20},
        },
    )


if __name__ == "__main__":
    if sys.argv[1:] == [ALL]:
        generate(["stress"])
    else:
        main()
