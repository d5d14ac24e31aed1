"""Files of options: every odd value of every option is a sentence, the same for the verb and for ``validate``."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from nliprobe.api.validate import validate
from nliprobe.base.errors import NliprobeError
from nliprobe.cli._options import options_in_files
from nliprobe.cli._values import WholeNumbers
from nliprobe.cli.main import cli
from nliprobe.cli.validate import option_readers

ODD = (
    "", "~", "12", "-1", "1.5", ".inf", ".nan", "true", "[]", "[~]", "[[a]]", "{a: b}", "''", "' '", '"a\\0b"', "1e3",
    "2024-13-45", "99999999999999999999", "[1, x, 2.5, true]", "&x [*y]", "nowhere/at/all", "'" + "x" * 5000 + ".py'",
)  # fmt: skip


def command(verb: str) -> click.Command:
    assert isinstance(cli, click.Group)
    found = cli.get_command(click.Context(cli), verb)
    assert found is not None
    return found


def problem(verb: str, path: Path) -> str:
    """What the verb says about a file of options, before it runs."""
    try:
        command(verb).make_context(verb, ["--config", str(path)])
    except (click.ClickException, NliprobeError) as error:
        return error.format_message() if isinstance(error, click.ClickException) else str(error)
    return ""


@pytest.mark.parametrize("verb", sorted(option_readers()))
def test_every_option_with_every_odd_value_gets_a_sentence(verb: str, tmp_path: Path) -> None:
    path = tmp_path / "o.yaml"
    for name in options_in_files(command(verb)):
        for value in ODD:
            path.write_text(f"{verb}: {{{name}: {value}}}\n", encoding="utf-8")
            said = problem(verb, path)
            [report] = validate([str(path)], verbs=option_readers())
            about = [finding.message for finding in report.findings if finding.code in ("value", "yaml")]
            # What validate says of the value is what the verb says.
            for message in about:
                assert message.partition(": ")[2] in said, (name, value)
            if f"'{name}'" in said and "The option" in said:
                assert about, (name, value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("out: 12", "a text is expected, not 12. If it is meant, write it in quotation marks: '12'."),
        ("out: true", "a text is expected, not true"),
        ("out:", "there is no value. Give one, or leave the option out."),
        ("out: ''", "the text is empty"),
        ('out: "a\\0b"', "a text cannot hold a NUL character."),
        ("out: [a, b]", "one value is expected, not ['a', 'b']."),
        ("on:", "there is no value"),
        ("on: []", "there is no value"),
        ("on: [builtin/tables-dev, 3]", "a text is expected, not 3"),
        ("on: [[a]]", "one value is expected"),
        ("on: {a: b}", "one value is expected"),
        ("seed: .inf", "a whole number is expected, not inf."),
        ("seed: .nan", "a whole number is expected, not nan."),
        ("seed: 1.5", "a whole number is expected, not 1.5."),
        ("seed: true", "a whole number is expected, not true."),
        ("seed: 2024-13-45", "'2024-13-45' is not a valid integer."),
        ("quiet: 2", "expected true or false, not 2."),
        ("shard-size: 10.0", "a whole number is expected, not 10.0."),
        ("from: 12", "a text is expected, not 12"),
        ("margin: .nan", "a number is expected, not nan."),
        ("slack: true", "a number is expected, not true."),
    ],
)
def test_odd_values(line: str, message: str, tmp_path: Path) -> None:
    name = line.partition(":")[0]
    verb = "gate" if name in ("margin", "slack") else "run"
    path = tmp_path / "o.yaml"
    path.write_text(f"{verb}:\n  {line}\n", encoding="utf-8")
    assert problem(verb, path).startswith(f"The option '{name}' in the section '{verb}' of {path}: {message}")


def test_values_as_people_write_them_are_read(tmp_path: Path) -> None:
    path = tmp_path / "o.yaml"
    path.write_text(
        "train: {model: svm, train: builtin/tables-train, out: 2024-10-01, seeds: [1, 2]}\n"
        "run: {on: 'a,b', out: x, seed: '7', quiet: yes, shard-size: 5}\n"
        "gate: {run: x, margin: 0, slack: 0.25}\n",
        encoding="utf-8",
    )
    train, run, gate = (
        command(verb).make_context(verb, ["--config", str(path)]).params for verb in ("train", "run", "gate")
    )
    assert (train["out"], train["seeds"]) == (Path("2024-10-01"), (1, 2))
    assert (run["on"], run["seed"], run["quiet"], run["shard_size"]) == (("a", "b"), 7, True, 5)
    assert (gate["margin"], gate["slack"]) == (0.0, 0.25)


@pytest.mark.parametrize("section", ["0", "''", "[]", "false", "text"])
def test_a_section_is_a_mapping_or_empty(section: str, tmp_path: Path) -> None:
    path = tmp_path / "o.yaml"
    path.write_text(f"run: {section}\n", encoding="utf-8")
    assert "The section 'run' of" in problem("run", path)
    path.write_text("run:\n", encoding="utf-8")
    assert "section" not in problem("run", path)


def test_whole_numbers() -> None:
    kind = WholeNumbers()
    assert kind.convert("3,1,3", None, None) == (3, 1)
    assert kind.convert(4, None, None) == (4,)
    with pytest.raises(click.BadParameter, match="whole numbers with commas between"):
        kind.convert("1,x", None, None)
    with pytest.raises(click.BadParameter, match="not negative"):
        kind.convert("-1", None, None)
