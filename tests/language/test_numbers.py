"""Numbers in text: a table of sentences, exact spans, and the round trip through words."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nliprobe.base.errors import UsageError
from nliprobe.language.english import number_words, ordinal
from nliprobe.language.numbers import Bound, Kind, Manner, Number, find_numbers, write_number

# Sentence, then the numbers that are in it: text, value (or range), kind.
GOLDEN = {
    "Five men and 3 women left.": "Five=5 quantity|3=3 quantity",
    "It cost $1.5 million, or 1,200,000 pounds.": "1.5 million=1500000 quantity|1,200,000=1200000 quantity",
    "Twenty-five of three hundred and two people came.": "Twenty-five=25 quantity|three hundred and two=302 quantity",
    "He bought a dozen eggs and half a million shares.": "a dozen=12 quantity|half a million=500000 quantity",
    "About 20% or 20 percent agreed.": "20=20 quantity|20=20 quantity",
    "Add 1/2 cup, 1 1/2 spoons and ¾ pint.": "1/2=1/2 quantity|1 1/2=3/2 quantity|¾=3/4 quantity",
    "Three quarters of it, two-thirds.": "Three quarters=3/4 quantity|two-thirds=2/3 quantity",
    "He gave a third of it to a third man.": "a third=1/3 quantity|third=3 ordinal",
    "It takes two and a half years.": "two and a half=5/2 quantity",
    "It takes 3–5 days, 5 to 10 men.": "3–5=3..5 quantity|5 to 10=5..10 quantity",
    "Between 3 and 5 boys, five or six girls.": "3 and 5=3..5 quantity|five or six=5..6 quantity",
    "It took from one to two hours.": "one to two=1..2 quantity",
    "No one saw this one; they saw one another.": "",
    "One man and one of his dogs; one should rest.": "One=1 quantity|one=1 quantity",
    "A thousand years; thousands of men; several hundred men.": "A thousand=1000 quantity",
    "The third man came 21st.": "third=3 ordinal|21st=21 ordinal",
    "The second one came twenty-first.": "second=2 ordinal|twenty-first=21 ordinal",
    "Wait a second, just two seconds.": "two=2 quantity",
    "It began in 1969 and in the 1990s.": "1969=1969 year|1990s=1990 year",
    "In nineteen eighty-four we left.": "nineteen eighty-four=1984 year",
    "In twenty twenty we said ten ten.": "twenty twenty=2020 year|ten=10 quantity|ten=10 quantity",
    "The act of 1970 clearly mandates it.": "1970=1970 year",
    "They won at the London 2012 Olympics; dog # 8 ran.": "2012=2012 year|# 8=8 name",
    "The school has 1500 students.": "1500=1500 quantity",
    "On July 4, 1776, on 4 July 1776 and on 2001-09-11.": "July 4, 1776= date|4 July 1776= date|2001-09-11= date",
    "Since 9/11 they work 24/7.": "9/11= date|24/7= name",
    "At 5:30 pm, at 12:30pm, at 6 a.m. or at five o'clock.": "5:30 pm= time|12:30pm= time|6 a.m.= time|five=5 time",
    "We met at 5.": "5=5 time",
    "Second, a second man left a second later.": "Second=2 ordinal|second=2 ordinal",
    "Between 1990 and 1997, see pages 14-15.": "1990 and 1997=1990..1997 year|14-15=14..15 name",
    "By 5 U.S.C. it was ten past.": "5=5 name|ten=10 time",
    "They won 3-2 and then 4:1.": "3-2= score|4:1= score",
    "Call 555-1234 or (212) 555-1234.": "555-1234= name|(212) 555-1234= name",
    "Version 1.2.3 of Apollo 11 is on page 3.": "1.2.3= name|11=11 name|3=3 name",
    "U2 flew a Boeing 747 along Highway 5.": "2=2 name|747=747 name|5=5 name",
    "Covid-19 and report GGD-96-118.": "19=19 name|96=96 name|118=118 name",
    "A 5-year-old ran 5km for 3k dollars.": "5=5 quantity|5=5 quantity|3k=3000 quantity",
    "It was -5 degrees, minus three at night.": "-5=-5 quantity|minus three=-3 quantity",
    "As the report,5 notes, (2) is true.": "5=5 name|(2)=2 name",
    "OMB Circular 50 provides the rules; John has 7 cards.": "50=50 name|7=7 quantity",
    "Map 33 shows it; in Boston 12 people came.": "33=33 name|12=12 quantity",
    "They came 20 strong in a.d. 715 and 202 B.C. too.": "20=20 quantity|a.d. 715=715 year|202 B.C.=202 year",
    "٣ boys 👨‍👩‍👧 and 5️⃣": "٣=3 quantity|5=5 name",
}


def shown(text: str, number: Number) -> str:
    value = "" if number.value is None else str(number.value)
    upper = "" if number.upper is None else f"..{number.upper}"
    return f"{text[number.start : number.stop]}={value}{upper} {number.kind.value}"


@pytest.mark.parametrize("text", GOLDEN)
def test_numbers_of_the_table_are_found(text: str) -> None:
    assert "|".join(shown(text, number) for number in find_numbers(text)) == GOLDEN[text]


@pytest.mark.parametrize(
    ("text", "bound", "words"),
    [
        ("More than 5 men", Bound.ABOVE, "More than"),
        ("no more than five men", Bound.AT_MOST, "no more than"),
        ("at least $5", Bound.AT_LEAST, "at least"),
        ("up to 20%", Bound.AT_MOST, "up to"),
        ("nearly 300 people", Bound.ABOUT, "nearly"),
        ("exactly two dogs", Bound.EXACTLY, "exactly"),
        ("only 3 dogs", Bound.EXACTLY, "only"),
        ("under 3 miles", Bound.BELOW, "under"),
        ("20 or more men", Bound.AT_LEAST, "or more"),
        ("20-odd men", Bound.ABOUT, "-odd"),
        ("20 percent or less", Bound.AT_MOST, "or less"),
    ],
)
def test_a_modifier_is_found_with_its_span(text: str, bound: Bound, words: str) -> None:
    [number] = find_numbers(text)
    assert number.modifier is not None
    assert number.modifier.bound is bound
    assert text[number.modifier.start : number.modifier.stop] == words


@pytest.mark.parametrize(
    ("text", "unit", "phrase"),
    [
        ("paid $5 million", "$", "$5 million"),
        ("paid £ 5", "£", "£ 5"),
        ("20 % of it", "%", "20 %"),
        ("two brown and white dogs", "dogs", "two"),
        ("ten full-time circuit riders", "riders", "ten"),
        ("5 men's shirts", "", "5"),
        ("5km away", "km", "5km"),
        ("a 5-year-old", "year", "5"),
        ("one man", "man", "one"),
    ],
)
def test_unit_and_phrase(text: str, unit: str, phrase: str) -> None:
    [number] = find_numbers(text)
    assert (number.unit, text[slice(*number.phrase)]) == (unit, phrase)


@given(st.integers(0, 999_999))
def test_numbers_in_words_are_read_back(value: int) -> None:
    words = number_words(value)
    text = f"They counted {words} men today."
    [number] = find_numbers(text)
    assert (text[number.start : number.stop], number.value, number.manner) == (words, Fraction(value), Manner.WORDS)


@given(st.integers(1, 99))
def test_ordinals_in_words_are_read_back(value: int) -> None:
    text = f"They took the {ordinal(value)} train."
    [number] = find_numbers(text)
    assert (text[number.start : number.stop], number.value, number.kind) == (
        ordinal(value),
        Fraction(value),
        Kind.ORDINAL,
    )


@given(st.integers(2, 10**9), st.integers(0, 3), st.booleans())
def test_digits_are_read_back_and_written_alike(value: int, places: int, grouped: bool) -> None:
    exact = Fraction(value, 10**places)
    text = f"{value // 10**places:{',' if grouped else ''}}" + (f".{value % 10**places:0{places}}" if places else "")
    [number] = find_numbers(f"It weighs {text} pounds")
    assert number.value == exact
    assert write_number(exact, text, number.manner) == text


PIECES = "one two and a half hundred third - . , 3 1,000 $ % to between or more than pm :30 ' s"
PIECED = st.lists(st.sampled_from(PIECES.split())).map(" ".join)


@given(st.text() | st.text(alphabet="0123456789 ,.-/:$%abst'’ondw\u0663½ミ") | PIECED)
@example("TWO - $")
def test_spans_lie_in_any_text_in_order(text: str) -> None:
    end = 0
    for number in find_numbers(text):
        assert end <= number.start < number.stop <= len(text)
        assert number.phrase[0] <= number.start < number.stop <= number.phrase[1]
        assert text[number.start : number.stop].strip() == text[number.start : number.stop]
        end = number.stop


@pytest.mark.parametrize(
    ("value", "like", "manner", "written"),
    [
        (4200, "1,500", Manner.DIGITS, "4,200"),
        (4200, "1500", Manner.DIGITS, "4200"),
        (25_000, "5", Manner.DIGITS, "25,000"),
        (Fraction(5, 2), "1.50", Manner.DIGITS, "2.50"),
        (-3, "7", Manner.DIGITS, "-3"),
        (7, "Three", Manner.WORDS, "Seven"),
        (203, "one hundred sixty", Manner.WORDS, "two hundred three"),
        (203, "one hundred and sixty", Manner.WORDS, "two hundred and three"),
        (3_000_000, "a million", Manner.WORDS, "three million"),
        (Fraction(5, 2), "two", Manner.WORDS, "2.5"),
        (2_500_000, "1.5 million", Manner.MIXED, "2.5 million"),
        (7000, "3k", Manner.MIXED, "7k"),
    ],
)
def test_a_value_is_written_in_the_manner_of_another(
    value: Fraction | int, like: str, manner: Manner, written: str
) -> None:
    assert write_number(value, like, manner) == written


def test_a_value_without_a_decimal_form_is_refused() -> None:
    with pytest.raises(UsageError, match="no exact form"):
        write_number(Fraction(1, 3), "5", Manner.DIGITS)


@pytest.mark.parametrize(
    "piece",
    ["1,", "one and ", "1.", "- ", "two hundred ", "9" * 50 + " ", "1-", "from 1 to ", "5 or ", "twenty ", "half a "],
)
def test_long_texts_of_number_pieces_are_read(piece: str) -> None:
    text = piece * 5_000
    for number in find_numbers(text):
        assert number.stop <= len(text)
