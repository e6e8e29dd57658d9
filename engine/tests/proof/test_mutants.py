"""Ask whether every small mistake in a reference is made, and told when no check sees it."""

from nim_course import ASSIGNMENT

from referee.intake.mutants import changed
from referee.intake.mutants import mutants as made_of
from referee.proof import mutants

SMALL = '''
class Small:
    def best(self, a, n: int = 3):
        """Return X or O."""
        if not a and n >= 2:
            return -infinity
        return self.max_value(a, max(n + 1, 0))

def split(text):
    return text.split("-") if text * 2 else False
'''
OF_SMALL = """
best:0:3->4
best:1:if->pass
best:1:condition->True
best:1:condition->False
best:1:and->or
best:1:not x->x
best:1:GtE->Gt
best:1:GtE->LtE
best:1:2->3
best:2:return->pass
best:2:return None
best:2:-infinity->infinity
best:3:return None
best:3:max_value->min_value
best:3:a<->max(n + 1, 0)
best:3:max->min
best:3:n + 1->n
best:3:0->1
best:3:Add->Sub
best:3:1->2
split:1:return None
split:1:False->True
split:1:condition->True
split:1:condition->False
split:1:Mult->Add
split:1:2->3
split:1:-->X
"""


def test_the_mutants_of_a_small_class_are_known():
    """Is there one for each operator and place, and none of a docstring?"""
    made = {mutant.name: mutant for mutant in made_of(SMALL, "Small")}
    assert sorted(made) == sorted(f"Small:{line}" for line in OF_SMALL.split("\n") if line)
    assert changed(SMALL, made["Small:best:3:a<->max(n + 1, 0)"]) == [
        "-        return self.max_value(a, max(n + 1, 0))",
        "+        return self.max_value(max(n + 1, 0), a)",
    ]
    assert changed(SMALL, made["Small:best:2:return->pass"]) == [
        "-            return -infinity",
        "+            pass",
    ]


def test_every_mutant_has_one_change_and_a_name_of_its_own():
    """Is each of them Python, other than the reference and than all others, and made again?"""
    reference = mutants.solutions(ASSIGNMENT)
    made, again = (list(mutants.of_reference(ASSIGNMENT)) for _ in range(2))
    assert made == again
    assert {mutant.cell for mutant in made} >= {"Nim", "MiniMax", "AlphaBeta"}
    assert len({mutant.name for mutant in made}) == len({mutant.source for mutant in made})
    assert len({mutant.name for mutant in made}) == len(made)
    for mutant in made:
        compile(mutant.source, mutant.name, "exec")
        assert any(line[0] == "-" for line in changed(reference[mutant.cell], mutant))
