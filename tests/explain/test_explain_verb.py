"""``nliprobe explain``: cases of a run, pairs of one's own, and what cannot be explained."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.analysis.schemas import validate
from tests.cli.helpers import nliprobe, nliprobe_json

from nliprobe.api.explain import ExplainOptions, explain_cases, explain_pairs
from nliprobe.api.face import open_run, run
from nliprobe.api.resolve import Request
from nliprobe.base.errors import NotFoundError, UsageError
from nliprobe.explain.lime import LimeOptions
from nliprobe.store.run import RunFolder
from nliprobe.task.pair import Pair

FEW = ExplainOptions(LimeOptions(masks=60))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("explain")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLIPROBE_CACHE", str(place / "cache"))
        systems = ["small", "svm?represent=struct"]
        probes = ["gold", "rows.delete"]
        run(systems, "builtin/tables-dev", probes, place / "run", train="builtin/tables-train")
    return place / "run"


def some_cases(folder: Path) -> list[str]:
    ids = RunFolder.open(folder).read("cases", ["case_id", "probe"])
    return [ids.filter(ids["probe"] == probe)["case_id"][0] for probe in ("gold", "rows.delete")]


def test_cases_of_a_run(folder: Path) -> None:
    whole, edited = some_cases(folder)
    document = explain_cases(RunFolder.open(folder), [whole[:8], edited], [], FEW)
    validate("explain", document)
    assert [item["case_id"] for item in document["explained"]] == [whole, edited] * 2
    assert [item["explanation"]["scale"] for item in document["explained"]] == ["probability"] * 2 + ["margin"] * 2
    asked = open_run(folder).case(whole)
    for item, system in zip(document["explained"][::2], asked["systems"], strict=True):
        assert item["explanation"]["system"] == system["system"]
        assert system["after"] is not None
        assert item["explanation"]["label"] == system["after"]["label"], "what is explained is what was answered"
    first, second = document["explained"][:2]
    assert first["explanation"]["units"] is not None
    assert second["explanation"]["units"] is not None
    assert len(first["explanation"]["units"]["features"]) == len(second["explanation"]["units"]["features"]) + 1


def test_explanations_are_kept_and_masks_are_not(own_cache: Path) -> None:
    asked: list[int] = []
    pairs = [Pair("given", "A man sleeps. A dog barks.", "Nobody sleeps.")]
    options = ExplainOptions(LimeOptions(masks=60), progress=lambda what, count: asked.append(count))
    request = Request((), ("small",))
    first = explain_pairs(request, pairs, options)
    assert sum(asked) >= 30, "the pair has six words, so that some masks are equal and asked once"
    asked.clear()
    assert explain_pairs(request, pairs, options) == first
    assert not asked
    assert explain_pairs(request, pairs, ExplainOptions(LimeOptions(masks=61))) != first
    assert not list(own_cache.glob("answers/*/*.parquet"))
    for path in own_cache.glob("explanations/*/*.json"):
        path.write_text(path.read_text(encoding="utf-8").replace("sleeps", "wakes"), encoding="utf-8")
    assert explain_pairs(request, pairs, options) == first, "what was altered is made again"
    assert len(list(own_cache.glob("explanations/*/*.damaged"))) == 1


def test_neighbours_of_a_pair() -> None:
    pair = Pair("given", "A man is asleep on a couch.", "The man is awake.")
    options = ExplainOptions(LimeOptions(masks=20), pool="builtin/sentences-dev", neighbours=3)
    [item] = explain_pairs(Request((), ("small",)), [pair], options)["explained"]
    near = item["neighbours"]
    assert near is not None
    assert len(near["nearest"]) == 3
    assert near["size"] >= 3
    assert all(each["label"] in ("E", "N", "C") for each in near["nearest"])


def test_the_verb(folder: Path, tmp_path: Path) -> None:
    [whole, _] = some_cases(folder)
    document = nliprobe_json("explain", str(folder), "--case", whole, "--system", "small", "--masks", "50")
    validate("explain", document)
    text = nliprobe("explain", str(folder), "--case", whole, "--system", "small", env={"COLUMNS": "80"}).stdout
    assert f"Case {whole}" in text
    assert "Row  Weight  What it says" in text
    assert "at random it changes in" in " ".join(text.split())
    assert all(len(line) <= 80 for line in text.splitlines())
    table = tmp_path / "oslo.json"
    table.write_text(json.dumps({"title": ["Oslo"], "Country": ["Norway"], "River": ["Akerselva"]}))
    said = nliprobe(
        "explain", "--system", "small", "--table", str(table), "--hypothesis", "Oslo is \x1b[31mhere."
    ).stdout
    assert "River: Akerselva" in said
    assert "\x1b[31m" not in said


def test_a_page(folder: Path, tmp_path: Path) -> None:
    [whole, _] = some_cases(folder)
    words = ("explain", str(folder), "--case", whole, "--masks", "50")
    page = tmp_path / "why.html"
    assert nliprobe(*words, "-o", str(page)).stdout.strip() == str(page)
    text = page.read_text(encoding="utf-8")
    assert "Why 2 answers are what they are" in text
    assert all(f"Why {system.name.replace('&', '&amp;')} answers" in text for system in RunFolder.open(folder).systems)
    assert "should end in .html, not 'why.md'" in nliprobe(*words, "-o", str(tmp_path / "why.md"), code=2).stderr
    assert "JSON is printed" in nliprobe(*words, "-o", str(page), "--format", "json", code=2).stderr
    assert not (tmp_path / "why.md").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--system", "small", "--hypothesis", "It is so."], "either a --premise or a --table"),
        (["--system", "small", "--premise", "x", "--hypothesis", "y", "--case", "ab"], "--case needs the run"),
        (["--system", "svm", "--premise", "x", "--hypothesis", "y"], "learns from pairs"),
        (["--system", "small?premise=dummy", "--premise", "x", "--hypothesis", "y"], "not shown the premise"),
        (["--system", "small", "--premise", "x", "--hypothesis", "y", "--table", "none.csv"], "does not exist"),
    ],
)
def test_what_cannot_be_explained(arguments: list[str], message: str) -> None:
    assert message in nliprobe("explain", *arguments, code=2).stderr


def test_runs_that_cannot_be_explained(folder: Path, tmp_path: Path) -> None:
    [whole, _] = some_cases(folder)
    opened = RunFolder.open(folder)
    with pytest.raises(NotFoundError, match=r"has no system 'other'\. It has: small"):
        explain_cases(opened, [whole], ["other"], FEW)
    with pytest.raises(UsageError, match="has no vectors of pairs"):
        explain_cases(opened, [whole], ["svm?represent=struct"], ExplainOptions(FEW.lime, pool="builtin/tables-dev"))
    answers = tmp_path / "answers.csv"
    pairs = RunFolder.open(folder).read("pairs", ["pair_id"])["pair_id"].to_list()
    answers.write_text("id,label\n" + "".join(f"{name},entailment\n" for name in pairs), encoding="utf-8")
    given = run([f"predictions:{answers}", lambda premises, hypotheses: ["entailment"] * len(premises)],
                "builtin/tables-dev", "gold", tmp_path / "given")  # fmt: skip
    looked_up, function = given.folder.systems
    with pytest.raises(UsageError, match="looks its answers up"):
        explain_cases(given.folder, [whole], [looked_up.name], FEW)
    with pytest.raises(UsageError, match="as a Python object"):
        explain_cases(given.folder, [whole], [function.name], FEW)
