"""What running and opening a run return, which notebooks can show."""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.api._frames import end_cells
from nliprobe.base.errors import StoreError, UsageError, option
from nliprobe.base.files import write_atomic
from nliprobe.store.run import RunFolder

if TYPE_CHECKING:
    import polars as pl

    from nliprobe.analysis.artifacts.run_documents import ArtifactsDocument
    from nliprobe.analysis.checklist.documents import ChecklistDocument
    from nliprobe.analysis.compare.contract import Contract
    from nliprobe.analysis.documents import ShowDocument
    from nliprobe.analysis.evidence.drawn import PairDocument
    from nliprobe.analysis.facet_documents import FacetsDocument
    from nliprobe.analysis.one_case import CaseDocument
    from nliprobe.engine.steps import RunTally

# The ending of a report's name says what is written.
REPORT_FORMS = {".html": "html", ".md": "markdown", ".json": "json"}


class Run:
    """A run: what was asked of which systems, and what they answered.

    Attributes:
        folder: the run folder, for what the methods here do not show.
        tally: what the call that made this run asked; none if there was nothing left to ask, or if the run was only
            opened.
    """

    def __init__(self, folder: RunFolder, tally: RunTally | None = None, *, temporary: Path | None = None) -> None:
        self.folder = folder
        self.tally = tally
        self._summary: ShowDocument | None = None
        if temporary is not None:
            weakref.finalize(self, shutil.rmtree, temporary, ignore_errors=True)

    @property
    def path(self) -> Path:
        """The folder of the run."""
        return self.folder.path

    @property
    def complete(self) -> bool:
        """Whether every case has been asked of every system and nothing has been lost since."""
        return self.state == "complete"

    @property
    def state(self) -> str:
        """``complete``, ``unfinished`` (some cases were never asked) or ``damaged`` (files are missing or altered)."""
        return self.folder.state.value

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(item.name for item in self.folder.systems)

    def summary(self, *, threshold: float | str = "") -> ShowDocument:
        """Return everything the run shows, as the document of ``nliprobe show``; made once.

        Args:
            threshold: of corpora with two labels, from which probability on the first one counts as answered: a
                number, or the name of a corpus of the run on which the best one is chosen; 0.5 by default.
        """
        from nliprobe.analysis.summary import summarise

        if threshold != "":
            return summarise(self.folder, threshold=str(threshold))
        if self._summary is None:
            self._summary = summarise(self.folder)
        return self._summary

    def cases(self) -> pl.DataFrame:
        """Return a row per case: its probe and bases, what is right or expected, the pair's own texts, the edits."""
        import polars as pl

        pairs = self.folder.read("pairs", ["pair_id", "corpus", "kind", "premise", "hypothesis", "group"])
        cases = self.folder.read("cases").with_columns(pl.col("bases").list.join(" "))
        return cases.join(pairs, on=["pair_id", "corpus"], how="left", maintain_order="left")

    def predictions(self, system: str | None = None) -> pl.DataFrame:
        """Return a row per system and case: the answer, its probabilities if the model has them, and its status.

        Args:
            system: only the answers of this system.
        """
        import polars as pl

        names = self.systems if system is None else (system,)
        return pl.concat(
            [self.folder.predictions(name).select(pl.lit(name).alias("system"), pl.all()) for name in names]
        )

    def scores(self) -> pl.DataFrame:
        """Return a row per system, corpus and probe: accuracies and macro F1 with intervals, and the best constant."""
        import polars as pl

        rows = [
            {
                **{name: entry[name] for name in ("system", "corpus", "probe", "n", "correct", "unanswered")},
                "accuracy": entry["accuracy"],
                **end_cells("accuracy", entry["ci95"]),
                "balanced": entry["balanced"],
                **end_cells("balanced", entry["balanced_ci95"]),
                "macro_f1": entry["macro_f1"],
                **end_cells("macro_f1", entry["macro_f1_ci95"]),
                "groups": entry["groups"],
                "constant": None if entry["constant"] is None else entry["constant"]["label"],
                "constant_accuracy": None if entry["constant"] is None else entry["constant"]["accuracy"],
                "partition": entry["partition"],
            }
            for entry in self.summary()["scores"]
        ]
        text, count, share = pl.String, pl.Int64, pl.Float64
        kinds = {"system": text, "corpus": text, "probe": text, "n": count, "correct": count, "unanswered": count}
        shares = [f"{name}{end}" for name in ("accuracy", "balanced", "macro_f1") for end in ("", "_low", "_high")]
        last = {"groups": count, "constant": text, "constant_accuracy": share, "partition": text}
        return pl.DataFrame(rows, schema={**kinds, **dict.fromkeys(shares, share), **last}, orient="row")

    def transitions(self) -> pl.DataFrame:
        """Return a row per system, corpus, probe, answer before the edit and answer after it.

        ``prohibited`` counts the cases in which the edit cannot justify the change.
        """
        import polars as pl

        rows = [
            (
                entry["system"], entry["corpus"], entry["probe"], before, after, n,
                entry["row_percent"][before][after], entry["prohibited_counts"][before][after],
            )
            for entry in self.summary()["transitions"]
            for before, row in entry["counts"].items()
            for after, n in row.items()
        ]  # fmt: skip
        names = ("system", "corpus", "probe", "before", "after")
        kinds = {"n": pl.Int64, "percent": pl.Float64, "prohibited": pl.Int64}
        return pl.DataFrame(rows, schema={**dict.fromkeys(names, pl.String), **kinds}, orient="row")

    def evidence(self) -> pl.DataFrame:
        """Return a row per system, corpus, grade of evidence and method: which needed units the system uses.

        Shares of pairs: ``all`` needed units used, some (``partial``), only others (``irrelevant_only``), ``nothing``;
        ``right_all`` and so on are the right answers among all pairs. Rows with a ``baseline`` instead of a system are
        what can be had without a model on the same pairs.
        """
        import polars as pl

        from nliprobe.api.evidence import evidence_columns, evidence_rows

        return pl.DataFrame(list(evidence_rows(self.summary()["evidence"])), schema=evidence_columns())

    def swap(self) -> pl.DataFrame:
        """Return a row per system, corpus and gold label: accuracy as it is and swapped, the drop, and what it shows.

        For E, ``swapped`` is how often E is still answered. Rows with ``doubtful`` false leave doubtful neutrals out.
        ``same`` and ``divergence`` are given for labels that a swap keeps. The frame is empty if nothing was swapped.
        """
        import polars as pl

        from nliprobe.api.swap import swap_columns, swap_rows

        return pl.DataFrame(list(swap_rows(self.summary()["swap"])), schema=swap_columns())

    def stress(self) -> pl.DataFrame:
        """Return a row per system, corpus and stress test: accuracy before and in the test, the drop, and controls.

        Tests that make new pairs have neither ``original`` nor ``drop``. Cases whose label is ``likely`` only have rows
        of their own. The frame is empty if the run has no stress test.
        """
        import polars as pl

        from nliprobe.api.stress import stress_columns, stress_rows

        return pl.DataFrame(list(stress_rows(self.summary()["stress"])), schema=stress_columns())

    def pair(self, pair_id: str) -> PairDocument:
        """Return a pair with the rows or sentences that people need and each system uses, as ``show --pair`` does."""
        from nliprobe.analysis.cases import read_run
        from nliprobe.analysis.evidence.drawn import pair_document

        return pair_document(self.folder, read_run(self.folder), pair_id)

    def case(self, case_id: str) -> CaseDocument:
        """Return one case with what was asked before and after its edit and all answers, as ``show --case`` does.

        Args:
            case_id: its id, or so many of the first characters that it is the only one.
        """
        from nliprobe.analysis.one_case import case_document

        return case_document(self.folder, case_id)

    def failures(self, system: str | None = None) -> pl.DataFrame:
        """Return a row per system and case with a broken expectation or a wrong answer, with the texts and the edits.

        Args:
            system: only failures of this system.
        """
        import polars as pl

        from nliprobe.analysis.cases import read_cases
        from nliprobe.analysis.outcomes import case_outcomes
        from nliprobe.task.outcomes import Outcome

        read = read_cases(self.folder)
        parts = []
        for name in self.systems if system is None else (system,):
            frame = case_outcomes(self.folder, name, read)
            judged = [column for column, kind in frame.schema.items() if isinstance(kind, pl.Enum)]
            broken = frame.filter(pl.any_horizontal(pl.col(judged) == str(Outcome.BROKEN)))
            outcomes = [pl.col(column).cast(pl.String).alias(f"{column}_outcome") for column in judged]
            parts.append(
                broken.select(
                    pl.lit(name).alias("system"), "case_id", *outcomes, pl.col("base").alias("before"), "answer"
                )
            )
        texts = self.cases().select("case_id", "corpus", "probe", "pair_id", "gold", "premise", "hypothesis", "edits")
        return pl.concat(parts).join(texts, on="case_id", how="left", maintain_order="left")

    def by(self, facet: str) -> FacetsDocument:
        """Return the results per value of a facet, such as ``reasoning``; the document of ``nliprobe show --by``."""
        from nliprobe.analysis.facets import facet_scores

        return facet_scores(self.folder, facet)

    def artifacts(
        self,
        words: str | Path | None = None,
        *,
        top: int = 20,
        min_count: int = 20,
        smoothing: float = 100.0,
        root: str | Path | None = None,
    ) -> ArtifactsDocument:
        """Compare answers with what words, lengths and overlap give away; as ``nliprobe show --artifacts`` does.

        Args:
            words: where the words that point to labels come from: a file that ``nliprobe data artifacts`` wrote, or a
                corpus, best the training data; by default the run's own pairs.
            top: words per label, at most, unless a file has them.
            min_count: in how many hypotheses a word must be, unless a file has the words.
            smoothing: how many pairs are added per word and label, unless a file has the words.
            root: the folder above the corpora; by default that of NLIPROBE_DATA.
        """
        from nliprobe.api.artifacts import artifacts

        folder = None if root is None else Path(root)
        return artifacts(self.folder, words, top=top, min_count=min_count, smoothing=smoothing, root=folder)

    def checklist(self, seed: int = 0) -> ChecklistDocument:
        """Summarise a run over templates by capability; the document of ``nliprobe show --checklist``."""
        from nliprobe.api.checklist import checklist

        return checklist(self.folder, seed=seed)

    def report(
        self,
        out: str | Path | None = None,
        *,
        form: str | None = None,
        by: Sequence[str] = (),
        checklist: bool = False,
        seed: int = 0,
        threshold: float | str = "",
        words: str | Path | None = None,
    ) -> Path:
        """Write the run as a page that can be sent to a colleague, and return where it is.

        Args:
            out: the file; by default one in the run folder.
            form: ``html``, ``markdown`` or ``json``; by default what the ending of ``out`` says (``.html``, ``.md``,
                ``.json``).
            by: facets that the page has a section for.
            checklist: whether to write the report on templates instead.
            seed: of the draws behind what is said about templates.
            threshold: of corpora with two labels; see :meth:`summary`.
            words: where the words of the section on artifacts come from; see :meth:`artifacts`.
        """
        from nliprobe.api.checklist import checklist_report
        from nliprobe.api.report import report

        if form is None:
            form = "html" if out is None else REPORT_FORMS.get(Path(out).suffix.lower(), "")
        if form not in REPORT_FORMS.values():
            endings = ", ".join(REPORT_FORMS)
            raise UsageError(
                f"A report cannot be written as {out}: its name should end in {endings}; or say which of these it is "
                f"with {option('format', 'html', python='form')}."
            )
        suffix = next(ending for ending, name in REPORT_FORMS.items() if name == form)
        path = self.path / f"{'checklist' if checklist else 'report'}{suffix}" if out is None else Path(out)
        if checklist:
            return checklist_report(self.folder, path, form=form, seed=seed)
        return report(self.folder, path, form=form, seed=seed, by=by, threshold=str(threshold), words=words)

    def write_contract(self, path: str | Path, *, system: str | None = None, slack: float | None = None) -> Contract:
        """Write a contract that this run keeps; :func:`nliprobe.gate` checks later runs against it.

        Args:
            path: the YAML file, which must not exist.
            system: the system; not needed if the run has only one.
            slack: the room that each limit leaves, as a fraction; by default one hundredth.
        """
        from nliprobe.analysis.compare.contract import contract_text
        from nliprobe.analysis.compare.gate import SLACK, write_contract

        path = Path(path)
        if path.exists():
            name = option("write", python="path")
            raise UsageError(f"{path} exists. Choose another name with {name}, or delete it first.")
        contract = write_contract(self.folder, system=system, slack=SLACK if slack is None else slack)
        write_atomic(path, contract_text(contract).encode("utf-8"))
        return contract

    def __repr__(self) -> str:
        state = "" if self.complete else f", {self.state}"
        return f"<Run {self.path}: {', '.join(self.systems)}{state}>"

    def _repr_html_(self) -> str:
        from nliprobe.report.notebook import refused_html, run_html

        try:
            return run_html(self.summary())
        except StoreError as error:  # a notebook would show a traceback
            return refused_html(str(self.path), str(error))
