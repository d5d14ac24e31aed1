"""BECEL: every pair after its bases, rules that the released labels obey, and files that are wrong."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.corpora.files import write

from nliprobe.api.sources import open_source
from nliprobe.base.errors import DataError
from nliprobe.corpora.becel import CHAINED, CONTRARY, NEGATED, NOT_ENTAILED, Becel
from nliprobe.task.labels import LETTERS, LabelSet
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.relations import SAME, SWAPPED, Relation
from nliprobe.task.rule_forms import rule_words

NEGATIONAL = (
    "index\tpremise\thypothesis\tlabel\thypothesis_neg\tneg_label\ttag\n"
    "0\tA dog runs.\tA dog moves.\t0\tA dog doesn't move.\t2\tnegation\n"
    '4\t"A ""big"" dog."\tA dog.\t0\tA cat.\t2\tantonym\n'
    "5\tA dog runs.\tA dog moves.\t0\tNo dog moves.\t2\tnegation\n"
)
TEST = (
    "premise\thypothesis\tlabel\n"
    "A dog runs.\tAn animal runs.\t0\n"
    "A dog runs.\tA dog sleeps.\t2\n"
    "A dog runs.\tIt is happy.\t1\n"
)
TRANSITIVE = (
    "index\tpremise\thypothesis\tlabel\toriginated_idx\n"
    "0\tA dog sleeps.\tAn animal runs.\t2\t1|0\n"
    "7\tIt is happy.\tA dog sleeps.\t3\t2|1\n"
)


def _snli(tmp_path: Path, split: str, **files: str) -> list[Pair]:
    for name, text in files.items():
        write(tmp_path / "becel" / "snli" / f"{name}.tsv", text)
    return list(open_source(f"becel/snli-{split}", tmp_path).pairs())


def test_negated_pairs_follow_their_original_which_comes_once(tmp_path: Path) -> None:
    pairs = _snli(tmp_path, "negation", negational=NEGATIONAL)
    original, first, other, antonym, second = pairs
    assert [pair.hypothesis for pair in pairs][1::2] == ["A dog doesn't move.", "A cat."]
    assert first.bases == second.bases == (original.id,)
    assert antonym.bases == (other.id,)
    assert other.premise == 'A "big" dog.'
    assert [str(pair.gold) for pair in pairs] == ["E", "C", "E", "C", "C"]
    assert (first.expects, antonym.expects, original.expects) == (NEGATED, CONTRARY, None)
    assert first.id == "becel/snli-negation/0"
    assert original.group == first.group == second.group != other.group
    assert first.facets == (Facet("version", "negated"), Facet("negation", "negation"))


def test_paraphrases_keep_label_and_answer(tmp_path: Path) -> None:
    text = "index\tpremise\thypothesis\tlabel\thypothesis_paraphrase\n3\tp\th\t1\tr\n"
    original, made = _snli(tmp_path, "paraphrase", semantic=text)
    assert (made.hypothesis, str(made.gold), made.expects) == ("r", "N", SAME)
    assert (original.premise, original.hypothesis, str(original.gold)) == ("p", "h", "N")


def test_the_symmetric_file_holds_the_switched_pair(tmp_path: Path) -> None:
    original, made = _snli(tmp_path, "symmetric", symmetric="premise\thypothesis\tlabel\nh\tp\t2\n")
    assert (original.premise, original.hypothesis) == ("p", "h")
    assert (made.premise, made.hypothesis, made.expects) == ("h", "p", SWAPPED)
    assert original.group == made.group


def test_transitive_pairs_have_two_bases(tmp_path: Path) -> None:
    pairs = _snli(tmp_path, "transitive", transitive=TRANSITIVE, test=TEST)
    names = [pair.id.rpartition("/")[2] for pair in pairs]
    assert names == ["test-1", "test-0", "0", "test-2", "7"]
    assert [pair.bases for pair in pairs if pair.bases] == [
        ("becel/snli-transitive/test-1", "becel/snli-transitive/test-0"),
        ("becel/snli-transitive/test-2", "becel/snli-transitive/test-1"),
    ]
    assert [str(pair.gold) for pair in pairs] == ["C", "E", "C", "N", "NC"]
    assert pairs[4].facets == (Facet("version", "chained"), Facet("before", "N, C"))
    assert len({pair.group for pair in pairs}) == 1


@pytest.mark.parametrize(("size", "names"), [(2, ["test-1", "test-0"]), (3, ["test-1", "test-0", "0"])])
def test_a_sample_never_has_a_pair_without_both_of_its_bases(tmp_path: Path, size: int, names: list[str]) -> None:
    _snli(tmp_path, "transitive", transitive=TRANSITIVE, test=TEST)
    for seed in range(5):
        drawn = open_source(f"becel/snli-transitive?sample={size}&seed={seed}", tmp_path).pairs()
        assert [pair.id.rpartition("/")[2] for pair in drawn] == names


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1|0", "1", r"transitive\.tsv, line 2: 'originated_idx' should hold two row numbers such as 12\|11, not '1'"),
        ("1|0", "1|x", r"line 2: 'originated_idx' should hold two row numbers"),
        ("1|0", "1|3", r"line 2: there is no row 3 in test\.tsv, which has 3"),
        ("1|0", "0|1", r"line 2: the rows 0 and 1 of test\.tsv are not those that this pair was made from"),
        ("\t2\t", "\t5\t", r"line 2: the label '5' is a code"),
    ],
)
def test_transitive_rows_must_fit_the_test_pairs(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        _snli(tmp_path, "transitive", transitive=TRANSITIVE.replace(old, new, 1), test=TEST)


def test_an_original_with_two_labels_is_an_error(tmp_path: Path) -> None:
    text = NEGATIONAL.replace("moves.\t0\tNo", "moves.\t1\tNo")
    with pytest.raises(DataError, match=r"line 4: the original pair has the label N, but E in a row above"):
        _snli(tmp_path, "negation", negational=text)


def test_latin_1_bytes_are_an_error_with_their_line(tmp_path: Path) -> None:
    write(tmp_path / "becel" / "snli" / "symmetric.tsv", "premise\thypothesis\tlabel\nCafé\tp\t2\n".encode("latin-1"))
    with pytest.raises(DataError, match=r"symmetric\.tsv, line 2: "):
        list(open_source("becel/snli-symmetric", tmp_path).pairs())


def _worlds(relation: str, others: int) -> set[tuple[str, ...]]:
    """Return the labels of (P, A), (P, B) and (A, B) in some logic of sets: every statement is a set of worlds."""
    found: set[tuple[str, ...]] = set()
    everything = (1 << others) - 1

    def label(one: int, two: int) -> str:
        return "E" if one & ~two == 0 else "C" if one & two == 0 else "N"

    statements = range(1, everything + 1)
    for p in statements:
        for a in statements:
            for b in statements:
                if relation == "chain":
                    found.add((label(p, a), label(p, b), label(a, b)))
                elif relation == "switch":
                    found.add((label(p, a), label(a, p)))
                elif (relation == "contrary" and a & b == 0) or (relation == "negate" and b == everything - a):
                    found.add((label(p, a), label(p, b)))
    return found


@pytest.mark.parametrize(
    ("relation", "rule"),
    [("chain", CHAINED), ("switch", SWAPPED), ("contrary", CONTRARY), ("negate", NEGATED)],
)
def test_the_rules_are_exactly_what_logic_allows(relation: str, rule: Relation) -> None:
    possible = _worlds(relation, 4)
    for *before, after in possible:
        assert after in rule(*before), (before, after)
    allowed = {
        (*before, after)
        for before in {tuple(entry[:-1]) for entry in possible}
        for after in LETTERS
        if after in rule(*before)
    }
    assert allowed == possible


@pytest.mark.parametrize("split", Becel.splits)
def test_released_labels_obey_the_rules(data: Path, split: str) -> None:
    pairs = list(open_source(f"becel/{split}", data).pairs())
    golds: dict[str, LabelSet] = {}
    made = 0
    for pair in pairs:
        assert pair.gold is not None
        if pair.bases:
            made += 1
            assert isinstance(pair.expects, Relation)
            before = [golds[base] for base in pair.bases]
            assert pair.gold & pair.expects(*before)
        golds[pair.id] = pair.gold
    assert (
        made
        == {
            "snli-negation": 2_204,
            "snli-paraphrase": 4_406,
            "snli-symmetric": 3_237,
            "snli-transitive": 2_375,
            "rte-negation": 153,
            "rte-paraphrase": 248,
            "rte-symmetric": 1_241,
        }[split]
    )
    assert all(rule_words(pair.expects) for pair in pairs if pair.expects is not None)


def test_transitive_labels_by_what_came_before(data: Path) -> None:
    pairs = open_source("becel/snli-transitive", data).pairs()
    seen = Counter((dict(pair.facets)["before"], str(pair.gold)) for pair in pairs if pair.bases)
    assert seen == {("N, C", "NC"): 1_658, ("C, E", "C"): 717}


def test_rte_negation_expects_no_more_than_the_release_says(data: Path) -> None:
    pairs = list(open_source("becel/rte-negation", data).pairs())
    assert {pair.expects for pair in pairs} == {None, NOT_ENTAILED}


@pytest.mark.parametrize("split", ["snli-transitive", "snli-negation"])
def test_samples_keep_bases_with_what_was_made_from_them(data: Path, split: str) -> None:
    whole = [pair.id for pair in open_source(f"becel/{split}", data).pairs()]
    small = [pair.id for pair in open_source(f"becel/{split}?sample=100&seed=3", data).pairs()]
    large = [pair.id for pair in open_source(f"becel/{split}?sample=400&seed=3", data).pairs()]
    assert len(small) == 100
    assert set(small) <= set(large) <= set(whole)
