"""The three boxes of a question, filled from the declared fields of shown.py and from nothing else."""

from __future__ import annotations

from typing import NamedTuple

from nliprobe.people.study.records import Question
from nliprobe.people.study.shown import ClientExample, ClientItem, ClientStage, answer_words
from nliprobe.studio.work.told import pieces


class Choice(NamedTuple):
    """An answer to choose: its code, what it means, its number for the keyboard, and points of a bid."""

    code: str
    says: str
    number: int
    chosen: bool
    points: str


def item_values(shown: ClientItem, given: str | None) -> dict[str, object]:
    """Return what a page says about one question, and what was answered before.

    Args:
        shown: what may be shown.
        given: the participant's answer so far, in the one spelling; None if there is none.
    """
    points = (given or "").split() if shown["points"] is not None else []
    return {
        "shown": shown,
        "choices": [
            Choice(
                code,
                says,
                place,
                code == given,
                points[place - 1] if place <= len(points) else "0",
            )
            for place, (code, says) in enumerate(zip(shown["answers"], shown["says"], strict=True), 1)
        ],
        "examples": [_example(example) for example in shown["examples"]],
        "given": None if given is None else _said(shown, given),
    }


def stage_values(shown: ClientStage) -> dict[str, object]:
    """Return what a page says about the stage beside its question."""
    return {
        "stage": shown,
        "labels": [
            [answer_words(one["label"], Question.LABEL), _percent(one["accuracy"]), f"{one['n']:,}"]
            for one in shown["labels"]
        ],
        "templates": [
            {
                "premise": one["premise"],
                "hypothesis": one["hypothesis"],
                "label": answer_words(one["label"], Question.LABEL),
                "accuracy": _percent(one["accuracy"]),
                "about": one["about"],
            }
            for one in shown["templates"]
        ],
    }


def _percent(share: float) -> str:
    return f"{100 * share:.0f}\N{NO-BREAK SPACE}%"


def _example(example: ClientExample) -> dict[str, object]:
    return {
        "premise": pieces(example["premise"], example["premise_marks"]),
        "hypothesis": pieces(example["hypothesis"], example["hypothesis_marks"]),
        "label": answer_words(example["label"], Question.LABEL),
        "code": example["label"],
    }


def _said(shown: ClientItem, given: str) -> list[str]:
    """Return an answer in words, range by range; it is none if the question was skipped."""
    if not given:
        return []
    if shown["points"] is None:
        return [dict(zip(shown["answers"], shown["says"], strict=True)).get(given, given)]
    placed = zip(given.split(), shown["says"], strict=True)
    return [f"{points} {'point' if points == '1' else 'points'} on {says}" for points, says in placed if points != "0"]
