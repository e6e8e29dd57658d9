def test_other(student):
    assert student.one == 1
