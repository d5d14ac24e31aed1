"""Items and answers of every task, drawn: what a project may hold and what a rater may say."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st

from nliprobe.people.records import Item, Json
from nliprobe.people.tasks import TASKS, Task
from nliprobe.people.tasks.premises import premise_value
from nliprobe.task.labels import LETTERS
from nliprobe.task.pair import Premise
from nliprobe.task.table import Row, Table
from nliprobe.task.units import Sentences
from nliprobe.testing.strategies import any_tables, scripts, words

Answer = dict[str, Json]
# The tasks are about the answers; premises of every kind are enough.
PREMISES: tuple[Premise, ...] = (
    "It rained. We left.",
    Table("K2", (Row("Height", ("8,611 m",)), Row("Ranges", ("Karakoram", " Asia\n"))), "Mountain"),
    Table("Cup", (Row("", ("Ann", "1")), Row("", ("Ann", ""))), "", ("who", "won")),
    Table("東京都", (Row("e\u0301tude", ("👩‍🔬", "القاهرة")),)),
)
premises = st.sampled_from(PREMISES)
sentences = st.one_of(words, scripts).filter(lambda text: any(map(str.isalnum, text)))
# Anything that JSON can write, and what only Python can hold.
wild: st.SearchStrategy[Json] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.sampled_from("\0\ud800")),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=6), inner, max_size=4)),
    max_leaves=8,
)


class Specimen(NamedTuple):
    """A task with an item of a project and an answer that a rater may give."""

    task: Task
    item: Item
    answer: Answer


Draw = st.DrawFn


def _item(**content: Json) -> Item:
    return Item("q1", content, {"gold": "hidden-gold", "pair_id": "hidden-id"}, "hidden-stratum", 1)


def _texts(draw: Draw, premise: Premise | None = None) -> dict[str, Json]:
    chosen = draw(premises) if premise is None else premise
    return {"premise": premise_value(chosen), "hypothesis": draw(sentences)}


@st.composite
def labelled(draw: Draw, name: str) -> Specimen:
    partition = draw(st.sampled_from(["E|N|C", "E|NC", "E|C"]))
    task = TASKS.get(name)({"partition": partition})
    content = _texts(draw)
    if name == "predict":
        explanations: list[Json] = [None, [{"words": ["a"], "label": "E"}], "because"]
        content["explanation"] = draw(st.sampled_from(explanations))
    answer: Answer = {"label": draw(st.sampled_from(["E", "c", "entailment", "Contradiction", "supports", "refuted"]))}
    if name == "judge" and draw(st.booleans()):
        answer["odd"] = draw(st.booleans())
    if partition == "E|NC":
        answer["label"] = draw(st.sampled_from(["E", "not entailed", "neutral", "NC", "contradiction"]))
    return Specimen(task, _item(**content), answer)


@st.composite
def marking(draw: Draw, name: str) -> Specimen:
    premise = draw(premises)
    content = _texts(draw, premise)
    size = len(premise.rows) if isinstance(premise, Table) else 1
    if isinstance(premise, str):
        passage = Sentences.of(draw(st.lists(words, min_size=1, max_size=5)))
        content |= {"premise": passage.premise, "sentences": [list(span) for span in passage.spans]}
        size = len(passage)
    units = draw(st.lists(st.integers(0, size - 1), max_size=6))
    return Specimen(TASKS.get(name)({}), _item(**content), {"units": list(units), "outside": draw(st.booleans())})


@st.composite
def writing(draw: Draw, name: str) -> Specimen:
    texts = draw(st.lists(sentences, min_size=3, max_size=3, unique_by=lambda text: " ".join(text.split()).casefold()))
    answer: Answer = dict(zip(("true", "false", "undecided"), texts, strict=True))
    return Specimen(TASKS.get(name)({}), _item(premise=premise_value(draw(premises))), answer)


@st.composite
def counterfactual(draw: Draw, name: str) -> Specimen:
    table = draw(any_tables)
    content = _texts(draw, table) | {"wanted": draw(st.sampled_from(LETTERS))}
    place = draw(st.integers(0, len(table.rows) - 1))
    row = table.rows[place]
    values = (*row.values[:-1], f"{row.values[-1]} {draw(st.sampled_from(['9', 'edited   twice', ' ändert ']))}")
    edited = premise_value(table.update(place, row._replace(values=values)))
    task = TASKS.get(name)({"edits": draw(st.sampled_from(["values", "rows"]))})
    return Specimen(task, _item(**content), {"table": edited})


@st.composite
def settling(draw: Draw, name: str) -> Specimen:
    content = _texts(draw) | {"original": draw(sentences)}
    suggested = draw(st.sampled_from(["", "E", "C", "EN"]))
    if suggested:
        content["suggested"] = suggested
    if draw(st.booleans()):
        content["before"] = premise_value(draw(premises))
    answers: list[Answer] = [{"verdict": "fix", "label": "n"}, {"label": "C"}, {"verdict": "REJECT"}]
    answers += [{"verdict": "accept"}] if len(suggested) == 1 else []
    return Specimen(TASKS.get(name)({}), _item(**content), draw(st.sampled_from(answers)))


@st.composite
def binning(draw: Draw, name: str) -> Specimen:
    content: dict[str, Json] = {"template": draw(sentences)}
    if draw(st.booleans()):
        content["examples"] = [dict(_texts(draw))]
    if draw(st.booleans()):
        content["information"] = {"E": 0.5, "N": 0.25}
    placed = draw(st.lists(st.integers(0, 4), min_size=5, max_size=5))
    answer: Answer = {"bin": placed[0] + 1} if name == "pick" else {"points": [placed.count(bin_) for bin_ in range(5)]}
    return Specimen(TASKS.get(name)({}), _item(**content), answer)


_DRAWN: dict[str, Callable[[str], st.SearchStrategy[Specimen]]] = {
    "verify": labelled,
    "judge": labelled,
    "predict": labelled,
    "evidence": marking,
    "write": writing,
    "counterfactual": counterfactual,
    "settle": settling,
    "bid": binning,
    "pick": binning,
}


def specimens(name: str) -> st.SearchStrategy[Specimen]:
    """Draw items and answers of a task; a task that is registered and not here fails its tests."""
    return _DRAWN[name](name)
