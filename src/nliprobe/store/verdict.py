"""The doctor's verdict on a system: what the doctor returns, and what a run keeps."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from nliprobe.base.fields import Fields

# Habits that decide whether another run would give the same numbers; every report tells them.
UNSTEADY = ("random", "batch")


@dataclass(frozen=True)
class Verdict:
    """What the doctor says about a system before its first run.

    Attributes:
        status: ``ok``, ``permuted`` (the labels are in another order), ``weak`` (too few right answers to tell),
            ``not asked`` (nothing to ask, or the premise is withheld) or ``off`` (the user switched the doctor off).
        right: how many pairs were answered right, with the labels as declared.
        n: how many pairs the order of the labels was judged on.
        labels: the label map under which most answers are right, if it is not the declared one.
        right_then: how many answers are right under it.
        findings: sentences for the user.
        asked: how many questions the system was asked in all, for the order of labels and for its habits.
        partition: how finely its answers were judged, such as ``E|NC``.
        premises: what it was asked about: ``sentences``, ``tables``, or ``corpus`` for pairs of the corpus.
        habits: the names of its bad habits; the findings say what they are.
    """

    status: str
    right: int = 0
    n: int = 0
    labels: str = ""
    right_then: int = 0
    findings: tuple[str, ...] = ()
    asked: int = 0
    partition: str = ""
    premises: str = ""
    habits: tuple[str, ...] = ()

    @classmethod
    def read(cls, fields: Fields) -> Verdict:
        """Read a verdict; those of early runs say less."""
        return cls(
            fields.text("status"),
            fields.number("right"),
            fields.number("n"),
            fields.text("labels"),
            fields.number("right_then"),
            fields.texts("findings"),
            fields.number_or_none("asked") or 0,
            fields.text_or_none("partition") or "",
            fields.text_or_none("premises") or "",
            fields.texts("habits") if "habits" in fields.values else (),
        )

    def to_json(self) -> dict[str, object]:
        """Return the verdict as a run and ``nliprobe doctor --format json`` write it."""
        return {**asdict(self), "findings": list(self.findings), "habits": list(self.habits)}

    @property
    def remarks(self) -> tuple[str, ...]:
        """The findings without which the numbers of a report would mislead."""
        if self.status in ("off", "permuted") or any(habit in UNSTEADY for habit in self.habits):
            return tuple(f"Doctor: {finding}" for finding in self.findings)
        return ()


OFF = Verdict("off", findings=("It was not examined (--no-doctor): the order of its labels was not checked.",))
