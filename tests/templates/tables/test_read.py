"""Files of table templates: what is wrong in them is said with file, line and template."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from nliprobe.api.validate import validate
from nliprobe.base.errors import NliprobeError, NotFoundError
from nliprobe.templates.tables.find import chosen_templates, read_tables
from nliprobe.templates.tables.lint import lint_tables

Shop = Callable[..., Path]


def test_a_file_may_define_its_schema_and_templates(shop: Shop) -> None:
    library = read_tables(shop())
    assert [template.id for template in library.templates] == ["shop.opened-before", "shop.owner"]
    assert library.schemas["shop"].fields["Owners"].keys == ("Owner(s)",)
    assert "album" in library.schemas
    assert lint_tables(library.templates) == []


def test_templates_over_a_schema_of_the_package(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        'schema: album\ntemplates:\n  - {id: mine.genre, program: "count(items(Genre)) == K", draw: {N: 1..3},\n'
        '     E: {K: "count(items(Genre))"}, C: {K: "count(items(Genre)) + N"},\n'
        '     hypothesis: ["{title} has {K} genres."],\n'
        "     reasoning: [numerical], capability: numerical, because: Members are counted.}\n",
        encoding="utf-8",
    )
    (finding,) = [one for one in lint_tables(read_tables(path).templates) if not one.error]
    assert "has one phrasing only" in finding.problem


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ("year(Opened) < Y", "year(Opend) < Y", 11, "has no field 'Opend'. Did you mean 'Opened'"),
        ("year(Opened) < Y", "year(Opened) <", 11, "cannot be read"),
        ("N: 1..9", "N: 9..1", 12, "the range 9..1 is empty"),
        ("N: 1..9", "N: soon", 12, "cannot be drawn from 'soon': expected a range"),
        ("N: 1..9", "N: item(Nothing)", 12, "has no field 'Nothing'"),
        ("N: 1..9", "Opened: 1..9", 12, "a draw has a name of its own"),
        ('E: {Y: "year(Opened) + N"}', "E: {}", 13, "the form E gives no value to Y"),
        ('E: {Y: "year(Opened) + N"}', 'E: {Y: "year(Opened) + M"}', 13, "Y is computed from M, which has no value"),
        ("opened before {Y}.", "opened before {Z}.", 15, "has Z, which the form E gives no value"),
        ("opened before {Y}.", "opened before {wurds(Y)}.", 15, "no function 'wurds'. Did you mean 'words'"),
        ("opened before {Y}.", "opened before {Y.", 15, "a brace is not closed"),
        ("opened before {Y}.", "opened before {agree(Y)}.", 15, "takes 3 arguments"),
        ("    capability: temporal\n", "", 10, "needs the key 'capability'"),
        ("id: shop.opened-before", "id: Shop!", 10, "an id has small letters"),
        ("id: shop.owner", "id: shop.opened-before", 19, "the id is already that of the template at"),
        ("type: number", "type: nummer", 7, "there is no type 'nummer'. Did you mean 'number'"),
        ("of: person, ", "", 6, "is a list and needs 'of'"),
        ("number(3, 90)", "numbre(3, 90)", 7, "There is no maker numbre"),
        ("number(3, 90)", "after(Closed, 1, 2)", 7, "refers to Closed, which is no field before"),
        ("keys: [Staff]", "keys: [opened]", 7, "the key 'opened' is also one of Opened"),
        ("categories: [Shop]\n", "", 1, "needs the key 'categories'"),
        ("  Colour:", "  count:", 8, "a field's name is a word that is no operation"),
        ("because: Years", "becuase: Years", 18, "has no key 'becuase'. Did you mean 'because'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(shop: Shop, old: str, new: str, line: int, problem: str) -> None:
    path = shop((old, new))
    with pytest.raises(NliprobeError) as caught:
        read_tables(path)
    message = str(caught.value)
    assert message.startswith(f"{path}, line {line}, column "), message
    assert problem in message
    report = validate([str(path)], verbs={})[0]
    assert report.count("error") == 1
    assert report.kind == "templates"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("The year in which {title} opened came before {Y}.", "{title} opened early.", "does not say Y"),
        ('C: {Y: "year(Opened) - N"}', 'C: {Y: "year(Opened) - 5000"}', "the form C never comes out"),
        ('C: {Y: "year(Opened) - N"}', 'C: {Y: "year(Opened) + N"}', "the form C came out as E with the cells Opened"),
        ("P in items(Owners)", "P in items(Opened)", "came out as"),
        ("year(Opened) < Y", "year(Staff) < Y", "The row 'Staff' holds"),
        ("year(Opened) < Y", "date(Opened) < Y", "compares a date with a number"),
        ("year(Opened) < Y", "date(Opened) < first([Y])", "cannot be computed"),
        ("capability: boolean", "capability: baking", "which the taxonomy does not have"),
        ("opened before {Y}.", "opened  before {Y}.", "two spaces together"),
        ("X: other(Owners)", 'X: "others(Colour, 5)"', "too few members of Colour that only other tables list"),
    ],
)  # fmt: skip
def test_what_drawing_shows(shop: Shop, old: str, new: str, problem: str) -> None:
    path = shop((old, new))
    report = validate([str(path)], verbs={})[0]
    text = str(report.to_json())
    assert problem in text, text


def test_a_name_that_no_template_has(shop: Shop) -> None:
    library = read_tables(shop())
    assert [one.id for one in chosen_templates(library, ["boolean"])] == ["shop.owner"]
    assert [one.id for one in chosen_templates(library, ["shop.opened-before"])] == ["shop.opened-before"]
    with pytest.raises(NotFoundError, match="no table template, schema or capability 'booleon'"):
        chosen_templates(library, ["booleon"])


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="There is no file of table templates"):
        read_tables(tmp_path / "none.yaml")
    with pytest.raises(NotFoundError, match="has no YAML files"):
        read_tables(tmp_path)
