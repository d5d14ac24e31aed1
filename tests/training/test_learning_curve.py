"""What a training says about itself: log, picture and the lines of the verb."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.cli.helpers import nliprobe
from tests.training.watching import Notes
from tests.training.word_networks import corpus, request, write_vectors

from nliprobe.api.train import CURVE, LOG, train
from nliprobe.models.system import System, SystemSpec
from nliprobe.models.trained_record import TrainedRecord
from nliprobe.models.zoo import NETWORKS
from nliprobe.task.case import Input

pytest.importorskip("torch", reason="the [torch] extra is not installed")


def test_a_picture_that_decides_no_answer_is_kept(tmp_path: Path) -> None:
    [trained] = train(request("cbow", "none", corpus(tmp_path), width=6), tmp_path / "out", Notes())
    log = json.loads((trained.folder / LOG).read_text())
    assert len(log["dev"]) == len(log["loss"]) == 2
    assert log["constant"] == trained.constant == pytest.approx(11 / 32), "of 32 pairs, 11 are entailments"
    curve = trained.folder / CURVE
    assert "a constant answer: 34.4" in curve.read_text(encoding="utf-8")
    assert CURVE not in (TrainedRecord.read(trained.folder).files or {})
    asked = [Input("0" * 24, ("a dog runs",), "the dog runs")]
    before = System.build(SystemSpec.parse(f"trained:{trained.folder}?device=cpu"))
    curve.write_text("another picture")
    after = System.build(SystemSpec.parse(f"trained:{trained.folder}?device=cpu"))
    assert after.fingerprint() == before.fingerprint()
    assert after.model.predict(asked)[0].probabilities == before.model.predict(asked)[0].probabilities
    [again] = train(request("cbow", "none", corpus(tmp_path), width=6), tmp_path / "out", Notes())
    assert (again.result, again.dev, again.constant) == (None, trained.dev, trained.constant)


def test_the_verb_says_how_training_went(tmp_path: Path) -> None:
    pairs, out = corpus(tmp_path), str(tmp_path / "out")
    spec = "cbow?vectors=none&width=6&hidden=8&epochs=3&device=cpu"
    done = nliprobe("train", spec, "--train", pairs, "--dev", pairs, "--out", out)
    assert "best on dev" in done.stdout
    assert "(a constant answer: 34.38)" in done.stdout
    assert "dev by epoch " in done.stderr
    assert f"{out}/seed-0/{CURVE}" in done.stderr
    quiet = nliprobe("train", spec, "--train", pairs, "--dev", pairs, "--out", out, "--quiet")
    assert (quiet.stdout, quiet.stderr) == ("", "")


def test_the_help_names_every_network() -> None:
    text = " ".join(nliprobe("train", "--help").stdout.split())
    assert not [name for name in NETWORKS.names() if name not in text]
    assert "{networks}" not in text


def test_vectors_of_another_language_are_noticed(tmp_path: Path) -> None:
    vectors = write_vectors(tmp_path / "vectors")
    notes = Notes()
    train(request("cbow", vectors, corpus(tmp_path)), tmp_path / "out", notes)
    assert any(re.fullmatch(r"\d\.\d % of the words in the training pairs have no word vector", x) for x in notes.lines)
    (tmp_path / "hindi.txt").write_text("यह 1 2 3\nकिताब 4 5 6\n", encoding="utf-8")
    train(request("cbow", tmp_path / "hindi.txt", corpus(tmp_path)), tmp_path / "other", notes)
    assert "100.0 % of the words in the training pairs have no word vector; are these vectors of the" in notes.lines[-3]
