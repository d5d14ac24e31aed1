"""Transition graphs: every edge that answers took, with its numbers, readable in Chromium in both schemes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup
from tests.analysis.runs import Asked, derived, pair, write_run
from tests.report.browser import serious, tab

from nliprobe.analysis.cases import read_run
from nliprobe.analysis.transitions import transitions
from nliprobe.report.pages import simple_page
from nliprobe.report.transition_graph import Edge, Graph, described, graph_of, label_names, transition_graph

if TYPE_CHECKING:
    from playwright.sync_api import Browser


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
SHAPES = {
    "deleted": DELETED,
    "without intervals": made(THREE, {"E": [88.2, 6.0, 5.8], "N": [2, 95, 3], "C": [3, 6, 91]}, "EC", ends=False),
    "everything and nothing": made(THREE, {"E": [0, 0, 100], "N": [None] * 3, "C": [0.02, 0, 99.98]}, "EC CE"),
    "empty": made(THREE, {"E": [None] * 3, "N": [None] * 3, "C": [None] * 3}),
    "thirds": made(THREE, {label: [33.3, 33.3, 33.4] for label in THREE}, "EC NE NC CE"),
    "two-way": made(TWO, {"E": [80, 20], "NC": [13.3, 86.7]}),
    "two-way, all move": made(TWO, {"E": [0, 100], "NC": [99.99, 0.01]}, "ENC NCE"),
    "two-way, one never": made(TWO, {"E": [99.99, 0.01], "NC": [None] * 2}, "ENC"),
    "one": made(("E",), {"E": [100]}),
    "mixed": Graph("mixed", THREE, tuple(edge._replace(prohibited=False, part=1.2) for edge in DELETED.edges)),
    # As wide as labels get: nearly all, intervals of three digits, crosses, and parts on top.
    "widest": Graph(
        "widest",
        THREE,
        tuple(Edge(old, new, 99.96, (88.8, 100), old != new, 88.88) for old in THREE for new in THREE),
    ),
}
GRAPHS = {name: graph._replace(title=name) for name, graph in SHAPES.items()}


def test_an_arrow_that_only_some_cases_prohibit_is_not_red_but_says_how_many() -> None:
    graph = GRAPHS["mixed"]
    svg = transition_graph(graph)
    assert 'class="edge prohibited"' not in svg
    assert texts(svg).count("✗ 1.2 %") == len(graph.edges)
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
    return re.findall(r'<text class="(?:share|span|part)[^>]*>([^<]*)<', svg.replace("&lt;", "<0".replace("<", "‹")))


def test_edges_carry_their_share_and_interval_and_prohibited_ones_are_marked() -> None:
    svg = transition_graph(DELETED)
    root = ElementTree.fromstring(svg)
    assert root.attrib["role"] == "img"
    assert len(re.findall('class="edge prohibited"', svg)) == 4
    assert len(re.findall('class="edge allowed"', svg)) == 5
    assert "✗ 5.8 %" in texts(svg)
    assert "6.0 %" in texts(svg)
    # A cross before each prohibited share: nobody needs the colour.
    assert sum(text.startswith("✗ ") for text in texts(svg)) == 4
    assert "3.8–7.8" in texts(svg)
    # The widest edge is where most answers are.
    widths = {float(width) for width in re.findall(r'stroke-width="([\d.]+)"', svg)}
    assert max(widths) == pytest.approx(1 + 95.6 / 20, abs=0.06)


def test_nothing_and_everything_are_told_from_nearly_so() -> None:
    svg = transition_graph(GRAPHS["everything and nothing"])
    assert svg.count('class="edge') == 3
    assert "✗ 100 %" in texts(svg)
    assert "&lt;0.1 %" in svg
    assert "&gt;99.9 %" in svg or ">99.9 %" in svg
    assert svg.count(">never<") == svg.count(">answered<") == 1
    assert transition_graph(GRAPHS["empty"]).count(">never<") == 3


def test_more_labels_than_arrows_have_room_for_are_not_drawn() -> None:
    assert transition_graph(made(FOUR, {label: [25] * 4 for label in FOUR})) == ""


def test_words_say_what_the_picture_shows() -> None:
    assert described(GRAPHS["everything and nothing"]) == (
        "E to C 100 %, 95 % interval 98.0 to 100 %, prohibited. N was never answered before the edit. "
        "C to E <0.1 %, 95 % interval 0.0 to 2.0 %, prohibited; C to C >99.9 %, 95 % interval 98.0 to 100 %."
    )
    assert label_names(THREE) == "E entailment, N neutral, C contradiction"


@given(
    st.sampled_from([("E",), TWO, THREE]),
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
    # Nobody moved from N to C, and less evidence could not justify it; from N to N it could.
    assert (edges["N", "C"].percent, edges["N", "C"].prohibited, edges["N", "N"].prohibited) == (None, True, False)
    assert graph_of(entry).title == "m on x/dev after rows.delete"


# Whatever of a graph is drawn, seen by the browser: labels, and everything that a label must not touch. Arrows are
# taken as points along their path with half their stroke or head around them.
SEEN = """() => [...document.querySelectorAll('svg.transitions')].flatMap(svg => {
    const name = svg.querySelector('title').textContent;
    const frame = svg.getBoundingClientRect();
    const boxes = [...svg.querySelectorAll('text:not(.letter)')].map(text => [text, text.getBoundingClientRect()]);
    const found = [];
    const say = (text, what) => found.push(`${name}: ${text.textContent} ${what}`);
    const scale = frame.width / svg.viewBox.baseVal.width;
    const matrix = svg.getScreenCTM();
    const arrows = [...svg.querySelectorAll('path.edge')].map(path => {
        const length = path.getTotalLength();
        const half = scale * Math.max(parseFloat(path.getAttribute('stroke-width')) / 2, 1);
        const points = Array.from({length: 101}, (_, step) => path.getPointAtLength(length * step / 100)
            .matrixTransform(matrix)).map(point => [point.x, point.y, half]);
        const tip = points[100];
        return [...points, [tip[0], tip[1], 4.5 * scale]];
    });
    const nodes = [...svg.querySelectorAll('circle')].map(node => {
        const box = node.getBoundingClientRect();
        return [(box.left + box.right) / 2, (box.top + box.bottom) / 2, box.width / 2];
    });
    const near = (box, [x, y, radius]) =>
        Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom)) < radius;
    boxes.forEach(([text, box], place) => {
        if (box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom)
            say(text, 'is cut');
        if (arrows.some(points => points.some(point => near(box, point)))) say(text, 'is on an arrow');
        if (nodes.some(node => near(box, node))) say(text, 'is on a node');
        boxes.slice(place + 1).forEach(([other, second]) => {
            const wide = Math.min(box.right, second.right) - Math.max(box.left, second.left);
            const high = Math.min(box.bottom, second.bottom) - Math.max(box.top, second.top);
            // The lines of one label touch: the boxes of letters have room above and below.
            const lines = Math.abs(box.top - second.top) < 20 * scale && text.nextSibling === other;
            if (wide > 0 && high > (lines ? 4 * scale : 0)) say(text, `is on ${other.textContent}`);
        });
    });
    return found;
})"""


def test_labels_touch_no_arrow_node_or_other_label_in_the_browser(browser: Browser, tmp_path: Path) -> None:
    figures = "".join(f'<figure class="moved">{transition_graph(graph)}</figure>' for graph in GRAPHS.values())
    path = tmp_path / "page.html"
    path.write_text(simple_page("graphs", Markup(figures)), encoding="utf-8")
    with tab(browser, path, width=1200) as shown:
        for width in (1200, 320):
            shown.page.set_viewport_size({"width": width, "height": 900})
            assert shown.page.evaluate(SEEN) == []
        assert shown.page.locator("svg.transitions").count() == len(GRAPHS)
        assert shown.complaints == []
        for scheme in ("light", "dark"):
            shown.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            assert serious(shown.page) == []
