"""YAML: which spellings are numbers, and the limits that keep a small file from becoming a large one."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import DataError
from nliprobe.base.limited import read_limited
from nliprobe.base.yaml_files import read_yaml
from nliprobe.base.yaml_tree import DEEPEST, MOST_VALUES, YamlProblem, parse_yaml

LETTERS = "abcdefghij"


def content(tmp_path: Path, text: str) -> object:
    path = tmp_path / "x.yaml"
    path.write_text(text, encoding="utf-8")
    return read_yaml(path)


def refusal(tmp_path: Path, text: str) -> str:
    with pytest.raises(DataError) as error:
        content(tmp_path, text)
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12), ("-3", -3), ("+4", 4), ("0", 0), ("1.5", 1.5), (".5", 0.5), ("1.e+3", 1000.0), ("-.inf", -math.inf),
        ("true", True), ("False", False), ("~", None), ("null", None), ("", None), ("'12'", "12"), ('"true"', "true"),
        # Words and other spellings stay as they are written.
        ("on", "on"), ("no", "no"), ("010", "010"), ("0x10", "0x10"), ("1:30", "1:30"), ("1_000", "1_000"),
        ("2024-10-01", "2024-10-01"), ("2024-13-45", "2024-13-45"), ("1e3", "1e3"), ("=", "="),
    ],
)  # fmt: skip
def test_scalars(text: str, value: object, tmp_path: Path) -> None:
    assert content(tmp_path, f"[{text or '~'}]") == [value]
    assert content(tmp_path, f"a: {text}\n") == {"a": value}


def test_not_a_number(tmp_path: Path) -> None:
    value = content(tmp_path, ".nan")
    assert isinstance(value, float)
    assert math.isnan(value)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**99), 10**99) | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES, st.sampled_from([True, False, None]))
def test_what_yaml_writes_is_read_back(tmp_path_factory: pytest.TempPathFactory, value: object, style: bool) -> None:
    text = yaml.safe_dump(value, default_flow_style=style)
    read = content(tmp_path_factory.mktemp("yaml"), text)
    assert read == value
    assert type(read) is type(value)


def test_aliases_and_merged_mappings(tmp_path: Path) -> None:
    text = "a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\nc: {<<: [{x: 0}, *a]}\nd: [*a]\n"
    assert content(tmp_path, text) == {
        "a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 3}, "c": {"x": 0, "y": 2}, "d": [{"x": 1, "y": 2}],
    }  # fmt: skip


def nested(form: str, first: str) -> str:
    """Ten names, each of which repeats the one before it ten times: a billion values."""
    lines = [f"a: &a {first}"]
    for before, letter in itertools.pairwise(LETTERS):
        lines.append(f"{letter}: &{letter} {form.replace('@', ', '.join([f'*{before}'] * 10))}")
    return "\n".join(lines)


@pytest.mark.parametrize(("form", "first"), [("[@]", "[x, x]"), ("{<<: [@]}", "{x: 1}")])
def test_aliases_that_multiply_are_refused(form: str, first: str, tmp_path: Path) -> None:
    assert f"more than {MOST_VALUES:,} values, repeated ones counted" in refusal(tmp_path, nested(form, first))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 5000 + "]" * 5000, "line 1: this is nested more than"),
        ("{a: " * 5000 + "}" * 5000, "line 1: this is nested more than"),
        ("".join(" " * depth + "a:\n" for depth in range(200)), "nested more than"),
        ("- " * 100_000, "nested more than"),
        ("\n".join(["- &a0 [x]", *(f"- &a{n} [*a{n - 1}]" for n in range(1, 500))]), "with its aliases, this is"),
        ("&a [*a]", "an alias refers to a value that contains it"),
        ("[*a]", "'\\*a' refers to nothing"),
        ("[&a x, &a y]", "the anchor '&a' is defined twice"),
        (f"a: {'9' * 5000}", "a number has 5,000 digits; at most 100 are read"),
        ("a: !!python/object/apply:os.system [x]", "the tag '!!python/object/apply:os.system' is not read here"),
        ("a: !!int abc", "the tag '!!int' is not read here"),
        ("a: !!timestamp abc", "the tag '!!timestamp'"),
        ("a: !!set [a]", "the tag '!!set'"),
        ("[a, b]: c", "a key should be a text"),
        ("a: 1\n'a': 2", "line 2: this is not YAML .the key 'a' is given twice"),
        ("<<: 3", "'<<' should be followed by a mapping"),
        ("a: 1\n---\nb: 2", "line 2: a second document begins here"),
        ("a: \x01", "this is not YAML"),
        ("[x," * 3, "this is not YAML"),
        ("[" + "x," * (MOST_VALUES + 1) + "]", "more than 200,000 values"),
    ],
)  # fmt: skip
def test_what_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_yaml(path)


def test_as_deep_as_allowed() -> None:
    assert parse_yaml("[" * DEEPEST + "]" * DEEPEST) is not None
    with pytest.raises(YamlProblem, match="nested"):
        parse_yaml("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"/dev/zero is larger than 4 MB. Divide it"):
        read_yaml(Path("/dev/zero"))
    with pytest.raises(DataError, match="cannot be read"):
        read_yaml(tmp_path)
    with pytest.raises(DataError, match="cannot be read"):
        read_yaml(Path("a\0b"))
    (tmp_path / "latin").write_bytes(b"\xe9")
    with pytest.raises(DataError, match="cannot be read"):
        read_yaml(tmp_path / "latin")
    (tmp_path / "marked").write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\r")
    assert read_yaml(tmp_path / "marked") == {"a": 1, "b": 2}
    assert read_limited(tmp_path / "marked", 14, "") == "a: 1\nb: 2\n"
