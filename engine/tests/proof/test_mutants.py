"""Ask whether every small mistake in a reference is made, and told when no check sees it."""

from nim_course import ASSIGNMENT

from referee.proof import mutants


def test_every_mutant_has_one_change_and_a_name_of_its_own():
    """Is each of them Python, other than the reference and than all others, and made again?"""
    made, again = (list(mutants.of_reference(ASSIGNMENT)) for _ in range(2))
    assert made == again
    assert {mutant.cell for mutant in made} >= {"Nim", "MiniMax", "AlphaBeta"}
    assert len({mutant.name for mutant in made}) == len({mutant.source for mutant in made})
    assert len({mutant.name for mutant in made}) == len(made)
    for mutant in made:
        compile(mutant.source, mutant.name, "exec")
        assert any(line[0] == "-" for line in mutant.lines)
