"""What systems make of artifacts, for people: accuracy by where words point, and answers by lengths and overlap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.artifacts.documents import Feature
from nliprobe.analysis.artifacts.run_documents import (
    POINTINGS,
    ArtifactEntry,
    ArtifactsDocument,
    BinPart,
    ControlAccuracy,
    Difference,
    Pointing,
)
from nliprobe.report._tables import new_table, titled
from nliprobe.report.artifacts_corpus import FEATURE_WORDS
from nliprobe.report.plots import share_plots
from nliprobe.report.svg import Dot
from nliprobe.report.words import NOTHING, around, constant_words, note_lines, percent
from nliprobe.task.case import IDENTITY

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

TITLE = "Artifacts"
ABOUT = (
    "accuracy in percent by whether words of the hypothesis point to its gold label, to another one, to both, or none"
)
POINTING_WORDS: dict[Pointing, str] = {"right": "right", "wrong": "wrong", "both": "both ways", "none": "nowhere"}
COLUMNS = ("system", "corpus", "probe", "words point", "accuracy", "best constant", "best control", "n", "groups")
FEATURE_COLUMNS = (
    "system", "corpus", "probe", "by", "from", "to", "accuracy", "best constant", "best control", "gold", "answered",
    "n",
)  # fmt: skip
_WORDS_SHOWN = 8


def render_run_artifacts(document: ArtifactsDocument) -> RenderableType:
    """Turn what systems make of artifacts into something Rich can print."""
    from rich.console import Group
    from rich.text import Text

    head = Text(f"Run {document['run']}", style="bold").append("  words, lengths and overlap", style="not bold")
    for line in document["integrity"]["warnings"]:
        head.append(f"\n{line}", style="not bold yellow")
    parts: list[RenderableType] = [head, *(Text(line, style="dim") for line in word_lines(document))]
    for entries in _by_slice(document["entries"]):
        parts += ["", Text(_slice_name(entries[0]), style="bold cyan").append(f"  {ABOUT}", style="not bold dim")]
        parts.append(_words_table(entries))
        parts += [Text(line) for entry in entries for line in word_readings(entry)]
        for feature in FEATURE_WORDS:
            table = _feature_table(entries, feature)
            if table is not None:
                title = f"By {FEATURE_WORDS[feature]}"
                labels = "/".join(entries[0]["partition"].split("|"))
                parts += ["", Text(title, style="bold").append(f"  accuracy; below, answered {labels} %", style="dim")]
                parts.append(table)
                parts += [Text(line) for entry in entries for line in feature_readings(entry, feature)]
    if not document["entries"]:
        parts += ["", Text("Nothing to show: no case of the run has a gold label.")]
    parts += ["", *(Text(line, style="dim") for line in legend(document))]
    return Group(*parts, *titled("Notes", note_lines(document["notes"])))


def artifact_section(document: ArtifactsDocument) -> dict[str, object] | None:
    """Prepare the section of the page; None if the words of no corpus point anywhere."""
    judged = [entry for entry in document["entries"] if entry["missing"] is None]
    if not judged:
        return None
    dots = {
        _slice_name(entries[0]): [dot for entry in entries for dot in _dots(entry)] for entries in _by_slice(judged)
    }
    return {
        "title": TITLE,
        "plots": share_plots(dots),
        "columns": COLUMNS,
        "rows": [cells for entry in judged for cells in word_rows(entry)],
        "readings": [line for entry in judged for line in readings(entry)],
        "remarks": [*word_lines(document), *legend(document)],
    }


def word_rows(entry: ArtifactEntry) -> Iterator[list[str]]:
    """Write the rows of one system under ``COLUMNS``: by where words point, then the differences."""
    names = [entry["system"], entry["corpus"], entry["probe"]]
    for name, part in entry["words"].items():
        yield [
            *names,
            POINTING_WORDS[name],
            around(part["accuracy"], part["ci95"]),
            constant_words(part["constant"]),
            _control(part["control"]),
            f"{part['n']:,}",
            f"{part['groups']:,}",
        ]
    yield [*names, "right minus wrong", _difference(entry["lost"]), NOTHING, NOTHING, NOTHING, NOTHING]
    rival = entry["control"]
    shown = NOTHING if rival is None else f"{_difference(rival['lost'])} ({rival['system']})"
    alike = _difference(entry["lost_alike"])
    yield [*names, "the same, gold labels alike", alike, "+0.0", shown, NOTHING, NOTHING]


def feature_rows(entry: ArtifactEntry) -> Iterator[list[str]]:
    """Write the rows of one system under ``FEATURE_COLUMNS``: a row per bin of each number."""
    for name, feature in entry["features"].items():
        for part in feature["bins"]:
            yield [
                entry["system"],
                entry["corpus"],
                entry["probe"],
                FEATURE_WORDS[name],
                _end(part["low"]),
                _end(part["high"]),
                around(part["accuracy"], part["ci95"]),
                constant_words(part["constant"]),
                _control(part["control"]),
                _shares(part["gold"]),
                _shares({label: rate["rate"] for label, rate in part["answers"].items()}),
                f"{part['n']:,}",
            ]


def readings(entry: ArtifactEntry) -> list[str]:
    """Say in plain words what all numbers of one system on one corpus mean."""
    lines = list(word_readings(entry))
    # What a system does with lengths without seeing the premise follows from its words.
    for feature in () if entry["blind"] else entry["features"]:
        lines += feature_readings(entry, feature)
    return [f"{_slice_name(entry)}, {line}" for line in lines]


def word_readings(entry: ArtifactEntry) -> Iterator[str]:
    """Say what a system makes of words that point to a label."""
    name = f"{entry['system']}{' (cannot use the premise)' if entry['blind'] else ''}"
    if entry["missing"] is not None:
        yield f"{name}: nothing can be said about words: {entry['missing']}."
        return
    alike = entry["lost_alike"]
    value, ends = alike["value"], alike["ci95"]
    if value is None or ends is None:
        yield f"{name}: too few pairs or groups to compare right and wrong words within a gold label."
    elif ends[0] > 0:
        rival = entry["control"]
        beside = f"; {rival['system']}, without the premise, loses {_points(rival['lost'])}" if rival else ""
        yield (
            f"{name}: loses {_points(alike)} points of accuracy where words point to another label than the gold "
            f"one, gold labels alike: its answers go with these words{beside}."
        )
    elif ends[1] < 0:
        yield f"{name}: is better by {_points(alike)} points where words point to another label."
    else:
        yield f"{name}: {_difference(alike)} points between right and wrong words: its interval carries no loss."


def feature_readings(entry: ArtifactEntry, feature: Feature) -> Iterator[str]:
    """Say which labels a system answers wrongly more or less often as a number grows, if the intervals carry it."""
    item = entry["features"][feature]
    for label in item["carried"]:
        tilt, first, last = item["tilt"][label], item["bins"][0], item["bins"][-1]
        value = tilt["value"]
        if value is not None:
            often = "more" if value > 0 else "less"
            yield (
                f"{entry['system']}: answers {label} wrongly {_points(tilt)} points {often} often at {_range(last)} "
                f"{FEATURE_WORDS[feature]} than at {_range(first)}."
            )


def word_lines(document: ArtifactsDocument) -> list[str]:
    """Say which words point where, and where they were chosen."""
    lines = []
    for used in document["words"]:
        named = ", ".join(
            f"{label}: {' '.join(words[:_WORDS_SHOWN])}" + (f" and {more} more" if more > 0 else "")
            for label, words in used["words"].items()
            if words and (more := len(words) - _WORDS_SHOWN) is not None
        )
        origin = "its own pairs" if document["own"] else ", ".join(used["chosen_on"])
        lines.append(f"words that point to a label in {used['corpus']}, chosen on {origin}: {named or 'none'}")
    if document["own"] and document["words"]:
        lines.append(
            "words of the training data would be the better choice: nliprobe show RUN --artifacts CORPUS, or a FILE of "
            "nliprobe data artifacts"
        )
    return lines


def legend(document: ArtifactsDocument) -> list[str]:
    """Say what the numbers are, and what a system that reads both texts would show."""
    if not document["entries"]:
        return []
    lines = [
        "a system that reads both texts is about as good where words point wrong as where they point right; one that "
        "goes by words is better where they point right",
        "gold labels alike: compared within each gold label, so that a constant answer loses 0.0",
        "a few points of loss can also come from the pairs: where words point wrong, they may be harder, or their gold "
        "label wrong, more often",
        "answered wrongly: of the pairs whose gold label is another one; a system that reads both texts does not give "
        "a label because a text is long or repeats the other, but pairs of one bin may also be harder than others",
    ]
    if not any(entry["blind"] for entry in document["entries"]):
        lines.append("no control: add a system that does not see the premise (premise=none) to compare with")
    return lines


def _dots(entry: ArtifactEntry) -> Iterator[Dot]:
    for name in POINTINGS:
        part = entry["words"][name]
        if part["accuracy"] is not None and name != "both":
            low, high = part["ci95"] or [part["accuracy"], part["accuracy"]]
            label = f"{entry['system']}, {POINTING_WORDS[name]} (n {part['n']:,})"
            yield Dot(label, part["accuracy"], low, high, entry["blind"])


def _by_slice(entries: Sequence[ArtifactEntry]) -> list[list[ArtifactEntry]]:
    slices: dict[tuple[str, str, str], list[ArtifactEntry]] = {}
    for entry in entries:
        slices.setdefault((entry["corpus"], entry["probe"], entry["partition"]), []).append(entry)
    return list(slices.values())


def _slice_name(entry: ArtifactEntry) -> str:
    return entry["corpus"] if entry["probe"] == IDENTITY else f"{entry['corpus']} after {entry['probe']}"


def _words_table(entries: Sequence[ArtifactEntry]) -> Table:
    from rich.text import Text

    table = new_table()
    table.add_column("Words point", overflow="fold", min_width=8)
    for name in POINTINGS:
        table.add_column(POINTING_WORDS[name], justify="right")
    table.add_column("Lost", justify="right")
    table.add_column("Labels alike", justify="right")
    table.add_row(Text("n", style="dim"), *_sizes(entries), "", "")
    for entry in entries:
        cells = [around(entry["words"][name]["accuracy"], entry["words"][name]["ci95"]) for name in POINTINGS]
        lost = Text(_difference(entry["lost_alike"]), style="bold")
        table.add_row(Text(entry["system"]), *cells, _difference(entry["lost"]), lost)
    constants = [constant_words(entries[0]["words"][name]["constant"]) for name in POINTINGS]
    table.add_row(Text("best constant", style="dim"), *constants, "", "+0.0")
    return table


def _sizes(entries: Sequence[ArtifactEntry]) -> list[str]:
    # Systems that an interrupted run has not asked everything have an n of their own.
    return [" / ".join(dict.fromkeys(f"{entry['words'][name]['n']:,}" for entry in entries)) for name in POINTINGS]


def _feature_table(entries: Sequence[ArtifactEntry], feature: Feature) -> Table | None:
    """Show bins down and systems across; None if all pairs are in one bin."""
    from rich.text import Text

    bins = entries[0]["features"][feature]["bins"]
    if len(bins) < 2:
        return None
    table = new_table()
    table.add_column(FEATURE_WORDS[feature].split(maxsplit=1)[0].capitalize())
    for name in ("n", "Gold", "Constant"):
        table.add_column(name, justify="right")
    for entry in entries:
        table.add_column(Text(entry["system"]), justify="right", overflow="fold")
    for place, part in enumerate(bins):
        cells = [_bin_cell(entry["features"][feature]["bins"], place) for entry in entries]
        table.add_row(_range(part), f"{part['n']:,}", _shares(part["gold"]), constant_words(part["constant"]), *cells)
    return table


def _bin_cell(bins: Sequence[BinPart], place: int) -> str:
    if place >= len(bins):
        return NOTHING
    part = bins[place]
    answers = _shares({label: rate["rate"] for label, rate in part["answers"].items()})
    return f"{around(part['accuracy'], part['ci95'])}\n{answers}"


def _shares(shares: dict[str, float | None] | dict[str, float]) -> str:
    return "/".join(NOTHING if share is None else f"{100 * share:.0f}" for share in shares.values())


def _range(part: BinPart) -> str:
    low, high = _end(part["low"]), _end(part["high"])
    return low if low == high else f"{low} to {high}"


def _end(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:.2f}"


def _difference(item: Difference) -> str:
    return around(item["value"], item["ci95"], sign=True)


def _points(item: Difference) -> str:
    """Write the size of a difference whose direction the sentence says."""
    value, ends = item["value"], item["ci95"]
    if value is not None and value < 0:
        return around(-value, None if ends is None else [-ends[1], -ends[0]])
    return around(value, ends)


def _control(item: ControlAccuracy | None) -> str:
    return NOTHING if item is None else f"{percent(item['accuracy'])} ({item['system']})"
