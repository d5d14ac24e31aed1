"""What the page of a trial shows: the pair with its edit marked, the answers, edits that are offered, the history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from markupsafe import Markup

from nliprobe.api.tried import Offer, offers
from nliprobe.report.cells import TableCell, cell
from nliprobe.report.failing import told
from nliprobe.report.text_diff import text_diff
from nliprobe.report.words import NOTHING, shortened
from nliprobe.studio.ask.asking import Asking
from nliprobe.studio.ask.moves import Moved, counted, moved
from nliprobe.studio.ask.trials import Made, Trial, Version
from nliprobe.studio.jobs import JobState
from nliprobe.task.case import Certainty, Prediction, Status
from nliprobe.task.labels import LETTERS, NAMES
from nliprobe.task.outcomes import Outcome
from nliprobe.task.pair import Premise
from nliprobe.task.relations import UNCONSTRAINED
from nliprobe.task.rule_forms import rule_words
from nliprobe.task.table import Row, Table
from nliprobe.task.table_diff import table_diff

_DELETE_ROW = "row.delete"
# Characters of a title of a trial, and of what a model said that is no answer.
_SHORT, _SAID = 60, 300
# Offers of one probe: a passage of a hundred sentences can lose each of them.
_MOST_OFFERS = 12
_FAMILIES = ("swap", "rows", "sentences", "dir", "inv")


def shown_texts(trial: Trial, version: Version) -> dict[str, object]:
    """Prepare the pair: what the edit changed is marked."""
    base = trial.base(version) or version
    rows = _rows(base.premise, version.premise) if isinstance(version.premise, Table) else None
    # A text and a table cannot be compared; nor can what was exchanged.
    old = base.premise if isinstance(base.premise, str) else version.premise
    swapped = (version.premise, version.hypothesis) == (base.hypothesis, base.premise)
    return {
        "is_table": isinstance(version.premise, Table),
        "title": text_diff(_title(base.premise), _title(version.premise)),
        "columns": version.premise.columns if isinstance(version.premise, Table) else (),
        "rows": rows,
        "premise": _marked(str(old), version.premise, swapped=swapped) if isinstance(version.premise, str) else None,
        "hypothesis": _marked(base.hypothesis, version.hypothesis, swapped=swapped),
    }


def _marked(before: str, after: str, *, swapped: bool) -> object:
    return text_diff(after if swapped else before, after)


def _title(premise: Premise) -> str:
    return premise.title if isinstance(premise, Table) else ""


def _rows(before: Premise, after: Table) -> list[dict[str, object]]:
    if not isinstance(before, Table):
        before = after
    diff = table_diff(before, after)
    lines: list[dict[str, object]] = []
    for each in diff.rows:
        row = after.rows[each.after] if each.after is not None else before.rows[each.before or 0]
        change = "removed" if each.after is None else "added" if each.before is None else "same"
        if change == "same" and each.changed:
            change = "changed"
        old = None if each.before is None else before.rows[each.before]
        lines.append({"place": each.after, "key": row.key, "cells": _cells(old, row, change), "change": change})
    return lines


def _cells(old: Row | None, new: Row, change: str) -> list[object]:
    if change != "changed" or old is None:
        return [[{"kind": "same", "text": value}] for value in new.values]
    known = set(old.values)
    gone = [value for value in old.values if value not in new.values]
    cells: list[object] = []
    for place, value in enumerate(new.values):
        if len(old.values) == len(new.values):
            cells.append(text_diff(old.values[place], value))
        else:
            cells.append([{"kind": "same" if value in known else "added", "text": value}])
    if len(old.values) != len(new.values):
        cells += [[{"kind": "removed", "text": value}] for value in gone]
    return cells


def shown_answers(asking: Asking, trial: Trial, version: Version) -> list[dict[str, object]]:
    """Prepare what each system answers, and what became of its answer before."""
    return [_answer(asking, trial, version, system) for system in trial.systems]


def _answer(asking: Asking, trial: Trial, version: Version, system: int) -> dict[str, object]:
    question, answer = version.questions[system], version.answer(system)
    move = moved(trial, version, system)
    return {
        "system": system,
        "name": asking.name(system),
        "state": question.state.value,
        "is_waiting": not question.is_over,
        "said": question.said or _failed(answer),
        "label": label_words(answer),
        "letters": "" if answer is None or answer.label is None else str(answer.label),
        "shares": _shares(answer),
        "before": "" if move is None or not move.has_moved else label_words(move.before),
        "move": None if move is None else move_words(move),
        "can_explain": question.state is JobState.DONE and answer is not None and answer.label is not None,
    }


def _failed(answer: Prediction | None) -> str:
    if answer is None or answer.status is Status.OK:
        return ""
    return shortened(f"{answer.status.value}: {answer.raw or 'no reason was given'}", _SAID)


def label_words(answer: Prediction | None) -> str:
    """Write an answer in words."""
    if answer is None or answer.label is None:
        return "no answer"
    return " or ".join(NAMES[letter] for letter in str(answer.label))


def _shares(answer: Prediction | None) -> list[dict[str, object]]:
    if answer is None or answer.probabilities is None:
        return []
    return [
        {"letter": letter, "name": NAMES[letter], "text": f"{share:.3f}", "width": round(100 * share, 1)}
        for letter, share in zip(LETTERS, answer.probabilities, strict=True)
        if share is not None
    ]


def move_words(move: Moved) -> dict[str, str]:
    """Say what became of an answer: a tone, a word, and a sentence."""
    how = f"It moved from {label_words(move.before)} to {label_words(move.after)}." if move.has_moved else "It stays."
    expected = f" Allowed: {', '.join(NAMES[letter] for letter in move.allowed)}." if move.allowed else ""
    if move.is_unread:
        return {"tone": "plain", "word": "not reached", "said": "The system reads the same as before."}
    if move.outcome is None:
        return {"tone": "plain", "word": "moved" if move.has_moved else "same", "said": how}
    if move.outcome is Outcome.UNANSWERED:
        return {"tone": "open", "word": "no answer", "said": "There is no answer to judge."}
    if move.outcome is Outcome.NOT_APPLICABLE:
        return {"tone": "plain", "word": "open", "said": f"{how} The rule says nothing about this answer."}
    if move.outcome is Outcome.HOLDS:
        return {"tone": "good", "word": "allowed", "said": f"{how}{expected}"}
    if not move.has_moved and not expected.strip():
        how = "Its probabilities move in a way that is not allowed."
    word = "prohibited" if move.is_certain else "most likely prohibited"
    return {"tone": "bad", "word": word, "said": f"{how}{expected}"}


def known_words(made: Made | None) -> str:
    """Say what is known about an edit."""
    if made is None:
        return ""
    if made.rule is None:
        return "Nothing is known about what must happen to an answer after this edit: it is your own."
    if made.rule == UNCONSTRAINED:
        return "After this edit every answer is allowed: a record more or less can turn a count or a superlative."
    sure = "" if made.certainty is Certainty.CERTAIN else " That is likely, not certain."
    return f"Allowed after this edit: {rule_words(made.rule)}.{sure}"


def shown_offers(version: Version) -> dict[str, object]:
    """Prepare the edits whose effect is known: those of rows beside their rows, the others in groups."""
    known = offers(version.pair)
    rows = {offer.case.edits[0].unit: offer.case.id for offer in known if _deletes_row(offer)}
    others = sorted((offer for offer in known if not _deletes_row(offer)), key=_rank)
    return {"rows": rows, "groups": list(_groups(others)), "row_rule": _row_rule(known)}


def _rank(offer: Offer) -> int:
    """Put the edits that say most first; what stress tests add comes last."""
    family = offer.case.probe.partition(".")[0]
    return _FAMILIES.index(family) if family in _FAMILIES else len(_FAMILIES)


def _deletes_row(offer: Offer) -> bool:
    return [edit.op for edit in offer.case.edits] == [_DELETE_ROW]


def _row_rule(known: Sequence[Offer]) -> str:
    rules = [offer.case.expects for offer in known if _deletes_row(offer)]
    return "" if not rules or rules[0] is None or rules[0] == UNCONSTRAINED else rule_words(rules[0])


def _groups(known: Sequence[Offer]) -> Iterator[dict[str, object]]:
    for probe, group in groupby(known, key=lambda offer: offer.case.probe):
        items = list(group)
        rule = items[0].case.expects
        assert rule is not None
        yield {
            "probe": probe,
            "what": items[0].what,
            "rule": rule_words(rule),
            "items": [{"id": item.case.id, "words": offer_words(item)} for item in items[:_MOST_OFFERS]],
            "more": max(0, len(items) - _MOST_OFFERS),
        }


def offer_words(offer: Offer) -> str:
    """Say what an offered edit does."""
    return told(offer.case.edits)


def shown_history(asking: Asking, trial: Trial, here: int) -> dict[str, object]:
    """Prepare the table of all versions, and the count of prohibited moves beside what says nothing."""
    names = [asking.name(system) for system in trial.systems]
    rows = [[_link(trial, version, here), _made(version), *_moves(trial, version)] for version in trial.versions]
    totals = [[asking.name(system), *_totals(trial, system)] for system in trial.systems]
    return {
        "columns": ["version", "edit", *names],
        "rows": rows,
        "totals": totals if any(int(row[1]) for row in totals) else [],
    }


def _link(trial: Trial, version: Version, here: int) -> Markup:
    if version.number == here:
        return Markup("<strong>{}</strong> (shown)").format(version.number)
    return Markup('<a href="/ask/{}?at={}">Version {}</a>').format(trial.key, version.number, version.number)


def _made(version: Version) -> TableCell:
    if version.made is None:
        return cell("as it was typed")
    name = version.made.name or "your own edit"
    return cell(version.made.words, f"of version {version.made.base}; {name}", long=True)


def _moves(trial: Trial, version: Version) -> Iterator[TableCell]:
    for system in trial.systems:
        question, move = version.questions[system], moved(trial, version, system)
        if move is None:
            text = label_words(version.answer(system)) if question.is_over else "asking …"
            yield cell(text)
            continue
        arrow = f"{label_words(move.before)} → {label_words(move.after)}"
        told = move_words(move)
        word = (
            f"✗ {told['word']}" if move.is_prohibited else "nothing is known" if move.outcome is None else told["word"]
        )
        text = arrow if move.has_moved else label_words(move.after)
        yield cell(text, word, tone="bad" if move.is_prohibited and move.is_certain else "")


def _totals(trial: Trial, system: int) -> list[str]:
    found = counted(trial, system)
    given = ", ".join(found.answers) or NOTHING
    return [str(found.judged), str(found.prohibited), str(found.constant), f"{found.chance:.1f}", given]


def trial_title(trial: Trial) -> str:
    """Name a trial by its first hypothesis."""
    return shortened(trial.versions[0].hypothesis, _SHORT)
