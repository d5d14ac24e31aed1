"""The artifacts of corpora for people: which words, lengths and overlaps give labels away, and how far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.analysis.artifacts.documents import (
    BinnedPrediction,
    CorpusArtifacts,
    CorpusArtifactsDocument,
    Feature,
    Quartiles,
    WordEntry,
)
from nliprobe.report._tables import new_table
from nliprobe.report.words import NOTHING, around, constant_words, percent, plural

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

FEATURE_WORDS: dict[Feature, str] = {
    "hypothesis_length": "words in the hypothesis",
    "premise_length": "words in the premise",
    "overlap": "overlap with the premise",
}
WORD_COLUMNS = ("word", "PMI", "pairs", "of the label's pairs %", "have the label %")
# Behind words whose association with the label is not carried by its interval.
UNSURE = "?"


def render_artifacts(document: CorpusArtifactsDocument) -> RenderableType:
    """Turn the artifacts of corpora into something Rich can print."""
    from rich.console import Group
    from rich.text import Text

    parts: list[RenderableType] = []
    for corpus in document["corpora"]:
        parts += [Text(corpus["name"], style="bold").append(f"  {corpus_line(corpus)}", style="not bold")]
        parts += [Text(line, style="yellow") for line in corpus["notes"]]
        for label, entries in corpus["words"].items():
            if entries:
                share = corpus["support"][label] / corpus["n"]
                parts += ["", Text(f"Words of {label}", style="bold cyan").append(_about(label, share), style="dim")]
                parts.append(_word_table(entries, label))
        if corpus["features"]:
            parts += ["", Text("Lengths and overlap", style="bold cyan").append(_MEDIANS, style="dim")]
            parts.append(_feature_table(corpus))
        parts += ["", *(Text(line) for line in corpus_readings(corpus)), ""]
    return Group(*parts, *(Text(line, style="dim") for line in legend(document)))


_MEDIANS = "  median and quartiles by gold label; how often the label is guessed right from it"


def _about(label: str, share: float) -> str:
    return f"  {percent(share)} % of all pairs are {label}; with the word, as many as the last column says"


def corpus_line(corpus: CorpusArtifacts) -> str:
    """Write the size of a corpus, what was left out, and what is to be had without any word."""
    labels = ", ".join(f"{label} {n:,}" for label, n in corpus["support"].items())
    parts = [f"{plural(corpus['n'], 'pair')} with a label ({labels})"]
    if corpus["unlabelled"]:
        parts.append(f"{corpus['unlabelled']:,} without a label left out")
    if corpus["ambiguous"]:
        parts.append(f"{corpus['ambiguous']:,} with several gold labels left out")
    if corpus["wordless"]:
        parts.append(f"{corpus['wordless']:,} without a word in the hypothesis")
    if corpus["constant"] is not None:
        parts.append(f"best constant {constant_words(corpus['constant'])} %, chance {percent(corpus['chance'])} %")
    return "; ".join(parts)


def word_cells(entry: WordEntry) -> list[str]:
    """Write the cells of one word under ``WORD_COLUMNS``."""
    return [
        entry["word"] + ("" if entry["points"] else f" {UNSURE}"),
        f"{entry['pmi']:.2f}",
        f"{entry['count']:,}",
        percent(entry["share"]),
        around(entry["probability"], entry["ci95"]),
    ]


def corpus_readings(corpus: CorpusArtifacts) -> list[str]:
    """Say in plain words what the numbers of a corpus mean."""
    lines: list[str] = []
    listed = [entry for entries in corpus["words"].values() for entry in entries]
    sure = sum(entry["points"] for entry in listed)
    if listed:
        lines.append(
            f"{sure} of the {len(listed)} listed words {'gives its' if sure == 1 else 'give their'} label away, even "
            "if all words that were looked at are allowed for: a model can score by that without reading the premise."
            if sure
            else "None of the listed words gives its label away for sure, given how many words were looked at."
        )
    for name, feature in corpus["features"].items():
        if feature["prediction"] is not None:
            lines.append(_feature_reading(name, feature["prediction"]))
    return lines


def _feature_reading(name: Feature, item: BinnedPrediction) -> str:
    gain, ends = item["gain"], item["gain_ci95"]
    what = FEATURE_WORDS[name][0].upper() + FEATURE_WORDS[name][1:]
    shown = f"{around(gain, ends, sign=True)} points over a constant answer ({percent(item['constant'])} %)"
    if ends is not None and ends[0] > 0:
        return f"{what}: guessing the label from it alone is right in {percent(item['accuracy'])} %, {shown}."
    return f"{what}: guessing from it alone gains nothing that its interval carries: {shown}."


def legend(document: CorpusArtifactsDocument) -> list[str]:
    """Say how the numbers were made."""
    return [
        f"PMI: how much more frequent the label is with the word than among all pairs, in bits (1 is twice as "
        f"frequent), with {document['smoothing']:g} pairs added per word and label; a word counts once per hypothesis, "
        f"and only if {document['min_count']:,} hypotheses have it",
        f"{UNSURE}: too few pairs to be sure of the word, given how many words were looked at; it is not used to judge "
        "systems",
        "overlap: the share of the distinct words of the hypothesis that the premise has",
        "guessed right: each pair by the most frequent label of the other pairs of its bin; pairs of one group never "
        "answer for each other",
    ]


def quartile_words(item: Quartiles | None) -> str:
    """Write a median with its quartiles: ``7 [5, 9]``."""
    if item is None:
        return NOTHING
    return f"{_number(item['median'])} [{_number(item['low'])}, {_number(item['high'])}]"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:.2f}"


def _word_table(entries: list[WordEntry], label: str) -> Table:
    from rich.text import Text

    table = new_table()
    table.add_column("Word", overflow="fold")
    for name in ("PMI", "Pairs", f"% of {label}", f"% {label} with it"):
        table.add_column(name, justify="right")
    for entry in entries:
        word, *cells = word_cells(entry)
        table.add_row(Text(word), *cells)
    return table


def _feature_table(corpus: CorpusArtifacts) -> Table:
    table = new_table()
    table.add_column("")
    for label in corpus["support"]:
        table.add_column(label, justify="right")
    for name in ("Guessed right %", "Constant", "Gain"):
        table.add_column(name, justify="right")
    for name, feature in corpus["features"].items():
        item = feature["prediction"]
        guessed = [NOTHING] * 3
        if item is not None:
            gain = around(item["gain"], item["gain_ci95"], sign=True)
            guessed = [around(item["accuracy"], item["ci95"]), percent(item["constant"]), gain]
        quartiles = [quartile_words(feature["labels"].get(label)) for label in corpus["support"]]
        table.add_row(FEATURE_WORDS[name], *quartiles, *guessed)
    return table
