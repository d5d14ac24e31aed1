from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nliprobe.base.errors import ModelError, UsageError
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS
from nliprobe.models._process import HELD_BYTES
from nliprobe.models.command import CommandModel
from nliprobe.task.case import Input, Prediction, Status
from nliprobe.task.labels import C, E, LabelMap, LabelSet, N

HEAD = "import json, os, signal, sys, time\n"
# The label is the last word of the hypothesis.
ECHO = """
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"id": asked["id"], "label": asked["hypothesis"].split()[-1]}), flush=True)
"""


def inputs(labels: str, start: int = 0) -> list[Input]:
    return [Input(f"i{start + n}", ("P ", "q."), f"it is {label}") for n, label in enumerate(labels)]


def labels_of(predictions: list[Prediction]) -> str:
    return "".join(str(prediction.label) for prediction in predictions)


@contextmanager
def program(folder: Path, code: str, params: str = "", labels: str = "") -> Iterator[CommandModel]:
    path = folder / "answer.py"
    path.write_text(HEAD + code, encoding="utf-8")
    command = f"{shlex.quote(sys.executable)} {shlex.quote(str(path))}"
    spec = Spec("command", command, Spec.parse(f"x?{params}").params if params else ())
    model = CommandModel.from_spec(spec, LabelMap.parse(labels) if labels else None)
    try:
        yield model
    finally:
        model.close()


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended but was not waited for does not."""
    try:
        os.kill(pid, 0)
        stat = Path(f"/proc/{pid}/stat")
        return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def ends(pid: int) -> bool:
    deadline = time.monotonic() + 5
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not is_alive(pid)


def test_command_answers_batch_after_batch_from_one_process(tmp_path: Path) -> None:
    code = "open(sys.argv[0] + '.starts', 'a').write('x')\n" + ECHO
    with program(tmp_path, code) as model:
        assert labels_of(model.predict(inputs("ENC"))) == "ENC"
        assert labels_of(model.predict(inputs("CCE", 3))) == "CCE"
        assert model.predict([]) == []
    assert (tmp_path / "answer.py.starts").read_text() == "x"
    assert model.notes() == []
    assert MODELS.get("command") is CommandModel


def test_command_hands_over_the_whole_texts(tmp_path: Path) -> None:
    code = """
for line in sys.stdin:
    print(json.dumps({"label": "E", "raw": line, **{"id": json.loads(line)["id"]}}), flush=True)
"""
    with program(tmp_path, code) as model:
        (answer,) = model.predict([Input("a", ("Zoë ", "said\n"), "\ud800 is “odd”")])
    assert answer.raw is not None
    assert json.loads(answer.raw) == {"id": "a", "premise": "Zoë said\n", "hypothesis": "\ud800 is “odd”"}


def test_command_takes_answers_in_any_order_and_kind(tmp_path: Path) -> None:
    code = """
lines = [json.loads(sys.stdin.readline()) for _ in range(4)]
answers = [{"label": 1}, {"logits": [1, 2, 9]}, {"probabilities": [0.5, 0.3, 0.2]}, {"label": None, "raw": "??"}]
for asked, answer in reversed(list(zip(lines, answers))):
    print(json.dumps({"id": asked["id"], **answer}))
    print()
"""
    with program(tmp_path, code, labels="contradiction,entailment,neutral") as model:
        first, second, third, fourth = model.predict(inputs("EEEE"))
    assert (first.label, second.label, third.label, fourth.label) == (E, N, C, None)
    assert third.probabilities == (0.3, 0.2, 0.5)
    assert fourth.raw == "??"


def test_command_asks_inputs_with_the_same_id_once(tmp_path: Path) -> None:
    code = "seen = set()\n" + ECHO.replace(
        "    print", '    assert asked["id"] not in seen\n    seen.add(asked["id"])\n    print'
    )
    with program(tmp_path, code) as model:
        same = Input("", ("p",), "it is C")
        assert labels_of(model.predict([*inputs("EN"), same, same, *inputs("EN")])) == "ENCCEN"


@settings(max_examples=10)
@given(st.lists(st.text("ENC", min_size=1, max_size=30), min_size=1, max_size=4))
def test_command_matches_answers_by_id(tmp_path_factory: pytest.TempPathFactory, batches: list[str]) -> None:
    sizes = [len(batch) for batch in batches]
    code = f"""
import random
for size in {sizes}:
    asked = [json.loads(sys.stdin.readline()) for _ in range(size)]
    random.shuffle(asked)
    for item in asked:
        print(json.dumps({{"id": item["id"], "label": item["hypothesis"][-1]}}), flush=True)
"""
    with program(tmp_path_factory.mktemp("program"), code) as model:
        start = 0
        for batch in batches:
            assert labels_of(model.predict(inputs(batch, start))) == batch
            start += len(batch)


def test_command_does_not_wait_on_full_pipes(tmp_path: Path) -> None:
    # Far more than a pipe holds (64 KiB), on all three: answers before reading on, and chatter on standard error.
    code = """
for line in sys.stdin:
    asked = json.loads(line)
    sys.stderr.write("x" * 5000 + "\\n")
    print(json.dumps({"id": asked["id"], "label": "E", "raw": "y" * 5000}), flush=True)
"""
    with program(tmp_path, code, "timeout=60") as model:
        asked = [Input(f"i{n}", ("z" * 5000,), "h") for n in range(400)]
        assert model.predict(asked)[-1].label == E


def test_command_that_reads_everything_before_it_answers(tmp_path: Path) -> None:
    code = """
asked = [json.loads(sys.stdin.readline()) for _ in range(300)]
for item in asked:
    print(json.dumps({"id": item["id"], "label": "C", "raw": "y" * 3000}))
"""
    with program(tmp_path, code, "timeout=60") as model:
        assert len(model.predict([Input(f"i{n}", ("z" * 3000,), "h") for n in range(300)])) == 300


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("sys.exit(3)", "ended with exit code 3 after 0 of 3 answers"),
        (
            ECHO.replace("\n    print", "\n    if asked['id'] == 'i2': sys.exit()\n    print"),
            "exit code 0 after 2 of 3",
        ),
        ("os.kill(os.getpid(), signal.SIGKILL)", "was killed by signal 9 after 0 of 3"),
        ("print('Loading model...', flush=True); time.sleep(60)", "not JSON: Loading model"),
        ("print('x' * 999, flush=True); time.sleep(60)", r"not JSON: x{200}\.\.\."),
        ("print('[1, 2]', flush=True); time.sleep(60)", r"not a JSON object with the id it answers: \[1, 2\]"),
        ('print(\'{"label": "E"}\', flush=True); time.sleep(60)', "with the id it answers"),
        ('print(\'{"id": "zz", "label": "E"}\', flush=True); time.sleep(60)', "the id 'zz', which it was not asked"),
        ('print(\'{"id": "i0", "label": "E"}\\n\' * 2, flush=True); time.sleep(60)', "the id 'i0' twice"),
        ("sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush(); time.sleep(60)", "not JSON"),
        ("os.close(1); time.sleep(60)", "closed its output after 0 of 3 answers"),
        ("print('Traceback: boom', file=sys.stderr); sys.exit(1)", "(?s)exit code 1.*ends with:\n  Traceback: boom"),
    ],
)
def test_command_says_how_a_program_failed(tmp_path: Path, code: str, message: str) -> None:
    with program(tmp_path, code) as model:
        started = time.monotonic()
        with pytest.raises(ModelError, match=message) as caught:
            model.predict(inputs("ENC"))
        assert time.monotonic() - started < 20
        assert "answer.py" in str(caught.value)
        assert model._process is None


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ('"label": "hm"', "its answer makes no sense (unknown label 'hm'"),
        ('"raw": "x"', "there is no answer"),
        ('"logits": [NaN, 1, 2]', "makes no sense"),
    ],
)
def test_command_an_answer_that_makes_no_sense_is_a_failure_of_its_input(
    tmp_path: Path, answer: str, message: str
) -> None:
    code = ECHO.replace(
        "\n    print",
        f"\n    if asked['id'] == 'i1': print('{{\"id\": \"i1\", {answer}}}', flush=True); continue\n    print",
    )
    with program(tmp_path, code) as model:
        first, second, third = model.predict(inputs("ENC"))
        process = model._process
        assert labels_of(model.predict(inputs("E"))) == "E"
        assert model._process is process, "the program goes on"
    assert (first.label, third.label) == (E, C)
    assert second.status is Status.FAILED
    assert message in (second.raw or "")


def test_command_shows_the_last_lines_of_standard_error(tmp_path: Path) -> None:
    with (
        program(tmp_path, "[print('line', n, file=sys.stderr) for n in range(50)]; sys.exit(1)") as model,
        pytest.raises(ModelError) as caught,
    ):
        model.predict(inputs("E"))
    assert str(caught.value).count("\n  line") == 20
    assert str(caught.value).endswith("line 49")


@pytest.mark.parametrize(
    "code",
    ["time.sleep(60)", "[None for _ in sys.stdin]", "signal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(60)"],
)
def test_command_times_out(tmp_path: Path, code: str) -> None:
    with program(tmp_path, code, "timeout=0.5") as model:
        started = time.monotonic()
        with pytest.raises(ModelError, match=r"answered 0 of 2 inputs within 0\.5 seconds; it may not flush"):
            model.predict([*inputs("E"), Input("big", ("x" * 1_000_000,), "h")])
        assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    "code",
    [
        "while True: print(flush=True)",
        "while True: sys.stdout.write('\\n' * 100_000)",
        'print(\'{"id": "i0", "label": "E"}\', flush=True)\nwhile True: print(\'   \')',
        "while True: sys.stderr.write('x' * 100_000)",
        "while True: sys.stderr.write('x\\n' * 100_000)",
    ],
)
def test_command_that_prints_without_end_times_out(tmp_path: Path, code: str) -> None:
    with (
        program(tmp_path, code, "timeout=1") as model,
        pytest.raises(ModelError, match=r"of 3 inputs within 1 seconds"),
    ):
        model.predict(inputs("ENC"))
    assert model._process is None


@pytest.mark.parametrize("piece", ["x", '{"raw": "' + "x" * 100])
def test_command_that_prints_a_line_without_end_is_stopped(tmp_path: Path, piece: str) -> None:
    with (
        program(tmp_path, f"while True: sys.stdout.write('{piece}' * 10_000)") as model,
        pytest.raises(ModelError, match=r"printed a line of more than 16 MB; an answer is a line\."),
    ):
        model.predict(inputs("ENC"))
    assert model._process is None


def test_command_holds_a_bounded_part_of_what_nobody_reads(tmp_path: Path) -> None:
    # The lines after the last answer wait in the program, not here.
    code = ECHO.replace("flush=True)", "flush=True)\n    sys.stdout.write(('y' * 999 + '\\n') * 200_000)", 1)
    with program(tmp_path, code) as model:
        assert labels_of(model.predict(inputs("E"))) == "E"
        assert model._process is not None
        lines = model._process._lines
        deadline = time.monotonic() + 20
        while lines._bytes < HELD_BYTES and time.monotonic() < deadline:
            time.sleep(0.01)
        assert HELD_BYTES <= lines._bytes < HELD_BYTES + 2000
        model._process.close(patience=0.2)
        # It ends by itself, but not at once where others need the processor.
        model._process._line_thread.join(20)
        assert not model._process._line_thread.is_alive()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_command_that_ends_and_leaves_its_output_open(tmp_path: Path) -> None:
    code = "pid = os.fork()\nif pid: open(sys.argv[0] + '.pid', 'w').write(str(pid)); os._exit(4)\ntime.sleep(300)"
    with (
        program(tmp_path, code, "timeout=200") as model,
        pytest.raises(ModelError, match="ended with exit code 4 after 0 of 3 answers"),
    ):
        model.predict(inputs("ENC"))
    assert ends(int((tmp_path / "answer.py.pid").read_text()))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_command_whose_child_answers_for_it(tmp_path: Path) -> None:
    code = "if os.fork(): os._exit(0)\n" + ECHO
    with program(tmp_path, code) as model:
        assert labels_of(model.predict(inputs("ENC"))) == "ENC"


def test_command_half_a_character_in_an_answer_is_replaced(tmp_path: Path) -> None:
    code = """
for line in sys.stdin:
    name = json.loads(line)["id"]
    print(json.dumps({"id": name, "label": "E" if name == "i0" else "\\ud83d?", "raw": "cut \\ud83d"}), flush=True)
"""
    with program(tmp_path, code) as model:
        good, bad = model.predict(inputs("EN"))
    assert good.raw == "cut \ufffd"
    assert "unknown label '\ufffd?'" in (bad.raw or "")
    (bad.raw or "").encode()


def test_command_starts_again_after_a_failure(tmp_path: Path) -> None:
    code = """
if not os.path.exists(sys.argv[0] + '.once'):
    open(sys.argv[0] + '.once', 'w').close()
    sys.exit(1)
"""
    with program(tmp_path, code + ECHO) as model:
        with pytest.raises(ModelError, match="exit code 1"):
            model.predict(inputs("EN"))
        assert labels_of(model.predict(inputs("EN"))) == "EN"


def test_command_reports_lines_nobody_asked_for(tmp_path: Path) -> None:
    with program(tmp_path, ECHO + "print('bye')\nprint()\n") as model:
        model.predict(inputs("E"))
    assert "printed 1 lines more than it was asked for" in model.notes()[0]


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
def test_command_close_ends_politely_first(tmp_path: Path) -> None:
    with program(tmp_path, ECHO + "open(sys.argv[0] + '.end', 'w').write('polite')\n") as model:
        model.predict(inputs("E"))
    assert (tmp_path / "answer.py.end").read_text() == "polite"
    model.close()


STUBBORN = """
import subprocess
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"], stdin=subprocess.DEVNULL)
open(sys.argv[0] + ".pids", "w").write(f"{os.getpid()} {child.pid}")
"""


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
@pytest.mark.parametrize("after", ["time.sleep(100)", "os._exit(0)"])
def test_command_close_kills_what_stays(tmp_path: Path, after: str) -> None:
    with program(tmp_path, STUBBORN + ECHO + after) as model:
        model.predict(inputs("E"))
        assert model._process is not None
        model._process.close(patience=0.2)
    for pid in (tmp_path / "answer.py.pids").read_text().split():
        assert ends(int(pid))


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
@pytest.mark.parametrize("way", ["interrupt", "forgotten"])
def test_command_leaves_no_orphans(tmp_path: Path, way: str) -> None:
    path = tmp_path / "answer.py"
    answering = ECHO if way == "forgotten" else ""
    path.write_text(HEAD + STUBBORN + answering + "time.sleep(100)\n", encoding="utf-8")
    pids = tmp_path / "answer.py.pids"
    code = (
        "import sys; from nliprobe.base.registry import Spec; from nliprobe.models.command import CommandModel; "
        "from nliprobe.task.case import Input; "
        f"m = CommandModel.from_spec(Spec('command', {shlex.join([sys.executable, str(path)])!r}), None); "
        "m.predict([Input('a', (), 'it is E')])"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE)
    deadline = time.monotonic() + 20
    while not (pids.exists() and pids.read_text().count(" ")) and time.monotonic() < deadline:
        time.sleep(0.02)
    if way == "interrupt":
        parent.send_signal(signal.SIGINT)
    _, errors = parent.communicate(timeout=20)
    assert (b"KeyboardInterrupt" in errors) == (way == "interrupt")
    for pid in pids.read_text().split():
        assert ends(int(pid))


def test_command_fingerprint_needs_a_version() -> None:
    def fingerprint(spec: str, labels: str = "") -> str | None:
        return CommandModel.from_spec(Spec.parse(spec), LabelMap.parse(labels) if labels else None).fingerprint()

    assert fingerprint("command:a b") is None
    prints = {fingerprint(f"command:a {word}?version={v}") for word, v in (("b", 1), ("b", 2), ("c", 1))}
    prints.add(fingerprint("command:a b?version=1", "entailment,neutral,contradiction"))
    assert len(prints) == 4
    assert fingerprint("command:a b?version=1") == fingerprint("command:a b?version=1&timeout=5")


def test_command_of_a_two_way_model(tmp_path: Path) -> None:
    with program(tmp_path, ECHO, labels="entailment,not_entailment") as model:
        assert str(model.partition) == "E|NC"
        assert model.predict([Input("a", (), "it is 1")]) == [Prediction(LabelSet.of("NC"))]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("command", "needs a program"),
        ("command: ", "needs a program"),
        ("command:python 'half", "cannot be divided into words"),
        ("command:x?timeout=0", "positive number of seconds"),
        ("command:x?timeout=inf", "positive number of seconds"),
        ("command:x?time=3", "has no parameter 'time'"),
    ],
)
def test_command_refuses_a_request_that_makes_no_sense(spec: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        CommandModel.from_spec(Spec.parse(spec), None)


def test_command_that_cannot_be_started(tmp_path: Path) -> None:
    model = CommandModel.from_spec(Spec("command", f"{tmp_path / 'gone'} -x"), None)
    with pytest.raises(ModelError, match=r"gone' cannot be started: No such file"):
        model.predict(inputs("E"))
    model.close()
