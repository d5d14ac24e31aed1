"""Views of any source: limited, sampled, filtered; ids stay, name and digest tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.task.labels import THREE_WAY, LabelSet, Partition
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.source import Source, Split
from nliprobe.task.sources import Filtered, Limited, Sampled, Skipped, origin
from nliprobe.task.where import LABEL, Condition, parse_where


class Listed(Source):
    """Pairs in memory; counts how many were asked for."""

    def __init__(self, pairs: Sequence[Pair], name: str = "listed/dev") -> None:
        self._pairs, self._name = pairs, name
        self.made = 0

    @property
    def name(self) -> str:
        return self._name

    @property
    def partition(self) -> Partition:
        return THREE_WAY

    @property
    def expected(self) -> Split:
        return Split(len(self._pairs))

    def files(self) -> list[Path]:
        return [Path("listed.csv")]

    def digest(self) -> str:
        return digest(*(pair.id for pair in self._pairs))

    def pairs(self) -> Iterator[Pair]:
        for pair in self._pairs:
            self.made += 1
            yield pair


class Bare:
    """The least that a source of pairs is."""

    name = "bare"
    partition = THREE_WAY

    def digest(self) -> str:
        return "d"

    def pairs(self) -> Iterator[Pair]:
        yield from some(3)


def some(n: int) -> list[Pair]:
    genres = ("fiction", "travel", "telephone")
    return [
        Pair(f"listed/dev/{k}", "p", f"h {k}", LabelSet.of("ENC"[k % 3]), facets=(Facet("genre", genres[k // 3 % 3]),))
        for k in range(n)
    ]


def ids(source: Source) -> list[str]:
    return [pair.id for pair in source.pairs()]


def test_a_limit_asks_for_no_pair_beyond_it() -> None:
    whole = Listed(some(10))
    assert ids(Limited(whole, 3)) == [f"listed/dev/{k}" for k in range(3)]
    assert whole.made == 3


@given(total=st.integers(1, 12), cut=st.integers(1, 14))
def test_a_split_is_cut_in_two_without_loss(total: int, cut: int) -> None:
    whole = Listed(some(total))
    first = ids(Limited(whole, cut))
    if cut >= total:
        assert first == ids(whole)
        with pytest.raises(UsageError, match=f"skip={cut} leaves none"):
            ids(Skipped(whole, cut))
        return
    rest = Skipped(whole, cut)
    assert first + ids(rest) == ids(whole)
    assert ids(Limited(rest, 1)) == ids(whole)[cut : cut + 1]
    assert rest.name == f"listed/dev?skip={cut}"


def test_views_tell_what_they_are() -> None:
    whole = Listed(some(10))
    views = [Limited(whole, 3), Sampled(whole, 3, 1), Sampled(whole, 3), Filtered(whole, parse_where("label:E", "x"))]
    assert [view.name for view in views] == [
        "listed/dev?limit=3", "listed/dev?sample=3&seed=1", "listed/dev?sample=3&seed=0", "listed/dev?where=label:E",
    ]  # fmt: skip
    assert len({whole.digest(), *(view.digest() for view in views)}) == 5
    assert [view.expected for view in views] == [Split(3, None)] * 3 + [Split(None, None)]
    assert all(view.partition == whole.partition and view.files() == whole.files() for view in views)
    nested = Limited(Sampled(Listed(some(4), "checklist?n=20"), 3, 1, seed_key="sample_seed"), 2)
    assert nested.name == "checklist?n=20&sample=3&sample_seed=1&limit=2"
    assert isinstance(origin(nested), Listed)
    assert views[1].digest() == Sampled(whole, 3, 1, seed_key="sample_seed").digest()


def test_any_source_of_pairs_can_be_viewed() -> None:
    view = Sampled(Bare(), 2)
    assert len(ids(view)) == 2
    assert view.expected == Split(None, None)
    assert view.files() == []


@given(st.integers(0, 60), st.integers(1, 70), st.integers(0, 5), st.randoms(use_true_random=False))
def test_a_sample_depends_on_seed_and_ids_only(total: int, size: int, seed: int, random: object) -> None:
    pairs = some(total)
    drawn = ids(Sampled(Listed(pairs), size, seed))
    assert len(drawn) == min(size, total)
    assert drawn == [pair.id for pair in pairs if pair.id in set(drawn)]
    mixed = list(pairs)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert set(ids(Sampled(Listed(mixed), size, seed))) == set(drawn)
    assert set(drawn) <= set(ids(Sampled(Listed(pairs), size + 1, seed)))
    smallest = sorted(pairs, key=lambda pair: digest(str(seed), pair.id))[:size]
    assert set(drawn) == {pair.id for pair in smallest}


def test_a_sample_stays_what_it_was() -> None:
    # Printed once: a change would give every sampled run other pairs under the same name.
    printed = [f"listed/dev/{k}" for k in (20, 30, 45, 99)]
    assert ids(Sampled(Listed(some(100)), 4, 1)) == printed
    assert ids(Sampled(Listed(some(100)), 4, 2)) != printed


def test_pairs_made_from_others_are_drawn_with_them() -> None:
    pairs: list[Pair] = []
    for k in range(30):
        pairs += [Pair(f"b{k}", "p", "h"), Pair(f"d{k}", "p", "h", bases=(f"b{k}",))]
        pairs.append(Pair(f"e{k}", "p", "h", bases=(f"d{k}",)))
    for size in range(1, 40):
        drawn = ids(Sampled(Listed(pairs), size))
        assert len(drawn) == size
        by_id = {pair.id: pair for pair in pairs}
        assert all(base in drawn for name in drawn for base in by_id[name].bases)


def test_a_filter_that_leaves_out_what_a_pair_was_made_from_is_refused() -> None:
    pairs = [Pair("b", "p", "h"), Pair("d", "p", "h", facets=(Facet("kind", "x"),), bases=("b",))]
    with pytest.raises(DataError, match="has the pair d but leaves out b, from which it was made"):
        ids(Filtered(Listed(pairs), parse_where("kind:x", "s")))


def test_conditions_choose_by_facets_and_labels() -> None:
    whole = Listed([*some(18), Pair("listed/dev/none", "p", "h")])
    every = list(whole.pairs())

    def chosen(text: str) -> list[Pair]:
        return list(Filtered(whole, parse_where(text, whole.name)).pairs())

    fiction, travel = Facet("genre", "fiction"), Facet("genre", "travel")
    assert chosen("genre:fiction") == [pair for pair in every if fiction in pair.facets]
    assert chosen("genre:fiction|travel|no") == [pair for pair in every if {fiction, travel} & set(pair.facets)]
    assert chosen("genre:fiction+label:E|neutral") == [
        pair for pair in every if fiction in pair.facets and str(pair.gold) in "EN"
    ]
    assert [pair.id for pair in chosen("label:none")] == ["listed/dev/none"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("genr:fiction", r"has the facet 'genr'\. Pairs can be chosen by: genre, label, number\. Did you mean 'genre'"),
        ("genre:fictoin", r"No pair of listed/dev has the genre 'fictoin'\. Did you mean 'fiction'\?"),
        ("genre:x|y", r"has the genre 'x' or 'y'\. Available: fiction, telephone, travel\."),
        ("label:NC", r"has the label 'NC'\. Did you mean 'N'\?"),
        ("number:9999", r"has the number '9999'\. It has 18 values, such as 0, 1, 10, 11, 12, 13, 14, 15\."),
        ("number:1+label:E", r"No pair of listed/dev has label:E and number:1 together"),
    ],
)
def test_conditions_that_nothing_meets_name_what_there_is(text: str, message: str) -> None:
    pairs = [
        Pair(pair.id, "p", "h", pair.gold, facets=(*pair.facets, Facet("number", str(k))))
        for k, pair in enumerate(some(18))
    ]
    with pytest.raises(DataError, match=message):
        ids(Filtered(Listed(pairs), parse_where(text, "listed/dev")))


def test_a_limit_on_a_filter_is_content_with_what_it_got() -> None:
    whole = Listed(some(18))
    assert ids(Limited(Filtered(whole, parse_where("genre:fiction", "x")), 1)) == ["listed/dev/0"]
    assert whole.made == 1


@pytest.mark.parametrize("text", ["", "genre", "genre:", ":a", "genre:|", "genre:a+", "genre:a+genre:b", "label:x"])
def test_malformed_conditions_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"'x\?where'"):
        parse_where(text, "x")


_texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).map(str.strip).filter(bool)


@given(st.dictionaries(_texts.filter(lambda name: name != LABEL), st.sets(_texts, min_size=1), min_size=1, max_size=3))
def test_conditions_survive_a_name(wanted: dict[str, set[str]]) -> None:
    conditions = tuple(Condition(name, tuple(sorted(values))) for name, values in sorted(wanted.items()))
    name = Filtered(Listed([]), conditions).name
    written, rest = Spec.parse(name, verbatim=("where",)).take("where")
    assert parse_where(written["where"], "x") == conditions
    assert (rest.name, rest.params) == ("listed/dev", ())
