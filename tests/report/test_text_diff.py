"""What is gone and what is new is marked where sentences begin and end, if it can be."""

from __future__ import annotations

import pytest

from nliprobe.report.text_diff import text_diff

SIGNS = {"same": "{}", "removed": "[-{}-]", "added": "[+{}+]"}


@pytest.mark.parametrize(
    ("before", "after", "marked"),
    [
        (
            "A choir sings. The choir meets here.",
            "A choir sings. The Lorn is a river. The choir meets here.",
            "A choir sings. [+The Lorn is a river. +]The choir meets here.",
        ),
        (
            "Glass is old. Jonas came to glass. Two came.",
            "Glass is old. Two came.",
            "Glass is old. [-Jonas came to glass. -]Two came.",
        ),
        ("The tea is hot. The cat sleeps.", "The cat sleeps.", "[-The tea is hot. -]The cat sleeps."),
        ("东京大。人口多。", "人口多。东京大。", "[+人口多。+]东京大。[-人口多。-]"),
        ("He is old.", "He is not old.", "He is [+not +]old."),
        ("a b a b", "a b a b a b", "a b a b[+ a b+]"),
        ("", "a", "[+a+]"),
        ("One.\nTwo.\nThree.", "One.\nThree.", "One.\n[-Two.\n-]Three."),
    ],
)
def test_changes_begin_and_end_with_sentences(before: str, after: str, marked: str) -> None:
    assert "".join(SIGNS[piece.kind].format(piece.text) for piece in text_diff(before, after)) == marked
