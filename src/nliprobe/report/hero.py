"""The head of the page: the question, its answer in words, and the few figures that carry it.

The answer is one of :class:`Answer`, given by the rules of :func:`answer`, in their order. Each rests on corrected
p-values and on bounds that hold together for the whole run; of a family of seeds, it must hold for every seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from nliprobe.analysis.constant import ConstantAnswer
from nliprobe.analysis.documents import ShowDocument
from nliprobe.report.chapters import plain_title
from nliprobe.report.claims import (
    CorpusClaim,
    ProbeClaim,
    corpus_claims,
    identity_scores,
    probe_claims,
    reads_hypotheses,
)
from nliprobe.report.grades import Tone
from nliprobe.report.names import middle_cut
from nliprobe.report.points import Points, points, spread_words
from nliprobe.report.subjects import Estimate, Subject, estimate, subjects
from nliprobe.report.words import between, percent, signed

# Longer names would make the lead unreadable; the scorecard lists them in full.
_LONGEST = 34
_MOST_PLACES = 3
ADD_CONTROL = "--system 'MODEL?premise=none'"


class Answer(StrEnum):
    """The answers that a page gives to "does it reason or guess?", from the head down."""

    UNFINISHED = "It cannot be told: the run is not complete."
    ONLY_CONTROLS = "Only controls were asked."
    NO_LABELS = "It cannot be told without labels."
    NO_BETTER = "It is not shown to beat a constant answer."
    NO_CONTROL = "It cannot be told without a control."
    REASONS = "It reads the premise, and keeps the rules."
    PARTLY = "It reads the premise, and reasons on some of it."
    BREAKS = "It reads the premise, but breaks the rules."
    READS = "It reads the premise."
    GUESSES = "It guesses."
    MOSTLY = "It mostly guesses."
    IN_PLACES = "It reads the premise in places."
    SOMEWHAT = "It reads the premise; how much is open."
    UNSHOWN = "It breaks the rules, and no use of the premise is shown."
    OPEN = "It cannot be told from this run."


TONES = {
    Answer.REASONS: Tone.GOOD, Answer.READS: Tone.GOOD,
    Answer.GUESSES: Tone.BAD, Answer.MOSTLY: Tone.BAD, Answer.NO_BETTER: Tone.BAD, Answer.BREAKS: Tone.BAD,
    Answer.UNSHOWN: Tone.BAD,
}  # fmt: skip


class Other(NamedTuple):
    """What is said about a system that is not in focus."""

    name: str
    answer: str
    tone: Tone
    words: str


class Hero(NamedTuple):
    """The head of the page.

    Attributes:
        subject: the system or family in focus; None if every system is a control.
        answer: the answer in words.
        tone: how it is to be taken.
        lead: one to three sentences with the figures.
        points: where the points come from, corpus by corpus; the first is drawn.
        missing: what the run lacks to answer, and how to add it.
        others: one line per other system that can use the premise.
    """

    subject: Subject | None
    answer: Answer
    tone: Tone
    lead: list[str]
    points: list[Points]
    missing: str
    others: list[Other]


def hero(document: ShowDocument) -> Hero:
    """Answer the question for the first system of the run that can use the premise, and in a line for each other."""
    asked = [subject for subject in subjects(document["run"]) if not subject.control]
    if not asked:
        lead = ["Every system of this run answers without the premise, or always the same: there is nothing to judge."]
        return Hero(None, Answer.ONLY_CONTROLS, Tone.OPEN, lead, [], "", [])
    focus = asked[0]
    said = answer(document, focus)
    parts = points(document, focus)
    return Hero(
        focus,
        said,
        TONES.get(said, Tone.OPEN),
        lead_lines(document, focus, parts, said),
        parts,
        _missing(document, said),
        [_other(document, subject) for subject in asked[1:]],
    )


def short_answers(document: ShowDocument) -> list[str]:
    """Return the answer for each system that can use the premise, in a line with the figures behind it."""
    others = [_other(document, subject) for subject in subjects(document["run"]) if not subject.control]
    return [f"{item.name}: {item.answer} {f'{item.words}.' if item.words else ''}".rstrip() for item in others]


def answer(document: ShowDocument, subject: Subject) -> Answer:
    """Choose the answer for one subject: the first rule that applies.

    1. A run that is not complete supports no answer, nor does one without gold labels.
    2. The accuracy is on no corpus surely above that of a constant answer: NO_BETTER.
    3. No system without premise reads hypotheses: NO_CONTROL.
    4. The gain is surely above five points on every corpus: it reads the premise. Its probes say the rest: all rules
       are surely kept (REASONS), some surely broken and some surely kept (PARTLY), some surely broken (BREAKS), or
       nothing is known (READS).
    5. On every corpus the gain is surely below five points, and shown on none: GUESSES. On every corpus it is surely
       below five points or below half of what is surely above a constant answer: MOSTLY. A corpus on which a system
       is shown to be worse than its control counts for both.
    6. The gain is shown on some corpora: SOMEWHAT if on all of them, else IN_PLACES.
    7. No gain is shown, but rules are surely broken: UNSHOWN.
    8. Nothing can be told, because the intervals are too wide: OPEN.
    """
    if document["run"]["integrity"]["state"] != "complete":
        return Answer.UNFINISHED
    claims = corpus_claims(document, subject.systems)
    if not claims:
        return Answer.NO_LABELS
    if not any(claim.above for claim in claims):
        return Answer.NO_BETTER
    if not reads_hypotheses(document):
        return Answer.NO_CONTROL
    return _use(document, subject, claims)


def _use(document: ShowDocument, subject: Subject, claims: Sequence[CorpusClaim]) -> Answer:
    probes = probe_claims(document, subject.systems)
    if all(claim.clear for claim in claims):
        return _rules(probes)
    shown = [claim for claim in claims if claim.shown]
    if not shown and all(claim.little or claim.worse for claim in claims):
        return Answer.GUESSES
    if all(claim.small or claim.worse for claim in claims):
        return Answer.MOSTLY
    if shown:
        return Answer.SOMEWHAT if len(shown) == len(claims) else Answer.IN_PLACES
    return Answer.UNSHOWN if any(probe.broken for probe in probes) else Answer.OPEN


def _rules(probes: Sequence[ProbeClaim]) -> Answer:
    broken, kept = [probe for probe in probes if probe.broken], [probe for probe in probes if probe.kept]
    if broken:
        return Answer.PARTLY if kept else Answer.BREAKS
    return Answer.REASONS if kept and len(kept) == len(probes) else Answer.READS


def lead_lines(document: ShowDocument, subject: Subject, parts: Sequence[Points], said: Answer) -> list[str]:
    """Write the figures behind the answer: accuracy, gain, where that is shown, and the rule that is broken most."""
    if not parts:
        return ["No pair of this run has a gold label, so there is no accuracy to look at."]
    first = parts[0]
    ends = _accuracy_ends(document, subject, first.corpus)
    lines = [
        f"{middle_cut(subject.label, _LONGEST)} answers {percent(first.accuracy)} % of {first.corpus} right{ends}."
    ]
    if first.gain is not None:
        lines.append(_gain_words(first, first.gain))
    elif first.constant or first.lost:
        lines.append(f"Always the same answer gets {percent(first.free)} %.")
    lines += [f"{where}." for where in _places(document, subject, said)]
    broken = worst_rule(document, subject)
    if broken is not None:
        lines.append(
            f"In “{plain_title(broken.name)}”, {percent(broken.rate)} % of its answers change where they must not"
            f" ({rule_spread(broken)})."
        )
    return lines


def _places(document: ShowDocument, subject: Subject, said: Answer) -> list[str]:
    """Name the corpora behind an answer that holds on some only: the figures beside it may be of another one."""
    if said is not Answer.IN_PLACES:
        return []
    claims = corpus_claims(document, subject.systems)
    shown = [middle_cut(claim.corpus, _LONGEST) for claim in claims if claim.shown]
    named = ", ".join(shown[:_MOST_PLACES]) + (" and others" if len(shown) > _MOST_PLACES else "")
    return [f"That the premise helps is shown on {len(shown)} of {len(claims)} corpora: {named}"]


def accuracy_of(document: ShowDocument, subject: Subject, corpus: str) -> Estimate | None:
    """Return the accuracy of a subject on a corpus, with its interval or its spread over seeds."""
    return estimate(
        [
            (entry["accuracy"], entry["ci95"])
            for entry in identity_scores(document)
            if entry["system"] in subject.systems and entry["corpus"] == corpus and entry["accuracy"] is not None
        ]
    )


def constant_of(document: ShowDocument, subject: Subject, corpus: str) -> ConstantAnswer | None:
    """Return the best constant answer on a corpus, and what it gets."""
    found = [
        entry["constant"]
        for entry in identity_scores(document)
        if entry["system"] in subject.systems and entry["corpus"] == corpus and entry["constant"] is not None
    ]
    return max(found, key=lambda constant: constant["accuracy"], default=None)


def _accuracy_ends(document: ShowDocument, subject: Subject, corpus: str) -> str:
    found = accuracy_of(document, subject, corpus)
    return "" if found is None or (found.ci95 is None and found.sd is None) else f" ({spread_words(found)})"


def worst_rule(document: ShowDocument, subject: Subject) -> ProbeClaim | None:
    """Return the rule that is surely broken, and most often; of a family, by every seed."""
    probes = [probe for probe in probe_claims(document, subject.systems) if probe.broken]
    return max(probes, key=lambda probe: probe.rate, default=None)


def rule_spread(probe: ProbeClaim) -> str:
    """Write the interval of a share of prohibited changes, or its range over seeds."""
    if probe.seeds:
        return f"{between([min(probe.seeds), max(probe.seeds)])} over {len(probe.seeds)} seeds"
    return "no interval" if probe.ci95 is None else between(probe.ci95)


def _gain_words(shown: Points, gain: Estimate) -> str:
    control = percent(shown.accuracy - gain.value)
    spread = spread_words(gain, sign=True)
    head = f"Without the premise, the best control ({middle_cut(shown.control, _LONGEST)}) answers {control} %:"
    if gain.ci95 is not None and gain.ci95[0] <= 0 <= gain.ci95[1]:
        return f"{head} the difference of {signed(gain.value)} points ({spread}) may be none at all."
    if gain.value < 0:
        # The best control may be another model, so that nothing is said about what the premise does to this one.
        return f"{head} it stays below that: {signed(gain.value)} points ({spread})."
    return f"{head} the premise adds {signed(gain.value)} points ({spread})."


def _missing(document: ShowDocument, said: Answer) -> str:
    if said is Answer.UNFINISHED or reads_hypotheses(document):
        return ""
    return (
        "No system of this run reads the hypotheses alone, so nobody can tell how much of the accuracy needs the "
        f"premise. Add a twin that does not see it to the same run: {ADD_CONTROL}."
    )


def _other(document: ShowDocument, subject: Subject) -> Other:
    said = answer(document, subject)
    parts = points(document, subject)
    words = ""
    if parts:
        first = parts[0]
        ends = _accuracy_ends(document, subject, first.corpus)
        words = f"{percent(first.accuracy)} % right on {middle_cut(first.corpus, _LONGEST)}{ends}"
        constant = constant_of(document, subject, first.corpus)
        if constant is not None:
            words += f", where always answering {constant['label']} gets {percent(constant['accuracy'])} %"
        if first.gain is not None:
            gained = f"{signed(first.gain.value)} points ({spread_words(first.gain, sign=True)})"
            words += f"; {gained} against the best control without the premise"
        words = ". ".join([words, *_places(document, subject, said)])
    return Other(subject.label, said, TONES.get(said, Tone.OPEN), words)
