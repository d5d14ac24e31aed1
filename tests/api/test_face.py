"""What ``import nliprobe`` gives, and what its functions take and give back."""

from __future__ import annotations

import json
import pkgutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl
import pytest

import nliprobe
from nliprobe.base.errors import DataError, ModelError, NotFoundError, StoreError, UsageError, command_line
from nliprobe.base.registry import Spec
from nliprobe.models.function import FunctionModel
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import E

PAIRS = [
    ("A dog runs in the park.", "A dog runs.", "entailment"),
    ("A dog runs in the park.", "A cat sleeps.", "neutral"),
    ("A man eats lunch.", "Nobody eats.", "contradiction"),
]


def overlap(premises: list[str], hypotheses: list[str]) -> list[str]:
    """Entailment where the premise has every word of the hypothesis."""
    return [
        "entailment" if set(_words(hypothesis)) <= set(_words(premise)) else "neutral"
        for premise, hypothesis in zip(premises, hypotheses, strict=True)
    ]


def _words(text: str) -> list[str]:
    return text.lower().rstrip(".").split()


class Constant(nliprobe.Model):
    """Always entailment."""

    def fingerprint(self) -> str | None:
        return None

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        return [Prediction(E)] * len(inputs)


class TestNames:
    def test_every_name_is_what_it_should_be_after_every_room_was_imported(self) -> None:
        code = """
import importlib, json, pkgutil, nliprobe
before = {name: getattr(nliprobe, name) for name in nliprobe.__all__}
rooms = [item.name for item in pkgutil.iter_modules(nliprobe.__path__) if item.name != "__main__"]
for room in rooms:
    importlib.import_module(f"nliprobe.{room}")
for name in ("run", "score", "train", "generate", "doctor", "report", "pairs", "systems"):
    importlib.import_module(f"nliprobe.api.{name}")
changed = [name for name, value in before.items() if getattr(nliprobe, name) is not value]
print(json.dumps([changed, sorted(set(rooms) & set(nliprobe.__all__))]))
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert json.loads(done.stdout) == [[], []]

    def test_rooms_imported_first_hide_nothing(self) -> None:
        code = """
import importlib, pkgutil, nliprobe
for item in pkgutil.iter_modules(nliprobe.__path__):
    if item.name != "__main__":
        importlib.import_module(f"nliprobe.{item.name}")
kinds = {name: type(getattr(nliprobe, name)).__name__ for name in nliprobe.__all__}
print([name for name, kind in kinds.items() if kind == "module"])
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "[]"

    def test_asking_for_every_name_loads_nothing_heavy(self) -> None:
        code = """
import sys, nliprobe
for name in nliprobe.__all__:
    getattr(nliprobe, name)
heavy = ("torch", "sklearn", "scipy", "polars", "pandas", "numpy", "rich", "jinja2", "click")
print([name for name in heavy if name in sys.modules])
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "[]"

    def test_names_are_listed_and_unknown_ones_are_attribute_errors(self) -> None:
        assert set(nliprobe.__all__) <= set(dir(nliprobe))
        assert not {item.name for item in pkgutil.iter_modules(nliprobe.__path__)} & set(nliprobe.__all__)
        with pytest.raises(AttributeError, match="no attribute 'runs'"):
            _ = nliprobe.runs  # type: ignore[attr-defined]


class TestRun:
    def test_a_function_on_a_list_of_tuples(self, tmp_path: Path) -> None:
        made = nliprobe.run(systems=[overlap], on=PAIRS, probes=["gold", "swap"], out=tmp_path / "x")
        assert made.systems == ("overlap",)
        assert made.complete
        assert made.path == tmp_path / "x"
        scores = made.scores()
        assert scores.filter(pl.col("probe") == "gold")["accuracy"].to_list() == [pytest.approx(2 / 3)]
        assert scores.columns[:4] == ["system", "corpus", "probe", "n"]
        assert made.cases()["probe"].value_counts().height == 2
        assert made.cases()["bases"].dtype == pl.String
        assert made.predictions()["status"].unique().to_list() == ["ok"]
        # The neutral pair is likely only.
        assert made.transitions()["n"].sum() == 2
        failing = made.failures()
        assert failing.filter(pl.col("probe") == "gold")["hypothesis"].to_list() == ["Nobody eats."]
        assert failing["answer"].to_list() == ["N"] * failing.height
        assert made.summary()["schema"] == "nliprobe/show/3"

    def test_the_same_call_is_free_and_an_edited_function_is_refused(self, tmp_path: Path) -> None:
        nliprobe.run([overlap], PAIRS, out=tmp_path / "x")
        assert nliprobe.run([overlap], PAIRS, out=str(tmp_path / "x")).tally is None

        def other(premises: list[str], hypotheses: list[str]) -> list[str]:
            return ["neutral"] * len(premises)

        with pytest.raises(StoreError, match=r"another system named 'overlap'.*folder with out="):
            nliprobe.run({"overlap": other}, PAIRS, out=tmp_path / "x")
        with pytest.raises(StoreError, match="another suite"):
            nliprobe.run([overlap], PAIRS[:2], out=tmp_path / "x")

    def test_a_temporary_run_lives_as_long_as_its_object(self) -> None:
        made = nliprobe.run(overlap, PAIRS)
        path = made.path
        assert path.is_dir()
        del made
        assert not path.parent.exists()

    def test_a_failed_temporary_run_leaves_nothing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        with pytest.raises(ModelError, match=r"test_face.*<lambda> returned 1 answers for"):
            nliprobe.run(lambda premises, hypotheses: ["neutral"], PAIRS)
        assert not list(tmp_path.glob("nliprobe-????????"))

    def test_systems_of_every_form(self, tmp_path: Path) -> None:
        scores = nliprobe.system(
            lambda premises, hypotheses: [[0.9, 0.05, 0.05]] * len(premises), name="scores", labels="e,n,c"
        )
        blind = nliprobe.system(overlap, name="blind", premise="none")
        trained = nliprobe.train("majority", PAIRS, tmp_path / "majority")
        made = nliprobe.run([scores, blind, Constant(), *trained, "majority?name=most"], {"mine": PAIRS}, train=PAIRS)
        assert made.systems[:3] == ("scores", "blind", "Constant")
        assert made.systems[4] == "most"
        assert made.predictions("scores")["p_e"].to_list() == [pytest.approx(0.9)] * 3
        assert set(made.scores()["corpus"]) == {"mine"}
        named = nliprobe.run({"a": "majority", "b": overlap}, PAIRS, train=PAIRS)
        assert named.systems == ("a", "b")

    def test_numpy_scores_and_codes(self) -> None:
        import numpy as np

        def predict(premises: list[str], hypotheses: list[str]) -> object:
            return np.tile(np.array([0.2, 0.7, 0.1]), (len(premises), 1))

        made = nliprobe.run(nliprobe.system(predict, labels="contradiction,entailment,neutral"), PAIRS)
        assert made.predictions()["label"].unique().to_list() == ["E"]
        with pytest.raises(ModelError, match="nothing says whose they are: declare their order"):
            nliprobe.run(predict, PAIRS)

    def test_answers_are_kept_across_runs_only_with_a_version(self, tmp_path: Path) -> None:
        asked: list[int] = []

        def counted(premises: list[str], hypotheses: list[str]) -> list[str]:
            asked.append(len(premises))
            return overlap(premises, hypotheses)

        for version, again in (("", True), ("3", False)):
            given = nliprobe.system(counted, version=version)
            nliprobe.run(given, PAIRS, out=tmp_path / f"one{version}")
            asked.clear()
            nliprobe.run(given, PAIRS, out=tmp_path / f"two{version}")
            assert bool(asked) is again

    def test_two_functions_of_one_version_have_two_fingerprints(self) -> None:
        first = FunctionModel(overlap, name="a", version="1")
        assert first.fingerprint() == FunctionModel(overlap, name="a", version="1").fingerprint()
        assert first.fingerprint() != FunctionModel(overlap, name="b", version="1").fingerprint()
        assert first.fingerprint() != FunctionModel(lambda p, h: p, name="a", version="1").fingerprint()
        assert FunctionModel(overlap).fingerprint() is None

    def test_what_is_no_system_is_refused(self) -> None:
        with pytest.raises(UsageError, match="not int"):
            nliprobe.run([3], PAIRS)  # type: ignore[list-item]
        with pytest.raises(UsageError, match="has a name of its own, too"):
            nliprobe.run({"a": "majority?name=b"}, PAIRS, train=PAIRS)
        with pytest.raises(UsageError, match="not the class Constant itself"):
            nliprobe.run(Constant, PAIRS)  # type: ignore[arg-type]
        with pytest.raises(UsageError, match="labels= is for functions"):
            nliprobe.system(Constant(), labels="e,n,c")

    def test_ctrl_c_keeps_what_was_asked(self, tmp_path: Path) -> None:
        import signal

        from nliprobe.api.face import RunInterruptedError

        def pressed(premises: list[str], hypotheses: list[str]) -> list[str]:
            if len(premises) <= 2:  # not the doctor's pairs
                signal.raise_signal(signal.SIGINT)
            return overlap(premises, hypotheses)

        with pytest.raises(RunInterruptedError) as stopped:
            nliprobe.run(pressed, PAIRS, out=tmp_path / "x", shard_size=1)
        assert not stopped.value.run.complete
        assert stopped.value.run.predictions().height == 1


class TestShown:
    def test_html_shows_verdict_and_scorecard_and_escapes(self) -> None:
        made = nliprobe.run({"<b>me</b>": overlap}, {"a & b": PAIRS}, ["swap"])
        shown = made._repr_html_()
        assert "is right in 66.7 %" in shown
        assert "&lt;b&gt;me&lt;/b&gt;" in shown
        assert "a &amp; b" in shown
        assert "<b>" not in shown
        assert "<script" not in shown
        assert "<style" not in shown
        assert "me" in repr(made)

    def test_reports(self, tmp_path: Path) -> None:
        made = nliprobe.run(overlap, PAIRS, out=tmp_path / "x")
        assert made.report() == tmp_path / "x" / "report.html"
        assert made.report(tmp_path / "r.md").read_text(encoding="utf-8").startswith("#")
        assert json.loads(nliprobe.open_run(str(made.path)).report(tmp_path / "r.json").read_text())["scores"]
        with pytest.raises(UsageError, match=r"r.pdf: its name should end in .html, .md, .json"):
            made.report(tmp_path / "r.pdf")


class TestCompareAndGate:
    @pytest.fixture
    def made(self, tmp_path: Path) -> nliprobe.Run:
        return nliprobe.run({"good": overlap, "constant": Constant()}, PAIRS, out=tmp_path / "x")

    def test_compare(self, made: nliprobe.Run) -> None:
        found = nliprobe.compare(made, left="good", right="constant")
        assert found.document["schema"] == "nliprobe/compare/4"
        assert "constant" in found._repr_html_()
        assert "may be chance" in repr(found)
        assert nliprobe.compare(made.path).document == found.document
        with pytest.raises(UsageError, match="Name one with right="):
            nliprobe.compare(made.path, left="good")

    def test_gate(self, made: nliprobe.Run, tmp_path: Path) -> None:
        contract = tmp_path / "contract.yaml"
        made.write_contract(contract, system="good")
        assert nliprobe.gate(made, contract=contract)
        failed = nliprobe.gate(str(made.path), contract=str(contract), system="constant", baseline=made)
        passed = nliprobe.gate(made, baseline=made, system="good")
        assert passed.passed
        assert "Passed" in passed._repr_html_()
        assert repr(passed).startswith("<Gate passed")
        assert len(failed.document["checks"]) > len(passed.document["checks"])
        assert b"testsuite" in passed.junit(tmp_path / "junit.xml").read_bytes()
        with pytest.raises(UsageError, match=r"exists\. Choose another name with path="):
            made.write_contract(contract, system="good")
        with pytest.raises(UsageError, match="give baseline=RUN or contract=FILE"):
            nliprobe.gate(made, system="good")


class TestOtherJobs:
    def test_score_a_list_and_a_file(self, tmp_path: Path) -> None:
        found = nliprobe.score(["entailment", "neutral", "neutral"], on=PAIRS)
        assert found.accuracy == pytest.approx(2 / 3)
        assert "66.7" in repr(found)
        assert "66.7" in found._repr_html_()
        file = tmp_path / "answers.csv"
        file.write_text("label\nentailment\nneutral\nneutral\n", encoding="utf-8")
        assert nliprobe.score(file, PAIRS, in_order=True).accuracy == pytest.approx(2 / 3)
        with pytest.raises(DataError, match="2 answers, but pairs has 3 pairs"):
            nliprobe.score(["e", "n"], PAIRS)
        with pytest.raises(DataError, match="answers, number 1: the label 0 is a code"):
            nliprobe.score([0, 1, 2], PAIRS)

    def test_generate_and_doctor(self, tmp_path: Path) -> None:
        seen: list[tuple[int, int]] = []
        made = nliprobe.generate(
            "checklist", tmp_path / "x.jsonl", n=2, only="numerical", progress=lambda *done: seen.append(done)
        )
        assert made.document["schema"] == "nliprobe/generate/2"
        assert seen[0][0] == 0
        assert seen[-1][0] == seen[-1][1] == len(made.templates)
        assert nliprobe.run(overlap, made.path).complete
        [verdict] = nliprobe.doctor(Constant()).values()
        assert verdict.status == "weak"


class TestMessages:
    @pytest.mark.parametrize(
        ("job", "python", "typed"),
        [
            (lambda: nliprobe.run([], PAIRS), 'with systems=, for example systems="svm".', "--system svm."),
            (
                lambda: nliprobe.run("svm", PAIRS),
                'with train=, as in train="infotabs/train".',
                "--train infotabs/train.",
            ),
            (lambda: nliprobe.run(overlap, []), 'on="builtin/sentences-dev".', "--on builtin/sentences-dev."),
            (lambda: nliprobe.open_run("none"), 'nliprobe.run(…, out="none").', "nliprobe run --out none."),
            (lambda: nliprobe.train("svm", [], "x"), "with train=,", "with --train,"),
        ],
    )
    def test_errors_speak_the_language_of_the_caller(self, job: object, python: str, typed: str) -> None:
        assert callable(job)
        with pytest.raises((UsageError, NotFoundError)) as error:
            job()
        assert python in str(error.value)
        assert "--" not in str(error.value)
        with command_line(), pytest.raises((UsageError, NotFoundError)) as error:
            job()
        assert typed in str(error.value)

    def test_no_message_outside_the_command_line_names_an_option(self) -> None:
        root = Path(nliprobe.__file__).parent
        exempt = {"cli", "papers"}
        named = [
            f"{path.relative_to(root)}: {text}"
            for path in root.rglob("*.py")
            if path.relative_to(root).parts[0] not in exempt
            for text in _raised_texts(path)
            if " --" in text or text.startswith("--")
        ]
        assert not named, "\n".join(named)


def _raised_texts(path: Path) -> Iterator[str]:
    import ast

    source = path.read_text(encoding="utf-8")
    # To parse every file takes seconds, and only a file with two dashes can name an option.
    for node in ast.walk(ast.parse(source)) if "--" in source else ():
        if isinstance(node, ast.Raise):
            for part in ast.walk(node):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value


def test_models_without_parameters_need_no_from_spec() -> None:
    assert isinstance(Constant.from_spec(Spec("constant"), None), Constant)
    with pytest.raises(UsageError, match="'constant' takes no parameters, but was asked for as 'constant:x'"):
        Constant.from_spec(Spec.parse("constant:x"), None)
    with pytest.raises(UsageError, match="names no function"):
        FunctionModel.from_spec(Spec("function"), None)
