"""The learning curve of a training."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.report.curve import learning_curve, spark_line

SVG = "{http://www.w3.org/2000/svg}"
accuracies = st.floats(0, 1)
losses = st.floats(0, 50)


def test_the_best_epoch_is_marked() -> None:
    drawn = ElementTree.fromstring(learning_curve([0.5, 0.7, 0.6], [1.0, 0.8, 0.5], 0.34))
    title = drawn.findtext(f"{SVG}title")
    assert title is not None
    assert "50.0, 70.0, 60.0 percent; best in epoch 2, a constant answer 34.0" in title
    assert "the training loss went from 1.000 to 0.500." in title
    assert drawn.get("aria-label") == title
    marked = [node.text for node in drawn.iter(f"{SVG}text") if node.get("class") == "best"]
    assert marked == ["70.0", "0.800"], "the accuracy and the loss of that epoch"
    heights = [float(str(node.get("cy"))) for node in drawn.iter(f"{SVG}circle") if node.get("class") == "best"]
    curve = next(drawn.iter(f"{SVG}polyline"))
    assert heights[0] == min(float(point.split(",")[1]) for point in str(curve.get("points")).split())
    style = drawn.findtext(f"{SVG}style")
    assert style is not None
    assert "prefers-color-scheme: dark" in style


@given(st.lists(st.tuples(accuracies, losses), min_size=1, max_size=70), st.none() | accuracies)
def test_any_curve_stays_inside_its_picture(epochs: list[tuple[float, float]], constant: float | None) -> None:
    text = learning_curve([one for one, _ in epochs], [two for _, two in epochs], constant)
    drawn = ElementTree.fromstring(text)
    _, _, width, height = map(float, str(drawn.get("viewBox")).split())
    for node in drawn.iter():
        for name, most in (("x", width), ("x1", width), ("x2", width), ("cx", width)):
            assert 0 <= float(node.get(name, 0)) <= most
        for name in ("y", "y1", "y2", "cy"):
            assert 0 <= float(node.get(name, 0)) <= height
    for line in drawn.iter(f"{SVG}polyline"):
        points = [tuple(map(float, point.split(","))) for point in str(line.get("points")).split()]
        assert len(points) == len(epochs)
        assert all(0 <= x <= width and 0 <= y <= height for x, y in points)
    assert not re.search(r"\b(?:nan|inf)\b", text)


@pytest.mark.parametrize(("values", "line"), [([], ""), ([0.4], "█"), ([0.4, 0.4], "██"), ([0.0, 1.0, 0.5], "▁█▅")])
def test_spark_line(values: list[float], line: str) -> None:
    assert spark_line(values) == line
