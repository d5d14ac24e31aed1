from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.cli.helpers import ROOT, nliprobe

from nliprobe.api._validate_corpus import validate_corpus
from nliprobe.api.sources import open_source
from nliprobe.api.validate import Option, Report, to_json, validate

SCHEMA = json.loads((ROOT / "docs/reference/schemas/validate.schema.json").read_text())


def reported(*targets: str, cwd: Path, code: int = 0, env: dict[str, str] | None = None) -> Any:
    """The document of the verb, checked against its schema."""
    done = nliprobe("validate", *targets, "--format", "json", cwd=cwd, code=code, env=env)
    document = json.loads(done.stdout)
    jsonschema.validate(document, SCHEMA)
    assert (document["errors"] > 0) == (code == 1)
    return document


def found(document: Any) -> set[tuple[str, str, str]]:
    return {(item["level"], item["code"], item["place"]) for one in document["targets"] for item in one["findings"]}


def write_pairs(path: Path, pairs: list[tuple[str, str, str]]) -> None:
    lines = [json.dumps({"premise": p, "hypothesis": h, "label": y}, ensure_ascii=False) for p, h, y in pairs]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_a_config_that_works_is_fine(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(
        "run:\n  on: builtin/tables-dev\n  probes: [gold, 'rows.permute?n=2']\n  system: svm?represent=json\n"
        "  train: builtin/tables-train\n  shard-size: 100\n  quiet: true\nshow:\n"
    )
    document = reported("c.yaml", cwd=tmp_path)
    assert document["targets"][0]["kind"] == "config"
    assert found(document) == set()
    assert "nothing wrong" in nliprobe("validate", "c.yaml", cwd=tmp_path).stdout


@pytest.mark.parametrize(
    ("text", "place", "code", "message"),
    [
        ("rum: {}", "rum", "verb", "Did you mean 'run'?"),
        ("ls: {}", "ls", "verb", "No verb that reads options"),
        ("run: [1]", "run", "shape", "should be a mapping"),
        ("[1]", "", "shape", "holds a list"),
        ("", "", "shape", "holds nothing"),
        ("run: {probs: gold}", "run.probs", "option", "Did you mean 'probes'?"),
        ("run: {seed: x}", "run.seed", "value", "not a valid integer"),
        ("run: {shard_size: 0}", "run.shard_size", "value", "x>=1"),
        ("run: {out: [a, b]}", "run.out", "value", "one value is expected"),
        ("run: {probes: rows.delet}", "run.probes", "probe", "Did you mean 'rows.delete'?"),
        ("run: {probes: [swap, swap]}", "run.probes", "twice", "'swap' is named twice"),
        ("run: {on: [builtin/tables-dev, builtin/tables-dev]}", "run.on", "twice", "named twice"),
        ("run: {probes: 'rows.delete?n'}", "run.probes", "probe", "key=value"),
        ("run: {on: builtin/table-dev}", "run.on", "corpus", "Did you mean 'tables-dev'?"),
        ("run: {on: bultin/dev}", "run.on", "corpus", "Did you mean 'builtin'?"),
        ("run: {on: 'file:none.csv'}", "run.on", "corpus", "none.csv does not exist"),
        ("run: {train: 'builtin'}", "run.train", "corpus", "which split"),
        ("run: {system: 'python:x'}", "run.system", "system", "does not name a callable"),
        (
            "run: {system: 'majority?represent=pra', train: builtin/tables-dev}",
            "run.system",
            "representation",
            "'para'",
        ),
        ("run: {system: 'python:m:f?labels=yes;maybe;x'}", "run.system", "labels", "is not a label"),
        ("run: {system: 'python:m:f?premise=non'}", "run.system", "system", "Did you mean 'none'?"),
        ("plan: {represent: jsn}", "plan.represent", "representation", "Did you mean 'json'?"),
        ("plan: {premise: non}", "plan.premise", "premise", "Did you mean 'none'?"),
        ("run: {plugin: none.py}", "run.plugin", "plugin", "does not exist"),
        ("run: {on: a", "", "yaml", "not YAML"),
        (
            "run: {out: 12}",
            "run.out",
            "value",
            "a text is expected, not 12. If it is meant, write it in quot",
        ),
        ("run: {on: }", "run.on", "value", "there is no value"),
        ("run: {on: []}", "run.on", "value", "there is no value"),
        ("run: {seed: .inf}", "run.seed", "value", "a whole number is expected, not inf"),
        ("run: {seed: 1.5}", "run.seed", "value", "a whole number is expected, not 1.5"),
        ("run: {seed: 2024-13-45}", "run.seed", "value", "not a valid integer"),
    ],
)
def test_config_errors(tmp_path: Path, text: str, place: str, code: str, message: str) -> None:
    (tmp_path / "c.yaml").write_text(text)
    document = reported("c.yaml", cwd=tmp_path, code=1)
    [finding] = document["targets"][0]["findings"]
    assert (finding["level"], finding["place"], finding["code"]) == ("error", place, code)
    assert message in finding["message"]


def test_config_names_everything_at_once_and_warns_of_what_is_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("run: {on: [snli/dev, snlii/dev], system: svm, probes: swop}\nplan: {seed: 1.x}\n")
    document = reported("c.yaml", cwd=tmp_path, code=1, env={"NLIPROBE_DATA": ""})
    assert found(document) == {
        ("warning", "corpus", "run.on"),
        ("error", "corpus", "run.on"),
        ("warning", "train", "run.system"),
        ("error", "probe", "run.probes"),
        ("error", "value", "plan.seed"),
    }
    text = nliprobe("validate", "c.yaml", cwd=tmp_path, code=1, env={"NLIPROBE_DATA": ""}).stdout
    assert "  error run.probes: There is no probe named 'swop'. Did you mean 'swap'?" in text


def test_config_names_a_plugin_and_its_code_is_not_run_unless_asked(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from pathlib import Path\nfrom nliprobe.represent import REPRESENTATIONS\n"
        "from nliprobe.represent.struct import Struct\n"
        "Path('ran').touch()\n@REPRESENTATIONS.register('mine')\nclass Mine(Struct):\n    pass\n"
    )
    (tmp_path / "c.yaml").write_text("plan: {plugin: mine.py, represent: mine, probes: gold}\nrun: {represent: min}\n")
    document = reported("c.yaml", cwd=tmp_path, code=1)
    # What the plugin may register is a warning; the other section has no plugin.
    assert found(document) == {
        ("warning", "representation", "plan.represent"),
        ("error", "representation", "run.represent"),
    }
    warning = document["targets"][0]["findings"][0]["message"]
    assert "There is no representation named 'mine'." in warning
    assert "It may come from mine.py, which is not imported without --plugins." in warning
    assert not (tmp_path / "ran").exists()
    (tmp_path / "c.yaml").write_text("plan: {plugin: mine.py, represent: mine}\n")
    assert found(reported("c.yaml", "--plugins", cwd=tmp_path)) == set()
    assert (tmp_path / "ran").exists()


def test_no_system_of_a_config_is_started(tmp_path: Path) -> None:
    (tmp_path / "evil.py").write_text("open('ran', 'w')\ndef f(pairs): return []\n")
    (tmp_path / "c.yaml").write_text(
        "run:\n  on: builtin/tables-dev\n  system: ['python:evil.py:f', 'command:touch ran']\n"
    )
    reported("c.yaml", cwd=tmp_path)
    assert not (tmp_path / "ran").exists()


def test_missing_files_are_errors(tmp_path: Path) -> None:
    document = reported("c.yaml", "c.csv", "file:c.csv", cwd=tmp_path, code=1)
    assert [one["kind"] for one in document["targets"]] == ["config", "corpus", "corpus"]
    assert [one["errors"] for one in document["targets"]] == [1, 1, 1]


CHECK = "{corpus: builtin/tables-dev, probe: gold, metric: accuracy, at_least: 0.5}"


def test_contracts(tmp_path: Path) -> None:
    (tmp_path / "fine.yaml").write_text(f"contract: 1\nchecks:\n  - {CHECK}\n")
    (tmp_path / "odd.yaml").write_text(
        f"contract: 1\nchecks:\n  - {CHECK}\n  - {CHECK}\n  - {CHECK.replace('builtin', 'mine')}\n"
    )
    (tmp_path / "wrong.yaml").write_text(f"contract: 1\nchecks:\n  - {CHECK.replace('accuracy', 'acuracy')}\n")
    (tmp_path / "probe.yaml").write_text(f"contract: 1\nchecks:\n  - {CHECK.replace('gold', 'golt')}\n")
    assert found(reported("fine.yaml", cwd=tmp_path)) == set()
    assert found(reported("odd.yaml", cwd=tmp_path)) == {
        ("warning", "corpus", "checks"),
        ("warning", "twice", "checks"),
    }
    assert found(reported("wrong.yaml", cwd=tmp_path, code=1)) == {("error", "contract", "")}
    assert found(reported("probe.yaml", cwd=tmp_path, code=1)) == {("error", "probe", "checks")}


def balanced(n: int, seed: int = 0) -> list[tuple[str, str, str]]:
    """Pairs whose hypotheses say nothing about the label."""
    draw = random.Random(seed)
    vocabulary = [f"w{index}" for index in range(30)]
    texts = [" ".join(draw.choices(vocabulary, k=draw.randint(4, 9))) for _ in range(n)]
    return [(f"premise {index}", f"{text} {index}", "ENC"[index % 3]) for index, text in enumerate(texts)]


def test_a_corpus_without_faults_is_fine(tmp_path: Path) -> None:
    for seed in range(10):
        write_pairs(tmp_path / f"{seed}.jsonl", balanced(300, seed))
    reports = validate([str(tmp_path / f"{seed}.jsonl") for seed in range(10)], verbs={})
    assert [report.findings for report in reports] == [[]] * 10
    assert reports[0].facts["labels"] == {"C": 100, "E": 100, "N": 100}


def codes(tmp_path: Path, pairs: list[tuple[str, str, str]], query: str = "") -> dict[str, str]:
    write_pairs(tmp_path / "mine.jsonl", pairs)
    report = Report("mine", "corpus")
    validate_corpus(open_source(f"file:{tmp_path / 'mine.jsonl'}{query}"), report)
    jsonschema.validate(to_json([report]), SCHEMA)
    return {finding.code: finding.message for finding in report.findings}


def test_corpus_texts(tmp_path: Path) -> None:
    pairs = balanced(60)
    assert set(codes(tmp_path, [*pairs, pairs[0]])) == {"duplicate"}
    conflicting = codes(tmp_path, [*pairs, (*pairs[0][:2], "N")])
    assert set(conflicting) == {"duplicate", "conflict"}
    assert conflicting["conflict"].startswith("1 contents occur with different labels: mine/")
    assert set(codes(tmp_path, [*pairs, ("Same text", "same text", "E")])) == {"identical"}
    assert set(codes(tmp_path, [*pairs, ("Un cafÃ©", "a b", "E")])) == {"encoding"}
    empty = codes(tmp_path, [*pairs, ("p", " ", "E")])
    assert (
        "line 61: the hypothesis in column 'hypothesis' is empty. Reading stopped after 60 pairs."
        in (empty["unreadable"])
    )


def test_corpus_labels(tmp_path: Path) -> None:
    pairs = balanced(90)
    uneven = codes(tmp_path, [pair for index, pair in enumerate(pairs) if pair[2] == "E" or index < 36])
    assert uneven["balance"].startswith("The label E has 30 pairs and N has 12")
    assert set(codes(tmp_path, [pair for pair in pairs if pair[2] != "N"])) == {"absent"}
    assert codes(tmp_path, [pair for pair in pairs if pair[2] != "N"], "?partition=E|C") == {}
    assert set(codes(tmp_path, [(p, h, "-") for p, h, _ in pairs])) == {"unlabelled"}


def test_corpus_leaks(tmp_path: Path) -> None:
    pairs = balanced(300)
    negated = codes(tmp_path, [(p, f"{h} not" if y == "C" else f"{h} x", y) for p, h, y in pairs])
    assert negated["words"].startswith("Words of the hypothesis give the label away: 'not' → C (100% of 100)")
    longer = codes(tmp_path, [(p, f"{h} {h} {h}" if y == "N" else h, y) for p, h, y in pairs])
    assert "Hypotheses labelled N are longer than the others" in longer["length"]
    # Nine hypotheses with a word are no evidence, however they are labelled.
    few = [(p, f"{h} rare" if index < 27 and y == "C" else h, y) for index, (p, h, y) in enumerate(pairs)]
    assert codes(tmp_path, few) == {}
    templated = [(f"p{index}", f"a{index} b", "E") for index in range(30)]
    templated += [(f"p{index}", f"a{index} b c", "C") for index in range(30)]
    assert set(codes(tmp_path, templated, "?partition=E|C")) == {"length", "words"}


def test_corpus_in_another_encoding_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "latin.csv").write_bytes("premise,hypothesis,label\nun café,a b,E\n".encode("latin-1"))
    document = reported("latin.csv", cwd=tmp_path, code=1)
    assert found(document) == {("error", "unreadable", "")}
    assert document["targets"][0]["facts"] is None


def test_corpora_by_spec_and_warnings_alone_exit_0(tmp_path: Path) -> None:
    (tmp_path / "my.csv").write_text("text,claim,y\na b,c d,E\na b,e f,E\na b,g h,E\na b,i j,C\n")
    document = reported("file:my.csv?premise=text&label=y&partition=E|C", "builtin/sentences-dev", cwd=tmp_path)
    assert ("warning", "balance", "") in found(document)
    assert document["targets"][1]["facts"]["labels"] == {"C": 47, "E": 47, "N": 47}
    text = nliprobe("validate", "file:my.csv?premise=text&label=y", cwd=tmp_path).stdout
    assert "4 pairs (E 3, C 1)" in text or "4 pairs (C 1, E 3)" in text


def test_options_are_read_by_their_own_readers(tmp_path: Path) -> None:
    def read(given: object) -> object:
        raise ValueError("no such day.")

    (tmp_path / "c.yaml").write_text("fly: {day: 31}")
    [report] = validate([str(tmp_path / "c.yaml")], verbs={"fly": {"day": Option("day", read)}})
    assert [finding.message for finding in report.findings] == ["The option 'day' of 'fly': no such day."]


def test_options_may_name_templates_where_they_name_corpora(tmp_path: Path) -> None:
    path = tmp_path / "options.yaml"
    path.write_text("run: {on: ['checklist?n=3', 'checklist?only=nothing']}\n", encoding="utf-8")
    document = reported(str(path), cwd=tmp_path, code=1)
    [finding] = [item for item in document["targets"][0]["findings"] if item["code"] == "corpus"]
    assert "no template or capability 'nothing'" in finding["message"]
