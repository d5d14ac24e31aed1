"""Explanations as a page: what is marked, weighed and said is what the document says, and nothing of it is markup."""

from __future__ import annotations

import re
from typing import Literal

from nliprobe.report.explained_page import explained_page, explained_section
from nliprobe.report.weights import marked_words
from nliprobe.task.explanation import (
    EXPLAIN_SCHEMA,
    SCHEMA,
    ExplainDocument,
    ExplainedCase,
    Explanation,
    Faithfulness,
    Lime,
    Weighed,
)

HOSTILE = "<img src=x onerror=alert(1)>"


def word(part: Literal["premise", "hypothesis"], place: int, text: str, whole: str, weight: float) -> Weighed:
    start = whole.index(text)
    span = [start, start + len(text)]
    return {"part": part, "kind": "word", "place": place, "text": text, "span": span, "weight": weight}


def row(place: int, text: str, weight: float) -> Weighed:
    return {"part": "premise", "kind": "row", "place": place, "text": text, "span": None, "weight": weight}


def lime(features: list[Weighed], top: list[Weighed]) -> Lime:
    faithful: Faithfulness = {
        "named": [
            {"removed": 0, "label": "C", "value": 0.96},
            {"removed": 1, "label": "E", "value": 0.2},
        ],
        "random_value": [0.9], "random_changed": [0.05], "draws": 20, "drop": 0.7,
    }  # fmt: skip
    return {"masks": 500, "exhaustive": False, "unanswered": 0, "fit": 0.9, "features": features, "top": top,
            "faithfulness": faithful}  # fmt: skip


PREMISE, CLAIM = f"A man sleeps {HOSTILE} here.", "A man is awake."
WORDS = [
    word("premise", 1, "man", PREMISE, -0.2),
    word("premise", 2, "sleeps", PREMISE, 0.5),
    word("premise", 3, "here", PREMISE, 0.001),
    word("hypothesis", 3, "awake", CLAIM, 0.8),
]
ROWS = [row(0, '["Born", ["1809"]]', 0.1), row(1, f'["Died", ["{HOSTILE}"]]', -0.3)]


def item(**more: object) -> ExplainedCase:
    made: Explanation = {
        "schema": SCHEMA, "system": f"mine {HOSTILE}", "premise": PREMISE, "hypothesis": CLAIM, "label": "C",
        "scale": "probability", "value": 0.96, "seed": 0, "words": lime(WORDS, [*WORDS[:2], WORDS[3]]),
        "units": lime(ROWS, ROWS),
        "evidence": {"grade": "gold", "marked": [1], "first": True, "found": 1, "chance": 0.5}, "notes": [HOSTILE],
    }  # fmt: skip
    return {
        "case_id": None, "pair_id": HOSTILE, "gold": "E", "explanation": {**made, **more},  # type: ignore[typeddict-item]
        "neighbours": {"pool": HOSTILE, "size": 7, "nearest": [
            {"pair_id": "n", "cosine": 0.5, "premise": HOSTILE, "hypothesis": HOSTILE, "gold": "N", "label": "C",
             "template": HOSTILE}]},
    }  # fmt: skip


def page(*items: ExplainedCase) -> str:
    document: ExplainDocument = {"schema": EXPLAIN_SCHEMA, "run": None, "explained": list(items)}
    return explained_page(document)


def test_words_are_marked_by_side_strength_and_sign() -> None:
    pieces = list(marked_words(PREMISE, WORDS[:3], WORDS[:2], 0.8))
    assert "".join(piece.text for piece in pieces) == PREMISE
    assert [(piece.text, piece.side, piece.level, piece.named) for piece in pieces if piece.side] == [
        ("man", "against", 1, True),
        ("sleeps", "for", 3, True),
    ]
    text = page(item())
    assert '<span class="word for l3 named" title="+0.500">sleeps<b class="sign">+</b></span>' in text
    assert '<span class="word against l1 named" title="−0.200">man<b class="sign">−</b></span>' in text
    assert '<span class="word for l4 named" title="+0.800">awake<b class="sign">+</b></span>' in text


def test_of_a_very_long_text_only_what_is_around_marks_is_shown() -> None:
    text = "word " * 3000 + "here"
    pieces = list(marked_words(text, [word("premise", 3000, "here", text, 0.5)], [], 0.5))
    assert [piece.side for piece in pieces] == ["", "for"]
    assert len(pieces[0].text) < 1300
    assert " … " in pieces[0].text


def test_everything_of_the_document_is_there_and_escaped() -> None:
    text = page(item())
    body = text.partition("<body>")[2]
    assert HOSTILE not in body
    assert not re.search(r"\son[a-z]+=", re.sub(r"&lt;.*?&gt;", "", body))
    assert "style=" not in body
    for said in (
        "The probability of contradiction is 0.960. The gold label is entailment.",
        "Weights add to the probability of C.",
        "without “awake”",
        "E 0.20; others 0.90, 5 % change",
        "Born: 1809",
        "The most important unit is marked by people.",
        "marked as needed",
        "Nearest of 7 pairs of",
        "It gives the same answer to 1 of these 1 pairs.",
    ):
        assert said in re.sub(r"<[^>]+>|\u00a0", lambda found: " " if found[0] == "\u00a0" else "", body), said


def test_several_explanations_are_chapters() -> None:
    text = page(item(), item(system="other"))
    assert "Why 2 answers are what they are" in text
    assert text.count("<h2 id=") == 2


def test_what_is_missing_is_said() -> None:
    bare = item(words=None, units=None, evidence=None, value=1.0, scale="label", notes=[])
    bare["neighbours"] = None
    bare["gold"] = None
    text = page(bare)
    assert "There are no words to take out." in text
    assert "It gives no number with its answer, contradiction." in text
    assert "What it finds similar" not in text
    section = explained_section(bare)
    assert section["units"] is None
    assert section["evidence"] == ""
    same = lime([{**each, "weight": 0.0} for each in WORDS], [])
    same["faithfulness"] = None
    assert "Weights of the named words" in page(item(words=same))
