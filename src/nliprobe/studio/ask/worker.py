"""The process that holds the systems: it reads questions from standard input and writes answers to standard output.

A process of its own can be ended when a model hangs, and takes nothing along when it dies.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, cast

from nliprobe.api.asked import AskedSystems
from nliprobe.api.explain import ExplainOptions
from nliprobe.api.reading import read_explanation
from nliprobe.base.errors import NliprobeError
from nliprobe.base.registry import load_plugin
from nliprobe.people.records import Json
from nliprobe.studio.ask.messages import Loaded, Message, RunCase, answered_message, line, read_pair


def main() -> None:
    """Answer questions until standard input ends."""
    questions, answers = _channels()
    waiting: queue.Queue[Message] = queue.Queue()
    threading.Thread(target=_listen, args=(questions, waiting), daemon=True).start()

    def send(message: Message) -> None:
        answers.write(line(message))
        answers.flush()

    try:
        loaded = Loaded.read(waiting.get())
        for path in loaded.plugins:
            load_plugin(path)
        systems = AskedSystems(loaded.systems, loaded.train, loaded.root)
    except NliprobeError as error:
        send({"error": str(error)})
        return
    send({"ready": True})
    while True:
        send(_answer(systems, loaded.root, waiting.get()))


def _answer(systems: AskedSystems, root: Path | None, message: Message) -> Message:
    try:
        if message["do"] == "explain a case":
            return _explain_case(RunCase.read(message), root)
        number = message["system"]
        assert isinstance(number, int)
        return _DOING[str(message["do"])](systems, number, message)
    except NliprobeError as error:
        return {"error": str(error)}
    except Exception as error:
        # A model of others may raise anything; the owner, who loaded it, can use the words.
        return {"error": f"It failed: {type(error).__name__}: {error}."}


def _prepare(systems: AskedSystems, number: int, message: Message) -> Message:
    systems.prepare(number)
    return {}


def _ask(systems: AskedSystems, number: int, message: Message) -> Message:
    pairs = message["pairs"]
    assert isinstance(pairs, list)
    return answered_message(systems.ask(number, [read_pair(pair) for pair in pairs]))


def _explain(systems: AskedSystems, number: int, message: Message) -> Message:
    return {"explained": cast("Json", systems.explain(number, read_pair(message["pair"])))}


def _explain_case(case: RunCase, root: Path | None) -> Message:
    options = ExplainOptions(pool=case.pool, root=root)
    return {"explained": cast("Json", read_explanation(case.run, case.case_id, case.system, options))}


_DOING: dict[str, Callable[[AskedSystems, int, Message], Message]] = {
    "prepare": _prepare,
    "ask": _ask,
    "explain": _explain,
}


def _channels() -> tuple[BinaryIO, BinaryIO]:
    """Take standard input and output away from the models: what they print must not come between the answers."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return questions, answers


def _listen(questions: BinaryIO, waiting: queue.Queue[Message]) -> None:
    """Hand on what is asked; when the server is gone, end at once, whatever a model is doing."""
    for each in questions:
        waiting.put(json.loads(each))
    if os.getpgrp() == os.getpid():
        # With everything that a model has started.
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


if __name__ == "__main__":
    main()
