"""What a front end may send to a participant: declared fields, made from the study alone and never from its key.

An item has no gold label, no answer of the system to it, no name of a system and no id of a template or a pair. Where
the question is about examples, nothing about templates is sent either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from nliprobe.base.errors import NotFoundError
from nliprobe.people.study.records import ABOUT_TEMPLATES, FeedbackQuestion, Question, ShownExample, Study, Wording
from nliprobe.task.labels import NAMES
from nliprobe.task.pair import Span


class ClientWording(TypedDict):
    """A template as it is written."""

    premise: str
    hypothesis: str


class ClientExample(TypedDict):
    """An example with its marked words and the answer of the system to it."""

    premise: str
    hypothesis: str
    premise_marks: list[list[int]]
    hypothesis_marks: list[list[int]]
    label: str


class ClientItem(TypedDict):
    """One question: what is asked, what can be answered, and what is shown beside it.

    ``answers`` are the codes to send back and ``says`` what they mean. ``points`` is None unless points are bid.
    ``wording`` is None where the question is about an example.
    """

    study: str
    stage: str
    item: str
    system: str
    question: str
    ask: str
    answers: list[str]
    says: list[str]
    points: int | None
    wording: ClientWording | None
    premise: str
    hypothesis: str
    examples: list[ClientExample]


class ClientLabel(TypedDict):
    """The accuracy of a system where one label is right."""

    label: str
    accuracy: float
    n: int


class ClientTemplate(TypedDict):
    """The accuracy of a system on a template that is not asked about."""

    premise: str
    hypothesis: str
    label: str
    accuracy: float
    n: int
    about: str


class ClientFeedback(TypedDict):
    """A question about the study itself; without answers the participant writes a text.

    ``answers`` are what is sent back, and ``says`` what participants read instead.
    """

    id: str
    ask: str
    answers: list[str]
    says: list[str]


class ClientStage(TypedDict):
    """What is shown once per stage: before its items (instructions), beside all of them, and after them (feedback)."""

    study: str
    stage: str
    title: str
    system: str
    question: str
    instructions: list[str]
    labels: list[ClientLabel]
    templates: list[ClientTemplate]
    items: int
    feedback: list[ClientFeedback]


class ClientSolution(TypedDict):
    """What is shown after the practice question: the answer of the system, and why it could be foreseen."""

    solution: str
    because: str


class ClientStudy(TypedDict):
    """What is shown before the first stage and after the last one."""

    study: str
    title: str
    landing: list[str]
    consent: str
    practice: ClientItem | None
    feedback: list[ClientFeedback]


_ASK = {
    Question.BID: "How often is {system} right about sentences made from this template? Place up to {points} points.",
    Question.PICK: "How often is {system} right about sentences made from this template?",
    Question.LABEL: "What does {system} answer?",
}
PRACTICE = "practice"


def shown_item(study: Study, stage_id: str, item_id: str) -> ClientItem:
    """Return everything that a participant may receive about one item of a stage.

    Raises:
        NotFoundError: there is no such stage, or it has no such item.
    """
    stage = study.stage(stage_id)
    entry = stage.by_item.get(item_id)
    if entry is None:
        raise NotFoundError(f"Stage {stage_id} of the study has no item '{item_id}'.")
    item = study.by_item[item_id]
    about_templates = stage.question in ABOUT_TEMPLATES
    return ClientItem(
        study=study.id,
        stage=stage.id,
        item=item.id,
        system=stage.system,
        question=str(stage.question),
        ask=_ASK[stage.question].format(system=stage.system, points=study.points),
        answers=list(stage.answers),
        says=[answer_words(answer, stage.question) for answer in stage.answers],
        points=study.points if stage.question is Question.BID else None,
        wording=_wording(item.wording) if about_templates and item.wording is not None else None,
        premise=item.premise,
        hypothesis=item.hypothesis,
        examples=[_example(example) for example in entry.examples],
    )


def shown_stage(study: Study, stage_id: str) -> ClientStage:
    """Return everything that a participant may receive about a stage as a whole."""
    stage = study.stage(stage_id)
    # A stage about examples may not say anything about templates, whatever its file holds.
    templates = stage.templates if stage.question in ABOUT_TEMPLATES else ()
    return ClientStage(
        study=study.id,
        stage=stage.id,
        title=stage.title,
        system=stage.system,
        question=str(stage.question),
        instructions=list(stage.instructions),
        labels=[ClientLabel(label=one.label, accuracy=one.accuracy, n=one.n) for one in stage.labels],
        templates=[
            ClientTemplate(
                premise=one.wording.premise,
                hypothesis=one.wording.hypothesis,
                label=one.label,
                accuracy=one.accuracy,
                n=one.n,
                about=one.about,
            )
            for one in templates
        ],
        items=len(stage.items),
        feedback=_feedback(stage.feedback),
    )


def shown_study(study: Study, order: Sequence[str] = ()) -> ClientStudy:
    """Return what a participant receives before the first stage and after the last one.

    Args:
        study: the study.
        order: the stages in the order of this participant, if it is known: parts are then named by their place, too.
    """
    practice = study.practice
    titles = {stage.id: stage.title for stage in study.stages}
    parts = {name: f"Part {place}: {titles[name]}" for place, name in enumerate(order, 1)} or titles
    return ClientStudy(
        study=study.id,
        title=study.title,
        landing=list(study.landing),
        consent=study.consent,
        practice=None
        if practice is None
        else ClientItem(
            study=study.id,
            stage=PRACTICE,
            item=PRACTICE,
            system="the system",
            question=str(Question.LABEL),
            ask=_ASK[Question.LABEL].format(system="the system"),
            answers=list(NAMES),
            says=[answer_words(letter, Question.LABEL) for letter in NAMES],
            points=None,
            wording=None,
            premise=practice.premise,
            hypothesis=practice.hypothesis,
            examples=[_example(example) for example in practice.examples],
        ),
        feedback=_feedback(study.feedback, parts),
    )


def shown_solution(study: Study) -> ClientSolution | None:
    """Return what a participant receives after answering the practice question, if there is one."""
    practice = study.practice
    if practice is None:
        return None
    return ClientSolution(solution=answer_words(practice.solution, Question.LABEL), because=practice.because)


def answer_words(answer: str, question: Question) -> str:
    """Say what an answer means: ``entailment`` for E, ``0-20 %`` for a bin.

    >>> answer_words("NC", Question.LABEL), answer_words("0-20", Question.PICK)
    ('neutral or contradiction', '0-20 %')
    """
    if question is Question.LABEL:
        return " or ".join(NAMES.get(letter, letter) for letter in answer)
    return f"{answer} %"


def _wording(wording: Wording) -> ClientWording:
    return ClientWording(premise=wording.premise, hypothesis=wording.hypothesis)


def _example(example: ShownExample) -> ClientExample:
    return ClientExample(
        premise=example.premise,
        hypothesis=example.hypothesis,
        premise_marks=_marks(example.premise_marks),
        hypothesis_marks=_marks(example.hypothesis_marks),
        label=example.label,
    )


def _marks(spans: Sequence[Span]) -> list[list[int]]:
    return [list(span) for span in spans]


def _feedback(questions: Sequence[FeedbackQuestion], parts: Mapping[str, str] | None = None) -> list[ClientFeedback]:
    """Return questions; where they name stages, ``parts`` says in which order and how participants know these."""
    shown: list[ClientFeedback] = []
    for one in questions:
        known = parts if parts and one.names_stages else {}
        answers = [name for name in known if name in one.answers]
        answers += [answer for answer in one.answers if answer not in known]
        says = [known.get(answer, answer) for answer in answers]
        shown.append(ClientFeedback(id=one.id, ask=one.ask, answers=answers, says=says))
    return shown
