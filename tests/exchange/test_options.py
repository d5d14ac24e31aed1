"""Each option of an export changes what it says, and is refused where it would say nothing."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.corpora.files import write

import nliprobe
from nliprobe.api.face import RunInterruptedError
from nliprobe.base.errors import DataError, NotFoundError, StoreError, UsageError

TABLES = "builtin/tables-all"
SENTENCES = "builtin/sentences-dev"
PROMPT = """
system: "Say {entailment}, {neutral} or {contradiction}. {{braces}} {% raw %} {% endraw %} {# x #}"
user: "T: {premise} H: {hypothesis}"
labels: {E: "yes", N: "maybe", C: "no"}
"""
SUITE = """
run:
  system: small
  on: [builtin/sentences-dev]
  probes: ["gold", "swap"]
  out: runs/x
  seed: 7
"""


def frame(out: Path) -> pl.DataFrame:
    return pl.read_parquet(out / "data")


def lines(out: Path) -> list[dict[str, Any]]:
    return [json.loads(text) for text in (out / "cases.jsonl").read_text(encoding="utf-8").splitlines()]


def export(out: Path, **options: Any) -> pl.DataFrame:
    nliprobe.export(None, out, to="parquet", **{"on": TABLES, "probes": ["rows.delete"], **options})
    return frame(out)


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    return export(tmp_path_factory.mktemp("full") / "out")


@pytest.mark.parametrize("premise", ["none", "dummy", "swapped"])
def test_premise_changes_what_is_shown_and_nothing_else(full: pl.DataFrame, tmp_path: Path, premise: str) -> None:
    shown = export(tmp_path / "shown", premise=premise)
    assert (full["premise"] != shown["premise"]).all()
    same = [name for name in full.columns if name not in ("premise", "input_id")]
    assert full.select(same).equals(shown.select(same))
    assert (shown["premise"].n_unique() == 1) == (premise != "swapped")


def test_a_run_shows_other_premises_but_not_those_of_other_pairs(run_folder: Path, tmp_path: Path) -> None:
    nliprobe.export(run_folder, tmp_path / "none", to="parquet", premise="none")
    assert set(frame(tmp_path / "none")["premise"]) == {""}
    with pytest.raises(UsageError, match="which a run does not hold"):
        nliprobe.export(run_folder, tmp_path / "swapped", to="parquet", premise="swapped")


def test_represent_and_seed(tmp_path: Path) -> None:
    assert export(tmp_path / "a", represent="markdown")["premise"].str.contains(r"\|").all()
    drawn = [export(tmp_path / f"s{seed}", probes=["rows.permute"], seed=seed)["edits"].to_list() for seed in (0, 1)]
    assert drawn[0] != drawn[1]
    assert drawn[0] == export(tmp_path / "default", probes=["rows.permute"])["edits"].to_list()


@pytest.mark.parametrize("to", ["lm-eval", "inspect"])
def test_prompt_gives_the_words(tmp_path: Path, to: Any) -> None:
    from jinja2 import Environment, StrictUndefined

    prompt = write(tmp_path / "prompt.yaml", PROMPT)
    nliprobe.export(None, tmp_path / "out", to=to, on=SENTENCES, prompt=prompt)
    first = lines(tmp_path / "out")[0]
    assert first["choices"] == ["yes", "maybe", "no"]
    assert first["target"] in first["choices"]
    assert first["prompt"].startswith("T: ")
    said = "Say yes, maybe or no. {braces} {% raw %} {% endraw %} {# x #}"
    if to == "inspect":
        suite = json.loads((tmp_path / "out" / "suite.json").read_text(encoding="utf-8"))
        assert suite["opening"] == [{"role": "system", "content": said}]
        return
    from nliprobe.base.yaml_files import read_yaml

    text = (tmp_path / "out" / "nliprobe_builtin_sentences_dev_gold.yaml").read_text(encoding="utf-8")
    task = read_yaml(write(tmp_path / "task.yaml", text.replace("!function ", "")))
    assert isinstance(task, dict)
    shown = Environment(undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)
    assert shown.from_string(task["description"]).render() == f"{said}\n\n"


def test_options_that_say_nothing_are_refused(run_folder: Path, tmp_path: Path) -> None:
    out, prompt = tmp_path / "out", write(tmp_path / "prompt.yaml", PROMPT)
    for to, options, message in (
        ("csv", {"prompt": prompt}, "belongs to tasks"),
        ("csv", {"pairs": 10}, "'pairs=' does not belong|pairs= does not belong"),
        ("mlflow", {"represent": "json"}, "represent= does not belong to"),
        ("wandb", {"premise": "none"}, "premise= does not belong to"),
        ("csv", {"seed": 0}, "whose suite is given: leave out seed="),
        ("csv", {"probes": ["swap"]}, "whose suite is given: leave out probes="),
    ):
        with pytest.raises(UsageError, match=message):
            nliprobe.export(run_folder, out, to=str(to), **options)
    with pytest.raises(UsageError, match="belongs to a run, and a suite is always whole"):
        nliprobe.export(None, out, to="csv", on=SENTENCES, partial=True)
    assert not out.exists()


@pytest.fixture(scope="module")
def stopped_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that one system has answered, and in which another one was stopped after two of its shards; only read."""
    folder = tmp_path_factory.mktemp("stopped")
    asked = []

    def pressed(premises: list[str], hypotheses: list[str]) -> list[str]:
        asked.append(premises)
        if len(asked) > 1:
            signal.raise_signal(signal.SIGINT)
        return ["entailment"] * len(premises)

    out = folder / "run"
    with pytest.MonkeyPatch.context() as patch:
        # Answers of the other one that are known from elsewhere would not be asked for.
        patch.setenv("NLIPROBE_CACHE", str(folder / "cache"))
        nliprobe.run("small", SENTENCES, ["swap"], out=out, shard_size=40, doctor=False)
        with pytest.raises(RunInterruptedError):
            nliprobe.run({"other": pressed}, SENTENCES, ["swap"], out=out, shard_size=40, doctor=False)
    return out


@pytest.mark.parametrize("to", ["csv", "parquet", "hf", "lm-eval", "inspect"])
def test_partial_writes_what_is_there_and_says_so(stopped_run: Path, tmp_path: Path, to: Any) -> None:
    out = tmp_path / "out"
    with pytest.raises(StoreError, match="is unfinished: some cases were never asked"):
        nliprobe.export(stopped_run, out, to=to)
    document = nliprobe.export(stopped_run, out, to=to, partial=True).document
    run = nliprobe.open_run(stopped_run, partial=True)
    answered, cases = run.predictions().height, len(run.cases())
    rows = {item["name"]: item["rows"] for item in document["files"] if item["rows"] is not None}
    assert document["partial"]
    assert document["cases"] == cases
    assert cases < answered < 2 * cases
    if to in ("csv", "parquet"):
        assert sum(rows.values()) == answered
        assert f"{2 * cases - answered:,} answers are missing, because they were never given" in document["lost"][0]
    if to == "hf":
        assert sum(number for name, number in rows.items() if name.startswith("predictions")) == answered
        assert "was not complete" in (out / "README.md").read_text(encoding="utf-8")


def test_a_file_of_options_names_the_suite(tmp_path: Path) -> None:
    path = write(tmp_path / "probe.yaml", SUITE)
    named = nliprobe.export(path, tmp_path / "a", to="parquet").document
    given = nliprobe.export(None, tmp_path / "b", to="parquet", on=SENTENCES, probes=["swap"], seed=7).document
    assert named["suite"] == given["suite"]
    assert (named["kind"], named["probes"], named["cases"]) == ("suite", ["gold", "swap"], given["cases"])
    assert frame(tmp_path / "a").equals(frame(tmp_path / "b"))
    for options in ({"on": SENTENCES}, {"probes": ["swap"]}, {"seed": 0}):
        with pytest.raises(UsageError, match="is a file of options, whose suite is given"):
            nliprobe.export(path, tmp_path / "c", to="csv", **options)
    with pytest.raises(UsageError, match="writes the results of a run"):
        nliprobe.export(path, tmp_path / "c", to="mlflow")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[1, 2]", "has no section 'run'"),
        ("score: {on: x}", "has no section 'run'"),
        ("run: [x]", "should be a mapping"),
        ("run: {probes: gold}", "names no corpus"),
        ("run: {on: 3}", "a text or a list of texts as 'on'"),
        ("run: {on: builtin/sentences-dev, seed: 1.5}", "a whole number as seed"),
    ],
)
def test_a_file_of_options_without_a_suite_is_said(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        nliprobe.export(write(tmp_path / "probe.yaml", content), tmp_path / "out", to="csv")


def test_inputs_of_a_plan_are_no_suite(tmp_path: Path) -> None:
    inputs = write(tmp_path / "inputs.jsonl", '{"input_id": "x", "premise": "a", "hypothesis": "b"}\n')
    for path, what in ((inputs, "it is a file"), (tmp_path, "it has no run.json"), (tmp_path / "x", "it is not there")):
        with pytest.raises(NotFoundError, match=rf"is not a run: {what}\. Name a run folder, a file of options"):
            nliprobe.export(path, tmp_path / "out", to="csv")


def test_pairs_without_labels(tmp_path: Path) -> None:
    own = [{"premise": f"A man {n} eats.", "hypothesis": "He eats."} for n in range(3)]
    nliprobe.export(None, tmp_path / "out", to="lm-eval", on=own, probes=["inv.surface"])
    assert {item["target"] for item in lines(tmp_path / "out")} == {""}
    # A task whose cases can be judged has those metrics; one whose cases cannot only says how many are answered.
    tasks = {path.stem: path.read_text(encoding="utf-8") for path in (tmp_path / "out").glob("nliprobe_*.yaml")}
    [gold] = [text for name, text in tasks.items() if name.endswith("_gold")]
    assert "metric: answered" in gold
    assert "metric: acc\n" not in gold


def test_two_way_labels_of_hans(data: Path, tmp_path: Path) -> None:
    from nliprobe.api.exchange.carried import judge

    nliprobe.export(None, tmp_path / "out", to="inspect", on="hans", root=data)
    items = judge.chosen(lines(tmp_path / "out"), "hans_evaluation_gold")
    assert len(items) == 30_000
    assert {tuple(item["right"]) for item in items} == {("E",), ("N", "C")}
    assert judge.constant(items) == 0.5
    assert judge.accuracy([{**item, "label": "C"} for item in items]) == 0.5
    assert judge.accuracy([{**item, "label": item["right"][-1]} for item in items]) == 1.0
