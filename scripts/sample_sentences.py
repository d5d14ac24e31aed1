"""Draw sentence edits, or boundaries between sentences, to be read by people.

    python scripts/sample_sentences.py edits --seed 1 > edits.txt
    python scripts/sample_sentences.py boundaries --seed 1 > boundaries.txt

The verdicts are in `docs/review/sentence_edits.csv` and `docs/review/sentence_boundaries.csv`; they hold ids and no
text of a corpus. The same seed draws the same items again, as long as the probes are the same.
"""

from __future__ import annotations

import argparse
import heapq
from collections.abc import Iterator

from nliprobe.base.hashing import digest
from nliprobe.language.sentences import split_sentences
from nliprobe.probes.suite import build_probe
from nliprobe.task.case import Case, Certainty
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool, Source
from nliprobe.task.sources import open_source

TEXTS = ("anli/r1-dev", "anli/r2-dev", "anli/r3-dev", "summedits/all")
MARKED = ("climate-fever/claims",)
OWN = ("builtin/passages-dev",)
# How many edits marked certain are drawn from each corpus.
EDITS = {
    "sentences.delete": (TEXTS + MARKED, 15),
    "sentences.insert": (TEXTS + MARKED, 10),
    "sentences.permute": (TEXTS + MARKED, 10),
    "sentences.delete?which=irrelevant": (MARKED, 16),
    "sentences.delete?which=relevant": (MARKED, 8),
    "sentences.delete?which=all-relevant": (OWN, 8),
    "sentences.keep": (OWN + MARKED, 4),
}
BOUNDARIES = {"anli/r1-dev": 30, "anli/r2-dev": 30, "anli/r3-dev": 50, "summedits/all": 60, "multinli/dev-matched": 30}


def edits(seed: int) -> Iterator[str]:
    """Yield the drawn edits as texts."""
    opened: dict[str, tuple[Source, Pool]] = {}
    for spec, (corpora, size) in EDITS.items():
        probe = build_probe(spec)
        for name in corpora:
            if name not in opened:
                source = open_source(name)
                opened[name] = (source, Pool.of(source))
            source, pool = opened[name]
            cases = [item for pair in source.pairs() for item in probe.cases(pair, pool) if isinstance(item, Case)]
            certain = [case for case in cases if case.certainty is Certainty.CERTAIN]
            yield from map(shown, heapq.nsmallest(size, certain, key=lambda case: digest(str(seed), case.id)))


def shown(case: Case) -> str:
    """Return a case as a text to be judged: what was done, and to what."""
    pair = case.source
    assert isinstance(pair.premise, str)
    spans = pair.sentences or split_sentences(pair.premise)
    evidence = "" if pair.evidence is None else f" evidence {list(pair.evidence.units)}"
    lines = [f"== {case.id} {pair.id} {case.probe} {case.certainty} gold {pair.gold}{evidence}"]
    lines += [f"H: {pair.hypothesis}", f"must: {case.expects}"]
    touched = {edit.unit: edit for edit in case.edits if edit.unit is not None}
    near = {place + step for place in touched for step in (-2, -1, 0, 1, 2)} if len(spans) > 9 else range(len(spans))
    for place, (start, stop) in enumerate(spans):
        edit = touched.get(place)
        if edit is not None and edit.op.endswith("insert"):
            lines.append(f"  + {edit.after.strip()}")
        mark = "-" if edit is not None and edit.op.endswith("delete") else " "
        mark = "=" if edit is not None and edit.op.endswith("keep") else mark
        if place in near or not touched:
            lines.append(f"  {mark} [{place}] {' '.join(pair.premise[start:stop].split())}")
    if len(spans) in touched:
        lines.append(f"  + {touched[len(spans)].after.strip()}")
    if not touched:
        lines.append(f"  -> {case.premise}")
    return "\n".join(lines)


def boundaries(seed: int) -> Iterator[str]:
    """Yield drawn boundaries between two sentences as texts: what is before and after, and marks that are none."""
    for name, size in BOUNDARIES.items():
        places: dict[str, tuple[Pair, int]] = {}
        seen: set[str] = set()
        for pair in open_source(name).pairs():
            if isinstance(pair.premise, str) and pair.premise not in seen:
                seen.add(pair.premise)
                count = len(split_sentences(pair.premise))
                places.update({f"{pair.id}#{place}": (pair, place) for place in range(1, count)})
        for key in heapq.nsmallest(size, places, key=lambda item: digest(str(seed), item)):
            pair, place = places[key]
            assert isinstance(pair.premise, str)
            spans = split_sentences(pair.premise)
            before, after = pair.premise[slice(*spans[place - 1])], pair.premise[slice(*spans[place])]
            yield f"== {key}\n  {before[:60]!r} … {before[-90:]!r}\n  {after[:90]!r} … {after[-60:]!r}"


def main() -> None:
    """Print the drawn items."""
    parser = argparse.ArgumentParser(description="Draw sentence edits, or boundaries between sentences, to be read.")
    parser.add_argument("what", choices=["edits", "boundaries"])
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    for text in (edits if asked.what == "edits" else boundaries)(asked.seed):
        print(text, end="\n\n")


if __name__ == "__main__":
    main()
