"""Read Python source, of the course or of students. Runs nothing."""

import ast
import warnings


def parse(source: str | bytes, file: str = "<unknown>") -> ast.Module:
    r"""Return the tree of a source; raises what `ast.parse` does.

    What Python only warns of, such as "\d", is read all the same, whatever the environment says.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source, file)
