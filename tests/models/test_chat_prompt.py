"""Prompts of chat models: the files, what is filled in, and that texts can bring nothing else in."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import DataError
from nliprobe.models.chat.mode import AnswerMode
from nliprobe.models.chat.prompt import DEFAULT, Prompt, Shot, read_prompt
from nliprobe.models.chat.shots import draw_shots
from nliprobe.represent import REPRESENTATIONS
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader, build_representation
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.table import Row, Table

E, N, C = (LabelSet.of(letter) for letter in "ENC")
PROMPT = read_prompt()
TABLE = Table("K2", (Row("Height", ("8,611 m",)), Row("Range", ("Karakoram",))))
MARKS = "{premise} {hypothesis} {given} {answer} {{premise}} {x} %s {% raw %} {{ 7*7 }} \\1 \\g<0> $premise {"
TEXTS = st.text() | st.text(alphabet="{}premisehypot x\\1g<0>", max_size=40) | st.just(MARKS)


def write(folder: Path, text: str) -> Path:
    path = folder / "prompt.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def last(prompt: Prompt, premise: str, hypothesis: str, form: str = "", mode: AnswerMode = AnswerMode.LABEL) -> str:
    return prompt.messages(premise, hypothesis, form, mode)[-1]["content"]


def test_the_default_prompt_of_a_text() -> None:
    messages = PROMPT.messages("Two dogs run.", "Animals move.", "", AnswerMode.LABEL)
    assert [turn["role"] for turn in messages] == ["system", "user"]
    assert "- entailment: if the premise is true, the hypothesis is definitely true." in messages[0]["content"]
    assert messages[1]["content"] == (
        "Premise, a text:\nTwo dogs run.\n\nHypothesis:\nAnimals move.\n\n"
        "Answer with one of these, and nothing else: entailment, neutral, contradiction."
    )


NAMES = ("para", "struct", "json", "markdown", "html", "keyvalue", "overlap-2")
FORMS = [(name, name.replace("overlap-2", "para")) for name in NAMES]


@pytest.mark.parametrize(("represent", "form"), FORMS)
def test_the_prompt_names_the_form_of_a_table(represent: str, form: str) -> None:
    reader = Reader(build_representation(represent), Control.FULL, seed=0, keyed=False, told_form=True)
    asked = reader.read_pair(Pair("x/1", TABLE, "It is high."))
    assert asked.form == form
    text = last(PROMPT, asked.premise, asked.hypothesis, asked.form)
    assert text.startswith(PROMPT.given[form] + "\n" + asked.premise + "\n")
    assert "table" in PROMPT.given[form]
    of_text = reader.read_pair(Pair("x/2", asked.premise, "It is high."))
    assert (of_text.form, of_text.premise) == ("", asked.premise)
    assert of_text.id != asked.id, "another prompt is another input"
    assert of_text.id[:12] == asked.id[:12], "and the same text"


def test_every_way_of_writing_a_table_has_an_introduction_of_its_own() -> None:
    kinds = {kind.form for _, kind in REPRESENTATIONS if kind.__module__.startswith("nliprobe.")}
    assert kinds <= set(PROMPT.given)
    assert len(set(PROMPT.given.values())) == len(PROMPT.given)


def test_only_models_that_are_told_read_another_input() -> None:
    plain = Reader(build_representation("json"), Control.FULL, seed=0, keyed=False)
    told = Reader(build_representation("json"), Control.FULL, seed=0, keyed=False, told_form=True)
    pair = Pair("x/1", TABLE, "It is high.")
    assert plain.read_pair(pair).form == ""
    assert plain.read_pair(pair).segments == told.read_pair(pair).segments
    without = Reader(build_representation("json"), Control.NONE, seed=0, keyed=False, told_form=True).read_pair(pair)
    assert (without.form, without.premise) == ("", "")
    assert last(PROMPT, "", "It is high.").startswith("The premise is withheld.")


@given(TEXTS, TEXTS, st.sampled_from(["", "json", "html", "unknown"]), st.sampled_from(list(AnswerMode)))
def test_texts_stay_as_they_are_and_bring_nothing_in(
    premise: str, hypothesis: str, form: str, mode: AnswerMode
) -> None:
    frame = replace(PROMPT, user="<{given}|{premise}|{hypothesis}|{answer}>", examples=())
    shown = frame.given["none" if not premise.strip() else form if form in frame.given else "text"]
    words = mode.instruction(["entailment", "neutral", "contradiction"])
    assert last(frame, premise, hypothesis, form, mode) == f"<{shown}|{premise}|{hypothesis}|{words}>"


@given(TEXTS.filter(str.strip), TEXTS, TEXTS)
def test_prompts_of_one_premise_share_all_before_the_hypothesis(premise: str, one: str, two: str) -> None:
    first, second = (PROMPT.messages(premise, item, "", AnswerMode.LABEL) for item in (one, two))
    assert first[:-1] == second[:-1]
    shared = f"{PROMPT.given['text']}\n{premise}\n\nHypothesis:\n"
    assert first[-1]["content"].startswith(shared)
    assert second[-1]["content"].startswith(shared)


def test_a_prompt_of_ones_own(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
user: |-
  {{premise}} {"a": 1} { } {premise} => {hypothesis}? {entailment}/{contradiction} {given}
labels: {C: nope, E: yep}
given: {text: T, json: J}
answer_after: "Answer:"
examples:
- {premise: p, hypothesis: h, label: yep}
- {premise: '{"x": 1}', hypothesis: h, label: C, form: json}
""",
    )
    prompt = read_prompt(path)
    assert str(prompt.partition) == "E|C"
    assert prompt.examples == (Shot("p", "h", E), Shot('{"x": 1}', "h", C, "json"))
    turns = prompt.messages("P", "H", "html", AnswerMode.JSON_SCHEMA)
    assert [turn["role"] for turn in turns] == ["user", "assistant"] * 2 + ["user"]
    assert turns[0]["content"] == '{premise} {"a": 1} { } p => h? yep/nope T'
    assert turns[1]["content"] == 'Answer: {"label": "yep"}'
    assert turns[2]["content"].endswith(" J")
    assert turns[4]["content"].endswith(read_prompt().given["html"]), "what the file does not say is as by default"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- a\n", "is not a prompt"),
        ("labels: {E: a, N: b, C: c}\n", "has no 'user'"),
        ("user: '{premise}'\nlabels: {E: a, N: b, C: c}\n", "never shows the hypothesis"),
        ("user: '{hypothesis}'\nlabels: {E: a, N: b, C: c}\n", "never shows the premise"),
        ("user: '{premise}{hypothesis}{premis}'\nlabels: {E: a, C: c}\n", "Did you mean 'premise'"),
        ("user: '{premise}{hypothesis}{neutral}'\nlabels: {E: a, C: c}\n", "unknown placeholder {neutral}"),
        ("user: '{premise}{hypothesis}'\n", "the word for each label"),
        ("user: '{premise}{hypothesis}'\nlabels: {E: a}\n", "at least two labels"),
        ("user: '{premise}{hypothesis}'\nlabels: {E: a, EN: b}\n", "the word for each label"),
        ("user: '{premise}{hypothesis}'\nlabels: {E: a, X: b}\n", "the word for each label"),
        ("user: '{premise}{hypothesis}'\nlabels: {E: a, N: A}\n", "a different word for each label"),
        ("user: '{premise}{hypothesis}'\nlabels: {E: a, N: 1}\n", "names with texts under 'labels'"),
        ("user: 1\nlabels: {E: a, N: b}\n", "a text under 'user'"),
        ("usr: x\n", "Did you mean 'user'"),
        ("user: '{premise}{hypothesis}'\nlabels: {E: a, N: b}\nexamples: {}\n", "a list under 'examples'"),
        ("user: '{premise}{hypothesis}'\nlabels: {E: a, N: b}\nexamples: [x]\n", "example 1 should have a premise"),
        (
            "user: '{premise}{hypothesis}'\nlabels: {E: a, N: b}\nexamples: [{premise: p, hypothesis: h, label: c}]\n",
            "has the label 'c', but the prompt has a, b",
        ),
        (
            "user: '{premise}{hypothesis}'\nlabels: {E: a, N: b}\nexamples: [{premise: 1, hypothesis: h, label: a}]\n",
            "a text as its premise, not 1",
        ),
        ("user: [\n", "line"),
    ],
)
def test_what_is_wrong_with_a_prompt_is_said(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read_prompt(write(tmp_path, text))
    assert said in str(caught.value)
    assert "prompt.yaml" in str(caught.value)


def test_the_digest_is_of_everything_that_is_told() -> None:
    others = [
        replace(PROMPT, system="s"),
        replace(PROMPT, user="u"),
        replace(PROMPT, given={**PROMPT.given, "json": "j"}),
        replace(PROMPT, labels={E: "a", N: "b", C: "c"}),
        replace(PROMPT, answer_after="x"),
        replace(PROMPT, examples=(Shot("p", "h", E),)),
        replace(PROMPT, examples=(Shot("p", "h", N),)),
        replace(PROMPT, examples=(Shot("p", "h", E, "json"),)),
    ]
    digests = [prompt.digest() for prompt in (PROMPT, *others)]
    assert len(set(digests)) == len(digests)
    assert read_prompt(DEFAULT).digest() == PROMPT.digest()


def shots_file(folder: Path, each: int) -> Path:
    lines = [
        json.dumps({"premise": f"p{n}", "hypothesis": "h", "label": label})
        for n in range(each)
        for label in ("entailment", "N", "Contradiction")
    ]
    path = folder / "shots.jsonl"
    path.write_text("\n".join([*lines, lines[0], ""]), encoding="utf-8")
    return path


def test_examples_are_drawn_by_label_and_seed(tmp_path: Path) -> None:
    path = shots_file(tmp_path, 9)
    drawn = draw_shots(path, 7, 0, PROMPT.labels)
    assert [sum(shot.label == label for shot in drawn) for label in (E, N, C)] == [3, 2, 2]
    assert len(set(drawn)) == 7
    assert drawn == draw_shots(path, 7, 0, PROMPT.labels)
    assert drawn != draw_shots(path, 7, 1, PROMPT.labels)
    assert len({tuple(shot.label for shot in draw_shots(path, 6, seed, PROMPT.labels)) for seed in range(9)}) > 1


def test_too_few_examples_and_bad_lines_are_said(tmp_path: Path) -> None:
    path = shots_file(tmp_path, 2)
    with pytest.raises(DataError, match="has 2 examples of entailment, but shots=9 needs 3"):
        draw_shots(path, 9, 0, PROMPT.labels)
    path.write_text('{"premise": "p", "hypothesis": "h", "label": "E"}\n{"premise"\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"shots.jsonl, line 2 is not JSON"):
        draw_shots(path, 1, 0, PROMPT.labels)
