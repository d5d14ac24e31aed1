"""Damaged and unfinished runs at every verb: refused with the files' names, read in part if asked, and repaired."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result
from scripts.bit_flips import flip
from tests.analysis.schemas import load_schema, validate

import nliprobe
from nliprobe.analysis.check import CheckDocument
from nliprobe.base.errors import NliprobeError, StoreError
from nliprobe.cli.main import cli
from nliprobe.store.frames import record_path
from nliprobe.store.run import RunFolder
from nliprobe.store.soundness import DamagedRunError

pytestmark = pytest.mark.faults

LABELS = "entailment,neutral,contradiction"
# As few cases as leave half a dozen shards.
SOURCE, SHARD = "builtin/tables-dev?limit=60", 100
ASKED: list[str] = []


def right(premises: Sequence[str], hypotheses: Sequence[str]) -> list[str]:
    ASKED.extend(["right"] * len(premises))
    return ["ENC"[blake2b(text.encode(), digest_size=1).digest()[0] % 3] for text in hypotheses]


def left(premises: Sequence[str], hypotheses: Sequence[str]) -> list[str]:
    ASKED.extend(["left"] * len(premises))
    return ["E" if len(text) % 2 else "C" for text in premises]


def ask(out: Path, *, kept: bool = True) -> nliprobe.Run:
    systems = [nliprobe.system(function, version="1" if kept else "") for function in (left, right)]
    return nliprobe.run(systems, SOURCE, ["gold", "rows.delete"], out, labels=LABELS, shard_size=SHARD)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("damaged")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLIPROBE_CACHE", str(folder / "cache"))
        ask(folder / "run")
    return folder


@pytest.fixture
def run(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the run, with a copy of its cache."""
    monkeypatch.setenv("NLIPROBE_CACHE", str(tmp_path / "cache"))
    shutil.copytree(whole / "cache", tmp_path / "cache")
    return Path(shutil.copytree(whole / "run", tmp_path / "run"))


def call(*words: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


def numbers(run: Path) -> str:
    shown = nliprobe.open_run(run).summary()
    assert shown["run"]["integrity"]["state"] == "complete"
    ordered = {key: shown[key] for key in ("scores", "gains", "transitions", "expectations")}
    return json.dumps({**ordered, "cases": shown["run"]["cases"]})


def predictions_of(run: Path, name: str) -> list[Path]:
    folder = RunFolder.open(run)
    return folder.files(folder.system(name).predictions)


def gut(run: Path) -> None:
    """Delete two thirds of the shards of one system, as in the report of this fault."""
    for path in predictions_of(run, "right")[1::2]:
        path.unlink()


def lose_a_system(run: Path) -> None:
    for path in predictions_of(run, "right"):
        path.unlink()
        record_path(path).unlink()


def zero_a_page(run: Path) -> None:
    path = predictions_of(run, "right")[0]
    content = path.read_bytes()
    path.write_bytes(bytes(512) + content[512:])


def tear(run: Path) -> None:
    path = RunFolder.open(run).files("cases")[1]
    path.write_bytes(path.read_bytes()[:1000])


def flip_a_bit(run: Path) -> None:
    flip(RunFolder.open(run).files("pairs")[0], random.Random(1))


DAMAGES = [gut, lose_a_system, zero_a_page, tear, flip_a_bit]
READERS: list[list[str]] = [
    ["show", "RUN"],
    ["show", "RUN", "--format", "json"],
    ["show", "RUN", "--failing", "2"],
    ["show", "RUN", "--by", "category"],
    ["report", "RUN", "-o", "OUT.html"],
    ["report", "RUN", "-o", "OUT.md"],
    ["report", "RUN", "-o", "OUT.json"],
    ["compare", "RUN", "--left", "left", "--right", "right"],
    ["gate", "RUN", "--baseline", "RUN", "--system", "right"],
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_every_verb_refuses_a_damaged_run_and_names_it(run: Path, damage: Callable[[Path], None]) -> None:
    damage(run)
    for words in READERS:
        done = call(*(word.replace("RUN", str(run)).replace("OUT", str(run.parent / "out")) for word in words))
        assert isinstance(done.exception, DamagedRunError), words
        assert "0000" in str(done.exception)
        assert f"nliprobe run --out {run}" in str(done.exception)
        assert "--partial" in str(done.exception)
    assert not list(run.parent.glob("out*")), "nothing half-written"


@pytest.mark.parametrize("words", READERS, ids=" ".join)
@pytest.mark.parametrize("damage", [gut, tear])
def test_partial_reads_the_rest_and_every_output_says_so(
    run: Path, damage: Callable[[Path], None], words: list[str]
) -> None:
    damage(run)
    out = run.parent / "out"
    done = call(*(word.replace("RUN", str(run)).replace("OUT", str(out)) for word in words), "--partial")
    assert done.exit_code == (3 if words[0] == "gate" else 0), done.output
    said = "".join([done.stdout, *(path.read_text() for path in run.parent.glob("out*"))])
    assert "This run is damaged and was read with --partial" in " ".join(said.replace("\\n", " ").split())


def test_a_partial_document_names_what_it_leaves_out(run: Path) -> None:
    gut(run)
    shown = json.loads(call("show", run, "--partial", "--format", "json").stdout)
    validate("show", shown)
    missing = [str(path.relative_to(run)) for path in sorted(run.rglob("*.json")) if path.parent.parent.name ==
               "predictions" and not path.with_suffix(".parquet").exists()]  # fmt: skip
    assert shown["run"]["integrity"]["left_out"] == [name.replace(".json", ".parquet") for name in missing]
    compared = nliprobe.compare(run, left="left", right="right", partial=True)
    validate("compare", compared.document)
    assert "no verdict" in repr(compared)
    assert "no verdict" in compared._repr_html_()
    assert "damaged" in repr(nliprobe.open_run(run))
    assert "is missing" in nliprobe.open_run(run)._repr_html_()
    assert "damaged" in nliprobe.open_run(run, partial=True)._repr_html_()


def test_a_gate_never_passes_on_a_part(run: Path) -> None:
    gut(run)
    outcome = nliprobe.gate(run, baseline=run, system="left", partial=True)
    validate("gate", outcome.document)
    assert not outcome
    assert outcome.document["checks"][0]["kind"] == "damaged"
    suite = ET.parse(outcome.junit(run.parent / "junit.xml")).getroot()[0]
    assert "--partial" in str(suite.findtext("system-out")) or "partial=True" in str(suite.findtext("system-out"))
    with pytest.raises(StoreError, match="cannot be made from a part"):
        nliprobe.open_run(run, partial=True).write_contract(run.parent / "c.yaml", system="left")


def test_an_unfinished_run_has_a_banner_and_no_verdict(run: Path) -> None:
    folder = RunFolder.open(run, writing=True)
    folder.reopen("right")
    for path in folder.files(folder.system("right").predictions)[2:]:
        path.unlink()
        record_path(path).unlink()
    assert "not complete" in " ".join(call("show", run).stdout.split())
    markdown = call("report", run, "-o", run.parent / "out.md")
    assert markdown.exit_code == 0
    text = (run.parent / "out.md").read_text()
    assert "**This run is not complete" in text
    assert "no control without premise" not in text, "the words of a verdict"
    assert "no verdict" in call("compare", run, "--left", "left", "--right", "right").stdout
    assert nliprobe.open_run(run).state == "unfinished"
    for word, path in (("--baseline", run), ("--write", run.parent / "c.yaml")):
        assert isinstance(call("gate", run, word, path, "--system", "left").exception, StoreError)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("kept", [True, False], ids=["from the cache", "asked again"])
def test_run_repairs_what_is_damaged(run: Path, whole: Path, damage: Callable[[Path], None], kept: bool) -> None:
    damage(run)
    if not kept:
        shutil.rmtree(run.parent / "cache" / "answers")
    ASKED.clear()
    again = ask(run)
    assert bool(ASKED) == (not kept and damage in (gut, lose_a_system, zero_a_page)), "only what is damaged is asked"
    assert "left" not in ASKED
    assert again.tally is not None
    assert numbers(run) == numbers(whole / "run")
    assert nliprobe.check(run)
    assert ask(run).tally is None, "complete, and nothing to ask"


def test_run_repairs_a_damaged_record(run: Path, whole: Path) -> None:
    chosen = random.Random(7)
    expected = sorted(json.loads(numbers(whole / "run"))["scores"], key=str)
    for path in (run / "run.json", *sorted((run / "systems").glob("*.json"))):
        for _ in range(3):
            flip(path, chosen)
            with pytest.raises(NliprobeError):
                numbers(run)
            ask(run)
            assert sorted(json.loads(numbers(run))["scores"], key=str) == expected


def test_run_does_not_touch_a_folder_of_an_unknown_suite(run: Path) -> None:
    (run / "run.json").write_bytes(bytes(400))
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    with pytest.raises(StoreError, match="cannot be told any more which suite"):
        ask(run)
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


def test_two_damaged_systems_are_repaired_by_two_commands(run: Path, whole: Path) -> None:
    for place, path in enumerate([predictions_of(run, name)[0] for name in ("left", "right")]):
        path.with_name(f"0000{place}.parquet").unlink()
    for function in (left, right):
        said: list[str] = []
        systems = [nliprobe.system(function, version="1")]
        nliprobe.run(systems, SOURCE, ["gold", "rows.delete"], run, labels=LABELS, shard_size=SHARD, say=said.append)
        assert any("It is made again" in line for line in said)
    assert numbers(run) == numbers(whole / "run")


def test_a_damaged_cache_is_set_aside_and_asked_again(run: Path, whole: Path) -> None:
    files = sorted((run.parent / "cache" / "answers").rglob("*.parquet"))
    for path in files:
        path.write_bytes(path.read_bytes()[:40] + bytes(4096) + path.read_bytes()[4136:])
    ASKED.clear()
    again = ask(run.parent / "again")
    assert set(ASKED) == {"left", "right"}
    assert again.tally is not None
    assert len(again.tally.damaged) == len(files)
    assert numbers(run.parent / "again") == numbers(whole / "run")


def test_check_says_what_is_wrong_and_changes_nothing(run: Path) -> None:
    assert set(load_schema("check")["properties"]) == set(CheckDocument.__annotations__)
    done = call("check", run, "--format", "json")
    document = json.loads(done.stdout)
    validate("check", document)
    assert (done.exit_code, document["sound"], document["state"], document["faults"]) == (0, True, "complete", [])
    assert document["verified"] == len([path for path in run.rglob("*") if path.is_file()])
    assert "every file is as it was written" in " ".join(call("check", run).stdout.split())
    (run / "report.html").write_text("mine")
    flip(RunFolder.open(run).files("facets")[0], random.Random(3))
    [index] = run.glob("index/*.npy")
    flip(index, random.Random(4))
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    done = call("check", run, "--format", "json")
    document = json.loads(done.stdout)
    validate("check", document)
    assert done.exit_code == 1
    assert [fault["file"] for fault in document["faults"]] == ["facets/00000.parquet", f"index/{index.name}"]
    assert document["others"] == ["report.html"]
    assert call("check", run).exit_code == 1
    flip(run / "run.json", random.Random(5))
    done = call("check", run, "--format", "json")
    assert (done.exit_code, json.loads(done.stdout)["faults"][0]["file"]) == (1, "run.json")
    assert "damaged" in repr(nliprobe.check(run))
    after = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    assert {path for path in before if before[path] != after[path]} == {run / "run.json"}
    assert set(before) == set(after)


def test_check_of_format_1_can_verify_nothing() -> None:
    done = call("check", Path(__file__).parents[1] / "store" / "data" / "format1", "--format", "json")
    document = json.loads(done.stdout)
    validate("check", document)
    assert (done.exit_code, document["verifiable"], document["verified"], document["format"]) == (1, False, 0, 1)
