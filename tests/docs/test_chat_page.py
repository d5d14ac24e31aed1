"""The pages on chat models: every parameter is there, every system on them can be made, every prompt can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from nliprobe.models import MODELS
from nliprobe.models.chat.mode import AnswerMode
from nliprobe.models.chat.params import BudgetParams, ChatParams
from nliprobe.models.chat.prompt import read_prompt
from nliprobe.models.http_client import RequestPolicy
from nliprobe.models.system import SystemSpec

MODELS_PAGES = Path(__file__).parents[2] / "docs" / "models"
CHAT = (MODELS_PAGES / "chat.md").read_text(encoding="utf-8")
PROMPTS = (MODELS_PAGES / "prompts.md").read_text(encoding="utf-8")
_EXAMPLE = '{"premise": "p", "hypothesis": "h%d", "label": "%s"}'


def systems() -> list[str]:
    """Every chat system that the pages name."""
    text = CHAT + PROMPTS
    named = re.findall(r"['`](chat:[^'`\s]*base_url[^'`]*)['`]", text)
    assert len(named) > 12
    return sorted(set(named))


def parameters() -> Iterator[tuple[list[str], list[str]]]:
    """The names in the first column of each row of the tables of parameters, and the defaults in the second."""
    for line in CHAT.partition("## Parameters")[2].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        names = re.findall(r"`(\w+)`", cells[0]) if line.startswith("|") else []
        if names:
            yield names, [cell.strip(" `") for cell in cells[1].split(",")]


@pytest.mark.parametrize("system", systems())
def test_every_system_on_the_page_can_be_made(system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [_EXAMPLE % (n, label) for n in range(3) for label in "ENC"]
    (tmp_path / "examples.jsonl").write_text("\n".join(lines), encoding="utf-8")
    for name, content in prompts().items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    parsed = SystemSpec.parse(system)
    MODELS.get(parsed.model.name).from_spec(parsed.model, None)


def prompts() -> dict[str, str]:
    """The prompt files of the page, by their names."""
    return dict(re.findall(r"`([\w-]+\.yaml)`:\n\n```yaml\n(.*?)^```$", PROMPTS, re.MULTILINE | re.DOTALL))


def test_the_prompts_on_the_page_can_be_read(tmp_path: Path) -> None:
    assert len(prompts()) == 2
    for name, content in prompts().items():
        (tmp_path / name).write_text(content, encoding="utf-8")
        prompt = read_prompt(tmp_path / name)
        assert prompt.messages("P", "H", "json", AnswerMode.LABEL)


def test_every_parameter_and_its_default_are_on_the_page() -> None:
    known = {item.name: item.default for kind in (ChatParams, BudgetParams, RequestPolicy) for item in fields(kind)}
    shown = list(parameters())
    assert {name for names, _ in shown for name in names} == set(known)
    for names, defaults in shown:
        assert len(names) == len(defaults)
        for name, default in zip(names, defaults, strict=True):
            value = known[name]
            assert value is not MISSING
            if value in ("", None):
                assert default in ("", "none"), name
            else:
                assert default == (f"{value:g}" if isinstance(value, int | float) else str(value)), name


def test_the_default_prompt_is_shown_as_it_is() -> None:
    assert "{literalinclude} ../../src/nliprobe/models/chat/default_prompt.yaml" in PROMPTS
    keys = re.findall(r"^\| `(\w+)` \|", PROMPTS, re.MULTILINE)
    assert set(keys) == {"user", "system", "labels", "given", "answer_after", "examples"}
