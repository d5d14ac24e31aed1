"""The verbs as users type them."""

from __future__ import annotations

import json
from pathlib import Path

import click
import jsonschema
import pytest
from tests.cli.helpers import ROOT, nliprobe, nliprobe_json

from nliprobe.cli.main import VERBS, Verbs, cli

RUN = (
    "run",
    "--quiet",
    "--train",
    "builtin/tables-train",
    "--on",
    "builtin/tables-dev",
    "--probes",
    "gold,rows.delete",
)
SYSTEMS = ("--system", "svm?represent=para", "--system", "svm?premise=none")


def schema(name: str) -> object:
    return json.loads((ROOT / "docs" / "reference" / "schemas" / f"{name}.schema.json").read_text())


def test_help_names_every_verb() -> None:
    text = nliprobe("--help").stdout
    assert all(verb in text for verb in ("run", "plan", "score", "show", "ls", "data", "cache"))
    for verb in ("run", "plan", "score", "show", "ls", "data", "cache", "demo"):
        assert "Usage:" in nliprobe(verb, "--help").stdout


def test_the_list_of_verbs_says_what_their_help_says() -> None:
    context = click.Context(cli, info_name="nliprobe")
    for verb, line in VERBS.items():
        verb_command = Verbs().get_command(context, verb)
        assert verb_command is not None
        text = " ".join((verb_command.help or "").split())
        assert text.startswith(line.rstrip(".")), verb


def test_the_page_of_the_command_line_lists_every_verb() -> None:
    page = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    listed = [line.split()[1] for line in page.partition("```text\n")[2].partition("```")[0].splitlines()]
    assert sorted(listed) == sorted(VERBS)


def test_mistyped_verbs_and_options_are_usage_errors() -> None:
    assert "Did you mean 'score'?" in nliprobe("scor", code=2).stderr
    assert "No such option" in nliprobe("run", "--onn", "x", code=2).stderr
    assert "Missing option" in nliprobe("run", code=2).stderr


def test_run_then_show(tmp_path: Path) -> None:
    nliprobe(*RUN, *SYSTEMS, "--out", str(tmp_path / "run"))
    document = nliprobe_json("show", str(tmp_path / "run"))
    jsonschema.validate(document, schema("show"))
    assert [item["name"] for item in document["run"]["systems"]] == ["svm?represent=para", "svm?premise=none"]
    assert {item["n"] for item in document["scores"]} == {216}
    [gain] = document["gains"]
    assert gain["control"] == "svm?premise=none"
    text = nliprobe("show", str(tmp_path / "run")).stdout
    assert "Answers after rows.delete" in text
    assert "\x1b[" not in text, "no colours where nobody sees them"


def test_systems_can_be_added_to_a_run(tmp_path: Path) -> None:
    out = ("--out", str(tmp_path / "run"))
    nliprobe(*RUN, *SYSTEMS[:2], *out)
    nliprobe(*RUN, *SYSTEMS[2:], *out)
    assert len(nliprobe_json("show", str(tmp_path / "run"))["run"]["systems"]) == 2
    assert "is complete" in nliprobe(*RUN, *SYSTEMS, *out).stderr


def test_a_folder_of_another_suite_is_refused(tmp_path: Path) -> None:
    out = ("--out", str(tmp_path / "run"))
    nliprobe(*RUN, *SYSTEMS[:2], *out)
    done = nliprobe(*RUN, "--seed", "1", *SYSTEMS[:2], *out, code=1)
    assert "is of another suite (its seed differ)" in done.stderr
    done = nliprobe(*RUN, "--system", "svm?C=1&name=svm?represent=para", *out, code=1)
    assert "has another system named 'svm?represent=para'" in done.stderr


def test_options_come_from_yaml_and_environment(tmp_path: Path) -> None:
    config = tmp_path / "probe.yaml"
    config.write_text(
        "run:\n  system: [majority]\n  train: builtin/tables-train\n  on: [builtin/tables-dev]\n"
        f"  probes: rows.permute\n  out: {tmp_path / 'from-yaml'}\n  quiet: true\n"
    )
    nliprobe("run", "--config", str(config))
    nliprobe("run", "--config", str(config), env={"NLIPROBE_RUN_OUT": str(tmp_path / "from-env")})
    nliprobe("run", "--config", str(config), "--out", str(tmp_path / "from-line"))
    for name in ("from-yaml", "from-env", "from-line"):
        assert json.loads((tmp_path / name / "run.json").read_text())["counts"]["cases"] == 432
    config.write_text("run:\n  sytem: [majority]\n")
    assert "has no option 'sytem'. Did you mean 'system'?" in nliprobe("run", "--config", str(config), code=2).stderr
    config.write_text("run: [\n")
    assert "probe.yaml, line 2: this is not YAML" in nliprobe("run", "--config", str(config), code=1).stderr
    config.write_text("run:\n  on: a\n  on: b\n")
    assert (
        "line 3: this is not YAML (the key 'on' is given twice)"
        in nliprobe("run", "--config", str(config), code=1).stderr
    )
    config.write_text("just text\n")
    assert "should hold a mapping" in nliprobe("run", "--config", str(config), code=1).stderr


def test_plan_counts_and_writes_inputs_that_come_back_by_id(tmp_path: Path) -> None:
    inputs = tmp_path / "inputs.jsonl"
    suite = ("--on", "builtin/tables-dev,builtin/sentences-dev", "--probes", "gold,rows.delete,swap")
    document = nliprobe_json("plan", *suite, "-o", str(inputs))
    cases = {(item["corpus"], item["probe"]): item["n"] for item in document["cases"]}
    assert cases["builtin/tables-dev", "rows.delete"] == 2322
    assert cases["builtin/sentences-dev", "swap"] == 141
    assert {item["probe"] for item in document["skipped"]} == {"rows.delete", "swap"}
    lines = [json.loads(line) for line in inputs.read_text().splitlines()]
    assert len({line["input_id"] for line in lines}) == len(lines) == document["written"]
    answers = tmp_path / "answers.jsonl"
    answers.write_text("".join(json.dumps({"input_id": line["input_id"], "label": "E"}) + "\n" for line in lines))
    nliprobe("run", "--quiet", "--system", f"predictions:{answers}", *suite, "--out", str(tmp_path / "run"))
    document = nliprobe_json("show", str(tmp_path / "run"))
    assert all(item["unanswered"] == 0 for item in document["scores"] + document["transitions"])
    assert [item["accuracy"] for item in document["scores"]] == [pytest.approx(1 / 3), pytest.approx(1 / 3), 0]
    answers.write_text("".join(answers.read_text().splitlines(keepends=True)[:-4]))
    nliprobe("run", "--quiet", "--system", f"predictions:{answers}", *suite, "--out", str(tmp_path / "less"))
    document = nliprobe_json("show", str(tmp_path / "less"))
    assert "4 of" in json.dumps(document["notes"])


def test_score_reads_a_file_by_id_content_and_order(tmp_path: Path) -> None:
    from nliprobe.api.sources import open_source

    pairs = list(open_source("builtin/sentences-dev").pairs())
    by_id, by_content, in_order = tmp_path / "id.jsonl", tmp_path / "content.csv", tmp_path / "order.jsonl"
    by_id.write_text("".join(json.dumps({"id": pair.id, "label": str(pair.gold)}) + "\n" for pair in reversed(pairs)))
    rows = [f'"{pair.premise}","{pair.hypothesis}",{pair.gold}\n' for pair in pairs]
    by_content.write_text("premise,hypothesis,prediction\n" + "".join(rows))
    in_order.write_text("".join(json.dumps({"label": str(pair.gold)}) + "\n" for pair in pairs))
    words = ("score", "--on", "builtin/sentences-dev", "--predictions")
    named = ("--answer-column", "label")
    for path, more in (
        (by_id, named),
        (by_content, ("--answer-column", "prediction")),
        (in_order, ("--in-order", *named)),
    ):
        document = nliprobe_json(*words, str(path), *more)
        jsonschema.validate(document, schema("score"))
        assert (document["corpus"], document["n"], document["accuracy"]) == ("builtin/sentences-dev", 141, 1.0)
        assert document["macro_f1"] == 1.0
        assert document["ci95"][1] == 1.0
    assert "has no key" in nliprobe(*words, str(in_order), code=1).stderr
    in_order.write_text("".join(in_order.read_text().splitlines(keepends=True)[:-1]))
    done = nliprobe(*words, str(in_order), "--in-order", code=1)
    assert "holds 140 answers, but 141 pairs of builtin/sentences-dev are asked: with --in-order" in done.stderr
    assert "Accuracy" in nliprobe(*words, str(by_id), *named).stdout
    asked = nliprobe(*words, str(by_id), code=1).stderr
    assert "equals the gold label in all 141 records" in asked
    assert "say --answer-column label" in asked
    by_id.write_text("".join(by_id.read_text().splitlines(keepends=True)[:100]))
    refused = nliprobe(*words, str(by_id), *named, code=1).stderr
    assert "answers only 100 of 141 pairs of builtin/sentences-dev" in refused
    assert "add --allow-unmatched." in refused
    allowed = nliprobe(*words, str(by_id), *named, "--allow-unmatched").stdout
    assert "41 of 141 inputs have no answer" in allowed
    assert "count as wrong" in " ".join(allowed.split())


def test_ls_data_and_cache(tmp_path: Path) -> None:
    document = nliprobe_json("ls")
    assert {"gold", "rows.delete", "rows.permute", "swap"} <= {item["name"] for item in document["probes"]}
    entries = [item for kind in ("corpora", "probes", "models", "representations") for item in document[kind]]
    assert all(item["about"] and "``" not in item["about"] for item in entries)
    nliprobe(*RUN, *SYSTEMS[:2], "--out", str(tmp_path / "runs" / "one"))
    assert "complete: 1 system on builtin/tables-dev, " in nliprobe("ls", "runs", "--in", str(tmp_path / "runs")).stdout
    assert "builtin/tables-dev" in nliprobe("data", "ls").stdout
    assert "builtin" in nliprobe("data", "where").stdout
    assert "as expected" in nliprobe("data", "check", "builtin").stdout
    done = nliprobe("data", "check", "snli/dev", "--from", str(tmp_path), code=1)
    assert "It comes from https://nlp.stanford.edu/projects/snli/" in done.stderr
    assert "answers" in nliprobe("cache", "ls").stdout
    assert "answers are kept" in nliprobe("cache", "check").stdout
    nliprobe("cache", "clear", "--yes")
    assert nliprobe("cache", "ls").stdout == ""
    assert nliprobe("cache", "where").stdout.strip().endswith("nliprobe-cache")


def test_cache_check_finds_damage(tmp_path: Path, own_cache: Path) -> None:
    nliprobe(*RUN, *SYSTEMS[:2], "--out", str(tmp_path / "run"))
    next(own_cache.rglob("answers/*/*.parquet")).write_bytes(b"torn")
    assert "damaged, set aside" in nliprobe("cache", "check", code=1).stderr


def test_show_of_nothing_and_of_the_future(tmp_path: Path) -> None:
    assert "is not a run" in nliprobe("show", str(tmp_path), code=1).stderr
    (tmp_path / "run.json").write_text('{"format": 99, "nliprobe": "9.9"}')
    assert "newer than format 2" in nliprobe("show", str(tmp_path), code=1).stderr


def test_plugin_file_can_be_asked_for_by_name(tmp_path: Path) -> None:
    plugin = tmp_path / "mine.py"
    plugin.write_text(
        "from nliprobe.models import MODELS, Model\n"
        "from nliprobe.task.labels import E\n"
        "from nliprobe.task.case import Prediction\n"
        "@MODELS.register('yes')\n"
        "class Yes(Model):\n"
        "    '''Always entailment.'''\n"
        "    @classmethod\n"
        "    def from_spec(cls, spec, labels): return cls()\n"
        "    def fingerprint(self): return 'yes'\n"
        "    def predict(self, inputs): return [Prediction(E) for _ in inputs]\n"
    )
    words = ("run", "--quiet", "--system", "yes", "--on", "builtin/sentences-dev", "--out", str(tmp_path / "run"))
    nliprobe(*words, "--plugin", str(plugin))
    assert nliprobe_json("show", str(tmp_path / "run"))["scores"][0]["accuracy"] == pytest.approx(1 / 3)
    assert "There is no model named 'yes'" in nliprobe(*words[:-1], str(tmp_path / "other"), code=1).stderr


def test_ls_and_plan_say_what_a_probe_declares(tmp_path: Path) -> None:
    plugin = tmp_path / "mine.py"
    plugin.write_text(
        "from dataclasses import dataclass\n"
        "from typing import ClassVar\n"
        "from nliprobe.probes import PROBES, Probe\n"
        "@PROBES.register('mine.drawn')\n"
        "@dataclass(frozen=True)\n"
        "class Drawn(Probe):\n"
        "    '''Ask with ``another`` premise.'''\n"
        "    needs_pool: ClassVar[bool] = True\n"
        "    reads_evidence: ClassVar[bool] = True\n"
        "    expensive: ClassVar[bool] = True\n"
        "    def cases(self, pair, pool): yield self.skip('nothing to draw')\n"
    )
    more = ("--plugin", str(plugin))
    text = nliprobe("ls", "probes", *more).stdout
    words = " ".join(text.split())  # the width of the names is that of the longest
    assert "mine.drawn Ask with another premise. (draws from other premises of the corpus; " in words
    assert "only where the evidence of a pair is marked; many cases per pair)\n" in text
    assert "gold Each pair is asked as it is." in words
    probes = {item["name"]: item for item in nliprobe_json("ls", "probes", *more)["probes"]}
    assert probes["mine.drawn"]["needs"] == ["needs_pool", "reads_evidence", "expensive"]
    assert probes["gold"]["needs"] == []
    suite = ("plan", "--on", "builtin/sentences-dev", *more)
    assert "expensive" not in nliprobe(*suite).stdout
    assert "expensive, with many cases per pair: mine.drawn\n" in nliprobe(*suite, "--probes", "mine.drawn").stdout
    assert nliprobe_json(*suite, "--probes", "mine.drawn")["expensive"] == ["mine.drawn"]


BAD_ROWS = {
    "unknown label": ("premise,hypothesis,label\np,h,entialment\n", "line 2", "unknown label 'entialment'"),
    "code": ("premise,hypothesis,label\np,h,0\n", "line 2", "is a code"),
    "missing column": ("text,claim2,label\np,h,E\n", "", "text, claim2, label"),
    "short row": ("premise,hypothesis,label\np,h\n", "line 2", "2 fields"),
    "empty hypothesis": ("premise,hypothesis,label\np,,E\n", "line 2", "hypothesis"),
    "empty file": ("", "", "empty"),
}


@pytest.mark.parametrize("name", BAD_ROWS)
def test_bad_input_is_one_sentence_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    content, line, message = BAD_ROWS[name]
    path = tmp_path / "mine.csv"
    path.write_text(content)
    done = nliprobe(
        *("run", "--system", "majority", "--train", "builtin/sentences-train", "--on", f"file:{path}"),
        *("--out", str(tmp_path / "run")),
        code=1,
    )
    assert message in done.stderr
    assert line in done.stderr
    assert str(path) in done.stderr
    assert not list((tmp_path / "run").rglob("*.parquet"))


def test_invalid_utf8_and_a_dying_command(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_bytes(b"premise,hypothesis,label\np,h\xff,E\n")
    words = ("run", "--quiet", "--on", f"file:{path}", "--out", str(tmp_path / "run"))
    learnt = ("--system", "majority", "--train", "builtin/sentences-train")
    assert "line 2: byte 0xff is not UTF-8" in nliprobe(*words, *learnt, code=1).stderr
    path.write_text("premise,hypothesis,label\np,h,E\n")
    words = ("run", "--quiet", "--on", f"file:{path}", "--out", str(tmp_path / "run2"))
    done = nliprobe(*words, "--system", "command:false", code=1)
    assert done.stderr.count("\n") == 1
    done = nliprobe(*words, "--system", "command:echo garbage", code=1)
    assert "garbage" in done.stderr
    assert not list((tmp_path / "run2").rglob("predictions/*/*.parquet"))


def test_demo_runs_on_what_comes_with_the_package(tmp_path: Path) -> None:
    done = nliprobe("demo", "--out", str(tmp_path / "demo"), env={"NLIPROBE_DATA": ""})
    assert "SVM, hypothesis only" in done.stdout
    assert "small and small, hypothesis only: It learnt from SNLI and MultiNLI." in " ".join(done.stdout.split())
    assert "Answers after swap" in done.stdout


def test_show_failing_cases_with_their_edits(tmp_path: Path) -> None:
    nliprobe(*RUN, *SYSTEMS, "--out", str(tmp_path / "run"))
    text = nliprobe("show", str(tmp_path / "run"), "--failing", "3", "--probe", "rows.delete").stdout
    assert text.count("is taken out.") == 3
    assert sum(line.startswith("  -") for line in text.splitlines()) == 3
    document = nliprobe_json("show", str(tmp_path / "run"), "--failing", "2", "--probe", "gold", "--system", SYSTEMS[3])
    assert [item["system"] for item in document["cases"]] == ["svm?premise=none"] * 2
    assert all(item["answer"] != item["gold"] == item["allowed"] for item in document["cases"])
    assert "No failing case" in nliprobe("show", str(tmp_path / "run"), "--failing", "1", "--corpus", "other").stdout


def test_report_verb_writes_by_the_name_of_the_file(tmp_path: Path) -> None:
    nliprobe(*RUN, *SYSTEMS[:2], "--out", str(tmp_path / "run"))
    assert nliprobe("report", str(tmp_path / "run")).stdout.strip() == str(tmp_path / "run" / "report.html")
    for name, start in (("a.md", "# run"), ("a.json", "{"), ("a.html", "<!doctype html>")):
        nliprobe("report", str(tmp_path / "run"), "-o", str(tmp_path / name))
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
