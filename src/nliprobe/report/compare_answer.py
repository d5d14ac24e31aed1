"""What a comparison says in a line and a few sentences: who is better, by how much, and what could not be seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from nliprobe.analysis.compare.correction import shown
from nliprobe.analysis.compare.documents import CompareDocument, ComparedPair, Comparison
from nliprobe.report.comparison import KINDS, decided, detectable_sentence
from nliprobe.report.names import short_names
from nliprobe.report.words import between, percent, plural, signed

# Longer names would fill the heading.
_LONGEST = 30
# More sentences than this are a list, which the letters of the matrices show better.
_MOST = 6


class Answer(NamedTuple):
    """The heading of a comparison and the sentences below it."""

    heading: str
    lead: list[str]


def comparison_answer(document: CompareDocument) -> Answer:
    """Say what a comparison shows; better and worse only where the corrected p-value says so."""
    if not decided(document):
        return Answer("No verdict: a run is not complete.", [])
    short = short_names((system["name"] for system in document["systems"]), _LONGEST)
    if len(document["pairs"]) == 1:
        return _of_two(document["pairs"][0], short)
    apart = [pair for pair in document["pairs"] if any(shown(entry) for entry in pair["comparisons"])]
    if not apart:
        return Answer(f"Nothing tells the {len(short)} systems apart.", _seen(document["pairs"]))
    heading = f"{len(apart)} of {plural(len(document['pairs']), 'pair')} of systems are told apart."
    found = [_of_two(pair, short).heading for pair in apart] if len(apart) <= _MOST else []
    return Answer(heading, [*found, *_seen(document["pairs"])])


def _of_two(pair: ComparedPair, short: Mapping[str, str]) -> Answer:
    left, right = short[pair["left"]], short[pair["right"]]
    compared = [entry for entry in pair["comparisons"] if entry["n"]]
    apart = [entry for entry in compared if shown(entry)]
    better = [entry for entry in apart if (entry["difference"] or 0.0) > 0]
    worse = [entry for entry in apart if (entry["difference"] or 0.0) < 0]
    of = f"of {plural(len(compared), 'comparison')}"
    if better and worse:
        heading = f"{right} is better in {len(better)}, worse in {len(worse)} {of}."
    elif better or worse:
        first, second = (right, left) if better else (left, right)
        heading = f"{first} is better than {second} in {len(apart)} {of}."
    else:
        heading = f"No difference is shown between {left} and {right}."
    telling = sorted(apart, key=lambda entry: entry["p"] or 0.0)[:1]
    return Answer(heading, [*(_found(entry, left, right) for entry in telling), *_seen([pair])])


def _found(entry: Comparison, left: str, right: str) -> str:
    """Write the surest difference with its interval."""
    place = f"{entry['probe']} on {entry['corpus']}, {KINDS[entry['kind']]}"
    rates = f"{left} {percent(entry['left'])} %, {right} {percent(entry['right'])} %"
    ends = "" if entry["ci95"] is None else f" ({between(entry['ci95'], sign=True)})"
    return f"Most surely in {place}: {rates}, a difference of {signed(entry['difference'])} points{ends}."


def _seen(pairs: Sequence[ComparedPair]) -> list[str]:
    """Say what the largest comparison could not have seen."""
    compared = [entry for pair in pairs for entry in pair["comparisons"] if entry["n"]]
    largest = max(compared, key=lambda entry: entry["n"], default=None)
    if largest is None:
        return []
    return [f"In the largest comparison, {detectable_sentence(largest)}."]
