"""The chapters of the page: plain titles with the technical name beside them, anchors, and the list of contents."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

# What each probe does, as one would tell a colleague.
TITLES: Final = {
    "gold": "The pairs as they are",
    "rows.delete": "Take a row away",
    "rows.insert": "Put a row in",
    "rows.update": "Change a value",
    "rows.permute": "Reorder the rows",
    "rows.compose": "Several edits of the table at once",
    "sentences.delete": "Take a sentence away",
    "sentences.insert": "Put a sentence in",
    "sentences.keep": "Keep the one sentence that decides",
    "sentences.permute": "Reorder the sentences",
    "swap": "Swap the two texts",
    "stress.antonymy": "A word replaced by its opposite",
    "stress.length": "A premise made longer",
    "stress.negation": "A negation that changes nothing",
    "stress.numerical": "Numbers widened and changed",
    "stress.overlap": "Fewer words in common",
    "stress.spelling": "A misspelled word",
    "inv.gender": "Names of the other gender",
    "inv.names": "Other first names",
    "inv.surface": "Another way of writing it",
    "dir.append": "Add something that is always true",
    "dir.negate": "Negate the hypothesis",
    "counterfactual.flip": "Change the fact that decides",
    "counterfactual.relocate": "Move the facts to another table",
    "counterfactual.retitle": "Change what the table is about",
    "hypothesis.entity": "Another name in the hypothesis",
    "hypothesis.modifier": "A clause added to the hypothesis",
    "hypothesis.negation": "The hypothesis negated",
    "hypothesis.number": "Another number in the hypothesis",
    "hypothesis.quantifier": "Another quantifier in the hypothesis",
    "hypothesis.temporal": "Another time in the hypothesis",
}
# The sections that are not about one probe: their title, and what they are called elsewhere.
SECTIONS: Final = {
    "scorecard": ("Scorecard", ""),
    "premise": ("What the premise adds", "gain over premise-free controls"),
    "accuracy": ("Right answers", "accuracy"),
    "seeds": ("From seed to seed", "mean over seeds"),
    "two-way": ("Where only two labels count", "balanced accuracy, ROC-AUC"),
    "swap-test": ("Swap the two texts", "swap test"),
    "stress": ("Under stress", "stress tests"),
    "following": ("Follow an edit", "contrast sets"),
    "knowledge": ("Invented names", "knowledge bias"),
    "consistency": ("Do the answers fit together?", "consistency"),
    "expectations": ("What else must hold", "expectations"),
    "artifacts": ("Words that give the label away", "artifacts"),
    "counterfactuals": ("Change the facts", "counterfactuals"),
    "perturbed": ("Change the hypothesis", "perturbations"),
    "drawn": ("What people need and systems use", "evidence"),
    "capabilities": ("What can it reason about?", "capabilities"),
    "bins": ("Templates passed and failed", "checklist"),
    "labels": ("Label by label", "checklist"),
    "readings": ("Two readings", "checklist"),
    "contrasts": ("Benchmark and checklist", "checklist"),
    "failing-cases": ("Failing cases", ""),
    "left-out": ("Left out", ""),
    "provenance": ("How this was made", "provenance"),
}


class Chapter(NamedTuple):
    """A chapter: where it is, what it is called, and its technical name, if that is another one."""

    anchor: str
    title: str
    name: str = ""


def plain_title(probe: str) -> str:
    """Return what a probe does in plain words, with its parameters if it has some; the name itself if it is not ours.

    >>> plain_title("rows.delete"), plain_title("swap?x=1"), plain_title("mine.own")
    ('Take a row away', 'Swap the two texts (x=1)', 'mine.own')
    """
    name, _, parameters = probe.partition("?")
    title = TITLES.get(name)
    if title is None:
        return probe
    return f"{title} ({parameters})" if parameters else title


def section(key: str) -> Chapter:
    """Return one of the chapters that are not about a single probe."""
    return Chapter(key, *SECTIONS[key])


def probe_chapter(probe: str, prefix: str = "probe", title: str = "") -> Chapter:
    """Return the chapter about one probe.

    Args:
        probe: its spec.
        prefix: of the anchor, where a page has several chapters about the probe.
        title: another title than the probe's own.
    """
    plain = title or plain_title(probe)
    return Chapter(anchor(f"{prefix}-{probe}"), plain, "" if plain == probe else probe)


def anchor(text: str) -> str:
    """Turn a text into an anchor: letters, digits, full stops and hyphens.

    >>> anchor("probe-rows.delete?n=2")
    'probe-rows.delete-n-2'
    """
    return re.sub(r"[^\w.]+", "-", text).strip("-").lower() or "chapter"
