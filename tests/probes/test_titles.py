"""Titles in sentences: every place that names one is replaced, and ordinary words are left alone."""

from __future__ import annotations

import pytest

from nliprobe.probes._texts import changed
from nliprobe.probes._titles import COMMON, NotReplaced, Replaced, Title, replace_title_in, title_of
from nliprobe.task.table import Row, Table

BORN = Row("Born", ("1961",))


def _title(text: str, category: str = "Film") -> Title:
    rows = (BORN,) if category == "Person" else (Row("Year", ("1999",)),)
    return title_of(Table(text, rows, category))


def _told(hypothesis: str, old: str, new: str, category: str = "Film") -> tuple[str, Replaced]:
    replaced = replace_title_in(hypothesis, _title(old, category), _title(new, category))
    return changed(hypothesis, replaced.changes), replaced


@pytest.mark.parametrize(
    ("hypothesis", "old", "new", "after"),
    [
        ("Jurassic Park's run time is short.", "Jurassic Park", "Jaws", "Jaws's run time is short."),
        ("Most fans of Jaws' music left.", "Jaws", "Coco", "Most fans of Coco's music left."),
        ("The film 'Jaws' was long, and 'Jaws' sold.", "Jaws", "Coco", "The film 'Coco' was long, and 'Coco' sold."),
        ("The end of the Lego Movie is sad.", "The Lego Movie", "Jaws", "The end of Jaws is sad."),
        ("He liked the Piano.", "Piano", "The Hobbit", "He liked the Hobbit."),
        ("JURASSIC PARK is a film.", "Jurassic Park", "Jaws", "Jaws is a film."),
        ("Jaws is longer than Jaws 2.", "Jaws", "Coco", "Coco is longer than Coco 2."),
        ("Day6 is loud.", "DAY6", "Jet", "Jet is loud."),
    ],
)
def test_every_place_is_replaced(hypothesis: str, old: str, new: str, after: str) -> None:
    assert _told(hypothesis, old, new)[0] == after


@pytest.mark.parametrize(
    ("hypothesis", "old", "new", "category", "after"),
    [
        ("Chicago has lakes.", "Chicago, Illinois", "Denver, Colorado", "City", "Denver has lakes."),
        (
            "Chicago, Illinois has lakes.",
            "Chicago, Illinois",
            "Denver, Colorado",
            "City",
            "Denver, Colorado has lakes.",
        ),
        ("Spam has salt.", "Spam (food)", "Corvo Loaf", "Food", "Corvo Loaf has salt."),
        ("John Hurt acted.", "Sir   John Hurt", "Ada Moreno", "Person", "Ada Moreno acted."),
        ("John Macleod, FRS, died.", "John Macleod, FRS", "Ada Moreno", "Person", "Ada Moreno, died."),
        ("An emperor penguin is a bird.", "Emperor penguin", "Snow petrel", "Animal", "A snow petrel is a bird."),
    ],
)
def test_titles_are_read_as_people_say_them(hypothesis: str, old: str, new: str, category: str, after: str) -> None:
    assert _told(hypothesis, old, new, category)[0] == after


@pytest.mark.parametrize(
    ("hypothesis", "after"),
    [
        ("Obama was born in 1961.", "Moreno was born in 1961."),
        ("Barack left, but Obama's wife stayed.", "Ada left, but Moreno's wife stayed."),
        ("Barack Hussein Obama was born.", "Ada Moreno was born."),
    ],
)
def test_parts_of_a_persons_name_are_replaced_but_doubtful(hypothesis: str, after: str) -> None:
    told, replaced = _told(hypothesis, "Barack Obama", "Ada Moreno", "Person")
    assert told == after
    assert replaced.doubtful
    assert not replaced.whole


def test_a_surname_of_somebody_else_is_left_alone() -> None:
    told, replaced = _told("Jeff Bridges is older than Beau Bridges.", "Jeff Bridges", "Ada Moreno", "Person")
    assert told == "Ada Moreno is older than Beau Bridges."
    assert replaced.doubtful


def test_a_plural_is_replaced_by_a_plural_but_doubtful() -> None:
    told, replaced = _told("Emperor penguins eat krill.", "Emperor penguin", "Snow petrel", "Animal")
    assert told == "Snow petrels eat krill."
    assert replaced.doubtful


@pytest.mark.parametrize(
    ("title", "hypothesis"),
    [
        ("It", "It was released in 2017."),
        ("It", "The director said it was short."),
        ("Up", "Prices went up in 2009."),
        ("Her", "Her was released in 2013."),
        ("Seven", "Seven actors are in the film."),
        ("Common", "Common themes are in the film."),
        ("1984", "1984 was published in 1949."),
        ("Come On Over", "The fans come on over to the stage."),
        ("It", "The Film It Was Based On Was Very Good."),
        ("I", "The album that I like is long."),
    ],
)
def test_ordinary_words_are_refused(title: str, hypothesis: str) -> None:
    with pytest.raises(NotReplaced, match=COMMON):
        _told(hypothesis, title, "Jaws")


@pytest.mark.parametrize(
    ("title", "hypothesis", "after"),
    [
        ("It", "The film It was released in 2017.", "The film Jaws was released in 2017."),
        ("Up", "Fans of Up's music wept.", "Fans of Jaws's music wept."),
        ("Help!", "Help! was released in 1965.", "Jaws was released in 1965."),
        ("Common", "Common has been active since 1992.", "Jaws has been active since 1992."),
        ("Help!", "They could not help it.", "They could not help it."),
    ],
)
def test_ordinary_words_are_replaced_where_they_must_be_titles(title: str, hypothesis: str, after: str) -> None:
    assert _told(hypothesis, title, "Jaws")[0] == after


@pytest.mark.parametrize("text", ["It", "BrugesBrugge", "Free agent", "1984", "A B C D E", "Rise/Fall", ""])
def test_titles_that_cannot_stand_in_a_sentence(text: str) -> None:
    assert not _title(text).usable


@pytest.mark.parametrize("text", ["Jaws", "Shia LaBeouf", "Katharine McPhee", "The Hobbit"])
def test_titles_that_can(text: str) -> None:
    assert _title(text).usable
