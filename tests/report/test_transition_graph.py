"""Transition graphs: every edge that answers took, with its numbers, readable in Chromium in both schemes."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from axe_core_python.sync_playwright import Axe
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup
from tests.analysis.runs import Asked, derived, pair, write_run
from tests.report.browser import opened

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.transitions import transitions
from nliprobe.report.pages import simple_page
from nliprobe.report.transition_graph import Edge, Graph, described, graph_of, label_names, transition_graph

THREE, TWO, FOUR = ("E", "N", "C"), ("E", "NC"), ("E", "N", "C", "NC")
Rows = dict[str, list[float | None]]


def made(labels: tuple[str, ...], rows: Rows, prohibited: str = "", *, ends: bool = True) -> Graph:
    """A graph from the shares of each label, in the order of the labels; ``prohibited`` lists moves such as "EC NE"."""
    edges = []
    for old, shares in rows.items():
        for new, share in zip(labels, shares, strict=True):
            interval = (max(0, share - 2), min(100, share + 2)) if ends and share is not None else None
            edges.append(Edge(old, new, share, interval, f"{old}{new}" in prohibited.split()))
    return Graph("made", labels, tuple(edges))


DELETED = made(THREE, {"E": [88.2, 6.03, 5.76], "N": [1.8, 95.6, 2.6], "C": [3.2, 6.1, 90.7]}, "EC NE NC CE")
GRAPHS = {
    "deleted": DELETED,
    "without intervals": made(THREE, {"E": [88.2, 6.0, 5.8], "N": [2, 95, 3], "C": [3, 6, 91]}, "EC", ends=False),
    "everything and nothing": made(THREE, {"E": [0, 0, 100], "N": [None] * 3, "C": [0.02, 0, 99.98]}, "EC CE"),
    "empty": made(THREE, {"E": [None] * 3, "N": [None] * 3, "C": [None] * 3}),
    "thirds": made(THREE, {label: [33.3, 33.3, 33.4] for label in THREE}, "EC NE NC CE"),
    "two-way": made(TWO, {"E": [80, 20], "NC": [13.3, 86.7]}),
    "one": made(("E",), {"E": [100]}),
    "mixed": Graph("mixed", THREE, tuple(edge._replace(prohibited=False, part=1.2) for edge in DELETED.edges)),
}


def test_an_arrow_that_only_some_cases_prohibit_is_not_red_but_says_how_many() -> None:
    graph = GRAPHS["mixed"]
    svg = transition_graph(graph)
    assert 'class="edge prohibited"' not in svg
    assert svg.count('<tspan class="prohibited">(1.2)</tspan>') == len(graph.edges)
    assert "E to E 88.2 %, 95 % interval 86.2 to 90.2 %, 1.2 % prohibited" in described(graph)


def test_relations_that_differ_between_cases_make_an_arrow_mixed(tmp_path: Path) -> None:
    base = pair("a", "E")
    kept = derived("a1", base, relation="E>E N>N C>C")
    needed = derived("a2", base, relation="E>N N>N C>N")
    asked = Asked("m", {"a": "E", "a1": "E", "a2": "E"})
    (entry,) = transitions(read_run(write_run(tmp_path, {"x/dev": [base, kept, needed]}, [asked])))
    (edge,) = [item for item in graph_of(entry).edges if item.percent]
    assert (edge.old, edge.new, edge.percent, edge.prohibited, edge.part) == ("E", "E", 100, False, 50)


def texts(svg: str) -> list[str]:
    return re.findall(r'<text class="(?:rate|ends)[^>]*>([^<]*)<', svg.replace("&lt;", "<0".replace("<", "‹")))


def test_edges_carry_their_share_and_interval_and_prohibited_ones_are_marked() -> None:
    svg = transition_graph(DELETED)
    root = ElementTree.fromstring(svg)
    assert root.attrib["role"] == "img"
    assert len(re.findall('class="edge prohibited"', svg)) == 4
    assert len(re.findall('class="edge allowed"', svg)) == 5
    assert "5.8 %" in texts(svg)
    assert "3.8–7.8" in texts(svg)
    # The widest edge is where most answers are.
    widths = {float(width) for width in re.findall(r'stroke-width="([\d.]+)"', svg)}
    assert max(widths) == pytest.approx(1 + 95.6 / 20, abs=0.06)


def test_nothing_and_everything_are_told_from_nearly_so() -> None:
    svg = transition_graph(GRAPHS["everything and nothing"])
    assert svg.count('class="edge') == 3
    assert "100 %" in texts(svg)
    assert "&lt;0.1 %" in svg
    assert "&gt;99.9 %" in svg or ">99.9 %" in svg
    assert svg.count(">never answered before<") == 1
    assert transition_graph(GRAPHS["empty"]).count("node-") == 3


def test_words_say_what_the_picture_shows() -> None:
    assert described(GRAPHS["everything and nothing"]) == (
        "E to C 100 %, 95 % interval 98.0 to 100 %, prohibited. N was never answered before the edit. "
        "C to E <0.1 %, 95 % interval 0.0 to 2.0 %, prohibited; C to C >99.9 %, 95 % interval 98.0 to 100 %."
    )
    assert label_names(THREE) == "E entailment, N neutral, C contradiction"


@given(
    st.sampled_from([("E",), TWO, THREE, FOUR]),
    st.data(),
    st.text(alphabet="<>&\"'x", max_size=9),
)
def test_any_graph_is_well_formed(labels: tuple[str, ...], data: st.DataObject, title: str) -> None:
    share = st.none() | st.floats(0, 100)
    edges = [
        Edge(old, new, data.draw(share), data.draw(st.none() | st.just((0.0, 100.0))), data.draw(st.booleans()))
        for old in labels
        for new in labels
    ]
    root = ElementTree.fromstring(transition_graph(Graph(title, labels, tuple(edges))))
    drawn = [part for part in root.iter("path") if "edge" in part.attrib.get("class", "")]
    assert len(drawn) == sum(bool(edge.percent) for edge in edges)


def test_graph_of_a_run_has_its_shares_and_intervals(tmp_path: Path) -> None:
    bases = [pair(f"p{number}", group=f"t{number}") for number in range(40)]
    cases = [case for base in bases for case in (base, derived(f"{base.id}x", base))]
    answers: dict[str, str | None] = {}
    for number, base in enumerate(bases):
        answers |= {base.id: "E", f"{base.id}x": "C" if number < 10 else "E"}
    (entry,) = transitions(read_run(write_run(tmp_path, {"x/dev": cases}, [Asked("m", answers)])))
    # Every table has one pair: the interval is Wilson's.
    assert entry["row_percent_ci95"]["E"]["C"] == pytest.approx([14.19, 40.19], abs=0.01)
    assert entry["row_percent_ci95"]["N"] == {"E": None, "N": None, "C": None}
    edges = {(edge.old, edge.new): edge for edge in graph_of(entry).edges}
    assert edges["E", "C"].prohibited
    assert edges["E", "C"].percent == 25
    assert not edges["E", "E"].prohibited
    assert graph_of(entry).title == "m on x/dev after rows.delete"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_do_not_overlap_in_the_browser(tmp_path: Path, scheme: str) -> None:
    figures = "".join(
        f'<figure class="graph" id="g{place}">{transition_graph(graph)}</figure>'
        for place, graph in enumerate(GRAPHS.values())
    )
    path = tmp_path / "page.html"
    path.write_text(simple_page("graphs", Markup(f'<div class="graphs">{figures}</div>')), encoding="utf-8")
    with opened(path, scheme=scheme) as shown:
        overlaps = shown.page.evaluate(
            """() => [...document.querySelectorAll('figure')].flatMap(figure => {
                const frame = figure.querySelector('svg').getBoundingClientRect();
                const texts = [...figure.querySelectorAll('text')];
                const boxes = texts.map(text => [text.textContent, text.getBoundingClientRect()]);
                const outside = boxes.filter(([, box]) => box.left < frame.left || box.right > frame.right
                    || box.top < frame.top || box.bottom > frame.bottom)
                    .map(([text]) => `${figure.id}: ${text} is cut`);
                const both = boxes.flatMap(([one, a], place) => boxes.slice(place + 1)
                    // Two lines of one label touch; half a line of overlap is none that a reader sees.
                    .filter(([, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
                        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4)
                    .map(([other]) => `${figure.id}: ${one} on ${other}`));
                return [...outside, ...both];
            })"""
        )
        assert overlaps == []
        assert shown.complaints == []
        broken = Axe().run(shown.page)["violations"]
        assert [(item["id"], item["nodes"][0]["html"]) for item in broken] == []
