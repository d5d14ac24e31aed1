"""Making a study: balanced templates, the same items everywhere, neighbours that give nothing away."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from nliprobe.analysis.checklist.bins import BINS
from nliprobe.api.resolve import Request
from nliprobe.api.study import MadeStudy, StudyOptions, new_study, run_request
from nliprobe.api.study_choice import Candidate, choose_templates
from nliprobe.api.systems import system
from nliprobe.base.errors import NliprobeError, UsageError
from nliprobe.base.hashing import digest
from nliprobe.models.base import Model
from nliprobe.people.study.files import read_key, read_study, write_study
from nliprobe.people.study.plan import read_plan
from nliprobe.people.study.records import ABOUT_TEMPLATES, Question
from nliprobe.people.study.shown import shown_item, shown_stage
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import LabelSet
from nliprobe.templates.library import load_library

TEMPLATES = "checklist?n=10"
SOME = "checklist?n=10&only=negation+lexical+boolean"
FEW = StudyOptions(
    phases=("1", "2", "final"),
    templates=12,
    examples=2,
    neighbours=2,
    per_template=4,
    masks=2,
    pool="builtin/sentences-dev",
)


class Moody(Model):
    """Answers by a hash of what it reads, so that accuracies of templates differ; its vectors are hashes, too."""

    batch: ClassVar[int] = 256

    def __init__(self, mood: str) -> None:
        self.mood = mood
        self.asked = 0

    def fingerprint(self) -> str:
        """Return a name that is the same in every process."""
        return digest("moody", self.mood)

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        """Answer mostly what the last word of the hypothesis suggests."""
        self.asked += len(inputs)
        return [Prediction(LabelSet.of("ENC"[self._number(item) % 3])) for item in inputs]

    def embed_pairs(self, inputs: Sequence[Input]) -> NDArray[np.float32]:
        """Return vectors in which texts with the same words are near."""
        vectors = np.zeros((len(inputs), 64), dtype=np.float32)
        for row, item in enumerate(inputs):
            for word in f"{item.premise} {item.hypothesis}".split():
                vectors[row, int(digest(self.mood, word), 16) % 64] += 1
        return vectors

    def _number(self, item: Input) -> int:
        words = item.hypothesis.split()
        mood = int(digest(self.mood, *words[-1:]), 16)
        return mood if mood % 5 else int(digest(self.mood, item.premise, item.hypothesis), 16)


def request(*moods: str, on: str = TEMPLATES, seed: int = 0) -> Request:
    systems = [system(Moody(mood), name=f"hidden-{mood}") for mood in moods]
    return Request((on,), systems, seed=seed, doctor=False)


@cache
def made() -> MadeStudy:
    return new_study(request("calm", "wild"), FEW)


def test_every_bin_and_many_capabilities() -> None:
    study, key = made()
    assert len(key.templates) == 12
    for place in range(2):
        counts = Counter(template.rates[place].bin for template in key.templates)
        assert set(counts) == set(BINS)
        assert max(counts.values()) - min(counts.values()) <= 1
    assert len({template.capability for template in key.templates}) >= 10
    assert len({template.family for template in key.templates}) == 12
    assert study.id == key.study


def test_all_stages_have_the_same_items() -> None:
    study, key = made()
    assert [stage.id for stage in study.stages] == [
        "1", "2", "3", "template-explanations", "example-explanations", "example-questions", "B1", "B2", "R2",
    ]  # fmt: skip
    for kind in (True, False):
        items = {
            frozenset(entry.item for entry in stage.items)
            for stage in study.stages
            if (stage.question in ABOUT_TEMPLATES) == kind
        }
        [same] = items
        assert len(same) == (12 if kind else 24)
        assert len({key.by_item[item].template for item in same}) == 12
    assert {stage.system for stage in study.stages} == {"System X", "System Y"}
    assert {stage.stage: stage.system for stage in key.stages}["R2"] == "hidden-wild"


def test_numbers_of_items_do_not_tell_in_which_order_templates_were_chosen() -> None:
    _, key = made()
    chosen = [template.template for template in key.templates]
    for kind in "tq":
        numbered = [item.template for item in sorted(key.items) if item.item.startswith(kind)]
        assert set(numbered) == set(chosen)
        assert list(dict.fromkeys(numbered)) != chosen


def test_no_neighbour_is_of_the_template_its_variations_or_asked_about() -> None:
    study, key = made()
    varied = {one.id: one.variation.of for one in load_library() if one.variation is not None}

    def family(name: str) -> str:
        while name in varied:
            name = varied[name]
        return name

    asked = {item.pair_id for item in key.items}
    shown = 0
    for stage in key.stages:
        for answer in stage.answers:
            own = family(key.by_item[answer.item].template)
            for pair in answer.shown:
                shown += 1
                assert pair.pair_id not in asked
                assert not pair.template or family(pair.template) != own
    assert shown == 12 * 2 * 2 + 24 * 2 * 4
    pools = {stage.stage: stage.pool for stage in key.stages}
    assert (pools["B1"], pools["B2"], pools["1"]) == ("builtin/sentences-dev", TEMPLATES, "")
    texts = {(item.premise, item.hypothesis) for item in study.items}
    for each in study.stages:
        if each.question is Question.LABEL:
            near = {(one.premise, one.hypothesis) for entry in each.items for one in entry.examples}
            assert not texts & near


def test_what_is_right_is_what_the_system_answers() -> None:
    study, key = made()
    models = {"hidden-calm": Moody("calm"), "hidden-wild": Moody("wild")}
    for stage in key.stages:
        if study.stage(stage.stage).question is not Question.LABEL:
            bins = {one.template: {rate.system: rate.bin for rate in one.rates} for one in key.templates}
            for answer in stage.answers:
                assert answer.truth == bins[key.by_item[answer.item].template][stage.system]
            continue
        items = [study.by_item[answer.item] for answer in stage.answers]
        inputs = [Input(item.id, (item.premise,), item.hypothesis) for item in items]
        said = models[stage.system].predict(inputs)
        assert [answer.truth for answer in stage.answers] == [str(one.label) for one in said]
        for answer, entry in zip(stage.answers, study.stage(stage.stage).items, strict=True):
            assert [pair.label for pair in answer.shown] == [one.label for one in entry.examples]


def test_participants_get_nothing_that_tells_systems_or_templates(tmp_path: Path) -> None:
    study, key = made()
    write_study(tmp_path, study, key)
    raw = (tmp_path / "study.json").read_text(encoding="utf-8")
    hidden = ["hidden-calm", "hidden-wild", *(one.id for one in load_library()), "checklist/", "builtin/", '"gold"']
    assert not [word for word in hidden if word in raw]
    for stage in study.stages:
        if stage.question is Question.LABEL:
            sent = json.dumps(
                [shown_stage(study, stage.id), *(shown_item(study, stage.id, e.item) for e in stage.items)]
            )
            assert "template" not in sent.replace('"templates": []', "")
            assert not any(capability in sent for capability in ("implicature", "presupposition", "coreference"))
    assert read_study(tmp_path) == study
    assert read_key(tmp_path, study) == key


def test_what_is_shown_globally() -> None:
    study, key = made()
    by_label, others, chosen = (study.stage(name) for name in ("1", "2", "3"))
    assert [one.label for one in by_label.labels] == ["E", "N", "C"]
    asked = {study.by_item[entry.item].wording for entry in others.items}
    assert len(others.templates) >= 150
    assert not asked & {one.wording for one in others.templates} or len(asked) < 12
    assert len(chosen.templates) == 30
    assert all(one.about for one in chosen.templates)
    assert not any(one.about for one in others.templates)
    assert {one.wording for one in chosen.templates} <= {one.wording for one in others.templates}
    assert any("hidden-calm: templates that are asked about" in note for note in key.notes)
    assert key.notes[0] == "hidden-calm: the order of its labels was not checked."


def test_a_study_is_the_same_again_and_another_for_another_seed(own_cache: Path) -> None:
    some = StudyOptions(phases=("final",), templates=6, examples=2, neighbours=2, per_template=2, masks=2,
                        pool="builtin/sentences-dev")  # fmt: skip
    calm = Moody("calm")
    asked = Request((SOME,), [system(calm, name="calm")], doctor=False)
    first = new_study(asked, some)
    before = calm.asked
    assert new_study(asked, some) == first
    assert calm.asked == before, "answers, vectors and explanations are kept"
    other = new_study(Request((SOME,), [system(calm, name="calm")], seed=1, doctor=False), some)
    assert other.study.id != first.study.id
    assert [stage.id for stage in first.study.stages] == ["B1", "B2"], "there is no second system"


def test_a_stopped_command_continues(own_cache: Path) -> None:
    some = StudyOptions(phases=("2",), templates=4, examples=2, neighbours=2, per_template=2, masks=2)
    calm = Moody("calm")

    def stop(what: str, done: int, total: int) -> None:
        if "explanations for example-questions" in what:
            raise KeyboardInterrupt

    asked = Request((SOME,), [system(calm, name="calm")], doctor=False)
    with pytest.raises(KeyboardInterrupt):
        new_study(asked, some, tell=stop)
    before = calm.asked
    new_study(asked, some)
    # What was asked before the stop is not asked again: the pool alone has more inputs.
    assert calm.asked - before < 200


@pytest.mark.parametrize(
    ("asked", "options", "said"),
    [
        (Request((TEMPLATES,)), FEW, "There is no system to foresee"),
        (Request((), ("small",)), FEW, "A study needs one source of templates"),
        (Request(("builtin/sentences-dev",), ("small",), doctor=False), FEW, "A study is about templates"),
        (request("calm"), StudyOptions(phases=("5",)), "There is no phase '5'"),
        (request("a", "b", "c"), FEW, "No stage of these phases is about hidden-c"),
        (request("a", "b"), StudyOptions(phases=("1",)), "No stage of these phases is about hidden-b"),
        (
            Request((TEMPLATES,), ("majority",), train=("builtin/sentences-train",), doctor=False),
            FEW,
            "has no vectors of pairs. Models that have: small",
        ),
        (
            Request((TEMPLATES,), ("small?premise=swapped",), doctor=False),
            StudyOptions(phases=("1",)),
            "is not shown the premise of the pair",
        ),
        (request("calm", on=SOME.replace("10", "1")), StudyOptions(phases=("1",), examples=5), "too few templates"),
    ],
)
def test_faults_are_sentences(asked: Request, options: StudyOptions, said: str) -> None:
    with pytest.raises(NliprobeError) as caught:
        new_study(asked, options)
    assert said in str(caught.value)


def test_a_plan_of_ones_own(tmp_path: Path) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        "title: Mine\nphases:\n  mine:\n    - id: only\n      title: Only\n      system: 1\n      question: pick\n"
        "      shows: labels\n      instructions: ['Pick a range for {system}, of {points} {braces}.']\n",
        encoding="utf-8",
    )
    study, _ = new_study(request("calm", on=SOME), StudyOptions(phases=("mine",), plan=plan, templates=5, examples=1))
    [stage] = study.stages
    assert (study.title, stage.id, stage.question) == ("Mine", "only", Question.PICK)
    assert stage.instructions == ("Pick a range for System X, of 5 {braces}.",)
    assert study.practice is None
    for text, said in (
        ("titel: Mine\n", "a plan has no key 'titel'. Did you mean 'title'?"),
        ("[1, 2]\n", "should hold a mapping"),
        (plan.read_text().replace("pick", "label"), "expected neighbours or labels"),
        (plan.read_text().replace("question: pick", "question: guess"), "expected bid, pick, label"),
        (plan.read_text() + "      feedback: [nice]\n", "names of questions under 'feedback'"),
        (plan.read_text() + "      pool: snli/dev\n", "no corpus, because the stage shows no neighbours"),
    ):
        plan.write_text(text.replace("shows: labels", "shows: examples") if "neighbours or" in said else text)
        with pytest.raises(NliprobeError, match=said.replace("?", r"\?").replace("[", r"\[")):
            read_plan(["mine"], 1, plan)


def test_a_study_of_a_run(tmp_path: Path) -> None:
    from nliprobe.api.face import run

    folder = run(["small"], "checklist?n=2&only=negation+lexical", out=tmp_path / "run", doctor=False).folder
    asked = run_request(folder, [], None, 0)
    assert (list(asked.on), len(asked.systems)) == (["checklist?n=2&only=negation+lexical"], 1)
    study, key = new_study(asked, StudyOptions(phases=("1",), templates=4, examples=1))
    assert key.systems[0].name == "small"
    assert len(study.stages[0].items) == 4
    with pytest.raises(UsageError, match="has no system 'svm'"):
        run_request(folder, ["svm"], None, 0)
    other = run(["small"], "builtin/sentences-dev", out=tmp_path / "other", doctor=False).folder
    with pytest.raises(UsageError, match="asked no templates"):
        run_request(other, [], None, 0)


candidates = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 30), st.tuples(st.sampled_from(BINS), st.sampled_from(BINS))),
    min_size=1,
    max_size=40,
).map(lambda rows: [Candidate(f"t{n}", f"c{c}", f"f{f}", bins) for n, (c, f, bins) in enumerate(rows)])


@given(candidates, st.integers(1, 12), st.integers(0, 3))
def test_no_bin_is_empty_that_need_not_be(listed: list[Candidate], count: int, seed: int) -> None:
    chosen = choose_templates(listed, count, BINS, seed)
    assert len(chosen) == min(count, len(listed)) == len(set(chosen))
    assert choose_templates(listed, count, BINS, seed) == chosen
    available = [{one.bins[place] for one in listed} for place in (0, 1)]
    if count >= sum(map(len, available)):
        # So many that one template per bin and system fits, whatever the others are.
        assert [{one.bins[place] for one in chosen} for place in (0, 1)] == available
