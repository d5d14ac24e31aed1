"""``http:`` asks batches, keeps what came, asks the rest in halves, and never guesses whose an answer is."""

from __future__ import annotations

import asyncio
import threading
import zlib
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.fakes import system
from tests.models import fault_server as faults
from tests.models.fault_server import Behaviour, Exchange, FaultServer, altered, answers_to, status

pytest.importorskip("httpx2", reason="services are asked with httpx2, which is not installed")

from tests.models.http_helpers import inputs, service, shown

from nliprobe.base.errors import ModelError, UsageError
from nliprobe.base.registry import Spec
from nliprobe.engine.ask import Failures, ask
from nliprobe.models import MODELS
from nliprobe.models.http import HttpModel, HttpParams
from nliprobe.models.http_client import JsonClient, Reply, RequestFailed
from nliprobe.models.system import SystemSpec
from nliprobe.task.case import Input, Prediction, Status
from nliprobe.task.labels import C, E, LabelMap, N, Partition
from nliprobe.testing import check_model

TWENTY = "ENCENCENCENCENCENCEN"


def test_http_asks_in_batches_with_bounded_concurrency() -> None:
    barrier = threading.Barrier(2, timeout=60)

    def together(exchange: Exchange) -> None:
        barrier.wait()
        faults.answer(exchange)

    with FaultServer(usual=together) as server, service(server, batch=5, concurrency=2) as model:
        assert shown(model.predict(inputs(TWENTY))) == TWENTY
        assert server.sizes() == [5, 5, 5, 5]
        assert (server.most_at_once, server.connections) == (2, 2)
        assert model.predict([]) == []


def test_http_sends_the_whole_texts_and_names_nothing_else() -> None:
    with FaultServer() as server, service(server) as model:
        model.predict([Input("a", ("Zoë ", "said\n"), "\ud800 is “odd” E")])
        asked = server.asked[0]
    assert asked.body == {"pairs": [{"id": "a", "premise": "Zoë said\n", "hypothesis": "\ud800 is “odd” E"}]}
    assert (asked.path, asked.headers["content-type"]) == ("/nli", "application/json")
    assert "authorization" not in asked.headers


def test_http_takes_answers_in_any_order_and_kind() -> None:
    kinds: list[dict[str, Any]] = [
        {"label": 1},
        {"logits": [1, 2, 9]},
        {"probabilities": [0.5, 0.3, 0.2]},
        {"label": None, "raw": "??"},
    ]

    def change(rows: list[dict[str, Any]]) -> object:
        return [{"id": row["id"], **kind} for row, kind in zip(rows, kinds, strict=True)][::-1]

    order = "contradiction,entailment,neutral"
    with FaultServer(usual=altered(change)) as server, service(server, order) as model:
        first, second, third, fourth = model.predict(inputs("EEEE"))
    assert (first.label, second.label, third.label, fourth.label) == (E, N, C, None)
    assert third.probabilities == (0.3, 0.2, 0.5)
    assert (fourth.status, fourth.raw) == (Status.NO_ANSWER, "??")


def test_http_asks_inputs_with_the_same_id_once() -> None:
    with FaultServer() as server, service(server) as model:
        same = Input("", ("p",), "it is C")
        assert shown(model.predict([*inputs("EN"), same, same, *inputs("EN")])) == "ENCCEN"
        assert server.sizes() == [3]


def test_ids_that_are_numbers_match() -> None:
    def change(rows: list[dict[str, Any]]) -> object:
        return [{**row, "id": int(row["id"])} for row in rows]

    with FaultServer(usual=altered(change)) as server, service(server) as model:
        assert shown(model.predict([Input("7", ("p",), "it is N")])) == "N"


# What comes back wrong, and which of four inputs are answered in the end. Once: the second request is answered.
def first_half(rows: list[dict[str, Any]]) -> object:
    return rows[: (len(rows) + 1) // 2]


ODD: dict[str, tuple[Behaviour, list[int]]] = {
    "half of the answers": (altered(first_half), [4, 1, 1]),
    "no answers": (altered(lambda rows: []), [4, 2, 2]),
    "an id it was not asked": (altered(lambda rows: [*rows, {"id": "x", "label": "E"}]), [4, 2, 2]),
    "an id twice": (altered(lambda rows: [*rows, rows[0]]), [4, 2, 2]),
    "ids exchanged for others": (altered(lambda rows: [{**row, "id": "z" + row["id"]} for row in rows]), [4, 2, 2]),
    "no ids": (altered(lambda rows: [{"label": row["label"]} for row in rows]), [4, 2, 2]),
    "bare labels": (altered(lambda rows: [row["label"] for row in rows]), [4, 2, 2]),
    "true for an id": (altered(lambda rows: [{**row, "id": True} for row in rows]), [4, 2, 2]),
    "413": (status(413), [4, 2, 2]),
    "400": (status(400), [4, 2, 2]),
    "422": (status(422), [4, 2, 2]),
    "200 with an error": (faults.error_200("tensor sizes do not match"), [4, 2, 2]),
    "500": (status(500), [4, 4]),
    "429": (status(429), [4, 4]),
    "HTML": (faults.html, [4, 4]),
    "closes mid-body": (faults.cut, [4, 4]),
}


@pytest.mark.parametrize(("fault", "sizes"), ODD.values(), ids=ODD)
def test_one_bad_answer_costs_no_input_and_nothing_is_asked_twice_that_was_answered(
    fault: Behaviour, sizes: list[int]
) -> None:
    with FaultServer(script=[fault]) as server, service(server, concurrency=1) as model:
        assert shown(model.predict(inputs("ENCE"))) == "ENCE"
        assert server.sizes() == sizes


@pytest.mark.parametrize("name", ODD)
def test_what_is_always_wrong_is_a_failure_of_each_input(name: str) -> None:
    fault = ODD[name][0]
    with FaultServer(usual=fault) as server, service(server, concurrency=1, retries=0) as model:
        answers = model.predict(inputs("ENCE"))
        expected = {"half of the answers": "ENCE", "429": "!!!!"}.get(name, "!!!!")
        assert shown(answers) == expected
        # Fewer pairs would not have made a service less busy.
        assert server.sizes() == {"half of the answers": [4, 1, 1], "429": [4]}.get(name, [4, 2, 1, 1, 2, 1, 1])
    if expected == "!!!!":
        assert all(answer.raw and answer.raw.startswith("The service http://127.0.0.1") for answer in answers)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"label": "banana"}, "its answer makes no sense (unknown label 'banana'"),
        ({"probabilities": [0.9, 0.9, 0.9]}, "are not probabilities"),
        ({"logits": [1, 2]}, "there are 2 logits, but the label order names 3 labels"),
        ({"logits": [1, 2, float("nan")]}, "finite numbers"),
        ({"text": "E"}, "there is no answer: expected one of the fields label"),
    ],
)
def test_an_answer_that_makes_no_sense_is_the_failure_of_its_input(answer: dict[str, object], reason: str) -> None:
    def change(rows: list[dict[str, Any]]) -> object:
        return [{"id": row["id"], **answer} if row["label"] == "N" else row for row in rows]

    with FaultServer(usual=altered(change)) as server:
        with service(server, labels="entailment,neutral,contradiction") as model:
            answers = model.predict(inputs("ENC"))
        assert shown(answers) == "E!C"
        assert reason in (answers[1].raw or "")
        assert len(server.asked) == 1


@pytest.mark.parametrize("content", [{"predictions": []}, {}, {"answers": {"i0": "E"}}, {"answers": None}])
def test_a_service_that_speaks_something_else_stops_the_run(content: object) -> None:
    with FaultServer(usual=status(200, content)) as server, service(server, concurrency=1) as model:
        with pytest.raises(ModelError, match=r'should answer {"answers": \[...\]} with a list of objects, not {'):
            model.predict(inputs("ENC"))
        assert len(server.asked) == 1


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 40), st.sets(st.integers(0, 39), max_size=6), st.integers(1, 9), st.integers(1, 4))
def test_inputs_that_break_a_service_fail_alone(count: int, bad: set[int], batch: int, concurrency: int) -> None:
    """Whatever the batches: a request with a bad input fails as a whole, and every other input is answered once."""
    poison = {f"i{place}" for place in bad}

    def breaks(exchange: Exchange) -> None:
        if poison & set(exchange.asked.ids):
            status(400)(exchange)
        else:
            faults.answer(exchange)

    labels = (TWENTY * 2)[:count]
    with FaultServer(usual=breaks) as server:
        with service(server, batch=batch, concurrency=concurrency) as model:
            expected = "".join("!" if place in bad else label for place, label in enumerate(labels))
            assert shown(model.predict(inputs(labels))) == expected
        answered = [name for asked in server.asked if not poison & set(asked.ids) for name in asked.ids]
        assert len(answered) == len(set(answered)) == count - len(bad & set(range(count)))


def test_twenty_failures_in_a_row_stop_the_run_and_keep_what_was_answered() -> None:
    script = [faults.answer] * 4
    kept: dict[str, Prediction] = {}
    with (
        FaultServer(script=list(script), usual=status(429)) as server,
        service(server, batch=5, concurrency=1, retries=1) as model,
    ):
        with pytest.raises(ModelError, match=r"failed on 20 inputs in a row, .* answered 429 .* Lower rate="):
            ask(system(model), inputs(TWENTY * 3), kept.update, lambda count: None, Failures())
        assert len(server.asked) == 4 + 4 * 2
    assert shown(list(kept.values())) == TWENTY


def test_an_error_that_stops_the_run_keeps_what_was_answered() -> None:
    kept: dict[str, Prediction] = {}
    with (
        FaultServer(script=[faults.answer, faults.answer], usual=status(401)) as server,
        service(server, batch=5, concurrency=1) as model,
    ):
        with pytest.raises(ModelError, match="does not let this request in"):
            ask(system(model), inputs(TWENTY), kept.update, lambda count: None, Failures())
        assert len(server.asked) == 3
    assert shown(list(kept.values())) == TWENTY[:10]


def test_a_model_is_asked_again_after_an_error_and_after_closing() -> None:
    with FaultServer(script=[status(401)]) as server, service(server) as model:
        with pytest.raises(ModelError):
            model.predict(inputs("E"))
        assert shown(model.predict(inputs("E"))) == "E"
        model.close()
        assert shown(model.predict(inputs("E"))) == "E"


VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.sampled_from(["i0", "i1"])
ROWS = st.dictionaries(st.sampled_from(["id", "label", "logits", "probabilities", "raw"]), VALUES | st.lists(VALUES))


@given(st.lists(ROWS | VALUES, max_size=4) | VALUES | ROWS)
def test_whatever_is_answered_is_read_or_refused(rows: object) -> None:
    """No answer of a service is a mistake in our code, or an answer to a pair that it does not name."""

    class Fixed(JsonClient):
        async def post(self, body: Mapping[str, object], path: str = "") -> Reply:
            return Reply({"answers": rows}, 200, 0.0, 1)

    model = HttpModel("http://h/", HttpParams(concurrency=1), None, Fixed("http://h/", HttpParams()))
    try:
        answers = model.predict(inputs("EN"))
    except ModelError:
        assert not isinstance(rows, list)
        return
    finally:
        model.close()
    named = {str(row.get("id")) for row in rows if isinstance(row, dict)} if isinstance(rows, list) else set()
    for place, answer in enumerate(answers):
        assert answer.status is Status.FAILED or f"i{place}" in named


def test_http_answers_inside_an_event_loop() -> None:
    """Cells of a notebook run inside one."""

    async def cell() -> str:
        return shown([*model.predict(inputs("ENC")), *model.predict(inputs("CCE", 3))])

    with FaultServer() as server, service(server, batch=2) as model:
        assert asyncio.run(cell()) == "ENCCCE"
        assert shown(model.predict(inputs("E"))) == "E"


# Specs


def made(text: str, labels: str = "") -> HttpModel:
    return HttpModel.from_spec(Spec.parse(text), LabelMap.parse(labels) if labels else None)


def test_the_url_of_a_spec_may_have_a_query_of_its_own() -> None:
    with FaultServer() as server:
        model = made(f"http:{server.url}%3Fapi-version=2&lang=en?batch=3&retries=0")
        try:
            assert shown(model.predict(inputs("ENCE"))) == "ENCE"
        finally:
            model.close()
        assert [item.path for item in server.asked] == ["/nli?api-version=2&lang=en"] * 2
        assert sorted(server.sizes()) == [1, 3]
    assert MODELS.get("http") is HttpModel


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("http:", "'http' needs a URL, as in http:http://localhost:8000/nli"),
        ("http://me:S3cr3t@host/nli", r"A service is named by its whole URL: http:http://host/nli with two 'http:'\."),
        ("http:host/nli", "'host/nli' is not the URL of a service"),
        ("http:https://me:S3cr3t@host:x/nli", r"'https://\*\*\*' is not the URL of a service"),
        (
            "http:https://h/nli?batchs=3",
            r"no parameter 'batchs'. Did you mean 'batch'\? If it belongs to the URL, .*%3F",
        ),
        ("http:https://h/nli?api-version=3", r"no parameter 'api-version'.* http:https://host/path%3Fapi-version=…"),
        ("http:https://h/nli?batch=0", r"'http\?batch' should be a number from 1 up"),
        ("http:https://h/nli?batch=x", r"'http\?batch' should be a number, not 'x'"),
        ("http:https://h/nli?timeout=-1", "'timeout' should be a positive number"),
    ],
)
def test_specs_that_name_no_service(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        made(text)
    assert "S3cr3t" not in str(caught.value)


def test_the_identity_is_the_url_the_labels_and_the_version() -> None:
    one = made("http:https://me:S3cr3t@host/nli?version=1")
    assert made("http:https://host/nli").fingerprint() is None
    same = ["http:https://me:0ther@host/nli?version=1", "http:https://me:S3cr3t@host/nli?version=1&batch=3&timeout=9"]
    other = ["http:https://me:S3cr3t@host/nli?version=2", "http:https://me:S3cr3t@host/nlp?version=1"]
    assert {made(text).fingerprint() for text in same} == {one.fingerprint()}
    assert len({made(text).fingerprint() for text in other} | {one.fingerprint()}) == 3
    assert made("http:https://me:x@host/nli?version=1", "E,NC").fingerprint() != one.fingerprint()
    assert made("http:https://h/", "entailment,not_entailment").partition == Partition.parse("E|NC")


def test_names_leave_out_credentials_and_what_does_not_decide_answers() -> None:
    text = "http:https://me:S3cr3t@host/nli%3Fapi_key=S3cr3t&lang=en?batch=4&key_env=MY_KEY&version=2&labels=E,N,C"
    spec = SystemSpec.parse(text)
    assert "S3cr3t" not in spec.name + str(spec)
    item = system(HttpModel("https://host/", HttpParams(), None), text)
    assert item.name == "http:https://***@host/nli%3Fapi_key=***&lang=en?labels=E,N,C&version=2"
    assert "S3cr3t" not in str(item.spec) + item.folder
    assert item.spec.model.argument == "https://me:S3cr3t@host/nli?api_key=S3cr3t&lang=en", "it must be sent"


def test_http_keeps_the_contract_of_models() -> None:
    def by_text(exchange: Exchange) -> None:
        rows = [
            {"id": pair["id"], "label": "ENC"[zlib.crc32(repr(pair["premise"] + pair["hypothesis"]).encode()) % 3]}
            for pair in exchange.asked.body["pairs"]
        ]
        exchange.json({"answers": rows})

    with FaultServer(usual=by_text) as server:
        check_model(f"http:{server.url}?batch=4")
        check_model(f"http:{server.url}?version=1&concurrency=1")


def test_requests_say_what_failed_and_how_often() -> None:
    with FaultServer(usual=status(503)) as server, service(server, retries=2) as model:
        (answer,) = model.predict(inputs("E"))
        assert answer.raw == f"The service {server.url} answered 503 (as told). 3 attempts were made."
        assert len(server.asked) == 3
    assert issubclass(RequestFailed, ModelError)
    assert answers_to(server.asked[0]) == [{"id": "i0", "label": "E"}]
