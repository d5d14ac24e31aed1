"""Prompts: files with the words around a premise and a hypothesis, and the words that stand for labels.

A placeholder such as ``{premise}`` is replaced once, in the file's own text only: braces inside premises and hypotheses
stay as they are and cannot bring anything else into the prompt.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypedDict

from nliprobe.base.errors import DataError, did_you_mean
from nliprobe.base.hashing import digest
from nliprobe.base.yaml_files import read_yaml
from nliprobe.models.chat.mode import AnswerMode
from nliprobe.task.labels import LETTERS, NAMES, LabelSet, Partition

DEFAULT = Path(__file__).with_name("default_prompt.yaml")
TEXT, NONE = "text", "none"
_KEYS = ("system", "user", "given", "labels", "answer_after", "examples")
_PLACEHOLDER = re.compile(r"\{\{([a-z_]+)\}\}|\{([a-z_]+)\}")
_PLACES = ("premise", "hypothesis", "given", "answer", *NAMES.values())
_NEEDED = ("premise", "hypothesis")


class Message(TypedDict):
    """One turn of a chat."""

    role: str
    content: str


class Shot(NamedTuple):
    """An example that the model is shown with its answer; ``form`` is how its premise is written."""

    premise: str
    hypothesis: str
    label: LabelSet
    form: str = ""


@dataclass(frozen=True)
class Prompt:
    """The words around an input.

    Attributes:
        system: the first message; none is sent if it is empty.
        user: the message for a pair.
        given: how a premise is introduced, by the form in which it is written.
        labels: the word for each label, in the order E, N, C.
        answer_after: what stands before the answer where the model is to reason first; usually nothing.
        examples: pairs with their answers, shown before the pair that is asked.
    """

    system: str
    user: str
    given: Mapping[str, str]
    labels: Mapping[LabelSet, str]
    answer_after: str = ""
    examples: tuple[Shot, ...] = ()

    @cached_property
    def partition(self) -> Partition:
        """How finely the words tell labels apart."""
        return Partition.parse("|".join(map(str, self.labels)))

    def messages(self, premise: str, hypothesis: str, form: str, mode: AnswerMode) -> list[Message]:
        """Return what is sent for a pair."""
        turns = [Message(role="user", content=self._ask(premise, hypothesis, form, mode))]
        return [*self.opening(mode), *turns]

    def opening(self, mode: AnswerMode) -> list[Message]:
        """Return what is sent before every pair: the first message and the examples."""
        turns = [Message(role="system", content=self._fill(self.system, {}, mode))] if self.system.strip() else []
        for shot in self.examples:
            turns.append(Message(role="user", content=self._ask(shot.premise, shot.hypothesis, shot.form, mode)))
            turns.append(Message(role="assistant", content=self._reply(self.labels[shot.label], mode)))
        return turns

    def length(self, premise: str, hypothesis: str) -> int:
        """Return about how many characters the message for a pair has, without writing it."""
        return len(self.user) + len(premise) + len(hypothesis)

    def digest(self) -> str:
        """Return a hash of everything that the model is told."""
        return digest(
            self.system,
            self.user,
            self.answer_after,
            json.dumps(sorted(self.given.items())),
            *(f"{label}={word}" for label, word in self.labels.items()),
            *(json.dumps([shot.premise, shot.hypothesis, str(shot.label), shot.form]) for shot in self.examples),
        )

    def _ask(self, premise: str, hypothesis: str, form: str, mode: AnswerMode) -> str:
        shown = NONE if not premise.strip() else form if form in self.given else TEXT
        return self._fill(self.user, {"premise": premise, "hypothesis": hypothesis, "given": self.given[shown]}, mode)

    def _reply(self, word: str, mode: AnswerMode) -> str:
        return f"{self.answer_after} {mode.reply(word)}".strip()

    def _fill(self, text: str, values: Mapping[str, str], mode: AnswerMode) -> str:
        words = {NAMES[str(label)]: word for label, word in self.labels.items() if str(label) in NAMES}
        known = {**words, **values, "answer": mode.instruction(list(self.labels.values()))}

        def place(match: re.Match[str]) -> str:
            return "{" + match[1] + "}" if match[1] else known.get(match[2], "")

        return _PLACEHOLDER.sub(place, text)


def read_prompt(path: Path = DEFAULT) -> Prompt:
    """Read a prompt file; how premises are introduced is as in the default file where the file does not say."""
    content = read_yaml(path)
    if not isinstance(content, dict):
        raise DataError(f"{path} is not a prompt: it should have the keys user and labels.")
    for key in content:
        if key not in _KEYS:
            raise DataError(f"{path} has the unknown key '{key}'. {did_you_mean(str(key), _KEYS)}")
    texts = {key: _text(content, key, path) for key in ("system", "user", "answer_after")}
    if not texts["user"].strip():
        raise DataError(
            f"{path} has no 'user': the message that is sent for a pair, with {{premise}} and {{hypothesis}}."
        )
    labels = _labels(content.get("labels"), path)
    _check_places(texts["system"] + texts["user"], labels, path)
    given = _mapping(content.get("given"), "given", path)
    if path != DEFAULT:
        given = {**read_prompt().given, **given}
    shots = tuple(read_shot(item, labels, f"{path}, example {n}") for n, item in enumerate(_list(content, path), 1))
    return Prompt(texts["system"], texts["user"], given, labels, texts["answer_after"].strip(), shots)


def read_shot(record: object, labels: Mapping[LabelSet, str], place: str) -> Shot:
    """Read an example with premise, hypothesis and label; the label is a word of the prompt, or E, N or C."""
    if not isinstance(record, Mapping):
        raise DataError(f"{place} should have a premise, a hypothesis and a label.")
    texts = {key: record.get(key) for key in ("premise", "hypothesis", "label")}
    form = record.get("form") or ""
    for key, value in texts.items():
        if not isinstance(value, str):
            raise DataError(f"{place} should have a text as its {key}, not {json.dumps(value, default=str)[:60]}.")
    spelt = str(texts["label"]).strip().casefold()
    spellings = {str(item).casefold(): item for item in labels}
    spellings |= {word.casefold(): label for label, word in labels.items()}
    if spelt not in spellings:
        raise DataError(f"{place} has the label '{texts['label']}', but the prompt has {', '.join(labels.values())}.")
    return Shot(str(texts["premise"]), str(texts["hypothesis"]), spellings[spelt], str(form))


def _text(content: Mapping[object, object], key: str, path: Path) -> str:
    value = content.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise DataError(f"{path} should have a text under '{key}', not {json.dumps(value, default=str)[:60]}.")
    return value


def _mapping(value: object, key: str, path: Path) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(item, str) for pair in value.items() for item in pair):
        raise DataError(f"{path} should have names with texts under '{key}'.")
    return value


def _list(content: Mapping[object, object], path: Path) -> Sequence[object]:
    examples = content.get("examples")
    if examples is None:
        return ()
    if not isinstance(examples, list):
        raise DataError(f"{path} should have a list under 'examples'.")
    return examples


def _labels(value: object, path: Path) -> dict[LabelSet, str]:
    words = _mapping(value, "labels", path)
    expected = "the word for each label, as in E: entailment, N: neutral, C: contradiction (or E: yes, NC: no)"
    try:
        partition = Partition.parse("|".join(words))
    except ValueError:
        raise DataError(f"{path} should have under 'labels' {expected}.") from None
    if len(partition.blocks) < 2:
        raise DataError(f"{path} should have at least two labels: {expected}.")
    labels = {block: words[_key(words, block)].strip() for block in partition.blocks}
    plain = [word.casefold() for word in labels.values()]
    if not all(plain) or len(set(plain)) < len(plain):
        raise DataError(f"{path} should have a different word for each label, not {', '.join(labels.values())}.")
    return labels


def _key(words: Mapping[str, str], block: LabelSet) -> str:
    return next(key for key in words if LabelSet.of(key) == block)


def _check_places(text: str, labels: Mapping[LabelSet, str], path: Path) -> None:
    used = [match[2] for match in _PLACEHOLDER.finditer(text) if match[2]]
    words = {NAMES[letter] for letter in LETTERS if LabelSet.of(letter) in labels}
    known = [name for name in _PLACES if name not in NAMES.values() or name in words]
    for name in used:
        if name not in known:
            raise DataError(
                f"{path} has the unknown placeholder {{{name}}}. {did_you_mean(name, known)} "
                f"Write {{{{{name}}}}} if it is meant as it stands."
            )
    for name in _NEEDED:
        if name not in used:
            raise DataError(f"{path} never shows the {name}: put {{{name}}} where it belongs.")
