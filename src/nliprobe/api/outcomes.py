"""What scoring, checking, comparing and gating return: a document, and its words for people."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.files import write_atomic

if TYPE_CHECKING:
    from nliprobe.analysis.check import CheckDocument
    from nliprobe.analysis.compare.documents import CompareDocument, GateDocument
    from nliprobe.analysis.documents import ScoreDocument


@dataclass(frozen=True, repr=False)
class Score:
    """What answers score on a corpus; ``document`` is that of ``nliprobe score``."""

    document: ScoreDocument

    @property
    def accuracy(self) -> float | None:
        """The share of right answers; no answer counts as wrong."""
        return self.document["accuracy"]

    def __repr__(self) -> str:
        from nliprobe.report.words import around

        shown = around(self.accuracy, self.document["ci95"])
        return f"<Score of {self.document['system']} on {self.document['corpus']}: accuracy {shown} %>"

    def _repr_html_(self) -> str:
        from nliprobe.report.notebook import score_html

        return score_html(self.document)


@dataclass(frozen=True, repr=False)
class Check:
    """Whether a run is complete and as it was written, which is also its truth value.

    ``document`` is that of ``nliprobe check``.
    """

    document: CheckDocument

    @property
    def sound(self) -> bool:
        """Whether the run is complete and every file is as it was written."""
        return self.document["sound"]

    def __bool__(self) -> bool:
        return self.sound

    def __repr__(self) -> str:
        from nliprobe.report.check import check_words

        return f"<Check of {self.document['run']}: {check_words(self.document)}>"


@dataclass(frozen=True, repr=False)
class Comparison:
    """Two or more systems on the same cases; ``document`` is that of ``nliprobe compare``."""

    document: CompareDocument

    def __repr__(self) -> str:
        from nliprobe.report.comparison import NO_VERDICT, decided, in_words

        document, sure = self.document, decided(self.document)
        if len(document["systems"]) == 2:
            [pair] = document["pairs"]
            found = [
                f"{item['corpus']} {item['probe']}: {in_words(item) if sure else NO_VERDICT}"
                for item in pair["comparisons"]
            ]
            return f"<Comparison of {pair['left']} with {pair['right']}: {'; '.join(found)}>"
        found = [
            f"{item['corpus']} {item['probe']}: {item['told_apart']} of {item['compared']} pairs told apart"
            for item in document["separations"]
        ]
        names = ", ".join(item["name"] for item in document["systems"])
        return f"<Comparison of {names}: {'; '.join(found) if sure else NO_VERDICT}>"

    def save(self, path: str | Path, *, form: str | None = None) -> Path:
        """Write the comparison to a file, and return where it is.

        Args:
            path: the file.
            form: ``html``, ``markdown``, ``json`` or ``text``; by default what the ending says (``.html``, ``.md``,
                ``.json``, ``.txt``).
        """
        from nliprobe.report.comparison_forms import comparison_text, form_of

        write_atomic(Path(path), comparison_text(self.document, form or form_of(path)).encode("utf-8"))
        return Path(path)

    def _repr_html_(self) -> str:
        from nliprobe.report.notebook import comparison_html

        return comparison_html(self.document)


@dataclass(frozen=True, repr=False)
class Gate:
    """Whether a run passes, which is also its truth value; ``document`` is that of ``nliprobe gate``."""

    document: GateDocument

    @property
    def passed(self) -> bool:
        """Whether every check holds."""
        return self.document["passed"]

    def junit(self, path: str | Path) -> Path:
        """Write the checks as JUnit XML, which continuous integration shows, and return where they are."""
        from nliprobe.report.junit import junit

        write_atomic(Path(path), junit(self.document))
        return Path(path)

    def markdown(self) -> str:
        """Write the checks as Markdown, for a pull request or the summary page of a pipeline."""
        from nliprobe.report.gate_markdown import gate_markdown

        return gate_markdown(self.document)

    def summary(self, path: str | Path) -> Path:
        """Append the Markdown to a file, such as that of ``$GITHUB_STEP_SUMMARY``, and return where it is."""
        target = Path(path)
        with target.open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(f"{self.markdown()}\n")
        return target

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        failed = [check["name"] for check in self.document["checks"] if not check["passed"]]
        return (
            f"<Gate failed: {'; '.join(failed)}>" if failed else f"<Gate passed: {len(self.document['checks'])} checks>"
        )

    def _repr_html_(self) -> str:
        from nliprobe.report.notebook import gate_html

        return gate_html(self.document)
