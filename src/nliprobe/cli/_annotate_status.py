"""The status of a project for raters as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from nliprobe.report.words import plural

if TYPE_CHECKING:
    from nliprobe.analysis.agreement import RateDocument
    from nliprobe.api.people_status import PeopleDocument, RaterDocument

# The text shows this many raters, the worst first; JSON has them all.
_SHOWN = 20
_MEASURES: dict[Literal["majority", "gold", "attention"], str] = {
    "majority": "agreement with the majority",
    "gold": "agreement with the gold label",
    "attention": "attention items",
}


def status_lines(document: PeopleDocument) -> Iterator[str]:
    """Yield the lines of a status."""
    done = "complete" if document["complete"] else "not complete yet"
    yield f"{document['project']}: {document['task']}, {plural(document['raters_per_item'], 'rater')} per item, {done}"
    for batch in document["batches"]:
        closed = "" if batch["open"] else ", not open yet"
        yield (
            f"  batch {batch['batch']}: {batch['complete']:,} of {plural(batch['items'], 'item')} complete, "
            f"{batch['judged']:,} of {plural(batch['wanted'], 'judgement')}{closed}"
        )
    if document["attention_items"]:
        yield f"  {plural(document['attention_items'], 'attention item')}"
    if document["leased"]:
        yield f"  {plural(document['leased'], 'item')} with raters now"
    yield from _agreement(document)
    yield from _raters(document)
    for flag in document["flags"]:
        what = "flagged" if flag["flagged"] else "skipped"
        yield f"  {flag['item']} was {what} by {flag['rater']}: {flag['reason'] or 'no reason given'}"


def _agreement(document: PeopleDocument) -> Iterator[str]:
    from nliprobe.api.people_status import agreement_on_marks

    agreement = document["agreement"]
    if agreement is not None:
        yield "Agreement"
        for name, value in (
            ("Fleiss' kappa", agreement["fleiss_kappa"]),
            ("Krippendorff's alpha", agreement["krippendorff_alpha"]),
            ("Cohen's kappa of majority and gold", agreement["cohen_kappa"]),
        ):
            yield f"  {name:<36} {'-' if value is None else f'{value:.3f}'}"
        yield f"  {'items with a majority':<36} {_rate(agreement['majority'])}"
    known = [(name, value, compared) for name, value, compared in agreement_on_marks(document) if value is not None]
    if known:
        yield "Agreement"
    for name, value, compared in known:
        yield f"  {name:<42} {value:.3f}; {compared}"
    yield from _baselines(document)


def _baselines(document: PeopleDocument) -> Iterator[str]:
    from nliprobe.api.people_status import constant_words

    constants, chance = document["constants"], document["chance"]
    if constants is None or chance is None:
        return
    yield "What needs no care"
    for name, what in _MEASURES.items():
        if (best := constants[name]) is not None and best["rate"]["n"]:
            yield f"  {what:<42} {_rate(best['rate'])} by {constant_words(document, best['answer'])}"
    estimated = constants["accuracy"]
    words = constant_words(document, estimated["answer"])
    yield f"  {'right, as estimated':<42} {100 * estimated['value']:.1f} % by {words}"
    yield f"  {'each vote':<42} {100 * chance:.0f} % by guessing"


def _raters(document: PeopleDocument) -> Iterator[str]:
    raters = document["raters"]
    if not raters:
        return
    yield f"{plural(len(raters), 'rater')}, the ones to look at first:"
    for rater in sorted(raters, key=_order)[:_SHOWN]:
        state = "" if rater["state"] == "active" else f", {rater['state']}"
        parts = [plural(rater["judgements"], "judgement")]
        if rater["accuracy"] is not None:
            parts.append(f"estimated to be right in {100 * rater['accuracy']:.0f} %")
        if rater["others"]["n"]:
            parts.append(f"says what the others say in {_rate(rater['others'])}")
        if rater["attention"]["n"]:
            parts.append(f"attention items {rater['attention']['right']} of {rater['attention']['n']}")
        if rater["seconds"] is not None:
            parts.append(f"{rater['seconds']:.0f} s per item")
        yield f"  {rater['rater']}{state}: {', '.join(parts)}"
        for reason in rater["flags"]:
            yield f"    look at this: {reason}"
    if len(raters) > _SHOWN:
        yield f"  … and {len(raters) - _SHOWN:,} more (--format json has them all)"


def _order(rater: RaterDocument) -> tuple[bool, float, str]:
    accuracy = rater["accuracy"]
    return (not rater["flags"], 2.0 if accuracy is None else accuracy, rater["rater"])


def _rate(rate: RateDocument) -> str:
    if rate["value"] is None:
        return "-"
    ends = rate["ci95"]
    interval = "" if ends is None else f" [{100 * ends[0]:.0f}, {100 * ends[1]:.0f}]"
    return f"{100 * rate['value']:.1f} %{interval} of {rate['n']:,}"
