"""The head of the report and its first two chapters: the answer, the scorecard, and what the premise adds."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.analysis.checklist.documents import ChecklistDocument
from nliprobe.analysis.documents import Gain, ShowDocument
from nliprobe.report.figures import figures
from nliprobe.report.grades import SIGNS
from nliprobe.report.hero import Hero
from nliprobe.report.names import middle_cut, short_names
from nliprobe.report.points import parts, points_bar
from nliprobe.report.svg import Dot, dot_plot
from nliprobe.report.words import between, percent, plural, probability, signed

GAIN_COLUMNS = ("system", "corpus", "gain", "95 % interval", "adj. p", "control", "control's accuracy")
_HIGH, _LOW = 46, 22
_NAMED = 3
# A longer picture is opened by those who want it.
_MOST_DOTS = 24
# Longer names would make a sentence unreadable; the list of systems has them in full.
_LONGEST = 60


def hero_values(document: ShowDocument, head: Hero, checklist: ChecklistDocument | None) -> dict[str, object]:
    """Prepare the head of the page."""
    from markupsafe import Markup

    first = head.points[0] if head.points else None
    more = len(head.points) - 1
    return {
        "answer": head.answer,
        "lead": head.lead,
        "bar": None if first is None else Markup(points_bar(first, _HIGH)),
        "parts": [] if first is None else parts(first),
        "corpus": "" if first is None else first.corpus,
        "short_corpus": "" if first is None else middle_cut(first.corpus, _LONGEST),
        "more": "" if more < 1 else f"{plural(more, 'more corpus')}" if more == 1 else f"{more} more corpora",
        "missing": head.missing,
        "figures": figures(document, head, checklist),
        "others": [{**other._asdict(), "sign": SIGNS[other.tone]} for other in head.others],
    }


def fact_line(document: ShowDocument) -> str:
    """Say in a line what was asked: the run, how many cases and systems, and which corpora."""
    run = document["run"]
    names = [corpus["name"] for corpus in run["corpora"]]
    shown = names if len(names) <= _NAMED else [*names[: _NAMED - 1], f"{len(names) - _NAMED + 1} more corpora"]
    short = short_names([run["folder"], *shown], _LONGEST)
    asked = [plural(run["cases"], "case"), plural(len(run["systems"]), "system")]
    return " · ".join(
        ["Does it reason or guess?", short[run["folder"]], *asked, ", ".join(short[name] for name in shown)]
    )


def gain_values(head: Hero, gains: Sequence[Gain]) -> dict[str, object] | None:
    """Prepare the chapter about what the premise adds; None if no system has a gain."""
    from markupsafe import Markup

    if not gains:
        return None
    dots = []
    for gain in gains:
        ends = gain["ci95"] or [gain["gain"], gain["gain"]]
        dots.append(Dot(f"{gain['system']}, {gain['corpus']}", gain["gain"], ends[0], ends[1]))
    low = min(-0.05, *(dot.low for dot in dots))
    high = max(0.05, *(dot.high for dot in dots))
    split = [shown for shown in head.points if shown.split]
    return {
        "subject": "" if head.subject is None else head.subject.label,
        "bars": [
            {
                "corpus": shown.corpus,
                "short": middle_cut(shown.corpus, _LONGEST),
                "accuracy": percent(shown.accuracy),
                "svg": Markup(points_bar(shown, _LOW)),
                "parts": parts(shown),
            }
            for shown in split
        ],
        "svg": Markup(dot_plot(dots, low=low, high=high, unit="points")),
        "many": len(dots) if len(dots) > _MOST_DOTS else 0,
        "columns": GAIN_COLUMNS,
        "rows": [
            (gain["system"], gain["corpus"], signed(gain["gain"]), between(gain["ci95"], sign=True),
             probability(gain["p_holm"]), gain["control"], percent(gain["control_accuracy"]))
            for gain in gains
        ],
    }  # fmt: skip
