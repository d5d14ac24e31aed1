"""Write annotation sheets, in which people judge examples of templates, and read their judgements back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypedDict

from nliprobe.base.errors import DataError
from nliprobe.base.files import read_json, write_json
from nliprobe.base.seeds import draws
from nliprobe.people.items.of_pairs import per_group
from nliprobe.people.sheet_files import premise_cell, read_sheet, write_sheet
from nliprobe.task.labels import LabelMap
from nliprobe.task.pair import Pair

SCHEMA = "nliprobe/annotate/1"
COLUMNS = ("item", "premise", "hypothesis", "label", "remark")
KEY = "key.json"
LETTERS = "ENC"
# A template should be looked at if raters agree with gold, or with one another, less often than this.
LOW = 0.8


class Item(NamedTuple):
    """One example to judge, with what its sheet does not show."""

    item: str
    id: str
    template: str
    gold: str


class TemplateJudged(TypedDict):
    """The judgements of one template."""

    template: str
    items: int
    ratings: int
    agree_with_gold: float | None
    agree_with_each_other: float | None
    said: dict[str, int]
    gold: str
    flags: list[str]


class AnnotateDocument(TypedDict):
    """The document that ``nliprobe annotate read --format json`` writes."""

    schema: str
    raters: list[str]
    items: int
    ratings: int
    missing: int
    fleiss_kappa: float | None
    cohen_kappa: float | None
    agree_with_gold: float | None
    templates: list[TemplateJudged]


def write_sheets(pairs: Sequence[Pair], folder: Path, *, k: int, raters: int, seed: int = 0) -> list[Path]:
    """Write one sheet per rater and the key to them; labels are hidden, and every rater gets their own order."""
    chosen = per_group(pairs, k, seed=seed)
    items = [
        Item(f"q{number:04}", pair.id, pair.group, "" if pair.gold is None else str(pair.gold))
        for number, pair in enumerate(chosen, start=1)
    ]
    texts = {item.item: (premise_cell(pair.premise), pair.hypothesis) for item, pair in zip(items, chosen, strict=True)}
    write_json(folder / KEY, {"schema": "nliprobe/annotate-key/1", "items": [item._asdict() for item in items]})
    written = []
    for rater in range(1, raters + 1):
        order = list(items)
        draws(seed, "sheet", str(rater)).shuffle(order)
        path = folder / f"sheet-{rater}.csv"
        write_sheet(path, COLUMNS, [(item.item, *texts[item.item], "", "") for item in order])
        written.append(path)
    return written


def read_sheets(folder: Path, sheets: Sequence[Path] = ()) -> AnnotateDocument:
    """Read filled sheets: agreement overall, agreement by template, and templates that should be looked at."""
    items = _key(folder / KEY)
    paths = list(sheets) or sorted(folder.glob("sheet-*.csv"))
    if not paths:
        raise DataError(f"{folder} holds no sheet: expected sheet-1.csv and so on.")
    judged = {path.stem: _sheet(path, items) for path in paths}
    return judge(items, judged)


def judge(items: Mapping[str, Item], judged: Mapping[str, Mapping[str, str]]) -> AnnotateDocument:
    """Summarise judgements, which are given by rater as a letter for each item that was answered."""
    import numpy as np

    from nliprobe.stats.agreement import cohen_kappa as cohen
    from nliprobe.stats.agreement import count_labels, fleiss_kappa, majority

    order = {name: place for place, name in enumerate(items)}
    flat = [(order[item], LETTERS.index(label)) for rated in judged.values() for item, label in rated.items()]
    places = np.array([place for place, _ in flat], dtype=np.int64)
    labels = np.array([label for _, label in flat], dtype=np.int64)
    counts = count_labels(places, labels, len(items), len(LETTERS))
    gold = np.array([LETTERS.find(item.gold) if item.gold else -1 for item in items.values()], dtype=np.int64)
    most = majority(counts)
    usable = (most.labels >= 0) & (gold >= 0)
    right = int((gold[places] == labels).sum())
    return AnnotateDocument(
        schema=SCHEMA,
        raters=list(judged),
        items=len(items),
        ratings=len(flat),
        missing=len(items) * len(judged) - len(flat),
        fleiss_kappa=fleiss_kappa(counts[counts.sum(axis=1) > 1]) if (counts.sum(axis=1) > 1).any() else None,
        cohen_kappa=cohen(most.labels[usable], gold[usable]) if usable.any() else None,
        agree_with_gold=right / len(flat) if flat else None,
        templates=_templates(items, judged),
    )


def _templates(items: Mapping[str, Item], judged: Mapping[str, Mapping[str, str]]) -> list[TemplateJudged]:
    templates = []
    for template in dict.fromkeys(item.template for item in items.values()):
        members = [item for item in items.values() if item.template == template]
        rated = [[rater[item.item] for rater in judged.values() if item.item in rater] for item in members]
        votes = [label for labels in rated for label in labels]
        right = sum(label == item.gold for item, labels in zip(members, rated, strict=True) for label in labels)
        pairs = sum(len(labels) * (len(labels) - 1) for labels in rated)
        same = sum(labels.count(letter) * (labels.count(letter) - 1) for labels in rated for letter in LETTERS)
        with_gold, together = right / len(votes) if votes else None, same / pairs if pairs else None
        flags = []
        if with_gold is not None and with_gold < LOW:
            flags.append("people do not give its label")
        if together is not None and together < LOW:
            flags.append("people do not agree")
        if not votes:
            flags.append("nobody judged it")
        templates.append(
            TemplateJudged(
                template=template,
                items=len(members),
                ratings=len(votes),
                agree_with_gold=with_gold,
                agree_with_each_other=together,
                said={letter: votes.count(letter) for letter in LETTERS},
                gold="".join(sorted({item.gold for item in members}, key=LETTERS.find)),
                flags=flags,
            )
        )
    return templates


def _key(path: Path) -> dict[str, Item]:
    content = read_json(path).get("items")
    if not isinstance(content, list):
        raise DataError(f"{path} should hold the items of the sheets next to it.")
    try:
        items = [Item(**{name: str(entry[name]) for name in Item._fields}) for entry in content]
    except (TypeError, KeyError) as error:
        raise DataError(f"{path} holds an item without {error}.") from error
    return {item.item: item for item in items}


def _sheet(path: Path, items: Mapping[str, Item]) -> dict[str, str]:
    """Read the labels of a filled sheet; empty cells are items not judged."""
    names = LabelMap()
    labels: dict[str, str] = {}
    for place, item, cells in read_sheet(path, items, ("label",)):
        try:
            read = names.read(cells["label"])
        except DataError as error:
            raise DataError(f"{place}: {error}") from error
        if read is None or len(str(read)) != 1:
            raise DataError(f"{place}: '{cells['label']}' is no label; expected E, N or C, or a word for one.")
        labels[item] = str(read)
    return labels
