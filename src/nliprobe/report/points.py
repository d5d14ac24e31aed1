"""Where the points come from: what a constant answer gets, what the wording adds, what the premise adds, and people."""

from __future__ import annotations

from html import escape
from statistics import mean
from typing import NamedTuple

from nliprobe.analysis.documents import ScoreEntry, ShowDocument
from nliprobe.report.claims import constant_share, identity_scores, reads_hypotheses
from nliprobe.report.people import people_accuracy
from nliprobe.report.subjects import Estimate, Subject, estimate
from nliprobe.report.words import between, minus, percent, signed


class Points(NamedTuple):
    """The accuracy of a subject on one corpus, in parts that add up to it.

    Attributes:
        corpus: the corpus.
        accuracy: the whole.
        constant: what the best constant answer gets, as far as the accuracy reaches.
        wording: what the best premise-free control adds to it, as far as the accuracy reaches.
        premise: what is left: from the premise, or, without such a control, from wording or premise.
        lost: how far the accuracy stays below what needs no premise.
        gain: the accuracy minus that of the best control; None without a control that reads hypotheses.
        control: the name of that control.
        free: what needs no premise: the better one of a constant answer and the control.
        people: what people get, where it is known.
    """

    corpus: str
    accuracy: float
    constant: float
    wording: float
    premise: float
    lost: float
    gain: Estimate | None
    control: str
    free: float
    people: float | None

    @property
    def split(self) -> bool:
        """Whether wording and premise can be told apart."""
        return self.gain is not None


def points(document: ShowDocument, subject: Subject) -> list[Points]:
    """Split the accuracies of a subject on each corpus into their parts; of a family, the mean accuracy."""
    found: dict[str, list[ScoreEntry]] = {}
    for entry in identity_scores(document):
        if entry["system"] in subject.systems and entry["accuracy"] is not None:
            found.setdefault(entry["corpus"], []).append(entry)
    return [_points(document, corpus, entries) for corpus, entries in found.items()]


def _points(document: ShowDocument, corpus: str, entries: list[ScoreEntry]) -> Points:
    names = [entry["system"] for entry in entries]
    # Two systems may tell different labels apart; a gain in other labels than the score is no part of it.
    partitions = {entry["partition"] for entry in entries}
    gains = [
        gain
        for gain in document["gains"]
        if gain["corpus"] == corpus and gain["system"] in names and gain["partition"] in partitions
    ]
    constant = max((share for entry in entries if (share := constant_share(entry)) is not None), default=0.0)
    if len(gains) == len(entries) and reads_hypotheses(document):
        accuracy = mean(gain["accuracy"] for gain in gains)
        control = mean(gain["control_accuracy"] for gain in gains)
        gain = estimate([(item["gain"], item["ci95"]) for item in gains])
        return split_points(corpus, accuracy, constant, control, gain, gains[0]["control"])
    accuracy = mean(entry["accuracy"] for entry in entries if entry["accuracy"] is not None)
    return split_points(corpus, accuracy, constant, None)


def split_points(
    corpus: str,
    accuracy: float,
    constant: float,
    control: float | None,
    gain: Estimate | None = None,
    name: str = "",
) -> Points:
    """Split an accuracy; the parts add up to it whatever the control and the constant answer get.

    Args:
        corpus: the corpus.
        accuracy: of the system.
        constant: of the best constant answer.
        control: of the best control that reads hypotheses alone; None if there is none.
        gain: how far the system is above that control.
        name: the control's name.
    """
    free = constant if control is None else max(constant, control)
    base = min(constant, accuracy)
    wording = max(0.0, min(free, accuracy) - base)
    return Points(
        corpus,
        accuracy,
        base,
        wording,
        max(0.0, accuracy - base - wording),
        max(0.0, free - accuracy),
        None if control is None else gain,
        "" if control is None else name,
        free,
        people_accuracy(corpus),
    )


class Part(NamedTuple):
    """One part of the picture: its class, its text before and after the number, and whether it is drawn as a line."""

    kind: str
    number: str
    words: str
    ends: str = ""


def parts(shown: Points) -> list[Part]:
    """List the parts of a picture in words, from the left."""
    listed = [Part("constant", percent(shown.constant), _constant_words(shown))]
    if shown.split:
        words = "from the wording of the hypothesis alone"
        listed.append(Part("wording", signed(shown.wording), words))
        listed.append(_premise(shown))
    elif shown.premise:
        words = "above it, from the wording or from the premise: this run cannot tell"
        listed.append(Part("either", signed(shown.premise), words))
    if shown.people is not None:
        listed.append(Part("people", percent(shown.people), "people get right"))
    return listed


def _constant_words(shown: Points) -> str:
    if shown.split or not shown.lost:
        return "any constant answer gets"
    return f"right, {percent(shown.lost)} points below the best constant answer"


def _premise(shown: Points) -> Part:
    """Write what the premise adds; of the gain over the control, where that is what the picture shows."""
    if shown.lost:
        return Part("lost", signed(0.0 - shown.lost), f"missing to the {percent(shown.free)} that need no premise")
    gain = shown.gain
    same = gain is not None and abs(gain.value - shown.premise) < 0.0005
    ends = spread_words(gain, sign=True) if gain is not None and same else ""
    if gain is not None and same and gain.ci95 is not None and gain.ci95[0] <= 0:
        return Part("premise", signed(shown.premise), "from the premise, perhaps none", ends)
    words = "from reading the premise" if same else "above all that needs no premise"
    return Part("premise", signed(shown.premise), words, ends)


def spread_words(number: Estimate | None, *, sign: bool = False) -> str:
    """Write the interval of one system, or the spread over seeds of several."""
    if number is None:
        return ""
    if number.sd is not None:
        return f"±{percent(number.sd)} over {len(number.seeds)} seeds"
    return minus(between(number.ci95, sign=sign)) if number.ci95 is not None else "no interval"


def points_bar(shown: Points, height: int) -> str:
    """Draw one accuracy as a stacked bar from 0 to 100 %, as wide as the page lets it be."""
    pieces = [("constant", 0.0, shown.constant)]
    pieces.append(("wording", shown.constant, shown.wording))
    kind = "premise" if shown.split else "either"
    pieces.append((kind, shown.constant + shown.wording, shown.premise))
    pieces.append(("lost", shown.accuracy, shown.lost))
    drawn = "".join(
        f'<rect class="part {name}" x="{100 * start:.2f}%" width="{100 * width:.2f}%" height="{height}"/>'
        for name, start, width in pieces
        if width > 0
    )
    if shown.people is not None:
        drawn += f'<rect class="part people" x="{100 * shown.people:.2f}%" width="3" height="{height}"/>'
    described = f"{shown.corpus}: {percent(shown.accuracy)} percent right; {_described(shown)}"
    return f'<svg class="points" height="{height}" role="img" aria-label="{escape(described)}">{drawn}</svg>'


def _described(shown: Points) -> str:
    return "; ".join(f"{part.number} {part.words}{f' ({part.ends})' if part.ends else ''}" for part in parts(shown))
