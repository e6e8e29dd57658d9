"""Tools of hidden checks: positions, trees, expectations and fixtures, a file for each subject."""
