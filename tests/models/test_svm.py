from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import DataError, ModelError, NliprobeError, UsageError
from nliprobe.base.files import read_json, write_json
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS
from nliprobe.models._ngrams import ngrams, tokens
from nliprobe.models.base import Example
from nliprobe.models.svm import Svm, SvmParams
from nliprobe.task.case import Input
from nliprobe.task.labels import LabelSet

PAIRS = [
    ("Oslo is big. ", "Oslo is a city.", "E"),
    ("Oslo is big. ", "Oslo is never small.", "E"),
    ("A man sleeps. ", "A man is not awake.", "E"),
    ("A man sleeps. ", "Nobody sleeps.", "C"),
    ("A dog runs. ", "Nobody runs.", "C"),
    ("Oslo is big. ", "Nobody lives in Oslo.", "C"),
    ("A dog runs. ", "The dog is probably tall.", "N"),
    ("A man sleeps. ", "The man is probably old.", "N"),
    ("Oslo is big. ", "Oslo is probably nice.", "N"),
]


def examples(labels: str = "ENC") -> list[Example]:
    return [Example(Input("", (p, p), h), LabelSet.of(y)) for p, h, y in PAIRS if y in labels]


def trained(labels: str = "ENC", **params: float) -> Svm:
    model = Svm(SvmParams(**params))  # type: ignore[arg-type]
    model.fit(examples(labels))
    return model


def test_svm_learns_what_is_in_the_words() -> None:
    model = trained(C=10)
    assert [answer.label for answer in model.predict([e.input for e in examples()])] == [e.gold for e in examples()]
    assert all(answer.probabilities is None for answer in model.predict([e.input for e in examples()]))
    assert str(model.partition) == "E|N|C"
    assert model.notes() == []


@pytest.mark.parametrize("labels", ["ENC", "EC"])
def test_svm_answers_as_scikit_learn_does(labels: str) -> None:
    from scipy.sparse import csr_matrix
    from sklearn.svm import LinearSVC

    from nliprobe.models import svm

    params = SvmParams(C=0.3, premise_weight=0.5, seed=3)
    asked = [*examples(labels), *[Example(Input("", (p,), h + p), LabelSet.of("E")) for p, h, _ in PAIRS]]
    matrix, names = svm._counts(examples(labels), params)
    machine = LinearSVC(C=0.3, tol=svm.STOP, max_iter=svm.MOST_ROUNDS, random_state=3, dual=True)
    machine.fit(matrix, [labels.index(str(e.gold)) for e in examples(labels)])
    rows = np.zeros((len(asked), len(names)))
    for row, item in zip(rows, asked, strict=True):
        for weight, text in ((0.5, item.input.premise), (1.0, item.input.hypothesis)):
            for name in ngrams(tokens(text)):
                if name in names:
                    row[names.index(name)] += weight
    assert np.allclose(matrix.toarray(), rows[: matrix.shape[0]])
    model = Svm(params)
    model.fit(examples(labels))
    inputs = [e.input for e in asked]
    expected = [labels[index] for index in machine.predict(csr_matrix(rows))]
    assert [str(answer.label) for answer in model.predict(inputs)] == expected
    margins = machine.decision_function(csr_matrix(rows))
    assert np.allclose(model.margins(inputs), margins if len(labels) > 2 else np.column_stack([-margins, margins]))


def test_ngrams_that_always_come_together_are_learnt_as_one() -> None:
    from sklearn.svm import LinearSVC

    from nliprobe.models import svm

    params = SvmParams(C=0.3, premise_weight=0.5)
    matrix, names = svm._counts(examples(), params)
    places, counts = svm._equal_columns(matrix)
    dense = matrix.toarray()
    assert len(counts) < len(names), "there are some"
    for left in range(len(names)):
        for right in range(left):
            assert (places[left] == places[right]) == bool((dense[:, left] == dense[:, right]).all())
    assert counts.tolist() == [int((places == number).sum()) for number in range(len(counts))]
    gold = ["ENC".index(str(item.gold)) for item in examples()]
    weights, intercept, _ = svm._train(matrix, gold, params)
    plain = LinearSVC(C=0.3, tol=svm.STOP, max_iter=svm.MOST_ROUNDS, random_state=0, dual=True).fit(matrix, gold)
    np.testing.assert_allclose(weights, plain.coef_.T, atol=1e-12)
    np.testing.assert_allclose(intercept, plain.intercept_, atol=1e-12)


def test_svm_learns_blocks_and_leaves_out_the_undecided() -> None:
    two_way = [Example(e.input, LabelSet.of("NC") if str(e.gold) != "E" else e.gold) for e in examples()]
    model = Svm(SvmParams(C=10))
    model.fit(two_way)
    assert str(model.partition) == "E|NC"
    assert [answer.label for answer in model.predict([e.input for e in two_way])] == [e.gold for e in two_way]
    mixed = Svm()
    mixed.fit([*examples(), Example(Input("", (), "zebra"), LabelSet.of("NC"))])
    assert mixed._learnt is not None
    assert "zebra" not in mixed._learnt.vocabulary


def test_svm_min_count_counts_pairs_not_occurrences() -> None:
    model = Svm(SvmParams(min_count=3))
    model.fit([*examples(), Example(Input("", ("zebra",), "zebra zebra"), LabelSet.of("E"))])
    assert model._learnt is not None
    assert "nobody" in model._learnt.vocabulary
    assert not {"nice", "zebra"} & set(model._learnt.vocabulary)
    with pytest.raises(DataError, match="lower min_count"):
        trained(min_count=100)


def test_svm_survives_a_folder_and_needs_no_scikit_learn_to_answer(tmp_path: Path) -> None:
    model = trained(C=1, premise_weight=0.5, seed=7)
    model.save(tmp_path)
    again = Svm()
    again.load(tmp_path)
    asked = [e.input for e in examples()]
    assert again.predict(asked) == model.predict(asked)
    assert again.params == model.params
    assert sorted(path.name for path in tmp_path.glob("*.*")) == [
        "config.json",
        "vocabulary.txt",
        "weights.safetensors",
    ]
    check = (
        "import sys; from pathlib import Path; from nliprobe.models.svm import Svm; "
        "from nliprobe.task.case import Input; "
        f"m = Svm(); m.load(Path({str(tmp_path)!r})); m.predict([Input('', ('a ', 'b'), 'c')]); "
        "print([name for name in ('sklearn', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@given(st.lists(st.text(min_size=1), min_size=2, max_size=6))
def test_svm_vocabulary_survives_any_text(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    learnt_from = [Example(Input("", (), f"{t} w"), LabelSet.of("EN"[i % 2])) for i, t in enumerate([*texts, "\ud800"])]
    folder = tmp_path_factory.mktemp("model")
    model, again = Svm(), Svm()
    model.fit(learnt_from)
    model.save(folder)
    again.load(folder)
    assert model._learnt is not None
    assert again._learnt is not None
    assert again._learnt.vocabulary == model._learnt.vocabulary
    assert np.array_equal(again._learnt.weights, model._learnt.weights)


def test_svm_fit_is_the_same_every_time() -> None:
    first, second = trained(C=1), trained(C=1)
    assert first._learnt is not None
    assert second._learnt is not None
    assert np.array_equal(first._learnt.weights, second._learnt.weights)


def test_svm_says_when_training_was_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nliprobe.models.svm.MOST_ROUNDS", 1)
    assert "still changing after 1 rounds" in trained(C=1000).notes()[0]


def test_svm_fingerprint_follows_the_parameters() -> None:
    prints = {Svm.from_spec(Spec.parse(t), None).fingerprint() for t in ("svm", "svm?C=0.05", "svm?C=1", "svm?seed=1")}
    assert len(prints) == 3
    assert MODELS.get("svm") is Svm


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("svm?C=0", "'svm\\?C' should be a positive number"),
        ("svm?C=nan", "positive number"),
        ("svm?C=x", "should be a number"),
        ("svm?min_count=0", "at least 1"),
        ("svm?premise_weight=-1", "not be negative"),
        ("svm?seed=-1", "from 0 to"),
        ("svm?c=1", "no parameter 'c'. Available: C"),
        ("svm:folder", "takes parameters after"),
    ],
)
def test_svm_refuses_parameters_that_make_no_sense(spec: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Svm.from_spec(Spec.parse(spec), None)


def test_svm_must_be_trained_on_two_labels_at_least() -> None:
    with pytest.raises(ModelError, match="has not been trained"):
        Svm().predict([Input("", (), "h")])
    with pytest.raises(ModelError, match="has not been trained"):
        Svm().save(Path("nowhere"))
    with pytest.raises(DataError, match="at least two labels to learn from, but all are C"):
        trained("C")


@pytest.mark.parametrize(
    "fault", ["cut", "longer", "other", "shape", "torn", "nan", "config", "params", "classes", "gone"]
)
def test_svm_refuses_a_damaged_folder(tmp_path: Path, fault: str) -> None:
    from safetensors.numpy import load_file, save_file

    model = trained()
    model.save(tmp_path)
    words, tensors, config = (tmp_path / name for name in ("vocabulary.txt", "weights.safetensors", "config.json"))
    text, arrays, content = words.read_text(encoding="utf-8"), load_file(tensors), read_json(config)
    match fault:
        case "cut":
            words.write_text(text[: len(text) // 2], encoding="utf-8")
        case "longer":
            words.write_text(text + "more\n", encoding="utf-8")
        case "other":
            words.write_text("\n".join(reversed(text.split("\n")[:-1])) + "\n", encoding="utf-8")
        case "shape":
            save_file({**arrays, "weights": arrays["weights"][1:].copy()}, tensors)
        case "torn":
            tensors.write_bytes(tensors.read_bytes()[:100])
        case "nan":
            save_file({**arrays, "intercept": arrays["intercept"] * np.nan}, tensors)
        case "config":
            write_json(config, {**content, "format": 99})
        case "params":
            write_json(config, {**content, "params": {"C": "high"}})
        case "classes":
            write_json(config, {**content, "classes": ["E", "E", "?"]})
        case "gone":
            tensors.unlink()
    with pytest.raises(NliprobeError, match=str(tmp_path)):
        Svm().load(tmp_path)
