"""Read people's ratings of pairs: ``ratings.csv?item=pair_id&rater=worker&label=answer`` or ``infotabs/dev``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import unquote

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.records.columns import column, guess_column
from nliprobe.base.records.options import ReadOptions
from nliprobe.base.records.read import Record, RecordFile
from nliprobe.base.registry import Spec
from nliprobe.corpora._lists import is_list, list_in
from nliprobe.corpora._parts import Golds, labelled_records, parse_partition, value_of
from nliprobe.task.labels import LabelMap, LabelSet
from nliprobe.task.ratings import Rating, Ratings

# The names of these columns in the files of crowdsourcing platforms and researchers, the clearest names first.
ITEM_NAMES = ("item", "item_id", "pair_id", "pairID", "example_id", "uid", "id", "HITId")
RATER_NAMES = ("rater", "rater_id", "worker", "worker_id", "WorkerId", "annotator", "annotator_id", "user")
LABEL_NAMES = ("label", "answer", "rating", "response", "annotator_labels", "labels")
GOLD_NAMES = ("gold", "gold_label")


@dataclass(frozen=True, slots=True)
class RatingOptions(ReadOptions):
    """The parameters of a file of ratings; empty parameters are guessed or not used.

    Attributes:
        item: the column of what was rated; several columns are separated by semicolons.
        rater: the column of who rated; not needed if a cell holds a list of labels.
        label: the column of the answer, or of a list of answers.
        gold: the column of the gold label.
        labels: what the labels mean: ``entailment,neutral,contradiction`` for 0, 1, 2 or ``code:label;…``.
        partition: how finely the labels are told apart, for example ``E|NC``.
        name: the name in reports; by default, the file's name without its extension.
    """

    item: str = ""
    rater: str = ""
    label: str = ""
    gold: str = ""
    labels: str = ""
    partition: str = "E|N|C"
    name: str = ""


# InfoTabS stores its verification as one line per pair, with lists in the cells and the author's label as gold. The
# codes are not explained anywhere; on the pairs that are also in maindata, 0, 1 and 2 are always E, N and C.
INFOTABS = RatingOptions(
    item="table_id;hypothesis",
    rater="other_worker_id",
    label="other_human_labels",
    gold="first_human_label",
    labels="entailment,neutral,contradiction",
)
# "For every premise-hypothesis pair, we asked five annotators": some pairs were given to more (InfoTabS, appendix F).
INFOTABS_RATERS = 5


def open_ratings(text: str, root: Path | None = None) -> list[Ratings]:
    """Read the ratings that a spec string names.

    Args:
        text: a file with its columns, or a corpus with ratings (``infotabs/dev``; ``infotabs`` for all its splits).
        root: the folder above the corpora; by default, the folders of NLIPROBE_DATA are searched.
    """
    from nliprobe.corpora._rated import rated_files

    head, mark, tail = text.strip().partition("?")
    path = Path(unquote(head.removeprefix("file:")))
    options = Spec.parse(f"ratings{mark}{tail}").build(RatingOptions)
    rated = [] if head.startswith("file:") or path.exists() else rated_files(head, root)
    if rated and mark:
        raise UsageError(f"'{head}' is a corpus whose ratings have a known form: it takes no parameters.")
    if not rated:
        return [read_ratings(path, options)]
    return [replace(read_ratings(item.path), name=item.name, notes=(item.note,) if item.note else ()) for item in rated]


def read_ratings(path: Path, options: RatingOptions | None = None) -> Ratings:
    """Read a file of ratings with one line per rating, or one line per item with lists in its cells.

    If a person rated an item twice, the first rating counts. An unknown label, an item with two gold labels, or a
    rating without item or rater is an error that names the line.
    """
    options = options or RatingOptions()
    labels = LabelMap.parse(options.labels) if options.labels else LabelMap()
    reader: _Reader | None = None
    for file in labelled_records(path, options, labels):
        for number, record in file.records():
            reader = reader or _Reader(record, options, file.where(number))
            reader.add(record, file, number)
    assert reader is not None, "a file without records is an error before this"
    return Ratings(
        name=options.name or Path(path.name.removesuffix(".gz")).stem,
        ratings=tuple(Rating(item, rater, label, reader.items[item]) for item, rater, label in reader.ratings),
        items=reader.items,
        partition=reader.partition,
        named=bool(reader.rater),
        repeated=reader.repeated,
        unanswered=reader.unanswered,
        first=INFOTABS_RATERS if reader.infotabs else None,
    )


@dataclass(slots=True)
class _Seen:
    """Counts the lines of an item, to give each line an item name of its own."""

    times: dict[str, int] = field(default_factory=dict)

    def name(self, item: str) -> str:
        self.times[item] = times = self.times.get(item, 0) + 1
        return item if times == 1 else f"{item}#{times}"


class _Reader:
    """Collects ratings record by record; the first record decides the columns."""

    def __init__(self, record: Record, options: RatingOptions, place: str) -> None:
        chosen = options.item or options.rater or options.label
        self.infotabs = not chosen and {INFOTABS.rater, INFOTABS.label} <= record.keys()
        if self.infotabs:
            options = INFOTABS
        self.partition = parse_partition(options.partition, "partition")
        labels = LabelMap.parse(options.labels) if options.labels else LabelMap()
        self._labels = Golds(labels, self.partition)
        named = [name.strip() for name in options.item.split(";") if name.strip()]
        self._item = [column(record, [name], place) for name in named] or [column(record, ITEM_NAMES, place, "item")]
        self._label = column(record, [options.label] if options.label else LABEL_NAMES, place, "label")
        self._lists = is_list(record.get(self._label))
        if options.rater or not self._lists:
            self.rater = column(record, [options.rater] if options.rater else RATER_NAMES, place, "rater")
        else:
            self.rater = guess_column(record, RATER_NAMES) or ""
        if options.gold:
            self._gold: str | None = column(record, [options.gold], place)
        else:
            self._gold = guess_column(record, GOLD_NAMES)
        self.ratings: list[tuple[str, str, LabelSet]] = []
        self.items: dict[str, LabelSet | None] = {}
        self.repeated = self.unanswered = 0
        self._given: set[tuple[str, str]] = set()
        self._lines = _Seen()

    def add(self, record: Record, file: RecordFile, number: int) -> None:
        """Add the rating of a record, or the ratings in its lists."""
        item = "/".join(_name(record, name, "item", file, number) for name in self._item)
        if self._lists:
            item = self._lines.name(item)
        gold = self._block(value_of(record, self._gold, file, number), file, number) if self._gold else None
        known = self.items.setdefault(item, gold)
        if known is None:
            self.items[item] = gold
        elif gold is not None and gold != known:
            raise DataError(f"{file.where(number)}: the gold label of '{item:.60}' is {gold}, but was {known} before.")
        for rater, value in self._answers(record, file, number):
            label = self._block(value, file, number)
            if label is None:
                self.unanswered += 1
            elif (item, rater) in self._given:
                self.repeated += 1
            else:
                self._given.add((item, rater))
                self.ratings.append((item, rater, label))

    def _answers(self, record: Record, file: RecordFile, number: int) -> Iterator[tuple[str, object]]:
        if not self._lists:
            yield _name(record, self.rater, "rater", file, number), value_of(record, self._label, file, number)
            return
        labels = list_in(value_of(record, self._label, file, number), self._label, file.where(number))
        raters: Sequence[object] = range(1, len(labels) + 1)
        if self.rater:
            raters = list_in(value_of(record, self.rater, file, number), self.rater, file.where(number))
        if len(raters) != len(labels):
            raise DataError(f"{file.where(number)}: {len(labels)} labels are given by {len(raters)} raters.")
        yield from zip(map(str, raters), labels, strict=True)

    def _block(self, value: object, file: RecordFile, number: int) -> LabelSet | None:
        label = self._labels.read(value, file, number)
        block = label and self.partition.coarsen(label)
        if block and block not in self.partition.blocks:
            raise DataError(
                f"{file.where(number)}: {value!r} means {block}, which is no single label of {self.partition}."
            )
        return block


def _name(record: Record, name: str, what: str, file: RecordFile, number: int) -> str:
    value = value_of(record, name, file, number)
    text = "" if value is None else str(value).strip()
    if not text:
        raise DataError(f"{file.where(number)}: the {what} in column '{name}' is empty.")
    return text
