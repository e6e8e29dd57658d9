#!/usr/bin/env bash
# Grade the submission in BASE with PYTHON: run_autograder [BASE [PYTHON]].
# Whatever happens, BASE/results/results.json says what came of it.
base=${1:-/autograder}
python=${2:-/opt/referee/bin/python}
mkdir -p "$base/results"
cp "$base/source/unfinished.json" "$base/results/results.json"
PYTHONPATH=$base/source "$python" -B -P -m referee.gradescope "$base" 2>&1
exit 0
