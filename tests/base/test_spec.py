from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import UsageError
from nliprobe.base.registry import Spec, split_specs

names = st.text(st.characters(exclude_categories=["Cs", "Z", "C"]), min_size=1, max_size=12)
arguments = st.text(st.characters(exclude_categories=["Cs", "Z", "C"]), max_size=12)


@given(names, arguments, st.dictionaries(names, arguments, max_size=4))
def test_spec_round_trip(name: str, argument: str, params: dict[str, str]) -> None:
    spec = Spec(name.replace(":", ""), argument, tuple(sorted(params.items())))
    if spec.name:
        assert Spec.parse(str(spec)) == spec


@pytest.mark.parametrize(
    ("text", "name", "argument", "params"),
    [
        ("infotabs/alpha1", "infotabs/alpha1", "", {}),
        ("svm?represent=para&premise=none", "svm", "", {"represent": "para", "premise": "none"}),
        ("file:my.jsonl?premise=text&label=y", "file", "my.jsonl", {"premise": "text", "label": "y"}),
        ("python:package.module:answer", "python", "package.module:answer", {}),
        ("predictions:a%3Fb.jsonl", "predictions", "a?b.jsonl", {}),
        ("predictions:f?labels=contradiction,entailment,neutral", "predictions", "f",
         {"labels": "contradiction,entailment,neutral"}),
    ],
)  # fmt: skip
def test_spec_parse_reads_the_documented_forms(text: str, name: str, argument: str, params: dict[str, str]) -> None:
    assert Spec.parse(text) == Spec(name, argument, tuple(sorted(params.items())))


@pytest.mark.parametrize("text", ["", "?n=1", "rows.delete?n", "rows.delete?=1", "rows.delete?n=1&n=2"])
def test_spec_parse_rejects_malformed_text(text: str) -> None:
    with pytest.raises(UsageError):
        Spec.parse(text)


@dataclass(frozen=True)
class Thing:
    n: int | None = None
    rate: float = 0.5
    strict: bool = False
    kind: str = "a"


def test_spec_build_converts_by_the_types_of_fields() -> None:
    assert Spec.parse("thing?n=3&rate=1e-3&strict=yes&kind=7").build(Thing) == Thing(3, 0.001, True, "7")
    assert Spec.parse("thing?n=all").build(Thing) == Thing(None)


def test_spec_build_names_the_nearest_parameter() -> None:
    with pytest.raises(UsageError, match=r"no parameter 'strickt'. Did you mean 'strict'\?"):
        Spec.parse("thing?strickt=1").build(Thing)
    with pytest.raises(UsageError, match=r"'thing\?n' should be a number, not 'two'"):
        Spec.parse("thing?n=two").build(Thing)
    with pytest.raises(UsageError, match="true or false"):
        Spec.parse("thing?strict=2").build(Thing)


def test_split_specs_ignores_blanks() -> None:
    assert split_specs("a, b?x=1,,c") == ["a", "b?x=1", "c"]
