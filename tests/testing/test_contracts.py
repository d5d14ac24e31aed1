"""Everything registered keeps its contract, and each rule of each contract rejects an object that breaks it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.testing import broken, broken_corpora

from nliprobe.base.errors import MissingExtraError, NotFoundError, UsageError
from nliprobe.base.registry import Registry
from nliprobe.corpora import CORPORA
from nliprobe.models import MODELS
from nliprobe.probes import PROBES
from nliprobe.represent import REPRESENTATIONS
from nliprobe.testing import (
    ContractBroken,
    _corpora,
    _models,
    _probes,
    _representations,
    check_corpus,
    check_model,
    check_probe,
    check_representation,
    contract_tests,
)

# The contracts of probes and of representations run in their own rooms' tests.
test_every_corpus_keeps_the_contract = pytest.mark.corpora(contract_tests("corpus", *CORPORA.names()))


@pytest.mark.parametrize("name", MODELS.names())
def test_every_model_keeps_the_contract(name: str) -> None:
    try:
        check_model(name)
    except UsageError as error:
        pytest.skip(str(error))


def test_contract_tests_take_specs() -> None:
    test: Callable[[str], None] = contract_tests("model", "svm?C=0.1")
    test("svm?C=0.1")
    contract_tests("corpus")("builtin/tables-dev")
    with pytest.raises(UsageError, match=r"no contract for a 'prob'. Did you mean 'probe'\?"):
        contract_tests("prob", "swap")
    with pytest.raises(NotFoundError, match=r"Did you mean 'swap'\?"):
        check_probe("swop")


def test_models_that_need_more_than_a_name_say_so(register: Callable[..., None]) -> None:
    class Needy(broken.GoodModel):
        def __init__(self) -> None:
            raise UsageError("'broken' needs a file.")

    register(MODELS, Needy)
    with pytest.raises(UsageError, match="'broken' needs a spec to be checked with: 'broken' needs a file"):
        check_model("broken")


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Registers an object as 'broken' for the length of a test."""

    def put(registry: Registry[Any], thing: type) -> None:
        registry.names()
        monkeypatch.setitem(registry._registered, "broken", thing)

    return put


CONTRACTS: list[tuple[Registry[Any], Callable[[str], None], list[tuple[str, type]], type]] = [
    (PROBES, check_probe, broken.PROBES, broken.GoodProbe),
    (REPRESENTATIONS, check_representation, broken.REPRESENTATIONS, broken.GoodRepresentation),
    (MODELS, check_model, broken.MODELS, broken.GoodModel),
    (CORPORA, check_corpus, broken_corpora.CORPORA, broken_corpora.GoodCorpus),
]


@pytest.mark.parametrize(
    ("registry", "check", "rule", "thing"),
    [(registry, check, *item) for registry, check, items, _ in CONTRACTS for item in items],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_contract_rejects(
    register: Callable[..., None], registry: Registry[Any], check: Callable[[str], None], rule: str, thing: type
) -> None:
    register(registry, thing)
    with pytest.raises(ContractBroken) as caught:
        check("broken")
    assert caught.value.rule == rule
    assert f"breaks the contract, rule '{rule}': " in str(caught.value)


@pytest.mark.parametrize(
    ("registry", "check", "good"),
    [
        *((registry, check, good) for registry, check, _, good in CONTRACTS),
        (MODELS, check_model, broken.GoodTrainable),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_what_the_broken_ones_derive_from_is_fine(
    register: Callable[..., None], registry: Registry[Any], check: Callable[[str], None], good: type
) -> None:
    register(registry, good)
    check("broken")


def test_every_rule_has_an_object_that_breaks_it() -> None:
    assert {rule.name for rule in _probes.RULES} == {rule for rule, _ in broken.PROBES}
    assert {rule.name for rule in _representations.RULES} == {rule for rule, _ in broken.REPRESENTATIONS}
    assert {rule.name for rule in _models.RULES} == {rule for rule, _ in broken.MODELS}
    corpora = {rule.name for rule in _corpora.DECLARED} | {rule.name for rule in _corpora.RULES}
    assert corpora == {rule for rule, _ in broken_corpora.CORPORA}


def test_without_hypothesis_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "hypothesis.py").write_text("raise ImportError('not here')")
    done = subprocess.run(
        [sys.executable, "-c", "import nliprobe.testing"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        check=False,
    )
    assert "nliprobe.testing needs Hypothesis" in done.stderr
    assert "Install with: pip install 'nliprobe[testing]'" in done.stderr
    assert issubclass(MissingExtraError, ImportError)
