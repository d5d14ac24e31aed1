"""Which column is the answer: named, or said by its name; where neither decides, the user is asked."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import nliprobe
from nliprobe.base.errors import DataError, UsageError, command_line
from nliprobe.models._answer_columns import AnswerColumns, Named, Seen, choose_columns
from nliprobe.models.answers import Scores
from nliprobe.models.predictions import spec_spelling
from nliprobe.task.labels import LabelMap

FIVE = Path(__file__).with_name("files") / "five_systems.csv"
RIGHT = {"bow": 20, "lstm": 28, "bert": 33, "roberta": 39, "deberta": 43}
NAMES = ("entailment", "neutral", "contradiction")
PREDICTED = (
    "predicted_label", "pred_label", "prediction", "predictions", "predicted", "pred", "y_pred", "ypred", "yhat",
    "output", "answer", "model_label", "model_answer", "predictedLabel", "Predicted Label", "PRED-LABEL", "label_pred",
)  # fmt: skip
GOLD = ("gold_label", "gold", "goldLabel", "true_label", "y_true", "target", "reference_label")
LABELS = st.sampled_from([*NAMES, "E", "n", "Contradiction", None])


def choose(records: Sequence[Mapping[str, object]], named: Named | None = None, labels: str = "") -> AnswerColumns:
    seen = Seen()
    for record in records:
        seen.add(dict(record))
    return choose_columns(seen, named or Named(), LabelMap.parse(labels) if labels else LabelMap(), spec_spelling)


def respell(draw: st.DrawFn, name: str) -> str:
    words = name.replace("-", "_").replace(" ", "_").split("_")
    joined = draw(st.sampled_from(["_", "-", " ", "."])).join(words)
    return draw(st.sampled_from([joined, joined.upper(), joined.title(), joined.lower()]))


@st.composite
def spellings(draw: st.DrawFn, names: Sequence[str]) -> str:
    return respell(draw, draw(st.sampled_from(names)))


@given(
    spellings(PREDICTED),
    st.lists(st.sampled_from(["label", *GOLD]), unique=True, max_size=3),
    st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=5),
    st.randoms(use_true_random=False),
)
def test_a_name_that_says_predicted_wins_over_label_and_gold(
    predicted: str, golds: list[str], rows: list[tuple[str | None, str | None]], random: object
) -> None:
    header = ["id", "premise", "hypothesis", predicted, *golds]
    random.shuffle(header)  # type: ignore[attr-defined]
    records = [
        {name: answer if name == predicted else gold if name in golds else "text" for name in header}
        for answer, gold in rows
    ]
    chosen = choose(records)
    assert (chosen.label, chosen.scores, chosen.named) == (predicted, None, False)


@given(spellings(PREDICTED), spellings(PREDICTED), st.booleans())
def test_two_names_that_say_predicted_are_asked_about(one: str, two: str, with_label: bool) -> None:
    assume(one != two)
    record = {"id": "1", one: "entailment", two: "neutral"} | ({"label": "neutral"} if with_label else {})
    with pytest.raises(DataError, match="several columns could be the answer") as caught:
        choose([record])
    assert all(f"'{name}'" in str(caught.value) for name in (one, two))
    assert f"answer={one}" in str(caught.value)
    assert choose([record], Named(answer=two)).label == two


@given(st.sampled_from(GOLD), LABELS)
def test_a_name_that_says_gold_is_never_the_answer(gold: str, value: str | None) -> None:
    with pytest.raises(DataError, match="there is no answer"):
        choose([{"id": "1", gold: value}])
    assert choose([{"id": "1", gold: value}], Named(answer=gold)).label == gold


@given(st.permutations(["bert", "roberta", "bow"]), st.sampled_from(["{}_pred", "predicted_{}", "pred-{}"]))
def test_columns_of_several_systems_are_asked_about(systems: list[str], form: str) -> None:
    columns = [form.format(name) for name in systems]
    with pytest.raises(DataError, match="several columns could be the answer"):
        choose([{"id": "1", "label": "neutral"} | dict.fromkeys(columns, "entailment")])
    assert choose([{"id": "1", "label": "neutral", columns[0]: "entailment"}]).label == columns[0]


@pytest.mark.parametrize(
    ("record", "labels", "kind", "columns"),
    [
        ({"predicted_scores": [0.1, 0.2, 0.7]}, None, Scores.PROBABILITIES, ("predicted_scores",)),
        ({"predicted_scores": [-1, 0.2, 3]}, None, Scores.LOGITS, ("predicted_scores",)),
        ({"predicted_label": "E", "predicted_scores": [1, 0, 0]}, "predicted_label", Scores.PROBABILITIES,
         ("predicted_scores",)),
        ({"logits": [1, 2, 3], "probs": [0.1, 0.2, 0.7]}, None, Scores.PROBABILITIES, ("probs",)),
        ({"label": "E", "score": 0.98}, "label", None, ()),
        ({"prediction": [1.0, 2.0, 3.0]}, None, Scores.LOGITS, ("prediction",)),
        ({"prediction": "[0.2, 0.5, 0.3]"}, None, Scores.PROBABILITIES, ("prediction",)),
        ({"p_e": 0.5, "p_n": 0.3, "p_c": 0.2}, None, Scores.PROBABILITIES, ("p_e", "p_n", "p_c")),
        ({"entailment": 1.5, "neutral": 0.3, "contradiction": -2}, None, Scores.LOGITS, NAMES),
        ({"entailment_prob": "0.5", "not_entailment_prob": "0.5"}, None, Scores.PROBABILITIES,
         ("entailment_prob", "not_entailment_prob")),
        ({"bert_logits_1": 1, "bert_logits_0": 2, "bert_logits_2": 0}, None, Scores.LOGITS,
         ("bert_logits_0", "bert_logits_1", "bert_logits_2")),
        ({"prediction": "E", "prediction_time": 0.3, "pred_correct": True, "prediction_source": "gpu-3"}, "prediction",
         None, ()),
    ],
)  # fmt: skip
def test_scores_in_every_form(
    record: dict[str, object], labels: str | None, kind: Scores | None, columns: tuple[str, ...]
) -> None:
    chosen = choose([{"id": "1", **record}])
    assert chosen.label == labels
    assert (None if chosen.scores is None else chosen.scores.kind) == kind
    assert (() if chosen.scores is None else tuple(name for name, _ in chosen.scores.columns)) == columns


def test_scores_can_be_named_in_one_column_or_in_three() -> None:
    record: dict[str, object] = {"id": "1", "a": 0.1, "b": 0.7, "c": 0.2, "bert": [1.0, 2.0, 3.0]}
    three = choose([record], Named(scores="a,b,c")).scores
    assert three is not None
    assert (three.kind, three.columns) == (Scores.PROBABILITIES, (("a", "0"), ("b", "1"), ("c", "2")))
    one = choose([record], Named(scores="bert")).scores
    assert one is not None
    assert (one.kind, one.columns) == (Scores.LOGITS, (("bert", "0"),))
    with pytest.raises(DataError, match=r"there is no column 'd' \(scores=d\)"):
        choose([record], Named(scores="a,b,d"))
    with pytest.raises(DataError, match=r"there is no column 'brt' \(answer=brt\)\. Did you mean 'bert'"):
        choose([record], Named(answer="brt"))


def rows() -> list[dict[str, str]]:
    with FIVE.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def write(path: Path, records: Sequence[Mapping[str, object]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


class TestTheFileOfFiveSystems:
    """The gold label, the texts and five systems in one file, which is the corpus and the answers."""

    def test_none_is_chosen_for_the_user(self) -> None:
        with pytest.raises(DataError) as caught:
            nliprobe.score(FIVE, f"file:{FIVE}")
        message = str(caught.value)
        assert "several columns could be the answer" in message
        assert all(f"'predicted_{system}'" in message for system in RIGHT)
        assert 'answer_column="predicted_bow"' in message
        with command_line(), pytest.raises(DataError, match="--answer-column predicted_bow"):
            nliprobe.score(FIVE, f"file:{FIVE}")

    @pytest.mark.parametrize("system", list(RIGHT))
    def test_each_has_its_own_accuracy_once_it_is_named(self, system: str, tmp_path: Path) -> None:
        named = nliprobe.score(FIVE, f"file:{FIVE}", answer_column=f"predicted_{system}")
        assert named.accuracy == pytest.approx(RIGHT[system] / 48)
        assert named.document["unmatched"] == 0
        spec = f"predictions:{FIVE}?answer=predicted_{system}"
        made = nliprobe.run(spec, f"file:{FIVE}", out=tmp_path / "run")
        assert made.scores()["accuracy"].to_list() == [pytest.approx(RIGHT[system] / 48)]

    @pytest.mark.parametrize("column", PREDICTED)
    def test_one_system_beside_the_gold_label(self, column: str, tmp_path: Path) -> None:
        records = [{"id": row["id"], "label": row["label"], column: row["predicted_bert"]} for row in rows()]
        assert nliprobe.score(write(tmp_path / "a.jsonl", records), f"file:{FIVE}").accuracy == pytest.approx(33 / 48)

    def test_systems_without_a_telling_name_are_asked_about_if_label_is_gold(self, tmp_path: Path) -> None:
        records = [{"id": row["id"], "label": row["label"], "bert": row["predicted_bert"]} for row in rows()]
        with pytest.raises(DataError) as caught:
            nliprobe.score(write(tmp_path / "a.jsonl", records), f"file:{FIVE}")
        message = str(caught.value)
        assert "'label' equals the gold label in all 48 records" in message
        assert "Other columns that hold labels: bert" in message
        assert 'answer_column="bert"' in message
        assert nliprobe.score(tmp_path / "a.jsonl", f"file:{FIVE}", answer_column="bert").accuracy == 33 / 48
        assert nliprobe.score(tmp_path / "a.jsonl", f"file:{FIVE}", answer_column="label").accuracy == 1.0

    @pytest.mark.parametrize("column", ["label", "prediction"])
    def test_a_perfect_system_is_believed_if_its_column_is_named(self, column: str, tmp_path: Path) -> None:
        path = write(tmp_path / "a.jsonl", [{"id": row["id"], column: row["label"]} for row in rows()])
        with pytest.raises(DataError, match="equals the gold label in all 48 records"):
            nliprobe.score(path, f"file:{FIVE}")
        with pytest.raises(DataError, match=f"answer={column}"):
            nliprobe.run(f"predictions:{path}", f"file:{FIVE}")
        assert nliprobe.score(path, f"file:{FIVE}", answer_column=column).accuracy == 1.0
        few = f"file:{FIVE}?limit=29"
        assert nliprobe.score(path, few).accuracy == 1.0, "so few may all be right by chance"

    def test_frames_follow_the_same_rules(self) -> None:
        import polars as pl

        frame = pl.read_csv(FIVE)
        with pytest.raises(DataError, match="several columns could be the answer"):
            nliprobe.score(frame, f"file:{FIVE}")
        assert nliprobe.score(frame, frame, answer_column="predicted_lstm").accuracy == pytest.approx(28 / 48)
        shuffled = frame.select("id", y_pred="predicted_bert").sample(fraction=1, shuffle=True, seed=1)
        assert nliprobe.score(shuffled, frame).accuracy == pytest.approx(33 / 48)
        assert nliprobe.score(shuffled.to_dicts(), frame).accuracy == pytest.approx(33 / 48)
        assert nliprobe.score(frame["predicted_bow"], frame).accuracy == pytest.approx(20 / 48), "a series is in order"


class TestBareArrays:
    """Labels, codes and scores without ids, in the order of the corpus."""

    ORDER = "entailment,neutral,contradiction"

    def logits(self, system: str = "bert") -> list[list[float]]:
        return [[3.0 * (name == row[f"predicted_{system}"]) - 1 for name in NAMES] for row in rows()]

    @pytest.mark.parametrize(
        "form", ["npy", "npz", "json", "jsonl", "words.jsonl", "codes.json", "codes.npy", "words.json", "words.npy"]
    )
    def test_they_are_read_in_order(self, form: str, tmp_path: Path) -> None:
        path = tmp_path / f"answers.{form}"
        words = [row["predicted_bert"] for row in rows()]
        content: list[object] = list(self.logits())
        if "codes" in form:
            content = [NAMES.index(word) for word in words]
        elif "words" in form:
            content = list(words)
        if form.endswith("jsonl"):
            path.write_text("".join(json.dumps(item) + "\n" for item in content), encoding="utf-8")
        elif form.endswith("json"):
            path.write_text(json.dumps(content, indent=1), encoding="utf-8")
        elif form == "npz":
            np.savez(path, logits=np.array(content))
        else:
            np.save(path, np.array(content))
        labels = "" if "words" in form else self.ORDER
        assert nliprobe.score(path, f"file:{FIVE}", labels=labels, in_order=True).accuracy == pytest.approx(33 / 48)
        with pytest.raises(DataError, match=r"holds answers without ids.* add in_order=True"):
            nliprobe.score(path, f"file:{FIVE}", labels=labels)
        if labels:
            with pytest.raises(DataError, match=r"item 1: .*(declare|code)"):
                nliprobe.score(path, f"file:{FIVE}", in_order=True)
        spec = f"predictions:{path}?in_order=1" + (f"&labels={labels}" if labels else "")
        made = nliprobe.run(spec, f"file:{FIVE}")
        assert made.scores()["accuracy"].to_list() == [pytest.approx(33 / 48)]

    def test_a_list_with_a_header_is_a_table(self, tmp_path: Path) -> None:
        table = [["id", "label", "pred"], *([row["id"], row["label"], row["predicted_bert"]] for row in rows())]
        (tmp_path / "a.json").write_text(json.dumps(table), encoding="utf-8")
        assert nliprobe.score(tmp_path / "a.json", f"file:{FIVE}").accuracy == pytest.approx(33 / 48)

    def test_two_columns_are_a_two_way_model(self, tmp_path: Path) -> None:
        np.save(tmp_path / "a.npy", np.array([[2.0, 1.0]] * 48))
        scored = nliprobe.score(tmp_path / "a.npy", f"file:{FIVE}", labels="entailment,not_entailment", in_order=True)
        assert scored.document["partition"] == "E|NC"
        assert scored.accuracy == pytest.approx(16 / 48)

    def test_both_numbers_are_said_if_they_differ(self, tmp_path: Path) -> None:
        np.save(tmp_path / "a.npy", np.zeros((47, 3)))
        with pytest.raises(DataError, match="holds 47 answers, but 48 pairs of five_systems are asked"):
            nliprobe.score(tmp_path / "a.npy", f"file:{FIVE}", labels=self.ORDER, in_order=True)

    def test_ids_that_count_the_answers_must_be_in_order(self, tmp_path: Path) -> None:
        rows = [{"id": f"row{number}", "logits": scores} for number, scores in enumerate(self.logits())]
        path = tmp_path / "a.jsonl"

        def scored(records: Sequence[Mapping[str, object]]) -> float | None:
            path.write_text("".join(json.dumps(record) + "\n" for record in records))
            return nliprobe.score(path, f"file:{FIVE}", labels=self.ORDER, in_order=True).accuracy

        right = scored(rows)
        with pytest.raises(DataError, match=r"a\.jsonl, line 4: the id 'row7' counts the answers, but it is not"):
            scored([*rows[:3], rows[7], *rows[4:7], rows[3], *rows[8:]])
        # Ids with gaps, or of several kinds, do not count the answers.
        assert scored([*rows[:3], {**rows[3], "id": "row999"}, *rows[4:]]) == right
        assert scored([{**row, "id": f"{'ab'[place % 2]}{place}"} for place, row in enumerate(rows)]) == right

    def test_answers_in_order_are_of_one_corpus_and_of_no_probe(self, tmp_path: Path) -> None:
        np.save(tmp_path / "a.npy", np.array(self.logits()))
        spec = f"predictions:{tmp_path / 'a.npy'}?in_order=1&labels={self.ORDER}"
        with pytest.raises(UsageError, match="in the order of one corpus, but there are 2"):
            nliprobe.run(spec, [f"file:{FIVE}", f"file:{FIVE}?name=again"])
        with pytest.raises(DataError, match=r"answers only 0 of .* cases of swap of five_systems"):
            nliprobe.run(spec, f"file:{FIVE}", ["gold", "swap"])

    @pytest.mark.parametrize(
        ("write_file", "error", "message"),
        [
            (lambda path: np.save(path, np.array([{"a": 1}], dtype=object)), DataError, "does not unpickle"),
            (lambda path: path.write_bytes(b"\x93NUMPY no"), DataError, "cannot be read as"),
            (lambda path: path.write_bytes(b""), DataError, "cannot be read as"),
            (lambda path: np.save(path, np.zeros((2, 2, 3))), DataError, "its shape is 2 × 2 × 3"),
            (lambda path: np.save(path, np.float64(1)), DataError, "its shape is a single number"),
            (lambda path: np.save(path, np.zeros((48, 3), dtype=bool)), DataError, "should hold numbers or texts"),
            (lambda path: np.save(path, np.zeros((48, 4))), DataError, "item 1: there are 4 scores"),
            (lambda path: np.save(path, np.full((48, 3), np.nan)), DataError, "item 1: scores should be finite"),
            (lambda path: np.save(path, np.zeros((0, 3))), DataError, "is empty: it holds no answers"),
        ],
    )
    def test_malformed_arrays_are_refused_in_a_sentence(
        self, write_file: object, error: type[Exception], message: str, tmp_path: Path
    ) -> None:
        path = tmp_path / "a.npy"
        write_file(path)  # type: ignore[operator]
        with pytest.raises(error, match=message):
            nliprobe.score(path, f"file:{FIVE}", labels=self.ORDER, in_order=True)

    def test_several_arrays_in_one_file_are_refused(self, tmp_path: Path) -> None:
        np.savez(tmp_path / "a.npz", logits=np.zeros((48, 3)), labels=np.zeros(48))
        with pytest.raises(UsageError, match=r"holds 2 arrays \(logits, labels\)"):
            nliprobe.score(tmp_path / "a.npz", f"file:{FIVE}", labels=self.ORDER, in_order=True)

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ('["E", {"label": "E"}]', "item 2: expected a label or a list of scores"),
            ('["E", "perhaps so"]', "item 2: unknown label 'perhaps so'"),
            ('["E", [1, 2]]', "item 2: scores are given|item 2: there are 2 scores"),
            ('["E", ', "this is not JSON"),
            ("[]", "is empty|holds no"),
        ],
    )
    def test_malformed_lists_are_refused_with_their_place(self, content: str, message: str, tmp_path: Path) -> None:
        (tmp_path / "a.json").write_text(content, encoding="utf-8")
        with pytest.raises(DataError, match=message):
            nliprobe.score(tmp_path / "a.json", f"file:{FIVE}", in_order=True)


def test_a_record_without_its_answer_is_refused_and_never_read_as_gold(tmp_path: Path) -> None:
    records = [{"id": row["id"], "label": row["label"], "pred": row["predicted_bert"]} for row in rows()]
    del records[7]["pred"]
    with pytest.raises(DataError, match=r"line 8: there is no answer: this record has no 'pred'; .* write null"):
        nliprobe.score(write(tmp_path / "a.jsonl", records), f"file:{FIVE}")


def test_a_late_column_changes_the_choice_for_the_whole_file(tmp_path: Path) -> None:
    records: list[dict[str, object]] = [{"id": str(number), "label": "E"} for number in range(60)]
    path = write(tmp_path / "a.jsonl", [*records, {"id": "60", "label": "E", "predicted": "C"}])
    with pytest.raises(DataError, match="line 1: there is no answer: this record has no 'predicted'"):
        nliprobe.score(path, f"file:{FIVE}")


def test_encodings_and_formats_are_declared(tmp_path: Path) -> None:
    text = "id,prédit\n" + "".join(f"{row['id']},{row['predicted_bert']}\n" for row in rows())
    path = tmp_path / "réponses.txt.bak"
    path.write_bytes(text.encode("latin-1"))
    scored = nliprobe.score(
        path, f"file:{FIVE}", answer_column="prédit", file_format="csv", encoding="latin-1", id_column="id"
    )
    assert scored.accuracy == pytest.approx(33 / 48)
