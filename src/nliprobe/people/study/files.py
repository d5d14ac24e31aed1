"""The two files of a study: ``study.json``, which a front end may read, and ``key.json``, which it must not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Final

from nliprobe.base.errors import DataError, NotFoundError, option
from nliprobe.base.fields import Fields
from nliprobe.base.files import read_json, write_json
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
from nliprobe.people.study.records import Study
from nliprobe.people.study.study_json import read_study_fields

SCHEMA: Final = "nliprobe/study/1"
KEY_SCHEMA: Final = "nliprobe/study-key/1"
STUDY, KEY = "study.json", "key.json"


def write_study(folder: Path, study: Study, key: StudyKey) -> tuple[Path, Path]:
    """Write both files of a study into a folder; the key comes first, so that a study is never without it."""
    write_json(folder / KEY, {"schema": KEY_SCHEMA, **_object(key)})
    write_json(folder / STUDY, study_json(study))
    return folder / STUDY, folder / KEY


def study_json(study: Study) -> dict[str, object]:
    """Return a study as its file holds it."""
    return {"schema": SCHEMA, "study": study.id, **_object(study)}


def read_study(path: Path) -> Study:
    """Read a study from its file, or from the folder that holds it; what is wrong is a sentence with the key."""
    read = _fields(path / STUDY if path.is_dir() else path, SCHEMA)
    study = read_study_fields(read)
    named = read.text_or_none("study")
    if named is not None and named != study.id:
        raise DataError(
            f"The questions of {read.place}, or what is shown beside them, were changed after it was written, so that "
            "answers and key no longer belong to it. Take the change back: titles, instructions, landing page and "
            "consent may be reworded, but items, examples and stages may not."
        )
    return study


def read_key(path: Path, study: Study) -> StudyKey:
    """Read the key beside a study, and check that it is the key to it."""
    beside = path / KEY if path.is_dir() else path.with_name(KEY)
    if not beside.is_file():
        raise NotFoundError(
            f"There is no {beside}, which says what is right. It is written beside the study by nliprobe study new "
            f"{option('out', 'DIR')}; put it back."
        )
    key = _key(_fields(beside, KEY_SCHEMA))
    if key.study != study.id:
        raise DataError(f"{beside} is the key to another study ({key.study}, not {study.id}). Put the right one there.")
    for stage in study.stages:
        known = key.truths.get(stage.id, {})
        missing = [entry.item for entry in stage.items if entry.item not in known]
        if missing:
            raise DataError(f"{beside} does not say what is right about '{missing[0]}' of stage {stage.id}.")
        odd = [item for item, answer in known.items() if answer.truth not in stage.answers]
        if odd:
            raise DataError(
                f"{beside} has '{known[odd[0]].truth}' as what is right about '{odd[0]}' of stage {stage.id}, which is "
                f"none of its answers: {', '.join(stage.answers)}."
            )
    unknown = [entry.item for stage in study.stages for entry in stage.items if entry.item not in key.by_item]
    if unknown:
        raise DataError(f"{beside} does not say which template '{unknown[0]}' comes from.")
    return key


def _fields(path: Path, schema: str) -> Fields:
    if not path.is_file():
        raise NotFoundError(f"There is no study {path}. Make one with nliprobe study new {option('out', 'DIR')}.")
    read = Fields(str(path), read_json(path), error=DataError)
    if read.values.get("schema") != schema:
        raise DataError(
            f"{path} is '{read.values.get('schema')}', and this version reads '{schema}'. If a later version of "
            "nliprobe wrote it, read it with that one."
        )
    return read


def _key(read: Fields) -> StudyKey:
    made = read.inner("made")
    return StudyKey(
        study=read.text("study"),
        made={name: made.text(name) for name in made.values},
        systems=tuple(
            KeySystem(one.text("shown"), one.text("name"), one.text("spec"), one.text_or_none("fingerprint"))
            for one in read.each("systems")
        ),
        templates=tuple(
            KeyTemplate(
                one.text("template"), one.text("capability"), one.text("family"), tuple(map(_rate, one.each("rates")))
            )
            for one in read.each("templates")
        ),
        items=tuple(
            KeyItem(one.text("item"), one.text("template"), one.text("pair_id"), one.text("gold"))
            for one in read.each("items")
        ),
        stages=tuple(
            KeyStage(one.text("stage"), one.text("system"), one.text("pool"), tuple(map(_answer, one.each("answers"))))
            for one in read.each("stages")
        ),
        notes=read.texts("notes"),
    )


def _rate(read: Fields) -> TemplateRate:
    ends = read.values.get("ci95")
    known = ends if isinstance(ends, list) and len(ends) == 2 else None
    return TemplateRate(
        read.text("system"),
        read.count("correct"),
        read.count("n"),
        None if known is None else (float(known[0]), float(known[1])),
        read.text("bin"),
    )


def _answer(read: Fields) -> KeyAnswer:
    shown = tuple(
        ShownPair(one.text("pair_id"), one.text("template"), one.text("gold"), one.text("label"))
        for one in read.each("shown")
    )
    return KeyAnswer(read.text("item"), read.text("truth"), shown)


def _object(value: object) -> dict[str, object]:
    plain = _plain(value)
    assert isinstance(plain, dict)
    return plain


def _plain(value: object) -> object:
    """Return records as JSON holds them: objects with the names of their fields."""
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        names: tuple[str, ...] | None = getattr(value, "_fields", None)
        if names is not None:
            return {name: _plain(part) for name, part in zip(names, value, strict=True)}
        return [_plain(part) for part in value]
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    return str(value) if isinstance(value, str) else value
