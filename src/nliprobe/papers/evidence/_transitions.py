"""Transitions as the paper prints them: edges of figures, and tables of what is prohibited from each label."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.papers.recipes import Cell, Computed, Folders, Value, find_recipes
from nliprobe.papers.seeds import over_seeds
from nliprobe.task.labels import LETTERS
from nliprobe.task.relations import Relation

if TYPE_CHECKING:
    from nliprobe.analysis.documents import Transitions
    from nliprobe.papers.asked import MadeCorpus
    from nliprobe.papers.probe_answers import Answers

SPLITS = ("alpha1", "alpha2", "alpha3")
ROWS = {"E": "ENTAIL", "N": "NEUTRAL", "C": "CONTRADICT"}
AVERAGE = "average"
STAND_IN = (
    "The paper's model, RoBERTa-large fine-tuned on InfoTabS, is not available. Rows that begin with the name of "
    "another model are of the model named under 'by', which takes its place; they reproduce no row of the paper."
)
FROM_PRINT = "In the paper's own rows, ours is what our relation prohibits of the edges that {} prints."
Edges = Mapping[str, Mapping[str, float | None]]


class Probed(NamedTuple):
    """A model's transitions, in one place: the column that they fill, and an entry per seed."""

    column: str
    entries: Sequence[Transitions]


def edge_row(old: str, new: str) -> str:
    """Return the row of an edge of a figure.

    >>> edge_row("E", "N")
    'E to N'
    """
    return f"{old} to {new}"


def printed_edges(figure: str) -> dict[str, Edges]:
    """Return the edges that a figure prints, by split: percent of each answer before."""
    [recipe] = find_recipes(f"evidence:{figure}")
    printed = recipe.printed()
    return {
        split: {old: {new: printed[Cell(edge_row(old, new), split)] for new in LETTERS} for old in LETTERS}
        for split in SPLITS
    }


def prohibited_of_print(figure: str, relation: Relation) -> dict[Cell, float]:
    """Return the cells of a table of prohibited transitions, computed from the edges that a figure prints."""
    from nliprobe.analysis.transitions import prohibited_percent

    columns = {split: prohibited_percent(edges, relation) for split, edges in printed_edges(figure).items()}
    values: dict[Cell, float] = {}
    for letter, row in ROWS.items():
        shares = [share for column in columns.values() if (share := column[letter]) is not None]
        values |= {Cell(row, split): share for split, share in zip(SPLITS, shares, strict=True)}
        values[Cell(row, AVERAGE)] = fmean(shares)
    for split in SPLITS:
        values[Cell("Average", split)] = fmean(values[Cell(row, split)] for row in ROWS.values())
    return values


def probe_model(
    answers: Answers,
    corpora: Mapping[str, str],
    probe: str,
    folders: Folders,
    judge: Callable[[MadeCorpus], Sequence[str]] | None = None,
) -> list[Probed]:
    """Return the transitions of a model under a probe, for each corpus that it was asked.

    Args:
        answers: the model's answers.
        corpora: the corpus of each column.
        probe: the spec of the probe.
        folders: where the corpora are.
        judge: returns the rule of each case of the probe in the place of its own, and nothing for cases to leave out.
    """
    from nliprobe.analysis.transitions import transitions
    from nliprobe.papers.asked import asked_run, make_cases
    from nliprobe.probes.suite import build_probe

    probe = build_probe(probe).spec
    probed: list[Probed] = []
    for column, corpus in corpora.items():
        if answers.has(corpus, probe):
            made = make_cases(corpus, [probe], folders.root)
            if judge is not None:
                made = made.judged(probe, judge(made))
            entries = [entry for entry in transitions(asked_run(answers, [made])) if entry["probe"] == probe]
            probed.append(Probed(column, entries))
    return probed


def edge_values(probed: Sequence[Probed], answers: Answers) -> dict[Cell, Value]:
    """Return the cells of a figure for a model: its edges, with their spread over seeds and their intervals."""
    values: dict[Cell, Value] = {}
    for old in LETTERS:
        for new in LETTERS:
            for column, entries in probed:
                shares = [entry["row_percent"][old][new] for entry in entries]
                ends = [entry["row_percent_ci95"][old][new] for entry in entries]
                values[Cell(f"{answers.name} {edge_row(old, new)}", column)] = over_seeds(shares, ends, answers.by)
    return values


def prohibited_values(probed: Sequence[Probed], answers: Answers, relation: Relation) -> dict[Cell, Value]:
    """Return the cells of a table of prohibited transitions for a model; labels without a constraint have 0."""
    from nliprobe.analysis.transitions import mean_rate

    free = {letter for letter in LETTERS if str(relation(letter)) == "ENC"}
    values: dict[Cell, Value] = {}
    seeds = range(len(probed[0].entries) if probed else 0)
    for letter, row in ROWS.items():
        name = f"{answers.name} {row}"
        for column, entries in probed:
            rates = [entry["prohibited"][letter] for entry in entries]
            shares = [0.0 if letter in free else _percent(rate["rate"]) for rate in rates]
            values[Cell(name, column)] = over_seeds(shares, [_ends(rate["ci95"]) for rate in rates], answers.by)
        if len(probed) > 1:
            means = [mean_rate([entries[seed]["prohibited"][letter] for _, entries in probed]) for seed in seeds]
            shares = [0.0 if letter in free else _percent(mean["rate"]) for mean in means]
            values[Cell(name, AVERAGE)] = over_seeds(shares, [_ends(mean["ci95"]) for mean in means], answers.by)
    for column, entries in probed:
        of_seeds: list[float | None] = []
        for entry in entries:
            shares = [0.0 if letter in free else _percent(entry["prohibited"][letter]["rate"]) for letter in LETTERS]
            known = [share for share in shares if share is not None]
            of_seeds.append(fmean(known) if len(known) == len(shares) else None)
        values[Cell(f"{answers.name} Average", column)] = over_seeds(of_seeds, [], answers.by)
    return values


def sizes_note(probed: Sequence[Probed]) -> list[str]:
    """Return how many cases of how many tables the values rest on."""
    parts = [
        f"{column} {entries[0]['n']:,} cases of {entries[0]['groups']:,} tables"
        for column, entries in probed
        if entries
    ]
    return [f"Cases of one seed: {'; '.join(parts)}."] if parts else []


def figure(folders: Folders, item: str, probe: str, notes: Sequence[str]) -> Computed:
    """Compute a figure of transitions: the paper's edges are printed only, the model's have rows of their own."""
    from nliprobe.papers.evidence.answers_file import FULL, find_answers

    [recipe] = find_recipes(f"evidence:{item}")
    values: dict[Cell, float | Value | None] = dict.fromkeys(recipe.printed())
    answers = find_answers(FULL, folders.answers)
    if answers is None:
        return Computed(values, [*notes, STAND_IN, _no_answers(FULL)])
    probed = probe_model(answers, _splits(), probe, folders)
    values |= edge_values(probed, answers)
    return Computed(values, [*notes, STAND_IN, *sizes_note(probed), *_lacking(probed, probe)])


def table(folders: Folders, drawn: str, probe: str, relation: Relation, notes: Sequence[str]) -> Computed:
    """Compute a table of prohibited transitions: from the edges that a figure prints, and for the model."""
    from nliprobe.papers.evidence.answers_file import FULL, find_answers

    values: dict[Cell, float | Value | None] = dict(prohibited_of_print(drawn, relation))
    notes = [FROM_PRINT.format(drawn), *notes, STAND_IN]
    answers = find_answers(FULL, folders.answers)
    if answers is None:
        return Computed(values, [*notes, _no_answers(FULL)])
    probed = probe_model(answers, _splits(), probe, folders)
    values |= prohibited_values(probed, answers, relation)
    return Computed(values, [*notes, *sizes_note(probed), *_lacking(probed, probe)])


def _no_answers(name: str) -> str:
    return f"Not measured: there are no answers '{name}'."


def _lacking(probed: Sequence[Probed], probe: str) -> list[str]:
    columns = {one.column for one in probed}
    lacking = [split for split in SPLITS if split not in columns]
    return [f"Not measured on {', '.join(lacking)}: there are no answers to {probe}."] if lacking else []


def _splits() -> dict[str, str]:
    return {split: f"infotabs/{split}" for split in SPLITS}


def _percent(rate: float | None) -> float | None:
    return None if rate is None else 100 * rate


def _ends(ci95: Sequence[float] | None) -> list[float] | None:
    return None if ci95 is None else [100 * end for end in ci95]
