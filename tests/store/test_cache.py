from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cli.helpers import environment

from nliprobe.base.hashing import digest
from nliprobe.store.cache import AnswerCache
from nliprobe.store.frames import prediction_frame, to_predictions
from nliprobe.store.journal import Journal
from nliprobe.task.case import Prediction, Shares, Status
from nliprobe.task.labels import SETS, LabelSet

labels = st.sampled_from([LabelSet.of(x) for x in ("E", "N", "C", "NC")])
probabilities = st.one_of(st.none(), st.just((0.25, 0.5, 0.25)), st.just((1.0, 0.0, 0.0)))
raw = st.one_of(st.none(), st.text())
predictions = st.one_of(
    st.builds(Prediction, labels, probabilities, st.just(Status.OK), raw),
    st.builds(Prediction, st.none(), probabilities, st.sampled_from([Status.NO_ANSWER, Status.FAILED]), raw),
)
ids = st.integers(0, 300).map(lambda n: digest(str(n)))
answers = st.dictionaries(ids, predictions, max_size=40)


@settings(max_examples=40)
@given(st.lists(answers, max_size=4), st.lists(ids, max_size=60, unique=True))
def test_cache_gives_back_what_was_added_first_or_later(batches: list[dict[str, Prediction]], asked: list[str]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "answers"
        cache = AnswerCache(folder)
        everything: dict[str, list[Prediction]] = {}
        for batch in batches:
            cache.add(batch)
            for key, answer in batch.items():
                everything.setdefault(key, []).append(answer)
        for seen in (cache, AnswerCache(folder)):
            found = seen.get(asked)
            assert set(found) == set(asked) & set(everything)
            assert all(found[key] in everything[key] for key in found)


def many(start: int, count: int) -> dict[str, Prediction]:
    return {digest(str(n)): Prediction(LabelSet.of("ENC"[n % 3])) for n in range(start, start + count)}


def fill(folder: Path, size: int) -> None:
    """Add 70 small files, more than are left unmerged; by one object, because each new one reads all files again."""
    cache = AnswerCache(folder)
    for number in range(70):
        cache.add(many(number * size, size))


def test_cache_sets_a_damaged_file_aside(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path)
    cache.add(many(0, 100))
    cache.add(many(100, 100))
    first, second = sorted(tmp_path.glob("*.parquet"))
    torn = first.read_bytes()
    first.write_bytes(torn[: len(torn) // 2])
    again = AnswerCache(tmp_path)
    assert len(again) == 100
    assert [path.name for path in again.damaged] == [first.name + ".damaged"]
    assert not first.exists()
    assert second.exists()
    assert AnswerCache(tmp_path).damaged == []


def test_cache_sets_a_flipped_or_empty_file_aside(tmp_path: Path) -> None:
    AnswerCache(tmp_path).add(many(0, 100))
    [path] = tmp_path.glob("*.parquet")
    path.write_bytes(b"")
    assert len(AnswerCache(tmp_path)) == 0
    assert not list(tmp_path.glob("*.parquet"))


def test_cache_of_another_layout_is_set_aside(tmp_path: Path) -> None:
    import polars as pl

    pl.DataFrame({"high": [2, 1], "low": [0, 0]}).write_parquet(tmp_path / "x.parquet")
    assert len(AnswerCache(tmp_path).damaged) == 1


def test_cache_merges_many_small_files(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path)
    for number in range(70):
        cache.add(many(number * 5, 7))
    before = cache.get(list(many(0, 400)))
    again = AnswerCache(tmp_path)
    again.merge()
    assert len(list(tmp_path.glob("*.parquet"))) == 1
    assert again.get(list(many(0, 400))) == before == AnswerCache(tmp_path).get(list(many(0, 400)))


def test_large_files_are_not_merged_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nliprobe.store.cache._MERGED", 100)
    AnswerCache(tmp_path).add(many(5000, 100))
    [large] = tmp_path.glob("*.parquet")
    fill(tmp_path, 7)
    cache = AnswerCache(tmp_path)
    cache.merge()
    files = list(tmp_path.glob("*.parquet"))
    assert large in files
    assert len(files) == 6, "the large one, four with 105 answers, and one with the rest"
    everything = many(0, 490) | many(5000, 100)
    assert cache.get(list(everything)) == AnswerCache(tmp_path).get(list(everything)) == everything
    cache.merge()
    assert sorted(tmp_path.glob("*.parquet")) == sorted(files)


def test_a_file_that_is_damaged_before_it_is_merged_stays(tmp_path: Path) -> None:
    fill(tmp_path, 5)
    cache = AnswerCache(tmp_path)
    damaged, gone, *_ = sorted(tmp_path.glob("*.parquet"))
    damaged.write_bytes(damaged.read_bytes()[:-9])
    gone.unlink()
    cache.merge()
    assert damaged.exists()
    assert len(cache.get(list(many(0, 350)))) == 350, "this process has read all of them"
    again = AnswerCache(tmp_path)
    assert len(again) == 340
    assert [path.name for path in again.damaged] == [damaged.name + ".damaged"]


def test_cache_keeps_probabilities_as_a_run_does(tmp_path: Path) -> None:
    fresh = Prediction(LabelSet.of("E"), (1 / 3, 1 / 3, 1 - 2 / 3), raw="yes\n")
    AnswerCache(tmp_path).add({digest("x"): fresh})
    [kept] = AnswerCache(tmp_path).get([digest("x")]).values()
    assert kept.probabilities == pytest.approx(fresh.probabilities)
    assert kept._replace(probabilities=None) == fresh._replace(probabilities=None)
    written = [prediction_frame(["c"], ["i"], [answer]) for answer in (fresh, kept)]
    assert written[0].equals(written[1]), "a run is the same with a fresh answer and with a cached one"


@pytest.mark.parametrize("shares", [(0.25, None, None), (0.25, None, 0.75), (None, None, 0.5)])
def test_cache_journal_and_run_keep_the_probabilities_of_a_two_way_model(tmp_path: Path, shares: Shares) -> None:
    fresh = Prediction(LabelSet.of("NC"), shares)
    AnswerCache(tmp_path / "cache").add({digest("x"): fresh})
    assert AnswerCache(tmp_path / "cache").get([digest("x")]) == {digest("x"): fresh}
    assert to_predictions(prediction_frame(["c"], ["i"], [fresh])) == [fresh]
    Journal(tmp_path / "journal").add(0, {digest("x"): fresh})
    assert Journal(tmp_path / "journal").read(0) == {digest("x"): fresh}


def test_cache_reads_the_files_of_an_earlier_version(tmp_path: Path) -> None:
    import polars as pl

    before = Path(__file__).parent / "data" / "answers-before.parquet"
    shutil.copy(before, tmp_path / "x.parquet")
    old = pl.read_parquet(before)
    keys = [f"{high:016x}{low:08x}" for high, low in old.select("high", "low").rows()]
    cache = AnswerCache(tmp_path)
    assert cache.damaged == []
    answers = cache.get(keys)
    assert [answers[key].label for key in keys] == [SETS[mask] for mask in old["label"]]
    assert [answers[key].probabilities for key in keys] == [
        pytest.approx(row) for row in old.select("p_e", "p_n", "p_c").rows()
    ]
    assert {answer.status for answer in answers.values()} == {Status.OK}
    cache.add(many(0, 3))
    assert len(AnswerCache(tmp_path)) == len(keys) + 3, "old and new files stand side by side"


@pytest.mark.parametrize(("column", "word"), [("label", "perhaps"), ("label", "ok"), ("status", "E"), ("status", None)])
def test_cache_with_words_that_are_no_labels_is_set_aside(tmp_path: Path, column: str, word: str | None) -> None:
    import polars as pl

    AnswerCache(tmp_path).add(many(0, 5))
    [path] = tmp_path.glob("*.parquet")
    pl.read_parquet(path).with_columns(pl.lit(word, dtype=pl.String).alias(column)).write_parquet(path)
    assert len(AnswerCache(tmp_path)) == 0
    assert [item.suffix for item in tmp_path.iterdir()] == [".damaged"]


def test_every_flip_in_a_file_is_found(tmp_path: Path) -> None:
    answers = {name: answer._replace(probabilities=(0.5, 0.25, 0.25)) for name, answer in many(0, 30).items()}
    AnswerCache(tmp_path).add(answers)
    [path] = tmp_path.glob("*.parquet")
    whole = path.read_bytes()
    for place in range(0, len(whole), 11):
        content = bytearray(whole)
        content[place] ^= 1 << (place % 8)
        path.write_bytes(content)
        cache = AnswerCache(tmp_path)
        assert cache.get(list(answers)) == {}
        assert [item.name for item in cache.damaged] == [path.name + ".damaged"]


@pytest.mark.parametrize(
    "answer",
    [
        Prediction(LabelSet.of("E"), (float("-inf"), 0.5, 0.5)),
        Prediction(LabelSet.of("E"), (float("nan"), 0.5, 0.5)),
        Prediction(LabelSet.of("E"), (0.5, 0.5, 0.5)),
        Prediction(LabelSet.of("E"), (2.0, -0.5, -0.5)),
        Prediction(LabelSet.of("E"), (1.5, None, None)),
        Prediction(LabelSet.of("E"), (float("nan"), None, None)),
        Prediction(LabelSet.of("E"), (0.75, None, 0.5)),
        Prediction(None, None, Status.OK),
        Prediction(LabelSet.of("E"), None, Status.NO_ANSWER),
    ],
)
def test_an_answer_that_a_model_may_not_give_is_not_taken_from_the_cache(tmp_path: Path, answer: Prediction) -> None:
    from nliprobe.models.answers import problem_of

    assert problem_of(answer), "the checks are those of fresh answers"
    AnswerCache(tmp_path).add({digest("x"): answer, digest("y"): Prediction(LabelSet.of("E"))})
    cache = AnswerCache(tmp_path)
    assert cache.get([digest("x"), digest("y")]) == {}
    assert len(cache.damaged) == 1


def test_merging_keeps_what_others_added_meanwhile(tmp_path: Path) -> None:
    fill(tmp_path, 5)
    merging = AnswerCache(tmp_path)
    AnswerCache(tmp_path).add(many(1000, 5))
    merging.merge()
    assert len(AnswerCache(tmp_path).get(list(many(1000, 5)))) == 5
    assert len(AnswerCache(tmp_path)) == 355


def test_merging_twice_at_once_loses_nothing(tmp_path: Path) -> None:
    fill(tmp_path, 5)
    first, second = AnswerCache(tmp_path), AnswerCache(tmp_path)
    first.merge()
    second.merge()
    third = AnswerCache(tmp_path)  # has read the one file that its own merge would write
    third.add(many(0, 5))
    assert len(AnswerCache(tmp_path).get(list(many(0, 350)))) == 350


MERGER = """
import sys
from pathlib import Path
from nliprobe.base.hashing import digest
from nliprobe.store import cache as module
from nliprobe.store.cache import AnswerCache
from nliprobe.task.case import Prediction
from nliprobe.task.labels import LabelSet

def many(start, count):
    return {digest(str(n)): Prediction(LabelSet.of("ENC"[n % 3])) for n in range(start, start + count)}

module._MERGE_ABOVE = 12  # so that each merges several times
folder, first = Path(sys.argv[1]), int(sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
for number in range(first, first + 25):
    cache = AnswerCache(folder)
    cache.merge()
    cache.add(many(number * 3, 3))
"""


def test_processes_that_add_and_merge_lose_no_answer(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    env = environment({"PYTHONPATH": os.pathsep.join([str(root), *sys.path])})
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", MERGER, str(tmp_path / "answers"), str(1000 * number)],
            env=env, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for number in range(3)
    ]  # fmt: skip
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        writer.communicate("go\n", timeout=300) if writer is writers[-1] else _go(writer)
    for writer in writers[:-1]:
        writer.communicate(timeout=300)
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    cache = AnswerCache(tmp_path / "answers")
    for number in range(3):
        assert len(cache.get(list(many(3000 * number, 75)))) == 75
    assert not list((tmp_path / "answers").glob("*.damaged"))


def _go(writer: subprocess.Popen[str]) -> None:
    assert writer.stdin is not None
    writer.stdin.write("go\n")
    writer.stdin.flush()
