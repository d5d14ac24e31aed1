"""Programs are read and written without loss, and hostile text is refused in a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import DataError
from nliprobe.task.program import Call, Const, Program, Slot, bind, parse_program, slots_of, write_program

CONSTANTS = st.one_of(
    st.integers(-(10**12), 10**12).map(Const),
    st.text(max_size=12).filter(lambda text: "\x00" not in text and text.isprintable()).map(Const),
    st.lists(st.integers(-99, 9999), max_size=3).map(lambda items: Const(tuple(items))),
)
LEAVES = st.one_of(CONSTANTS, st.sampled_from(["Y", "N", "P1"]).map(Slot))


def _calls(parts: st.SearchStrategy[Program]) -> st.SearchStrategy[Program]:
    two = st.tuples(parts, parts)
    return st.one_of(
        st.builds(Call, st.sampled_from(["<", ">=", "==", "in", "not in", "+", "-", "//"]), two),
        # A chain of one connective is read as one call, so a part never is the same connective.
        st.builds(Call, st.sampled_from(["year", "items", "every"]), st.lists(parts, max_size=3).map(tuple)),
        st.builds(Call, st.just("not"), st.tuples(parts)),
    )


PROGRAMS = st.recursive(LEAVES, _calls, max_leaves=12)


@given(PROGRAMS)
def test_a_program_is_read_as_it_was_written(program: Program) -> None:
    assert parse_program(write_program(program)) == program


@given(PROGRAMS)
def test_bound_programs_have_no_slots(program: Program) -> None:
    assert not slots_of(bind(program, dict.fromkeys(slots_of(program), 7)))


@pytest.mark.parametrize(
    "text",
    [
        "", "year(", "x.y", "__import__('os').system('x')", "lambda: 1", "[1, [2]]", "1 < 2 < 3", "f(*a)", "f(k=1)",
        "True", "1.5", "'a' 'b' if x else y", "not " * 30 + "x", "(" * 500, "1\x00", "x" * 5000, "a is b", "a / b",
    ],
)  # fmt: skip
def test_what_is_no_program_is_refused(text: str) -> None:
    with pytest.raises(DataError):
        parse_program(text)


def test_chains_and_connectives() -> None:
    text = 'year("Released") < 1981 and "rock" in items("Genre") and not (count(items("Label")) == 1)'
    assert write_program(parse_program(text)) == text.replace("and not", "and (not").replace("== 1)", "== 1))").replace(
        "year", "(year"
    ).replace("1981", "1981)").replace('"rock" in items("Genre")', '("rock" in items("Genre"))')


def test_a_list_may_hold_slots_until_they_have_values() -> None:
    program = parse_program('every([A, "jazz"], items("Genre"))')
    assert write_program(program) == 'every([A, "jazz"], items("Genre"))'
    assert bind(program, {"A": "rock"}) == parse_program('every(["rock", "jazz"], items("Genre"))')
