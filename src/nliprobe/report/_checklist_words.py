"""Writes the summary of a checklist in words and cells, for the console and for the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nliprobe.analysis.checklist.documents import CapabilityEntry, ChecklistDocument, Effect, Surrogate, TemplateEntry
from nliprobe.analysis.documents import UNANSWERED, Ends, Rate
from nliprobe.report.words import NOTHING, around, between, percent, plural

# Above this level an effect of drawn values is not significant.
LEVEL = 0.05
# The paper leaves rare placeholders out of its figure: fewer templates say nothing about a placeholder.
RARE = 5
# Fewer templates than this do not tell how far templates differ, so that there is no interval.
FEW, MARK = 5, "?"
FEW_WORDS = f"{MARK}: fewer than {FEW} templates, too few for an interval"


def main_rate(entry: CapabilityEntry) -> tuple[float | None, Ends]:
    """Return the number to show first: the share of right answers, or the mean over templates if only that is known."""
    if entry["n"] is None:
        return entry["template_mean"], entry["template_mean_ci95"]
    return entry["accuracy"], entry["ci95"]


def main_cell(entry: CapabilityEntry) -> str:
    """Write the main rate with its interval, and a mark if there are few templates."""
    return around(*main_rate(entry)) + (f" {MARK}" if entry["templates"] < FEW else "")


def full_cell(entry: CapabilityEntry) -> str:
    """Write the main rate, and after it the rate with labels weighted alike: ``41.9 ±6.0 / 36.6``."""
    return f"{main_cell(entry)} / {percent(entry['balanced'])}"


def reading_lines(document: ChecklistDocument) -> list[str]:
    """Say which reading each system takes, in a sentence made from its numbers."""
    return [
        f"{item['system']} takes the first reading in {_rate(item['first'])}, the second in {_rate(item['second'])} "
        f"and neither in {_rate(item['neither'])} of {plural(item['n'], 'example')} of "
        f"{plural(item['templates'], 'template')} with two readings."
        for item in document["readings"]
        if item["template"] is None
    ]


def some_few(document: ChecklistDocument) -> bool:
    """Tell whether some capability has few templates."""
    return any(entry["templates"] < FEW for entry in document["capabilities"])


def fit_line(fitted: Surrogate) -> str:
    """Say how the surrogate was fitted and what it is worth."""
    features, rank = len(fitted["coefficients"]), fitted["rank"]
    text = f"{fitted['method'].capitalize()} over {plural(fitted['templates'], 'template')}. {fitted['verdict']}"
    if rank < features:
        text += f" Of {features} features {rank} are independent: those that go together share an effect."
    return text


def written(entry: TemplateEntry) -> str:
    """Return a template as it is written, or an empty text if that is not known."""
    pattern = entry["pattern"]
    return "" if pattern is None else f"{pattern['premise']} → {pattern['hypothesis']}"


def facts(document: ChecklistDocument) -> str:
    """Say what the summary covers, in one line."""
    parts = [plural(document["templates"], "template")]
    if document["n"] is not None:
        parts.append(f"{plural(document['n'], 'example')} ({document['distinct']:,} distinct)")
    return ", ".join([*parts, plural(len(document["systems"]), "system"), *document["corpora"]])


def sentences(document: ChecklistDocument) -> list[str]:
    """Say what each system does, in a sentence made from its numbers."""
    if document["integrity"]["state"] != "complete":
        return []
    lines = []
    for whole, bins in zip(document["overall"], document["bins"], strict=True):
        system = whole["system"]
        rate, ends = main_rate(whole)
        text = f"{system} is right in {percent(rate)} %{_between(ends)}"
        if whole["n"] is None:
            text = f"{system} has a mean accuracy of {percent(rate)} %{_between(ends)}"
        if whole["constant"] is not None:
            text += f", where always {whole['constant']['label']} gets {percent(whole['constant']['accuracy'])} %,"
        if whole["balanced"] is not None:
            text += f" and in {percent(whole['balanced'])} % with labels weighted alike"
        text += f", passes {bins['passed']} of {plural(whole['templates'], 'template')} and fails {bins['failed']}"
        known = _by_rate(document, system)
        if len(known) > 1:
            text += f"; the highest is {_named_rate(known[-1])}, the lowest {_named_rate(known[0])}"
        above = [item for item in document["contrasts"] if item["system"] == system]
        text += "".join(
            f"; {100 * item['difference']:+.1f} points on {item['corpus']} ({percent(item['accuracy'])})"
            for item in above
        )
        lines.append(f"{text}.")
    return lines


def extreme_lines(document: ChecklistDocument) -> list[str]:
    """Say which capability each system is worst and best at, and whether others may be as bad."""
    if document["integrity"]["state"] != "complete":
        return []
    return [
        f"{system}: lowest in {_named_rate(known[0])}{_constant_part(known[0])}, highest in {_named_rate(known[-1])}."
        f"{_as_low(known)}"
        for system in document["systems"]
        if len(known := _by_rate(document, system)) > 1
    ]


def _by_rate(document: ChecklistDocument, system: str) -> list[CapabilityEntry]:
    """Return the capabilities of a system whose rate is known, the lowest first."""
    known = [(main_rate(item)[0], item) for item in document["capabilities"] if item["system"] == system]
    ordered = sorted(
        (rate, str(item["capability"]), place) for place, (rate, item) in enumerate(known) if rate is not None
    )
    return [known[place][1] for _, _, place in ordered]


def _named_rate(entry: CapabilityEntry) -> str:
    rate, ends = main_rate(entry)
    return f"{entry['capability']} ({percent(rate)} %, {'no interval' if ends is None else between(ends)})"


def _constant_part(entry: CapabilityEntry) -> str:
    return (
        ""
        if entry["constant"] is None
        else f", where a constant answer gets {percent(entry['constant']['accuracy'])} %"
    )


def _as_low(known: Sequence[CapabilityEntry]) -> str:
    """Say how many capabilities may be as low as the lowest: those whose intervals reach into its own."""
    ends = main_rate(known[0])[1]
    if ends is None:
        return ""
    others = [other for entry in known[1:] if (other := main_rate(entry)[1]) is not None and other[0] <= ends[1]]
    verb = "overlaps" if len(others) == 1 else "overlap"
    return f" The lowest may also be another: {plural(len(others), 'interval')} {verb} with its own." if others else ""


def skew_line(document: ChecklistDocument) -> str:
    """Say how gold labels are distributed over the suite."""
    counted = document["n"] is not None
    counts = {label: (skew["n"] if counted else skew["templates"]) or 0 for label, skew in document["labels"].items()}
    total = sum(counts.values()) or 1
    parts = ", ".join(f"{label} {100 * count / total:.0f} %" for label, count in counts.items())
    return f"of the {'examples' if counted else 'templates'} {parts}"


def shares(counts: Mapping[str, int]) -> str:
    """Write counts as whole percent, the most frequent first: ``N 92 %, C 8 %``."""
    total = sum(counts.values())
    if not total:
        return NOTHING
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return ", ".join(f"{'no answer' if key == UNANSWERED else key} {100 * n / total:.0f} %" for key, n in ordered)


def gold_labels(entry: TemplateEntry) -> str:
    """Write the gold labels of a template, or its label as it is written."""
    return ", ".join(entry["gold"]) or (entry["pattern"] or {"label": NOTHING})["label"]


def worst_templates(document: ChecklistDocument, system: str, most: int) -> list[TemplateEntry]:
    """Return the templates that a system is most often wrong on."""
    entries = [entry for entry in document["template_table"] if entry["system"] == system]
    return sorted(entries, key=lambda entry: (entry["accuracy"] or 0.0, entry["template"]))[:most]


def significant_effects(document: ChecklistDocument, system: str) -> list[Effect]:
    """Return the effects of drawn values that are significant after the correction, the widest range first."""
    return [item for item in document["effects"] if item["system"] == system and item["q"] <= LEVEL]


def effect_line(document: ChecklistDocument, system: str) -> str:
    """Say how many effects were tested, and how many are significant."""
    tested = sum(item["system"] == system for item in document["effects"])
    significant = len(significant_effects(document, system))
    return f"{significant} of {plural(tested, 'test')} show that accuracy within a template depends on the value drawn"


def effect_place(effect: Effect) -> str:
    """Say where an effect is; the gold label is part of it, because a template may have several."""
    return f"{effect['template']}, gold {effect['gold']}"


def common_placeholders(fitted: Surrogate) -> list[tuple[str, float]]:
    """Return the coefficients of placeholders that are not rare, the highest first; none if the surrogate is no use."""
    if (fitted["r2_cross_validated"] or 0.0) <= 0:
        return []
    common = [item for item in fitted["coefficients"] if item["kind"] == "placeholder" and item["templates"] >= RARE]
    return sorted(((item["feature"], item["coefficient"]) for item in common), key=lambda item: -item[1])


def _rate(rate: Rate) -> str:
    return f"{percent(rate['rate'])} %{_between(rate['ci95'])}"


def _between(ends: Ends) -> str:
    return "" if ends is None else f" ({between(ends)})"
