"""What is said about an answer when its strongest words are taken out."""

from __future__ import annotations

import pytest

from nliprobe.report.explained import faithful_words
from nliprobe.task.explanation import Faithfulness, Step


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (["E", "E"], "Without the one that speaks most for it, the answer stays; without 1 at random"),
        (["E", "N"], "Without the one that speaks most for it, the answer becomes N; without 1 at random"),
        (
            ["E", "E", "E"],
            "Of the 2 that speak most for it, taken out one after the other, the answer stays; without 2",
        ),
        (["E", "C", "C"], "the answer becomes C without the first; without 2 at random"),
        (["E", "E", None], "the answer becomes no answer without the first 2; without 2 at random"),
    ],
)
def test_the_answer_is_followed(labels: list[str | None], said: str) -> None:
    named = [Step(removed=place, label=label, value=0.5) for place, label in enumerate(labels)]
    changed = [0.0, *[0.25] * (len(labels) - 1)]
    faithful = Faithfulness(named=named, random_value=[], random_changed=changed, draws=20, drop=0.1)
    words = faithful_words(faithful)
    assert said in words
    assert words.endswith(" at random it changes in 25 % of 20 draws.")
