"""The lexicons that state facts (names, places, people, time, effects) agree with themselves and each other."""

from __future__ import annotations

import re
from collections import Counter
from importlib import resources
from itertools import pairwise

import pytest

from nliprobe.language.english import article

FOLDER = resources.files("nliprobe.language.lexicons")
SIZES = {
    "name": 400,
    "country": 90,
    "city": 180,
    "language": 25,
    "landmark": 50,
    "author": 40,
    "laureate": 60,
    "month": 12,
    "weekday": 7,
    "direction": 4,
    "article-exceptions": 60,
    "physics": 30,
    "popularity": 20,
}
FIELDS = {
    "name": "text gender region",
    "country": "text capital adjective person continent language",
    "city": "text country continent capital",
    "language": "text country",
    "landmark": "text city country",
    "author": "text work",
    "laureate": "text field year work",
    "month": "text number",
    "weekday": "text number",
    "direction": "text left right back",
    "article-exceptions": "text article",
    "physics": "text effect wrong",
    "popularity": "text effect wrong",
}
REGIONS = {
    "w-europe", "e-europe", "n-america", "latin-america", "africa", "middle-east", "south-asia", "east-asia", "pacific",
}  # fmt: skip
CONTINENTS = {"Africa", "Asia", "Europe", "North America", "Oceania", "South America"}


def lines(stem: str) -> list[str]:
    return (FOLDER / f"{stem}.tsv").read_text(encoding="utf-8").removesuffix("\n").split("\n")


def rows(stem: str) -> list[dict[str, str]]:
    header, *rest = lines(stem)
    fields = header.split("\t")
    return [dict(zip(fields, line.split("\t"), strict=True)) for line in rest]


def by_text(stem: str) -> dict[str, dict[str, str]]:
    return {row["text"]: row for row in rows(stem)}


@pytest.mark.parametrize("stem", sorted(SIZES))
def test_every_file_has_its_fields_filled_and_no_text_twice(stem: str) -> None:
    assert lines(stem)[0].split("\t") == FIELDS[stem].split()
    entries = rows(stem)
    assert len(entries) >= SIZES[stem]
    assert [text for text, times in Counter(row["text"].lower() for row in entries).items() if times > 1] == []
    cells = [cell for row in entries for cell in row.values()]
    assert [cell for cell in cells if not cell or cell != " ".join(cell.split())] == []


def test_names_are_balanced_over_genders_and_regions() -> None:
    names = rows("name")
    assert Counter(row["gender"] for row in names) == {"f": 200, "m": 200}
    counts = Counter((row["region"], row["gender"]) for row in names)
    assert {region for region, _ in counts} == REGIONS
    for region in REGIONS:
        assert counts[region, "f"] == counts[region, "m"]
        assert 42 <= counts[region, "f"] + counts[region, "m"] <= 46


def test_names_are_single_plain_words() -> None:
    assert [row["text"] for row in rows("name") if not re.fullmatch(r"[A-Z][a-z]+", row["text"])] == []


@pytest.mark.parametrize(
    "stem", ["country", "city", "month", "weekday", "colour", "language", "taxon", "profession", "food", "object"]
)
def test_no_name_means_something_else_too(stem: str) -> None:
    if not (FOLDER / f"{stem}.tsv").is_file():
        pytest.skip(f"there is no lexicon {stem}")
    names = {row["text"].lower() for row in rows("name")}
    assert names.isdisjoint(row["text"].lower() for row in rows(stem))


def test_no_name_is_a_capital_or_a_people() -> None:
    names = {row["text"].lower() for row in rows("name")}
    for field in ("capital", "adjective", "person", "language"):
        assert names.isdisjoint(row[field].lower() for row in rows("country"))


def test_countries_have_their_own_capital() -> None:
    countries = rows("country")
    # A dash stands where the capital is disputed, moving, or called like the country or a state of it.
    assert max(Counter(row["capital"] for row in countries if row["capital"] != "-").values()) == 1
    assert max(Counter(row["adjective"] for row in countries).values()) == 1
    assert [row["text"] for row in countries if row["capital"] == row["text"]] == []
    assert {row["continent"] for row in countries} == CONTINENTS


def test_large_countries_are_there() -> None:
    """The twenty most populous ones, except for those whose name or parts would contradict other entries."""
    names = {row["text"].removeprefix("the ") for row in rows("country")}
    assert {
        "India", "China", "United States", "Indonesia", "Pakistan", "Nigeria", "Brazil", "Bangladesh", "Russia",
        "Ethiopia", "Mexico", "Japan", "Egypt", "Philippines", "Vietnam", "Iran", "Türkiye", "Germany", "Thailand",
        "South Africa", "Netherlands",
    } <= names  # fmt: skip
    assert "United Kingdom" not in names, "England, Scotland and Wales are entries, and entries exclude one another"


def test_a_person_of_a_country_may_be_of_any_gender() -> None:
    assert [row["person"] for row in rows("country") if re.search(r"(?<!^Ger)man$", row["person"])] == []


def test_cities_lie_in_known_countries_on_their_continent() -> None:
    countries = by_text("country")
    for row in rows("city"):
        assert row["country"] in countries, row
        assert row["continent"] == countries[row["country"]]["continent"], row


def test_a_city_is_marked_as_capital_when_its_country_says_so() -> None:
    countries = by_text("country")
    for row in rows("city"):
        is_capital = countries[row["country"]]["capital"] == row["text"]
        assert row["capital"] == ("yes" if is_capital else "no"), row


def test_no_capital_is_a_city_of_another_country() -> None:
    cities = by_text("city")
    for row in rows("country"):
        if row["capital"] in cities:
            assert cities[row["capital"]]["country"] == row["text"]


def test_landmarks_stand_in_known_countries_and_cities() -> None:
    countries, cities = by_text("country"), by_text("city")
    for row in rows("landmark"):
        assert row["country"] in countries, row
        if row["city"] in cities:
            assert cities[row["city"]]["country"] == row["country"], row


def test_a_landmark_does_not_give_its_place_away() -> None:
    for row in rows("landmark"):
        assert row["city"].lower() not in row["text"].lower(), row
        assert row["country"].lower() not in row["text"].lower(), row


def test_a_language_is_the_language_of_its_country() -> None:
    countries = by_text("country")
    for row in rows("language"):
        assert countries[row["country"]]["language"] == row["text"], row
    assert max(Counter(row["country"] for row in rows("language")).values()) == 1


def test_laureates_have_a_field_and_a_year_in_which_it_was_given() -> None:
    laureates = rows("laureate")
    assert {row["field"] for row in laureates} == {"Physics", "Chemistry", "Medicine", "Literature"}
    # No prize of that field was given in these years.
    gaps = {
        "Physics": {1916, 1931, 1934, 1940, 1941, 1942},
        "Chemistry": {1916, 1917, 1919, 1924, 1933, 1940, 1941, 1942},
        "Medicine": {1915, 1916, 1917, 1918, 1921, 1925, 1940, 1941, 1942},
        "Literature": {1914, 1918, 1935, 1940, 1941, 1942, 1943},
    }
    for row in laureates:
        assert re.fullmatch(r"(19|20)\d\d", row["year"]), row
        assert 1901 <= int(row["year"]) <= 2025, row
        assert int(row["year"]) not in gaps[row["field"]], row


def test_at_most_three_share_a_prize() -> None:
    shared = Counter((row["field"], row["year"]) for row in rows("laureate"))
    assert max(shared.values()) <= 3
    assert [key for key, times in shared.items() if key[0] == "Literature" and times > 1] == []


def test_works_have_one_author() -> None:
    assert max(Counter(row["work"] for row in rows("author")).values()) == 1


@pytest.mark.parametrize(("stem", "length"), [("month", 12), ("weekday", 7)])
def test_months_and_weekdays_are_numbered_in_order(stem: str, length: int) -> None:
    assert [int(row["number"]) for row in rows(stem)] == list(range(1, length + 1))


def test_months_and_weekdays_are_those_of_the_calendar() -> None:
    import calendar

    assert [row["text"] for row in rows("month")] == list(calendar.month_name)[1:]
    assert [row["text"] for row in rows("weekday")] == list(calendar.day_name)


def test_directions_form_the_cyclic_group_of_order_four() -> None:
    compass = by_text("direction")
    for start, row in compass.items():
        assert {start, row["left"], row["right"], row["back"]} == set(compass)
        assert compass[row["left"]]["right"] == start
        assert compass[row["right"]]["left"] == start
        assert compass[row["back"]]["back"] == start
        assert compass[row["left"]]["left"] == row["back"]
        assert compass[row["right"]]["right"] == row["back"]
    # The laws above also hold of the mirror image: one fact fixes which it is.
    assert compass["north"]["right"] == "east"


@pytest.mark.parametrize("stem", ["physics", "popularity"])
def test_effects_are_bare_sentences_and_differ_from_the_wrong_ones(stem: str) -> None:
    names = {row["text"] for row in rows("name")}
    for row in rows(stem):
        assert row["text"][0].islower(), row
        assert row["effect"] != row["wrong"], row
        for sentence in (row["effect"], row["wrong"]):
            assert re.fullmatch(r"[A-Z].*[a-z]", sentence), row
        assert names.isdisjoint(" ".join(row.values()).split()), row


def test_every_exception_of_the_articles_is_a_lower_case_word_of_three_letters_or_more() -> None:
    for row in rows("article-exceptions"):
        assert re.fullmatch(r"[a-z]{3,}", row["text"]), row
        assert row["article"] in {"a", "an"}, row


def test_every_exception_of_the_articles_changes_something() -> None:
    listed = {row["text"]: row["article"] for row in rows("article-exceptions")}
    letter_rule = {text: "an" if text[0] in "aeiou" else "a" for text in listed}
    shorter = {text: [listed[text[:end]] for end in range(3, len(text)) if text[:end] in listed] for text in listed}
    idle = [text for text in listed if listed[text] == letter_rule[text] and not shorter[text]]
    assert idle == []


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("university", "a"), ("unique idea", "a"), ("union", "a"), ("user", "a"), ("usual day", "a"), ("European", "a"),
        ("eulogy", "a"), ("one-way street", "a"), ("once-over", "a"), ("ukulele", "a"), ("utensil", "a"), ("ewe", "a"),
        ("Ugandan", "a"), ("Ukrainian", "a"), ("Uruguayan", "a"), ("unanimous vote", "a"), ("UFO", "a"),
        ("unescorted child", "an"), ("uninteresting book", "an"), ("unimportant detail", "an"),
        ("unidentified man", "an"), ("unidirectional link", "a"), ("unissued note", "an"), ("onerous task", "an"),
        ("unusual day", "an"), ("umbrella", "an"), ("usher", "an"), ("uncle", "an"), ("Uzbek", "an"), ("urn", "an"),
        ("hour", "an"), ("honest answer", "an"), ("honour", "an"), ("heiress", "an"), ("horse", "a"), ("house", "a"),
        ("hive", "a"), ("honey pot", "a"), ("height", "a"), ("onion", "an"), ("year", "a"),
    ],
)  # fmt: skip
def test_articles_follow_the_sound(word: str, expected: str) -> None:
    assert article(word) == expected


def test_derived_lexicons_select_something_and_not_everything() -> None:
    from nliprobe.language.lexicon import lexicon_names, load_lexicon

    derived = {name: made for name in lexicon_names() if isinstance(made := load_lexicon(name), dict)}
    assert {"MALE_NAME", "FEMALE_NAME", "CAPITAL", "BIRD", "FISH", "FLOWER", "MAMMAL", "TREE"} <= set(derived)
    for name, made in derived.items():
        stem = made["from"].lower().replace("_", "-")
        if stem == "taxon" and not (FOLDER / "taxon.tsv").is_file():
            continue
        matched = re.fullmatch(r"(\w+) == '([\w-]+)'", made["if"])
        assert matched is not None, name
        field, value = matched.groups()
        values = Counter(row[field] for row in rows(stem))
        assert 0 < values[value] < values.total(), name


def test_names_are_sorted_within_region_and_gender() -> None:
    for first, second in pairwise(rows("name")):
        if (first["region"], first["gender"]) == (second["region"], second["gender"]):
            assert first["text"] < second["text"]
