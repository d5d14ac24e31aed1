"""What a comparison answers, in the sentences that stand above its tables: which system is better, and where."""

from __future__ import annotations

from collections.abc import Mapping

from nliprobe.analysis.compare.correction import shown
from nliprobe.analysis.compare.documents import CompareDocument, ComparedPair, Difference, Separation
from nliprobe.report.comparison import KINDS, decided, detectable_sentence
from nliprobe.report.comparison_many import group_sentences
from nliprobe.report.names import short_names
from nliprobe.report.words import between, minus, plural

# More than this is for the tables.
_NAMED = 3
_MOST = {"gold": "the most right answers", "expects": "the most expectations kept"}

# Longer names would fill the heading.
_LONGEST = 30


def answer_heading(document: CompareDocument) -> str:
    """Say in one line who is better; better and worse only where the corrected p-value says so."""
    if not decided(document):
        return "No verdict: a run is not complete."
    short = short_names((system["name"] for system in document["systems"]), _LONGEST)
    pairs = document["pairs"]
    if len(pairs) == 1:
        return _heading_of_two(pairs[0], short)
    apart = sum(any(shown(entry) for entry in pair["comparisons"]) for pair in pairs)
    if not apart:
        return f"Nothing tells the {len(short)} systems apart."
    return f"{apart} of {plural(len(pairs), 'pair')} of systems are told apart."


def _heading_of_two(pair: ComparedPair, short: Mapping[str, str]) -> str:
    left, right = short[pair["left"]], short[pair["right"]]
    compared = [entry for entry in pair["comparisons"] if entry["n"]]
    changes = [entry["difference"] or 0.0 for entry in compared if shown(entry)]
    better, worse = sum(change > 0 for change in changes), sum(change < 0 for change in changes)
    of = f"of {plural(len(compared), 'comparison')}"
    if better and worse:
        return f"{right} is better in {better}, worse in {worse} {of}."
    if better or worse:
        first, second = (right, left) if better else (left, right)
        return f"{first} is better than {second} in {better or worse} {of}."
    return f"No difference is shown between {left} and {right}."


def answer_lines(document: CompareDocument) -> list[str]:
    """Say which system is shown to be better, and where; only differences that a corrected test shows count."""
    if not decided(document):
        return ["No verdict: a run is not complete."]
    if len(document["pairs"]) == 1:
        return _of_two(document["pairs"][0])
    # Right answers first: a constant answer keeps most rules, and is no better for that.
    telling = sorted(
        (item for item in document["separations"] if item["told_apart"]), key=lambda item: item["kind"] != "gold"
    )
    lines = [_of_many(document, item) for item in telling[:_NAMED]]
    if len(telling) > _NAMED:
        lines.append(f"{plural(len(telling) - _NAMED, 'more place')} tell systems apart, below.")
    return [*lines, *group_sentences(document)]


def largest_sentence(document: CompareDocument) -> list[str]:
    """Say what the largest comparison could not have seen."""
    compared = [entry for pair in document["pairs"] for entry in pair["comparisons"] if entry["n"]]
    if not compared:
        return []
    return [f"In the largest comparison, {detectable_sentence(max(compared, key=lambda entry: entry['n']))}."]


def _of_two(pair: ComparedPair) -> list[str]:
    compared = [entry for entry in pair["comparisons"] if entry["n"]]
    if not compared:
        return []
    lines = []
    for better, worse, sign in ((pair["right"], pair["left"], 1), (pair["left"], pair["right"], -1)):
        found = [entry for entry in compared if shown(entry) and sign * (entry["difference"] or 0.0) > 0]
        places = [
            f"{entry['corpus']}, {entry['probe']}, {KINDS[entry['kind']]}, by {_points(entry, sign)}"
            for entry in found[:_NAMED]
        ]
        if len(found) > _NAMED:
            places.append(f"in {plural(len(found) - _NAMED, 'more place')}")
        if found:
            lines.append(f"{better} is better than {worse} on {'; '.join(places)}.")
    rest = sum(not shown(entry) for entry in compared)
    if not lines:
        return [f"Nothing tells {pair['left']} and {pair['right']} apart, in {plural(rest, 'comparison')}."]
    others = "the other comparison" if rest == 1 else f"the {rest} other comparisons"
    return [*lines, *([f"What {others} found may be chance."] if rest else [])]


def _of_many(document: CompareDocument, place: Separation) -> str:
    """Say which system is best in a place, and of which others this is shown."""
    best = max(place["rates"], key=lambda name: place["rates"][name])
    better: list[str] = []
    for pair in document["pairs"]:
        if best in (pair["left"], pair["right"]):
            other, sign = (pair["right"], -1) if pair["left"] == best else (pair["left"], 1)
            better += [f"{other}, by {_points(entry, sign)}" for entry in _entries(pair, place) if shown(entry)]
    head = f"On {place['corpus']}, {place['probe']}, {best} has {_MOST[place['kind']]}"
    if not better:
        return f"{head}, but it is not shown to have more than any other; others are told apart."
    more = f"; and than {plural(len(better) - _NAMED, 'more system')}" if len(better) > _NAMED else ""
    words = "and is better" if place["kind"] == "gold" else "more"
    return f"{head}, {words} than {'; than '.join(better[:_NAMED])}{more}."


def _entries(pair: ComparedPair, place: Separation) -> list[Difference]:
    wanted = place["corpus"], place["probe"], place["kind"]
    return [
        entry
        for entry in pair["comparisons"]
        if entry["n"] and (entry["corpus"], entry["probe"], entry["kind"]) == wanted
    ]


def _points(entry: Difference, sign: int) -> str:
    """Write how far a side is ahead, with its interval."""
    ends = entry["ci95"]
    interval = "" if ends is None else f" ({between(sorted(sign * end for end in ends))})"
    return minus(f"{100 * sign * (entry['difference'] or 0.0):.1f} points{interval}")
