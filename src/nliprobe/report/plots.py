"""A dot plot per corpus, as several sections of the page have it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from nliprobe.analysis.rates import Ends
from nliprobe.report.svg import Dot, dot_plot

Entry = TypeVar("Entry", bound=Mapping[str, object])
# What a dot is called beside its system, its share, and the interval.
Estimate = tuple[str, float | None, Ends]


def share_plots(dots: Mapping[str, Sequence[Dot]]) -> list[dict[str, object]]:
    """Draw shares from 0 to 100 %, one plot per title."""
    from markupsafe import Markup

    return [
        {"corpus": title, "svg": Markup(dot_plot(own, low=0.0, high=1.0, unit="percent"))}
        for title, own in dots.items()
    ]


def corpus_dots(
    entries: Sequence[Entry],
    estimates: Callable[[Entry], Iterable[Estimate]],
    controls: Collection[str],
    *others: Dot,
) -> dict[str, list[Dot]]:
    """Make the dots of each corpus: the estimates of its entries, then some that every corpus has.

    Args:
        entries: documents with a ``system`` and a ``corpus``.
        estimates: gives the estimates of an entry; those without a value are left out.
        controls: the names of the systems that cannot use their premise.
        others: further dots, such as that of a constant answer.
    """
    dots: dict[str, list[Dot]] = {}
    for entry in entries:
        system = str(entry["system"])
        own = dots.setdefault(str(entry["corpus"]), [])
        for name, value, ends in estimates(entry):
            if value is not None:
                low, high = ends or [value, value]
                own.append(Dot(f"{system}, {name}", value, low, high, system in controls))
    return {corpus: [*own, *others] for corpus, own in dots.items()}
