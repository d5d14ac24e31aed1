"""Systems in a process of their own: they hang, die, fail and print, and the next question is answered all the same."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.api.asked import Answered
from nliprobe.base.errors import NotFoundError
from nliprobe.people.records import Json
from nliprobe.store.run import RunFolder
from nliprobe.studio.ask.asking import Asking, TimeLimits
from nliprobe.studio.ask.messages import Loaded, RunCase, answered_message, pair_message, read_answered, read_pair
from nliprobe.studio.jobs import JobState
from nliprobe.studio.refusals import TooManyError
from nliprobe.task.case import Prediction, Status
from nliprobe.task.labels import LabelSet, Partition
from nliprobe.task.pair import Pair
from nliprobe.testing import strategies

# What the model does is in the hypothesis, so that one process is enough for many questions.
PLUGIN = """
import os, signal, subprocess, sys, time
from nliprobe.models import MODELS, Model
from nliprobe.task.case import Prediction
from nliprobe.task.labels import LabelSet


@MODELS.register("moody")
class Moody(Model):
    def fingerprint(self):
        return None

    def predict(self, inputs):
        said = inputs[0].hypothesis
        if said == "say one thing and exit":
            os.write(2, b"RuntimeError: no memory")
            os._exit(3)
        print("noise on standard output", said)
        if any(one.hypothesis.startswith("hang") for one in inputs):
            subprocess.Popen(["sleep", "4321"])
            time.sleep(3600)
        if said == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if said == "exit":
            print("RuntimeError: no weights", file=sys.stderr, flush=True)
            os._exit(3)
        if said == "raise":
            raise ValueError("broken inside")
        if said == "read":
            sys.stdin.read()
        return [Prediction(LabelSet.of("E")) for _ in inputs]
"""


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from nliprobe.base.registry import load_plugin

    path = tmp_path_factory.mktemp("plugin") / "moody_plugin.py"
    path.write_text(PLUGIN)
    load_plugin(path)
    return path


@pytest.fixture
def told() -> list[tuple[str, dict[str, Json]]]:
    return []


@pytest.fixture
def asking(plugin: Path, told: list[tuple[str, dict[str, Json]]]) -> Iterator[Asking]:
    made = Asking(
        Loaded(("moody", "small"), plugins=(plugin,)),
        TimeLimits(question=1.0, explanation=60.0),
        lambda what, about: told.append((what, about)),
    )
    yield made
    made.close()


def pair(hypothesis: str) -> Pair:
    return Pair("typed/1", "A man sleeps in the park.", hypothesis)


def until(holds: Callable[[], bool], seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    return holds()


def asleep() -> bool:
    """Tell whether the program that the hanging model starts still runs."""
    found = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    return "sleep 4321" in found.stdout


def test_a_model_that_hangs_is_ended_with_all_it_started_and_the_next_question_is_answered(
    asking: Asking, told: list[tuple[str, dict[str, Json]]]
) -> None:
    first, waiting = asking.ask(0, [pair("hang")]), asking.ask(0, [pair("fine")])
    assert first.wait(60)
    assert first.state is JobState.FAILED
    assert first.was_stopped
    assert "did not answer within 1 seconds" in first.said
    assert until(lambda: not asleep())
    assert waiting.wait(60)
    assert waiting.state is JobState.DONE
    assert [what for what, _ in told] == ["a system was stopped"]
    assert told[0][1]["system"] == "moody"
    assert "hang" not in str(told)


def test_a_model_that_dies_says_so_and_the_next_question_is_answered(asking: Asking) -> None:
    killed, left, fine = (asking.ask(0, [pair(word)]) for word in ("die", "exit", "fine"))
    assert fine.wait(90)
    assert "signal 9" in killed.said
    assert "status 3" in left.said
    assert "no weights" in left.said
    assert fine.result is not None
    assert fine.result.predictions[0].label == LabelSet.of("E")


def test_what_a_dead_model_said_last_is_told_without_what_was_said_before(asking: Asking) -> None:
    much, last = asking.ask(0, [pair("x" * 9000)]), asking.ask(0, [pair("say one thing and exit")])
    assert last.wait(90)
    assert much.state is JobState.DONE
    assert last.said.startswith("Its process ended with status 3: RuntimeError: no memory.")


def test_a_question_that_the_end_of_the_studio_cuts_off_is_no_fault_of_the_system(
    asking: Asking, told: list[tuple[str, dict[str, Json]]], caplog: pytest.LogCaptureFixture
) -> None:
    assert asking.ask(0, [pair("fine")]).wait(60)
    asking.limits = TimeLimits()
    cut_off = asking.ask(0, [pair("hang")])
    assert until(lambda: cut_off.state is JobState.RUNNING)
    asking.close()
    assert cut_off.wait(20)
    assert "ended by signal 9" in cut_off.said
    assert told == []
    assert caplog.messages == []


def test_what_a_model_prints_raises_or_reads_does_not_disturb(asking: Asking) -> None:
    raised, read, other = (
        asking.ask(0, [pair("raise")]),
        asking.ask(0, [pair("read")]),
        asking.ask(1, [pair("x\n\x85")]),
    )
    assert other.wait(60)
    assert raised.result is not None
    assert raised.result.predictions[0].status is Status.FAILED
    assert "broken inside" in str(raised.result.predictions[0].raw)
    assert read.state is JobState.DONE
    assert other.state is JobState.DONE


def test_an_answer_is_explained(asking: Asking) -> None:
    question = asking.explain(1, pair("A person is asleep."))
    assert question.wait(60)
    assert question.result is not None
    assert question.result["explanation"]["system"] == "small"


def test_a_system_of_a_run_that_hangs_while_it_is_explained_is_ended(
    plugin: Path, told: list[tuple[str, dict[str, Json]]], tmp_path: Path
) -> None:
    """It hangs where a word is left out, so that the run itself comes to its end."""
    import nliprobe

    pairs = [pair("please hang on"), Pair("typed/2", "A man sleeps.", "A man rests.")]
    nliprobe.run({"m": "moody", "small": "small"}, pairs, out=tmp_path / "run", doctor=False)
    first, second = RunFolder.open(tmp_path / "run").read("cases", ["case_id"])["case_id"].to_list()
    limits = TimeLimits(question=1.0, explanation=3.0, learning=600.0)
    asking = Asking(Loaded(("moody",), plugins=(plugin,)), limits, lambda what, about: told.append((what, about)))
    try:
        hanging = asking.explain_case(RunCase(tmp_path / "run", first, "m"))
        assert hanging.wait(60)
        assert (hanging.state, hanging.was_stopped) == (JobState.FAILED, True)
        assert told[0][1]["system"] == "m"
        assert until(lambda: not asleep())
        asking.limits = replace(limits, explanation=60.0)
        fine = asking.explain_case(RunCase(tmp_path / "run", second, "small"))
        assert fine.wait(60)
        assert fine.result is not None, fine.said
        assert fine.result["case_id"] == second
        unknown = asking.explain_case(RunCase(tmp_path / "run", "0" * 16, "small"))
        assert unknown.wait(60)
        assert (unknown.state, unknown.was_stopped) == (JobState.FAILED, False)
    finally:
        asking.close()


def test_systems_are_numbers_and_questions_are_bounded(asking: Asking) -> None:
    assert asking.names == ("moody", "small")
    for number in (-1, 2, 99):
        with pytest.raises(NotFoundError, match="2"):
            asking.ask(number, [pair("fine")])
    for _ in range(21):
        with contextlib.suppress(TooManyError):
            asking.ask(0, [pair("hang")])
    with pytest.raises(TooManyError, match="20 questions"):
        asking.ask(0, [pair("hang")])


def test_systems_that_cannot_be_asked_say_why(plugin: Path) -> None:
    with pytest.raises(NotFoundError, match="smal"):
        Asking(Loaded(("smal",)), TimeLimits(), lambda what, about: None)
    asking = Asking(
        Loaded(("small?premise=swapped", "predictions:nowhere.csv")), TimeLimits(), lambda what, about: None
    )
    try:
        swapped, looked_up = asking.ask(0, [pair("x")]), asking.ask(1, [pair("x")])
        assert looked_up.wait(60)
        assert "premise of another pair" in swapped.said
        assert looked_up.state is JobState.FAILED
    finally:
        asking.close()


def test_the_options_of_a_run_name_what_was_asked_and_what_it_learns_from(plugin: Path) -> None:
    systems = ("small", "svm?represent=para", "moody?name=http://me:word@host")
    asking = Asking(
        Loaded(systems, ("infotabs/train", "snli/dev"), Path("data"), (plugin,)), TimeLimits(), lambda what, about: None
    )
    assert asking.run_options([0]) == ["--plugin", str(plugin), "--system", "small"]
    assert asking.run_options([1, 2]) == [
        *("--plugin", str(plugin), "--system", "svm?represent=para", "--system", "moody?name=http://***@host"),
        *("--train", "infotabs/train", "--train", "snli/dev", "--from", "data"),
    ]


def test_the_process_ends_when_the_server_is_killed(tmp_path: Path, plugin: Path) -> None:
    """It is in the middle of a question that never ends."""
    script = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from nliprobe.base.registry import load_plugin\n"
        "from nliprobe.studio.ask.asking import *\n"
        f"plugin = Path({str(plugin)!r})\n"
        "load_plugin(plugin)\n"
        "asking = Asking(Loaded(('moody',), plugins=(plugin,)), TimeLimits(), print)\n"
        "asking.ask(0, [Pair('1', 'x', 'fine')]).wait(60)\n"
        "asking.ask(0, [Pair('1', 'x', 'hang')])\n"
        "print(asking._process._process.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    server = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    worker = int(server.stdout.readline())
    server.kill()
    server.communicate()
    assert until(lambda: not _runs(worker))
    assert until(lambda: not asleep())


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return "zombie" not in Path(f"/proc/{process}/status").read_text() if Path(f"/proc/{process}").exists() else False


@given(strategies.pairs())
def test_pairs_pass_whole_and_without_their_labels(pair: Pair) -> None:
    assert "gold" not in pair_message(pair)
    read = read_pair(pair_message(pair))
    assert (read.id, read.premise, read.hypothesis) == (pair.id, pair.premise, pair.hypothesis)
    assert read.gold is None


shares = st.floats(0, 1, allow_nan=False)


@given(
    st.lists(
        st.builds(
            Prediction,
            st.none() | strategies.golds,
            st.none() | st.tuples(shares, st.none() | shares, shares),
            st.sampled_from(Status),
            st.none() | strategies.texts,
        )
    )
)
def test_answers_pass_whole(predictions: list[Prediction]) -> None:
    answered = Answered(predictions, Partition.parse("E|NC"), ["id"] * len(predictions))
    assert read_answered(answered_message(answered)) == answered
