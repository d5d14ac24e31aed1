"""Explanations as a page: both texts with their words marked, weighed units, how faithful it is, and neighbours."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.report.cells import cell
from nliprobe.report.drawn import LONGEST, places_to_show
from nliprobe.report.explained import (
    evidence_words,
    label_words,
    same_answer_words,
    trust_words,
    unit_words,
    whole_words,
)
from nliprobe.report.faithful import faithful_plot
from nliprobe.report.pages import render_page
from nliprobe.report.weights import WeighedLine, marked_words, weight_plot, weight_strip, weight_text
from nliprobe.report.words import NOTHING, cut, plural, shortened
from nliprobe.task.explanation import ExplainDocument, ExplainedCase, Explanation, Lime, Neighbours, ranked, supporting

# Characters of a word, or of a stretch of words of a very long text, beside its weight.
_WORD = 60


def explained_page(document: ExplainDocument) -> str:
    """Write explanations as a page of its own, which loads nothing."""
    items = document["explained"]
    heading = f"Why {len(items)} answers are what they are"
    if len(items) == 1:
        heading = _heading(items[0])
    return render_page(
        "explained.html",
        title=heading,
        first="Top",
        facts=" · ".join(["What does an answer rest on?", *_about(document)]),
        items=[explained_section(item) for item in items],
    )


def explained_section(item: ExplainedCase) -> dict[str, object]:
    """Prepare one explanation for the template ``explained_section.html``.

    Whoever shows it elsewhere needs that template's macro and the styles of ``explained.css`` and ``bars.css``.
    """
    made = item["explanation"]
    return {
        "heading": _heading(item),
        "name": item["case_id"] or item["pair_id"],
        "lead": _lead(item),
        "whole": whole_words(made),
        "words": None if made["words"] is None else _words(made, made["words"]),
        "texts": [("Premise", cut(made["premise"])), ("Hypothesis", cut(made["hypothesis"]))],
        "units": None if made["units"] is None else _units(made, made["units"]),
        "evidence": "" if made["evidence"] is None else evidence_words(made["evidence"]),
        "neighbours": None if item["neighbours"] is None else _neighbours(made, item["neighbours"]),
        "notes": made["notes"],
    }


def _heading(item: ExplainedCase) -> str:
    made = item["explanation"]
    return f"Why {made['system']} answers {label_words(made['label'])}"


def _about(document: ExplainDocument) -> list[str]:
    """Say where the answers come from: the run, and the case or pair if there is only one."""
    named = [f"run {document['run']}"] if document["run"] else []
    if len(document["explained"]) == 1:
        [item] = document["explained"]
        named.append(f"case {item['case_id']}" if item["case_id"] else f"pair {item['pair_id']}")
    return named


def _lead(item: ExplainedCase) -> str:
    made = item["explanation"]
    label = label_words(made["label"])
    parts = [f"It gives no number with its answer, {label}."]
    if made["value"] is not None and made["scale"] != "label":
        parts = [f"The {made['scale']} of {label} is {made['value']:.3f}."]
    if item["gold"]:
        parts.append(f"The gold label is {label_words(item['gold'])}.")
    return " ".join(parts)


def _words(made: Explanation, lime: Lime) -> dict[str, object]:
    texts = {"premise": made["premise"], "hypothesis": made["hypothesis"]}
    largest = max(abs(each["weight"]) for each in lime["features"])
    lines = [
        WeighedLine(f"{shortened(each['text'], _WORD)} ({each['part']})", each["weight"])
        for each in ranked(lime["top"])
    ]
    return {
        "parts": [
            {
                "name": name.capitalize(),
                "pieces": list(
                    marked_words(
                        text, [each for each in lime["features"] if each["part"] == name], lime["top"], largest
                    )
                ),
            }
            for name, text in texts.items()
        ],
        "plot": weight_plot(lines, "Weights of the named words"),
        **_trust(made, lime, [f"“{shortened(each['text'], _WORD)}”" for each in lime["features"]]),
    }


def _units(made: Explanation, lime: Lime) -> dict[str, object]:
    features = lime["features"]
    marked = set(made["evidence"]["marked"]) if made["evidence"] else set[int]()
    # Named are those that speak most for the answer, as in the picture of what happens without them.
    named = supporting(features, len(lime["top"]))
    told = {*named, *marked}
    largest = max(abs(each["weight"]) for each in features)
    shown = places_to_show(len(features), told)
    return {
        "kind": features[0]["kind"],
        "lines": [
            {
                "place": features[place]["place"] + 1,
                "text": shortened(unit_words(features[place]), LONGEST),
                "strip": weight_strip(features[place]["weight"], largest),
                "weight": weight_text(features[place]["weight"]),
                "needed": place in marked,
                "named": place in named,
            }
            for place in shown
        ],
        "hidden": len(features) - len(shown),
        "judged": bool(marked),
        **_trust(made, lime, [f"{each['kind']} {each['place'] + 1}" for each in features]),
    }


def _trust(made: Explanation, lime: Lime, names: Sequence[str]) -> dict[str, object]:
    """Prepare how far an explanation can be trusted: in words, and as a picture."""
    faithful = lime["faithfulness"]
    return {
        "trust": trust_words(lime),
        "faithful": None if faithful is None else faithful_plot(faithful, made, lime["features"], names),
        "draws": 0 if faithful is None else faithful["draws"],
    }


def _neighbours(made: Explanation, near: Neighbours) -> dict[str, object]:
    rows = [
        [
            cell(
                shortened(each["premise"], LONGEST),
                f"→ {shortened(each['hypothesis'], LONGEST)}",
                f"template {each['template']}" if each["template"] else "",
            ),
            f"{each['cosine']:.3f}",
            cell(each["label"] or NOTHING, "the same" if each["label"] == made["label"] else "another"),
            each["gold"] or NOTHING,
        ]
        for each in near["nearest"]
    ]
    return {
        "title": f"Nearest of {plural(near['size'], 'pair')} of {near['pool']}",
        "columns": ("premise → hypothesis", "cosine", "its answer", "gold"),
        "rows": rows,
        "same": same_answer_words(made, near),
    }
