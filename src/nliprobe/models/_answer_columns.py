"""Choose the columns of a file of answers: by what the user names, else by what their names say; never by a guess.

The rule, as the manual has it: a name that says *predicted* wins over ``label``, a name that says *gold* is never the
answer, and where columns of several systems, or two columns of one, could be the answer, the user is asked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from nliprobe.base.errors import DataError, did_you_mean
from nliprobe.base.records.read import Record
from nliprobe.models._answer_names import Role, Says, id_columns, label_named, role_of, text_columns
from nliprobe.models.answers import Scores, looks_like_probabilities
from nliprobe.task.labels import LabelMap

# Tells the user how to name something, as in ``answer=predicted``.
Spelling = Callable[[str, str], str]
# Records that are looked at before the columns are chosen, and values of a column that are looked at.
LOOKED_AT = 50
_CODE = re.compile(r"-?\d(\.0)?")


class Named(NamedTuple):
    """The columns that the user names; empty where the names of the columns decide."""

    answer: str = ""
    scores: str = ""
    id: str = ""


class ScoreColumns(NamedTuple):
    """Scores: one column of lists, or one column per label with the label or its number."""

    kind: Scores
    columns: tuple[tuple[str, str], ...]

    @property
    def in_one(self) -> bool:
        """Whether one column holds all scores."""
        return len(self.columns) == 1


@dataclass(frozen=True)
class AnswerColumns:
    """The columns of a file of answers.

    Attributes:
        label: the column of the answer, if there is one.
        scores: the columns of scores, if there are some.
        ids: the columns of ids, the clearest first.
        texts: the columns of premise and hypothesis.
        named: whether the user named the answer.
        others: further columns that hold labels, for messages.
    """

    label: str | None
    scores: ScoreColumns | None
    ids: tuple[str, ...]
    texts: tuple[str, str] | None
    named: bool = False
    others: tuple[str, ...] = field(default=(), compare=False)


class Seen:
    """The columns that were seen so far: some values of each, and which stand together in a record."""

    def __init__(self) -> None:
        self.values: dict[str, list[object]] = {}
        self.headers: set[tuple[str, ...]] = set()
        self._empty: set[str] = set()

    def add(self, record: Record) -> None:
        """Look at a record."""
        self.headers.add(tuple(record))
        for name, value in record.items():
            values = self.values.setdefault(name, [])
            if value is None or (isinstance(value, str) and not value.strip()):
                if not values:
                    self._empty.add(name)
            elif len(values) < LOOKED_AT:
                values.append(value)
                self._empty.discard(name)

    def is_new(self, record: Record) -> bool:
        """Tell whether a record may change the choice: it has another set of columns, or the first value of one."""
        return tuple(record) not in self.headers or any(record.get(name) not in (None, "") for name in self._empty)

    def together(self, one: str, others: Sequence[str]) -> bool:
        """Tell whether a column stands beside one of some others in a record."""
        return any(one in header and any(other in header for other in others) for header in self.headers)


def choose_columns(seen: Seen, named: Named, labels: LabelMap, spell: Spelling) -> AnswerColumns:
    """Return the columns of the answers; raise an error with half a sentence if the user must name them."""
    names = list(seen.values)
    for wanted, what in ((named.answer, "answer"), (named.id, "id")):
        _require(wanted, what, names, spell)
    ids = (named.id,) if named.id else id_columns(names)
    label, scores = _named(seen, named, spell) if named.answer or named.scores else _guessed(seen, labels, spell)
    others = tuple(name for name in _label_columns(seen, labels) if name != label and name not in ids)
    return AnswerColumns(label, scores, ids, text_columns(names), bool(named.answer or named.scores), others)


def _require(wanted: str, what: str, names: Sequence[str], spell: Spelling) -> None:
    if wanted and wanted not in names:
        raise DataError(f"there is no column '{wanted}' ({spell(what, wanted)}). {did_you_mean(wanted, names)}")


def _named(seen: Seen, named: Named, spell: Spelling) -> tuple[str | None, ScoreColumns | None]:
    label: str | None = named.answer or None
    scores: ScoreColumns | None = None
    if label is not None and not named.scores and _are_lists(seen.values[label]):
        return None, ScoreColumns(_kind(seen, [label], Scores.EITHER), ((label, ""),))
    if named.scores:
        columns = [name.strip() for name in re.split("[,;]", named.scores) if name.strip()]
        for name in columns:
            _require(name, "scores", list(seen.values), spell)
        roles = [role_of(name) for name in columns]
        stated = next((role.kind for role in roles if role is not None), Scores.EITHER)
        ofs = [role.of if role is not None and role.says is Says.SCORE_OF else name for role, name in
               zip(roles, columns, strict=True)]  # fmt: skip
        if len(columns) == 1 or not all(map(label_named, ofs)):
            ofs = [str(number) for number in range(len(columns))]
        scores = ScoreColumns(_kind(seen, columns, stated), tuple(zip(columns, ofs, strict=True)))
    return label, scores


@dataclass
class _System:
    """The columns that belong to one system by their names."""

    answers: list[str] = field(default_factory=list)
    lists: dict[Scores, list[str]] = field(default_factory=dict)
    parts: dict[Scores, list[tuple[str, str]]] = field(default_factory=dict)

    def columns(self) -> list[str]:
        lists = [name for names in self.lists.values() for name in names]
        return [*self.answers, *lists, *(name for pairs in self.parts.values() for name, _ in pairs)]


def _guessed(seen: Seen, labels: LabelMap, spell: Spelling) -> tuple[str | None, ScoreColumns | None]:
    systems, plain = _systems(seen, labels)
    if len(systems) > 1:
        what = "answer" if systems[0].answers else "scores"
        raise DataError(_ask([_shown(system) for system in systems], spell, what))
    if not systems and len(plain) > 1:
        raise DataError(_ask(plain, spell))
    system = systems[0] if systems else _System()
    if len(system.answers) > 1:
        raise DataError(_ask(system.answers, spell))
    scores = _scores(seen, system, spell)
    answer = system.answers[0] if system.answers else None
    # "label" beside an answer is the gold label; in records without another answer it is the answer.
    if answer is None and len(plain) == 1 and not seen.together(plain[0], system.columns()):
        answer = plain[0]
    if answer is None and scores is None:
        raise DataError(_no_answer(seen, labels, spell))
    return answer, scores


def _systems(seen: Seen, labels: LabelMap) -> tuple[list[_System], list[str]]:
    """Return the columns of answers by the system that their names leave, and the columns that are just "label"."""
    systems: dict[tuple[str, ...], _System] = {}
    plain: list[str] = []
    for name, role in _roles(seen, labels):
        if role.says is Says.LABEL:
            plain.append(name)
            continue
        system = systems.setdefault(role.system, _System())
        if role.says is Says.ANSWER:
            system.answers.append(name)
        elif role.says is Says.SCORES:
            system.lists.setdefault(role.kind, []).append(name)
        else:
            system.parts.setdefault(role.kind, []).append((name, role.of))
    return list(systems.values()), plain


def _roles(seen: Seen, labels: LabelMap) -> Iterator[tuple[str, Role]]:
    bare = [name for name, values in seen.values.items() if label_named(name) and _are_numbers(values)]
    for name, values in seen.values.items():
        role = role_of(name)
        if role is None:
            if name in bare and len(bare) > 1:  # columns entailment, neutral, contradiction
                yield name, Role(Says.SCORE_OF, (), Scores.EITHER, name)
            continue
        if role.says is Says.SCORES and not role.plural and not _are_lists(values):
            continue  # a single number, such as the confidence of a pipeline
        if role.says is Says.ANSWER and _are_lists(values):
            role = role._replace(says=Says.SCORES)
        elif role.says is Says.ANSWER and role.system and not _holds_labels(seen, name, labels):
            continue  # "prediction_source": about a prediction, but none
        yield name, role


def _scores(seen: Seen, system: _System, spell: Spelling) -> ScoreColumns | None:
    """Return the scores of a system; probabilities go before logits, and both before scores of no stated kind."""
    for kind in (Scores.PROBABILITIES, Scores.LOGITS, Scores.EITHER):
        lists, parts = system.lists.get(kind, []), system.parts.get(kind, [])
        if len(lists) > 1 or (lists and parts):
            raise DataError(_ask([*lists, *(name for name, _ in parts)], spell, "scores"))
        if lists:
            return ScoreColumns(_kind(seen, lists, kind), ((lists[0], ""),))
        if parts:
            return ScoreColumns(_kind(seen, [name for name, _ in parts], kind), _ordered(parts, kind))
    return None


def _ordered(parts: list[tuple[str, str]], kind: Scores) -> tuple[tuple[str, str], ...]:
    names = ", ".join(name for name, _ in parts)
    if len(parts) < 2:
        raise DataError(f"there is only one column of {kind.value}, {names}: expected one for each label")
    if any(of.isdigit() for _, of in parts):
        parts = sorted(parts, key=lambda part: int(part[1]) if part[1].isdigit() else -1)
        if [of for _, of in parts] != [str(index) for index in range(len(parts))]:
            raise DataError(f"the columns of {kind.value} should be numbered 0, 1, 2, but are {names}")
    return tuple(parts)


def _kind(seen: Seen, columns: Sequence[str], stated: Scores) -> Scores:
    """Return the stated kind; where a name only says "scores", it is that of all values that were looked at."""
    if stated is not Scores.EITHER:
        return stated
    if len(columns) == 1:
        rows: list[object] = [spelt(value) for value in seen.values[columns[0]]]
    else:
        rows = [list(row) for row in zip(*(map(number, seen.values[name]) for name in columns), strict=False)]
    return Scores.PROBABILITIES if rows and all(map(looks_like_probabilities, rows)) else Scores.LOGITS


def _label_columns(seen: Seen, labels: LabelMap) -> list[str]:
    """Return the columns that hold labels: those with words, or where there are none, those with codes."""
    held = [name for name in seen.values if _holds_labels(seen, name, labels)]
    words = [name for name in held if not all(_CODE.fullmatch(str(value).strip()) for value in seen.values[name])]
    return words or held


def _holds_labels(seen: Seen, name: str, labels: LabelMap) -> bool:
    values = seen.values[name]
    return bool(values) and all(_is_label(value, labels) for value in values)


def _is_label(value: object, labels: LabelMap) -> bool:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return False
    if _CODE.fullmatch(str(value).strip()):
        return True
    try:
        labels.read(value)
    except DataError:
        return False
    return True


def _are_lists(values: Sequence[object]) -> bool:
    """Tell whether a column holds lists of numbers, or numbers by label, also if they are written as text."""
    rows = [spelt(value) if isinstance(value, str) and value.strip()[:1] in ("[", "{", "(") else value
            for value in values]  # fmt: skip
    return bool(rows) and all(isinstance(row, list | tuple | Mapping) for row in rows)


def _are_numbers(values: Sequence[object]) -> bool:
    return bool(values) and all(
        isinstance(number(value), int | float) and not isinstance(value, bool) for value in values
    )


def spelt(cell: object) -> object:
    """Return scores that are written in one cell as a list or mapping; anything else as it is."""
    if not isinstance(cell, str):
        return cell
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return [number(piece) for piece in re.split(r"[\s,;]+", cell.strip().strip("[]()").strip())]


def number(cell: object) -> object:
    """Return a cell as a number if it is one; anything else is refused later, with its place."""
    try:
        return float(cell) if isinstance(cell, str) else cell
    except ValueError:
        return cell


def _shown(system: _System) -> str:
    """Return the column by which a system is named: its answer, else all columns of its scores."""
    return system.answers[0] if system.answers else ",".join(system.columns())


def _ask(columns: Sequence[str], spell: Spelling, what: str = "answer") -> str:
    names = ", ".join(f"'{name}'" for name in columns)
    held = "the answer" if what == "answer" else "the scores"
    return f"several columns could be {held}: {names}. Say which one it is, as in {spell(what, columns[0])}"


def _no_answer(seen: Seen, labels: LabelMap, spell: Spelling) -> str:
    ids = id_columns(list(seen.values))
    held = [name for name in _label_columns(seen, labels) if name not in ids]
    named = ", ".join(f"'{name}'" for name in seen.values) or "none"
    example = held[0] if held else "COLUMN"
    hint = f"{', '.join(held)} {'holds' if len(held) == 1 else 'hold'} labels: " if held else ""
    return (
        f"there is no answer: no column is called prediction, label, logits, probabilities or the like (the columns "
        f"are {named}); {hint}name the answer with {spell('answer', example)}"
    )
