"""Chat models behind a service that speaks the protocol of OpenAI's chat completions: ``chat:MODEL?base_url=…``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal, Self
from urllib.parse import urlsplit

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.halves import whole
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS
from nliprobe.models.asynchronous import AsyncModel
from nliprobe.models.base import Estimate
from nliprobe.models.chat.budget import Budget
from nliprobe.models.chat.ledger import Ledger
from nliprobe.models.chat.likelihood import weigh
from nliprobe.models.chat.params import BudgetParams, ChatParams
from nliprobe.models.chat.prompt import DEFAULT, Message, Prompt, read_prompt
from nliprobe.models.chat.reply import Completion, read_completion
from nliprobe.models.chat.request import Requests
from nliprobe.models.chat.shots import draw_shots
from nliprobe.models.http_client import JsonClient, Reply, RequestFailed, RequestPolicy
from nliprobe.models.origin import Origin
from nliprobe.models.written_label import read_label
from nliprobe.task.case import Input, Prediction, Shares, Status
from nliprobe.task.labels import LETTERS, LabelMap, LabelSet, Partition

_PATH = "chat/completions"
# The key of this variable is sent unasked to this host, and to no other.
_OPENAI_HOST, _OPENAI_KEY = "api.openai.com", "OPENAI_API_KEY"
# What is kept of a long answer: its beginning and its end.
_KEPT_CHARACTERS = 2000
_POLICY = tuple(item.name for item in fields(RequestPolicy))
_BUDGET = tuple(item.name for item in fields(BudgetParams))


@MODELS.register("chat")
class ChatModel(AsyncModel):
    """Asks a chat model behind a URL: chat:MODEL?base_url=http://localhost:8000/v1.

    Any service with OpenAI's chat completions will do. The prompt is a file (``prompt=FILE``); the answer is read by
    strict rules, and what they do not cover is no answer. Probabilities come from log probabilities (``logprobs=1``).
    What is spent can be limited (``max_tokens_total=``, ``max_cost=``).
    """

    told_form: ClassVar[bool] = True
    order: ClassVar[Literal["length", "premise"]] = "premise"
    manner: ClassVar[frozenset[str]] = frozenset({*_POLICY, *_BUDGET})

    def __init__(
        self,
        model: str,
        params: ChatParams,
        policy: RequestPolicy,
        budget: BudgetParams,
        labels: LabelMap | None = None,
    ) -> None:
        if not policy.key_env and _host(params.base_url) == _OPENAI_HOST:
            policy = replace(policy, key_env=_OPENAI_KEY)
        self._model = model
        self._params = params
        self._budget_params = budget
        self._prompt = _prompt_of(params)
        self._meanings = _meanings(self._prompt, labels)
        self._requests = Requests(model, params, self._prompt)
        self._budget = Budget(budget, Ledger(), params.max_tokens)
        self._client = JsonClient(params.base_url, policy)
        self._shown_pairs = {(shot.premise, shot.hypothesis) for shot in self._prompt.examples}
        self._counted: Counter[str] = Counter()
        self._problems: Counter[str] = Counter()
        self.concurrency = policy.concurrency

    @classmethod
    def from_spec(cls, spec: Spec, labels: LabelMap | None) -> Self:
        """Name the model and read its prompt; nothing is asked before the first answer is needed."""
        if not spec.argument.strip():
            raise UsageError(
                f"'{spec.name}' needs the name of a model, as in {spec.name}:llama3.2?base_url=http://localhost:11434/v1."
            )
        known = [item.name for kind in (ChatParams, RequestPolicy, BudgetParams) for item in fields(kind)]
        for key, _ in spec.params:
            if key not in known:
                raise spec.unknown(key, known)
        policy, rest = spec.take(*_POLICY)
        budget, rest = rest.take(*_BUDGET)
        return cls(
            spec.argument.strip(),
            rest.build(ChatParams),
            Spec(spec.name, params=tuple(policy.items())).build(RequestPolicy),
            Spec(spec.name, params=tuple(budget.items())).build(BudgetParams),
            labels,
        )

    @property
    def partition(self) -> Partition:
        """How finely the words of the prompt tell labels apart."""
        return Partition.parse("|".join(dict.fromkeys(map(str, self._meanings.values()))))

    def fingerprint(self) -> str | None:
        """Return a hash of the model, the host, the prompt with its examples and the settings; none without a version.

        What the service does with the name of a model is only covered by the user's word.
        """
        return digest("chat", str(self.version), self._model, *self._settings) if self._params.version else None

    def origin(self) -> Origin:
        """Return the files of the prompt and its examples, and the prompt as it is sent."""
        named = [Path(name) for name in (self._params.prompt, self._params.shots_from) if name]
        told = {"the prompt": digest(*self._settings)}
        return Origin(lambda: {path.name: path for path in named}, told)

    def check(self) -> None:
        """Look for the key and the package; with a version all may be answered already, and neither is needed."""
        if not self._params.version:
            self._client.check()

    def keep_account(self, folder: Path) -> None:
        """Keep in a folder what is spent; what was spent there before counts."""
        self._budget.ledger.keep_in(folder)

    def preview(self, asked: Input) -> str:
        """Return the prompt of an input as it is sent."""
        return "\n".join(f"[{turn['role']}]\n{turn['content']}" for turn in self._requests.messages(asked))

    def estimate(self, inputs: Sequence[Input]) -> Estimate:
        """Return about how many tokens the requests and answers of inputs have, and what they cost."""
        rate, mode = self._budget.rate, self._requests.mode
        opening = _length(self._prompt.opening(mode))
        tokens_in = sum(rate.tokens(opening + self._prompt.length(asked.premise, asked.hypothesis)) for asked in inputs)
        tokens_out = len(inputs) * max(rate.tokens(len(mode.reply(word))) for word in self._prompt.labels.values())
        prices = self._budget_params
        cost = prices.cost(tokens_in, tokens_out) if prices.priced else None
        return Estimate(len(inputs), tokens_in, tokens_out, cost)

    async def answer(self, asked: Input) -> Prediction:
        """Ask about one input."""
        messages = self._requests.messages(asked)
        length = _length(messages)
        async with self._budget.request(length):
            reply = await self._send(asked, messages)
            try:
                completion = read_completion(reply.json)
            except BaseException:
                self._budget.settle(length, 0, None)
                raise
            self._budget.settle(length, len(completion.text), completion.usage)
        if (asked.premise, asked.hypothesis) in self._shown_pairs:
            self._counted["shown"] += 1
        return self._read(completion)

    def close(self) -> None:
        """Cancel what is in flight and close connections."""
        super().close()
        self._client.close()
        self._budget.ledger.close()

    def notes(self) -> list[str]:
        """Return what the service did not take, what counts as no answer and why, and what was spent."""
        notes = list(self._requests.notes)
        # What earlier commands were answered is in the run, and not known here.
        answered = f"{self._counted['answered']:,} answers to the last command"
        if self._problems:
            why = "; ".join(f"{count:,}: {problem}" for problem, count in self._problems.most_common())
            notes.append(f"{self._problems.total():,} of {answered} count as no answer ({why}).")
        if self._counted["unnamed"]:
            notes.append(f"{self._counted['unnamed']:,} of {answered} came without the log probabilities asked for.")
        if self._counted["unweighed"]:
            notes.append(
                f"{self._counted['unweighed']:,} of {answered} have no probabilities: the tokens that the "
                f"service named gave all labels together less than {self._params.min_mass:g}, or favoured another "
                "label than the answer."
            )
        if self._counted["shown"]:
            notes.append(f"{self._counted['shown']:,} inputs are among the examples of the prompt.")
        notes += self._client.notes()
        if self._budget.ledger.own.requests:
            notes.append(f"Spent: {self._budget.in_words()}.")
        return notes

    async def _send(self, asked: Input, messages: list[Message]) -> Reply:
        """Send a request, and again in another way if the service does not take a field of it."""
        while True:
            body = self._requests.body(messages)
            try:
                return await self._client.post(body, _PATH)
            except RequestFailed as error:
                if not self._requests.leave_out(body, error.status, error.content):
                    raise
                messages = self._requests.messages(asked)

    def _read(self, completion: Completion) -> Prediction:
        """Turn an answer into a prediction."""
        self._counted["answered"] += 1
        words = list(self._prompt.labels.values())
        read = read_label(completion.text, words, self._prompt.answer_after)
        problem = completion.problem or read.problem
        if problem or read.word is None:
            self._problems[problem] += 1
            return Prediction(None, None, Status.NO_ANSWER, _shortened(completion.text) or f"({problem})")
        label = self._meanings[read.word]
        raw = None if completion.text == read.word else _shortened(completion.text)
        shares = None
        if self._requests.logprobs:
            shares = self._shares(completion, read.start, label)
            self._counted["unweighed" if completion.tokens else "unnamed"] += shares is None
        return Prediction(label, shares, raw=raw)

    def _shares(self, completion: Completion, start: int, label: LabelSet) -> Shares | None:
        labels = {self._meanings[word]: word for word in self._prompt.labels.values()}
        shares = weigh(completion.tokens, completion.text, start, labels, self._params.min_mass).shares
        return shares if shares is None or _favours(shares, label) else None

    @cached_property
    def _settings(self) -> tuple[str, ...]:
        """Everything that decides answers, apart from the name of the model."""
        parameters = {item.name: getattr(self._params, item.name) for item in fields(self._params)}
        # Files count by what they say, and the address without what proves who asks.
        for name in ("prompt", "shots_from", "shots", "shots_seed", "base_url"):
            del parameters[name]
        how = self._params.answer
        told = [how.instruction(["word"]), how.reply("word"), json.dumps(how.fields(["word"]))]
        meanings = [f"{word}={label}" for word, label in self._meanings.items()]
        settings = json.dumps(parameters, sort_keys=True, default=str)
        return (self._client.shown, self._prompt.digest(), settings, *told, *meanings)


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:  # the client says what is wrong with it
        return None


def _prompt_of(params: ChatParams) -> Prompt:
    prompt = read_prompt(Path(params.prompt) if params.prompt else DEFAULT)
    if not params.shots:
        return prompt
    drawn = draw_shots(Path(params.shots_from), params.shots, params.shots_seed, prompt.labels)
    return replace(prompt, examples=(*prompt.examples, *drawn))


def _meanings(prompt: Prompt, labels: LabelMap | None) -> dict[str, LabelSet]:
    """Return what each word of a prompt stands for: what its file says, or what the user's label map says."""
    if labels is None:
        return {word: label for label, word in prompt.labels.items()}
    meanings: dict[str, LabelSet] = {}
    for word in prompt.labels.values():
        try:
            meaning = labels.read(word)
        except DataError:
            meaning = None
        if meaning is None or meaning in meanings.values():
            example = ";".join(f"{item}:{label}" for label, item in prompt.labels.items())
            raise UsageError(f"'labels' should say what each word of the prompt stands for, as in labels={example}.")
        meanings[word] = meaning
    return meanings


def _favours(shares: Shares, label: LabelSet) -> bool:
    """Tell whether no other label is more likely; what a two-way model leaves out is the rest."""
    known = {letter: share for letter, share in zip(LETTERS, shares, strict=True) if share is not None}
    rest = 1.0 - sum(known.values())
    own = known.get(str(label), rest)
    others = [share for letter, share in known.items() if letter != str(label)]
    return own >= max([*others, rest] if str(label) in known and len(known) < len(LETTERS) else others, default=0.0)


def _length(messages: Sequence[Message]) -> int:
    return sum(len(turn["content"]) for turn in messages)


def _shortened(text: str) -> str:
    text = whole(text)
    if len(text) <= _KEPT_CHARACTERS:
        return text
    half = _KEPT_CHARACTERS // 2
    return f"{text[:half]} […] {text[-half:]}"
