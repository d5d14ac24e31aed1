"""Chat models against a server that goes wrong: what is answered, what is not, what fails, how often it asks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.models.chat_server import answers, chat_server, completion, hypothesis_of, refuses, says, spec, weighed
from tests.models.fault_server import Behaviour, Exchange, FaultServer, cut, error_200, html, status

from nliprobe.base.errors import DataError, ModelError, NotFoundError, UsageError
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS
from nliprobe.models.chat import ChatModel
from nliprobe.models.failures import InputsFailed
from nliprobe.task.case import Input, Prediction, Status
from nliprobe.task.labels import LabelMap, LabelSet
from nliprobe.testing import check_model

pytest.importorskip("httpx2", reason="services are asked with httpx2, which is not installed")

E, N, C = (LabelSet.of(letter) for letter in "ENC")
ASKED = [Input(f"{n:024x}", (f"Premise {n // 3}.",), f"Hypothesis {n} {letter}") for n, letter in enumerate("ENCENC")]


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with chat_server() as running:
        yield running


def build(text: str, labels: str = "") -> ChatModel:
    model = MODELS.get("chat").from_spec(Spec.parse(text), LabelMap.parse(labels) if labels else None)
    assert isinstance(model, ChatModel)
    return model


def ask(text: str, *inputs: Input) -> tuple[list[Prediction], list[str]]:
    model = build(text)
    try:
        return model.predict(inputs or ASKED), model.notes()
    finally:
        model.close()


def one(server: FaultServer, **parameters: object) -> Prediction:
    (answer,), _ = ask(spec(server, **parameters), ASKED[0])
    return answer


def test_answers_each_input_once_with_the_settings(server: FaultServer) -> None:
    given, notes = ask(
        spec(server, temperature=0.5, top_p=0.9, seed=7, max_tokens=9, extra='{"reasoning_effort":"low"}')
    )
    assert given == [Prediction(label) for label in (E, N, C, E, N, C)]
    assert sorted(map(hypothesis_of, server.asked)) == sorted(item.hypothesis for item in ASKED)
    assert {asked.path for asked in server.asked} == {"/v1/chat/completions"}
    sent = {key: value for key, value in server.asked[0].body.items() if key != "messages"}
    assert sent == {
        "model": "tiny",
        "temperature": 0.5,
        "top_p": 0.9,
        "seed": 7,
        "max_tokens": 9,
        "reasoning_effort": "low",
    }
    assert notes == ["Spent: 600 + 12 tokens (requests + answers) for 6 requests."]


def test_by_default_only_what_every_service_takes_is_sent(server: FaultServer) -> None:
    one(server)
    assert set(server.asked[0].body) == {"model", "messages", "temperature", "max_tokens"}
    assert server.asked[0].body["temperature"] == 0
    assert "authorization" not in server.asked[0].headers
    one(server, temperature="none")
    assert "temperature" not in server.asked[1].body


@pytest.mark.parametrize(
    ("reply", "raw", "why"),
    [
        (says("I cannot help with that."), "I cannot help with that.", "it is not one of the labels"),
        (says(None, message={"refusal": "No."}), "No.", "the model refused"),
        (says("entailment", message={"refusal": "No."}), "entailment", "the model refused"),
        (says(""), "(it is empty)", "it is empty"),
        (says(None), "(it is empty)", "it is empty"),
        (says(None, message={"tool_calls": [{"id": "x"}]}), "(it is empty)", "it is empty"),
        (says("entail", "length"), "entail", "it was cut off at max_tokens"),
        (says("entailment", "length"), "entailment", "it was cut off at max_tokens"),
        (says("entailment", "content_filter"), "entailment", "the service's filter stopped it"),
        (says("<think>It is an entailment"), "<think>It is an entailment", "its reasoning has no end"),
        (says("The answer is not entailment."), "The answer is not entailment.", "it is not one of the labels"),
        (says('{"label": "maybe"}'), '{"label": "maybe"}', "it is JSON without one of the labels"),
    ],
)
def test_what_is_no_label_is_no_answer_and_counted(server: FaultServer, reply: Behaviour, raw: str, why: str) -> None:
    server.script = [reply]
    given, notes = ask(spec(server, concurrency=1))
    assert given[0] == Prediction(None, None, Status.NO_ANSWER, raw)
    assert [item.status for item in given[1:]] == [Status.OK] * 5
    assert notes[0] == f"1 of 6 answers to the last command count as no answer (1: {why})."
    assert len(server.asked) == 6


def test_a_label_is_read_after_reasoning_and_from_parts(server: FaultServer) -> None:
    server.script = [
        says("<think>Not a contradiction.</think>\n\nneutral"),
        says(None, message={"content": [{"type": "text", "text": "Label: "}, {"type": "text", "text": "E"}]}),
        lambda exchange: exchange.json(
            completion(None, message={"content": [{"type": "text", "text": "**Contra"}, {"text": "diction**"}]})
        ),
        says('```json\n{"label": "Neutral"}\n```', None),
    ]
    given, _ = ask(spec(server, concurrency=1), *ASKED[:4])
    assert [item.label for item in given] == [N, None, C, N]
    assert given[2].raw == "**Contradiction**"


@pytest.mark.parametrize("fault", [status(429), status(500), status(503, Retry_After="0"), html, cut])
def test_what_may_pass_is_asked_again(server: FaultServer, fault: Behaviour, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nliprobe.models._http_pace.FIRST_WAIT", 0.001)
    server.script = [_chat_fault(fault), _chat_fault(fault)]
    given, notes = ask(spec(server, concurrency=1), *ASKED[:2])
    assert [item.label for item in given] == [E, N]
    assert len(server.asked) == 4
    assert notes[0].startswith("2 requests to http://127.0.0.1:")
    assert notes[1].endswith(" for 2 requests."), "what broke off is not in the account"


def _chat_fault(fault: Behaviour) -> Behaviour:
    if fault is not cut:
        return fault

    def cut_off(exchange: Any) -> None:
        exchange.head(headers={"Content-Type": "application/json", "Content-Length": "500"})
        exchange.send(b'{"choices": [{"message": {"content": "entail')
        exchange.ends = True

    return cut_off


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (
            status(400, {"error": {"message": "This model's maximum context length is 8 tokens."}}),
            "maximum context length",
        ),
        (error_200("the model crashed"), "the model crashed"),
        (status(200, {"object": "list"}), "no choices with a message"),
        (status(200, {"choices": []}), "no choices with a message"),
        (status(200, {"choices": [{"text": "entailment"}]}), "no choices with a message"),
    ],
)
def test_what_a_service_cannot_answer_fails_alone(server: FaultServer, fault: Behaviour, said: str) -> None:
    server.script = [fault]
    given, _ = ask(spec(server, concurrency=1))
    assert given[0].status is Status.FAILED
    assert said in (given[0].raw or "")
    assert [item.label for item in given[1:]] == [N, C, E, N, C]
    assert len(server.asked) == 6


@pytest.mark.parametrize(("code", "said"), [(401, "key_env="), (404, "Is the URL right, and the name of the model?")])
def test_what_no_input_can_mend_stops(server: FaultServer, code: int, said: str) -> None:
    server.usual = status(code, {"error": {"message": "no"}})
    with pytest.raises(ModelError, match=said.replace("?", r"\?")) as caught:
        ask(spec(server, concurrency=1))
    assert not isinstance(caught.value, InputsFailed)
    assert len(server.asked) == 1


@pytest.mark.parametrize(("mode", "field"), [("json_schema", "response_format"), ("choice", "structured_outputs")])
def test_an_answer_that_the_service_constrains(server: FaultServer, mode: str, field: str) -> None:
    server.usual = lambda exchange: exchange.json(
        completion(json.dumps({"label": "contradiction"}) if mode == "json_schema" else "contradiction")
    )
    given, _ = ask(spec(server, answer=mode), ASKED[0])
    assert given[0].label == C
    sent = json.dumps(server.asked[0].body[field])
    assert '["entailment", "neutral", "contradiction"]' in sent


@pytest.mark.parametrize(
    ("mode", "field", "sentence", "code"),
    [
        ("json_schema", "response_format", "'response_format' of type 'json_schema' is not supported", 400),
        ("json_schema", "response_format", 'Either "json_schema" or "grammar" can be specified, but not both', 400),
        ("choice", "structured_outputs", "Unexpected fields in the request: {'structured_outputs'}", 422),
    ],
)
def test_a_constraint_that_is_refused_is_left_out_and_said(
    server: FaultServer, mode: str, field: str, sentence: str, code: int
) -> None:
    server.usual = refuses(field, sentence, code=code)
    given, notes = ask(spec(server, answer=mode, concurrency=3))
    assert [item.label for item in given] == [E, N, C, E, N, C]
    assert [field in asked.body for asked in server.asked].count(True) == 3, "those under way at once"
    assert len(server.asked) == 9
    assert len([note for note in notes if f"answer={mode} is not supported" in note and sentence[-20:] in note]) == 1
    assert "JSON" not in server.asked[-1].body["messages"][-1]["content"]


def test_log_probabilities_and_the_new_name_of_the_length_are_left_out_and_said(server: FaultServer) -> None:
    new = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    server.usual = refuses("max_tokens", new, refuses("top_logprobs", "top_logprobs is not allowed to sample"))
    given, notes = ask(spec(server, logprobs=1, concurrency=1))
    assert [(item.label, item.probabilities) for item in given[:2]] == [(E, None), (N, None)]
    assert len(server.asked) == 8
    assert server.asked[-1].body["max_completion_tokens"] == 256
    assert ["max_completion_tokens" in notes[0], "log probabilities were refused" in notes[1]] == [True, True]


def test_what_decides_answers_is_never_left_out(server: FaultServer) -> None:
    server.usual = refuses("temperature", "Unsupported value: 'temperature' does not support 0 with this model.")
    with pytest.raises(ModelError, match="Say temperature= with a value that it takes, or temperature=none"):
        ask(spec(server, concurrency=1))
    assert len(server.asked) == 1


def test_a_service_that_repeats_the_request_refuses_only_what_it_names(server: FaultServer) -> None:
    def validates(exchange: Exchange) -> None:
        if "top_logprobs" in exchange.asked.body:
            where = {
                "loc": ["body", "top_logprobs"],
                "msg": "Extra inputs are not permitted",
                "input": exchange.asked.body,
            }
            exchange.json({"detail": [where]}, 422)
        else:
            answers(exchange)

    server.usual = validates
    given, notes = ask(spec(server, logprobs=1, concurrency=1), *ASKED[:2])
    assert [item.label for item in given] == [E, N]
    assert "log probabilities were refused" in notes[0]
    assert "temperature" not in notes[0]


def test_a_field_of_extra_that_is_refused_fails(server: FaultServer) -> None:
    server.usual = refuses("response_format", "response_format is unknown")
    (answer,), _ = ask(spec(server, extra='{"response_format":{"type":"text"}}'), ASKED[0])
    assert answer.status is Status.FAILED
    assert len(server.asked) == 1


def test_a_length_that_is_too_large_is_not_renamed(server: FaultServer) -> None:
    server.script = [status(400, {"message": "'max_tokens' or 'max_completion_tokens' is too large: 256."})]
    (first, second), notes = ask(spec(server, concurrency=1), *ASKED[:2])
    assert (first.status, second.label) == (Status.FAILED, N)
    assert "max_tokens" in server.asked[1].body
    assert len(notes) == 1


def test_probabilities_from_log_probabilities(server: FaultServer) -> None:
    server.script = [
        weighed("entailment", ent=0.7, neutral=0.2, contr=0.05, Neutral=0.04),
        weighed("neutral", neutral=0.5, The=0.4),
        weighed("contradiction", contradiction=0.4, ent=0.3, Ent=0.29),
        says("contradiction"),
    ]
    given, notes = ask(spec(server, logprobs=1, concurrency=1), *ASKED[:4])
    assert given[0].probabilities == pytest.approx((0.7 / 0.99, 0.24 / 0.99, 0.05 / 0.99))
    assert [item.probabilities for item in given[1:]] == [None, None, None]
    assert [item.label for item in given] == [E, N, C, C]
    assert (server.asked[0].body["logprobs"], server.asked[0].body["top_logprobs"]) == (True, 20)
    assert notes[0] == "1 of 4 answers to the last command came without the log probabilities asked for."
    assert notes[1].startswith(
        "2 of 4 answers to the last command have no probabilities: the tokens that the service named gave all labels"
    )


def test_a_two_way_prompt(server: FaultServer, tmp_path: Path) -> None:
    file = tmp_path / "two.yaml"
    file.write_text("user: '{premise} So: {hypothesis} yes or no?'\nlabels: {E: yes, NC: no}\n", encoding="utf-8")
    server.script = [says("Yes.", logprobs={"content": []}), weighed("no", no=0.6, yes=0.4)]
    model = build(spec(server, prompt=file, logprobs=1, concurrency=1))
    given = model.predict(ASKED[:2])
    model.close()
    assert str(model.partition) == "E|NC"
    assert [item.label for item in given] == [E, LabelSet.of("NC")]
    assert given[1].probabilities is not None
    assert given[1].probabilities[0] == pytest.approx(0.4)
    assert given[1].probabilities[1:] == (None, None)
    assert server.asked[0].body["messages"] == [{"role": "user", "content": "Premise 0. So: Hypothesis 0 E yes or no?"}]


def test_labels_say_what_words_stand_for(server: FaultServer) -> None:
    model = build(spec(server), "entailment:contradiction;neutral:neutral;contradiction:entailment")
    assert [item.label for item in model.predict(ASKED[:3])] == [C, N, E]
    model.close()
    with pytest.raises(UsageError, match="what each word of the prompt stands for"):
        build(spec(server), "entailment:neutral")


def test_the_fingerprint_is_of_all_that_decides(tmp_path: Path) -> None:
    base = "chat:m?base_url=http://host/v1&version=1"
    prompt, shots = tmp_path / "p.yaml", tmp_path / "shots.jsonl"
    prompt.write_text("user: '{premise} {hypothesis}'\nlabels: {E: a, N: b, C: c}\n", encoding="utf-8")
    lines = [{"premise": f"p{n}", "hypothesis": "h", "label": label} for n in range(4) for label in "ENC"]
    shots.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    specs = [
        base,
        base.replace("chat:m", "chat:n"),
        base.replace("host", "other"),
        base.replace("version=1", "version=2"),
        f"{base}&prompt={prompt}",
        f"{base}&shots=3&shots_from={shots}",
        f"{base}&shots=6&shots_from={shots}",
        f"{base}&shots=3&shots_from={shots}&shots_seed=1",
        *(f"{base}&{item}" for item in ("answer=choice", "logprobs=1", "temperature=1", "max_tokens=9", "seed=1")),
        *(f"{base}&{item}" for item in ("top_p=0.5", "min_mass=0.5", 'extra={"a":1}')),
    ]
    prints = [build(text).fingerprint() for text in specs]
    assert None not in prints
    assert len(set(prints)) == len(prints)
    same = (
        "timeout=5",
        "retries=1",
        "concurrency=2",
        "rate=60",
        "key_env=SOME_KEY",
        "max_cost=5&price_in=1",
        "max_tokens_total=9",
    )
    assert {build(f"{base}&{item}").fingerprint() for item in same} == {prints[0]}
    assert build(base.replace("&version=1", "")).fingerprint() is None
    before = build(specs[4]).fingerprint()
    prompt.write_text("user: '{premise}: {hypothesis}'\nlabels: {E: a, N: b, C: c}\n", encoding="utf-8")
    assert build(specs[4]).fingerprint() != before


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("chat:m", UsageError, "needs base_url="),
        ("chat?base_url=http://h/v1", UsageError, "needs the name of a model"),
        ("chat:m?base_url=http://h&temprature=1", UsageError, "Did you mean 'temperature'"),
        ("chat:m?base_url=http://h&answer=json", UsageError, "label, choice or json_schema"),
        ("chat:m?base_url=http://h&max_cost=1", UsageError, "price_in="),
        ("chat:m?base_url=http://h&max_tokens=0", UsageError, "from 1 to"),
        ("chat:m?base_url=http://h&min_mass=2", UsageError, "from 0 to 1"),
        ("chat:m?base_url=http://h&shots=3", UsageError, "belong together"),
        ("chat:m?base_url=http://h&extra=[]", UsageError, "should be a JSON object"),
        ('chat:m?base_url=http://h&extra={"stream":true}', UsageError, "cannot change stream"),
        ("chat:m?base_url=ftp://h", UsageError, "is not the URL of a service"),
        ("chat:m?base_url=http://[::1/v1", UsageError, "is not the URL of a service"),
        ("chat:m?base_url=http://h/v1/chat/completions", UsageError, "the address before /chat/completions"),
        ("chat:m?base_url=http://h&prompt=nowhere.yaml", (DataError, NotFoundError), "nowhere.yaml"),
        ("chat:m?base_url=http://h&timeout=0", UsageError, "positive number of seconds"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_asked(text: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error) as caught:
        build(text)
    assert said in str(caught.value)


def test_a_key_goes_to_the_host_it_is_for(server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-service")
    monkeypatch.setenv("MY_KEY", "mine-0123456789")
    one(server)
    one(server, key_env="MY_KEY")
    assert [asked.headers.get("authorization") for asked in server.asked] == [None, "Bearer mine-0123456789"]
    model = build("chat:m?base_url=https://api.openai.com/v1")
    model.check()
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        build("chat:m?base_url=https://api.openai.com/v1").check()


def test_the_premise_comes_before_the_hypothesis_so_that_prefixes_are_shared(server: FaultServer) -> None:
    ask(spec(server, concurrency=1))
    first, second = (asked.body["messages"] for asked in server.asked[:2])
    assert first[0] == second[0]
    shared = len("Premise, a text:\nPremise 0.\n\nHypothesis:\nHypothesis ")
    assert first[1]["content"][:shared] == second[1]["content"][:shared]


def test_examples_are_turns_and_pairs_among_them_are_counted(server: FaultServer, tmp_path: Path) -> None:
    file = tmp_path / "shots.jsonl"
    lines = [
        {"premise": item.premise, "hypothesis": item.hypothesis, "label": item.hypothesis[-1]} for item in ASKED[:3]
    ]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    given, notes = ask(spec(server, shots=3, shots_from=file, answer="json_schema"))
    assert [item.label for item in given] == [E, N, C, E, N, C]
    assert "3 inputs are among the examples of the prompt." in notes
    roles = [turn["role"] for turn in server.asked[0].body["messages"]]
    assert roles == ["system", *(["user", "assistant"] * 3), "user"]
    assert json.loads(server.asked[0].body["messages"][2]["content"])["label"] in (
        "entailment",
        "neutral",
        "contradiction",
    )


def test_without_usage_it_is_estimated_and_said(server: FaultServer) -> None:
    server.usual = lambda exchange: exchange.json(completion("neutral", usage=None))
    _, notes = ask(spec(server), *ASKED[:2])
    assert "of which 2 are estimated, because the service does not count tokens" in notes[-1]


def test_nothing_is_streamed(server: FaultServer) -> None:
    server.usual = answers
    one(server)
    assert "stream" not in server.asked[0].body


def test_it_keeps_the_contract_of_models(server: FaultServer) -> None:
    check_model(spec(server, version=1))
