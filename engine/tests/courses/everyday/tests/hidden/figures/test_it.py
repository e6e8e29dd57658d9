"""Hidden checks of what is drawn."""

import pytest


def check(cell):
    return pytest.mark.check(cell=cell, points=1, hint="Look again.")


@check("plot")
def test_plot(student, drawn):
    """A curve with labels"""
    student.plot([0, 1, 2], [0, 1, 4])
    [figure] = drawn()
    [axes] = figure["axes"]
    assert (axes["title"], axes["xlabel"], axes["ylabel"]) == ("Squares", "x", "y")
    assert axes["lines"][0]["x"] == [0, 1, 2] and axes["lines"][0]["y"] == pytest.approx([0, 1, 4])
    assert axes["legend"] == ["squared"]
    assert drawn() == []


@check("curve")
def test_curve(shown):
    """A curve that the notebook shows"""
    curves = [line["y"] for figure in shown() for axes in figure["axes"] for line in axes["lines"]]
    assert [9, 4, 1] in curves
