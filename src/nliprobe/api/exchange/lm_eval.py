"""Exporting to a task folder of lm-evaluation-harness: a group, a task per corpus and probe, and their cases."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.api.exchange.documents import ExchangeDocument
from nliprobe.api.exchange.origin import open_origin
from nliprobe.api.exchange.tasks import MODE, Part, carry, read_task_prompt, write_cases
from nliprobe.api.exchange.written import exporting
from nliprobe.base.files import write_atomic
from nliprobe.represent.controls import Control

if TYPE_CHECKING:
    import yaml

    from nliprobe.api.export import ExportRequest, Say
    from nliprobe.models.chat.prompt import Message

GROUP = "nliprobe"
_ONLY_LIKELIHOODS = (
    "The tasks compare the likelihoods of label words: they need a model that gives likelihoods, which most chat "
    "services do not (for those, export to inspect)."
)
_HIGHER_IS_BETTER = {"acc": True, "constant": True, "prohibited": False, "answered": True}
_OF_GOLD = {"acc": "accuracy", "acc_se": "accuracy_se", "constant": "constant"}
_OF_RULES = {"prohibited": "prohibited", "prohibited_se": "prohibited_se"}
_OF_NEITHER = {"answered": "answered"}
# What begins something that a template replaces.
_TEMPLATES = ("{{", "{%", "{#")


def export(request: ExportRequest, say: Say) -> ExchangeDocument:
    """Write the tasks; ``lm_eval run --include_path FOLDER --tasks nliprobe`` finds them, wherever the folder is."""
    origin = open_origin(request)
    prompt = read_task_prompt(request)
    with exporting(request, origin) as (tally, document):
        parts = list(write_cases(origin, prompt, tally).by_place.values())
        tally.lost.insert(0, _ONLY_LIKELIHOODS)
        folder = tally.folder
        carry("judge.py", folder, "nliprobe_judge.py")
        carry("lm_eval_utils.py", folder, "utils.py")
        # Tasks with and without premise may be run together, and then need different names.
        shown = "" if origin.view.control is Control.FULL else f"_premise_{origin.view.control}"
        names = {part.name: f"{GROUP}{shown}_{part.name}" for part in parts}
        opening = _description(prompt.opening(MODE))
        for part in parts:
            _write_yaml(folder / f"{names[part.name]}.yaml", _task(names[part.name], part, opening, document))
        group: dict[str, object] = {
            "group": f"{GROUP}{shown}",
            "task": list(names.values()),
            "metadata": _metadata(document),
        }
        _write_yaml(folder / f"_{GROUP}.yaml", group)
    return document


def _task(name: str, part: Part, opening: str, document: ExchangeDocument) -> dict[str, object]:
    functions = {**(_OF_GOLD if part.gold else {}), **(_OF_RULES if part.rules else {})} or _OF_NEITHER
    return {
        "task": name,
        "custom_dataset": _Function("utils.dataset"),
        "dataset_kwargs": {"part": part.name, "metrics": list(functions)},
        "test_split": "test",
        "output_type": "multiple_choice",
        "num_fewshot": 0,
        "description": opening,
        "doc_to_text": "prompt",
        "doc_to_choice": "choices",
        "doc_to_target": "target",
        "process_results": _Function("utils.process_results"),
        "metric_list": [
            {
                "metric": metric,
                "aggregation": _Function(f"nliprobe_judge.{function}"),
                "higher_is_better": _HIGHER_IS_BETTER.get(metric, False),
            }
            for metric, function in functions.items()
        ],
        "metadata": _metadata(document),
    }


def _metadata(document: ExchangeDocument) -> dict[str, object]:
    return {"version": 1.0, "suite": document["suite"], "nliprobe": document["nliprobe"]}


def _description(opening: Sequence[Message]) -> str:
    """Return everything before the case as one text, with nothing that a template would replace."""
    text = "".join(f"{turn['content']}\n\n" for turn in opening)
    # As a constant, because a text may also end what would keep a template from reading it.
    return f"{{{{ {json.dumps(text, ensure_ascii=False)} }}}}" if any(mark in text for mark in _TEMPLATES) else text


class _Function(str):
    """The name of a function, which the harness looks for in a file beside the task."""

    __slots__ = ()


def _write_yaml(path: Path, content: dict[str, object]) -> None:
    import yaml

    class Dumper(yaml.SafeDumper):
        """Writes names of functions with their tag."""

    def write_function(dumper: yaml.SafeDumper, name: _Function) -> yaml.ScalarNode:
        return dumper.represent_scalar("!function", str(name), style="")

    Dumper.add_representer(_Function, write_function)
    text = yaml.dump(content, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=120)
    write_atomic(path, text.encode("utf-8"))
