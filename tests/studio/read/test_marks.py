"""Edits are marked where they are: in the cells of a table with many columns, and far down in a long text."""

from __future__ import annotations

from html import unescape

import pytest
from tests.analysis.runs import Asked, write_run
from tests.studio.helpers import Client
from tests.studio.read.runs import edited

from nliprobe.base.hashing import digest
from nliprobe.studio.context import address
from nliprobe.studio.settings import Settings
from nliprobe.task.case import identity_case
from nliprobe.task.edits import delete_unit, replace_in_hypothesis, update_unit
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.relations import SAME
from nliprobe.task.table import Row, Table
from nliprobe.task.units import Rows, Sentences, row_text

RUN = f"/runs/{address('run0')}"
MEDALS = Table(
    "Games",
    (Row("", ("1", "Japan", "8")), Row("", ("2", "Sweden", "4")), Row("", ("3", "Italy", "1"))),
    columns=("rank", "nation", "gold"),
)
LONG = Sentences.of([f"Number {place} of the sentences is this one." for place in range(300)])


@pytest.fixture(autouse=True)
def _run(settings: Settings) -> None:
    notes = (Facet("note", "one\nline"), Facet("remark", "one\r\nline"))
    wide = Pair("wide/1", MEDALS, "Japan won.", LabelSet.of("E"), "T\n1", facets=notes)
    rows = Rows(MEDALS)
    facets = (Facet("topic", " Sports "),)
    long = Pair("long/1", LONG.premise, "There are sentences.", LabelSet.of("E"), "L", facets=facets)
    cases = [
        identity_case(wide),
        edited(wide, "delete", "rows.delete", (delete_unit(rows, 2),), SAME),
        edited(wide, "update", "rows.update", (update_unit(rows, 1, row_text(Row("", ("2", "Spain", "4")))),), SAME),
        identity_case(long),
        edited(long, "last", "sentences.delete", (delete_unit(LONG, 290),), SAME),
        edited(long, "words", "typos", (replace_in_hypothesis(long.hypothesis, (0, 5), "here " * 1000),), SAME),
    ]
    write_run(settings.folder, {"some/dev": cases}, [Asked("one", {case.id: "E" for case in cases})])


def case_page(owner: Client, pair: str, name: str) -> str:
    return unescape(owner.show(f"{RUN}/cases/{digest(pair, name)}"))


def test_a_table_with_columns_has_a_cell_for_each(owner: Client) -> None:
    text = case_page(owner, "wide/1", "update")
    for name in MEDALS.columns:
        assert f'<th scope="col" class="text">{name}</th>' in text
    changed = text.partition('<tr class="change-changed">')[2].partition("</tr>")[0]
    assert changed.count("<td") == 3
    assert "<del>Sweden</del><ins>Spain</ins></td>" in changed
    assert "The row “2 | Sweden | 4” is now “2 | Spain | 4”." in text


def test_a_row_without_a_key_is_named_by_its_cells(owner: Client) -> None:
    text = case_page(owner, "wide/1", "delete")
    assert "<del>3</del></td><td" in text
    assert "The row “3 | Italy | 1” is taken out." in text
    assert "The row “3 | Italy | 1” is taken out." in unescape(owner.show(f"{RUN}?probe=rows.delete"))


def test_an_edit_far_down_in_a_long_text_is_marked(owner: Client) -> None:
    text = case_page(owner, "long/1", "last")
    assert "<del>Number 290 of the sentences is this one. </del>Number 291" in text
    assert text.count("<del>") == 1
    assert "Number 299" in text


def test_a_word_far_down_in_a_long_text_is_shown_where_it_was_found(owner: Client) -> None:
    text = owner.show(f"{RUN}?q=%22number+290%22&probe=gold")
    assert "<mark>Number</mark> <mark>290</mark> of the sentences" in text
    assert "Number 0 of" not in text


def test_a_long_edit_is_told_in_the_list(owner: Client) -> None:
    text = unescape(owner.show(f"{RUN}?probe=typos"))
    assert "In the hypothesis, “There” becomes" in text
    assert ">here here" in text


def test_spaces_around_the_value_of_a_facet_belong_to_it(owner: Client) -> None:
    assert '<option value="topic= Sports "> Sports  (3)</option>' in owner.show(RUN)
    assert "of 3 cases" in owner.show(f"{RUN}?facet=topic%3D+Sports+&q=+sentences+")


@pytest.mark.parametrize("query", ["facet=note%3Done{0}line", "facet=remark%3Done{0}line", "group=T{0}1"])
@pytest.mark.parametrize("line_break", ["%0A", "%0D%0A"])
def test_a_value_of_several_lines_is_found_as_a_form_sends_it(owner: Client, query: str, line_break: str) -> None:
    text = owner.show(f"{RUN}?{query.format(line_break)}")
    assert "of 3 cases" in text
    # The one that is chosen is one of those to choose from, and not another one.
    assert text.count("one\nline (3)</option>") == 2
    assert text.count(" selected>one\nline") == query.startswith("facet")
