"""Systems that differ by their seed only."""

from __future__ import annotations

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.analysis.documents import Gain, ScoreEntry, SystemHead
from nliprobe.analysis.families import family_scores


def head(name: str, family: str | None) -> SystemHead:
    return SystemHead(
        name=name,
        partition="E|N|C",
        represent="para",
        premise="full",
        train=[],
        family=family,
        constant=None,
        doctor=None,
    )


def score(system: str, corpus: str, accuracy: float | None, probe: str = "gold") -> ScoreEntry:
    return cast(ScoreEntry, {"system": system, "corpus": corpus, "probe": probe, "accuracy": accuracy})


def gain(system: str, corpus: str, value: float) -> Gain:
    return cast(Gain, {"system": system, "corpus": corpus, "gain": value})


def test_means_and_spreads_by_hand() -> None:
    systems = [head("a-0", "a"), head("a-1", "a"), head("b", None)]
    scores = [score("a-0", "x", 0.5), score("a-1", "x", 0.7), score("b", "x", 0.1), score("a-0", "y", 0.4)]
    scores.append(score("a-0", "x", 0.3, "rows.delete"))
    found = family_scores(systems, scores, [gain("a-0", "x", 0.1), gain("a-1", "x", 0.2)])
    by_place: dict[Any, Any] = {(item["corpus"], item["probe"]): item for item in found}
    assert len(found) == 3
    assert by_place["x", "gold"]["accuracy"] == pytest.approx(0.6)
    assert by_place["x", "gold"]["sd"] == pytest.approx(0.1414213562)
    assert by_place["x", "gold"]["gain"] == pytest.approx(0.15)
    assert by_place["y", "gold"]["systems"] == ["a-0"]
    assert by_place["y", "gold"]["sd"] is None
    assert by_place["x", "rows.delete"]["gain"] is None, "a gain is of pairs as they are"


def test_nothing_without_families_or_without_scores() -> None:
    assert family_scores([head("b", None)], [score("b", "x", 0.1)], []) == []
    assert family_scores([head("b", "f")], [score("b", "x", None)], []) == []


@given(st.lists(st.floats(0, 1), min_size=2, max_size=6))
def test_the_mean_lies_between_its_members(values: list[float]) -> None:
    systems = [head(f"s{n}", "f") for n in range(len(values))]
    [found] = family_scores(systems, [score(f"s{n}", "x", value) for n, value in enumerate(values)], [])
    assert min(values) - 1e-9 <= found["accuracy"] <= max(values) + 1e-9
    assert found["sd"] is not None
    assert found["sd"] >= 0
