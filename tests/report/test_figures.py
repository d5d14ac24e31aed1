"""The figures under the answer: what a family of seeds shows."""

from __future__ import annotations

from typing import Any, cast

from nliprobe.report.figures import _passed
from nliprobe.report.grades import Tone
from nliprobe.report.subjects import Subject


def bins(**passed: int) -> Any:
    """A checklist of a hundred templates, of which each system passes so many."""
    return {"bins": [{"system": name, "passed": n, "unsure": 0, "failed": 100 - n} for name, n in passed.items()]}


def test_a_family_of_seeds_is_a_mean_with_its_spread() -> None:
    [figure] = _passed(cast(Any, bins(a=20, b=30, c=40, other=90)), Subject("m", ("a", "b", "c")))
    assert (figure.number, figure.interval) == ("30.0 %", "±10.0 over 3 seeds")
    # The interval of 40 of 100 ends at 49.8: all three are surely below a half.
    assert figure.grade.tone == Tone.BAD


def test_one_seed_that_could_be_otherwise_leaves_the_grade_open() -> None:
    [figure] = _passed(bins(a=20, b=55), Subject("m", ("a", "b")))
    assert figure.grade.tone == Tone.OPEN


def test_one_system_keeps_its_interval() -> None:
    [figure] = _passed(bins(a=20, b=55), Subject("a", ("a",)))
    assert (figure.number, figure.interval) == ("20.0 %", "13.3 to 28.9")
    assert _passed(bins(b=55), Subject("a", ("a",))) == []
