"""The requests to a chat service, and what is left out of them when a service does not take it.

Fields that only say how an answer is written (``response_format``, ``structured_outputs``, log probabilities, the name
of the longest length) are left out once a service refuses a request and names them; the model's notes say so. What
decides the answer itself (``temperature``, ``top_p``, ``seed``, ``extra``) is never left out: then the run stops, and
the user decides.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from nliprobe.base.errors import ModelError
from nliprobe.models.chat.mode import AnswerMode
from nliprobe.models.chat.params import ChatParams
from nliprobe.models.chat.prompt import Message, Prompt
from nliprobe.task.case import Input

# A request that is not understood, and one whose fields are wrong; others have nothing to do with fields.
_REFUSALS = frozenset({400, 422})
# The fields that hold an answer to the words, and what services call them when they refuse them.
_CONSTRAINTS = {"response_format": r"response_format|json_schema|grammar", "structured_outputs": "structured_outputs"}
_LOGPROBS = ("top_logprobs", "logprobs")
_DECIDING = ("temperature", "top_p", "seed")
_LENGTH, _NEW_LENGTH = "max_tokens", "max_completion_tokens"
# A length that is too large names both fields, too.
_UNSUPPORTED = re.compile(r"instead|unsupported|not supported", re.IGNORECASE)
# Under these keys services repeat what they were sent.
_REPEATED = ("input", "body", "request")
_SHOWN = 200


class Requests:
    """Makes the requests of one model, and learns what its service does not take.

    Args:
        model: the name of the model at the service.
        params: what the user asked for.
        prompt: the words around an input.
    """

    def __init__(self, model: str, params: ChatParams, prompt: Prompt) -> None:
        self._model = model
        self._params = params
        self._prompt = prompt
        self.mode = params.answer
        self.logprobs = params.logprobs
        self._length_field = _LENGTH
        self.notes: list[str] = []

    def messages(self, asked: Input) -> list[Message]:
        """Return the turns that are sent for an input."""
        return self._prompt.messages(asked.premise, asked.hypothesis, asked.form, self.mode)

    def body(self, messages: Sequence[Message]) -> dict[str, object]:
        """Return the request with these turns."""
        body: dict[str, object] = {"model": self._model, "messages": list(messages)}
        for name in _DECIDING:
            if getattr(self._params, name) is not None:
                body[name] = getattr(self._params, name)
        body[self._length_field] = self._params.max_tokens
        body |= self.mode.fields(list(self._prompt.labels.values()))
        if self.logprobs:
            body |= {"logprobs": True, "top_logprobs": self._params.top_logprobs}
        return body | dict(self._params.more)

    def leave_out(self, sent: Mapping[str, object], status: int | None, said: object) -> bool:
        """Note what a service refused; tell whether the same can be asked in another way.

        Args:
            sent: the request that it refused.
            status: the status of its answer.
            said: what the answer said.

        Raises:
            ModelError: it refuses what must not be left out.
        """
        if status not in _REFUSALS:
            return False
        self._learn(sent, said)
        return self.body([]).keys() != sent.keys()

    def _learn(self, sent: Mapping[str, object], said: object) -> None:
        text = said if isinstance(said, str) else json.dumps(_without_request(said), ensure_ascii=False)
        named = {name for name in sent if re.search(rf"(?<![A-Za-z_]){name}(?![A-Za-z_])", text)}
        # Requests that were under way when another one was refused are refused as well: they are noted once.
        if _LENGTH in named and _NEW_LENGTH in text and _UNSUPPORTED.search(text):
            if self._length_field == _LENGTH:
                self._length_field = _NEW_LENGTH
                self._note("max_tokens was sent under its new name, max_completion_tokens", text)
        elif any(re.search(words, text) for name, words in _CONSTRAINTS.items() if name in sent):
            if self.mode is not AnswerMode.LABEL:
                self._note(f"answer={self.mode} is not supported: the label was asked for as a plain word", text)
                self.mode = AnswerMode.LABEL
        elif named & set(_LOGPROBS):
            if self.logprobs:
                self._note("log probabilities were refused, so that answers have no probabilities", text)
                self.logprobs = False
        elif deciding := [name for name in _DECIDING if name in named]:
            name = deciding[0]
            raise ModelError(
                f"The service refuses {name}={sent[name]} ({_short(text)}). Say {name}= with a value that it takes, or "
                f"{name}=none to leave it to the service: it decides the answers, so it is not left out unasked."
            )

    def _note(self, what: str, said: str) -> None:
        self.notes.append(f"Of the service: {what} ({_short(said)}).")


def _without_request(said: object) -> object:
    """Return an error without the request that some services repeat in it, which names every field."""
    if isinstance(said, Mapping):
        return {key: _without_request(value) for key, value in said.items() if key not in _REPEATED}
    return [_without_request(item) for item in said] if isinstance(said, list) else said


def _short(text: str) -> str:
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= _SHOWN else line[:_SHOWN] + "…"
