"""What the pages of *Read* say where it is easily misread: exchanged texts, edits in lists, addresses that are old."""

from __future__ import annotations

from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.analysis.runs import Asked, write_run
from tests.studio.helpers import Client
from tests.studio.read.runs import CASES, PAINTER, edited, write_tables

from nliprobe.base.hashing import digest
from nliprobe.store.run import RunFolder
from nliprobe.studio.context import address
from nliprobe.studio.settings import Settings
from nliprobe.task.case import identity_case
from nliprobe.task.edits import permute_units, swap_texts
from nliprobe.task.evidence import Evidence
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.relations import SAME
from nliprobe.task.units import Rows

RUN = f"/runs/{address('run0')}"
SENTENCES = Pair("texts/1", "A man in a hat rides a bike.", "A man rides.", LabelSet.of("E"))
EITHER = Pair(
    "texts/2", "He sings. He hums. It rains.", "He is heard.", LabelSet.of("E"), evidence=Evidence((0, 1), alone=True)
)
TABLE = Pair("tables/2", PAINTER, "Ada lived in Ghent.", LabelSet.of("E"), evidence=Evidence((0, 1)))


@pytest.fixture
def run(settings: Settings) -> RunFolder:
    """A pair that is exchanged, and a table in another order; the second system answers nothing."""
    cases = [
        identity_case(SENTENCES),
        edited(SENTENCES, "swap", "swap", (swap_texts(),), SAME),
        identity_case(EITHER),
        identity_case(TABLE),
        edited(TABLE, "permute", "rows.permute", (permute_units(Rows(PAINTER), (2, 0, 1)),), SAME),
    ]
    answers = {case.id: "E" for case in cases}
    return write_run(
        settings.folder, {"some/dev": cases}, [Asked("one", answers), Asked("two", dict.fromkeys(answers))]
    )


def test_exchanged_texts_are_shown_as_they_were_asked(owner: Client, run: RunFolder) -> None:
    text = owner.show(f"{RUN}/cases/{digest('texts/1', 'swap')}")
    assert "Premise and hypothesis are exchanged, shown here as they were asked." in text
    assert "<del>" not in text
    assert "<ins>" not in text
    header, main = text.split("<main", 1)
    assert "A man in a hat rides a bike." in header
    assert '<p class="premise text whole-text">A man rides.</p>' in main


def test_a_list_does_not_say_that_it_shows_what_was_asked(owner: Client, run: RunFolder) -> None:
    text = owner.show(RUN)
    assert "Premise and hypothesis are exchanged." in text
    assert "The rows are in another order." in text
    assert "shown here" not in text
    assert "shown here as it was asked" in owner.show(f"{RUN}/cases/{digest('tables/2', 'permute')}")


def test_no_answer_is_not_taken_for_no_gold_label(owner: Client, run: RunFolder) -> None:
    text = owner.show(f"{RUN}?probe=gold")
    assert '<span class="text">two</span> <span class="grade open">? no answer</span></li>' in text
    assert '<span class="label">none</span>' not in text


def test_several_needed_rows_are_named_as_several(owner: Client, run: RunFolder) -> None:
    assert "People need rows 1 and 2 of the pair" in owner.show(f"{RUN}/cases/{digest('tables/2', 'permute')}")


def test_sentences_of_which_each_suffices_are_not_said_to_be_needed_together(owner: Client, run: RunFolder) -> None:
    text = owner.show(f"{RUN}/cases/{identity_case(EITHER).id}")
    assert "To people, each of the sentences 1 and 2 of the pair suffices alone (gold evidence)." in text
    assert "People need" not in text


@pytest.mark.parametrize("typed", ["%", "*", '"', "🎉", "( ) -"])
def test_a_search_without_letters_says_that_nothing_is_searched_for(
    owner: Client, settings: Settings, typed: str
) -> None:
    write_tables(settings.folder)
    text = unescape(owner.show(f"{RUN}?q={quote(typed)}"))
    assert f"“{typed}” has no letter and no digit: nothing is searched for." in text
    assert "nothing is searched for" not in owner.show(f"{RUN}?q=died")


def test_an_old_address_of_a_list_shows_the_list(owner: Client, settings: Settings) -> None:
    write_tables(settings.folder)
    for place in ("after", "before"):
        text = owner.show(f"{RUN}?probe=gold&{place}=gone")
        assert "the list is shown from its start" in text
        assert "1–7 of 7 cases" in text


def test_an_old_address_of_a_case_leads_to_those_that_are_there(owner: Client, settings: Settings) -> None:
    write_tables(settings.folder)
    text = owner.show(f"{RUN}/cases/deadbeef", 404)
    assert "The run run0 has no case “deadbeef”." in text
    assert f'<a href="{RUN}">All cases of run0</a>' in text
    assert "--failing" not in text
    assert owner.show(f"{RUN}/cases/{CASES['delete']}?after=gone")


def test_systems_are_not_compared_on_nothing(owner: Client, settings: Settings) -> None:
    write_tables(settings.folder)
    text = owner.show(f"{RUN}/compare?probe=gone")
    assert "No case is of the corpus and the probe that are chosen." in text
    assert "Each number leads to its cases" not in text


def test_an_index_that_can_be_kept_nowhere_is_not_said_to_be_made(
    owner: Client, run: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").write_text("no folder")
    monkeypatch.setenv("NLIPROBE_CACHE", str(tmp_path / "home" / "cache"))
    page = owner.show(RUN)
    assert "Not a directory. Name another folder" in unescape(page)
    assert "are being indexed" not in page
    assert page.count('id="making"') == 1, "the script writes what is new there"
