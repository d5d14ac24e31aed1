from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora.files import write_rows, write_saved

from nliprobe.base.errors import DataError, NotFoundError, UsageError
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS
from nliprobe.models.predictions import Predictions
from nliprobe.task.case import Input, Prediction, Status, identity_id, input_id
from nliprobe.task.labels import C, E, LabelMap, LabelSet, N

ORDER = "contradiction,entailment,neutral"


def asked(key: str, premise: str = "A premise.", hypothesis: str = "A hypothesis.") -> Input:
    return Input(f"input of {key}", (premise,), hypothesis, key)


def model(path: Path, labels: str = "", params: str = "") -> Predictions:
    spec = Spec.parse(f"predictions:{path}" + (f"?{params}" if params else ""))
    return Predictions.from_spec(spec, LabelMap.parse(labels) if labels else None)


def jsonl(folder: Path, *records: object) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def labels_of(predictions: Sequence[Prediction]) -> str:
    return " ".join(str(prediction.label) if prediction.label else "?" for prediction in predictions)


def test_predictions_are_found_by_name(tmp_path: Path) -> None:
    assert MODELS.get("predictions") is Predictions
    assert Predictions.keyed
    assert not model(jsonl(tmp_path, {"id": "x", "label": "E"})).ordered


@pytest.mark.parametrize("field", ["id", "pair_id", "pairID", "uid", "case_id"])
@pytest.mark.parametrize("name", ["snli/dev/4705552913.jpg#2r1n", "4705552913.jpg#2r1n"])
def test_predictions_match_full_and_official_ids(tmp_path: Path, field: str, name: str) -> None:
    found = model(jsonl(tmp_path, {field: name, "label": "neutral"}))
    assert found.predict([asked("snli/dev/4705552913.jpg#2r1n")]) == [Prediction(N)]
    assert found.notes() == []


def test_predictions_match_official_ids_with_slashes_and_numbers(tmp_path: Path) -> None:
    found = model(
        jsonl(tmp_path, {"id": "a/b/c", "label": "E"}, {"id": 17, "label": "C"}, {"id": "caseid", "label": "N"})
    )
    assert labels_of(found.predict([asked("x/dev/a/b/c"), asked("x/dev/17"), asked("caseid")])) == "E C N"


def test_predictions_match_case_ids_input_ids_and_contents(tmp_path: Path) -> None:
    path = jsonl(
        tmp_path,
        {"case_id": identity_id("x/dev/1"), "label": "E"},
        {"input_id": input_id("P two.", "H"), "label": "N"},
        {"id": input_id("P three.", "H"), "label": "C"},
        {"premise": "P four.", "hypothesis": "H", "label": "E"},
        {"premise": None, "hypothesis": "No premise.", "label": "N"},
    )
    inputs = [asked("x/dev/1"), *(asked(f"x/dev/{n}", f"P {n}.", "H") for n in ("two", "three", "four"))]
    found = model(path)
    assert labels_of(found.predict([*inputs, Input("i", (), "No premise.", "k")])) == "E N C E N"
    assert found.notes() == []


def test_predictions_of_one_content_answer_every_pair_with_it(tmp_path: Path) -> None:
    found = model(jsonl(tmp_path, {"premise": "P", "hypothesis": "H", "label": "C"}))
    assert labels_of(found.predict([asked("x/dev/1", "P", "H"), asked("x/dev/1#2", "P", "H")])) == "C C"


def test_predictions_kth_record_of_an_id_goes_to_the_kth_duplicate(tmp_path: Path) -> None:
    full = model(jsonl(tmp_path, *({"id": "m/dev/7", "label": letter} for letter in "ENC")))
    assert labels_of(full.predict([asked("m/dev/7#3"), asked("m/dev/7"), asked("m/dev/7#2")])) == "C E N"
    found = model(jsonl(tmp_path, *({"id": "7", "label": letter} for letter in "ENC")))
    assert labels_of(found.predict([asked("m/dev/7#3"), asked("m/dev/7"), asked("m/dev/7#2")])) == "C E N"
    [note] = found.notes()
    assert note.startswith("2 inputs share their id with another pair of the corpus")


def test_predictions_written_mark_of_a_duplicate_wins_over_counting(tmp_path: Path) -> None:
    path = jsonl(tmp_path, {"id": "7", "label": "E"}, {"id": "7#2", "label": "N"})
    assert labels_of(model(path).predict([asked("m/dev/7"), asked("m/dev/7#2"), asked("m/dev/7#3")])) == "E N ?"


def test_predictions_report_repeated_records(tmp_path: Path) -> None:
    path = jsonl(
        tmp_path,
        {"id": "1", "label": "E"},
        {"id": "1", "label": "entailment"},
        {"id": "2", "label": "E"},
        {"id": "2", "label": "C"},
        {"id": "never", "label": "C"},
        {"id": "never", "label": "N"},
    )
    found = model(path)
    assert labels_of(found.predict([asked("m/dev/1"), asked("m/dev/2")])) == "E E"
    repeated, other, unused = found.notes()
    assert "1 records" in repeated
    assert "repeat the answer" in repeated
    assert "1 records" in other
    assert "line 4" in other
    assert "earlier one was kept" in other
    assert "2 of 6 records" in unused
    assert "never used" in unused


def test_predictions_report_missing_answers(tmp_path: Path) -> None:
    found = model(jsonl(tmp_path, {"id": "1", "label": "E"}))
    assert found.notes() == []
    answers = found.predict([asked(f"m/dev/{number}") for number in range(6)])
    assert labels_of(answers) == "? E ? ? ? ?"
    assert answers[0] == Prediction(None, None, Status.NO_ANSWER)
    (note,) = found.notes()
    assert note.startswith("5 of 6 inputs have no answer")
    assert note.endswith("the first: m/dev/0, m/dev/2, m/dev/3.")


def test_predictions_refuse_an_official_id_that_fits_two_pairs(tmp_path: Path) -> None:
    found = model(jsonl(tmp_path, {"id": "1", "label": "E"}))
    assert labels_of(found.predict([asked("m/dev/1", "P"), asked("m/hard/1", "P")])) == "E E", "the same pair"
    with pytest.raises(DataError, match="line 1: the id of this record fits both m/dev/1 and m/test/1"):
        found.predict([asked("m/test/1", "Another premise.")])


@given(st.lists(st.sampled_from("ENC?"), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_predictions_do_not_depend_on_the_order_of_the_file(
    tmp_path_factory: pytest.TempPathFactory, gold: list[str], random: object
) -> None:
    records = [{"id": str(index), "label": label if label != "?" else None} for index, label in enumerate(gold)]
    random.shuffle(records)  # type: ignore[attr-defined]
    found = model(jsonl(tmp_path_factory.mktemp("answers"), *records))
    assert labels_of(found.predict([asked(f"m/dev/{index}") for index in range(len(gold))])) == " ".join(gold)


@pytest.mark.parametrize(
    ("record", "label", "probability"),
    [
        ({"logits": [0.0, 9.0, 0.0]}, E, 0.99975),
        ({"scores": [0.0, 9.0, 0.0]}, E, 0.99975),
        ({"probs": [0.1, 0.7, 0.2]}, E, 0.7),
        ({"probabilities": {"E": 0.2, "N": 0.1, "C": 0.7}}, C, 0.2),
        ({"prediction": 2}, N, None),
        ({"pred": "contradiction"}, C, None),
        ({"label": "E", "prediction": "C"}, C, None),
        ({"label": "E", "prediction": None}, None, None),
        ({"label": "C", "logits": [0.0, 9.0, 0.0]}, E, 0.99975),
        ({"prediction": 1, "logits": [0.0, 9.0, 0.0]}, E, 0.99975),
    ],
)
def test_predictions_read_every_kind_of_answer(
    tmp_path: Path, record: dict[str, object], label: LabelSet | None, probability: float | None
) -> None:
    (answer,) = model(jsonl(tmp_path, {"id": "1", **record}), ORDER).predict([asked("m/dev/1")])
    assert answer.label == label
    assert (answer.probabilities[0] if answer.probabilities else None) == (
        None if probability is None else pytest.approx(probability, abs=1e-5)
    )


def test_predictions_of_a_two_way_model_are_blocks(tmp_path: Path) -> None:
    found = model(jsonl(tmp_path, {"id": "1", "logits": [0, 3]}, {"id": "2", "label": 0}), "entailment,not_entailment")
    assert str(found.partition) == "E|NC"
    scored, labelled = found.predict([asked("h/dev/1"), asked("h/dev/2")])
    assert (scored.label, labelled) == (LabelSet.of("NC"), Prediction(E))
    assert scored.probabilities is not None
    assert scored.probabilities[0] == pytest.approx(0.0474, abs=1e-4)
    assert scored.probabilities[1:] == (None, None)
    undeclared = model(jsonl(tmp_path, {"id": "1", "label": "entailment"}, {"id": "2", "label": "non-entailment"}))
    assert str(undeclared.partition) == "E|NC"


def write_table(path: Path, rows: list[dict[str, object]]) -> Path:
    if path.suffix == ".parquet":
        import polars

        polars.DataFrame(rows).write_parquet(path)
        return path
    if path.suffix == ".tsv":  # without quoting, as public files are
        lines = [list(rows[0]), *([str(cell) for cell in row.values()] for row in rows)]
        path.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")
        return path
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet"])
@pytest.mark.parametrize(
    ("columns", "labels"),
    [
        ({"id": ["1", "2"], "label": ["E", "C"]}, ""),
        ({"id": [1, 2], "prediction": [1, 0], "label": ["neutral", "neutral"]}, ORDER),
        ({"id": ["1", "2"], "logits": ["[1.0, 2, 0]", "[5 2. 0]"]}, ORDER),
        ({"id": ["1", "2"], "logits": ['{"E": 2, "N": 1, "C": 0}', '{"E": 0, "N": 1, "C": 2}']}, ""),
        ({"id": ["1", "2"], "logit_1": [2.0, 2.0], "logit_0": [1, 3], "logit_2": [0, 0]}, ORDER),
        ({"id": ["1", "2"], "prob_c": [0.1, 0.7], "prob_e": [0.7, 0.1], "prob_n": [0.2, 0.2]}, ""),
        ({"premise": ['A "p", 1', "p2"], "hypothesis": ["h", "h"], "pred": ["E", "C"]}, ""),
    ],
)
def test_predictions_read_tables(tmp_path: Path, suffix: str, columns: dict[str, list[object]], labels: str) -> None:
    rows = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    found = model(write_table(tmp_path / f"answers.{suffix}", rows), labels)
    inputs = [asked("m/dev/1", 'A "p", 1', "h"), asked("m/dev/2", "p2", "h")]
    assert [answer.label for answer in found.predict(inputs)] == [E, C]


def test_predictions_read_parquet_lists(tmp_path: Path) -> None:
    path = write_table(tmp_path / "a.parquet", [{"id": "1", "probs": [0.1, 0.2, 0.7]}, {"id": "2", "probs": None}])
    assert labels_of(model(path, ORDER).predict([asked("m/dev/1"), asked("m/dev/2")])) == "N ?"


@pytest.mark.parametrize("ending", ["jsonl.gz", "csv.gz", "tsv.gz", "txt", "json", "json.gz", "pq", "arrow"])
def test_predictions_read_every_format_that_pairs_come_in(tmp_path: Path, ending: str) -> None:
    path = write_rows(tmp_path / f"a.{ending}", [{"id": "1", "label": "E"}, {"id": "2", "label": "C"}])
    found = model(path)
    assert labels_of(found.predict([asked("m/dev/2"), asked("m/dev/1")])) == "C E"
    assert found.notes() == []


def test_predictions_read_folders_and_patterns(tmp_path: Path) -> None:
    rows = [{"id": str(number), "label": number % 3} for number in range(6)]
    names = ["entailment", "neutral", "contradiction"]
    inputs = [asked(f"m/dev/{number}") for number in range(6)]
    saved = write_saved(tmp_path / "saved", rows, names, shards=2)
    assert labels_of(model(saved).predict(inputs)) == "E N C E N C"
    assert labels_of(model(saved, ORDER).predict(inputs)) == "C E N C E N", "declared codes are those of the file"
    before = model(saved).fingerprint()
    write_saved(saved, rows, names[::-1], shards=2)
    assert model(saved).fingerprint() != before, "the names of the codes belong to the content"
    for split, part in (("dev", rows[:3]), ("test", rows[3:])):
        write_rows(tmp_path / "shards" / f"{split}-00000-of-00001.parquet", part)
    assert labels_of(model(tmp_path / "shards" / "*.parquet", ORDER).predict(inputs)) == "C E N C E N"
    with pytest.raises(UsageError, match="choose one with split=dev"):
        model(tmp_path / "shards")
    dev, test = (model(tmp_path / "shards", ORDER, f"split={split}") for split in ("dev", "test"))
    assert labels_of(test.predict(inputs)) == "? ? ? C E N"
    assert dev.fingerprint() != test.fingerprint()


def test_predictions_of_several_files_are_named_with_their_file(tmp_path: Path) -> None:
    write_rows(tmp_path / "a.jsonl", [{"id": "1", "label": "E"}, {"id": "2", "label": "E"}])
    write_rows(tmp_path / "b.jsonl", [{"id": "3", "label": "E"}, {"id": "1", "label": "C"}])
    found = model(tmp_path / "*.jsonl")
    assert labels_of(found.predict([asked(f"m/dev/{number}") for number in (1, 2, 3)])) == "E E E"
    (note,) = found.notes()
    assert f"({tmp_path / 'b.jsonl'}, line 2)" in note
    with pytest.raises(DataError, match=r"b\.jsonl, line 1: the id of this record fits both"):
        found.predict([asked("m/test/3", "Another premise.")])


def test_predictions_in_csv_may_span_lines_unless_quotes_are_text(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('id,label,raw\n1,E,"so\nit is"\n2,C,no\n', encoding="utf-8")
    first, second = model(path).predict([asked("m/dev/1"), asked("m/dev/2")])
    assert (first.raw, second.raw) == ("so\nit is", "no")
    path.write_text('id,label,raw\n1,E,"so\n', encoding="utf-8")
    assert model(path, params="quoting=0").predict([asked("m/dev/1")])[0].raw == '"so'
    assert model(path, params="quoting=0").fingerprint() != model(path).fingerprint()


def test_predictions_fingerprint_stays_with_the_version_of_the_reader(tmp_path: Path) -> None:
    # If this fails, what is read from the same file has changed: raise Predictions.version.
    path = jsonl(tmp_path, {"id": "1", "label": 1})
    assert model(path, ORDER).fingerprint() == "8724eb75680452fdc83b3ca7"
    assert model(path, ORDER, "in_order=1&format=jsonl").fingerprint() == "717ff971163ab72a075e591b"
    assert model(path, ORDER, "allow_unmatched=1").fingerprint() == "8724eb75680452fdc83b3ca7", "it changes no answer"


def test_predictions_take_empty_cells_as_no_answer(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,logits_0,logits_1,logits_2\n1,,,\n\n2,1,2,3\n", encoding="utf-8-sig")
    assert labels_of(model(path, ORDER).predict([asked("m/dev/1"), asked("m/dev/2")])) == "? N"


def test_predictions_skip_blank_lines_and_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b'\xef\xbb\xbf{"id": "1", "label": "E"}\r\n\r\n{"id": "2", "label": "C"}')
    assert labels_of(model(path, params="format=jsonl").predict([asked("m/dev/1"), asked("m/dev/2")])) == "E C"


def test_predictions_in_order_take_the_whole_list(tmp_path: Path) -> None:
    path = jsonl(tmp_path, {"label": "E"}, {"label": "-"}, {"label": "C"})
    found = model(path, params="in_order=1")
    assert found.ordered
    assert labels_of(found.predict([asked("a"), asked("b"), asked("c")])) == "E ? C"
    assert found.notes() == [f"1 of 3 records of {path} hold no answer, the first: line 2."]
    for number in (2, 4):
        with pytest.raises(DataError, match=f"holds 3 answers, but {number} inputs are asked"):
            model(path, params="in_order=1").predict([asked(str(index)) for index in range(number)])


def test_predictions_fingerprint_follows_content_parameters_and_labels(tmp_path: Path) -> None:
    path = jsonl(tmp_path, {"id": "1", "label": 1})
    prints = {model(path, labels).fingerprint() for labels in (ORDER, ORDER, "entailment,neutral,contradiction", "")}
    prints.add(model(path, ORDER, "in_order=1").fingerprint())
    jsonl(tmp_path, {"id": "1", "label": 2})
    prints.add(model(path, ORDER).fingerprint())
    assert len(prints) == 5


@pytest.mark.parametrize(
    ("content", "labels", "message"),
    [
        (b'{"id": "1", "label": "E"}\n{"id": \n', "", "line 2: this is not JSON"),
        (b'{"id": "1", "label": "E"}\n["1", "E"]\n', "", "line 2: expected a JSON object"),
        (b'{"id": "1", "label": "E"}\n{"id": "\xff"}\n', "", "line 2: byte 0xff is not UTF-8"),
        (b'{"id": "1", "label": "perhaps so"}\n', "", "line 1: unknown label 'perhaps so'"),
        (b'{"id": "1", "label": 2}\n', "", "line 1: the label 2 is a code"),
        (b'{"id": "1", "logits": [1, 2, 3]}\n', "", "line 1: logits are given, but .* declare their order"),
        (b'{"id": "1", "logits": [1, 2]}\n', ORDER, "line 1: there are 2 logits, but the label order names 3"),
        (b'{"id": "1", "logits": [1, 2, NaN]}\n', ORDER, "line 1: logits should be finite"),
        (b'{"id": "1", "logits": [1, 2, Infinity]}\n', ORDER, "line 1: logits should be finite"),
        (b'{"id": "1", "logits": [1, 2, "x"]}\n', ORDER, "line 1: logits should be numbers"),
        (b'{"id": "1", "probs": [0.5, 0.6, 0.1]}\n', ORDER, r"line 1: \[0.5, 0.6, 0.1\] are not probabilities"),
        (b'{"id": "1", "prediction": "E", "logits": [1, 2, 3]}\n', ORDER, "line 1: .* label order"),
        (b'{"id": "1"}\n', "", "there is no answer: no column is called prediction"),
        (b'{"label": "E"}\n', "", "line 1: this record has no key: .* in_order=1"),
        (b'{"id": true, "hypothesis": "no premise", "label": "E"}\n', "", "line 1: this record has no key"),
        (b'{"id": "1", "label": "E", "label": "C"}\n', "", "line 1: the key 'label' is given twice"),
        (b"\n\n", "", "is empty: it holds no records"),
    ],
)
def test_predictions_say_file_and_line_of_a_fault(tmp_path: Path, content: bytes, labels: str, message: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        model(path, labels).predict([asked("m/dev/1")])
    assert str(path) in str(caught.value)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "id,label\n1,E,more\n", r"line 2: 3 fields where the header has 2 \(id, label\)"),
        ("a.csv", 'id,label\n1,"E\n', "line 2: the quotes do not match .* Add quoting=0"),
        ("a.csv", "id,id\n1,E\n", "line 1: the header has the column 'id' twice"),
        ("a.csv", "id,label\n1,E\n2,nonsense\n", "line 3: unknown label 'nonsense'"),
        ("a.csv", "id,logits_1,logits_2,logits_3\n1,1,2,3\n", "should be numbered 0, 1, 2"),
        ("a.csv", "id,logits_0,logits_1,logits_2\n1,1,nan,3\n", "line 2: logits should be finite"),
        ("a.csv", "id,logits_0,logits_1,logits_2\n1,1,,3\n", "line 2: logits should be numbers, but one is None"),
        ("a.csv", "id,logits_0,logits_1,logits_2\n1,1,x,3\n", "line 2: logits should be numbers, but one is 'x'"),
        ("a.csv", "id,prob_e,prob_maybe not\n1,0.5,0.5\n", "several columns could be the scores"),
        ("a.csv", "id,label\n", "is empty: it holds no records"),
        ("a.csv", "", "is empty: it holds no records"),
        ("a.tsv", "id\tlabel\n1\n", "line 2: 1 field where the header has 2"),
        ("a.parquet", "this is not Parquet", "cannot be read as Parquet"),
        ("a.json", '[{"id": 1, "label": "E"}, {"id": 2, "label": "so so"}]', "item 2: unknown label 'so so'"),
    ],
)
def test_predictions_say_what_is_wrong_with_a_table(tmp_path: Path, name: str, content: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=message) as caught:
        model(path, ORDER).predict([asked("m/dev/1")])
    assert str(path) in str(caught.value)


def test_predictions_refuse_a_request_that_makes_no_sense(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs a file of answers"):
        Predictions.from_spec(Spec.parse("predictions"), None)
    with pytest.raises(NotFoundError, match=r"There is no file .*gone\.jsonl"):
        model(tmp_path / "gone.jsonl")
    path = tmp_path / "answers.out"
    path.write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="does not say its format"):
        model(path)
    with pytest.raises(UsageError, match="Did you mean 'jsonl'"):
        model(path, params="format=jsnol")
    with pytest.raises(UsageError, match="Did you mean 'in_order'"):
        model(path, params="inorder=1")
