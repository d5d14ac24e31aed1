"""What is this plugin's own."""

from __future__ import annotations

from nliprobe.api.sources import open_source
from nliprobe.probes.suite import build_probe
from nliprobe.represent.reader import build_representation
from nliprobe.task.case import Case, Skip
from nliprobe.task.pair import Pair
from nliprobe.task.table import Row, Table


def test_hypothesis_case() -> None:
    probe = build_probe("hypothesis.case")
    [case] = probe.cases(Pair("p", "A dog runs.", "A dog moves."), None)
    assert isinstance(case, Case)
    assert case.hypothesis == "A DOG MOVES."
    assert list(probe.cases(Pair("p", "A dog runs.", "1961"), None)) == [
        Skip("hypothesis.case", "the hypothesis has no small letters")
    ]


def test_weather() -> None:
    pairs = list(open_source("weather?where=label:E&limit=2").pairs())
    assert len(pairs) == 2
    assert {str(pair.gold) for pair in pairs} == {"E"}


def test_list() -> None:
    table = Table("Ann", (Row("Born", ("1961",)), Row("Genres", ("jazz", "soul"))))
    assert "".join(build_representation("list").segments(table, "h")) == "Ann\n- Born: 1961\n- Genres: jazz, soul\n"
