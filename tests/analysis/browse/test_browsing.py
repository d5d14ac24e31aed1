"""The case browser finds what a look at every case finds."""

from __future__ import annotations

import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.analysis.browse.naive import NaiveCase, naive_cases, naive_matches
from tests.analysis.browse.runs import CORPORA, SYSTEMS, WORDS, answered, write
from tests.analysis.runs import Asked, MakeRun, derived, pair

from nliprobe.analysis.browse.browsing import Browser
from nliprobe.analysis.browse.building import build_index
from nliprobe.analysis.browse.common import keep_common_words
from nliprobe.analysis.browse.judging import RULE_OUTCOMES
from nliprobe.analysis.browse.kept import index_file, writing
from nliprobe.analysis.browse.opened import OpenBrowsers
from nliprobe.analysis.browse.wanted import ANY_SYSTEM, Wanted, WantedAnswer, WantedOutcome
from nliprobe.analysis.browse.words import marked, terms
from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.base.hashing import digest_bytes
from nliprobe.store.frames import case_frames
from nliprobe.task.case import Case, Certainty
from nliprobe.task.pair import Facet
from nliprobe.task.relations import SAME, UNCONSTRAINED

labels = st.sampled_from(("E", "N", "C", "NC", "none", "not asked"))
typed_words = (*WORDS, '"a the"', "MAN", "cafe", "key", "some/dev/0", "T1", "quoted line", '"', "*")
hostile = ('" OR *', "NEAR(a b", "words:a", "a AND", '"""', "^a", "\0", "-a", "{a b}")
searches = st.lists(st.sampled_from(typed_words), max_size=3).map(" ".join)
facets = st.builds(Facet, st.sampled_from(("genre", "rows")), st.sampled_from("123"))
wanteds = st.builds(
    Wanted,
    corpus=st.sampled_from((None, None, *CORPORA, "unknown")),
    probe=st.sampled_from((None, None, "gold", "rows.delete")),
    gold=st.sampled_from((None, None, "E", "NC", "none")),
    certainty=st.sampled_from((None, None, *(item.value for item in Certainty))),
    group=st.sampled_from((None, None, None, "T1", "some/dev/0", "nobody")),
    pair=st.sampled_from((None, None, None, None, "some/dev/0")),
    facets=st.lists(st.builds(Facet, st.sampled_from(("genre", "rows")), st.sampled_from("123")), max_size=1).map(
        tuple
    ),
    answers=st.lists(st.builds(WantedAnswer, st.sampled_from(SYSTEMS), labels), max_size=1).map(tuple),
    outcomes=st.lists(
        st.builds(
            WantedOutcome,
            st.sampled_from((ANY_SYSTEM, *SYSTEMS)),
            st.sampled_from(("gold", "expects")),
            st.sampled_from(RULE_OUTCOMES),
        ),
        max_size=1,
    ).map(tuple),
    disagree=st.booleans(),
    search=searches,
)


@settings(max_examples=10)
@given(made=answered(), asked=st.lists(wanteds, min_size=6, max_size=12), limit=st.integers(1, 4))
def test_finds_what_a_look_at_every_case_finds(
    made: tuple[dict[str, list[Case]], list[Asked]], asked: list[Wanted], limit: int
) -> None:
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        run = write(Path(name), made)
        naive = naive_cases(run)
        build_index(run.path)
        browser = OpenBrowsers().open(stack, run.path)
        for wanted in (Wanted(), *asked):
            expected = [case for case in naive if naive_matches(case, wanted)]
            assert browser.count(wanted) == len(expected)
            assert _all_pages(browser, wanted, limit) == [case.case_id for case in expected]
            _check_counts(browser, wanted, naive, expected)
        index_file(run.path).unlink()


def _all_pages(browser: Browser, wanted: Wanted, limit: int) -> list[str]:
    """Turn the pages forwards to the end, and back."""
    found: list[str] = []
    page = browser.page(wanted, limit=limit)
    while True:
        assert page.start == len(found)
        found += [case.case_id for case in page.cases]
        if page.after is None:
            break
        page = browser.page(wanted, limit=limit, after=page.after)
    back: list[str] = [case.case_id for case in page.cases]
    while page.before is not None:
        page = browser.page(wanted, limit=limit, before=page.before)
        back = [*(case.case_id for case in page.cases if case.case_id not in back), *back]
    assert back == found
    return found


def _check_counts(browser: Browser, wanted: Wanted, naive: list[NaiveCase], expected: list[NaiveCase]) -> None:
    counts = browser.counts(wanted)
    if wanted.corpus is None:
        assert counts.corpus == Counter(case.corpus for case in expected)
    else:  # as if another one were chosen
        others = [case for case in naive if naive_matches(case, _replaced(wanted, corpus=None))]
        assert counts.corpus == Counter(case.corpus for case in others)
    if not wanted.answers:
        for system in SYSTEMS:
            assert counts.answers[system] == Counter(case.answers[system] for case in expected)
    if not wanted.outcomes:
        for system in SYSTEMS:
            for kind, found in counts.outcomes[system].items():
                assert found == Counter(case.outcomes[system, kind] for case in expected)
    listed = Counter(facet for case in expected for facet in case.facets)
    assert {Facet(name, value): n for name, values in counts.facets.items() for value, n in values.items()} == listed
    table = browser.crossed(wanted, "one", "three")
    cells = {(one, two): n for one, row in table.items() for two, n in row.items() if n}
    assert cells == Counter((case.answers["one"], case.answers["three"]) for case in expected)


def _replaced(wanted: Wanted, **changes: object) -> Wanted:
    return Wanted(**{**wanted.__dict__, **changes})


@settings(max_examples=60)
@given(typed=st.text(max_size=60) | st.sampled_from(hostile))
def test_nothing_that_is_typed_is_an_error(typed: str, shared_browser: Browser) -> None:
    page = shared_browser.page(Wanted(search=typed))
    assert page.total <= len(shared_browser)
    if not terms(typed):
        assert page.total == len(shared_browser)
    for case in page.cases:
        assert "".join(piece for piece, _ in marked(case.premise, terms(typed))) == case.premise


@pytest.fixture(scope="module")
def shared_browser(tmp_path_factory: pytest.TempPathFactory) -> object:
    from tests.analysis.runs import write_run

    cases, answers = [pair("a", "E"), pair("b", "N")], {"a": "E", "b": "E"}
    run = write_run(tmp_path_factory.mktemp("runs"), {"some/dev": cases}, [Asked("one", answers)])
    build_index(run.path)
    with ExitStack() as stack:
        yield OpenBrowsers().open(stack, run.path)


def test_a_word_of_very_many_texts_is_found_by_its_bits(make_run: MakeRun) -> None:
    run = make_run({"some/dev": [pair(f"p{place}") for place in range(7)]}, [Asked("one", {})], status="running")
    path = build_index(run.path)

    def found() -> int:
        with ExitStack() as stack:
            return OpenBrowsers().open(stack, run.path).count(Wanted(search="premise"))

    assert found() == 7
    with writing(path) as connection:
        keep_common_words(connection, common=2)
    assert found() == 7
    with writing(path) as connection:
        [(bits,)] = connection.execute("SELECT content FROM common WHERE word = 'premise'").fetchall()
        nothing = bytes(len(bits))
        connection.execute("UPDATE common SET content = ?, digest = ?", (nothing, digest_bytes(nothing)))
    assert found() == 0  # so that it was the bits that were asked


def test_a_list_shows_what_was_asked_and_answered(make_run: MakeRun) -> None:
    base = pair("base", "E", group="T1")
    run = make_run({"some/dev": [base, derived("edited", base)]}, [Asked("one", {"base": "E", "edited": "C"})])
    build_index(run.path)
    with ExitStack() as stack:
        first, second = OpenBrowsers().open(stack, run.path).page(Wanted()).cases
    assert (first.premise, first.hypothesis, first.gold, first.group) == ("premise of base", "hypothesis", "E", "T1")
    assert [(item.answer, item.gold, item.expects) for item in (*first.answers, *second.answers)] == [
        ("E", "holds", "not applicable"),
        ("C", "not applicable", "broken"),
    ]


def test_a_rule_that_nobody_could_break_is_not_said_to_hold(make_run: MakeRun) -> None:
    base = pair("base", "E", group="T1")
    free, bound = (derived(name, base, relation=str(rule)) for name, rule in (("free", UNCONSTRAINED), ("bound", SAME)))
    run = make_run({"some/dev": [base, free, bound]}, [Asked("one", dict.fromkeys(("base", "free", "bound"), "E"))])
    build_index(run.path)
    with ExitStack() as stack:
        browser = OpenBrowsers().open(stack, run.path)
        assert browser.counts(Wanted()).outcomes["one"]["expects"] == {
            "holds": 1,
            "not applicable": 1,
            "any allowed": 1,
        }
        for outcome, case_id in (("holds", "bound"), ("any allowed", "free")):
            [found] = browser.page(Wanted(outcomes=(WantedOutcome("one", "expects", outcome),))).cases
            assert (found.case_id, found.answers[0].expects) == (case_id, outcome)


def test_a_page_that_cannot_be_is_refused(shared_browser: Browser) -> None:
    with pytest.raises(UsageError, match="between 1 and 500"):
        shared_browser.page(Wanted(), limit=0)
    with pytest.raises(UsageError, match="not by both"):
        shared_browser.page(Wanted(), after="a", before="b")
    with pytest.raises(NotFoundError, match="no case 'nobody'"):
        shared_browser.page(Wanted(), after="nobody")
    with pytest.raises(UsageError, match="no system 'oen'"):
        shared_browser.page(Wanted(answers=(WantedAnswer("oen", "E"),)))


def test_several_threads_browse_at_once_while_the_run_grows(make_run: MakeRun) -> None:
    run = make_run({"some/dev": [pair(f"p{place}") for place in range(4)]}, [Asked("one", {})], status="running")
    build_index(run.path)
    browsers = OpenBrowsers()

    def look(place: int) -> int:
        if place == 10:
            for kind, frame in case_frames(["some/dev"], [pair("later")]).items():
                run.write(kind, 2, frame)
            build_index(run.path)
        with ExitStack() as stack:
            return browsers.open(stack, run.path).count(Wanted(search="premise"))

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(look, range(40)))
    assert set(found) <= {4, 5}
    assert look(0) == 5
