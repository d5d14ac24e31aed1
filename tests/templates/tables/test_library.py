"""The library of table templates: what it covers, that every form comes out, and that it reads as English."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pytest

from nliprobe.language.capabilities import capabilities
from nliprobe.task.pair import Pair
from nliprobe.task.program import Call, Const, Program
from nliprobe.task.sources import open_source
from nliprobe.task.table import Table
from nliprobe.templates.tables.draw import Fictional
from nliprobe.templates.tables.execute import execute
from nliprobe.templates.tables.find import load_tables
from nliprobe.templates.tables.generate import Suite, plan_suite, wanted
from nliprobe.templates.tables.operations import COMPARISONS, OPERATIONS, READINGS
from nliprobe.templates.tables.records import TableTemplate

# The types of reasoning of InfoTabS (infotabs, App. B), as the files of its experts spell them.
_REASONING = """
KCS coref ellipsis entitytype lexicalreasoning multirowreasoning namedentity negation numerical quantification
simplelookup subjectiveoot syntacticalteration temporal
"""
REASONING = frozenset(_REASONING.split())
TEMPLATES = load_tables().templates
# 20,000 hypotheses and more.
EACH = 20_000 // len(TEMPLATES) + 1


@cache
def rendered() -> tuple[Pair, ...]:
    """The same number of pairs of every template."""
    suite = Suite(plan_suite(TEMPLATES, TEMPLATES), Fictional(11), 11, wanted(TEMPLATES, EACH, None))
    return tuple(suite.pairs())


def facet(pair: Pair, name: str) -> str:
    return next(facet.value for facet in pair.facets if facet.name == name)


def test_the_library_is_as_large_as_it_should_be() -> None:
    assert len(TEMPLATES) >= 72
    assert len({template.schema.name for template in TEMPLATES}) >= 14
    for schema in load_tables().schemas.values():
        assert 6 <= len(schema.fields) <= 11, schema.name


def test_templates_are_tagged_and_have_several_phrasings() -> None:
    known = set(capabilities())
    for template in TEMPLATES:
        assert len(template.phrasings) >= 2, template.id
        assert len({phrasing.text for phrasing in template.phrasings}) == len(template.phrasings), template.id
        assert template.reasoning, template.id
        assert set(template.reasoning) <= REASONING, template.id
        assert template.capability in known, template.id
        assert template.id.startswith(f"{template.schema.name}."), template.id
        assert template.because.endswith("."), template.id


def test_every_field_is_read_by_a_template() -> None:
    """A field that no template reads is there to be there: these are, so that tables hold more than is asked."""
    read: defaultdict[str, set[str]] = defaultdict(set)
    for template in TEMPLATES:
        read[template.schema.name] |= _names(template.program)
    idle = {f"{schema.name}.{field}" for schema in load_tables().schemas.values() for field in schema.fields}
    idle -= {f"{schema}.{field}" for schema, fields in read.items() for field in fields}
    assert idle == {
        "album.Artist", "animal.Trainer", "book.Language", "city.Area", "club.Ground", "company.AreaServed",
        "company.Employees", "country.Population", "disease.DescribedBy", "food.Creator",
        "food.Introduced", "musician.Origin", "person.Spouse", "species.Length",
        "university.Location",
    }  # fmt: skip


def test_the_library_uses_every_operation() -> None:
    used = Counter(name for template in TEMPLATES for name in _operations(template.program))
    slots = Counter(
        name for template in TEMPLATES for form in template.forms for _, one in form.slots for name in _operations(one)
    )
    known = {*READINGS, *OPERATIONS, *COMPARISONS, "and", "or", "not", "not in"}
    assert sorted(known - set(used) - set(slots)) == []
    # These are what the hypotheses themselves are about, not only how their values are found.
    about = known - {"%", "title"}
    assert sorted(about - set(used)) == []


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)
def test_every_form_comes_out(template: TableTemplate) -> None:
    mine = [pair for pair in rendered() if facet(pair, "template") == template.id]
    assert len(mine) == EACH
    forms = Counter(facet(pair, "form") for pair in mine)
    assert set(forms) == {form.name for form in template.forms}
    labels = Counter(str(pair.gold) for pair in mine)
    assert max(labels.values()) - min(labels.values()) <= 1
    phrasings = Counter(facet(pair, "phrasing") for pair in mine)
    assert len(phrasings) == len(template.phrasings)
    assert len({pair.hypothesis for pair in mine}) >= 0.9 * EACH


def test_programs_give_the_labels() -> None:
    for pair in rendered()[::7]:
        assert isinstance(pair.premise, Table)
        assert pair.program is not None
        assert pair.evidence is not None
        label, rows = execute(pair.program, pair.premise)
        assert label == str(pair.gold)
        assert rows == pair.evidence.units


# Nouns that stand after numbers in the library.
NOUNS = {
    "award": "awards", "child": "children", "city": "cities", "founder": "founders", "goal": "goals",
    "kilogram": "kilograms", "metre": "metres", "minute": "minutes", "page": "pages", "person": "people",
    "team": "teams", "undergraduate": "undergraduates", "year": "years",
}  # fmt: skip
ONE = re.compile(rf"(?<![-\w])(?:one|(?<![\d.,])1) (?:sister )?({'|'.join(NOUNS.values())})\b")
MANY = re.compile(
    r"\b(?:zero|two|three|four|five|six|seven|eight|nine|ten|\w+teen|eleven|twelve|\w+ty(?:-\w+)?|"
    r"[\d,]*\d[\d,]+|[02-9]) "
    rf"(?:sister )?({'|'.join(NOUNS)})\b"
)
AN = re.compile(r"\b(an?) (\w[\w-]*)")
# Words that begin with a vowel's letter and a consonant's sound.
CONSONANT = ("university", "uni", "one", "eu", "use")


def problems(text: str) -> list[str]:
    """Return the rules of English that a hypothesis breaks."""
    wrong = [name for name, rule in RULES.items() if rule.search(text)]
    for article, word in AN.findall(text):
        vowel = word[0].lower() in "aeiou" and not word.lower().startswith(CONSONANT)
        if (article == "an") != vowel:
            wrong.append(f"{article} {word}")
    return wrong


RULES = {
    "one with a plural": ONE,
    "a number with a singular": MANY,
    "a doubled word": re.compile(r"\b(\w+) \1\b", re.IGNORECASE),
    "a double space": re.compile(r"\s\s"),
    "a space at an end": re.compile(r"^\s|\s$"),
    "a space before a mark": re.compile(r"\s[.,;:]"),
    "no capital at the beginning": re.compile(r"^[^A-Z]"),
    "no stop at the end": re.compile(r"[^.]$"),
    "two stops at the end": re.compile(r"[.,;:!?]\.$"),
    "a stop inside": re.compile(r"\.(?!\d|$)"),
    "a brace": re.compile(r"[{}]"),
    "a Python value": re.compile(r"\[|\]|'[A-Za-z]"),
}


def test_hypotheses_read_as_english() -> None:
    hypotheses = [pair.hypothesis for pair in rendered()]
    assert len(hypotheses) >= 20_000
    assert [(text, wrong) for text in hypotheses if (wrong := problems(text))] == []


@pytest.mark.parametrize(
    "text",
    [
        "X had one children.", "X had two child.", "X is a actor.", "X is an university.", "X is is long.",
        "X  is long.", "x is long.", "X is long", "X is long..", "X has {N} pages.", "X has 21 page.",
        "X was long . It is.", "X has at least one sister cities.", "X lasted 1,200 minute.", "X has ['a'].",
    ],
)  # fmt: skip
def test_the_rules_find_what_they_should(text: str) -> None:
    assert problems(text)


@pytest.mark.parametrize(
    "text",
    [
        "X had one child.", "X is an actor in a university.", "X cost $4.5 million.", "X lasted 1,201 minutes.",
        "X has more than twenty-one pages.", "X has at least one sister city.",
    ],
)  # fmt: skip
def test_the_rules_leave_english_alone(text: str) -> None:
    assert problems(text) == []


def test_hypotheses_about_real_tables_keep_the_rules_of_numbers(data: Path) -> None:
    """Real titles and cells are as they are; what templates add to them agrees."""
    if not (data / "infotabs").is_dir():
        pytest.skip("InfoTabS is absent")
    source = open_source("tables?n=20&seed=5&world=real&from=infotabs/train", data)
    kept = ("one with a plural", "a number with a singular", "two stops at the end", "a brace")
    pairs = list(source.pairs())
    assert len({facet(pair, "template") for pair in pairs}) >= 60
    wrong = [(pair.hypothesis, name) for pair in pairs for name in kept if RULES[name].search(pair.hypothesis)]
    assert wrong == []
    assert not [pair.hypothesis for pair in pairs if re.search(r"\b(zero|0) \w+s\b", pair.hypothesis)]


def _operations(program: Program) -> set[str]:
    if not isinstance(program, Call):
        return set()
    return {program.op}.union(*map(_operations, program.args))


def _names(program: Program) -> set[str]:
    if not isinstance(program, Call):
        return set()
    rows = program.op in READINGS or program.op in ("overlaps", "during")
    own = {str(item.value) for item in program.args if rows and isinstance(item, Const)}
    return own.union(*map(_names, program.args))
