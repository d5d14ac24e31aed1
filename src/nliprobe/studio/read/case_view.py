"""A case as its page shows it: what was asked with the edit marked in place, and what every system made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nliprobe.analysis.browse.wanted import ANY_ALLOWED
from nliprobe.analysis.one_case import AskedText, CaseAnswer, CaseDocument, CaseSystem, asked_premise
from nliprobe.report.failing import described
from nliprobe.report.one_case import needed_units
from nliprobe.report.text_diff import Piece, text_diff
from nliprobe.report.words import cut
from nliprobe.task.edits import Edit
from nliprobe.task.labels import LETTERS, NAMES
from nliprobe.task.outcomes import Outcome
from nliprobe.task.pair import Premise
from nliprobe.task.table import Row, Table
from nliprobe.task.table_diff import ValueDiff, table_diff

_CHANGES = {"removed": "taken out", "added": "new", "changed": "changed", "same": ""}
_OUTCOMES = {
    Outcome.HOLDS.value: ("✓ holds", "good"),
    Outcome.BROKEN.value: ("✗ broken", "bad"),
    Outcome.UNANSWERED.value: ("? no answer", "open"),
    Outcome.NOT_APPLICABLE.value: ("–", "plain"),
}
# Characters of a stretch that is shown, some 3,000 words; and of a text that is looked through for changes.
_LONGEST, _MOST_COMPARED = 20_000, 1_000_000


@dataclass(frozen=True)
class RowView:
    """A row of a table: its key and its cells in pieces, what became of it, and whether people need it.

    A row of a table with many columns has a cell for each, and no key; another one has its values in one cell.
    """

    key: list[Piece]
    cells: list[list[Piece]]
    change: str
    words: str
    needed: bool


@dataclass(frozen=True)
class AnswerView:
    """An answer: its label, the probabilities of E, N and C if there are any, and what it said itself."""

    label: str
    shares: list[tuple[str, str, bool]]
    raw: str


@dataclass(frozen=True)
class SystemView:
    """What one system made of a case; outcomes are words and a tone."""

    name: str
    before: list[AnswerView]
    after: AnswerView
    allowed: str
    rule: tuple[str, str]
    gold: tuple[str, str]
    unchanged: bool


@dataclass(frozen=True)
class CaseView:
    """What a page shows of a case.

    Attributes:
        title: the title of the table in pieces; empty for a text.
        rows: the rows of the table.
        columns: the header of a table with many columns.
        reordered: whether rows are in another order than before.
        premise: the text in pieces; empty for a table.
        hypothesis: the hypothesis in pieces.
        edit: what was done, in sentences.
        made_from: the cases that this one was made from.
        systems: what every system made of it.
        evidence: what people need, in words.
        based: whether there are answers before.
    """

    title: list[Piece]
    rows: list[RowView]
    columns: tuple[str, ...]
    reordered: bool
    premise: list[Piece]
    hypothesis: list[Piece]
    edit: list[str]
    made_from: list[AskedText]
    systems: list[SystemView]
    evidence: str
    based: bool


def case_view(document: CaseDocument) -> CaseView:
    """Prepare a case for its page."""
    asked, bases = document["asked"], document["bases"]
    base = bases[0] if len(bases) == 1 else asked
    old, new = asked_premise(base), asked_premise(asked)
    rows: list[RowView] = []
    title: list[Piece] = []
    columns: tuple[str, ...] = ()
    premise: list[Piece] = []
    reordered = False
    hypothesis = _marked(base["hypothesis"], asked["hypothesis"])
    if any(item["op"] == "swap" for item in document["edits"]):
        # Two sentences that change places have words in common by chance: marked, neither could be read.
        premise, hypothesis = _as_asked(_flat(new)), _as_asked(asked["hypothesis"])
    elif isinstance(old, Table) and isinstance(new, Table):
        title, columns = _marked(old.title, new.title), new.columns
        rows, reordered = _rows(old, new, needed_units(document))
    else:
        premise = _marked(_flat(old), _flat(new))
    return CaseView(
        title=title,
        rows=rows,
        columns=columns,
        reordered=reordered,
        premise=premise,
        hypothesis=hypothesis,
        edit=[described(_edit(item)) for item in document["edits"]],
        made_from=bases,
        systems=[_system(item, document) for item in document["systems"]],
        evidence=_evidence(document, new),
        based=bool(bases),
    )


def _rows(old: Table, new: Table, needed: frozenset[int]) -> tuple[list[RowView], bool]:
    diff = table_diff(old, new)
    views = []
    for row in diff.rows:
        before = None if row.before is None else old.rows[row.before]
        after = None if row.after is None else new.rows[row.after]
        change = "removed" if after is None else "added" if before is None else "changed" if row.changed else "same"
        if new.columns:
            cells = [_pieces(*_cell_pair(value, change)) for value in diff.values(row)]
        else:
            cells = [_pieces(_joined(before), _joined(after))]
        key = _pieces(None if before is None else before.key, None if after is None else after.key)
        views.append(RowView(key, cells, change, _CHANGES[change], row.before is not None and row.before in needed))
    return views, diff.reordered


def _cell_pair(value: ValueDiff, change: str) -> tuple[str | None, str | None]:
    """Return a cell before and after; in a row that both versions have, a cell that is not there is empty."""
    if change in ("removed", "added"):
        return value
    return value.before or "", value.after or ""


def _joined(row: Row | None) -> str | None:
    return None if row is None else (", " if row.key else " | ").join(row.values)


def _pieces(before: str | None, after: str | None) -> list[Piece]:
    if before is None or after is None:
        gone = before is not None
        return [Piece("removed" if gone else "added", _shortened((before if gone else after) or ""))]
    return _marked(before, after)


def _marked(before: str, after: str) -> list[Piece]:
    """Compare two texts as wholes, so that a change is found wherever it is; what is long is shortened then."""
    if before == after:
        return _as_asked(after)
    pieces = text_diff(before[:_MOST_COMPARED], after[:_MOST_COMPARED])
    return [Piece(piece.kind, _shortened(piece.text)) for piece in pieces]


def _shortened(text: str) -> str:
    """Cut the middle of a stretch that is too long for a page, so that what is next to a change can be read."""
    if len(text) <= _LONGEST:
        return text
    half = _LONGEST // 2
    return f"{text[:half]}… ({len(text) - 2 * half:,} characters are not shown) …{text[-half:]}"


def _as_asked(text: str) -> list[Piece]:
    return [Piece("same", _shortened(text))] if text else []


def _flat(premise: Premise) -> str:
    return premise if isinstance(premise, str) else "\n".join(premise.texts)


def _edit(item: dict[str, object]) -> Edit:
    unit = item.get("row", item.get("unit"))
    return Edit(
        str(item["op"]),
        unit if isinstance(unit, int) else None,
        None,
        str(item.get("before", "")),
        str(item.get("after", "")),
    )


def _system(item: CaseSystem, document: CaseDocument) -> SystemView:
    ruled = document["expects"] is not None
    rule = _OUTCOMES[item["expects_outcome"]]
    if item["unchanged"]:
        rule = "not reached", "plain"
    elif item["any_allowed"] and item["expects_outcome"] == Outcome.HOLDS:
        rule = ANY_ALLOWED, "plain"
    return SystemView(
        name=item["system"],
        before=[_answer(answer) for answer in item["before"]],
        after=_answer(item["after"]),
        allowed=" or ".join(item["allowed"]),
        rule=rule if ruled else _OUTCOMES[Outcome.NOT_APPLICABLE.value],
        gold=_OUTCOMES[item["gold_outcome"]],
        unchanged=item["unchanged"],
    )


def _answer(answer: CaseAnswer | None) -> AnswerView:
    if answer is None:
        return AnswerView("not asked", [], "")
    shares: Sequence[float | None] = answer["probabilities"] or ()
    label = answer["label"] or answer["status"]
    return AnswerView(
        label,
        [
            (letter, "–" if share is None else f"{share:.3f}", letter in (answer["label"] or ""))
            for letter, share in zip(LETTERS, shares, strict=False)
        ],
        cut(answer["raw"] or ""),
    )


def _evidence(document: CaseDocument, premise: Premise) -> str:
    evidence = document["evidence"]
    if evidence is None:
        return ""
    kind = "row" if isinstance(premise, Table) else "sentence"
    *most, last = [str(place + 1) for place in evidence["units"]] or [""]
    needed = f"{kind}s {', '.join(most)} and {last}" if most else f"{kind} {last}"
    words = f"People need {needed} of the pair ({evidence['grade']} evidence)." if last else ""
    if most and evidence["alone"]:
        words = f"To people, each of the {needed} of the pair suffices alone ({evidence['grade']} evidence)."
    outside = " They need knowledge that the premise does not hold." if evidence["outside"] else ""
    return f"{words}{outside}".strip() or f"People need no {kind} of the pair ({evidence['grade']} evidence)."


def label_names() -> list[tuple[str, str]]:
    """Return the letters of labels with their names."""
    return [(letter, NAMES[letter]) for letter in LETTERS]
