"""One case on the terminal: before and after the edit in one text, and what every system answered to both."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.one_case import CaseAnswer, CaseDocument, CaseSystem, asked_premise
from nliprobe.base.visible import revealed
from nliprobe.report._tables import new_table
from nliprobe.report.text_diff import Kind, Piece, text_diff
from nliprobe.report.words import NOTHING
from nliprobe.task.labels import LETTERS, NAMES
from nliprobe.task.outcomes import Outcome
from nliprobe.task.table import Row, Table
from nliprobe.task.table_diff import table_diff

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

_COLOURS = {"E": "green", "N": "yellow", "C": "magenta"}
# Words as well as signs, because neither colours nor strokes reach a log file.
_OUTCOMES = {
    Outcome.HOLDS.value: ("✓ holds", "green"),
    Outcome.BROKEN.value: ("✗ broken", "bold red"),
    Outcome.UNANSWERED.value: ("? no answer", "yellow"),
    Outcome.NOT_APPLICABLE.value: (NOTHING, "dim"),
}
_MARKS: dict[Kind, tuple[str, str, str]] = {
    "same": ("", "", ""),
    "removed": ("[-", "-]", "red strike"),
    "added": ("{+", "+}", "green"),
}
# Characters of a stretch that both versions have, or that is gone or new: a cell may hold a megabyte.
_LONGEST = 600
_MOST_ROWS = 60


def render_one_case(document: CaseDocument) -> RenderableType:
    """Turn a case into something Rich can print."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    asked = document["asked"]
    parts: list[RenderableType] = [Text(line, style="yellow") for line in document["integrity"]["warnings"]]
    parts += [
        Text(f"Case {asked['case_id']}", style="bold"),
        Text(_facts(document), style="dim"),
        "",
        *(Padding(part, (0, 0, 0, 2)) for part in _texts(document)),
        "",
        *_answers(document),
    ]
    remarks = [*_expected(document), *_raw(document["systems"]), *_facets(document)]
    return Group(*parts, *(Text(revealed(line), style="dim") for line in remarks))


def _facts(document: CaseDocument) -> str:
    asked = document["asked"]
    gold = document["gold"]
    known = f"gold {gold}" if gold else "no gold label of its own"
    before = f", gold {document['pair_gold']} before the edit" if document["edits"] and document["pair_gold"] else ""
    sure = "" if document["certainty"] == "certain" else f"; what is expected is {document['certainty']}"
    return revealed(f"{asked['probe']} of the pair {asked['pair_id']}; {known}{before}{sure}")


def _texts(document: CaseDocument) -> list[RenderableType]:
    """Show what was asked; if the case was made from one other, as changes of that."""
    from rich.text import Text

    asked, bases = document["asked"], document["bases"]
    parts: list[RenderableType] = []
    if len(bases) == 1 and bases[0]["pair_id"] != asked["pair_id"]:
        parts.append(Text(revealed(f"Made from the pair {bases[0]['pair_id']}."), style="dim"))
    if len(bases) > 1:
        told = ((f"From the answers to {base['case_id']}", base["hypothesis"]) for base in bases)
        parts += [Text(f"{words}: {_short(revealed(text))}", style="dim") for words, text in told]
    base = bases[0] if len(bases) == 1 else asked
    needed = needed_units(document)
    old, new = asked_premise(base), asked_premise(asked)
    if isinstance(old, Table) and isinstance(new, Table):
        parts += _table(old, new, needed)
    else:
        parts.append(_line("Premise", *(_flat(premise) for premise in (old, new))))
        sentences = document["evidence"]
        if sentences is not None and sentences["units"]:
            places = ", ".join(str(place + 1) for place in sentences["units"])
            alone = ", each suffices alone" if sentences["alone"] and len(sentences["units"]) > 1 else ""
            parts.append(Text(f"Needed ({sentences['grade']} evidence{alone}): sentence {places}", style="dim"))
    return [*parts, _line("Hypothesis", base["hypothesis"], asked["hypothesis"])]


def needed_units(document: CaseDocument) -> frozenset[int]:
    """Return the needed rows or sentences, if their places are those of the premise before the edit."""
    bases, evidence = document["bases"], document["evidence"]
    moved = any(base["probe"] != "gold" for base in bases) or (not bases and document["edits"])
    same = all(base["pair_id"] == document["asked"]["pair_id"] for base in bases)
    return frozenset() if evidence is None or moved or not same else frozenset(evidence["units"])


def _flat(premise: str | Table) -> str:
    if isinstance(premise, str):
        return premise
    return "\n".join([premise.title, *(f"{row.key}: {', '.join(row.values)}" for row in premise.rows)])


def _table(old: Table, new: Table, needed: Collection[int]) -> list[RenderableType]:
    """Show a table with the rows that are gone struck through, and those that are new or changed marked."""
    from rich.text import Text

    parts: list[RenderableType] = [_line("Table", old.title, new.title)]
    diff = table_diff(old, new)
    shown = [row for place, row in enumerate(diff.rows) if row.changed or place < _MOST_ROWS][: 2 * _MOST_ROWS]
    for row in shown:
        before = None if row.before is None else _row_text(old, old.rows[row.before])
        after = None if row.after is None else _row_text(new, new.rows[row.after])
        sign = "-" if after is None else "+" if before is None else "~" if row.changed else " "
        mark = "●" if row.before in needed else " "
        parts.append(Text(f"{sign}{mark} ").append_text(_pieces(_row_pieces(before, after))))
    hidden = len(diff.rows) - len(shown)
    notes = [f"{hidden:,} more rows, unchanged" if hidden else ""]
    notes += ["the rows are in another order than before, shown as asked" if diff.reordered else ""]
    notes += ["● needed by people" if needed else ""]
    said = "; ".join(note for note in notes if note)
    return [*parts, Text(said, style="dim")] if said else parts


def _row_pieces(before: str | None, after: str | None) -> list[Piece]:
    if before is None or after is None:
        return [Piece("removed", before) if before is not None else Piece("added", after or "")]
    return text_diff(before, after)


def _row_text(table: Table, row: Row) -> str:
    # A line break in a cell must not look like the beginning of a row.
    text = " | ".join(row.values) if table.columns else f"{row.key}: {', '.join(row.values)}"
    return text.replace("\n", "␊")


def _line(name: str, before: str, after: str) -> Text:
    from rich.text import Text

    return Text(f"{name}: ", style="bold").append_text(_pieces(text_diff(before, after)))


def _pieces(pieces: Sequence[Piece]) -> Text:
    from rich.text import Text

    text = Text(style="not bold")
    for piece in pieces:
        first, last, style = _MARKS[piece.kind]
        text.append(f"{first}{_short(revealed(piece.text))}{last}", style=style)
    return text


def _short(text: str) -> str:
    """Cut the middle of a long text, so that what is next to a change can be read on both sides."""
    if len(text) <= _LONGEST:
        return text
    half = _LONGEST // 2
    return f"{text[:half]}… ({len(text) - 2 * half:,} characters) …{text[-half:]}"


def _answers(document: CaseDocument) -> list[RenderableType]:
    based, ruled = bool(document["bases"]), document["expects"] is not None
    table = new_table()
    table.add_column("System", overflow="fold", ratio=1)
    names = [*(["Before"] if based else []), "Answer" if not based else "After", *(["Allowed"] if ruled else [])]
    names += [*(["Expectation"] if ruled else []), *(["Gold"] if document["gold"] else [])]
    for name in names:
        table.add_column(name, no_wrap=True)
    for item in document["systems"]:
        cells: list[RenderableType] = [_label(item["before"])] if based else []
        cells.append(_label([item["after"]]))
        if ruled:
            cells += [_allowed(item), _by_rule(item)]
        table.add_row(revealed(item["system"]), *cells, *([_outcome(item["gold_outcome"])] if document["gold"] else []))
    return [table]


def _label(answers: Sequence[CaseAnswer | None]) -> Text:
    """Write the labels that were answered, each with its probability."""
    from rich.text import Text

    shown = Text()
    for place, answer in enumerate(answers):
        shown.append(", " if place else "")
        if answer is None:
            shown.append("not asked", style="dim")
        elif answer["label"] is None:
            shown.append(answer["status"], style="yellow")
        else:
            shown.append(answer["label"], style=f"bold {_COLOURS.get(answer['label'], '')}".strip())
            share = _share(answer)
            shown.append("" if share is None else f" {share:.3f}")
    return shown


def _share(answer: CaseAnswer) -> float | None:
    """Return how probable the system finds what it answers; of a block of labels, all together."""
    label, shares = answer["label"], answer["probabilities"]
    if label is None or shares is None:
        return None
    own = [shares[LETTERS.index(letter)] for letter in label]
    known = [share for share in own if share is not None]
    return sum(known) if known else None


def _allowed(item: CaseSystem) -> str:
    return " or ".join(item["allowed"]) or NOTHING


def _by_rule(item: CaseSystem) -> Text:
    from rich.text import Text

    if item["unchanged"]:
        return Text("not reached", style="dim")
    if item["any_allowed"] and item["expects_outcome"] == Outcome.HOLDS:
        return Text("any allowed", style="dim")
    return _outcome(item["expects_outcome"])


def _outcome(name: str) -> Text:
    from rich.text import Text

    words, style = _OUTCOMES[name]
    return Text(words, style=style)


def _expected(document: CaseDocument) -> list[str]:
    lines = [f"Expected: {document['expected']}." if document["expected"] else ""]
    if any(item["unchanged"] for item in document["systems"]):
        lines.append("not reached: the system reads this case exactly like the one it was made from")
    letters = ", ".join(f"{letter} {NAMES[letter]}" for letter in LETTERS)
    shares = any(item["after"] is not None and item["after"]["probabilities"] for item in document["systems"])
    lines.append(f"{letters}; with the probability of the answer" if shares else letters)
    return [line for line in lines if line]


def _raw(systems: Sequence[CaseSystem]) -> list[str]:
    given = [(item["system"], item["after"]["raw"]) for item in systems if item["after"] and item["after"]["raw"]]
    return [f"{name} said: {_short(str(raw))}" for name, raw in given]


def _facets(document: CaseDocument) -> list[str]:
    facets = [f"{item['name']} {item['value']}" for item in document["facets"]]
    return [f"Facets: {_short('; '.join(facets))}"] if facets else []
