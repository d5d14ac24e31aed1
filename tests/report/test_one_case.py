"""One case before and after its edit: the document, what the terminal shows, and hostile texts."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analysis.runs import Asked, derived, pair, write_run
from tests.analysis.schemas import validate
from tests.cli.helpers import nliprobe, nliprobe_json
from tests.report.printing import printed

import nliprobe as product
from nliprobe.analysis.one_case import CaseDocument, asked_premise, case_document
from nliprobe.api.results import Run
from nliprobe.base.errors import NotFoundError
from nliprobe.base.visible import revealed
from nliprobe.report.one_case import render_one_case
from nliprobe.report.text_diff import text_diff
from nliprobe.task.case import identity_case
from nliprobe.task.evidence import Evidence
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.table import Row, Table

ORDER = "entailment,neutral,contradiction"
HOSTILE = "a\x1b[31mred\u202egpj\u200b<b>\ufeff"
TABLE = Table(
    "Up\x1b]0;title\x07",
    (Row("Length", ("96 minutes",)), Row("Year\n- Born", ("2009", HOSTILE)), Row("Big", ("x" * 1_000_000,))),
)


def first_label(premises: list[object], hypotheses: list[str]) -> list[str]:
    return ["entailment"] * len(hypotheses)


def by_length(premises: list[object], hypotheses: list[str]) -> list[list[float]]:
    return [[0.7, 0.2, 0.1] if len(str(premise)) > 1_000_050 else [0.1, 0.8, 0.1] for premise in premises]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    pairs: list[dict[str, object]] = [
        {"premise": TABLE, "hypothesis": f"It lasts {HOSTILE} an hour.", "label": "E"},
        {"premise": "A man sleeps.", "hypothesis": "A man rests.", "label": "E"},
    ]
    systems = {"constant \u202e": first_label, "by length": by_length}
    out = tmp_path_factory.mktemp("case") / "run"
    return product.run(systems, pairs, ["gold", "rows.delete", "rows.permute", "swap"], out, labels=ORDER, doctor=False)


def cases(run: Run, probe: str) -> list[CaseDocument]:
    rows = run.cases().filter(probe=probe)["case_id"].to_list()
    return [case_document(run.folder, name) for name in rows]


def test_sentences_of_which_each_suffices_are_said_to(tmp_path: Path) -> None:
    text = "He sings. He hums. It rains."
    either = Pair("texts/1", text, "He is heard.", LabelSet.of("E"), evidence=Evidence((0, 1), alone=True))
    both = replace(either, id="texts/2", evidence=Evidence((0, 1)))
    made = [identity_case(either), identity_case(both)]
    folder = write_run(tmp_path, {"some/dev": made}, [Asked("one", {case.id: "E" for case in made})])
    told = [printed(render_one_case(case_document(folder, case.id))) for case in made]
    assert "Needed (gold evidence, each suffices alone): sentence 1, 2" in told[0]
    assert "Needed (gold evidence): sentence 1, 2" in told[1]


def test_a_deleted_row_is_struck_and_all_answers_are_there(run: Run) -> None:
    documents = cases(run, "rows.delete")
    [document] = [item for item in documents if item["edits"][0]["row"] == 0]
    validate("case", document)
    [base] = document["bases"]
    before, after = asked_premise(base), asked_premise(document["asked"])
    assert isinstance(before, Table)
    assert isinstance(after, Table)
    assert (before.keys, after.keys) == (("Length", "Year\n- Born", "Big"), ("Year\n- Born", "Big"))
    constant, other = document["systems"]
    assert (constant["before"], constant["expects_outcome"]) == ([constant["after"]], "holds")
    assert other["before"][0] is not None
    assert other["before"][0]["probabilities"] == pytest.approx([0.7, 0.2, 0.1])
    text = printed(render_one_case(document), 80)
    assert "-  [-Length: 96 minutes-]" in text
    assert "E 0.700" in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_broken_expectation_is_said_by_word_and_sign(tmp_path: Path) -> None:
    base = pair("base", "E")
    made = derived("made", base)
    folder = write_run(
        tmp_path, {"c": [base, made]}, [Asked("m", {"base": "E", "made": "C"}), Asked("n", {"base": "E", "made": None})]
    )
    document = case_document(folder, "made")
    first, second = document["systems"]
    assert (first["allowed"], first["expects_outcome"], second["expects_outcome"]) == ("EN", "broken", "unanswered")
    text = printed(render_one_case(document), 80)
    assert "✗ broken" in text
    assert "E or N" in text
    assert "? no answer" in text


def test_to_keep_a_rule_that_nobody_can_break_is_no_merit(tmp_path: Path) -> None:
    base = pair("base", "E")
    made = derived("made", base, relation="E>EN N>ENC C>C")
    answers: dict[str, dict[str, str | None]] = {
        "broken": {"base": "C", "made": "N"},
        "free": {"base": "N", "made": "N"},
        "kept": {"base": "C", "made": "C"},
        "missing": {"base": "N", "made": None},
    }
    folder = write_run(tmp_path, {"c": [base, made]}, [Asked(name, given) for name, given in answers.items()])
    document = case_document(folder, "made")
    validate("case", document)
    assert [item["any_allowed"] for item in document["systems"]] == [False, True, False, True]
    text = printed(render_one_case(document), 80)
    assert [text.count(words) for words in ("✗ broken", "any allowed", "✓ holds", "? no answer")] == [1, 1, 1, 1]


def test_outcomes_are_those_of_the_analysis(run: Run) -> None:
    from nliprobe.analysis.outcomes import case_outcomes

    for place, name in enumerate(run.systems):
        for row in case_outcomes(run.folder, name).iter_rows(named=True):
            item = case_document(run.folder, row["case_id"])["systems"][place]
            assert (item["gold_outcome"], item["expects_outcome"]) == (row["gold"], row["expects"]), row


def test_hostile_texts_are_shown_and_not_obeyed(run: Run) -> None:
    for probe in ("gold", "rows.delete", "rows.permute", "swap"):
        for document in cases(run, probe):
            validate("case", document)
            text = printed(render_one_case(document), 80)
            assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\u200b\ufeff]", text)
            assert len(text) < 20_000  # of a cell with a million characters, both ends
            assert not any(line.lstrip().startswith("- Born") for line in text.splitlines())
    [document] = [item for item in cases(run, "gold") if not isinstance(item["asked"]["premise"], str)]
    text = printed(render_one_case(document), 80)
    assert "␛[31mred\ufffdgpj⟨200B⟩<b>⟨FEFF⟩" in text.replace("\n", "")
    assert "(999," in text


def test_swapped_texts_and_other_orders(run: Run) -> None:
    [swapped] = [item for item in cases(run, "swap") if item["asked"]["premise"] == "A man rests."]
    assert swapped["asked"]["hypothesis"] == "A man sleeps."
    assert "[-sleeps-]{+rests+}" in printed(render_one_case(swapped), 120)
    permuted = cases(run, "rows.permute")
    assert any("in another order than before" in " ".join(printed(render_one_case(item)).split()) for item in permuted)


def test_part_of_an_id_is_enough_if_it_is_the_only_one(run: Run) -> None:
    ids = run.cases()["case_id"].to_list()
    assert case_document(run.folder, ids[0][:12])["asked"]["case_id"] == ids[0]
    with pytest.raises(NotFoundError, match="Write more of the id"):
        case_document(run.folder, _shared(ids))
    with pytest.raises(NotFoundError, match=f"Ids near it: {ids[0]}"):
        case_document(run.folder, f"{ids[0][:10]}zzz")
    pair_id = run.cases()["pair_id"][0]
    with pytest.raises(NotFoundError, match="That is a pair: show it with pair="):
        case_document(run.folder, pair_id)
    with pytest.raises(NotFoundError, match="has no case ''"):
        case_document(run.folder, "")


def _shared(ids: list[str]) -> str:
    """A first character that several ids have."""
    starts = [name[0] for name in ids]
    return max(starts, key=starts.count)


def test_on_the_command_line(run: Run) -> None:
    name = run.cases().filter(probe="rows.delete")["case_id"][0]
    document = nliprobe_json("show", str(run.path), "--case", name[:10])
    validate("case", document)
    assert document == json.loads(json.dumps(run.case(name)))
    shown = nliprobe("show", str(run.path), "--case", name, env={"NO_COLOR": "1", "FORCE_COLOR": "1", "COLUMNS": "80"})
    assert "[-" in shown.stdout
    assert not re.search("\x1b\\[[0-9;]*3[0-9]m", shown.stdout)  # no colour, though bold and strokes may be there
    assert "has no case 'nosuch'" in nliprobe("show", str(run.path), "--case", "nosuch", code=1).stderr


@given(st.text(alphabet="ab .\n\u200b", max_size=40), st.text(alphabet="ab .\n\u200b", max_size=40))
def test_a_diff_holds_both_texts(before: str, after: str) -> None:
    pieces = text_diff(before, after)
    assert "".join(piece.text for piece in pieces if piece.kind != "added") == before
    assert "".join(piece.text for piece in pieces if piece.kind != "removed") == after
    if before == after:
        assert {piece.kind for piece in pieces} <= {"same"}


def test_a_diff_of_long_texts_is_not_compared_word_by_word() -> None:
    before, after = "a b " * 200_000, "b c " * 200_000
    kinds = [piece.kind for piece in text_diff(f"same {before}", f"same {after}")]
    assert kinds == ["same", "removed", "added", "same"]


def test_joiners_stay_where_scripts_need_them() -> None:
    assert revealed("می\u200cخواهم 👩\u200d🔬") == "می\u200cخواهم 👩\u200d🔬"
    assert revealed("pass\u200dword") == "pass⟨200D⟩word"
