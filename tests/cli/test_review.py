"""``nliprobe review`` as people use it: keys from a pipe and from a terminal, kills, hostile texts, two copies."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.analysis.schemas import validate
from tests.cli.helpers import NO_BYTECODE, command, environment, nliprobe, nliprobe_json
from tests.people.reviewed import ITEM, ITEMS, new_queue

from nliprobe.cli._review import row_marks
from nliprobe.people.review.files import read_queue
from nliprobe.task.table import Row, Table

PLUGIN = '''
"""Doubles the first number of a hypothesis."""

import re
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.probes import PROBES, Probe
from nliprobe.task.about import About
from nliprobe.task.case import Certainty
from nliprobe.task.edits import replace_in_hypothesis
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet


@PROBES.register("doubled")
@dataclass(frozen=True)
class Doubled(Probe):
    """Double the first number."""

    about: ClassVar[About] = About("A number is doubled.", "The answer stays.")
    version: ClassVar[int] = 1

    def cases(self, pair, pool):
        number = re.search("[0-9]+", pair.hypothesis)
        if number is None or str(pair.gold) not in "EC":
            yield self.skip("there is no number")
            return
        edit = replace_in_hypothesis(pair.hypothesis, number.span(), str(2 * int(number[0])))
        facets = (Facet("rule", "doubled"), Facet("kind", "number"), Facet("effect", "flip"))
        gold = LabelSet.of("C" if str(pair.gold) == "E" else "E")
        level = Certainty.CERTAIN if "2" in number[0] else Certainty.LIKELY
        yield self.case(pair, (edit,), gold=gold, certainty=level, facets=facets)
'''


def reviewed(path: Path, keys: str, *words: str) -> str:
    """Review a queue with keys from a pipe."""
    done = subprocess.run(
        command("review", str(path), *words), input=keys, capture_output=True, text=True, env=environment(), check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_keys_from_a_pipe_decide(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    shown = reviewed(path, "x? m a remark\na\nbbm again\nn r s e q")
    assert "There is no key 'x'" in shown
    assert "the right label is entailment" in shown
    assert "original  Blue Harbour is over [40] minutes long.  (E, entailment)" in shown
    assert "perturbed Blue Harbour is over [60] minutes long.  (expected C, contradiction)" in shown
    assert "This is the first case." in shown
    queue = read_queue(path)
    decisions = {name: queue.decision(name) for name in queue.items}
    assert [(item and item.verdict.value, item and item.label) for item in decisions.values()] == [
        ("fix", "N"),
        ("reject", ""),
        ("skip", ""),
        ("fix", "E"),
    ]
    assert [decision.remark for decision in queue.history["c1"]] == ["a remark", "again"]
    assert "before: C (a remark)" in shown
    assert "3 of 4 cases settled: 0 accepted, 2 fixed, 1 rejected; 1 open" in shown


def test_the_end_of_the_keys_is_a_break_and_the_next_call_continues(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    reviewed(path, "a")
    shown = reviewed(path, "")
    assert "1 of 4 settled, 3 to look at" in shown
    assert "over [80] minutes" in shown
    assert "over [60] minutes" not in shown


def test_blind_judgements_are_not_led(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    shown = reviewed(path, "acn", "--blind", "--rater", "Ann")
    assert "The expected label is hidden" in shown
    for hint in ("expected C", "entailment)", "over-raised", "likely", "accept ·"):
        assert hint not in shown.partition("settled: ")[0]
    assert "→ C" in shown
    queue = read_queue(path)
    assert [queue.outcome(name) for name in ("c1", "c2")] == ["C", "N"]
    assert all(queue.history[name][-1].blind and queue.history[name][-1].rater == "Ann" for name in ("c1", "c2"))
    document = nliprobe_json("review", str(path))
    validate("review", document)
    assert document["all"]["blind"]["n"] == 2
    assert document["raters"] == ["Ann"]


def test_a_kill_loses_nothing_that_was_decided(tmp_path: Path) -> None:
    path = new_queue(tmp_path)
    before = path.stat().st_size
    process = subprocess.Popen(
        command("review", str(path)), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment()
    )
    assert process.stdin is not None
    try:
        process.stdin.write(b"a")
        process.stdin.flush()
        _wait(lambda: path.stat().st_size > before)
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
    queue = read_queue(path)
    assert queue.outcome("c1") == "C"
    assert [item.case_id for item in queue.open] == ["c2", "c3", "c4"]
    assert "1 of 4 settled, 3 to look at" in reviewed(path, "q")


def test_a_full_disk_is_said_and_loses_one_decision(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    path = new_queue(tmp_path)
    reviewed(path, "a")
    room = path.stat().st_size + 10
    done = subprocess.run(
        command("review", str(path)),
        input="a",
        capture_output=True,
        text=True,
        env=environment(NO_BYTECODE),
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )
    assert done.returncode == 1
    assert f"No space left to write {path}" in done.stderr
    assert "Traceback" not in done.stderr
    assert path.stat().st_size == room
    queue = read_queue(path)
    assert (queue.outcome("c1"), queue.outcome("c2")) == ("C", None)
    assert "1 of 4 settled" in reviewed(path, "a")
    assert read_queue(path).outcome("c2") == "C"


def test_a_terminal_needs_no_enter(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    path = new_queue(tmp_path)
    before = path.stat().st_size
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command("review", str(path)), stdin=theirs, stdout=subprocess.PIPE, env=environment())
    try:
        # What is typed before the program listens is dropped, as by every program that reads single keys.
        _wait(lambda: path.stat().st_size > before, lambda: os.write(ours, b"a"))
        _wait(lambda: process.poll() is not None, lambda: os.write(ours, b"q"))
        shown, _ = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
        os.close(theirs)
    assert process.returncode == 0
    assert b"of 4 cases settled" in shown
    assert read_queue(path).outcome("c1") == "C"


def test_hostile_texts_are_shown_and_not_obeyed(tmp_path: Path) -> None:
    title = "[bold red]Evil[/bold red] \x1b[2J:smile:"
    table = Table(title, (Row("\x1b]0;owned\x07", ("\u202etxt.exe", "[link=x]y[/link]")), Row("", ())))
    item = replace(ITEM, premise=table, original="A\rB\x00 [i]", perturbed="A\rB\x00 [/i]", span=None, rule="[/]")
    path = new_queue(tmp_path, (item,))
    shown = reviewed(path, "m [/] \x1b[31m\na")
    assert not set(shown) & set("\x00\x07\x1b\r\u202e")
    assert "[bold red]Evil[/bold red] ␛[2J:smile:" in shown
    assert "[link=x]y[/link]" in shown
    assert read_queue(path).history["c1"][0].remark == "[/] \x1b[31m"
    json.loads(nliprobe("review", str(path), "--format", "json").stdout)


def test_rows_that_share_words_are_marked() -> None:
    table = Table("Blue Harbour", (Row("Length", ("60 minutes",)), Row("Long", ("yes",)), Row("Blue", ("Harbour",))))
    assert row_marks(replace(ITEM, premise=table), table) == ["▸", "·", ""]


def test_export_decide_and_ask_about_what_was_settled(tmp_path: Path) -> None:
    plugin, path, out = tmp_path / "plugin.py", tmp_path / "queue.jsonl", tmp_path / "settled.jsonl"
    plugin.write_text(PLUGIN, encoding="utf-8")
    words = ["--on", "builtin/tables-dev", "--probes", "doubled", "--plugin", str(plugin)]
    assert "to settle written to" in nliprobe("review", str(path), *words).stdout
    items = list(read_queue(path).items.values())
    assert len(items) > 5
    assert {item.certainty for item in items} == {"likely"}
    again = nliprobe("review", str(path), *words, code=2)
    assert "may hold decisions" in again.stderr
    every = tmp_path / "every.jsonl"
    nliprobe("review", str(every), *words, "--all")
    assert {item.certainty for item in read_queue(every).items.values()} == {"likely", "certain"}
    few = tmp_path / "few.jsonl"
    nliprobe("review", str(few), *words, "--n", "3")
    assert len(read_queue(few).items) == 3
    run = tmp_path / "run"
    system = ["--system", "majority", "--train", "builtin/tables-dev", "--no-doctor"]
    nliprobe("run", *words, *system, "--out", str(run))
    of_run = tmp_path / "of-run.jsonl"
    nliprobe("review", str(of_run), "--run", str(run))
    assert of_run.read_bytes() == path.read_bytes()
    reviewed(path, "aanr")
    said = nliprobe("review", str(path), "--settled", str(out)).stdout
    spec = said.split("--on '")[1].split("'")[0]
    nliprobe("run", "--on", spec, *system, "--out", str(tmp_path / "settled"))
    assert nliprobe_json("show", str(tmp_path / "settled"))["following"]


def test_two_copies_are_merged_and_conflicts_listed(tmp_path: Path) -> None:
    path, other = new_queue(tmp_path), new_queue(tmp_path, ITEMS, "other.jsonl")
    reviewed(path, "aa", "--rater", "Ann")
    reviewed(other, "amwhy\nnr", "--rater", "Ben")
    shown = nliprobe("review", str(path), "--merge", str(other)).stdout
    assert "1 decision of" in shown
    assert "agree on 50.0 %, 1 of 2" in shown
    assert "c2  Ann: C  |  Ben: N (why)" in shown
    assert "These 1 are open again" in shown
    later = reviewed(path, "n")
    assert "two people disagree: Ann: C; Ben: N (why)" in later
    document = nliprobe_json("review", str(path), "--merge", str(other))
    validate("review-merge", document)
    assert (document["taken"], document["conflicts"], document["earlier"]) == (0, [], 1)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 9
    for line in lines:
        validate("review-queue", json.loads(line))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--merge", "QUEUE", "--settled", "x.jsonl"], "are different jobs"),
        (["--probes", "swap"], "name a corpus with --on"),
        (["--on", "builtin/tables-dev"], "is there already"),
    ],
)
def test_wrong_usage_is_said(tmp_path: Path, words: list[str], sentence: str) -> None:
    path = new_queue(tmp_path)
    given = [str(path) if word == "QUEUE" else word for word in words]
    assert sentence in nliprobe("review", str(path), *given, code=2).stderr


def test_nothing_to_settle_is_said(tmp_path: Path) -> None:
    path = tmp_path / "queue.jsonl"
    done = nliprobe("review", str(path), "--on", "builtin/tables-dev", "--probes", "rows.permute", code=1)
    assert "There is nothing to settle: no case is likely or needs a person." in done.stderr
    assert not path.exists()


def _wait(ready: Callable[[], bool], press: Callable[[], object] = lambda: None) -> None:
    """Wait until something has happened, and press a key meanwhile."""
    end = time.monotonic() + 60
    while not ready():
        assert time.monotonic() < end, "the decision never came"
        press()
        time.sleep(0.1)
