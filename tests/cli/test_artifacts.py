"""``nliprobe data artifacts`` and ``nliprobe show RUN --artifacts`` as users type them."""

from __future__ import annotations

import json
from inspect import signature
from pathlib import Path

import pytest
from tests.analysis.runs import write_run
from tests.analysis.schemas import validate
from tests.analysis.test_artifacts_run import CASES, SYSTEMS
from tests.cli.helpers import nliprobe, nliprobe_json

from nliprobe.analysis.artifacts.words import WordChoice
from nliprobe.api.artifacts import artifacts, data_artifacts
from nliprobe.api.face import open_run
from nliprobe.api.results import Run
from nliprobe.cli.artifacts_verb import command


@pytest.fixture
def folder(tmp_path: Path) -> str:
    (tmp_path / "runs").mkdir()
    return str(write_run(tmp_path / "runs", {"x/test": CASES}, SYSTEMS, shard=100).path)


@pytest.fixture
def pairs(tmp_path: Path) -> str:
    path = tmp_path / "pairs.jsonl"
    rows = [{"premise": case.id, "hypothesis": case.hypothesis, "label": str(case.gold)} for case in CASES]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return f"file:{path}"


def test_defaults_are_the_same_everywhere() -> None:
    chosen = WordChoice()._asdict()
    for function in (data_artifacts, artifacts, Run.artifacts):
        defaults = {name: item.default for name, item in signature(function).parameters.items()}
        assert chosen.items() <= defaults.items()
    given = {item.name: item.default for item in command.params}
    assert chosen.items() <= given.items()


def test_data_artifacts_in_all_forms(pairs: str, tmp_path: Path) -> None:
    out = tmp_path / "words.json"
    document = nliprobe_json("data", "artifacts", pairs, "--top", "2", "--min-count", "5", "-o", str(out))
    validate("data-artifacts", document)
    assert document == json.loads(out.read_text(encoding="utf-8"))
    assert (document["top"], document["min_count"], document["smoothing"]) == (2, 5, 100)
    assert document == data_artifacts(pairs, top=2, min_count=5)
    assert "nobody" in nliprobe("data", "artifacts", pairs, "--smoothing", "1").stdout


@pytest.mark.parametrize("wrong", [("--top", "0"), ("--min-count", "0"), ("--smoothing", "-1"), ("--smoothing", "nan")])
def test_nonsense_is_refused(pairs: str, wrong: tuple[str, str]) -> None:
    assert wrong[0] in nliprobe("data", "artifacts", pairs, *wrong, code=2).stderr


def test_tables_and_splits(tmp_path: Path) -> None:
    names = [item["name"] for item in nliprobe_json("data", "artifacts", "builtin")["corpora"]]
    assert {"builtin/tables-dev", "builtin/sentences-dev"} <= set(names)


def test_show_with_own_words_a_corpus_and_a_file(folder: str, pairs: str, tmp_path: Path) -> None:
    own = nliprobe_json("show", folder, "--artifacts")
    validate("artifacts", own)
    assert own["own"]
    chosen = nliprobe_json("show", folder, "--artifacts", pairs)
    assert chosen["words"][0]["chosen_on"] == ["pairs"]
    out = tmp_path / "words.json"
    nliprobe("data", "artifacts", pairs, "-o", str(out))
    assert nliprobe_json("show", folder, "--artifacts", str(out))["entries"] == chosen["entries"]
    assert open_run(folder).artifacts(out)["entries"] == chosen["entries"]
    assert "its answers go with these words" in nliprobe("show", folder, "--artifacts", str(out)).stdout
    page = tmp_path / "page.html"
    nliprobe("report", folder, "--artifacts", str(out), "-o", str(page))
    assert '<h2 id="artifacts">' in page.read_text(encoding="utf-8")


def test_what_is_not_there(folder: str, pairs: str) -> None:
    assert "Did you mean 'snli" in nliprobe("show", folder, "--artifacts", "snlj/train", code=1).stderr
    assert "Cannot read" in nliprobe("show", folder, "--artifacts", "absent.json", code=1).stderr
    file = pairs.removeprefix("file:")
    assert f"write file:{file}" in nliprobe("show", folder, "--artifacts", file, code=1).stderr


def test_files_as_people_have_them(tmp_path: Path) -> None:
    """Emoji, right-to-left text, hypotheses without a word, unlabelled pairs and a few identical texts."""
    path = tmp_path / "own.csv"
    lines = ["premise,hypothesis,label"]
    for number in range(60):
        lines += [
            f"رجل {number},لا أحد هنا,contradiction",
            f"🙂 {number},👍,neutral",
            f"same {number},same {number},entailment",
        ]
    lines += ["x,…,entailment", "x,y,-"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    [corpus] = nliprobe_json("data", "artifacts", f"file:{path}")["corpora"]
    assert corpus["unlabelled"] == 1
    assert corpus["wordless"] == 61
    assert {entry["word"] for entry in corpus["words"]["C"]} == {"لا", "أحد", "هنا"}
    assert "أحد" in nliprobe("data", "artifacts", f"file:{path}").stdout


def test_another_encoding_is_an_error_or_read_as_told(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    rows = ["premise,hypothesis,label", *("un café,un thé,contradiction" for _ in range(30)), "x,y,entailment"]
    path.write_bytes(("\n".join(rows) + "\n").encode("latin-1"))
    done = nliprobe("data", "artifacts", f"file:{path}", code=1)
    assert "UTF-8" in done.stderr
    [corpus] = nliprobe_json("data", "artifacts", f"file:{path}?encoding=latin-1")["corpora"]
    assert "thé" in {entry["word"] for entry in corpus["words"]["C"]}
