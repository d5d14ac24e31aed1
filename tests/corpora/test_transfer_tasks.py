"""The files of transfer tasks, in every layout, and what is said where they are missing or malformed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.corpora.files import write

from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.corpora.transfer.task import DEV, TEST, TRAIN, Metric
from nliprobe.corpora.transfer.tasks import TASKS, open_task

SICK = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
MRPC = "\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\r\n"


def sick_line(score: str = "4.5", label: str = "NEUTRAL") -> str:
    return f'1\tA "dog" runs\tA dog walks\t{score}\t{label}\n'


@pytest.mark.parametrize("folder", ["", "senteval", "SentEval/data/downstream"])
@pytest.mark.parametrize(
    ("task", "together", "first", "second"),
    [
        ("mr", "rt-polarity.all", "MR/rt-polarity.neg", "MR/rt-polarity.pos"),
        ("mr", "rt-polarity.all", "rt-polarity.neg", "rt-polarity.pos"),
        ("cr", "custrev.all", "CR/custrev.neg", "CR/custrev.pos"),
        ("mpqa", "mpqa.all", "MPQA/mpqa.neg", "MPQA/mpqa.pos"),
        ("subj", "subj.all", "SUBJ/subj.subjective", "SUBJ/subj.objective"),
        ("subj", "subj.all", "quote.tok.gt9.5000", "plot.tok.gt9.5000"),
    ],
)
def test_both_layouts_hold_the_same(
    tmp_path: Path, folder: str, task: str, together: str, first: str, second: str
) -> None:
    write(tmp_path / "one" / folder / together, "0 dull .\n0 a bore \u2013 no\n1 1 of the best\n1\n\n")
    write(tmp_path / "two" / folder / first, "dull .\na bore \u2013 no\n")
    write(tmp_path / "two" / folder / second, "1 of the best\n")
    one, two = (open_task(task, tmp_path / name) for name in ("one", "two"))
    assert one.first[:3] == two.first == ("dull .", "a bore \u2013 no", "1 of the best")
    assert one.first[3] == ""  # some published lines have a label and no text
    assert list(one.targets[:3]) == list(two.targets) == [0, 0, 1]
    assert one.classes == two.classes
    assert not one.splits
    assert not one.second
    assert one.notes[0].startswith("items: 4 here, ")


def test_files_that_are_not_utf8_keep_their_dashes(tmp_path: Path) -> None:
    write(tmp_path / "rt-polarity.all", b"0 caf\xe9 \x96 dull\n1 good\x85\n")
    assert open_task("mr", tmp_path).first == ("caf\u00e9 \u2013 dull", "good\u2026")
    # Windows leaves five bytes without a letter.
    write(tmp_path / "rt-polarity.all", b"0 caf\xe9 \x81\n1 good\n")
    assert open_task("mr", tmp_path).first == ("caf\u00e9 \x81", "good")


def test_sst_in_both_layouts(tmp_path: Path) -> None:
    for split in (TRAIN, DEV, TEST):
        write(tmp_path / "one" / f"stsa.binary.{split}", "0 dull\n1 good\n")
        write(tmp_path / "two" / "SST" / "binary" / f"sentiment-{split}", "dull\t0\ngood\t1\n")
    one, two = open_task("sst2", tmp_path / "one"), open_task("sst2", tmp_path / "two")
    assert one == two
    assert one.digest == two.digest
    assert one.places(DEV) == [2, 3]
    assert one.notes[0] == "train: 2 here, 6,920 published"


def test_trec_in_both_layouts(tmp_path: Path) -> None:
    names = ["DESC:manner", "ENTY:cremat", "ABBR:exp", "HUM:ind", "LOC:city", "NUM:date"]
    for name in ("TREC.train.all", "TREC.test.all"):
        write(tmp_path / "one" / name, "".join(f"{number} What ?\n" for number in range(6)))
    for name in ("train_5500.label", "TREC_10.label"):
        write(tmp_path / "two" / "TREC" / name, "".join(f"{label} What ?\n" for label in names))
    one, two = open_task("trec", tmp_path / "one"), open_task("trec", tmp_path / "two")
    assert one == two
    assert one.classes == tuple(name.partition(":")[0] for name in names)


def test_mrpc_in_both_layouts(tmp_path: Path) -> None:
    yes, no = '1\t1\t2\tHe said "no.\tNo, he said.\r\n', "0\t1\t2\tOne\tTwo\r\n"
    for name, lines in (("train", yes), ("val", no), ("test", yes + no)):
        write(tmp_path / "one" / "MRPC" / f"msr-para-{name}.tsv", MRPC + lines)
    for name, lines in (("train", yes + no), ("test", yes + no)):
        write(tmp_path / "two" / "MRPC" / f"msr_paraphrase_{name}.txt", MRPC + lines)
    one, two = open_task("mrpc", tmp_path / "one"), open_task("mrpc", tmp_path / "two")
    assert one == two
    assert (one.first[0], one.second[0]) == ('He said "no.', "No, he said.")
    assert one.classes == ("other", "paraphrase")
    assert one.metric is Metric.ACCURACY_F1


def test_sick_in_three_files_and_in_one(tmp_path: Path) -> None:
    lines = sick_line() + sick_line("1", "ENTAILMENT")
    for name in ("SICK_train.txt", "SICK_trial.txt", "SICK_test_annotated.txt"):
        write(tmp_path / "one" / "sick" / name, SICK + lines)
    head = SICK.replace("entailment_judgment\n", "entailment_label\tSemEval_set\n")
    whole = "".join(line + f"\t{part}\n" for part in ("TRAIN", "TRIAL", "TEST") for line in lines.splitlines())
    write(tmp_path / "two" / "SICK" / "SICK.txt", head + whole)
    for task in ("sick-e", "sick-r"):
        one, two = open_task(task, tmp_path / "one"), open_task(task, tmp_path / "two")
        assert one == two
        assert Counter(one.splits) == {TRAIN: 2, DEV: 2, TEST: 2}
    assert one.targets[:2] == (4.5, 1.0)
    assert not one.classes


@pytest.mark.parametrize(
    ("task", "file", "content", "said"),
    [
        ("mr", "rt-polarity.all", "0 dull\n2 good\n", "line 2: expected a label at the beginning .0, 1, .*'2 good'"),
        ("mr", "rt-polarity.all", "0 dull\n", "1 items in 'mr', with 1 targets; expected two"),
        ("sst2", "SST/binary/sentiment-train", "dull 0\n", "line 1: expected a text, a tab and a label"),
        ("trec", "TREC/train_5500.label", "DESK:manner How ?\n", "line 1: expected a label at the beginning"),
        ("mrpc", "MRPC/msr_paraphrase_train.txt", "1\t2\n", "line 1: expected the names of columns .* Quality"),
        ("mrpc", "MRPC/msr_paraphrase_train.txt", MRPC + "1\t1\t2\ta\n", "line 2: expected 5 columns .* there are 4"),
        ("mrpc", "MRPC/msr_paraphrase_train.txt", MRPC + "x\t1\t2\ta\tb\n", "line 2: expected .* as Quality, not 'x'"),
        ("sick-r", "SICK_train.txt", SICK + sick_line("04. May"), "line 2: .* from 1 to 5, not '04. May'.*dates"),
        ("sick-r", "SICK_train.txt", SICK + sick_line("5.5"), "line 2: expected a relatedness score"),
        ("sick-e", "SICK_train.txt", SICK + sick_line(label="B"), "line 2: expected one of CONTRADICTION, .*not 'B'"),
        ("sick-e", "SICK_train.txt", SICK, "0 items in the split 'train'"),
    ],
)  # fmt: skip
def test_malformed_files_are_named_by_line(tmp_path: Path, task: str, file: str, content: str, said: str) -> None:
    others = {
        "sst2": [f"SST/binary/sentiment-{split}" for split in (DEV, TEST)],
        "trec": ["TREC/TREC_10.label"],
        "mrpc": ["MRPC/msr_paraphrase_test.txt"],
        "sick-e": ["SICK_trial.txt", "SICK_test_annotated.txt"],
        "sick-r": ["SICK_trial.txt", "SICK_test_annotated.txt"],
    }
    path = write(tmp_path / file, content)
    for name in others.get(task, []):
        write(tmp_path / name, SICK + sick_line() if "SICK" in name else "")
    with pytest.raises(DataError, match=said) as caught:
        open_task(task, tmp_path)
    assert str(path.parent) in str(caught.value)


def test_missing_files_and_unknown_tasks(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"'mr' is not on this machine .* rt-polarity.all; or MR/.*SentEval"):
        open_task("mr", tmp_path)
    write(tmp_path / "senteval" / "stsa.binary.train", "0 dull\n")
    with pytest.raises(NotFoundError, match=r"some of its files, but not .*stsa.binary.dev, .*stsa.binary.test"):
        open_task("sst2", tmp_path)
    with pytest.raises(UsageError, match="Did you mean 'mpqa'"):
        open_task("mpaq", tmp_path)


@pytest.mark.parametrize("name", TASKS)
def test_real_copies_have_the_published_sizes(data: Path, name: str) -> None:
    try:
        task = open_task(name, data)
    except NotFoundError as error:
        pytest.skip(str(error))
    assert not task.notes
    assert all(len(part) == len(task) for part in (task.first, task.targets))
    assert not task.second or len(task.second) == len(task)
    assert not any("\ufffd" in text or "\x96" in text for text in (*task.first, *task.second))
