from __future__ import annotations

import errno
import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import NliprobeError, NotFoundError, StoreError, did_you_mean
from nliprobe.base.files import read_json, write_atomic, write_json
from nliprobe.base.hashing import digest, digest_files
from nliprobe.base.registry import Registry, load_plugin
from nliprobe.base.seeds import below, derangement, draws, shuffled


@given(st.lists(st.text(max_size=5), max_size=4), st.lists(st.text(max_size=5), max_size=4))
def test_digest_keeps_parts_apart(left: list[str], right: list[str]) -> None:
    assert (digest(*left) == digest(*right)) == (left == right)


def test_digest_is_the_same_on_every_machine() -> None:
    assert digest("premise", "hypothesis") == "d6f59f12118672791311f448"


def test_digest_files_depends_on_name_and_content(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_text("x")
    second.write_text("x")
    assert digest_files([first]) != digest_files([second])
    before = digest_files([first, second])
    second.write_text("y")
    assert digest_files([first, second]) != before


@given(st.integers(), st.sets(st.text(max_size=6), min_size=2, max_size=40))
def test_derangement_moves_everything_and_ignores_order(seed: int, ids: set[str]) -> None:
    target = derangement(seed, ids)
    assert set(target) == set(target.values()) == ids
    assert all(here != there for here, there in target.items())
    others = sorted(ids)
    random.Random(0).shuffle(others)
    assert derangement(seed, others) == target


@given(st.integers(), st.lists(st.integers(1, 5_000), max_size=20))
def test_below_draws_what_randrange_draws(seed: int, sizes: list[int]) -> None:
    one, two = random.Random(seed), random.Random(seed)
    assert [below(size, one) for size in sizes] == [two.randrange(size) for size in sizes]
    assert one.getstate() == two.getstate()


@given(st.integers(), st.lists(st.integers(0, 40), max_size=9))
def test_shuffled_draws_what_shuffle_draws(seed: int, sizes: list[int]) -> None:
    one, two = random.Random(seed), random.Random(seed)
    for size in sizes:
        places = list(range(size))
        two.shuffle(places)
        assert shuffled(size, one) == places


def test_below_needs_a_size() -> None:
    with pytest.raises(ValueError, match="below 0"):
        below(0, random.Random(1))


def test_derangement_needs_two() -> None:
    with pytest.raises(ValueError, match="at least two"):
        derangement(0, ["a"])


def test_draws_are_fixed_for_a_seed_and_a_name() -> None:
    assert draws(0, "probe", "pair").sample(range(100), 5) == [34, 56, 7, 9, 61]
    assert draws(1, "probe", "pair").sample(range(100), 5) != [34, 56, 7, 9, 61]


def test_write_atomic_leaves_the_old_file_when_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    write_atomic(path, b"old")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left to write"):
        write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert [item.name for item in tmp_path.iterdir() if item.is_file()] == ["file"]


def test_json_round_trip_and_torn_file(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "run.json"
    write_json(path, {"a": [1, "é"]})
    assert read_json(path) == {"a": [1, "é"]}
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(StoreError, match=r"Cannot read .*run.json"):
        read_json(path)
    path.write_text("[]")
    with pytest.raises(StoreError, match="should hold a JSON object"):
        read_json(path)


def test_errors_are_also_builtin_errors() -> None:
    assert issubclass(StoreError, OSError)
    assert str(StoreError("a sentence.")) == "a sentence."
    assert issubclass(NotFoundError, LookupError)


def test_did_you_mean_names_one_or_all() -> None:
    assert did_you_mean("row.delete", ["rows.delete", "swap"]) == "Did you mean 'rows.delete'?"
    assert did_you_mean("xyz", ["b", "a"]) == "Available: a, b."


@pytest.mark.parametrize(
    ("wrong", "options", "meant"),
    [
        ("lables", ["tables", "labels"], "labels"),
        ("premis", ["premise_weight", "premise"], "premise"),
        ("hypotesis", ["hypothesis", "hypotheses"], "hypothesis"),
    ],
)
def test_did_you_mean_prefers_the_nearest(wrong: str, options: list[str], meant: str) -> None:
    assert did_you_mean(wrong, options) == did_you_mean(wrong, options[::-1]) == f"Did you mean '{meant}'?"


def test_registry_misses_name_the_nearest_and_doubles_are_refused() -> None:
    registry: Registry[object] = Registry("probe", "nliprobe.probes")

    @registry.register("mine")
    class Mine:
        pass

    assert registry.get("mine") is Mine
    with pytest.raises(NotFoundError, match=r"no probe named 'mien'. Did you mean 'mine'\?"):
        registry.get("mien")
    with pytest.raises(NliprobeError, match="Two probes are named 'mine'"):

        @registry.register("mine")
        class Other:
            pass


def test_load_plugin_by_path(tmp_path: Path) -> None:
    good = tmp_path / "good.py"
    good.write_text(
        "from nliprobe.represent import REPRESENTATIONS, Representation\n"
        "@REPRESENTATIONS.register('shout')\n"
        "class Shout(Representation):\n"
        "    'LOUD.'\n"
        "    def segments(self, table, hypothesis):\n"
        "        return (table.title.upper(),)\n"
    )
    load_plugin(good)
    from nliprobe.represent import REPRESENTATIONS

    assert REPRESENTATIONS.get("shout").__name__ == "Shout"
    REPRESENTATIONS._registered.pop("shout")
    bad = tmp_path / "bad.py"
    bad.write_text("import nothing_of_this_name")
    with pytest.raises(NliprobeError, match=r"bad.py failed to import: ModuleNotFoundError"):
        load_plugin(bad)
    with pytest.raises(NotFoundError, match="does not exist"):
        load_plugin(tmp_path / "absent.py")
