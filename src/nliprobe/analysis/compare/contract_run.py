"""The run that a contract is about: a folder that is there, or what to ask whom, so that a test can make it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nliprobe.base.errors import DataError, did_you_mean

# What a contract may say of a run, as in the file of options of ``nliprobe run``.
LISTS = ("system", "on", "probes", "train")
TEXTS = ("represent", "premise", "train_premise", "labels", "out")
KEYS = (*LISTS, *TEXTS, "seed", "doctor")


@dataclass(frozen=True)
class RunSource:
    """A run folder, or what to run; paths start at the folder of the contract.

    Attributes:
        folder: a run that is there; empty if it is to be made.
        system: whom to ask.
        on: what to ask about.
        probes: what is done to the pairs.
        train: what trainable models learn from.
        texts: the other options that are texts, by name.
        seed: of all random draws.
        doctor: whether the order of the labels is checked.
    """

    folder: str = ""
    system: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    probes: tuple[str, ...] = ("gold",)
    train: tuple[str, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()
    seed: int = 0
    doctor: bool = True

    @property
    def content(self) -> object:
        """What a contract says of it."""
        if self.folder:
            return self.folder
        options: dict[str, object] = {key: list(getattr(self, key)) for key in LISTS if getattr(self, key)}
        options |= dict(self.texts)
        options |= {"seed": self.seed} if self.seed else {}
        return options if self.doctor else {**options, "doctor": False}


def read_source(content: object, place: str) -> RunSource:
    """Read what a contract says of its run; ``place`` is for messages."""
    if isinstance(content, str) and content:
        return RunSource(content)
    if not isinstance(content, Mapping):
        raise DataError(f"{place} should be a run folder or a mapping with the keys {', '.join(KEYS)}.")
    only(content, KEYS, place)
    lists = {key: _list(content, key, place) for key in LISTS if key in content}
    for key in ("system", "on"):
        if key not in lists:
            raise DataError(f"{place}: the key '{key}' is missing. A run that is there already is named by its folder.")
    seed = content.get("seed", 0)
    if type(seed) is not int:
        raise DataError(f"{place}: 'seed' should be a whole number, not {shown(seed)}.")
    doctor = content.get("doctor", True)
    if type(doctor) is not bool:
        raise DataError(f"{place}: 'doctor' should be true or false, not {shown(doctor)}.")
    texts = tuple((key, text_of(content, key, place)) for key in TEXTS if key in content)
    return RunSource("", texts=texts, seed=seed, doctor=doctor, **lists)


def only(content: Mapping[object, object], known: Sequence[str], place: str) -> None:
    """Raise an error for a key that is not among the known ones."""
    for key in content:
        if key not in known:
            raise DataError(f"{place} has an unknown key '{key}'. {did_you_mean(str(key), known)}")


def text_of(item: Mapping[object, object], key: str, place: str) -> str:
    """Return the text under a key, which must be there."""
    value = item.get(key)
    if not isinstance(value, str) or not value:
        if key not in item:
            raise DataError(f"{place}: the key '{key}' is missing.")
        raise DataError(f"{place}: the key '{key}' should be a text, not {shown(value)}.")
    return value


def one_of(item: Mapping[object, object], key: str, choices: Sequence[str], default: str, place: str) -> str:
    """Return the word under a key, which must be one of some."""
    word = item.get(key, default)
    if not isinstance(word, str) or word not in choices:
        raise DataError(f"{place}: the key '{key}' should be {' or '.join(choices)}, not {shown(word)}.")
    return word


def shown(value: object) -> str:
    """Return a value for a message, shortened."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _list(content: Mapping[object, object], key: str, place: str) -> tuple[str, ...]:
    given = content[key]
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) and text for text in texts):
        raise DataError(f"{place}: '{key}' should be a text or a list of texts, not {shown(given)}.")
    return tuple(texts)
