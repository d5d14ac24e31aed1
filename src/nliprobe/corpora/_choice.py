"""Choose the columns of a user's pairs: by the names that people use, and by asking where these do not decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.records.columns import column, plain_name
from nliprobe.base.records.read import Record
from nliprobe.corpora._file_evidence import COLUMN
from nliprobe.task.labels import LabelMap

# The names of these columns in public files. The first decides alone; of the others, only one may be there.
PREMISE_NAMES = (
    "premise", "sentence1", "text1", "sentence_a", "premise_text", "prem", "context", "evidence", "passage", "text",
    "document", "doc", "table",
)  # fmt: skip
HYPOTHESIS_NAMES = (
    "hypothesis", "sentence2", "text2", "sentence_b", "hypothesis_text", "hyp", "claim", "statement", "summary",
)  # fmt: skip
LABEL_NAMES = ("label", "gold_label", "gold")
# These names often mean something else, so their values decide whether they are labels.
VALUED_NAMES = (
    "verdict", "y", "labels", "target", "class", "answer", "judgment", "entailment_judgment", "entailment_label",
    "claim_label", "relation", "stance", "annotation",
)  # fmt: skip
# A column with one of these names holds the ids of pairs if its values are distinct.
ID_NAMES = ("pair_id", "uid", "guid", "id", "example_id", "sample_id", "instance_id", "item_id", "idx")
TABLE_NAMES = ("table_id", "table", "tableID", "table_name")
NO_LABEL = "none"
# Columns are judged by this many records.
SAMPLE = 1000
# A column whose values are labels in this share or more is a label with mistakes, not something else.
ALMOST = 0.8
# A label has few values. More of them are an amount, a date or an id.
_MOST_VALUES = 12
_CODES = frozenset({"-1", "0", "1", "2"})


class ColumnOptions(Protocol):
    """Which columns the user has named; the others are empty."""

    @property
    def premise(self) -> str:
        """The column of the premise."""
        ...

    @property
    def hypothesis(self) -> str:
        """The column of the hypothesis."""
        ...

    @property
    def label(self) -> str:
        """The column of the gold label, or ``none``."""
        ...

    @property
    def id(self) -> str:
        """The column of ids."""
        ...

    @property
    def group(self) -> str:
        """The column of groups."""
        ...

    @property
    def table(self) -> str:
        """The column of table ids."""
        ...

    @property
    def tables(self) -> str:
        """The folder of the tables."""
        ...

    @property
    def header(self) -> str:
        """The column of a table's header."""
        ...

    @property
    def title(self) -> str:
        """The column of a table's title."""
        ...

    @property
    def sentences(self) -> str:
        """The column of a list of sentences."""
        ...

    @property
    def evidence(self) -> str:
        """The column of the units that matter."""
        ...

    @property
    def outside(self) -> str:
        """The column that says whether knowledge from outside is needed."""
        ...

    @property
    def program(self) -> str:
        """The column of programs."""
        ...

    @property
    def facets(self) -> str:
        """The columns of facets, separated by semicolons."""
        ...


@dataclass(frozen=True, slots=True)
class Columns:
    """What each column of a file was taken for.

    Attributes:
        premise: the column of the premise, or of table ids.
        hypothesis: the column of the hypothesis.
        label: the column of the gold label, if there is one.
        id: the column of ids, if the user named one or its name and its values show one.
        group: the column of groups, if the user named one.
        facets: the columns that the user wants to keep.
        others: the columns that are not used.
        passed_over: columns with the name of a label whose values are none.
        declined: whether the user said that there is no label.
        guessed_id: whether the user did not name the column of ids.
        evidence: the column of the units that matter, if the user named one.
    """

    premise: str
    hypothesis: str
    label: str | None
    id: str | None
    group: str | None
    facets: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    passed_over: tuple[str, ...] = ()
    declined: bool = False
    guessed_id: bool = False
    evidence: str | None = None

    def __str__(self) -> str:
        named = [f"premise = {self.premise}", f"hypothesis = {self.hypothesis}", f"label = {self.label or NO_LABEL}"]
        named += [f"id = {self.id}"] if self.id else ["id = none (named by content)"]
        named += [f"group = {self.group}"] if self.group else []
        named += [f"evidence = {self.evidence}"] if self.evidence else []
        return ", ".join(named) + (f"; not used: {', '.join(self.others)}" if self.others else "")


class _Values(NamedTuple):
    """The values of a column in the sample: how often each occurs, and which of them are labels or codes."""

    counts: Counter[str]
    labels: int
    codes: int

    @property
    def total(self) -> int:
        return self.counts.total()

    @property
    def like_labels(self) -> bool:
        return len(self.counts) <= _MOST_VALUES and self.total > 0 and self.labels >= ALMOST * self.total

    @property
    def like_codes(self) -> bool:
        return 1 < len(self.counts) <= len(_CODES) and self.codes == self.total


# How the user names a column: ``premise=text`` in a spec, ``nliprobe.pairs(data, premise="text")`` in Python.
Ask = Callable[[str, str], str]


def choose_columns(
    sample: Sequence[Record], options: ColumnOptions, labels: LabelMap, *, source: str, place: str, ask: Ask
) -> Columns:
    """Return what the columns mean; where their names and values leave it open, the error asks the user.

    Args:
        sample: the first records; the names are those of the first one.
        options: the columns that the user named.
        labels: how labels are spelled.
        source: the name of the pairs, for messages.
        place: where the first record is, for messages.
        ask: says how the user names a column.
    """
    declared = (options.evidence.removeprefix(COLUMN), options.outside, options.program)
    evidence = [column(sample[0], [name], place) for name in declared if name]
    # A column that was declared as evidence or programs is not guessed to be something else.
    record = {name: value for name, value in sample[0].items() if name not in evidence}

    def chosen(named: str) -> str | None:
        return column(record, [named], place) if named else None

    facets = tuple(column(record, [name.strip()], place) for name in options.facets.split(";") if name.strip())
    id_, group = chosen(options.id), chosen(options.group)
    if options.sentences:
        premise = column(record, [options.sentences], place)
    elif options.tables:
        premise = column(record, [options.table] if options.table else TABLE_NAMES, place, "table")
    else:
        premise = chosen(options.premise) or only_column(
            record, PREMISE_NAMES, "premise", source=source, place=place, ask=ask
        )
    hypothesis = chosen(options.hypothesis) or only_column(
        record, HYPOTHESIS_NAMES, "hypothesis", source=source, place=place, ask=ask, other=premise
    )
    named = {premise, hypothesis, group, chosen(options.header), chosen(options.title), *facets}
    guessed_id = None if id_ else _distinct(sample, named)
    id_ = id_ or guessed_id
    taken = {*named, id_}
    free = [name for name in record if name and name not in taken]
    label: str | None = None
    passed_over: tuple[str, ...] = ()
    if options.label and (options.label != NO_LABEL or NO_LABEL in record):
        label = chosen(options.label)
    elif not options.label:
        label, passed_over = choose_label(sample, free, labels, source=source, ask=ask)
    others = tuple(name for name in free if name != label)
    declined = options.label == NO_LABEL and label is None
    return Columns(
        premise,
        hypothesis,
        label,
        id_,
        group,
        facets,
        others,
        passed_over,
        declined,
        bool(guessed_id),
        evidence[0] if options.evidence else None,
    )


def only_column(
    record: Mapping[str, object],
    names: Sequence[str],
    what: str,
    *,
    source: str,
    place: str,
    ask: Ask,
    other: str = "",
) -> str:
    """Return the only column with one of these names, but not ``other``; the first name decides alone."""
    matches = [name for name in _named(record, names) if name != other]
    if not matches and any(_is_label(name, LabelMap()) for name in record):
        raise DataError(
            f"{source}: the first line is a pair, not the names of the columns: {', '.join(record):.80}. Add a line "
            "such as premise,hypothesis,label above it."
        )
    if len(matches) > 1 and plain_name(matches[0]) != plain_name(names[0]):
        raise UsageError(
            f"{source} has several columns that could be the {what}: {', '.join(matches)}. "
            f"Say which: {_choices(matches, what, ask)}."
        )
    return matches[0] if matches else column(record, names, place, what)


def _distinct(sample: Sequence[Record], taken: Collection[str | None]) -> str | None:
    """Return the column with the clearest name of an id, if it names every record of the sample, and differently."""
    matches = [name for name in _named(sample[0], ID_NAMES) if name not in taken]
    if not matches:
        return None
    values = [_spelling(row.get(matches[0])) for row in sample]
    return matches[0] if all(values) and len(set(values)) == len(values) else None


def choose_label(
    sample: Sequence[Record], free: Sequence[str], labels: LabelMap, *, source: str, ask: Ask
) -> tuple[str | None, tuple[str, ...]]:
    """Return the column of the label, if there is one, and those that only have the name of one.

    Args:
        sample: the first records.
        free: the columns that mean nothing else.
        labels: how labels are spelled.
        source: the name of the pairs, for messages.
        ask: says how the user names a column.
    """
    matches = _named(dict.fromkeys(free), LABEL_NAMES)
    if len(matches) > 1 and len({tuple(_spelling(row.get(name)) for row in sample) for name in matches}) == 1:
        matches = matches[:1]
    seen = {name: _values(sample, name, labels) for name in free} if not matches else {}
    named = _named(dict.fromkeys(free), VALUED_NAMES)
    passed_over = tuple(name for name in named if seen and not (seen[name].like_labels or seen[name].like_codes))
    if not matches:
        matches = [name for name in named if name not in passed_over]
    if len(matches) > 1:
        raise UsageError(
            f"{source} has several columns that could be the label: {', '.join(matches)}. "
            f"Say which: {_choices(matches, 'label', ask)}."
        )
    if not matches:
        _refuse_likely(seen, len(sample), source, ask)
    return (matches[0] if matches else None), passed_over


def _refuse_likely(seen: Mapping[str, _Values], size: int, source: str, ask: Ask) -> None:
    """Ask about columns whose names say nothing, but whose values are those of a label."""
    # One value in a column says nothing, unless there are few pairs.
    spelled = [name for name, item in seen.items() if item.like_labels and (len(item.counts) > 1 or size < 5)]
    likely = spelled or [name for name, item in seen.items() if item.like_codes]
    if not likely:
        return
    shown = ", ".join(f"{value} {n:,}" for value, n in seen[likely[0]].counts.most_common(4))
    order = "" if spelled else ", with what its codes mean (labels=entailment,neutral,contradiction)"
    several = f" So could {', '.join(likely[1:])}." if likely[1:] else ""
    raise UsageError(
        f"No column of {source} has the name of a label, but '{likely[0]}' could be one ({shown}).{several} "
        f"Say so: {ask('label', likely[0])}{order}, or {ask('label', NO_LABEL)} if the pairs have no labels."
    )


def label_faults(error: DataError, values: Iterable[object], name: str, labels: LabelMap) -> str:
    """Return the message of the first label that cannot be read, with a count of all such labels in the column."""
    counts: Counter[str] = Counter()
    total = 0
    for value in values:
        total += 1
        try:
            labels.read(value)
        except DataError:
            counts[_spelling(value)] += 1
    if counts.total() == total and len(counts) <= _MOST_VALUES and all(value.lstrip("-").isdigit() for value in counts):
        shown = ", ".join(f"{value} ({n:,})" for value, n in sorted(counts.items()))
        return f"{error} Column '{name}' has the codes {shown}."
    if counts.total() < 2 or counts.total() == total:
        return str(error)
    shown = ", ".join(f"'{value:.40}' {n:,}" for value, n in counts.most_common(5))
    more = ", …" if len(counts) > 5 else ""
    return (
        f"{error} In all, {counts.total():,} of {total:,} values in column '{name}' are no labels: {shown}{more}. "
        "Correct them, or say what they mean with labels=code:label;…"
    )


def _values(sample: Sequence[Record], name: str, labels: LabelMap) -> _Values:
    counts = Counter(_spelling(record.get(name)) for record in sample)
    del counts[""]
    read = sum(n for value, n in counts.items() if len(value) < 40 and _is_label(value, labels))
    return _Values(counts, read, sum(n for value, n in counts.items() if value.removesuffix(".0") in _CODES))


def _is_label(value: str, labels: LabelMap) -> bool:
    try:
        return labels.read(value) is not None
    except DataError:
        return False


def _spelling(value: object) -> str:
    return "" if value is None else str(value).strip()


def _named(record: Mapping[str, object], names: Sequence[str]) -> list[str]:
    """Return the columns with one of these names, in the order of the names."""
    plain = {plain_name(name): name for name in record}
    return [plain[plain_name(name)] for name in names if plain_name(name) in plain]


def _choices(columns: Sequence[str], what: str, ask: Ask) -> str:
    return " or ".join(ask(what, name) for name in columns)
