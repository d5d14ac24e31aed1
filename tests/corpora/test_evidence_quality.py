"""How good silver evidence is, and how many rows hypotheses need."""

from __future__ import annotations

from pathlib import Path

import pytest

from nliprobe.base.errors import NotFoundError
from nliprobe.corpora.evidence.counts import needed_units
from nliprobe.corpora.evidence.quality import attached_name, evidence_quality, silver_note, silver_quality
from nliprobe.corpora.notices import evidence_notices
from nliprobe.stats.matches import Matches
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.labels import C, E, LabelSet, N
from nliprobe.task.pair import Pair
from nliprobe.task.sources import open_source
from nliprobe.task.table import Row, Table

TABLE = Table("X", tuple(Row(f"k{place}", ("1",)) for place in range(4)))


def _pair(name: str, *units: int, grade: Grade = Grade.GOLD) -> Pair:
    return Pair(name, TABLE, "h", evidence=Evidence(units, grade), group=name)


def test_evidence_is_compared_over_pairs_that_have_both() -> None:
    judged = [_pair("a", 0, 1), _pair("b", 2), Pair("c", TABLE, "h"), _pair("d", 0), _pair("x", 0)]
    people = [_pair("a", 1), _pair("b", 2, 3), _pair("c", 1), _pair("d"), Pair("e", TABLE, "h")]
    quality = evidence_quality(judged, people, name="guess", against="gold")
    assert (quality.pairs, quality.groups, quality.uncovered, quality.grade) == (2, 2, 1, Grade.GOLD)
    assert quality.scores.precision.value == pytest.approx(2 / 3)
    assert quality.scores.recall.value == pytest.approx(2 / 3)
    assert quality.exact.value == 0.0
    assert quality.ceiling == Matches(2, 1, 1)
    # Two of four rows hit one wanted row half the time; one of four hits two wanted rows half the time.
    assert quality.chance == pytest.approx(1 / 3)
    assert quality.chance_recall == pytest.approx(1 / 3)
    assert quality.sentence().startswith("Against gold (2 pairs in 2 groups), 'guess' has precision 67 %")


def test_evidence_of_other_pairs_is_not_compared() -> None:
    quality = evidence_quality([_pair("a", 0)], [_pair("b", 0)], name="guess", against="gold")
    assert (quality.pairs, quality.sentence()) == (0, "No pair has both guess and gold.")


def _measured(data: Path, name: str) -> dict[str, tuple[int, float, float, float]]:
    try:
        open_source("infotabs/alpha1?evidence=edit", data)
        open_source("infotabs/alpha1?evidence=ranking-4", data)
        open_source("infotabs/train-sample?evidence=gold", data)
    except NotFoundError as error:
        pytest.skip(str(error))
    return {
        item.grade.value: (
            item.pairs,
            round(item.scores.precision.value or 0, 3),
            round(item.scores.recall.value or 0, 3),
            round(item.exact.value or 0, 3),
        )
        for item in silver_quality(name, data)
    }


def test_silver_is_measured_against_people(data: Path) -> None:
    assert _measured(data, "lexical") == {"edit": (846, 0.510, 0.737, 0.405), "gold": (102, 0.659, 0.814, 0.471)}
    # There is no ranking of train, so it cannot be compared with the marks.
    assert _measured(data, "ranking-4") == {"edit": (608, 0.223, 0.602, 0.002)}
    [ranking] = silver_quality("ranking-4", data)
    assert (round(ranking.chance or 0, 3), round(ranking.chance_recall or 0, 3)) == (0.182, 0.493)
    assert round(ranking.ceiling.precision or 0, 3) == 0.368


def test_the_note_about_silver_is_measured_or_says_that_it_is_not(data: Path, tmp_path: Path) -> None:
    _measured(data, "lexical")
    note = silver_note("infotabs/dev?evidence=lexical&limit=3", data)
    assert note.startswith(
        "Silver evidence is a program's guess. Against edit evidence of infotabs/alpha1 (846 pairs in"
    )
    assert "precision 51 % (48 to 54)" in note
    assert "random sets of the same sizes have precision 15 %" in note
    for name in ("lexical", "own", "file:my.csv"):
        assert "quality is not measured here" in silver_note(name, tmp_path)


def test_the_name_of_attached_evidence_is_found() -> None:
    assert attached_name("infotabs/dev?limit=3&evidence=lexical-2") == "lexical-2"
    assert attached_name("ranking-4") == "ranking-4"


def test_needed_units_are_counted_by_label() -> None:
    def pair(gold: LabelSet | None, evidence: Evidence | None, group: str) -> Pair:
        return Pair(group, TABLE, "h", gold, group, evidence)

    pairs = [
        pair(N, Evidence((), outside=True), "a"),
        pair(E, Evidence((0,)), "b"),
        pair(E, Evidence((0, 2)), "c"),
        pair(None, Evidence((1,)), "d"),
        pair(C, None, "e"),
    ]
    counted = needed_units(pairs)
    assert list(counted) == ["all", "E", "N"]
    assert counted["all"].units == {0: 1, 1: 2, 2: 1}
    assert (counted["all"].outside.value, counted["all"].none.value, counted["all"].mean) == (0.25, 0.25, 1.0)
    assert (counted["E"].several.value, counted["E"].outside.value) == (0.5, 0.0)
    silver = needed_units([_pair("a", 0, grade=Grade.SILVER)])["all"]
    assert (silver.outside.value, silver.none.value, silver.several.value) == (None, None, 0.0)
    assert needed_units([]) == {}


def test_a_run_is_told_about_its_evidence(data: Path, tmp_path: Path) -> None:
    _measured(data, "lexical")
    notices = evidence_notices(open_source("infotabs/alpha1?evidence=ranking-4&limit=60", data), data)
    # Two of the first seven tables have other rows in the ranking, or cannot be checked.
    assert [notice.partition(":")[0] for notice in notices[:-1]] == ["The evidence of 9 pairs is not used"] * 2
    assert notices[-1] == silver_note("ranking-4", data)
    assert evidence_notices(open_source("infotabs/alpha1?evidence=edit", data), data) == []
    assert evidence_notices(open_source("infotabs/alpha1", data), data) == []
    path = tmp_path / "own.jsonl"
    path.write_text(
        '{"context": ["It rained."], "claim": "It was wet.", "label": "E", "needed": [0]}', encoding="utf-8"
    )
    own = open_source(f"file:{path}?sentences=context&evidence=needed&units=from0&grade=silver")
    assert "quality is not measured here" in evidence_notices(own)[0]
