"""The nine transfer tasks: what they are, how many items were published, and the files they come in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import DataError, NotFoundError, UsageError, did_you_mean, option
from nliprobe.base.files import data_roots
from nliprobe.corpora.transfer._lines import Item, label_first, label_last, one_class
from nliprobe.corpora.transfer._pairs import entailments, paraphrases, relatedness
from nliprobe.corpora.transfer.task import DEV, TEST, TRAIN, Metric, TransferTask

_SENTEVAL = "https://github.com/facebookresearch/SentEval"
# Where a data folder may have them: itself, SentEval's own download, or a folder with the name of the collection.
_FOLDERS = ("", "senteval", "SentEval", "SentEval/data/downstream", "senteval/data/downstream", "data/downstream",
            "senteval/downstream", "downstream", "sick")  # fmt: skip

Read = Callable[[Path, str, Mapping[str, int]], Iterator[Item]]


class _Layout(NamedTuple):
    """One way in which the files of a task lie: each with its split (or class), and how they are read."""

    read: Read
    files: tuple[tuple[str, str], ...]


class _Kind(NamedTuple):
    """What is known of a task before its files are read."""

    title: str
    metric: Metric
    sizes: Mapping[str, int]
    codes: Mapping[str, int]
    layouts: tuple[_Layout, ...]
    home: str = _SENTEVAL


def _halves(folder: str, stem: str, ends: tuple[str, str], classes: tuple[str, str]) -> tuple[_Layout, ...]:
    """Return the layouts of a task with one file per class, in a folder of its own or not."""
    named = [(kind, f"{stem}{end}") for kind, end in zip(classes, ends, strict=True)]
    return tuple(
        _Layout(one_class, tuple((kind, f"{place}{name}") for kind, name in named)) for place in (f"{folder}/", "")
    )


_POLARITY = ("negative", "positive")
_SIGNS = {"0": 0, "1": 1}


def _polarity(title: str, size: int, together: str, folder: str, stem: str) -> _Kind:
    layouts = (
        _Layout(label_first, (("", together),)),
        *_halves(folder, stem, (".neg", ".pos"), _POLARITY),
    )
    return _Kind(title, Metric.ACCURACY, {"": size}, {**_SIGNS, "negative": 0, "positive": 1}, layouts)


def _sick(title: str, metric: Metric, read: Read, codes: Mapping[str, int]) -> _Kind:
    parts = ((TRAIN, "SICK_train.txt"), (DEV, "SICK_trial.txt"), (TEST, "SICK_test_annotated.txt"))
    layouts = [
        layout
        for place in ("", "SICK/")
        for layout in (
            _Layout(read, tuple((split, f"{place}{name}") for split, name in parts)),
            _Layout(read, (("", f"{place}SICK.txt"),)),
        )
    ]
    sizes = {TRAIN: 4_500, DEV: 500, TEST: 4_927}
    return _Kind(title, metric, sizes, codes, tuple(layouts), "https://zenodo.org/records/2787612")


_KINDS: dict[str, _Kind] = {
    "mr": _polarity("sentiment of film reviews", 10_662, "rt-polarity.all", "MR", "rt-polarity"),
    "cr": _polarity("sentiment of product reviews", 3_775, "custrev.all", "CR", "custrev"),
    "mpqa": _polarity("opinion polarity of phrases", 10_606, "mpqa.all", "MPQA", "mpqa"),
    "subj": _Kind(
        "subjective or objective",
        Metric.ACCURACY,
        {"": 10_000},
        {**_SIGNS, "subjective": 0, "objective": 1},
        (
            _Layout(label_first, (("", "subj.all"),)),
            *_halves("SUBJ", "subj", (".subjective", ".objective"), ("subjective", "objective")),
            _Layout(one_class, (("subjective", "quote.tok.gt9.5000"), ("objective", "plot.tok.gt9.5000"))),
        ),
    ),
    "sst2": _Kind(
        "sentiment of film reviews, Stanford treebank",
        Metric.ACCURACY,
        {TRAIN: 6_920, DEV: 872, TEST: 1_821},
        {**_SIGNS, "negative": 0, "positive": 1},
        (
            _Layout(label_first, tuple((split, f"stsa.binary.{split}") for split in (TRAIN, DEV, TEST))),
            _Layout(label_last, tuple((split, f"SST/binary/sentiment-{split}") for split in (TRAIN, DEV, TEST))),
        ),
    ),
    "trec": _Kind(
        "type of question, six classes",
        Metric.ACCURACY,
        {TRAIN: 5_452, TEST: 500},
        # The files with numbers count the classes in the order of their first question.
        {
            **{str(number): number for number in range(6)},
            **{name: number for number, name in enumerate(("DESC", "ENTY", "ABBR", "HUM", "LOC", "NUM"))},
        },
        (
            _Layout(label_first, ((TRAIN, "TREC.train.all"), (TEST, "TREC.test.all"))),
            _Layout(label_first, ((TRAIN, "TREC/train_5500.label"), (TEST, "TREC/TREC_10.label"))),
            _Layout(label_first, ((TRAIN, "train_5500.label"), (TEST, "TREC_10.label"))),
        ),
    ),
    "mrpc": _Kind(
        "paraphrase or not",
        Metric.ACCURACY_F1,
        {TRAIN: 4_076, TEST: 1_725},
        {**_SIGNS, "other": 0, "paraphrase": 1},
        (
            # Some copies divide the 4,076 training pairs further; they are joined again, as all results use them.
            _Layout(
                paraphrases,
                (
                    (TRAIN, "MRPC/msr-para-train.tsv"),
                    (TRAIN, "MRPC/msr-para-val.tsv"),
                    (TEST, "MRPC/msr-para-test.tsv"),
                ),
            ),
            *(
                _Layout(
                    paraphrases,
                    ((TRAIN, f"{place}msr_paraphrase_train.txt"), (TEST, f"{place}msr_paraphrase_test.txt")),
                )
                for place in ("MRPC/", "")
            ),
        ),
    ),
    "sick-e": _sick(
        "entailment, three classes",
        Metric.ACCURACY,
        entailments,
        {"CONTRADICTION": 0, "NEUTRAL": 1, "ENTAILMENT": 2},
    ),
    "sick-r": _sick("how related two sentences are, from 1 to 5", Metric.PEARSON, relatedness, {}),
}
TASKS = tuple(_KINDS)


def check_task(name: str) -> None:
    """Raise an error unless a task has this name."""
    if name not in _KINDS:
        raise UsageError(f"There is no transfer task '{name}'. {did_you_mean(name, TASKS)}")


def open_task(name: str, root: Path | None = None) -> TransferTask:
    """Read a transfer task.

    Args:
        name: one of :data:`TASKS`.
        root: the folder above its files; without one those of NLIPROBE_DATA are searched.

    Raises:
        NotFoundError: its files are nowhere; the message says where it looked and where to get them.
        DataError: a file does not hold what it should; the message names the line.
    """
    check_task(name)
    kind = _KINDS[name]
    layout, folder = _located(name, kind, data_roots(root))
    items = [item for part, file in layout.files for item in layout.read(folder / file, part, kind.codes)]
    return _task(name, kind, items, folder)


def _located(name: str, kind: _Kind, roots: list[Path]) -> tuple[_Layout, Path]:
    partly: list[str] = []
    for root in roots:
        for place in _FOLDERS:
            folder = root / place
            for layout in kind.layouts:
                missing = [file for _, file in layout.files if not (folder / file).is_file()]
                if not missing:
                    return layout, folder
                if len(missing) < len(layout.files):
                    partly += [str(folder / file) for file in missing]
    wanted = "; or ".join(" and ".join(file for _, file in layout.files) for layout in kind.layouts)
    looked = ", ".join(map(str, roots)) or "nowhere: NLIPROBE_DATA is not set"
    incomplete = f" There are some of its files, but not {', '.join(dict.fromkeys(partly))}." if partly else ""
    raise NotFoundError(
        f"The transfer task '{name}' is not on this machine (looked in {looked}, and in folders such as 'senteval' "
        f"there).{incomplete} It is read from {wanted}. Get it from {kind.home}, and name the folder above it with "
        f"{option('from', 'DIR', python='root')} or NLIPROBE_DATA."
    )


def _task(name: str, kind: _Kind, items: list[Item], folder: Path) -> TransferTask:
    places = range(len(set(kind.codes.values())))
    classes = tuple([word for word, number in kind.codes.items() if number == place][-1] for place in places)
    counts = {split: sum(item.split == split for item in items) for split in kind.sizes}
    for split, count in counts.items():
        seen = {item.target for item in items if item.split == split}
        if not count or (split in (TRAIN, "") and len(seen) < 2):
            what = f"the split '{split}' of '{name}'" if split else f"'{name}'"
            raise DataError(
                f"{folder} holds {count:,} items in {what}, with {len(seen)} targets; expected two or more."
            )
    notes = [
        f"{split or 'items'}: {counts[split]:,} here, {size:,} published"
        for split, size in kind.sizes.items()
        if counts[split] != size
    ]
    pairs = any(item.second for item in items)
    return TransferTask(
        name,
        kind.title,
        tuple(item.first for item in items),
        tuple(item.second for item in items) if pairs else (),
        tuple(item.target for item in items),
        classes,
        tuple(item.split for item in items) if TEST in kind.sizes else (),
        kind.metric,
        tuple(notes),
    )
