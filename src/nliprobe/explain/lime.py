"""LIME: the words and units on which an answer rests, from the answers to many masks of the input (C7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from nliprobe.base.hashing import digest
from nliprobe.explain.faithfulness import faithfulness
from nliprobe.explain.features import Feature, Features, UnitFeatures, WordFeatures
from nliprobe.explain.local_line import fit_line
from nliprobe.explain.masks import MASKS, draw_masks
from nliprobe.explain.target import Target, target_of, usable
from nliprobe.explain.words import MOST_WORDS
from nliprobe.models.system import System
from nliprobe.task.evidence import Evidence
from nliprobe.task.explanation import SCHEMA, Explanation, FoundEvidence, Lime, Weighed, ranked, supporting
from nliprobe.task.pair import Pair

# How many words of each text, and how many units, are named; the seed shows three.
TOP = 3


class LimeOptions(NamedTuple):
    """How much is asked for one explanation."""

    masks: int = MASKS
    seed: int = 0
    top: int = TOP


def explain(
    system: System,
    pair: Pair,
    options: LimeOptions | None = None,
    progress: Callable[[int], None] = lambda count: None,
) -> Explanation:
    """Explain a system's answer to a pair by its words and by the units of its premise.

    Args:
        system: whom to explain; its model is ready.
        pair: what it is asked.
        options: how much is asked.
        progress: is told how many masks were answered.
    """
    options = options or LimeOptions()
    asked = system.reader.read_pair(pair)
    target = target_of(system, asked)
    words = WordFeatures.of(asked, additive=system.model.additive)
    units = UnitFeatures.of(pair, system.reader)
    by_word = _lime(target, words, options, progress, digest(asked.id, "words"))
    by_unit = None if units is None else _lime(target, units, options, progress, digest(asked.id, "units"))
    return Explanation(
        schema=SCHEMA,
        system=system.name,
        premise=asked.premise,
        hypothesis=asked.hypothesis,
        label=str(target.label),
        scale=target.scale,
        value=round(target.value, 6),
        seed=options.seed,
        words=by_word,
        units=by_unit,
        evidence=None if by_unit is None or pair.evidence is None else found_evidence(by_unit, pair.evidence),
        notes=_notes(target, words, by_word, by_unit),
    )


def found_evidence(units: Lime, evidence: Evidence) -> FoundEvidence | None:
    """Compare the units with the highest weights with those that people marked; None if they marked none."""
    marked = set(evidence.units)
    if not marked:
        return None
    places = [item["place"] for item in ranked(units["features"])]
    return FoundEvidence(
        grade=evidence.grade.value,
        marked=sorted(marked),
        first=places[0] in marked,
        found=len(marked & set(places[: len(marked)])),
        chance=round(len(marked) ** 2 / len(places), 4),
    )


def _lime(
    target: Target, features: Features, options: LimeOptions, progress: Callable[[int], None], name: str
) -> Lime | None:
    import numpy as np

    listed = features.listed
    if not listed:
        return None
    masks = draw_masks(len(listed), options.masks, options.seed, name)
    values = usable(target.ask(features.inputs(masks.kept), progress), target.system)
    answered = np.isfinite(values)
    line = fit_line(masks.kept[answered], values[answered])
    weighed = [_weighed(feature, weight) for feature, weight in zip(listed, line.weights.tolist(), strict=True)]
    return Lime(
        masks=len(values),
        exhaustive=masks.exhaustive,
        unanswered=int((~answered).sum()),
        fit=None if line.fit is None else round(line.fit, 4),
        features=weighed,
        top=[
            item
            for part in ("premise", "hypothesis")
            for item in ranked([each for each in weighed if each["part"] == part and each["weight"]])[: options.top]
        ],
        faithfulness=faithfulness(target, features, supporting(weighed, options.top), options.seed, name),
    )


def _weighed(feature: Feature, weight: float) -> Weighed:
    return Weighed(
        part=feature.part,
        kind=feature.kind,
        place=feature.place,
        text=feature.text,
        span=None if feature.span is None else list(feature.span),
        weight=round(weight, 6),
    )


def _notes(target: Target, words: WordFeatures, by_word: Lime | None, by_unit: Lime | None) -> list[str]:
    notes: list[str] = []
    if target.scale == "label":
        notes.append(
            f"{target.system.name} gives labels without probabilities: explained is whether its answer stays the same."
        )
    if words.asked.form:
        notes.append(f"It reads tables as {words.asked.form}, so no words of the premise are taken out, only rows.")
    if max(words.premise.together, words.hypothesis.together) > 1:
        notes.append(f"Of a text with more than {MOST_WORDS:,} words, neighbouring words are taken out together.")
    for what, lime in (("words", by_word), ("units", by_unit)):
        if lime is not None and lime["fit"] is None:
            notes.append(f"Its answer is the same whichever {what} are taken out: none matters by itself.")
        if lime is not None and lime["unanswered"]:
            notes.append(f"It did not answer {lime['unanswered']} of {lime['masks']} edits of its {what}.")
    return notes
