"""Explanations on the terminal: both texts with the named words marked, units with their weights, and neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nliprobe.base.visible import revealed
from nliprobe.report._tables import new_table
from nliprobe.report.weights import weight_text
from nliprobe.report.words import NOTHING, minus, shortened
from nliprobe.task.explanation import (
    ExplainDocument,
    ExplainedCase,
    Explanation,
    Faithfulness,
    FoundEvidence,
    Lime,
    Neighbours,
    Weighed,
    ranked,
)
from nliprobe.task.labels import NAMES
from nliprobe.task.units import row_from_text

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

# Marks as well as colours, because colours do not reach a log file.
_FOR, _AGAINST = ("[+", "+]", "bold green"), ("[-", "-]", "bold magenta")
_WHOLE = {
    "probability": "the probability of {}",
    "margin": "the margin of {}",
    "label": "whether {} is the answer (1) or not (0)",
}
# Units that are listed, and characters of each; characters of a text around its marks.
_UNITS, _UNIT, _AROUND = 8, 90, 160


def render_explained(document: ExplainDocument) -> RenderableType:
    """Turn explanations into something Rich can print."""
    from rich.console import Group

    parts: list[RenderableType] = []
    for place, item in enumerate(document["explained"]):
        parts += ["", *_one(item)] if place else _one(item)
    return Group(*parts)


def _one(item: ExplainedCase) -> list[RenderableType]:
    from rich.text import Text

    made = item["explanation"]
    title = f"Case {item['case_id']}" if item["case_id"] else f"Pair {item['pair_id']}"
    gold = f"; gold {item['gold']}" if item["gold"] else ""
    value = "" if made["value"] is None or made["scale"] == "label" else f" ({made['scale']} {made['value']:.3f})"
    parts: list[RenderableType] = [
        Text(revealed(title), style="bold"),
        Text(revealed(f"{made['system']} answers {label_words(made['label'])}{value}{gold}")),
        Text(whole_words(made), style="dim"),
        "",
        *_words(made),
        *_units(made),
        *_evidence(made),
        *_neighbours(item),
    ]
    return [*parts, *(Text(revealed(note), style="yellow") for note in made["notes"])]


def label_words(letters: str) -> str:
    """Write a label, or a block of labels, in words."""
    return " or ".join(NAMES[letter] for letter in letters)


def whole_words(made: Explanation) -> str:
    """Say what weights add to."""
    return f"Weights add to {_WHOLE[made['scale']].format(made['label'])}."


def _words(made: Explanation) -> list[RenderableType]:
    from rich.text import Text

    words = made["words"]
    if words is None:
        return [Text("There are no words to take out.", style="dim")]
    parts: list[RenderableType] = []
    for name, part, text in (
        ("Premise", "premise", made["premise"]),
        ("Hypothesis", "hypothesis", made["hypothesis"]),
    ):
        named = sorted((item for item in words["top"] if item["part"] == part), key=lambda item: item["place"])
        parts.append(Text(f"{name}: ", style="bold").append_text(_marked(text, named)))
    said = ", ".join(f"{_quoted(item['text'])} {weight_text(item['weight'])}" for item in ranked(words["top"]))
    parts.append(Text(f"Words: {said or 'none matters'}"))
    return [*parts, Text(trust_words(words), style="dim"), ""]


def _marked(text: str, named: Sequence[Weighed]) -> Text:
    """Mark the named words in a text; of a long one only what is around them is shown."""
    from rich.text import Text

    shown = Text(style="not bold")
    at = 0
    for item in named:
        start, stop = item["span"] or [0, 0]
        first, last, style = _FOR if item["weight"] > 0 else _AGAINST
        shown.append(_short(revealed(text[at:start])))
        shown.append(f"{first}{revealed(text[start:stop])}{last}", style=style)
        at = stop
    return shown.append(_short(revealed(text[at:])))


def _short(text: str) -> str:
    return text if len(text) <= 2 * _AROUND else f"{text[:_AROUND]}…{text[-_AROUND:]}"


def _units(made: Explanation) -> list[RenderableType]:
    from rich.text import Text

    units = made["units"]
    if units is None:
        return []
    marked = set(made["evidence"]["marked"]) if made["evidence"] else set()
    kind = units["features"][0]["kind"]
    table = new_table()
    table.add_column(kind.capitalize(), no_wrap=True, justify="right")
    table.add_column("Weight", no_wrap=True, justify="right")
    table.add_column("What it says", overflow="fold", ratio=1)
    listed = ranked(units["features"])
    for item in listed[:_UNITS]:
        mark = "● " if item["place"] in marked else ""
        table.add_row(f"{mark}{item['place'] + 1}", weight_text(item["weight"]), _unit(item))
    more = len(listed) - _UNITS
    notes = [f"{more} more {kind}s weigh less" if more > 0 else "", "● marked by people as needed" if marked else ""]
    said = "; ".join(note for note in notes if note)
    return [table, *([Text(said, style="dim")] if said else []), Text(trust_words(units), style="dim"), ""]


def _unit(item: Weighed) -> str:
    return shortened(revealed(" ".join(unit_words(item).split())), _UNIT)


def unit_words(item: Weighed) -> str:
    """Write a unit as people read it: a row as its key and its values."""
    if item["kind"] != "row":
        return item["text"]
    row = row_from_text(item["text"])
    return f"{row.key}: {', '.join(row.values)}" if row.key else " | ".join(row.values)


def trust_words(lime: Lime) -> str:
    """Say in words how an explanation was made, how well it fits and how faithful it is."""
    how = f"all {lime['masks']:,} ways to take some out" if lime["exhaustive"] else f"{lime['masks']:,} masks"
    fit = "nothing changes the answer" if lime["fit"] is None else f"the weights explain {100 * lime['fit']:.0f} %"
    faithful = lime["faithfulness"]
    return f"From {how}; {fit}. {'' if faithful is None else faithful_words(faithful)}".rstrip()


def faithful_words(faithful: Faithfulness) -> str:
    """Say what happens without the named words or units, and without as many others."""
    last, changed = faithful["named"][-1], faithful["random_changed"][-1]
    count = last["removed"]
    first = faithful["named"][0]["label"]
    turned = next((step["removed"] for step in faithful["named"] if step["label"] != first), None)
    own = "stays"
    if turned is not None:
        own = f"becomes {faithful['named'][turned]['label'] or 'no answer'}"
        if count > 1:
            own += " without the first" if turned == 1 else f" without the first {turned}"
    taken = "Without the one that speaks most for it"
    if count > 1:
        taken = f"Of the {count} that speak most for it, taken out one after the other"
    return (
        f"{taken}, the answer {own}; "
        f"without {count} at random it changes in {100 * changed:.0f} % of {faithful['draws']} draws."
    )


def _evidence(made: Explanation) -> list[RenderableType]:
    from rich.text import Text

    found = made["evidence"]
    return [] if found is None else [Text(evidence_words(found)), ""]


def evidence_words(found: FoundEvidence) -> str:
    """Say whether the units that are named are those that people marked."""
    count = len(found["marked"])
    first = "is" if found["first"] else "is not"
    return (
        f"The most important unit {first} marked by people. Of {count} marked, {found['found']} "
        f"{'is' if found['found'] == 1 else 'are'} among the {count} most important; chance would find "
        f"{found['chance']:.1f}."
    )


def _neighbours(item: ExplainedCase) -> list[RenderableType]:
    from rich.text import Text

    near = item["neighbours"]
    if near is None:
        return []
    table = new_table()
    for name in ("Cosine", "Answer", "Gold"):
        table.add_column(name, no_wrap=True)
    table.add_column(f"Nearest of {near['size']:,} pairs of {revealed(near['pool'])}", overflow="fold", ratio=1)
    for each in near["nearest"]:
        texts = f"{_short(revealed(each['premise']))}\n→ {_short(revealed(each['hypothesis']))}"
        table.add_row(minus(f"{each['cosine']:.3f}"), each["label"] or NOTHING, each["gold"] or NOTHING, texts)
    return [table, Text(same_answer_words(item["explanation"], near), style="dim"), ""]


def same_answer_words(made: Explanation, near: Neighbours) -> str:
    """Say to how many neighbours the system gives the answer that is explained."""
    same = sum(each["label"] == made["label"] for each in near["nearest"])
    return f"It gives the same answer to {same} of these {len(near['nearest'])} pairs."


def _quoted(text: str) -> str:
    return f"“{revealed(text) if len(text) <= _UNIT else revealed(text[:_UNIT]) + '…'}”"
