"""What systems make of artifacts: one that goes by words, one that reads, one that always answers the same."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.analysis.runs import Asked, MakeRun
from tests.analysis.schemas import load_schema, validate
from tests.analysis.test_artifacts_corpus import Held

import nliprobe.analysis.artifacts.run_documents as shapes
from nliprobe.analysis.artifacts.corpus import artifacts_document
from nliprobe.analysis.artifacts.differences import difference, stratified_difference
from nliprobe.analysis.artifacts.pointing import PointingWords, read_words
from nliprobe.analysis.artifacts.run import NO_POINTED, NO_WORDS, run_artifacts
from nliprobe.analysis.artifacts.run_documents import ArtifactEntry, ArtifactsDocument
from nliprobe.analysis.artifacts.run_texts import RunTexts
from nliprobe.analysis.artifacts.words import WordChoice
from nliprobe.analysis.cases import read_run
from nliprobe.base.errors import DataError
from nliprobe.store.run import RunFolder
from nliprobe.task.case import IDENTITY, Case
from nliprobe.task.edits import replace_title, swap_texts
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.table import Row, Table

HINTS = {"E": "outdoors", "N": "tall", "C": "nobody"}
WORDS = PointingWords(("train",), {label: (word,) for label, word in HINTS.items()})


def asked(number: int, gold: str, hypothesis: str, group: str = "") -> Case:
    pair = Pair(f"p{number}", "a man stands there", hypothesis, LabelSet.of(gold), group or f"g{number // 3}")
    return Case(pair.id, IDENTITY, pair, pair.premise, pair.hypothesis, gold=pair.gold)


def drawn(n: int = 600, seed: int = 0) -> list[Case]:
    """Half of the hypotheses have the word of a label, mostly of their own."""
    draw = random.Random(seed)
    cases = []
    for number in range(n):
        gold = draw.choice("ENC")
        hint = gold if draw.random() < 0.6 else draw.choice("ENC")
        word = HINTS[hint] if draw.random() < 0.5 else ""
        cases.append(asked(number, gold, f"{word} {' '.join('xyz'[: draw.randint(1, 3)])} man".strip()))
    return cases


def by_words(case: Case) -> str:
    return next((label for label, word in HINTS.items() if word in case.hypothesis), "E")


CASES = drawn()
READER = {case.id: str(case.gold) if random.Random(f"reads {case.id}").random() < 0.8 else "N" for case in CASES}
SYSTEMS = [
    Asked("reader", READER),
    Asked("words", {case.id: by_words(case) for case in CASES}),
    Asked("blind", {case.id: by_words(case) for case in CASES}, premise="none"),
    Asked("always", dict.fromkeys((case.id for case in CASES), "E")),
]


@pytest.fixture
def run(make_run: MakeRun) -> RunFolder:
    return make_run({"x/test": CASES}, SYSTEMS, shard=100)


def entry(document: ArtifactsDocument, system: str, probe: str = IDENTITY) -> ArtifactEntry:
    [item] = [each for each in document["entries"] if (each["system"], each["probe"]) == (system, probe)]
    return item


def test_sets_hold_the_cases_they_should(run: RunFolder) -> None:
    found = entry(run_artifacts(run, WORDS), "reader")
    right = [case for case in CASES if HINTS[str(case.gold)] in case.hypothesis]
    nowhere = [case for case in CASES if not any(word in case.hypothesis for word in HINTS.values())]
    assert found["words"]["right"]["n"] == len(right)
    assert found["words"]["none"]["n"] == len(nowhere)
    assert found["words"]["both"]["n"] == 0
    assert sum(part["n"] for part in found["words"].values()) == len(CASES)
    assert found["words"]["right"]["correct"] == sum(READER[case.id] == str(case.gold) for case in right)


def test_who_goes_by_words_loses_and_who_reads_does_not(run: RunFolder) -> None:
    document = run_artifacts(run, WORDS)
    validate("artifacts", document)
    goes = entry(document, "words")
    assert goes["lost_alike"]["value"] == goes["lost"]["value"] == 1
    reads = entry(document, "reader")["lost_alike"]
    assert reads["ci95"] is not None
    assert reads["ci95"][0] < 0 < reads["ci95"][1]
    assert entry(document, "always")["lost_alike"]["value"] == 0
    control = entry(document, "reader")["control"]
    assert control is not None
    assert (control["system"], control["lost"]["value"]) == ("blind", 1)
    best = entry(document, "reader")["words"]["right"]["control"]
    assert best is not None
    assert (best["system"], best["accuracy"]) == ("blind", 1)
    assert [item["blind"] for item in document["entries"]] == [False, False, True, True]


def test_own_words_are_chosen_on_the_pairs_as_they_are(run: RunFolder) -> None:
    document = run_artifacts(run)
    assert document["own"]
    [used] = document["words"]
    assert used["chosen_on"] == ["x/test"]
    assert {label: words[:1] for label, words in used["words"].items()} == {k: [v] for k, v in HINTS.items()}


def test_few_pairs_point_nowhere(make_run: MakeRun) -> None:
    cases = drawn(15)
    run = make_run({"x": cases}, [Asked("m", {case.id: "E" for case in cases})])
    found = entry(run_artifacts(run), "m")
    assert found["missing"] == NO_WORDS
    assert found["words"]["none"]["n"] == 15
    assert found["lost"] == {"value": None, "ci95": None}


def test_overlap_and_lengths_show_what_answers_follow(make_run: MakeRun) -> None:
    """A system that answers E if the hypothesis repeats the premise."""
    draw = random.Random(1)
    cases, answers = [], {}
    for number in range(400):
        repeats = number % 2 == 0
        gold = draw.choice("EC")
        case = asked(number, gold, "a man stands there" if repeats else "dogs run fast today", f"g{number}")
        cases.append(case)
        answers[case.id] = "E" if repeats else "C"
    run = make_run({"x": cases}, [Asked("m", answers)], partitions={"x": "E|C"}, shard=100)
    found = entry(run_artifacts(run, WORDS), "m")["features"]["overlap"]
    assert [(item["low"], item["answers"]["E"]["rate"]) for item in found["bins"]] == [(0.0, 0.0), (1.0, 1.0)]
    assert found["tilt"]["E"]["value"] == 1
    assert found["carried"] == ["E", "C"]
    same = entry(run_artifacts(run, WORDS), "m")["features"]["premise_length"]
    assert len(same["bins"]) == 1
    assert same["tilt"] == {}


def test_cases_of_probes_are_read_as_they_were_asked(make_run: MakeRun) -> None:
    """After a swap, the words of the premise are those of the hypothesis."""
    cases = [asked(number, "C", "nobody is there") for number in range(30)]
    swapped = [
        Case(f"s{case.id}", "swap", case.source, case.hypothesis, str(case.premise), gold=case.gold, bases=(case.id,),
             edits=(swap_texts(),))
        for case in cases
    ]  # fmt: skip
    answers = {case.id: "C" for case in [*cases, *swapped]}
    run = make_run({"x": [*cases, *swapped]}, [Asked("m", answers)], shard=7)
    document = run_artifacts(run, WORDS)
    assert entry(document, "m")["words"]["right"]["n"] == 30
    assert entry(document, "m", "swap")["words"]["none"]["n"] == 30
    assert [item["probe"] for item in run_artifacts(run, WORDS, derived=False)["entries"]] == [IDENTITY]


def test_texts_are_found_in_whatever_shard_they_are(make_run: MakeRun) -> None:
    """More shards than are kept in memory, asked about out of order."""
    hypotheses = [" ".join(["word"] * (number % 9 + 1) + [f"w{number}"]) for number in range(60)]
    cases = [asked(number, "E", hypothesis) for number, hypothesis in enumerate(hypotheses)]
    run = make_run({"x": cases}, [Asked("m", {case.id: "E" for case in cases})], shard=5)
    assert len(run.files("pairs")) == 12
    rows = np.array([*random.Random(0).sample(range(60), 60), 0, 59, 1])
    texts = RunTexts(run, read_run(run).cases, edited=False).of(rows)
    found = [{texts.vocabulary[word] for word in texts.words[texts.owners == place]} for place in range(len(rows))]
    assert found == [set(hypotheses[row].split()) for row in rows]
    assert texts.hypothesis_length.tolist() == [len(hypotheses[row].split()) for row in rows]


def test_tables_are_read(make_run: MakeRun) -> None:
    table = Table("Ada", (Row("Born", ("London",)),))
    pair = Pair("t", table, "Ada was nobody", LabelSet.of("C"), "g")
    changed = replace(table, title="Eve")
    cases = [
        Case("t", IDENTITY, pair, table, pair.hypothesis, gold=pair.gold),
        Case("u", "retitle", pair, changed, pair.hypothesis, gold=pair.gold, bases=("t",),
             edits=(replace_title(table, "Eve"),)),
    ]  # fmt: skip
    run = make_run({"x": cases}, [Asked("m", {"t": "C", "u": "C"})])
    document = run_artifacts(run, WORDS)
    assert entry(document, "m")["features"]["overlap"]["bins"][0]["low"] == pytest.approx(1 / 3)
    assert entry(document, "m", "retitle")["features"]["overlap"]["bins"][0]["low"] == 0
    assert entry(document, "m", "retitle")["words"]["right"]["n"] == 1


def test_words_of_three_labels_on_a_corpus_of_two(make_run: MakeRun) -> None:
    golds = {"E": "E", "N": "NC", "C": "NC"}
    cases = [asked(n, golds["ENC"[n % 3]], HINTS["NCE"[n % 3]]) for n in range(60)]
    run = make_run({"x": cases}, [Asked("m", {case.id: "E" for case in cases})], partitions={"x": "E|NC"}, shard=100)
    found = entry(run_artifacts(run, WORDS), "m")
    # E has the word of N, N that of C, C that of E: the second is right as NC.
    assert {name: part["n"] for name, part in found["words"].items()} == {
        "right": 20,
        "wrong": 40,
        "both": 0,
        "none": 0,
    }


def test_words_of_labels_that_a_corpus_lacks_point_nowhere(make_run: MakeRun) -> None:
    cases = [asked(n, "EC"[n % 2], "tall") for n in range(20)]
    run = make_run({"x": cases}, [Asked("m", {case.id: "E" for case in cases})], partitions={"x": "E|C"}, shard=100)
    found = entry(run_artifacts(run, WORDS), "m")
    assert found["words"]["none"]["n"] == 20
    assert found["missing"] == NO_POINTED


def test_unanswered_counts_as_wrong(make_run: MakeRun) -> None:
    cases = [asked(n, "C", "nobody") for n in range(20)]
    run = make_run({"x": cases}, [Asked("m", {case.id: None for case in cases})], shard=100)
    part = entry(run_artifacts(run, WORDS), "m")["words"]["right"]
    assert (part["n"], part["unanswered"], part["correct"], part["accuracy"]) == (20, 20, 0, 0)


def test_words_come_back_from_a_file(tmp_path: Path) -> None:
    pairs = [case.source for case in CASES]
    document = artifacts_document([Held(pairs), Held(pairs[:300], name="half")], WordChoice())
    path = tmp_path / "words.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    read = read_words(path)
    assert read.chosen_on == ("held", "half")
    assert {label: words[0] for label, words in read.words.items()} == HINTS


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "not JSON"),
        ('{"schema": "nliprobe/data-artifacts/1"', "not JSON"),
        ("[]", "nliprobe/data-artifacts/1"),
        ('{"schema": "nliprobe/show/3"}', "nliprobe/data-artifacts/1"),
        ('{"schema": "nliprobe/data-artifacts/1"}', "missing or damaged"),
        ('{"schema": "nliprobe/data-artifacts/1", "corpora": [{"name": "x"}]}', "missing or damaged"),
        (
            '{"schema": "nliprobe/data-artifacts/1", "corpora": [{"name": "x", "words": {"Z": []}}]}',
            "missing or damaged",
        ),
        (
            '{"schema": "nliprobe/data-artifacts/1", "corpora": [{"name": "x", "words": {"E": [1]}}]}',
            "missing or damaged",
        ),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "words.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=words):
        read_words(path)
    with pytest.raises(DataError, match="Cannot read"):
        read_words(tmp_path / "absent.json")


def test_difference_by_hand() -> None:
    happened = np.array([True, True, False, True, False, False, True, False])
    first = np.array([True, True, True, True, False, False, False, False])
    clusters = np.arange(8)
    found = difference(happened, first, ~first, clusters)
    assert found["value"] == pytest.approx(0.75 - 0.25)
    strata = np.array([0, 0, 1, 1, 0, 0, 0, 1], dtype=np.uint8)
    # Stratum 0: 2/2 against 1/3, stratum 1: 1/2 against 0/1; three of four of the second set are in stratum 0.
    alike = stratified_difference(happened, first, ~first, strata, clusters)
    assert alike["value"] == pytest.approx(0.75 * (1 - 1 / 3) + 0.25 * (0.5 - 0))
    assert difference(happened, first, np.zeros(8, dtype=bool), clusters) == {"value": None, "ci95": None}


@pytest.mark.parametrize(("groups", "size"), [(12, 9), (60, 4), (200, 1)])
def test_intervals_of_differences_cover(groups: int, size: int) -> None:
    """The true difference of 0.2 within two strata lies in about 95 % of the intervals of 2,000 samples."""
    draw = np.random.default_rng(1)
    covered, n = 0, groups * size
    for _ in range(2000):
        clusters = np.repeat(np.arange(groups), size)
        level = np.repeat(draw.normal(0, 0.1, groups), size)
        first, strata = draw.random(n) < 0.4, draw.integers(0, 2, n).astype(np.uint8)
        happened = draw.random(n) < np.clip(0.3 + 0.2 * first + 0.2 * strata + level, 0, 1)
        ends = stratified_difference(happened, first, ~first, strata, clusters)["ci95"]
        assert ends is not None
        covered += ends[0] <= 0.2 <= ends[1]
    assert 0.935 <= covered / 2000 <= 0.965


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("", shapes.ArtifactsDocument),
        ("entry", shapes.ArtifactEntry),
        ("words", shapes.UsedWords),
        ("part", shapes.Part),
        ("feature", shapes.FeatureAnswers),
        ("bin", shapes.BinPart),
        ("difference", shapes.Difference),
    ],
)
def test_schema_names_the_fields_of_the_types(place: str, kind: type) -> None:
    schema = load_schema("artifacts")
    part = schema["$defs"][place] if place else schema
    assert sorted(part["properties"]) == sorted(kind.__annotations__)
