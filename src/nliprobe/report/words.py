"""How numbers and labels are written for people, the same in every report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from nliprobe.analysis.cases import is_swap
from nliprobe.analysis.constant import ConstantAnswer
from nliprobe.analysis.documents import FamilyScore, Numbers, SystemHead
from nliprobe.analysis.stress import is_stress_test
from nliprobe.analysis.two_way_documents import ControlValue
from nliprobe.task.labels import NAMES

# Shown in place of a missing value.
NOTHING = "–"
PREMISES = {"none": "sees no premise", "dummy": "sees a dummy premise", "swapped": "sees another pair's premise"}
# Longer texts are cut: a page is for reading, and one cell of a hostile corpus may hold a megabyte.
LONGEST = 1200
# A hyphen before a digit, at the beginning or after a blank or an opening bracket.
_NEGATIVE = re.compile(r"(?:(?<=[\s(\[])|^)-(?=\d)")
LEGEND = "  ".join(f"{letter} {name}" for letter, name in NAMES.items())


def has_own_section(probe: str) -> bool:
    """Tell whether the accuracy after a probe is shown in a section of its own: swap and the stress tests."""
    return is_swap(probe) or is_stress_test(probe)


def blind(systems: Iterable[SystemHead]) -> list[str]:
    """Return the names of the systems that cannot use their premise: they do not see it, or always answer the same."""
    return [item["name"] for item in systems if control_words(item)]


def control_words(system: SystemHead) -> str:
    """Say why a system cannot use its premise; empty if it can."""
    if system["constant"]:
        return f"always answers {system['constant']}"
    return PREMISES.get(system["premise"] or "", "")


def percent(share: float | None) -> str:
    """Write a share in percent with one decimal."""
    return NOTHING if share is None else f"{100 * share:.1f}"


def signed(share: float | None) -> str:
    """Write a difference of shares in points with its sign, a real minus if it is below 0.

    >>> signed(0.027), signed(-0.06), signed(-0.0001)
    ('+2.7', '−6.0', '+0.0')
    """
    return NOTHING if share is None else minus(f"{round(100 * share, 1) + 0.0:+.1f}")


def minus(text: object) -> str:
    """Give negative numbers in a text of ours a real minus sign, as print has it; words with hyphens stay.

    >>> minus("-6.0 points, -9.1 to -2.9, in svm-2 (-1)")
    '−6.0 points, −9.1 to −2.9, in svm-2 (−1)'
    """
    return _NEGATIVE.sub("−", str(text))


def around(share: float | None, ends: Sequence[float] | None, *, sign: bool = False) -> str:
    """Write a share in percent with its interval: ``59.1 ±2.3``, or ``0.0 [0.0, 39.0]`` where one end is farther.

    >>> around(0.591, [0.568, 0.614]), around(0.0, [0.0, 0.39]), around(0.0, None)
    ('59.1 ±2.3', '0.0 [0.0, 39.0]', '0.0')
    """
    if share is None:
        return NOTHING
    value = f"{100 * share:+.1f}" if sign else percent(share)
    if ends is None:
        return value
    below, above = round(1000 * (share - ends[0])), round(1000 * (ends[1] - share))
    # The last digit may be off by one, as in any rounded number.
    if abs(below - above) <= 1:
        return f"{value} ±{max(below, above) / 10:.1f}"
    low, high = (f"{100 * end:+.1f}" if sign else percent(end) for end in ends)
    return f"{value} [{low}, {high}]"


def rival_words(value: ControlValue | None) -> str:
    """Write what the best control gets, and which one it is."""
    return NOTHING if value is None else f"{percent(value['value'])} ({value['system']})"


def constant_words(constant: ConstantAnswer | None) -> str:
    """Write the best constant answer and what it would get: ``E 34.5``."""
    return NOTHING if constant is None else f"{constant['label']} {percent(constant['accuracy'])}"


def chance_lines(entries: Iterable[Numbers]) -> list[str]:
    """Say what guessing among the labels gets that the entries tell apart."""
    partitions = dict.fromkeys(entry["partition"] for entry in entries)
    return [f"guessing among {text.replace('|', ', ')} gets {percent(1 / len(text.split('|')))}" for text in partitions]


def weighs_alike(entry: Numbers) -> bool:
    """Tell whether the accuracy with labels weighted alike differs from the plain one, so that it must be shown."""
    return entry["balanced"] is not None and percent(entry["balanced"]) != percent(entry["accuracy"])


def label_shares(entry: Numbers) -> str:
    """Write how the gold labels are distributed: ``E 50 N 30 C 20 %``."""
    total = sum(score["support"] for score in entry["labels"].values())
    shares = (f"{label} {100 * score['support'] / total:.0f}" for label, score in entry["labels"].items() if total)
    return " ".join([*shares, "%"]) if total else NOTHING


def probability(value: float | None) -> str:
    """Write a p-value."""
    if value is None:
        return NOTHING
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def between(ends: Sequence[float] | None, *, sign: bool = False) -> str:
    """Write an interval in percent: ``12.0 to 15.5``."""
    if ends is None:
        return NOTHING
    low, high = (f"{100 * end:+.1f}" if sign else percent(end) for end in ends)
    return f"{low} to {high}"


def group_remarks(sizes: Iterable[tuple[str, int, int]]) -> list[str]:
    """Say which corpora have so few groups that their intervals rest on little, and which have too few for any.

    Args:
        sizes: corpora with a number of cases and of the groups that these share.
    """
    from nliprobe.stats.grouped import LEAST_GROUPS, few_groups

    fewest: dict[str, int] = {}
    for corpus, n, groups in sizes:
        if n and few_groups(groups, n):
            fewest[corpus] = min(groups, fewest.get(corpus, groups))
    some = [f"{corpus} has {groups}" for corpus, groups in fewest.items() if groups >= LEAST_GROUPS]
    none = [f"{corpus} has {groups}" for corpus, groups in fewest.items() if groups < LEAST_GROUPS]
    lines = [f"few groups (cases that share a table, a text or a template): {', '.join(some)}"] if some else []
    if none:
        lines.append(f"no interval: cases must come from {LEAST_GROUPS} groups or more, and {', '.join(none)}")
    return lines


def sentences(lines: Iterable[str]) -> list[str]:
    """Write remarks as sentences of a page."""
    return [f"{line[0].upper()}{line[1:]}." for line in lines]


def shortened(text: str, longest: int) -> str:
    """Cut a text that has more than ``longest`` characters, and mark the cut."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def shortened_middle(text: str, longest: int) -> str:
    """Cut the middle out of a text that has more than ``longest`` characters: names often differ at their ends.

    >>> shortened_middle("svm?represent=para&premise=none", 15)
    'svm?rep…se=none'
    """
    if len(text) <= longest:
        return text
    end = (longest - 1) // 2
    return f"{text[: longest - 1 - end]}…{text[-end:]}"


def cut(text: str) -> str:
    """Cut a text that is too long to be read on a page, and say how long it is."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text):,} characters)"


def family_cell(entry: FamilyScore) -> str:
    """Write a mean over seeds: ``65.4 ±0.8, gain +1.2``."""
    spread = "" if entry["sd"] is None else f" ±{100 * entry['sd']:.1f}"
    gain = "" if entry["gain"] is None else f", gain {100 * entry['gain']:+.1f}"
    return f"{percent(entry['accuracy'])}{spread}{gain}"


def plural(n: int, noun: str) -> str:
    """Write a count with its noun: ``1 pair``, ``1,800 pairs``."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def not_reached(unchanged: int, reached: int, *, control: bool) -> str:
    """Say how many cases a system reads exactly like their base; empty if all of them reach it.

    Args:
        unchanged: how many cases do not reach the system.
        reached: how many do.
        control: whether the system does not see its premise.
    """
    if not unchanged:
        return ""
    if not reached:
        return "unchanged by construction" if control else "no case reaches the model"
    share = 100 * unchanged / (unchanged + reached)
    return f"{unchanged:,} cases ({share:.0f} %) do not reach the model"


def skipped_line(probe: str, reason: str, n: int, corpus: str) -> str:
    """Write one line about pairs that a probe could not be applied to."""
    return f"{probe} does not apply to {plural(n, 'pair')} of {corpus}: {reason}"


def note_lines(notes: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the notes on systems as lines that begin with the systems' names; what several say is said once."""
    saying: dict[str, list[str]] = {}
    for name, lines in notes.items():
        for line in lines:
            saying.setdefault(line, []).append(name)
    return [f"{' and '.join(names)}: {line}" for line, names in saying.items()]
