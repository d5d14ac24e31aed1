"""The numbers of the scorecard: what each family of analyses says about each system, in one line per question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from nliprobe.analysis.artifacts.run_documents import ArtifactsDocument
from nliprobe.analysis.averages import probe_averages
from nliprobe.analysis.checklist.documents import ChecklistDocument
from nliprobe.analysis.documents import ShowDocument
from nliprobe.analysis.rates import Ends
from nliprobe.report.chapters import plain_title
from nliprobe.report.claims import constant_share, identity_scores
from nliprobe.report.following import shown_following
from nliprobe.task.case import IDENTITY

# The families in the order of the scorecard: what they are called, how they are read, and the chapter about them.
SHARE, POINTS, BROKEN = "share", "points", "broken"


class Family(NamedTuple):
    """One family of the scorecard.

    Attributes:
        title: in plain words.
        about: what the numbers are, and which way is better.
        kind: a share from 0 to 100 %, points around 0, or a share that should be 0.
        link: the anchor of its chapter.
    """

    title: str
    about: str
    kind: str
    link: str


class Measure(NamedTuple):
    """A number of one system in one row; rows of several corpora are averaged over them.

    ``base`` is what a constant answer or chance gets, ``rival`` what the best control without premise gets.
    """

    family: Family
    row: str
    system: str
    corpus: str
    value: float
    ci95: Ends
    base: float | None = None
    rival: float | None = None


ACCURACY = Family("Right answers", "Percent right; more is better.", SHARE, "accuracy")
GAIN = Family(
    "What the premise adds",
    "Points above the best system that cannot use the premise; more is better.",
    POINTS,
    "premise",
)
TWO_WAY = Family("Where only two labels count", "Balanced accuracy; chance gets 50.", SHARE, "two-way")
RULES = Family("Keeping the rules", "Percent of answers that change where they must not; 0 is best.", BROKEN, "rules")
CAPABILITIES = Family("Capabilities", "Percent right on templates; more is better.", SHARE, "capabilities")
SWAP = Family(
    "Swap and stress",
    "Points lost when texts are swapped or disturbed, where the label stays; 0 is best.",
    POINTS,
    "disturbed",
)
COUNTERFACTUAL = Family(
    "Changed facts", "Points lost from the originals to the counterfactuals; 0 is best.", POINTS, "counterfactuals"
)
PERTURBED = Family(
    "Changed hypotheses", "Points lost from the originals to the changed hypotheses; 0 is best.", POINTS, "perturbed"
)
FOLLOWING = Family("Following an edit", "Percent of edits with both answers right; more is better.", SHARE, "following")
CONSISTENT = Family("Answers that fit together", "Percent of rules broken; 0 is best.", BROKEN, "consistency")
KNOWLEDGE = Family("Invented names", "Points lost when all names are invented; 0 is best.", POINTS, "knowledge")
ARTIFACTS = Family(
    "Words that give it away", "Points lost where words point to another label; 0 is best.", POINTS, "artifacts"
)
EVIDENCE = Family(
    "Evidence",
    "Percent of pairs in which exactly the needed rows or sentences are used; more is better.",
    SHARE,
    "evidence",
)


def measures(
    document: ShowDocument, checklist: ChecklistDocument | None, artifacts: ArtifactsDocument | None
) -> Iterator[Measure]:
    """List every number of the scorecard, family by family: right answers first, then what the premise adds."""
    yield from _accuracies(document)
    yield from _artifacts(artifacts)
    yield from _evidence(document)
    for item in probe_averages(document):
        rate, ends = item.broken["rate"], item.broken["ci95"]
        if rate is not None:
            yield Measure(RULES, plain_title(item.probe), item.system, "", rate, ends)
    yield from _capabilities(checklist)
    yield from _swap_and_stress(document)
    yield from _made_pairs(document)


def _accuracies(document: ShowDocument) -> Iterator[Measure]:
    rivals = {(item["system"], item["corpus"]): item["control_accuracy"] for item in document["gains"]}
    for entry in identity_scores(document):
        if entry["accuracy"] is not None:
            names = (entry["system"], entry["corpus"])
            yield Measure(
                ACCURACY,
                entry["corpus"],
                *names,
                entry["accuracy"],
                entry["ci95"],
                constant_share(entry),
                rivals.get(names),
            )
    for gain in document["gains"]:
        yield Measure(GAIN, gain["corpus"], gain["system"], gain["corpus"], gain["gain"], gain["ci95"])
    for two in document["two_way"]:
        if two["balanced"] is not None:
            rival = two["control_balanced"]
            yield Measure(
                TWO_WAY,
                two["corpus"],
                two["system"],
                two["corpus"],
                two["balanced"],
                two["balanced_ci95"],
                0.5,
                None if rival is None else rival["value"],
            )


def _artifacts(artifacts: ArtifactsDocument | None) -> Iterator[Measure]:
    for entry in artifacts["entries"] if artifacts is not None else ():
        value = entry["lost_alike"]["value"]
        if value is not None and entry["missing"] is None and entry["probe"] == IDENTITY:
            ends = entry["lost_alike"]["ci95"]
            yield Measure(ARTIFACTS, "gold labels alike", entry["system"], entry["corpus"], value, ends)


def _evidence(document: ShowDocument) -> Iterator[Measure]:
    for entry in document["evidence"]:
        exact = entry["exact"]
        if exact["rate"] is not None:
            best = max((item["exact"] for item in entry["baselines"]), default=None)
            row = f"{entry['unit']}s, {entry['grade']} evidence, by {entry['method']}"
            yield Measure(EVIDENCE, row, entry["system"], entry["corpus"], exact["rate"], exact["ci95"], best)


def _capabilities(checklist: ChecklistDocument | None) -> Iterator[Measure]:
    for entry in checklist["overall"] if checklist is not None else ():
        # Published accuracies have no examples: there, the mean over templates is what is known.
        counted = entry["accuracy"] is not None
        value = entry["accuracy"] if counted else entry["template_mean"]
        ends = entry["ci95"] if counted else entry["template_mean_ci95"]
        constant = None if entry["constant"] is None else entry["constant"]["accuracy"]
        if value is not None:
            yield Measure(CAPABILITIES, "all templates", entry["system"], "checklist", value, ends, constant)


def _swap_and_stress(document: ShowDocument) -> Iterator[Measure]:
    for swapped in document["swap"]["entries"] if document["swap"] is not None else ():
        for row in swapped["labels"]:
            # E may become another label when swapped, so that its fall is no fault.
            if row["doubtful"] and row["label"] != "E":
                name = f"Swap the two texts, gold {row['label']}"
                yield Measure(SWAP, name, swapped["system"], swapped["corpus"], row["drop"], row["drop_ci95"])
    for test in document["stress"]:
        if test["drop"] is not None and not test["likely"]:
            yield Measure(
                SWAP, plain_title(test["test"]), test["system"], test["corpus"], test["drop"], test["drop_ci95"]
            )


def _made_pairs(document: ShowDocument) -> Iterator[Measure]:
    """List the numbers on pairs that were made from others: by probes, by people or by programs."""
    for entry in document["counterfactuals"]:
        row = f"{plain_title(entry['probe'])}, label {entry['effect']}"
        yield Measure(
            COUNTERFACTUAL, row, entry["system"], entry["corpus"], entry["difference"], entry["difference_ci95"]
        )
    for made in document["perturbations"]:
        for item in made["effects"]:
            row = f"label {item['effect']}"
            yield Measure(PERTURBED, row, made["system"], made["corpus"], item["difference"], item["difference_ci95"])
    for edits in shown_following(document):
        for name, followed in (("label changes", edits["changes"]), ("label kept", edits["keeps"])):
            rate = followed["rate"]
            if rate["rate"] is not None:
                yield Measure(
                    FOLLOWING,
                    name,
                    edits["system"],
                    edits["corpus"],
                    rate["rate"],
                    rate["ci95"],
                    followed["chance"],
                    followed["control_rate"],
                )
    for pairs in document["consistency"]:
        if pairs["broken"]["rate"] is not None:
            broken = pairs["broken"]
            yield Measure(CONSISTENT, "rules", pairs["system"], pairs["corpus"], broken["rate"] or 0.0, broken["ci95"])
    for twins in document["knowledge"]:
        yield Measure(
            KNOWLEDGE, "real minus invented", twins["system"], twins["corpus"], twins["bias"], twins["bias_ci95"]
        )
