"""Read the public list of templates with five models' accuracies, under the names of the paper's columns."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.errors import NotFoundError, option
from nliprobe.base.files import data_roots
from nliprobe.papers.recipes import Folders, Value

if TYPE_CHECKING:
    from nliprobe.analysis.checklist.accuracies import TemplateAccuracies
    from nliprobe.analysis.checklist.documents import ChecklistDocument

PLACE = Path("lonli") / "checklist_master.tsv"
# The paper's name for a model, and the list's.
MODELS = {
    "BERT": "BERT",
    "DistilBERT": "DistilBERT",
    "RoBERTa": "RoBERTa-large",
    "RoBERTa (M+S+F+A)": "RoBERTa-SNLI-MNLI-FEVER-ANLI",
    "DeBERTa": "DeBERTa",
}
THREE = ("BERT", "DistilBERT", "RoBERTa")
NOTE = (
    "The paper's 194 templates are not available here. Our values of its models are the accuracies in the public list "
    "of 363 templates, which often splits what the paper counts as one template (table 9); each template has the same "
    "weight."
)


def read_public(folders: Folders) -> TemplateAccuracies:
    """Read the list from the folder of corpora."""
    from nliprobe.analysis.checklist.accuracies import read_template_accuracies

    return read_template_accuracies(_path(folders))


def public_document(folders: Folders) -> ChecklistDocument:
    """Return the behavioural summary of the list, made once per process."""
    return _document(_path(folders))


def by_public(templates: int) -> str:
    """Return what produced a value of the list, for the reader of a table."""
    return f"public list of {templates:,} templates"


def public_mean(table: TemplateAccuracies, model: str, ids: frozenset[str] | None = None) -> Value:
    """Return the mean accuracy of a model in percent, on all templates or on those with the given ids."""
    column = table.models.index(MODELS[model])
    accuracies = [
        line[column]
        for pattern, line in zip(table.patterns, table.accuracies, strict=True)
        if ids is None or pattern.id in ids
    ]
    return Value(100 * sum(accuracies) / len(accuracies), by_public(len(table.patterns)))


@cache
def _document(path: Path) -> ChecklistDocument:
    from nliprobe.api.checklist import score_template_accuracies

    return score_template_accuracies(path)


def _path(folders: Folders) -> Path:
    roots = data_roots(folders.root)
    for root in roots:
        if (root / PLACE).is_file():
            return root / PLACE
    looked = ", ".join(map(str, roots)) or f"nowhere: neither {option('from', python='root')} nor NLIPROBE_DATA is set"
    raise NotFoundError(
        f"The public list of templates is not here: wanted {PLACE.as_posix()} (looked in {looked}). Name the folder "
        f"above it with {option('from', 'DIR', python='root')} or NLIPROBE_DATA."
    )
