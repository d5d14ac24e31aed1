"""Neighbours by the vectors of pairs: exact, without the pair's own template, kept by what was read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.explain.models import Known

from nliprobe.base.errors import ModelError, UsageError
from nliprobe.explain import vectors as kept
from nliprobe.explain.nearest import nearest, unit_length
from nliprobe.explain.neighbours import NeighbourPool
from nliprobe.explain.vectors import pair_vectors
from nliprobe.models.base import Model
from nliprobe.models.system import System, SystemSpec
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import E
from nliprobe.task.pair import Facet, Pair


class Lettered(Model):
    """Its vector of a pair counts the letters of both texts."""

    def __init__(self, name: str | None = "lettered", wrong: NDArray[np.float32] | None = None) -> None:
        self.name, self.wrong, self.read = name, wrong, 0

    def fingerprint(self) -> str | None:
        return self.name

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        return [Prediction(E)] * len(inputs)

    def embed_pairs(self, inputs: Sequence[Input]) -> NDArray[np.float32]:
        self.read += len(inputs)
        if self.wrong is not None:
            return self.wrong
        texts = [(item.premise + item.hypothesis).lower() for item in inputs]
        return np.array([[text.count(letter) for letter in "abcdefgh"] for text in texts], dtype=np.float32)


def system_of(model: Model) -> System:
    return System.build(SystemSpec.parse("object"), model=model)


def brute(pool: NDArray[np.float32], asked: NDArray[np.float32], count: int, out: set[int]) -> list[int]:
    cosines = [round(float(np.dot(row.astype(float), asked.astype(float))), 6) for row in pool]
    return sorted((place for place in range(len(pool)) if place not in out), key=lambda at: (-cosines[at], at))[:count]


@given(st.integers(1, 40), st.integers(1, 8), st.integers(1, 7), st.integers(0, 10_000))
def test_equal_to_brute_force(size: int, width: int, count: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    # Small whole numbers, so that many vectors are equally near.
    pool = unit_length(random.integers(-1, 2, size=(size, width)).astype(np.float32))
    asked = unit_length(random.integers(-1, 2, size=(3, width)).astype(np.float32))
    out = random.random(size) < 0.3
    for row, found in zip(asked, nearest(pool, asked, count, out), strict=True):
        assert found.places == brute(pool, row, count, set(np.flatnonzero(out).tolist()))
        assert found.cosines == sorted(found.cosines, reverse=True)


def test_blocks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    pool, asked = (unit_length(random.normal(size=(size, 16)).astype(np.float32)) for size in (1000, 5))
    whole = nearest(pool, asked, 7)
    monkeypatch.setattr("nliprobe.explain.nearest._AT_ONCE", 64)
    pieces = nearest(pool, asked, 7)
    assert [item.places for item in pieces] == [item.places for item in whole]


def test_vectors_have_length_one_or_zero() -> None:
    made = unit_length(np.array([[3, 4], [0, 0], [1e-20, 0]], dtype=np.float32))
    np.testing.assert_allclose(np.linalg.norm(made, axis=1), [1, 0, 1])
    with pytest.raises(ValueError, match="not finite"):
        unit_length(np.array([[np.nan, 1]], dtype=np.float32))


def pair(name: str, text: str, template: str = "", varies: str = "") -> Pair:
    facets = [Facet("template", template)] if template else []
    facets += [Facet("variation_of", varies)] if varies else []
    return Pair(name, text, "", facets=tuple(facets))


def test_no_neighbour_is_of_the_same_template_or_of_its_variations() -> None:
    pool = [
        pair("1", "aaab", "one"),
        pair("2", "aaabb", "two", "one"),
        pair("3", "aaabbb", "three", "two"),
        pair("4", "aaac", "four"),
        pair("5", "ccc", "five", "elsewhere"),
        pair("6", "aaaa"),
        pair("7", "aaab"),
    ]
    system = system_of(Lettered())
    made = NeighbourPool.of(system, pool, lambda one: None)
    for asked, expected in (
        (pair("x", "aaaab", "two", "one"), ["7", "6", "4", "5"]),
        (pair("x", "aaaab", "new", "three"), ["7", "6", "4", "5"]),
        (pair("x", "ccca", "six", "elsewhere"), ["4", "6", "7", "1", "2", "3"]),
        (pair("x", "aaab"), ["6", "4", "2", "3", "5"]),  # "1" and "7" are the same texts
    ):
        read = system.reader.read_pair(asked)
        [vector] = pair_vectors(system, [read], lambda one: None)
        found = made.neighbours(asked, read, vector, 7)
        assert {item.pair.id for item in found} == set(expected)
        assert [item.cosine for item in found] == sorted((item.cosine for item in found), reverse=True)
        assert len(made.neighbours(asked, read, vector, 2)) == 2


def test_vectors_are_kept_by_fingerprint_and_inputs(monkeypatch: pytest.MonkeyPatch, own_cache: Path) -> None:
    monkeypatch.setattr(kept, "AT_ONCE", 4)
    inputs = [Input(str(number), ("a" * number,), "b") for number in range(10)]
    first, again, other, unkept = Lettered(), Lettered(), Lettered("other"), Lettered(None)
    prepared: list[System] = []
    made = pair_vectors(system_of(first), inputs, prepared.append)
    assert (first.read, len(prepared)) == (10, 3)
    np.testing.assert_array_equal(pair_vectors(system_of(again), inputs, prepared.append), made)
    assert (again.read, len(prepared)) == (0, 3)
    pair_vectors(system_of(other), inputs, prepared.append)
    assert other.read == 10
    # Only what is new is computed.
    pair_vectors(system_of(again), [*inputs[:8], Input("x", ("new",), "")], prepared.append)
    assert again.read == 1
    for _ in range(2):
        pair_vectors(system_of(unkept), inputs, prepared.append)
    assert unkept.read == 20
    files = sorted(own_cache.glob("vectors/*/*.safetensors"))
    assert len(files) == 7
    for torn in files:
        torn.write_bytes(torn.read_bytes()[:-3])
    last = Lettered()
    np.testing.assert_array_equal(pair_vectors(system_of(last), inputs, prepared.append), made)
    assert last.read == 10


def test_wrong_vectors_are_the_fault_of_the_model() -> None:
    inputs = [Input("1", ("a",), "b"), Input("2", ("a",), "c")]
    with pytest.raises(ModelError, match=r"an array of 1 × 3 as the vectors of 2 pairs"):
        pair_vectors(system_of(Lettered(wrong=np.zeros((1, 3), np.float32))), inputs, lambda one: None)
    with pytest.raises(ModelError, match="not finite"):
        pair_vectors(system_of(Lettered(wrong=np.full((2, 3), np.inf, np.float32))), inputs, lambda one: None)


def test_a_model_without_vectors_says_which_have_them() -> None:
    with pytest.raises(UsageError, match=r"has no vectors of pairs. Models that have: small, transformers:…, trained"):
        pair_vectors(system_of(Known(lambda item: 0.5)), [Input("1", ("a",), "b")], lambda one: None)


def test_small_has_vectors_from_which_its_answers_follow() -> None:
    system = System.build(SystemSpec.parse("small"))
    texts = [("A man sleeps.", "A man is awake."), ("", "Nobody sleeps."), ("Dogs run.", "Animals run.")]
    inputs = [Input(str(place), (one,) if one else (), two) for place, (one, two) in enumerate(texts)]
    together = system.model.embed_pairs(inputs)
    alone = np.concatenate([system.model.embed_pairs([item]) for item in inputs])
    np.testing.assert_allclose(together, alone, rtol=1e-4, atol=1e-5)
    assert together.shape[0] == 3
    assert len({row.tobytes() for row in together}) == 3
    assert not (together[0] * together[1]).any(), "of two networks, so nothing in common"
    assert system.model.embed_pairs([]).shape[0] == 0
