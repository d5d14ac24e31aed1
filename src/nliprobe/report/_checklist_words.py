"""How the summary of a checklist is put into words and cells, on the console and on the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nliprobe.analysis.checklist.documents import CapabilityEntry, ChecklistDocument, Effect, Surrogate, TemplateEntry
from nliprobe.analysis.documents import UNANSWERED, Ends
from nliprobe.report.words import NOTHING, around, percent, plural

# Above this an effect of drawn values is no finding any more.
LEVEL = 0.05
# The paper leaves rare placeholders out of its picture; so few templates say nothing about one.
RARE = 5
# An interval that resamples fewer templates than this is too narrow to be believed.
FEW, MARK = 5, "?"
FEW_WORDS = f"{MARK}: fewer than {FEW} templates, whose interval says little"


def main_rate(entry: CapabilityEntry) -> tuple[float | None, Ends]:
    """The number to show first: the share of right answers, or the mean over templates where nothing else is known."""
    if entry["n"] is None:
        return entry["template_mean"], entry["template_mean_ci95"]
    return entry["accuracy"], entry["ci95"]


def main_cell(entry: CapabilityEntry) -> str:
    """That number with its interval, and a mark where there are few templates."""
    return around(*main_rate(entry)) + (f" {MARK}" if entry["templates"] < FEW else "")


def some_few(document: ChecklistDocument) -> bool:
    """Whether some capability has few templates."""
    return any(entry["templates"] < FEW for entry in document["capabilities"])


def fit_line(fitted: Surrogate) -> str:
    """How the surrogate was fitted and what it is worth."""
    features, rank = len(fitted["coefficients"]), fitted["rank"]
    text = f"{fitted['method'].capitalize()} over {plural(fitted['templates'], 'template')}. {fitted['verdict']}"
    if rank < features:
        text += f" Of {features} features {rank} are independent: those that go together share an effect."
    return text


def written(entry: TemplateEntry) -> str:
    """A template as it is written, or nothing."""
    pattern = entry["pattern"]
    return "" if pattern is None else f"{pattern['premise']} → {pattern['hypothesis']}"


def facts(document: ChecklistDocument) -> str:
    """What the summary is over, in one line."""
    parts = [plural(document["templates"], "template")]
    if document["n"] is not None:
        parts.append(f"{plural(document['n'], 'example')} ({document['distinct']:,} distinct)")
    return ", ".join([*parts, plural(len(document["systems"]), "system"), *document["corpora"]])


def sentences(document: ChecklistDocument) -> list[str]:
    """What each system does, in a sentence made from its numbers."""
    found = []
    for whole, bins in zip(document["overall"], document["bins"], strict=True):
        system = whole["system"]
        rate, ends = main_rate(whole)
        text = f"{system} is right in {percent(rate)} %{_between(ends)}"
        if whole["n"] is None:
            text = f"{system} has a mean accuracy of {percent(rate)} %{_between(ends)}"
        text += f", passes {bins['passed']} of {plural(whole['templates'], 'template')} and fails {bins['failed']}"
        own = [item for item in document["capabilities"] if item["system"] == system]
        rates = [(main_rate(item)[0], str(item["capability"])) for item in own]
        known = sorted((share, name) for share, name in rates if share is not None)
        if len(known) > 1:
            (low, worst), (high, best) = known[0], known[-1]
            text += f"; best at {best} ({percent(high)}), worst at {worst} ({percent(low)})"
        above = [item for item in document["contrasts"] if item["system"] == system]
        text += "".join(
            f"; {100 * item['difference']:+.1f} points on {item['corpus']} ({percent(item['accuracy'])})"
            for item in above
        )
        found.append(f"{text}.")
    return found


def skew_line(document: ChecklistDocument) -> str:
    """How gold labels are spread over the suite."""
    counted = document["n"] is not None
    counts = {label: (skew["n"] if counted else skew["templates"]) or 0 for label, skew in document["labels"].items()}
    total = sum(counts.values()) or 1
    parts = ", ".join(f"{label} {100 * count / total:.0f} %" for label, count in counts.items())
    return f"of the {'examples' if counted else 'templates'} {parts}"


def shares(counts: Mapping[str, int]) -> str:
    """Counts as whole percent, the most frequent first: ``N 92 %, C 8 %``."""
    total = sum(counts.values())
    if not total:
        return NOTHING
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return ", ".join(f"{'no answer' if key == UNANSWERED else key} {100 * n / total:.0f} %" for key, n in ordered)


def template_name(template: str, reading: str) -> str:
    """The name of a template; a reading other than the first is part of it."""
    return template if reading == "first" else f"{template} ({reading} reading)"


def worst_templates(document: ChecklistDocument, system: str, most: int) -> list[TemplateEntry]:
    """The templates that a system is wrong on most often."""
    own = [entry for entry in document["template_table"] if entry["system"] == system]
    return sorted(own, key=lambda entry: (entry["accuracy"] or 0.0, entry["template"]))[:most]


def found_effects(document: ChecklistDocument, system: str) -> list[Effect]:
    """The effects of drawn values that remain after the correction, the widest range first."""
    return [item for item in document["effects"] if item["system"] == system and item["q"] <= LEVEL]


def effect_line(document: ChecklistDocument, system: str) -> str:
    """How many effects were looked for, and how many were found."""
    tested = sum(item["system"] == system for item in document["effects"])
    found = len(found_effects(document, system))
    return f"{found} of {plural(tested, 'test')} show that accuracy within a template depends on the value drawn"


def effect_place(effect: Effect) -> str:
    """Where an effect is, with the gold label, to which a template with several may owe it."""
    return f"{template_name(effect['template'], effect['reading'])}, gold {effect['gold']}"


def common_placeholders(fitted: Surrogate) -> list[tuple[str, float]]:
    """The coefficients of placeholders that are not rare, the highest first; none of a worthless surrogate."""
    if (fitted["r2_cross_validated"] or 0.0) <= 0:
        return []
    kept = [item for item in fitted["coefficients"] if item["kind"] == "placeholder" and item["templates"] >= RARE]
    return sorted(((item["feature"], item["coefficient"]) for item in kept), key=lambda item: -item[1])


def between(ends: Sequence[float] | None, *, sign: bool = False) -> str:
    """An interval in percent: ``12.0 to 15.5``."""
    if ends is None:
        return NOTHING
    low, high = (f"{100 * end:+.1f}" if sign else percent(end) for end in ends)
    return f"{low} to {high}"


def _between(ends: Ends) -> str:
    return "" if ends is None else f" ({between(ends)})"
