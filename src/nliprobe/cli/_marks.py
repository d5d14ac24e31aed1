"""Print the agreement of raters on the rows that matter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nliprobe.api.marks import ConstantDocument, MarksDocument, MeasureDocument, ScoresDocument, SetDocument

# The text shows this many raters and pairs; JSON has them all.
_SHOWN = 20
_HEAD = f"{'':<34} {'precision':<22} {'recall':<22} f1"


def marks_lines(document: MarksDocument) -> Iterator[str]:
    """Yield the lines of the text."""
    before, after = document["before"], document["after"]
    yield from _set_lines(before)
    released = document["released"]
    if released["given"]:
        yield f"the majority equals the one in the file for {released['equal']:,} of {released['given']:,} pairs"
        yield from _few([f"  not for {name}" for name in released["different"]])
    ties = document["ties"]
    yield f"tied: {len(ties):,} pair{'' if len(ties) == 1 else 's'}"
    yield from _few([f"  {_pair(item['pair'], item['table'], item['hypothesis'])}: {item['reason']}" for item in ties])
    if document["rule"]["below"] is not None:
        names = ", ".join(f"{item['rater']} ({_number(item['value'])})" for item in document["dropped"])
        yield f"left out: {names or 'nobody'}; {document['marks_left_out']:,} marks with them"
    if after is not None:
        yield ""
        yield "after cleaning"
        yield from _set_lines(after)
    wanting = document["to_mark"]
    yield f"{document['settled']:,} pairs are decided, {len(wanting):,} need new marks"
    yield from _few(
        [f"  {_pair(item['pair'], item['table'], item['hypothesis'])}: {item['reason']}" for item in wanting]
    )
    for note in document["notes"]:
        yield f"note: {note}"


def _set_lines(part: SetDocument) -> Iterator[str]:
    marked = f"{part['pairs']:,} pairs of {part['tables']:,} tables, {part['ratings']:,} ratings"
    yield f"{marked} by {part['raters']:,} raters (raters per pair: {_counts(part['ratings_per_pair'])})"
    yield _HEAD
    yield _scores("average over raters", part["over_raters"])
    yield _scores("  against the others' majority", part["over_raters_others"])
    yield _scores("average over pairs (macro)", part["over_pairs"])
    yield _scores("all marks pooled (micro)", part["pooled"])
    yield _scores("a rater who marks everything", part["everything"])
    kappa = part["kappa"]
    spread = "" if kappa["sd"] is None else f", standard deviation {kappa['sd']:.2f}"
    ends = "" if kappa["ci95"] is None else f" ({kappa['ci95'][0]:.3f} to {kappa['ci95'][1]:.3f})"
    yield f"Fleiss' kappa per pair: {_number(kappa['mean'])}{ends}{spread}; {_counts(kappa['buckets'])}"
    yield f"raters with exactly the same marks: {_counts(part['identical'])}"
    yield f"{'rater':<16} {'pairs':>6} {'nothing':>8}  {'precision':<22} {'recall':<22} {'f1':<22} f1, others' majority"
    raters = sorted(part["by_rater"], key=lambda row: -row["pairs"])
    for row in raters[:_SHOWN]:
        measures = " ".join(f"{shown_measure(row['all'][name]):<22}" for name in ("precision", "recall", "f1"))
        others = shown_measure(row["others"]["f1"])
        yield f"{row['rater']:<16.16} {row['pairs']:>6,} {row['nothing']:>8,}  {measures} {others}"
    if len(raters) > _SHOWN:
        yield f"… and {len(raters) - _SHOWN} raters with fewer pairs (all with --format json)"


def _few(lines: list[str]) -> Iterator[str]:
    yield from lines[:_SHOWN]
    if len(lines) > _SHOWN:
        yield f"  … and {len(lines) - _SHOWN:,} more (all with --format json)"


def _scores(name: str, scores: ScoresDocument | ConstantDocument) -> str:
    cells = [scores["precision"], scores["recall"], scores["f1"]]
    return f"{name:<34} " + " ".join(f"{shown_measure(cell):<22}" for cell in cells).rstrip()


def shown_measure(measure: MeasureDocument | float | None) -> str:
    """Return a measure in percent, with its interval if it has one."""
    if measure is None or isinstance(measure, float | int):
        return percent(measure)
    ends = measure["ci95"]
    shown = "" if ends is None else f" ({100 * ends[0]:.1f} to {100 * ends[1]:.1f})"
    return f"{percent(measure['value'])}{shown}"


def percent(value: float | None) -> str:
    """Return a share in percent."""
    return "–" if value is None else f"{100 * value:.1f}%"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name}: {number:,}" for name, number in counts.items() if number)


def _pair(pair: str, table: str, hypothesis: str) -> str:
    return pair or f"{table}: {hypothesis:.70}"
