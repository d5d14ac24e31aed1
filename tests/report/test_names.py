"""Short names: never longer than asked for, never two alike."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from nliprobe.report.names import middle_cut, short_names

NAMES = st.lists(st.text(alphabet="ab-/\u200b\u202e ", max_size=120), max_size=12, unique=True)


def seen(text: str) -> str:
    """What is left of a text without what cannot be seen."""
    plain = unicodedata.normalize("NFKC", text)
    return " ".join("".join(sign for sign in plain if unicodedata.category(sign)[0] != "C").split())


@given(NAMES, st.integers(min_value=8, max_value=40))
def test_no_two_names_look_alike_and_none_is_too_long(names: list[str], longest: int) -> None:
    short = short_names(names, longest)
    assert list(short) == names
    assert len({seen(text) for text in short.values()}) == len(names)
    assert all(len(text) <= longest + len(" (12)") for text in short.values())


def test_a_name_is_cut_in_the_middle_and_a_short_one_stays() -> None:
    assert middle_cut("a" * 20 + "b" * 20, 11) == "aaaaa…bbbbb"
    assert short_names(["model-a", "model-b"], 8) == {"model-a": "model-a", "model-b": "model-b"}


def test_names_that_differ_in_the_middle_only_are_told_apart() -> None:
    names = [f"{'x' * 60}{number}{'y' * 60}" for number in range(12)]
    short = short_names(names, 20)
    assert len(set(short.values())) == 12
