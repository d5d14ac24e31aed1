"""The answer at the head of the page: each rule, and what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.analysis.runs import Asked, derived, write_run
from tests.report.test_verdict import KEEP, labelled, right

from nliprobe.analysis.documents import ShowDocument
from nliprobe.analysis.summary import summarise
from nliprobe.probes import PROBES
from nliprobe.report.chapters import SECTIONS, TITLES, plain_title
from nliprobe.report.figures import figures
from nliprobe.report.grades import Tone, passed_grade, prohibited_grade
from nliprobe.report.hero import Answer, hero, short_answers
from nliprobe.report.scorecard import letters, scorecard
from nliprobe.task.case import Case

NEXT = {"E": "N", "N": "C", "C": "E"}
N = 300


def told(folder: Path, wrong: range, blind: range | None, *, broken: dict[str, int] | None = None) -> ShowDocument:
    """Summarise a run of a system and a control that are wrong in some places, with probes broken so many times."""
    cases = labelled("x/dev", N)
    edited = [derived(f"{case.id}-{probe}", case, probe, KEEP) for probe in broken or {} for case in cases]
    said = right(cases, wrong)
    said |= {case.id: said[case.bases[0]] for case in edited}
    for probe, times in (broken or {}).items():
        for case in [case for case in edited if case.probe == probe][:times]:
            said[case.id] = NEXT[str(said[case.id])]
    systems = [Asked("m", said)]
    if blind is not None:
        free = right(cases, blind)
        systems.append(Asked("b", free | {case.id: free[case.bases[0]] for case in edited}, premise="none"))
    every: list[Case] = [*cases, *edited]
    return summarise(write_run(folder, {"x/dev": every}, systems, shard=5000))


@pytest.mark.parametrize(
    ("wrong", "blind", "broken", "answer"),
    [
        (range(30), range(30, 250), {"inv.a": 0}, Answer.REASONS),
        (range(30), range(30, 250), {"inv.a": 0, "inv.b": 60}, Answer.PARTLY),
        (range(30), range(30, 250), {"inv.b": 60}, Answer.BREAKS),
        (range(30), range(30, 250), {}, Answer.READS),
        (range(90), range(92), {}, Answer.GUESSES),
        (range(90), range(104), {}, Answer.MOSTLY),
        # No gain is seen, but six points more are not excluded: "mostly", as half of what is above a constant is more.
        (range(100), range(50, 150), {}, Answer.MOSTLY),
        (range(200), range(200), {}, Answer.NO_BETTER),
        (range(90), None, {}, Answer.NO_CONTROL),
    ],
)
def test_each_rule_has_its_words(
    tmp_path: Path, wrong: range, blind: range | None, broken: dict[str, int], answer: Answer
) -> None:
    head = hero(told(tmp_path, wrong, blind, broken=broken))
    assert head.answer == answer
    assert bool(head.missing) == (blind is None)


def test_an_unfinished_run_and_one_of_controls_support_no_answer(tmp_path: Path) -> None:
    document = told(tmp_path, range(30), range(200))
    document["run"]["integrity"]["state"] = "unfinished"
    assert hero(document).answer is Answer.UNFINISHED
    document["run"]["systems"] = document["run"]["systems"][1:]
    head = hero(document)
    assert (head.answer, head.subject) == (Answer.ONLY_CONTROLS, None)


def test_a_gain_whose_interval_holds_zero_is_not_called_one(tmp_path: Path) -> None:
    head = hero(told(tmp_path, range(100), range(50, 150)))
    assert "the difference of +0.0 points" in head.lead[1]
    assert "may be none at all" in head.lead[1]
    assert "−" in head.lead[1]


def test_figures_have_intervals_and_are_graded_by_word_and_shape(tmp_path: Path) -> None:
    document = told(tmp_path, range(30), range(30, 250), broken={"inv.b": 60})
    shown = figures(document, hero(document), None)
    assert [figure.number for figure in shown] == ["90.0 %", "26.7 %", "33.3 %", "20.0 %"]
    assert [figure.grade.word for figure in shown][::3] == ["above a constant answer", "often"]
    assert {figure.grade.sign for figure in shown} == {"▲", "●", "▼"}
    assert all(figure.interval for figure in shown)


def test_seeds_are_one_subject_with_their_spread(tmp_path: Path) -> None:
    cases = labelled("x/dev", N)
    systems = [Asked(f"m{seed}", right(cases, range(30 + seed))) for seed in range(3)]
    document = summarise(
        write_run(tmp_path, {"x/dev": cases}, [*systems, Asked("b", right(cases, range(200)), premise="none")], shard=N)
    )
    for system in document["run"]["systems"][:3]:
        system["family"] = "m"
    head = hero(document)
    assert head.subject is not None
    assert head.subject.label == "m, 3 seeds"
    assert head.others == []
    assert "over 3 seeds" in head.lead[0]
    card = scorecard(document)
    assert card is not None
    assert [column.name for column in card.columns] == ["m, 3 seeds", "b"]
    cell = card.blocks[0].rows[0].cells[0]
    assert cell is not None
    assert cell.drawing.count('class="seed"') == 3


def test_the_scorecard_names_few_columns_and_letters_many(tmp_path: Path) -> None:
    cases = labelled("x/dev", 30)
    systems = [Asked(f"{'s' * 60}{number}", right(cases, range(number))) for number in range(6)]
    card = scorecard(summarise(write_run(tmp_path, {"x/dev": cases}, systems, shard=60)))
    assert card is not None
    assert [column.letter for column in card.columns] == [letters(place) for place in range(6)]
    assert len({column.short for column in card.columns}) == 6
    assert [block.family.title for block in card.blocks] == ["Right answers"]


def test_words_begin_where_whole_intervals_lie() -> None:
    words = [prohibited_grade(*ends).word for ends in ((0.11, 0.2), (0.03, 0.2), (0.0, 0.04), (0.0, 0.2))]
    assert words == ["often", "sometimes", "hardly ever", "cannot be told"]
    assert [passed_grade(*ends).tone for ends in ((0.6, 0.8), (0.1, 0.3), (0.4, 0.6))] == [
        Tone.GOOD, Tone.BAD, Tone.OPEN,
    ]  # fmt: skip


def test_every_probe_has_a_plain_title() -> None:
    assert set(PROBES.names()) <= set(TITLES)
    assert len(set(TITLES.values())) == len(TITLES)
    assert len({title for title, _ in SECTIONS.values()}) == len(SECTIONS)
    assert plain_title("own.probe") == "own.probe"


def test_the_short_answer_has_the_interval_of_every_number_and_blames_no_premise(tmp_path: Path) -> None:
    document = told(tmp_path, range(150), range(90))
    [line] = short_answers(document)
    assert re.fullmatch(
        r"m: It guesses\. 50\.0 % right on x/dev \([\d.]+ to [\d.]+\), "
        r"where always answering [ENC] gets 33\.3 %; "
        r"−20\.0 points \(−[\d.]+ to −[\d.]+\) against the best control without the premise\.",
        line,
    )
    # The control may be another model: that this one stays below it is all that is known.
    assert "it stays below that: −20.0 points" in hero(document).lead[1]


def test_an_answer_for_some_corpora_names_them_beside_figures_of_another(tmp_path: Path) -> None:
    corpora = {name: labelled(name, N) for name in ("x/dev", "y/dev")}
    by_wording, by_premise = (right(corpora["x/dev"], range(90)), right(corpora["y/dev"], range(30)))
    blind = by_wording | right(corpora["y/dev"], range(30, 250))
    run = write_run(tmp_path, corpora, [Asked("m", by_wording | by_premise), Asked("b", blind, premise="none")])
    document = summarise(run)
    head = hero(document)
    assert head.answer is Answer.IN_PLACES
    assert "of x/dev right" in head.lead[0]
    assert "That the premise helps is shown on 1 of 2 corpora: y/dev." in head.lead
    said = short_answers(document)[0]
    assert "% right on x/dev" in said
    assert said.endswith(". That the premise helps is shown on 1 of 2 corpora: y/dev.")
