"""Files of ratings: columns, lists in cells, and everything that can be wrong with them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.corpora.files import write, write_rows

from nliprobe.base.errors import DataError, NliprobeError, NotFoundError, UsageError
from nliprobe.corpora.infotabs import InfoTabs
from nliprobe.corpora.ratings import open_ratings
from nliprobe.task.labels import C, E, LabelSet, N
from nliprobe.task.ratings import Rating, Ratings

LONG = [
    {"pair_id": "1", "worker": "ann", "answer": "entailment", "truth": "E"},
    {"pair_id": "1", "worker": "bob", "answer": "neutral", "truth": "E"},
    {"pair_id": "2", "worker": "ann", "answer": "contradiction", "truth": "C"},
]
COLUMNS = "?item=pair_id&rater=worker&label=answer&gold=truth"
HEADER = (
    "table_id\thypothesis\torignal_worker_id\tfirst_human_label\tmajoritylabel\tother_human_labels\tother_worker_id\n"
)


def read(text: str) -> Ratings:
    [found] = open_ratings(text)
    return found


@pytest.mark.parametrize("name", ["r.csv", "r.tsv", "r.jsonl", "r.json", "r.parquet", "r.csv.gz", "r.jsonl.gz"])
def test_every_format_gives_the_same_ratings(tmp_path: Path, name: str) -> None:
    path = write_rows(tmp_path / name, LONG)
    for prefix in ("", "file:"):
        found = read(f"{prefix}{path}{COLUMNS}")
        assert found.name == "r"
        assert found.ratings == (Rating("1", "ann", E, E), Rating("1", "bob", N, E), Rating("2", "ann", C, C))
        assert found.items == {"1": E, "2": C}
        assert (found.named, found.repeated, found.unanswered, found.first) == (True, 0, 0, None)


def test_columns_are_guessed_and_codes_declared(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", "item,WorkerId,label\n7,a,0\n7,b,2\n")
    found = read(f"{path}?labels=entailment,neutral,contradiction")
    assert [rating.label for rating in found.ratings] == [E, C]
    assert found.items == {"7": None}


def test_labels_are_read_through_the_partition(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", "item,rater,label\n7,a,not_entailment\n7,b,neutral\n")
    found = read(f"{path}?partition=E|NC")
    assert [rating.label for rating in found.ratings] == [LabelSet.of("NC"), LabelSet.of("NC")]


def test_a_delimiter_can_be_named(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", "item;rater;label\n7;a;E\n")
    assert read(f"{path}?delimiter=semicolon").ratings == (Rating("7", "a", E, None),)
    with pytest.raises(UsageError, match="one character or one of"):
        read(f"{path}?delimiter=;;")


def test_second_answers_and_empty_ones_are_counted_and_left_out(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", "item,rater,label,gold\n1,a,E,\n1,a,C,E\n1,b,,\n2,b,-,\n2,b,N,\n")
    found = read(str(path))
    assert found.ratings == (Rating("1", "a", E, E), Rating("2", "b", N, None))
    assert (found.repeated, found.unanswered) == (1, 2)


def test_lists_in_cells_are_one_item_a_line(tmp_path: Path) -> None:
    rows = [
        {"id": "x", "annotator_labels": ["neutral", "entailment"], "gold_label": "neutral"},
        {"id": "x", "annotator_labels": ["contradiction", ""], "gold_label": "-"},
    ]
    found = read(str(write_rows(tmp_path / "snli.jsonl", rows)))
    assert found.ratings == (Rating("x", "1", N, N), Rating("x", "2", E, N), Rating("x#2", "1", C, None))
    assert (found.named, found.unanswered) == (False, 1)


def test_infotabs_files_are_recognised_by_their_columns(tmp_path: Path) -> None:
    line = "T1\tIt is \"so.\tGW1\t0\t0\t{}\t['VW0', 'VW1', 'VW0']\n"
    path = write(tmp_path / "valid.tsv", HEADER + line.format("[0, 2, 1]") + line.format("[0, 0, 0]"))
    found = read(str(path))
    item = 'T1/It is "so.'
    assert list(found.items) == [item, f"{item}#2"]
    assert found.ratings[:2] == (Rating(item, "VW0", E, E), Rating(item, "VW1", C, E))
    assert (found.repeated, found.first) == (2, 5)


@pytest.mark.parametrize(
    ("content", "options", "says"),
    [
        ("item,rater,label\n1,a,E\n1,b,perhaps\n", "", "line 3: unknown label 'perhaps'"),
        ("item,rater,label\n1,a,2\n", "", "line 2: the label '2' is a code"),
        ("item,rater,label\n1,a,NC\n", "", "line 2: 'NC' means NC, which is no single label of E|N|C"),
        ("item,rater,label,gold\n1,a,E,E\n1,b,E,C\n", "", "line 3: the gold label of '1' is C, but was E before"),
        ("item,rater,label\n1,,E\n", "", "line 2: the rater in column 'rater' is empty"),
        ("item,rater,label\n ,a,E\n", "", "line 2: the item in column 'item' is empty"),
        ("item,label\n1,E\n", "", "there is no column 'rater'"),
        ("item,rater,label\n1,a,E\n", "?rater=workr", "there is no column 'workr'"),
        ("item,rater,label\n1,a,E\n", "?ratr=x", "no parameter 'ratr'. Did you mean 'rater'"),
        ("item,rater,label\n1,a,E\n", "?partition=X", "'partition' is wrong"),
        ("item,rater,label\n", "", "holds no records"),
        ('item,rater,label\n1,"[1, 2]","[E]"\n', "", "line 2: column 'label' should hold a list"),
        ('item,rater,label\n1,"[1, 2]","[0]"\n', "?labels=e,n,c", "line 2: 1 labels are given by 2 raters"),
        ('item,rater,label\n1,a,"[0]"\n', "?labels=e,n,c", "line 2: column 'rater' should hold a list"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence_with_its_line(
    tmp_path: Path, content: str, options: str, says: str
) -> None:
    path = write(tmp_path / "r.csv", content)
    with pytest.raises(NliprobeError) as caught:
        read(f"{path}{options}")
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, DataError | UsageError)


def test_names_that_are_nothing_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLIPROBE_DATA", str(tmp_path))
    for text, says in [
        ("infotabs/train", "no ratings of infotabs/train"),
        ("infotabs/alpah1", "Did you mean 'alpha1'"),
        ("infotabs/dev", "wanted in a folder 'infotabs': validation/infotabs_valid_dev.tsv"),
        ("snli/dev", "snli comes without ratings"),
        ("nothing.csv", "There is no file nothing.csv"),
    ]:
        with pytest.raises(NotFoundError, match=says):
            open_ratings(text)


def test_a_corpus_takes_no_columns(data: Path) -> None:
    with pytest.raises(UsageError, match="takes no parameters"):
        open_ratings("infotabs/dev?item=x", data)


def test_codes_of_infotabs_are_those_of_its_pairs(data: Path) -> None:
    """On pairs with the same text gold is the same without exception, save in alpha2, which was verified unedited."""
    for ratings in open_ratings("infotabs", data):
        split = ratings.name.partition("/")[2]
        pairs = {
            f"{pair.group}/{pair.hypothesis}".strip(): pair.gold for pair in InfoTabs(split, data / "infotabs").pairs()
        }
        shared = {item: gold for item, gold in ratings.items.items() if item in pairs}
        differing = Counter(str(gold) for item, gold in shared.items() if gold != pairs[item])
        assert len(ratings.items) == {"dev": 1791, "alpha1": 1792, "alpha2": 1800, "alpha3": 1790}[split]
        if split == "alpha2":
            changed = sum(gold != N for gold in ratings.items.values())
            assert (changed, sum(gold != N for gold in shared.values())) == (1200, 28)
            assert differing == {"C": 13, "E": 9}
            assert "before they were edited" in ratings.notes[0]
        else:
            assert not differing
            assert len(shared) > 0.95 * len(ratings.items)
