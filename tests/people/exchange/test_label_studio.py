"""Label Studio: what goes out comes back, in both forms of its export; what is no answer is a sentence."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cli.helpers import nliprobe

from nliprobe.base.errors import DataError, UsageError
from nliprobe.people.exchange.controls import form_of
from nliprobe.people.exchange.label_studio import label_config, write_label_studio
from nliprobe.people.exchange.label_studio_read import parse_label_studio, read_label_studio
from nliprobe.people.items.of_pairs import items_of
from nliprobe.people.records import Content, Item, Judgement, Project
from nliprobe.people.store import open_store
from nliprobe.people.store.judging import read_judgements
from nliprobe.people.store.projects import create_project
from nliprobe.people.tasks import TASKS
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.table import Row, Table

TABLE = Table(
    "Ada <b>", (Row("Born", ("1815", "London")), Row("Born & raised", ("x",)), Row("Died", ("1852",))), "person"
)
TEXT = "First one. Then 😀 another & one.\nThe third?"
PAIRS = [
    Pair("c/1", TABLE, "Ada was born in <London>.", LabelSet.of("E"), "t1"),
    Pair("c/2", TEXT, 'A "quoted" hypothesis.', LabelSet.of("C"), "t2"),
]
ANSWERS: dict[str, list[Content]] = {
    "verify": [{"label": "E"}, {"label": "N"}, {"label": "C"}],
    "judge": [{"label": "E", "odd": True}, {"label": "N", "odd": False}],
    "evidence": [
        {"units": [0, 2], "outside": True},
        {"units": [1], "outside": False},
        {"units": [], "outside": True},
        {"units": [], "outside": False},
    ],
    "write": [{"true": "One.", "false": "Two <b>.", "undecided": "Three “3”."}],
    "predict": [{"label": "N"}],
}
SETTLE = Item(
    "case1",
    {"premise": "p", "hypothesis": "h <i>", "original": "o", "before": "b", "suggested": "E"},
    {"case_id": "case1", "suggested": "E"},
)
PICK = Item("pick1", {"template": "X is Y", "examples": [{"premise": "p", "hypothesis": "h"}]}, {"truth": "3"})
MORE: dict[str, tuple[Item, list[Content]]] = {
    "settle": (
        SETTLE,
        [
            {"verdict": "accept", "label": "E"},
            {"verdict": "fix", "label": "C"},
            {"verdict": "reject", "label": ""},
        ],
    ),
    "pick": (PICK, [{"bin": 3}]),
}


def project(task: str) -> Project:
    return Project("p", task, title='A <title> & "more"')


def asked(task: str) -> tuple[list[Item], list[Judgement]]:
    made = TASKS.get(task)({})
    items, answers = ([MORE[task][0]], MORE[task][1]) if task in MORE else (
        list(items_of(made, PAIRS).items), ANSWERS[task]
    )  # fmt: skip
    judgements = [
        Judgement(item.name, f"rater-{number}", made.checked(item, answer), 1000.5 + number, 2.5, "so & so" * number)
        for item in items
        for number, answer in enumerate(answers)
    ]
    return items, judgements


def short_form(tasks: list[dict[str, object]]) -> list[dict[str, object]]:
    """What Label Studio's converter makes of its JSON: a record per annotation, values beside the data."""
    records = []
    for task in tasks:
        for number, one in enumerate(task.get("annotations", [])):  # type: ignore[arg-type, var-annotated]
            record = deepcopy(task["data"])
            for part in one["result"]:
                [values] = part["value"].values()
                kind = next(iter(part["value"]))
                record[part["from_name"]] = values[0] if len(values) == 1 else {kind: values}  # type: ignore[index]
            extra = {"annotator": 7, "annotation_id": number, "created_at": one["created_at"]}
            records.append({**record, **extra, "lead_time": one.get("lead_time")})  # type: ignore[dict-item]
    return records


@pytest.mark.parametrize("name", [*ANSWERS, *MORE])
def test_what_goes_out_comes_back_in_both_forms(name: str, tmp_path: Path) -> None:
    items, judgements = asked(name)
    task, path = TASKS.get(name)({}), tmp_path / "tasks.json"
    done = write_label_studio(path, project(name), task, items, judgements)
    assert done.written == len(items)
    assert read_label_studio(path, task, name, items, given=0.0).judgements == tuple(judgements)
    brief = json.dumps(short_form(json.loads(path.read_text(encoding="utf-8"))))
    assert parse_label_studio(brief, "min", task, name, items, given=0.0).judgements == tuple(judgements)


@pytest.mark.parametrize("name", [*ANSWERS, *MORE])
def test_every_result_belongs_to_a_control_of_the_configuration(name: str, tmp_path: Path) -> None:
    items, judgements = asked(name)
    path = tmp_path / "tasks.json"
    write_label_studio(path, project(name), TASKS.get(name)({}), items, judgements)
    view = ElementTree.parse(path.with_suffix(".xml")).getroot()
    tags = {tag.get("name"): tag for tag in view.iter() if tag.get("name")}
    # Label Studio reads such names as booleans, and then refuses the configuration.
    assert not {"true", "false"} & set(tags)
    for task in json.loads(path.read_text(encoding="utf-8")):
        fields = {value.get("value", "")[1:] for value in tags.values() if value.get("value", "").startswith("$")}
        assert fields <= set(task["data"]), "Label Studio refuses tasks without a field of the configuration"
        for one in task["annotations"]:
            for part in one["result"]:
                control = tags[part["from_name"]]
                assert control.get("toName") == part["to_name"] == "pair"
                assert control.tag.lower() == part["type"]
                offered = {choice.get("alias") for choice in control} or {
                    choice["value"] for choice in task["data"].get("units", [])
                }
                if part["type"] == "choices":
                    assert set(part["value"]["choices"]) <= offered
            # Label Studio refuses annotations by users that it does not know.
            assert "completed_by" not in one


def test_nothing_that_raters_may_not_see_goes_out(tmp_path: Path) -> None:
    task = TASKS.get("verify")({})
    pairs = [Pair("secret-pair-id", "p", "h", LabelSet.of("C"), "secret-group")]
    items = [*items_of(task, pairs, attention=["secret-pair-id"]).items]
    write_label_studio(tmp_path / "t.json", project("verify"), task, items, [])
    text = (tmp_path / "t.json").read_text(encoding="utf-8")
    assert "secret" not in text
    assert "expected" not in text
    assert "<script" not in text.lower()


def test_texts_are_escaped_in_what_label_studio_shows(tmp_path: Path) -> None:
    items, judgements = asked("verify")
    write_label_studio(tmp_path / "t.json", project("verify"), TASKS.get("verify")({}), items, judgements)
    shown = [task["data"]["shown"] for task in json.loads((tmp_path / "t.json").read_text(encoding="utf-8"))]
    assert "Ada &lt;b&gt;" in shown[0]
    assert "<London>" not in shown[0]


def test_other_tasks_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'bid'"):
        form_of(TASKS.get("bid")({}), "bid")
    with pytest.raises(UsageError, match=r"\.json"):
        write_label_studio(tmp_path / "t.csv", project("verify"), TASKS.get("verify")({}), [], [])


def annotated(item: str = "", **changes: object) -> list[dict[str, object]]:
    result = [{"from_name": "label", "to_name": "pair", "type": "choices", "value": {"choices": ["E"]}}]
    one = {"result": result, "completed_by": 3, **changes}
    return [{"id": 1, "data": {"item": item}, "annotations": [one]}]


def read(content: object) -> tuple[Judgement, ...]:
    items, _ = asked("verify")
    text = json.dumps(content).replace('""', json.dumps(items[0].name))
    return parse_label_studio(text, "x.json", TASKS.get("verify")({}), "verify", items, given=5.0).judgements


def test_users_of_label_studio_are_raters_with_pseudonyms() -> None:
    assert read(annotated())[0].rater == "label-studio-3"
    assert read(annotated(completed_by={"id": 4, "email": "ada@example.org"}))[0].rater == "label-studio-4"
    [hashed] = read(annotated(completed_by={"email": "ada@example.org"}))
    assert hashed.rater.startswith("label-studio-")
    assert "ada" not in hashed.rater
    [judged] = read(annotated(created_at="2021-03-09T22:16:08.728353Z", lead_time=4.288))
    assert (judged.given, judged.seconds) == (1615328168.728353, 4.288)


def test_words_for_people_are_read_like_their_short_forms() -> None:
    result = [{"from_name": "label", "type": "choices", "value": {"choices": ["contradiction"]}}]
    assert read(annotated(result=result))[0].answer == {"label": "C"}


def test_skipped_tasks_are_counted_and_drafts_and_predictions_do_not_count() -> None:
    items, _ = asked("verify")
    [task] = annotated(items[0].name, was_cancelled=True)
    task["predictions"] = task["drafts"] = annotated()[0]["annotations"]
    found = parse_label_studio(json.dumps([task]), "x", TASKS.get("verify")({}), "verify", items, given=0.0)
    assert found.judgements == ()
    assert found.left_out == {"skipped in Label Studio": 1}


def test_annotations_without_any_answer_are_counted_in_both_forms() -> None:
    items, _ = asked("verify")
    verify, name = TASKS.get("verify")({}), items[0].name
    empty = annotated(name, result=[])
    meta = {"id": 99, "created_at": None, "updated_at": None, "lead_time": None}
    short = {"item": name, "shown": "<p></p>", **meta}
    said = {**short, "annotator": 3, "annotation_id": 7}
    for content in (empty, [said]):
        found = parse_label_studio(json.dumps(content), "x", verify, "verify", items, given=0.0)
        assert (found.judgements, found.left_out) == ((), {"empty in Label Studio": 1})
    # An answer under another name is not taken for none.
    with pytest.raises(DataError, match="Nothing is chosen"):
        parse_label_studio(json.dumps([{**said, "sentiment": "E"}]), "x", verify, "verify", items, given=0.0)


def test_tasks_that_nobody_has_labelled_are_passed_over_in_both_forms() -> None:
    items, _ = asked("verify")
    verify = TASKS.get("verify")({})
    nobody = {"annotator": None, "annotation_id": None, "created_at": None, "updated_at": None, "lead_time": None}
    short = {"item": items[0].name, "shown": "<p></p>", "id": 99, **nobody}
    labelled = {**short, "label": "E", "annotator": 3, "annotation_id": 7}
    found = parse_label_studio(json.dumps([short, labelled]), "x", verify, "verify", items, given=0.0)
    assert [one.rater for one in found.judgements] == ["label-studio-3"]
    assert found.left_out == {}
    for wrong in ({**short, "label": "E"}, {**short, "item": None}):
        with pytest.raises(DataError, match=r"who annotated|which item"):
            parse_label_studio(json.dumps([wrong]), "x", verify, "verify", items, given=0.0)


def test_what_is_wrong_is_named_by_the_number_that_label_studio_shows() -> None:
    items, _ = asked("verify")
    [task] = annotated(items[0].name, result=None)
    with pytest.raises(DataError, match=r"x\.json, task 1 \(#149 in Label Studio\): 'result'"):
        read([{**task, "id": 149}])


def test_raters_are_not_asked_for_their_names(tmp_path: Path) -> None:
    items, judgements = asked("verify")
    write_label_studio(tmp_path / "t.json", project("verify"), TASKS.get("verify")({}), items, judgements)
    view = ElementTree.parse(tmp_path / "t.xml").getroot()
    [hidden] = [part for part in view if part.get("style") == "display: none"]
    assert [part.get("name") for part in hidden] == ["rater"]
    assert "seudonym" not in (tmp_path / "t.xml").read_text(encoding="utf-8")


def test_where_no_label_is_suggested_none_can_be_accepted(tmp_path: Path) -> None:
    blind = Item("case2", {name: value for name, value in SETTLE.content.items() if name != "suggested"}, {})
    several = Item("case3", {**SETTLE.content, "suggested": "EN"}, {})
    for items, offered in (
        ([SETTLE], ["accept", "fix", "reject"]),
        ([blind, several], ["fix", "reject"]),
        ([blind, SETTLE], ["accept", "fix", "reject"]),
    ):
        write_label_studio(tmp_path / "t.json", project("settle"), TASKS.get("settle")({}), items, [])
        view = ElementTree.parse(tmp_path / "t.xml").getroot()
        [verdict] = [part for part in view if part.get("name") == "verdict"]
        assert [choice.get("alias") for choice in verdict] == offered


def test_a_bin_that_is_none_is_refused() -> None:
    for choice in ("about half", "9"):
        text = json.dumps(annotated(PICK.name, result=[{"from_name": "bin", "value": {"choices": [choice]}}]))
        with pytest.raises(DataError, match="bin"):
            parse_label_studio(text, "x", TASKS.get("pick")({}), "pick", [PICK], given=0.0)


BAD = {
    "no json": ("{", "no JSON"),
    "a number": ("7", "no tasks"),
    "empty": ("[]", "no tasks"),
    "deep": ("[" * 100_000, "no JSON"),
    "not a task": ('[{"x": 1}]', "does not say which item|does not say who"),
    "another item": (json.dumps(annotated("nobody")), "no item of this project"),
    "no result": (json.dumps(annotated(result=None)), "'result' should be a list"),
    "nothing chosen": (
        json.dumps(annotated(result=[{"from_name": "remark", "value": {"text": ["hm"]}}])),
        "Nothing is chosen under 'label'",
    ),
    "a long remark": (
        json.dumps(
            annotated(
                result=[
                    {"from_name": "label", "value": {"choices": ["E"]}},
                    {"from_name": "remark", "value": {"text": ["x" * 5001]}},
                ]
            )
        ),
        "remark.*at most 5,000 characters",
    ),
    "nobody": (json.dumps(annotated(completed_by=None)), "who annotated"),
    "annotations": ('[{"data": {"item": ""}, "annotations": 7}]', "list of objects"),
    "two labels": (
        json.dumps(annotated(result=[{"from_name": "label", "value": {"choices": ["E", "N"]}}])),
        "2 values stand under 'label'",
    ),
    "another label": (
        json.dumps(annotated(result=[{"from_name": "label", "value": {"choices": ["perhaps"]}}])),
        "E, N or C",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_answer_is_a_sentence_that_names_the_place(name: str) -> None:
    text, words = BAD[name]
    items, _ = asked("verify")
    text = text.replace('""', json.dumps(items[0].name))
    with pytest.raises(DataError, match=words) as error:
        parse_label_studio(text, "x.json", TASKS.get("verify")({}), "verify", items, given=0.0)
    assert "x.json" in str(error.value)


def test_a_unit_that_is_none_is_refused() -> None:
    items, _ = asked("evidence")
    for choice in ("about", "99. x", "0. x", "²"):
        result = [
            {"from_name": "evidence", "value": {"choices": [choice]}},
            {"from_name": "outside", "value": {"choices": ["no"]}},
        ]
        text = json.dumps(annotated(items[0].name, result=result))
        with pytest.raises(DataError, match="row"):
            parse_label_studio(text, "x", TASKS.get("evidence")({}), "evidence", items, given=0.0)


@settings(max_examples=60, deadline=None)
@given(title=st.text(max_size=40))
def test_the_configuration_is_xml_whatever_the_title(title: str) -> None:
    form = form_of(TASKS.get("judge")({"partition": "E|NC"}), "judge")
    view = ElementTree.fromstring(label_config(Project("p", "judge", title=title), form))
    assert [choice.get("value") for choice in view.iter("Choice")][:2] == ["entailment", "neutral or contradiction"]


def test_on_the_command_line_what_goes_out_is_taken_into_another_store(tmp_path: Path) -> None:
    items, judgements = asked("evidence")
    for name in ("one", "two"):
        with open_store(tmp_path / f"{name}.sqlite") as store:
            create_project(store, Project("p", "evidence", raters_per_item=4), items)
            if name == "one":
                from nliprobe.people.store.sheets import add_judgements

                add_judgements(store, "p", judgements)
    path = tmp_path / "tasks.json"
    where = ["--database", str(tmp_path / "one.sqlite")]
    done = nliprobe("annotate", "export", "p", "-o", str(path), "--as", "label-studio", *where)
    assert "tasks.xml" in done.stderr
    where = ["--database", str(tmp_path / "two.sqlite")]
    assert "8 new judgements, 0 known" in nliprobe("annotate", "take", "p", str(path), *where).stdout
    assert "0 new judgements, 8 known" in nliprobe("annotate", "take", "p", str(path), *where).stdout
    with open_store(tmp_path / "two.sqlite") as store:
        kept = read_judgements(store, "p")
    assert sorted(kept, key=lambda one: (one.item, one.rater)) == sorted(
        judgements, key=lambda one: (one.item, one.rater)
    )
