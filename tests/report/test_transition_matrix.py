"""Transition matrices: every share and interval as a table, and small ones that say what stays and what must not be."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st
from tests.report.test_transition_graph import FOUR, GRAPHS, THREE, made

from nliprobe.report.transition_graph import Edge, Graph
from nliprobe.report.transition_matrix import small_matrix, transition_matrix


def cells(table: str) -> list[list[str]]:
    """The texts of a table, row by row, with a space between the parts of a cell."""
    root = ElementTree.fromstring(table.replace("<br>", " "))
    return [[" ".join(" ".join(cell.itertext()).split()) for cell in row] for row in root.iter("tr")]


def test_a_table_has_the_answers_before_at_the_left_and_those_after_above() -> None:
    assert cells(transition_matrix(GRAPHS["deleted"], {"E": 1200, "N": 9, "C": 30})) == [
        ["before ↓ after →", "E", "N", "C"],
        ["E n 1,200", "88.2 86.2–90.2", "6.0 4.0–8.0", "5.8 3.8–7.8 ✗ prohibited"],
        ["N n 9", "1.8 0.0–3.8 ✗ prohibited", "95.6 93.6–97.6", "2.6 0.6–4.6 ✗ prohibited"],
        ["C n 30", "3.2 1.2–5.2 ✗ prohibited", "6.1 4.1–8.1", "90.7 88.7–92.7"],
    ]


def test_what_is_prohibited_says_so_although_nobody_did_it_and_is_calm() -> None:
    table = transition_matrix(GRAPHS["everything and nothing"])
    assert cells(table)[2] == ["N", "never answered before"]
    graph = made(THREE, {"E": [100, 0, 0], "N": [0, 100, 0], "C": [0, 0, 100]}, "EC")
    assert cells(transition_matrix(graph))[1][3] == "0.0 0.0–2.0 ✗ prohibited"
    assert 'class="prohibited step0"' in transition_matrix(graph)
    assert "✗" not in small_matrix(graph)  # nobody did it


def test_a_cell_that_some_relations_prohibit_says_how_much_of_it() -> None:
    table = transition_matrix(GRAPHS["mixed"])
    assert cells(table)[1][2] == "6.0 4.0–8.0 ✗ 1.2 prohibited"
    assert 'class="prohibited' not in table


def test_a_small_matrix_is_whole_numbers_with_crosses_and_hidden_from_screen_readers() -> None:
    svg = small_matrix(GRAPHS["deleted"])
    root = ElementTree.fromstring(svg)
    assert root.attrib["aria-hidden"] == "true"
    texts = [part.text for part in root.iter("text")]
    assert texts == [*"EENNCC", "88", "6", "✗6", "✗2", "96", "✗3", "✗3", "6", "91"]
    assert len(re.findall('class="stays', svg)) == 3
    assert len(re.findall('class="prohibited step', svg)) == 4


def test_a_stay_that_is_prohibited_is_not_calm() -> None:
    graph = Graph("needed", ("E", "N"), (Edge("E", "E", 40, None, True), Edge("E", "N", 60)))
    assert 'class="prohibited step4"' in transition_matrix(graph)
    assert "stays" not in transition_matrix(graph)


@given(
    st.sampled_from([("E",), ("E", "NC"), THREE, FOUR]),
    st.lists(st.none() | st.floats(0, 100), min_size=16, max_size=16),
    st.text(alphabet="<>&\"'x", max_size=9),
)
def test_any_graph_makes_well_formed_tables(labels: tuple[str, ...], shares: list[float | None], title: str) -> None:
    edges = [Edge(old, new, shares.pop()) for old in labels for new in labels]
    graph = Graph(title, labels, tuple(edges))
    assert len(cells(transition_matrix(graph))) == len(labels) + 1
    root = ElementTree.fromstring(small_matrix(graph))
    assert len(list(root.iter("rect"))) == len(labels) ** 2
