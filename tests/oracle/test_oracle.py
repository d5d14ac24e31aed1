"""An oracle that reads struct text and hypothesis, and nothing else, agrees with every label of executable cases."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from tests.oracle.agreement import PROBES, Tally, blind_answer, cases_of, compare, random_answer
from tests.oracle.oracle import ENGLISH, answer
from tests.oracle.sayings import Unread

from nliprobe.task.case import Case
from nliprobe.task.table import Table
from nliprobe.templates.tables.find import load_tables

# Each probe over some 300 pairs; scripts/check_tables.py does the same with 100,000 cases.
SOURCE, OTHER = "tables?n=2&seed=3", "tables?n=2&seed=4"
PLAIN = "tables?n=24&seed=5"
# What a model that does not read the table may reach at most.
LARGEST_BLIND = 0.6
HERE = Path(__file__).parent


@cache
def edited_cases() -> tuple[Case, ...]:
    return tuple(cases_of(SOURCE, PROBES))


@cache
def plain_cases() -> tuple[Case, ...]:
    return tuple(cases_of(PLAIN, ()))


def tally(cases: Iterable[Case]) -> Tally:
    return compare(iter(cases), answer)[0]


def test_the_oracle_agrees_with_every_label_after_every_edit() -> None:
    oracle = tally(edited_cases())
    assert oracle.differing == []
    assert oracle.share == 1
    assert oracle.unlabelled == {}
    assert len(oracle.cases) == len(PROBES) + 1
    assert oracle.cases.total() > 4_000
    # Edits turn every label into every other one, so agreement is not that of labels that stay.
    assert {move for move, n in oracle.moves.items() if n} == {one + other for one in "ENC" for other in "ENC"}


def test_the_oracle_agrees_on_every_template() -> None:
    oracle = tally(plain_cases())
    assert oracle.differing == []
    assert oracle.share == 1
    read = {case.source.id.split("/")[1] for case in plain_cases()}
    assert read == {template.id for template in load_tables().templates}


def test_models_that_do_not_read_the_table_fail() -> None:
    models = random_answer(1), blind_answer(cases_of(OTHER, PROBES))
    for blind in compare(iter(edited_cases()), *models):
        assert blind.share < LARGEST_BLIND
        assert all(blind.agreed[probe] < blind.cases[probe] for probe in blind.cases)


def test_each_pattern_reads_a_sentence_of_the_library() -> None:
    used = {id(pattern) for case in plain_cases() if (pattern := _pattern(case))}
    assert [pattern.pattern for _, pattern, _ in ENGLISH.patterns if id(pattern) not in used] == []


def _pattern(case: Case) -> re.Pattern[str] | None:
    assert isinstance(case.premise, Table)
    text = re.sub(rf"(?<!\w){re.escape(case.premise.title)}(?!\w)", "@", case.hypothesis)
    return next((pattern for _, pattern, _ in ENGLISH.patterns if pattern.fullmatch(text)), None)


def test_the_oracle_knows_nothing_of_the_package() -> None:
    reading = [path for path in HERE.rglob("*.py") if path.name not in ("agreement.py", Path(__file__).name)]
    assert len(reading) >= 12
    assert [path.name for path in reading if "nliprobe" in path.read_text("utf-8")] == []


@pytest.mark.parametrize(
    ("table", "hypothesis", "label"),
    [
        ("Released : May 3, 1981 ; Genre : rock , pop", "X was released before 1982.", "E"),
        ("Released : May 3, 1981", "X was released before 1981.", "C"),
        ("Genre : rock", "X was released before 1981.", "N"),
        ("Genre : rock , pop", "One genre of X is jazz.", "C"),
        ("Year : 1650", "X was painted before May 1650.", "N"),
        ("Year : 1649", "X was painted before May 1650.", "E"),
        ("Planned : 1900–1903 ; Carried out : 1903–1908", "The planning and the execution of X overlapped.", "N"),
        ("Planned : 1900–1903 ; Carried out : 1902–1908", "The planning and the execution of X overlapped.", "E"),
        ("Born : 3 May 1900 ; Died : May 2, 1970", "X died at the age of 69.", "E"),
        ("Born : 3 May 1900 ; Died : May 3, 1970", "X died at the age of 69.", "C"),
        ("Born : 3 May 1900 ; Died : 1970", "X died at the age of 69.", "N"),
        ("Years active : 1990–present", "The career of X ended before 1999.", "C"),
        ("Dates : 3–17 March 1978", "X was under way on 17 March 1978.", "E"),
        ("Dates : 28 March – 4 April 1978", "X was under way on 27 March 1978.", "C"),
        ("Length : 46:06", "X is longer than 46 minutes.", "E"),
        ("Budget : $34–40 million ; Box office : $24 million", "The box office of X was larger than its budget.", "C"),
        ("President : A ; Provost : B", "A is the president of X and not its provost.", "E"),
        ("Provost : A", "A is the president of X and not its provost.", "C"),
        ("President : A", "A is the president of X and not its provost.", "N"),
    ],
)  # fmt: skip
def test_the_oracle_reads_cells_and_sentences(table: str, hypothesis: str, label: str) -> None:
    assert answer(f"title : X ; {table}", hypothesis) == label


def test_a_sentence_that_nothing_reads_is_named() -> None:
    with pytest.raises(Unread, match=r"No pattern reads 'X is nice\.'"):
        answer("title : X ; Genre : rock", "X is nice.")
