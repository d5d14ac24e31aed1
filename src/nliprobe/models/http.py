"""A model that is a service: it takes pairs as JSON and gives answers as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import ClassVar, Self

from nliprobe.base.errors import DataError, ModelError, UsageError
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS
from nliprobe.models.answers import AnswerReader, partition_of
from nliprobe.models.asynchronous import Answerer
from nliprobe.models.base import Model, Take
from nliprobe.models.failures import InputsFailed, failed
from nliprobe.models.http_client import JsonClient, RequestPolicy
from nliprobe.task.case import Input, Prediction, input_id
from nliprobe.task.labels import LabelMap, Partition

SHOWN_CHARACTERS = 200


@dataclass(frozen=True)
class HttpParams(RequestPolicy):
    """The options of ``http:``.

    Attributes:
        batch: how many pairs a request holds.
        version: the user's name for the current version of the service; without it answers are not kept across runs.
    """

    batch: int = 16
    version: str = ""

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense."""
        super().__post_init__()
        if self.batch < 1:
            raise UsageError(f"'http?batch' should be a number from 1 up, not {self.batch}.")


@MODELS.register("http")
class HttpModel(Model):
    """Asks a service that takes and gives JSON: http:https://host/path?batch=16&version=3.

    A request is ``{"pairs": [{"id": ..., "premise": ..., "hypothesis": ...}, ...]}``, and its answer ``{"answers":
    [...]}`` with one object per pair, in any order: the same ``id`` and ``label``, ``logits`` or ``probabilities``;
    ``raw`` may hold what a person should see. An answer that makes no sense is a failure of its input; pairs without an
    answer are asked again in halves.
    """

    manner: ClassVar[frozenset[str]] = frozenset(field.name for field in fields(HttpParams)) - {"version"}

    def __init__(self, url: str, params: HttpParams, labels: LabelMap | None, client: JsonClient | None = None) -> None:
        self._params = params
        self._labels = labels
        self._reader = AnswerReader(labels)
        self._client = client or JsonClient(url, params)

    @classmethod
    def from_spec(cls, spec: Spec, labels: LabelMap | None) -> Self:
        """Name the service; it is asked when the first answer is asked for."""
        url = spec.argument.strip()
        if url.startswith("//"):
            raise UsageError(f"A service is named by its whole URL: {spec.name}:http:{_host(url)} with two 'http:'.")
        if not url:
            raise UsageError(f"'{spec.name}' needs a URL, as in {spec.name}:http://localhost:8000/nli.")
        known = [field.name for field in fields(HttpParams)]
        for name, _ in spec.params:
            if name not in known:
                raise UsageError(
                    f"{spec.unknown(name, known)} If it belongs to the URL, write the question mark of the URL as %3F: "
                    f"{spec.name}:https://host/path%3F{name}=…"
                )
        return cls(url, spec.build(HttpParams), labels)

    @property
    def partition(self) -> Partition:
        """The declared labels; all three if none are declared."""
        return partition_of(self._labels)

    def fingerprint(self) -> str | None:
        """Return a hash of the URL without its credentials, the label map and the version; none without a version."""
        if not self._params.version:
            return None
        return digest("http", str(self.version), self._client.shown, self._params.version, str(self._labels or ""))

    def check(self) -> None:
        """Find the key and the packages, without asking; one with a version may need neither: all may be answered."""
        if not self._params.version:
            self._client.check()

    @cached_property
    def asynchronous(self) -> Answerer:
        """What asks the service."""
        return Answerer(self._answer, self._params.concurrency, self._params.batch)

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        """Return one answer for each input, in order."""
        return self.asynchronous.predict(inputs)

    def notes(self) -> list[str]:
        """Return a note if requests were repeated."""
        return self._client.notes()

    def close(self) -> None:
        """Cancel what is in flight, and close the connections."""
        self.asynchronous.close()
        self._client.close()

    async def _answer(self, inputs: Sequence[Input], take: Take) -> None:
        """Ask for some inputs in one request; inputs with the same id are asked once."""
        places: dict[str, list[int]] = {}
        for place, item in enumerate(inputs):
            places.setdefault(item.id or input_id(item.premise, item.hypothesis), []).append(place)
        asked = {name: inputs[same[0]] for name, same in places.items()}
        pairs = [{"id": name, "premise": item.premise, "hypothesis": item.hypothesis} for name, item in asked.items()]
        reply = await self._client.post({"pairs": pairs})
        answers = self._by_id(reply.json, set(asked))
        for name, answer in answers.items():
            for place in places[name]:
                take(place, self._read(answer))
        missing = len(asked) - len(answers)
        if missing:
            raise InputsFailed(self._explained(f"left {missing} of {len(asked)} pairs without an answer"))

    def _by_id(self, content: dict[str, object], asked: set[str]) -> dict[str, dict[str, object]]:
        """Return the answers by the ids of their pairs; none is used if it is not certain whose each of them is."""
        rows = content.get("answers")
        if not isinstance(rows, list):
            shown = _short(content)
            raise ModelError(self._explained(f'should answer {{"answers": [...]}} with a list of objects, not {shown}'))
        answers: dict[str, dict[str, object]] = {}
        for row in rows:
            name = row.get("id") if isinstance(row, dict) else None
            if isinstance(name, bool) or not isinstance(name, str | int):
                raise InputsFailed(self._explained(f"gave an answer without the id of its pair: {_short(row)}"))
            if str(name) not in asked:
                raise InputsFailed(self._explained(f"answered the id '{_short(name)}', which it was not asked"))
            if str(name) in answers:
                raise InputsFailed(self._explained(f"answered the id '{name}' twice"))
            answers[str(name)] = row
        return answers

    def _read(self, answer: dict[str, object]) -> Prediction:
        try:
            return self._reader.record(answer)
        except DataError as error:
            return failed(f"its answer makes no sense ({error}): {_short(answer)}")

    def _explained(self, what: str) -> str:
        return f"The service {self._client.shown} {what}."


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "..."


def _host(url: str) -> str:
    return "//" + url.strip("/").rpartition("@")[2]
