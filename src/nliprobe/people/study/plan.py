"""The plan of a study: what participants read, and which stages there are; data in a file, none of it in code."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from nliprobe.base.errors import DataError, UsageError, did_you_mean, option
from nliprobe.base.fields import Fields
from nliprobe.base.yaml_files import read_yaml
from nliprobe.people.study.records import (
    ABOUT_TEMPLATES,
    FeedbackQuestion,
    Practice,
    Question,
    ShownExample,
    Shows,
)
from nliprobe.task.labels import LETTERS
from nliprobe.task.pair import Span

DEFAULT = Path(__file__).with_name("plan.yaml")
# A stage that shows similar examples and does not say from which corpus shows those of the study's own templates.
OWN_POOL = ""
_STAGES = "{stages}"
_KEYS = ("title", "landing", "consent", "practice", "feedback", "feedback_at_the_end", "phases")
_MARKED = re.compile(r"\*([^*]+)\*")


@dataclass(frozen=True)
class PlannedStage:
    """A stage before its items are chosen; ``system`` counts the systems of the study from 1."""

    id: str
    title: str
    system: int
    question: Question
    shows: Shows
    pool: str
    instructions: tuple[str, ...]
    feedback: tuple[FeedbackQuestion, ...]


@dataclass(frozen=True)
class StudyPlan:
    """What participants read, and the stages."""

    title: str
    landing: tuple[str, ...]
    consent: str
    practice: Practice | None
    stages: tuple[PlannedStage, ...]
    feedback: tuple[FeedbackQuestion, ...]


def read_plan(phases: Sequence[str], systems: int, path: Path | None = None) -> StudyPlan:
    """Return the plan of some phases.

    Args:
        phases: the names of phases, in order.
        systems: how many systems there are; stages of further ones are left out.
        path: a YAML file whose keys take the place of those of the package.
    """
    content, place = _content(DEFAULT), DEFAULT
    if path is not None:
        own = _content(path)
        for key in own:
            if key not in _KEYS:
                raise DataError(f"{path}: a plan has no key '{key}'. {did_you_mean(key, _KEYS)}")
        content, place = {**content, **own}, path
    read = Fields(str(place), content, error=DataError)
    known = _phases(read)
    stages: list[PlannedStage] = []
    for phase in phases:
        if phase not in known:
            raise UsageError(f"There is no phase '{phase}' ({option('phase')}). {did_you_mean(phase, known)}")
        stages += known[phase]
    kept = tuple(stage for stage in stages if stage.system <= systems)
    if not kept:
        raise UsageError(
            f"No stage is left: the phases {', '.join(phases)} need more systems than the {systems} named with "
            f"{option('system', python='systems')}."
        )
    names = [stage.id for stage in kept]
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if twice:
        raise DataError(f"{read.place}: two stages are called '{twice[0]}'. Give each a name of its own.")
    practice = read.inner_or_none("practice")
    ends = _questions(read.inner("feedback_at_the_end"))
    return StudyPlan(
        read.text("title"),
        read.texts("landing"),
        read.text("consent"),
        None if practice is None else _practice(practice),
        kept,
        tuple(
            one._replace(answers=_with_stages(one.answers, names), names_stages=_STAGES in one.answers) for one in ends
        ),
    )


def read_phases(path: Path) -> dict[str, list[PlannedStage]]:
    """Return all phases of a plan by their names."""
    return _phases(Fields(str(path), _content(path), error=DataError))


def marked(text: str) -> tuple[str, tuple[Span, ...]]:
    """Return a text without its asterisks, and where the words between them are.

    >>> marked("A *dog* barks.")
    ('A dog barks.', ((2, 5),))
    """
    plain, spans, at = "", [], 0
    for match in _MARKED.finditer(text):
        plain += text[at : match.start()]
        spans.append((len(plain), len(plain) + len(match[1])))
        plain += match[1]
        at = match.end()
    return plain + text[at:], tuple(spans)


def _content(path: Path) -> Mapping[str, object]:
    content = read_yaml(path)
    if not isinstance(content, dict):
        raise DataError(f"{path} should hold a mapping with some of the keys {', '.join(_KEYS)}.")
    return {str(key): _texts_as_keys(value) for key, value in content.items()}


def _texts_as_keys(value: object) -> object:
    """Return mappings whose keys are texts: a phase may be called 1."""
    if isinstance(value, dict):
        return {str(key): _texts_as_keys(part) for key, part in cast("dict[object, object]", value).items()}
    return [_texts_as_keys(part) for part in value] if isinstance(value, list) else value


def _phases(read: Fields) -> dict[str, list[PlannedStage]]:
    questions = {one.id: one for one in _questions(read.inner("feedback"))}
    known = read.inner("phases")
    return {phase: [_stage(one, questions) for one in known.each(phase)] for phase in known.values}


def _stage(read: Fields, questions: Mapping[str, FeedbackQuestion]) -> PlannedStage:
    named = read.texts("feedback") if "feedback" in read.values else ()
    for name in named:
        if name not in questions:
            read.refuse("feedback", f"names of questions under 'feedback' ({', '.join(questions)})")
    stage = PlannedStage(
        str(read.values.get("id", "")) or read.text("id"),
        read.text("title"),
        read.count("system", 1),
        read.parsed("question", Question, ", ".join(Question)),
        read.parsed("shows", Shows, ", ".join(Shows)),
        read.text_or_none("pool") or OWN_POOL,
        read.texts("instructions"),
        tuple(questions[name] for name in named),
    )
    if (
        stage.question not in ABOUT_TEMPLATES
        and stage.shows is not Shows.NEIGHBOURS
        and stage.shows is not Shows.LABELS
    ):
        read.refuse("shows", "neighbours or labels, because the question is about examples and not about templates")
    if stage.pool and stage.shows is not Shows.NEIGHBOURS:
        read.refuse("pool", "no corpus, because the stage shows no neighbours")
    return stage


def _practice(read: Fields) -> Practice:
    examples: list[ShownExample] = []
    for one in read.each("examples"):
        premise, hypothesis = marked(one.text("premise")), marked(one.text("hypothesis"))
        examples.append(ShownExample(premise[0], hypothesis[0], premise[1], hypothesis[1], _letter(one, "label")))
    return Practice(
        read.text("premise"),
        read.text("hypothesis"),
        tuple(examples),
        _letter(read, "solution"),
        read.text("because"),
    )


def _letter(read: Fields, key: str) -> str:
    letter = read.text(key)
    return letter if len(letter) == 1 and letter in LETTERS else read.refuse(key, "E, N or C")


def _questions(read: Fields) -> list[FeedbackQuestion]:
    return [
        FeedbackQuestion(name, one.text("ask"), one.texts("answers"))
        for name, one in ((name, read.inner(name)) for name in read.values)
    ]


def _with_stages(answers: Sequence[str], stages: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for answer in answers for name in (stages if answer == _STAGES else (answer,)))
