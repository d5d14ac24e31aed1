"""The network that comes with the package: the same answers as torch gives, sound on hostile texts, and no torch."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripts.build_small import torch_probabilities

from nliprobe.base.errors import DataError
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS, _small_files, small
from nliprobe.models._small_files import FOLDER, MANIFEST, WEIGHTS, read
from nliprobe.models._small_network import SmallNetwork, Tensors
from nliprobe.models.small import LONGEST, Small
from nliprobe.models.system import System, SystemSpec
from nliprobe.models.vocabulary import EMPTY, WORDS
from nliprobe.stats.calibration import calibration_error
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import LETTERS
from nliprobe.task.pair import Pair
from nliprobe.task.source import PairSource
from nliprobe.task.sources import open_source

HOSTILE = [
    ("", ""),
    ("A dog runs.", ""),
    ("", "Nobody sleeps."),
    ("word " * 3000, "A word."),
    ("👩‍🔬🎉 ‮القاهرة‬ 東京都", "مرحبا 𝔘𝔫𝔦 e\u0301tude"),
    ("\x00\x1b", "(" * 5000),
    ("don't-stop-3.5-km_____", "X-ray's \ud800"),
]
SENTENCES = [
    ("A man is playing a guitar on stage.", "A man is playing an instrument."),
    ("Two dogs run on a beach.", "The animals are sleeping indoors."),
    ("A woman in a red coat waits for the bus.", "She waits for her sister."),
]


@pytest.fixture(scope="module")
def model() -> Small:
    return Small()


def inputs(pairs: list[tuple[str, str]]) -> list[Input]:
    return [Input(str(place), (premise,), hypothesis) for place, (premise, hypothesis) in enumerate(pairs)]


def shares(answers: Sequence[Prediction]) -> np.ndarray:
    return np.array([answer.probabilities for answer in answers], dtype=np.float64)


def random_tensors(words: int = 60, width: int = 7, hidden: int = 5) -> dict[str, np.ndarray]:
    draw = np.random.default_rng(0)
    return {
        name: draw.normal(0, 0.4, shape).astype(np.float32)
        for name, shape in Tensors(words, width, hidden).shapes().items()
    }


def test_it_answers_sentences_sensibly(model: Small) -> None:
    assert [str(answer.label) for answer in model.predict(inputs(SENTENCES))] == ["E", "C", "N"]


@pytest.mark.parametrize("pairs", [SENTENCES, HOSTILE])
def test_probabilities_are_probabilities(model: Small, pairs: list[tuple[str, str]]) -> None:
    answers = model.predict(inputs(pairs))
    found = shares(answers)
    assert found.sum(1) == pytest.approx(1, abs=1e-9)
    assert ((found >= 0) & (found <= 1)).all()
    assert [LETTERS[place] for place in found.argmax(1)] == [str(answer.label) for answer in answers]


def test_neither_neighbours_nor_their_order_matter(model: Small) -> None:
    pairs = [*SENTENCES, *HOSTILE]
    together = shares(model.predict(inputs(pairs)))
    turned = shares(model.predict(inputs(pairs[::-1])))[::-1]
    alone = np.concatenate([shares(model.predict(inputs([pair]))) for pair in pairs])
    assert together == pytest.approx(turned, abs=1e-5)
    assert together == pytest.approx(alone, abs=1e-5)


def test_no_inputs_have_no_answers(model: Small) -> None:
    assert model.predict([]) == []


def test_long_texts_are_cut_and_counted() -> None:
    model = Small()
    model.predict(inputs([("word " * (LONGEST + 1), "A word."), ("word " * LONGEST, "A word.")]))
    home, cut = model.notes()
    assert home.startswith("It learnt from SNLI and MultiNLI. On SNLI's test set it gets 7")
    assert cut == "1 of 2 premises were cut to fit the window."


def test_without_a_premise_the_premise_plays_no_part() -> None:
    system = System.build(SystemSpec.parse("small?premise=none"))
    one, two = (
        system.reader.read_pair(Pair(name, premise, "A man sleeps."))
        for name, premise in (("a", "A man sleeps deeply."), ("b", "Nobody is here."))
    )
    assert system.model.predict([one]) == system.model.predict([two])
    full = System.build(SystemSpec.parse("small"))
    asked = full.reader.read_pair(Pair("a", "A man sleeps deeply.", "A man sleeps."))
    assert full.model.predict([asked]) != system.model.predict([one])
    # What is asked decides who answers: a premise of no word is none, alone and beside others.
    empty = [Input("x", (" \n",), "A man sleeps."), asked, Input("y", (), "A man sleeps.")]
    assert shares(full.model.predict(empty)) == pytest.approx(
        shares([*system.model.predict([one]), *full.model.predict([asked]), *system.model.predict([one])]), abs=1e-6
    )


def test_it_takes_no_parameters() -> None:
    assert MODELS.get("small") is Small
    with pytest.raises(Exception, match="takes no parameters"):
        Small.from_spec(Spec.parse("small?hidden=3"), None)


def test_loading_and_answering_import_no_torch() -> None:
    code = (
        "import sys; from nliprobe.models.small import Small; from nliprobe.task.case import Input; "
        "Small().predict([Input('a', ('A dog runs.',), 'An animal moves.')]); "
        "print([name for name in ('torch', 'transformers', 'scipy', 'sklearn') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=dict(os.environ))
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr


def test_the_files_fit_into_four_megabytes() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= 4_000_000


def damaged(folder: Path, name: str, content: bytes | None) -> None:
    shutil.copytree(FOLDER, folder)
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (WEIGHTS, b"torn", "weights.safetensors is not the file that came with nliprobe"),
        (WEIGHTS, None, "cannot read"),
        (WORDS, b"one\ntwo\n", "words.txt is not the file that came with nliprobe"),
        (MANIFEST, b'{"format": 1, "files": {}}', "lacks the key"),
        (MANIFEST, b'{"format": 9}', "expected format 1"),
    ],
)
def test_a_damaged_file_is_named_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes | None, words: str
) -> None:
    damaged(tmp_path / "data", name, content)
    monkeypatch.setattr(small, "FOLDER", tmp_path / "data")
    for use in (Small().check, lambda: Small().predict(inputs(SENTENCES))):
        with pytest.raises(DataError, match=words) as caught:
            use()
        assert "Install nliprobe again." in str(caught.value)


def test_weights_of_another_shape_are_refused(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    damaged(tmp_path / "data", MANIFEST, b"")
    save_file(random_tensors(words=3), tmp_path / "data" / WEIGHTS)
    files = {name: {"digest": content} for name, content in _small_files.digests(tmp_path / "data").items()}
    (tmp_path / "data" / MANIFEST).write_text(json.dumps({"format": 1, "files": files}))
    with pytest.raises(DataError, match=r"holds \(3, 7\) as 'words.weight'; the network asks for"):
        read(tmp_path / "data")


def test_another_file_is_another_fingerprint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Small().fingerprint()
    damaged(tmp_path / "data", WEIGHTS, b"torn")
    monkeypatch.setattr(small, "FOLDER", tmp_path / "data")
    assert Small().fingerprint() != before


texts = st.lists(st.lists(st.integers(1, 59), min_size=1, max_size=9), min_size=1, max_size=6)


@settings(deadline=None, max_examples=40)
@given(texts, st.data())
def test_numpy_computes_what_torch_computes(premises: list[list[int]], data: st.DataObject) -> None:
    pytest.importorskip("torch", reason="the [torch] extra is not installed")
    hypotheses = data.draw(st.lists(texts.map(lambda rows: rows[0]), min_size=len(premises), max_size=len(premises)))
    tensors = random_tensors()
    ours = np.array(SmallNetwork(tensors).probabilities(premises, hypotheses))
    assert ours == pytest.approx(torch_probabilities(tensors, premises, hypotheses), abs=1e-5)


def test_shipped_weights_answer_as_in_torch(model: Small) -> None:
    pytest.importorskip("torch", reason="the [torch] extra is not installed")
    files = read(FOLDER)
    pairs = [*SENTENCES, *HOSTILE[:4]]
    pairs += [(str(pair.premise), pair.hypothesis) for pair in open_source("builtin/sentences-dev").pairs()]
    premises, hypotheses = (
        [files.vocabulary.read_text(text, LONGEST)[0] for text in column] for column in zip(*pairs, strict=True)
    )
    seeing = [place for place, (premise, _) in enumerate(pairs) if premise]
    expected = torch_probabilities(
        files.full, [premises[place] for place in seeing], [hypotheses[place] for place in seeing]
    )
    assert shares(model.predict(inputs(pairs)))[seeing] == pytest.approx(expected, abs=1e-3)
    blind = [("", hypothesis) for _, hypothesis in pairs]
    expected = torch_probabilities(files.without_premise, [[EMPTY]] * len(pairs), hypotheses)
    assert shares(model.predict(inputs(blind))) == pytest.approx(expected, abs=1e-3)


def snli(split: str) -> PairSource:
    try:
        source = open_source(f"snli/{split}")
    except Exception as error:
        pytest.skip(f"SNLI is not on this machine: {error}")
    return source


def answered(model: Small, source: PairSource, *, premise: bool = True) -> tuple[np.ndarray, np.ndarray]:
    pairs = [pair for pair in source.pairs() if pair.gold is not None]
    found = shares(model.predict(inputs([(str(pair.premise) * premise, pair.hypothesis) for pair in pairs])))
    golds = np.array([LETTERS.index(str(pair.gold)) for pair in pairs])
    return found, found.argmax(1) == golds


def test_it_is_good_on_its_own_test_set_and_uses_the_premise(model: Small) -> None:
    source = snli("test")
    assert answered(model, source)[1].mean() >= 0.74
    blind = answered(model, source, premise=False)[1].mean()
    assert 0.55 <= blind <= 0.70


def test_its_probabilities_are_calibrated(model: Small) -> None:
    found, right = answered(model, snli("dev"))
    assert calibration_error(found.max(1), right) <= 0.03
