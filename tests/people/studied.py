"""A small study with all kinds of questions, made by hand: six templates, two examples of each."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from nliprobe.people.study.answers import Feedback, Given, write_answers
from nliprobe.people.study.files import write_study
from nliprobe.people.study.key import (
    KeyAnswer,
    KeyItem,
    KeyStage,
    KeySystem,
    KeyTemplate,
    ShownPair,
    StudyKey,
    TemplateRate,
)
from nliprobe.people.study.orders import Counterbalance, stage_orders
from nliprobe.people.study.records import (
    FeedbackQuestion,
    Item,
    LabelAccuracy,
    Practice,
    Question,
    ShownExample,
    Shows,
    Stage,
    StageItem,
    Study,
    TemplateAccuracy,
    Wording,
)

BINS = ("0-20", "20-40", "40-60", "60-80", "80-100")
LABELS = ("E", "N", "C")
TEMPLATES = tuple(f"hidden-template-{letter}" for letter in "abcdef")
SECRET = "the-secret-system"
# What the system answers to the two examples of each template, what is gold, and what most neighbours show.
SAID = ("EE", "NC", "CC", "EN", "NN", "CE")
GOLD = ("EE", "NN", "CE", "EN", "CC", "CE")
NEAR = ("EE", "NC", "CC", "EE", "EE", "CE")
TRUE_BINS = ("80-100", "40-60", "40-60", "80-100", "0-20", "80-100")
EXAMPLE_ITEMS = tuple(f"q{number:02}" for number in range(1, 13))
TEMPLATE_ITEMS = tuple(f"t{number}" for number in range(1, 7))
USEFUL = FeedbackQuestion("useful", "Was it useful?", ("yes", "no"))
REMARK = FeedbackQuestion("remark", "Anything else?", ())


def example(label: str) -> ShownExample:
    return ShownExample("A dog barks.", "It is loud.", ((2, 5),), ((6, 10),), label)


def small_study() -> tuple[Study, StudyKey]:
    """Make the study and its key: a stage per kind of question, and a second one with labels."""
    template_items = tuple(
        Item(name, f"Premise of {name}.", f"Hypothesis of {name}.", Wording("{NAME} barks.", "{NAME} is loud."))
        for name in TEMPLATE_ITEMS
    )
    example_items = tuple(Item(name, f"Premise of {name}.", f"Hypothesis of {name}.", None) for name in EXAMPLE_ITEMS)
    stages = (
        Stage(
            "bids", "Bids", "System X", Question.BID, BINS, Shows.CHOSEN, ("Bid.",),
            tuple(StageItem(name, ()) for name in TEMPLATE_ITEMS),
            labels=(LabelAccuracy("E", 0.5, 40),),
            templates=(TemplateAccuracy(Wording("{A} or {B}.", "{A}."), "N", 0.25, 40, "Disjunction."),),
        ),
        Stage(
            "picks", "Picks", "System X", Question.PICK, BINS, Shows.EXAMPLES, ("Pick.",),
            tuple(StageItem(name, (example("E"), example("N"))) for name in TEMPLATE_ITEMS),
        ),
        *(
            Stage(
                name, "Labels", system, Question.LABEL, LABELS, Shows.NEIGHBOURS, ("Foresee.",),
                tuple(StageItem(item, (example("C"),)) for item in EXAMPLE_ITEMS),
                feedback=(USEFUL, REMARK),
            )
            for name, system in (("B1", "System X"), ("R2", "System Y"))
        ),
    )  # fmt: skip
    study = Study(
        "A study",
        ("Welcome.",),
        "I agree.",
        Practice("A dog barks.", "It is silent.", (example("C"),), "C", "Because it is."),
        5,
        stage_orders([stage.id for stage in stages], Counterbalance.ROTATE),
        (*template_items, *example_items),
        stages,
        (FeedbackQuestion("easier", "Which was easier?", ("B1", "R2"), names_stages=True),),
    )
    return study, _key(study)


def _key(study: Study) -> StudyKey:
    owners = {item: TEMPLATES[place] for place, item in enumerate(TEMPLATE_ITEMS)}
    owners |= {item: TEMPLATES[place % 6] for place, item in enumerate(EXAMPLE_ITEMS)}
    said, gold, near = (
        {item: texts[place % 6][place // 6] for place, item in enumerate(EXAMPLE_ITEMS)} for texts in (SAID, GOLD, NEAR)
    )
    bins = dict(zip(TEMPLATE_ITEMS, TRUE_BINS, strict=True))

    def shown(item: str) -> tuple[ShownPair, ...]:
        label = near.get(item, "E")
        return tuple(ShownPair(f"secret-pool/{place}", "other", "E", label) for place in range(3))

    return StudyKey(
        study.id,
        {"seed": "0"},
        (KeySystem("System X", SECRET, SECRET, None), KeySystem("System Y", "another-secret", "another-secret", "f")),
        tuple(
            KeyTemplate(name, "negation", name, (TemplateRate(SECRET, 5, 10, (0.2, 0.8), bin_),))
            for name, bin_ in zip(TEMPLATES, TRUE_BINS, strict=True)
        ),
        tuple(KeyItem(item, owner, f"secret/{item}", gold.get(item, "E")) for item, owner in owners.items()),
        tuple(
            KeyStage(
                stage.id,
                "another-secret" if stage.id == "R2" else SECRET,
                "secret-pool" if stage.shows in (Shows.NEIGHBOURS, Shows.EXAMPLES) else "",
                tuple(
                    KeyAnswer(
                        entry.item,
                        bins.get(entry.item) or said[entry.item],
                        shown(entry.item) if entry.examples else (),
                    )
                    for entry in stage.items
                ),
            )
            for stage in study.stages
        ),
        ("A note.",),
    )


def write_small_study(folder: Path) -> tuple[Study, StudyKey]:
    """Write the study into a folder."""
    study, key = small_study()
    write_study(folder, study, key)
    return study, key


def give(stage: str, participant: str, answers: Iterable[str], items: Iterable[str] = EXAMPLE_ITEMS) -> list[Given]:
    """Return the answers of a participant, in the order of the items; ``.`` skips a question."""
    return [
        Given(participant, stage, item, "" if answer == "." else answer)
        for item, answer in zip(items, answers, strict=False)
    ]


def answers_file(path: Path, study: Study, given: Iterable[Given], feedback: Iterable[Feedback] = ()) -> Path:
    """Write answers to a file."""
    write_answers(path, study, given, feedback)
    return path
