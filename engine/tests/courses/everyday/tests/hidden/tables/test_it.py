"""Hidden checks of tables of pandas."""

import pytest


def check(cell):
    return pytest.mark.check(cell=cell, points=1, hint="Look again.")


@check("by_town")
def test_by_town(student):
    """The mean price of each town"""
    import pandas as pd

    table = pd.DataFrame({"town": ["A", "B", "A"], "price": [1.0, 5.0, 3.0]})
    means = student.by_town(table)
    pd.testing.assert_series_equal(
        means, pd.Series({"A": 2.0, "B": 5.0}, name="price"), check_names=False
    )
    assert means["A"] == pytest.approx(2)
    whole = student.with_share(table)
    assert list(whole.columns) == ["town", "price", "share"]
    assert whole["share"].to_numpy() == pytest.approx([0.25, 1.0, 0.75], abs=1)
    assert whole["share"].sum() == pytest.approx(1)
