"""The grid of ``nliprobe train`` with models that need no torch: layout, table, continuing, and what it refuses."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.analysis.schemas import validate
from tests.cli.helpers import nliprobe

import nliprobe as package
from nliprobe.base.errors import UsageError
from nliprobe.cli._values import Shares

WORDS = (
    "train", "svm", "svm?C=0.01&name=weak", "--train", "builtin/sentences-train", "--through", "swap",
    "--through-labels", "N,C", "--through-share", "0,0.5,1", "--stress", "builtin/sentences-dev",
    "--probes", "stress.overlap,stress.spelling",
)  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("grid") / "out"
    done = nliprobe(*WORDS, "--also", "builtin/sentences-train?limit=60", "--out", str(out))
    assert "[6/6] weak-100%: ready" in done.stderr
    assert "spelling" in done.stdout
    assert "deviation: the sum of (R - 1)² over 50 %, 100 %" in done.stdout.replace("\n", " ")
    return out


def test_layout_and_document(made: Path) -> None:
    document = json.loads((made / "grid.json").read_text())
    validate("grid", document)
    assert [model["name"] for model in document["models"]] == ["svm", "weak"]
    assert document["models"][1]["spec"] == "svm?C=0.01"
    for model in ("svm", "weak"):
        for share in ("0", "0.5", "1"):
            assert (made / model / f"share-{share}" / "trained.json").is_file()
    assert {(row["test"], row["corpus"]) for row in document["rows"]} == {
        *((test, "builtin/sentences-dev") for test in ("gold", "stress.overlap", "stress.spelling")),
        ("builtin/sentences-train?limit=60", "builtin/sentences-train?limit=60"),
    }
    # The runs can be looked at like any other.
    stress, also = (next((made / "runs").glob(f"{kind}-*")) for kind in ("stress", "also"))
    for run in (stress, also):
        shown = json.loads(nliprobe("show", str(run), "--format", "json").stdout)
        assert {item["name"] for item in shown["run"]["systems"]} == {
            f"{model}-{share}%" for model in ("svm", "weak") for share in (0, 50, 100)
        }
    entries = [item for item in shown["scores"] if item["system"] == "weak-50%"]
    [row] = [row for row in document["rows"] if (row["model"], row["test"]) == ("weak", entries[0]["corpus"])]
    assert row["scores"][1]["accuracy"] == entries[0]["accuracy"]
    assert row["scores"][1]["ci95"] == entries[0]["ci95"]


def test_the_same_command_is_free(made: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in made.rglob("*") if path.is_file() and path.name != "grid.json"}
    first = (made / "grid.json").read_bytes()
    # From another folder, too.
    done = nliprobe(*WORDS, "--also", "builtin/sentences-train?limit=60", "--out", made.name, cwd=made.parent)
    assert "shard" not in done.stderr
    assert (made / "grid.json").read_bytes() == first
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_one_more_share_adds_its_models(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(made, out)
    words = [*WORDS, "--also", "builtin/sentences-train?limit=60", "--deviation-over", "0.5,1", "--out", str(out)]
    words[words.index("0,0.5,1")] = "0,0.25,0.5,1"
    moved = nliprobe(*words, code=1).stderr
    assert f"If models were trained again or their folder was moved: delete {out / 'runs'}" in moved
    shutil.rmtree(out / "runs")
    nliprobe(*words, "--quiet")
    document = json.loads((out / "grid.json").read_text())
    assert document["shares"] == [0, 0.25, 0.5, 1]
    assert document["over"] == [0.5, 1]
    old = json.loads((made / "grid.json").read_text())
    assert document["deviations"] == old["deviations"], "25 % is trained, but not added up"


def test_python_gives_the_same(made: Path, tmp_path: Path) -> None:
    grid = package.grid(
        ["svm", "svm?C=0.01&name=weak"],
        "builtin/sentences-train",
        tmp_path / "out",
        through_labels="N,C",
        shares=[0, 0.5, 1],
        stress="builtin/sentences-dev",
        also=["builtin/sentences-train?limit=60"],
        probes=["stress.overlap", "stress.spelling"],
    )
    assert grid.document == json.loads((made / "grid.json").read_text())
    assert grid.failed == {}
    assert repr(grid) == f"<Grid in {tmp_path / 'out'}: 6 trainings, 8 deviations>"


def test_without_tests_there_are_only_models(tmp_path: Path) -> None:
    done = nliprobe("train", "svm", "majority", "--train", "builtin/sentences-train", "--out", str(tmp_path / "o"))
    assert done.stdout == ""
    assert sorted(path.parent.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("trained.json")) == [
        "o/majority/share-0",
        "o/svm/share-0",
    ]
    assert not (tmp_path / "o" / "grid.json").exists()


def test_one_model_and_one_share_is_as_before(tmp_path: Path) -> None:
    words = ("train", "svm", "--train", "builtin/sentences-train", "--through", "swap", "--through-share", "0.5")
    nliprobe(*words, "--out", str(tmp_path / "m"))
    assert (tmp_path / "m" / "trained.json").is_file()
    assert "--jobs is for several" in nliprobe(*words, "--jobs", "2", "--out", str(tmp_path / "m"), code=2).stderr


def test_a_model_that_fails_leaves_a_gap_and_the_others_go_on(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(made, out)
    # A folder that holds another model cannot be trained into.
    shutil.rmtree(out / "runs")
    shutil.rmtree(out / "weak" / "share-1")
    shutil.copytree(out / "svm" / "share-1", out / "weak" / "share-1")
    done = nliprobe(*WORDS, "--out", str(out), code=1)
    assert "weak-100% failed" in done.stderr
    assert "holds another trained model" in done.stderr
    document = json.loads((out / "grid.json").read_text())
    validate("grid", document)
    weak = [item for item in document["deviations"] if item["model"] == "weak"]
    assert all(item["deviation"] is None for item in weak)
    assert any(item["deviation"] for item in document["deviations"] if item["model"] == "svm")
    assert "weak-100% is missing" in done.stdout.replace("\n", " ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--through-share", "0,1.5"), "--through-share 1.5 should be a share from 0 to 1."),
        (("--through-share", "0,-1"), "--through-share -1.0 should be a share from 0 to 1."),
        (("--through-share", "0,nan"), "--through-share nan should be a share from 0 to 1."),
        (("--through-share", "0,half"), "'0,half' should be numbers with commas between, as in 0,0.5,1."),
        (("--through-share", "0.5,1"), "R compares each score with that of 0 % edited pairs: add 0 to"),
        (("--through", ""), "Shares or labels are given, but no probe: name it with --through swap."),
        (("--through-labels", "X"), "should be some of E, N, C, not 'X'"),
        (("--deviation-over", "0.75"), "cannot add up 75%, with which nothing is trained: add 0.75 to"),
        (("--stress", "builtin/tables-dev"), "builtin/tables-dev has tables as premises"),
        (("--train", "builtin/tables-train"), "has tables as premises"),
        (("--probes", "stress.overlop"), "Did you mean 'stress.overlap'?"),
        (("--stress", "builtin/sentences-devv"), "builtin"),
        (("--jobs", "0"), "x>=1"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_grid(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    base = list(WORDS)
    if words[0] in base and words[0] not in ("--stress", "--train"):
        place = base.index(words[0])
        del base[place : place + 2]
    done = nliprobe(
        *base, *words, "--out", str(tmp_path / "o"), code=1 if "devv" in words[1] or "lop" in words[1] else 2
    )
    assert message in done.stderr
    assert not (tmp_path / "o").exists(), "nothing was trained"


@pytest.mark.parametrize(
    ("models", "message", "code"),
    [
        (("smv", "majority"), "There is no model 'smv' to train. Did you mean 'svm'?", 1),
        (("esmi", "svm"), "There is no model 'esmi' to train. Did you mean 'esim'?", 1),
        (("svm", "svm"), "Two models are called 'svm'. Give one of them another name, as in svm?name=other.", 2),
        (("svm", "svm?c=1"), "'svm' has no parameter 'c'", 2),
        (("svm", "trained:x"), "'trained' does not learn. These do:", 2),
        (("svm", "esim"), "'esim' stops by a dev split: name it with --dev", 2),
    ],
)
def test_what_cannot_be_a_model_of_a_grid(models: tuple[str, ...], message: str, code: int, tmp_path: Path) -> None:
    done = nliprobe("train", *models, *WORDS[3:], "--out", str(tmp_path / "o"), code=code)
    assert message in done.stderr
    assert not (tmp_path / "o").exists()


def test_pairs_in_memory_are_trained_in_this_process(tmp_path: Path) -> None:
    pairs = [(f"A man eats lunch {n}.", f"A man eats {n}.", "ENC"[n % 3]) for n in range(30)]
    made = package.grid(
        "svm", pairs, tmp_path / "o", shares=[0, 1], through_labels="N,C", stress=pairs, probes="stress.overlap"
    )
    assert made.document is not None
    assert [row["test"] for row in made.document["rows"]] == ["gold", "stress.overlap"]
    with pytest.raises(UsageError, match="read their pairs themselves"):
        package.grid("svm", pairs, tmp_path / "p", shares=[0, 1], jobs=2)


def test_shares() -> None:
    kind = Shares()
    assert kind.convert("0,0.5,0.5", None, None) == (0.0, 0.5)
    assert kind.convert(1, None, None) == (1.0,)
    assert kind.convert([0, 0.25], None, None) == (0.0, 0.25)
