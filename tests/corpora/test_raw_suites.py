"""Raw files of CheckList: every form gives the same pairs, and whatever they leave open is asked for."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analysis.schemas import load_schema, validate
from tests.corpora.raw_suite_files import RawTest, line, write_raw, write_tests

import nliprobe
from nliprobe.api.import_checklist import ChecklistImportDocument, import_checklist
from nliprobe.api.sources import open_source
from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.corpora.raw_suites.examples import read_examples
from nliprobe.corpora.raw_suites.predictions import read_predictions
from nliprobe.task.labels import LabelMap

ORDER = "entailment,neutral,contradiction"
NUMBERS = "?premise=1&hypothesis=2"
SUITE = [
    RawTest(
        "Basic: is, isn't",
        "Negation",
        "MFT",
        [([("It isn't \"big\", is it?", f"It is big {place}.")], str(place)) for place in range(3)],
    ),
    RawTest("typos", "Robustness", "INV", [([(f"A man {n} eats{'!' * k}", "He eats.") for k in range(3)], "") for n in
                                           range(2)]),
    RawTest("adverb", "Temporal", "DIR", [([("A girl sits.", "She sits."), ("A girl sits now.", "She sits.")], "")]),
]  # fmt: skip
EXAMPLES = [example for test in SUITE for examples, _ in test.cases for example in examples]


def read(source: str | Path) -> list[tuple[str, str]]:
    return [(example.premise, example.hypothesis) for example in read_examples(source)]


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("form", ["str", "jsonl", "tsv"])
def test_every_form_holds_the_same_pairs(tmp_path: Path, form: str) -> None:
    raw = write_raw(tmp_path / "raw", SUITE, form)
    assert read(f"{raw}{NUMBERS}") == EXAMPLES
    assert read(f"{raw}?premise=2&hypothesis=1") == [(b, a) for a, b in EXAMPLES]
    with pytest.raises(UsageError, match=r"line 1: nothing says which of the 2 fields is the premise"):
        read(raw)


def test_names_and_separators_say_which_is_the_premise(tmp_path: Path) -> None:
    assert read(write_raw(tmp_path / "a", SUITE, "dict")) == EXAMPLES
    assert read(write_raw(tmp_path / "b", SUITE, "tsv", "premise\thypothesis")) == EXAMPLES
    texts = tmp_path / "c"
    texts.write_text("\n".join(f"{a} [SEP] {b}" for a, b in EXAMPLES), encoding="utf-8")
    assert read(f"{texts}?separator=[SEP]") == EXAMPLES
    with pytest.raises(UsageError, match="nothing says where its premise ends"):
        read(texts)
    texts.write_text("a!b\nc!d\ne!f\nghi", encoding="utf-8")
    with pytest.raises(DataError, match=r"line 4: '!' should be there once, but is 0 times"):
        read(f"{texts}?separator=!")


def test_a_header_is_a_header_only_where_that_is_sure(tmp_path: Path) -> None:
    for form in ("str", "jsonl"):
        raw = write_raw(tmp_path / form, SUITE, form, "two sentences")
        with pytest.raises(DataError, match=r"line 1: .*If it is a header, add header=1"):
            read(f"{raw}{NUMBERS}")
        assert read(f"{raw}{NUMBERS}&header=1") == EXAMPLES
    raw = write_raw(tmp_path / "tsv", SUITE, "tsv", "one\ttwo")
    assert read(f"{raw}{NUMBERS}") == [("one", "two"), *EXAMPLES]
    assert read(f"{raw}?premise=one&hypothesis=two&header=1") == read(f"{raw}{NUMBERS}&header=1") == EXAMPLES
    twice = write_raw(tmp_path / "twice", SUITE, "tsv", "text\ttext")
    assert read(f"{twice}{NUMBERS}&header=1") == EXAMPLES
    with pytest.raises(DataError, match="line 1: the header has 'text' twice"):
        read(f"{twice}?header=1")
    questions = tmp_path / "qqp"
    questions.write_text("id\tquestion1\tquestion2\n0\ta?\tb?", encoding="utf-8")
    with pytest.raises(DataError, match="the columns are id, question1, question2"):
        read(questions)
    assert read(f"{questions}?premise=question1&hypothesis=question2") == [("a?", "b?")]


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        ("", DataError, "is empty"),
        ("('a', 'b')\n\n('c', 'd')", DataError, "line 2: the line is empty"),
        ("('a', 'b')\n('c', 'd', 'e')", DataError, "line 2: the example has 3 fields, those before it 2"),
        ("('a', 'b')\n('c', 3)", DataError, "line 2: the hypothesis should be a text, but is 3"),
        ("('a', 'b')\n('c', '')", DataError, "line 2: the hypothesis should be a text"),
        ("('a', 'b')\n('c', 'd')\n__import__('os')", DataError, "line 3: this line is not a tuple"),
        ("('a', 'b')\n('c', 'd')\n(np.str_('e'), 'f')", DataError, "Write it with file_format='jsonl'"),
        ('["a", "b"]\n["c", "d"]\n["e"', DataError, "line 3: this line is not JSON"),
        ('["a", "b"]\n["c", "d"]\n{"x": 1, "x": 2}', DataError, "line 3: this line is not JSON"),
        ("a\tb\nc\td\te", DataError, "line 2: the example has 3 fields"),
    ],
)
def test_what_is_no_example_is_said_with_its_place(
    tmp_path: Path, content: str, error: type[Exception], message: str
) -> None:
    raw = tmp_path / "raw.txt"
    raw.write_text(content, encoding="utf-8")
    with pytest.raises(error, match=message):
        read(f"{raw}{NUMBERS}")


def test_numbers_beyond_the_fields_unknown_forms_and_pickles_are_refused(tmp_path: Path) -> None:
    raw = write_raw(tmp_path / "raw.txt", SUITE)
    for given_ in ("premise=0&hypothesis=1", "premise=1&hypothesis=3", "premise=one&hypothesis=2"):
        with pytest.raises(UsageError, match="should be the number of a field, from 1 to 2"):
            read(f"{raw}?{given_}")
    with pytest.raises(UsageError, match="'cvs' is not a form of raw files"):
        read(f"{raw}?form=cvs")
    with pytest.raises(NotFoundError):
        read(tmp_path / "other.txt")
    suite = tmp_path / "suite.pkl"
    suite.write_bytes(pickle.dumps(["a"]))
    with pytest.raises(DataError, match="is a pickled suite, which is a program"):
        read(suite)


# What can be a text of an example: a raw file has no line breaks, and a text with a tab cannot be in a file of tabs.
TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)


@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=5), st.sampled_from(["str", "jsonl"]))
def test_any_text_survives_as_a_tuple_or_as_json(
    tmp_path_factory: pytest.TempPathFactory, examples: list[tuple[str, str]], form: str
) -> None:
    raw = tmp_path_factory.mktemp("raw") / "raw"
    raw.write_bytes("\n".join(line(example, form) for example in examples).encode("utf-8"))
    assert read(f"{raw}{NUMBERS}") == examples


def test_tests_labels_and_bases_become_a_corpus(tmp_path: Path) -> None:
    raw, about = write_raw(tmp_path / "raw.txt", SUITE), write_tests(tmp_path / "tests.csv", SUITE)
    document = import_checklist(f"{raw}{NUMBERS}", tmp_path / "my.jsonl", tests=about, labels=ORDER)
    validate("checklist-import", document)
    assert document["labels"] == {"contradiction": 1, "entailment": 1, "neutral": 1, "none": 8}
    assert (document["tests"], document["compared"]) == (3, 4)
    assert document["capabilities"] == ["Negation", "Robustness", "Temporal"]
    assert [note[:40] for note in document["notes"]] == ["1 examples of DIR tests have no rule, be"]
    pairs = list(open_source(document["source"], None).pairs())
    assert [(pair.premise, pair.hypothesis) for pair in pairs] == EXAMPLES
    assert [str(pair.gold) for pair in pairs[:4]] == ["E", "N", "C", "None"]
    assert len({pair.group for pair in pairs[:3]}) == 1
    assert pairs[4].bases == pairs[5].bases == (pairs[3].id,)
    assert len({pair.group for pair in pairs[3:9]}) == 2
    with pytest.raises(UsageError, match="already there"):
        import_checklist(f"{raw}{NUMBERS}", tmp_path / "my.jsonl")


def test_a_file_that_knows_its_tests_needs_no_other(tmp_path: Path) -> None:
    raw = tmp_path / "all.jsonl"
    known = [("m", 0, "MFT", "entailment"), ("i", 0, "INV", None), ("i", 0, "INV", None)]
    raw.write_text(
        "\n".join(
            json.dumps({"premise": f"p{n}", "hypothesis": "h", "test_name": t, "test_case": c, "type": k, "label": v})
            for n, (t, c, k, v) in enumerate(known)
        )
    )
    document = import_checklist(raw, tmp_path / "my.jsonl")
    assert (document["tests"], document["compared"], document["labels"]) == (2, 1, {"entailment": 1, "none": 2})


def test_a_rule_for_a_direction_is_kept(tmp_path: Path) -> None:
    raw, preds, about = tmp_path / "raw.tsv", tmp_path / "preds.txt", tmp_path / "tests.csv"
    raw.write_text("a\th\na now\th\nb\th\nb now\th", encoding="utf-8")
    about.write_text(
        "test_name,test_case,type,expects\n" + "".join(f"d,{n // 2},DIR,monotone E down\n" for n in range(4))
    )
    # The probability of entailment falls in the first case and rises in the second.
    preds.write_text("0.8 0.1 0.1\n0.5 0.4 0.1\n0.5 0.4 0.1\n0.8 0.1 0.1\n", encoding="utf-8")
    made = import_checklist(
        f"{raw}{NUMBERS}", tmp_path / "my.jsonl", tests=about, labels=ORDER,
        predictions=f"{preds}?form=softmax", answers=tmp_path / "answers.jsonl",
    )  # fmt: skip
    assert made["compared"] == 2
    assert made["notes"] == []
    run = nliprobe.run(str(made["system"]), made["source"], out=tmp_path / "run", doctor=False)
    assert run.failures()["pair_id"].to_list() == ["my/d/1/2"]


def test_ranges_name_the_tests(tmp_path: Path) -> None:
    raw, ranges = write_raw(tmp_path / "raw.txt", SUITE), tmp_path / "ranges.json"
    ranges.write_text(json.dumps({"a": [0, 3], "b": [3, 9], "c": [9, 11]}))
    document = import_checklist(f"{raw}{NUMBERS}", tmp_path / "my.jsonl", tests=ranges)
    assert document["tests"] == 3
    assert document["notes"][0].startswith("11 examples of tests that expect a label have none")
    assert [row["template"] for row in rows(tmp_path / "my.jsonl")] == ["a"] * 3 + ["b"] * 6 + ["c"] * 2
    ranges.write_text(json.dumps({"a": [0, 3], "b": [4, 11]}))
    with pytest.raises(DataError, match="'b' has the lines from 4 to 11, but those before it end at 3"):
        import_checklist(f"{raw}{NUMBERS}", tmp_path / "x.jsonl", tests=ranges)
    assert not (tmp_path / "x.jsonl").exists()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (("test_name,", "name_of_it,"), "no column 'test_name' or 'test'"),
        (("MFT,0", "MTF,0"), "the type of a test should be MFT, INV or DIR, not 'MTF'"),
        (("MFT,0", "MFT,blue"), "unknown label 'blue'"),
        (("test_case", "number"), "is an INV test, .* add the column test_case"),
    ],
)
def test_what_a_file_of_tests_gets_wrong_is_said(tmp_path: Path, changed: tuple[str, str], message: str) -> None:
    raw, about = write_raw(tmp_path / "raw.txt", SUITE), write_tests(tmp_path / "tests.csv", SUITE)
    about.write_text(about.read_text(encoding="utf-8").replace(*changed), encoding="utf-8")
    with pytest.raises(DataError, match=message):
        import_checklist(f"{raw}{NUMBERS}", tmp_path / "my.jsonl", tests=about, labels=ORDER)
    assert not (tmp_path / "my.jsonl").exists()


def test_a_code_needs_its_meaning(tmp_path: Path) -> None:
    raw, about = write_raw(tmp_path / "raw.txt", SUITE), write_tests(tmp_path / "tests.csv", SUITE)
    with pytest.raises(DataError, match=r'line 2: the label .0. is a code: .*labels="entailment,neutral'):
        import_checklist(f"{raw}{NUMBERS}", tmp_path / "my.jsonl", tests=about)


def predicted(folder: Path, content: str, form: str, labels: str = ORDER) -> list[tuple[str, Any]]:
    path = folder / "preds.txt"
    path.write_text(content, encoding="utf-8")
    found = read_predictions(f"{path}?form={form}", LabelMap.parse(labels) if labels else LabelMap())
    return [(str(answer.label), list(answer.probabilities.values())) for answer in found]


def test_every_form_of_predictions(tmp_path: Path) -> None:
    assert predicted(tmp_path, "0\n2", "pred_only") == [("E", []), ("C", [])]
    assert predicted(tmp_path, "neutral\nEntailment", "pred_only", "") == [("N", []), ("E", [])]
    assert predicted(tmp_path, "1 0.9", "pred_and_conf") == [("N", [])]
    assert predicted(tmp_path, "0.1 0.2 0.7", "softmax") == [("C", pytest.approx([0.1, 0.2, 0.7]))]
    assert predicted(tmp_path, "2 0.1 0.2 0.7", "pred_and_softmax") == [("C", pytest.approx([0.1, 0.2, 0.7]))]
    two = predicted(tmp_path, "0.8\n0.3", "binary_conf", "not_entailment,entailment")
    assert two == [("E", pytest.approx([0.2, 0.8])), ("NC", pytest.approx([0.7, 0.3]))]
    assert predicted(tmp_path, "pred\n0", "pred_only&header=1") == [("E", [])]


@pytest.mark.parametrize(
    ("content", "form", "labels", "message"),
    [
        ("0", "", ORDER, r"does not say what its lines hold, the first being '0'"),
        ("0", "pred", ORDER, "'pred' is not a form of predictions"),
        ("0", "pred_only", "", r'line 1: .*labels="entailment,neutral,contradiction"'),
        ("0.1 0.2 0.7", "softmax", "", "line 1: nothing says which label each probability belongs to"),
        ("0.1 0.9", "softmax", ORDER, "line 1: 2 probabilities for the 3 labels"),
        ("1.2 3.4 -1", "softmax", ORDER, "line 1: these are no probabilities"),
        ("nan 0.5 0.5", "softmax", ORDER, "line 1: expected numbers"),
        ("0 0.1 0.2 0.7", "pred_and_softmax", ORDER, "line 1: the prediction is E, but the highest .* is that of C"),
        ("0\nblue", "pred_only", ORDER, "line 2: unknown label 'blue'"),
        ("not entailment 0.9", "pred_and_conf", "", "line 1: expected a prediction and its confidence"),
    ],
)
def test_predictions_that_leave_something_open_are_refused(
    tmp_path: Path, content: str, form: str, labels: str, message: str
) -> None:
    with pytest.raises((DataError, UsageError), match=message):
        predicted(tmp_path, content, form, labels)


def test_answers_belong_to_the_lines_they_were_given_for(tmp_path: Path) -> None:
    raw, about = write_raw(tmp_path / "raw.txt", SUITE), write_tests(tmp_path / "tests.csv", SUITE)
    preds = tmp_path / "preds.txt"
    # Right for all three MFT; the third of each INV case is answered differently.
    preds.write_text("\n".join("01200100100") + "\n", encoding="utf-8")
    made = import_checklist(
        f"{raw}{NUMBERS}", tmp_path / "my.jsonl", tests=about, labels=ORDER,
        predictions=f"{preds}?form=pred_only", answers=tmp_path / "answers.jsonl",
    )  # fmt: skip
    validate("checklist-import", made)
    assert made["answered"] == len(EXAMPLES)
    run = nliprobe.run(str(made["system"]), made["source"], out=tmp_path / "run", doctor=False)
    shown = run.summary()
    assert shown["scores"][0]["accuracy"] == 1.0
    assert [(item["broken"]["rate"], item["broken"]["n"]) for item in shown["consistency"]] == [(0.5, 4)]
    for lines in (10, 12):
        preds.write_text("0\n" * lines, encoding="utf-8")
        with pytest.raises(DataError, match=rf"holds 11 examples, but .* holds {lines} predictions.*header=1"):
            import_checklist(
                f"{raw}{NUMBERS}", tmp_path / "x.jsonl", labels=ORDER,
                predictions=f"{preds}?form=pred_only", answers=tmp_path / "y.jsonl",
            )  # fmt: skip
    assert not (tmp_path / "x.jsonl").exists()
    with pytest.raises(UsageError, match="belong together"):
        import_checklist(raw, tmp_path / "x.jsonl", predictions=preds)


def test_without_tests_equal_pairs_keep_their_own_answers(tmp_path: Path) -> None:
    raw, preds = tmp_path / "raw.tsv", tmp_path / "preds.txt"
    raw.write_text("a\tb\nc\td\na\tb", encoding="utf-8")
    preds.write_text("entailment\nneutral\ncontradiction", encoding="utf-8")
    made = import_checklist(
        f"{raw}{NUMBERS}", tmp_path / "my.jsonl", predictions=f"{preds}?form=pred_only", answers=tmp_path / "a.jsonl"
    )
    assert "no test, label or rule" in made["notes"][0]
    assert len({row["id"] for row in rows(tmp_path / "my.jsonl")}) == 3
    run = nliprobe.run(str(made["system"]), made["source"], out=tmp_path / "run", doctor=False)
    assert sorted(run.predictions()["label"].to_list()) == ["C", "E", "N"]


class Suite:
    """As much of a suite of CheckList as the manual's code needs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tests = {test.name: self for test in SUITE}
        self.info = {test.name: {"capability": test.capability, "type": test.kind} for test in SUITE}
        self.test_ranges: dict[str, tuple[int, int]] = {}

    def to_raw_file(self, path: str) -> None:
        write_raw(self.folder / path, SUITE)
        start = 0
        for test in SUITE:
            cases = [number for number, (examples, _) in enumerate(test.cases) for _ in examples]
            self.tests[test.name] = SimpleNamespace(  # type: ignore[assignment]
                result_indexes=cases,
                label_meta=lambda case, test=test: (int(test.cases[case][1]) if test.cases[case][1] else None, None),
            )
            self.test_ranges[test.name] = (start, start := start + len(cases))


def test_the_code_of_the_manual_writes_a_file_of_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manual = Path(__file__).parents[2] / "docs" / "guide" / "exchange.md"
    code = manual.read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0]
    monkeypatch.chdir(tmp_path)
    exec(code, {"suite": Suite(tmp_path)})
    document = import_checklist(f"raw.txt{NUMBERS}", "my.jsonl", tests="tests.jsonl", labels=ORDER)
    about = write_tests(tmp_path / "tests.csv", SUITE)
    given = import_checklist(f"raw.txt{NUMBERS}", "other.jsonl", tests=about, labels=ORDER)
    assert rows(tmp_path / "my.jsonl") == rows(tmp_path / "other.jsonl")
    assert document["compared"] == given["compared"] == 4


def test_schema_names_the_fields_of_the_type() -> None:
    schema = load_schema("checklist-import")
    assert list(schema["properties"]) == schema["required"] == list(get_type_hints(ChecklistImportDocument))
