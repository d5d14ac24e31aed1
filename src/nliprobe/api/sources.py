"""Opening whatever pairs can come from: corpora, and suites drawn from templates."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nliprobe.base.errors import UsageError
from nliprobe.base.spec import Spec
from nliprobe.corpora.open import open_corpus
from nliprobe.task.source import PairSource

CHECKLIST, EVERYTHING, TEMPLATES = "checklist", "checklist-all", "templates"


@dataclass(frozen=True)
class DrawParams:
    """What can be chosen: examples a template, the seed, capabilities or ids to take only, a placeholder for cells."""

    n: int | None = None
    seed: int = 0
    only: str = ""
    by: str = ""


def open_source(text: str, root: Path | None = None) -> PairSource:
    """``infotabs/dev`` and other corpora, ``checklist?n=100``, ``templates:my.yaml``."""
    spec = Spec.parse(text)
    if spec.name not in (CHECKLIST, EVERYTHING, TEMPLATES):
        return open_corpus(text, root)
    from nliprobe.api.generate import find_templates
    from nliprobe.templates.source import TemplateSource

    if spec.name == TEMPLATES and not spec.argument:
        raise UsageError("'templates' needs a file or a folder, as in templates:my.yaml.")
    params = spec.build(DrawParams)
    only = [name for name in params.only.split("+") if name]
    templates = find_templates(spec.argument if spec.name == TEMPLATES else spec.name, only, params.by)
    return TemplateSource(str(spec), templates, params.n, params.seed)
