"""``overlap-k`` and ``wmd-k`` keep the nearest sentences of a text as they keep the nearest rows of a table."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import UsageError
from nliprobe.language.sentences import split_sentences
from nliprobe.represent._nearest import Nearby
from nliprobe.represent.controls import DUMMY, Control
from nliprobe.represent.reader import Reader, build_representation
from nliprobe.task.case import identity_case
from nliprobe.task.pair import Pair
from nliprobe.task.table import Row, Table

TEXT = "Oslo lies on a fjord. Ulm has a tall church.\n\nRome is in Italy. Kim plays chess."


def read(spec: str, text: str, hypothesis: str) -> str:
    return "".join(build_representation(spec).passage(text, hypothesis))


def test_the_sentences_that_share_most_words_are_kept_in_order() -> None:
    assert read("overlap-1", TEXT, "The churches of Ulm are tall.") == "Ulm has a tall church."
    # Between neighbours stays what was there; elsewhere a line end or a space is enough.
    assert read("overlap-2", TEXT, "Ulm is in Italy.") == "Ulm has a tall church.\n\nRome is in Italy."
    assert read("overlap-2", TEXT, "Kim sees the fjord.") == "Oslo lies on a fjord.\nKim plays chess."
    assert (
        read("overlap-2", "One cat sat. Two dogs ran. Three birds sang.", "Cats and birds")
        == "One cat sat. Three birds sang."
    )


def test_among_equally_near_sentences_the_first_are_taken() -> None:
    assert read("overlap-2", TEXT, "Nobody knows.") == "Oslo lies on a fjord. Ulm has a tall church."


@pytest.mark.parametrize("spec", ["overlap-4", "overlap-9"])
def test_a_text_of_few_sentences_stays_as_it_is(spec: str) -> None:
    assert read(spec, f"  {TEXT}\n", "Ulm") == f"  {TEXT}\n"


def test_rows_are_chosen_by_the_same_words() -> None:
    table = Table("Ulm", (Row("Height", ("161 m",)), Row("Country", ("Germany",)), Row("River", ("Danube",))))
    text = "".join(build_representation("overlap-1").segments(table, "Ulm lies on the Danube river."))
    assert text == "The river of Ulm is Danube."


def test_other_representations_leave_texts_alone() -> None:
    for name in ("para", "struct", "json", "markdown", "html", "keyvalue"):
        assert build_representation(name).passage(TEXT, "h") == (TEXT,)


def test_the_reader_chooses_sentences_anew_for_every_hypothesis() -> None:
    reader = Reader(build_representation("overlap-1"), Control.FULL, seed=0, keyed=False)
    pairs = [Pair("a", TEXT, "Ulm"), Pair("b", TEXT, "Rome"), Pair("a", TEXT, "Ulm")]
    read_texts = [reader.read(identity_case(pair)) for pair in pairs]
    assert [item.premise for item in read_texts] == [
        "Ulm has a tall church.",
        "Rome is in Italy.",
        "Ulm has a tall church.",
    ]
    assert read_texts[0].id == read_texts[2].id != read_texts[1].id
    for control, text in ((Control.NONE, ""), (Control.DUMMY, DUMMY)):
        withheld = Reader(build_representation("overlap-1"), control, seed=0, keyed=False)
        assert withheld.read(identity_case(pairs[0])).premise == text


def test_specs_are_checked_and_fingerprints_know_the_sentences() -> None:
    with pytest.raises(UsageError, match="as in overlap-3"):
        build_representation("overlap-0")
    with pytest.raises(UsageError, match="as in overlap-3"):
        build_representation("overlap-k")
    with pytest.raises(UsageError, match="takes no parameters"):
        build_representation("overlap-3?vectors=x")
    assert build_representation("overlap-3").fingerprint() != build_representation("para").fingerprint()


class Drawn(Nearby):
    """Chooses places that a test names."""

    def __init__(self, places: Sequence[int]) -> None:
        super().__init__(len(places))
        self.places = places

    def choose(self, hypothesis: str, texts: Sequence[str]) -> list[int]:
        return sorted(self.places)


@given(
    st.lists(st.sampled_from(["One cat sat.", "Dogs ran!", "Why?", "\n- a bird", "\n\n", "x"]), max_size=9), st.data()
)
def test_what_is_kept_are_sentences_of_the_text(pieces: list[str], data: st.DataObject) -> None:
    text = " ".join(pieces)
    spans = split_sentences(text)
    places = data.draw(st.sets(st.integers(0, max(len(spans) - 1, 0)), min_size=1))
    segments = Drawn(sorted(places)).passage(text, "h")
    if len(spans) <= len(places):
        assert segments == (text,)
    else:
        assert [segment.strip() for segment in segments] == [text[slice(*spans[place])] for place in sorted(places)]
