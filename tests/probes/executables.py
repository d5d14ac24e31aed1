"""Random tables with random programs over them: pairs whose label after any edit is computed."""

from __future__ import annotations

from random import Random

from nliprobe.task.evidence import Evidence
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.program import parse_program, write_program
from nliprobe.task.source import Pool
from nliprobe.task.table import Row, Table
from nliprobe.templates.tables.execute import execute

MONTHS = ("January", "March", "May", "June", "September", "December")
GENRES = ("rock", "pop", "jazz", "folk", "soul", "funk", "punk", "disco")
PEOPLE = ("Ada Morn", "Bel Torva", "Cato Lind", "Dara Vey", "Edo Harl", "Fina Osk")
FIRST = ("Tin", "Blue", "Slow", "Glass", "Iron", "Pale", "Loud", "Far", "Warm", "Last")
SECOND = ("Weather", "Harbour", "Lantern", "Orchard", "Signal", "Meadow", "Engine")
TITLES = tuple(f"{first} {second}" for first in FIRST for second in SECOND)
KEYS = ("Released", "Recorded", "Length", "Genre", "Producer", "Tracks", "Tour", "Budget", "Live")


def values(key: str, random: Random) -> tuple[str, ...]:
    """Draw what a row says."""
    year = random.randint(1960, 2010)
    match key:
        case "Released":
            forms = (f"{random.randint(1, 28)} {random.choice(MONTHS)} {year}", f"{random.choice(MONTHS)} {year}")
            return (random.choice([*forms, str(year)]),)
        case "Recorded":
            return (str(year),)
        case "Length":
            return (f"{random.randint(20, 79)}:{random.randint(0, 59):02}",)
        case "Genre":
            return tuple(random.sample(GENRES, random.randint(1, 4)))
        case "Producer":
            return tuple(random.sample(PEOPLE, random.randint(1, 3)))
        case "Tracks":
            return (str(random.randint(5, 20)),)
        case "Tour":
            return (f"{year}–{year + random.randint(0, 9)}",)
        case "Budget":
            return (f"${random.randint(1, 90)} million",)
    return (random.choice(("Yes", "No")),)


def table(title: str, random: Random) -> Table:
    """Draw a table: some of the rows, in any order."""
    keys = random.sample(KEYS, random.randint(3, len(KEYS)))
    return Table(title, tuple(Row(key, values(key, random)) for key in keys), "Album")


def leaf(random: Random) -> str:
    """Draw a statement about one or two rows."""
    compare = random.choice(("<", "<=", ">", ">=", "==", "!="))
    year, month = random.randint(1960, 2010), random.randint(1, 12)
    genres, people = random.sample(GENRES, 2), random.sample(PEOPLE, 2)
    quantifier = random.choice(("every", "most", "some", "none"))
    return random.choice(
        (
            f'year("Released") {compare} {year}',
            f'date("Released") {compare} day("{year}-{month:02}")',
            f'year("Recorded") {compare} year("Released")',
            f'seconds("Length") {compare} {60 * random.randint(20, 79)}',
            f'"{genres[0]}" in items("Genre")',
            f'"{people[0]}" not in items("Producer")',
            f'count(items("Genre")) {compare} {random.randint(1, 4)}',
            f'precedes(items("Genre"), "{genres[0]}", "{genres[1]}")',
            f'first(items("Producer")) == "{people[0]}"',
            f'{quantifier}(["{genres[0]}", "{genres[1]}"], items("Genre"))',
            f'number("Tracks") {compare} {random.randint(5, 20)}',
            f'money("Budget") {compare} {10**6 * random.randint(1, 90)}',
            'during(date("Released"), "Tour")',
            f'span("Tour") {compare} {random.randint(0, 9)}',
            f'years(date("Recorded"), date("Released")) {compare} {random.randint(-3, 3)}',
            'yes("Live")',
        )
    )


def program(random: Random, depth: int = 2) -> str:
    """Draw a program of statements joined by connectives."""
    kind = random.random()
    if depth == 0 or kind < 0.4:
        return leaf(random)
    if kind < 0.5:
        return f"not ({program(random, depth - 1)})"
    joined = f" {random.choice(('and', 'or'))} "
    return joined.join(f"({program(random, depth - 1)})" for _ in range(2))


def executable(name: str, premise: Table, text: str, hypothesis: str = "") -> Pair:
    """Make the pair of a table and a program: its label and evidence are what the program gives."""
    execution = execute(text, premise)
    return Pair(
        name,
        premise,
        hypothesis or f"{premise.title} is as {name} says.",
        LabelSet.of(execution.label),
        premise.title,
        Evidence(execution.rows),
        write_program(parse_program(text)),
    )


def executables(tables: int, each: int, seed: int = 0) -> tuple[list[Pair], Pool]:
    """Draw pairs: some programs for each of some tables, and the pool of the tables."""
    pairs: list[Pair] = []
    premises: dict[str, Table] = {}
    for number, title in enumerate(TITLES[:tables]):
        random = Random(f"{seed} {number}")
        premises[title] = table(title, random)
        pairs += [executable(f"x/{number}-{place}", premises[title], program(random)) for place in range(each)]
    return pairs, Pool(premises)
