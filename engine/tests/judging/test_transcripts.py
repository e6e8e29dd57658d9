"""Ask whether a changed check talks to what was said before, and to the code where it must.

A tiny course is judged, then its checks are edited in many ways, and each edition is judged twice:
with what was kept, and afresh. All of it happens in one process of its own, because pytest, which
runs these tests, rewrites the assertions of whatever is imported next to it.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]

CELL = """\
def double(n):
    return 2 * n


def noisy(n):
    print("told", n)
    return abs(n)


def searching(game):
    states, found = [game.initial], 0
    while states:
        state = states.pop()
        if game.terminal_test(state):
            found += game.utility(state, "MAX")
        else:
            states += [game.result(state, move) for move in game.actions(state)]
    return found


def asking_back(ask):
    return [ask(n) for n in range(3)]


def broken(items):
    return items[5]


def endless():
    while True:
        pass


def busy(game):
    while True:
        game.actions(game.initial)


def greedy():
    return bytearray(10**12)


def forging():
    import gc, socket
    for found in gc.get_objects():
        if type(found) is socket.socket and found.fileno() >= 0:
            found.send(bytes(3) + b"\\1!")


class Counter:
    def __init__(self):
        self.count = 0

    def up(self):
        self.count += 1
        return self.count
"""
CHECKS = '''
import pytest

from games import Fig52Game


def check(cell="double", points=1, **more):
    return pytest.mark.check(cell=cell, points=points, hint="Count.", **more)


@check(points=2)
def test_double(student, chance):
    """It doubles"""
    numbers = [chance.randrange(100) for _ in range(3)]
    assert [student.double(n) for n in numbers] == [2 * n for n in numbers], "Twice as much."
    assert student.double(0.1) == pytest.approx(0.2, rel=1e-9)


@check()
@pytest.mark.parametrize("number", [-3, -50])
def test_each(student, number):
    """It doubles negative numbers"""
    assert student.double(number) == 2 * number


@check(needs="test_double")
def test_objects(student, printed):
    """It counts, and says something"""
    counter = student.Counter()
    assert [counter.up(), counter.up()] == [1, 2]
    assert student.noisy(-4) == 4
    assert printed() == "told -4\\\\n"
    assert student.asking_back(lambda n: student.double(n)) == [0, 2, 4]


@check()
def test_searching(student):
    """It visits a tree"""
    assert student.searching(Fig52Game()) == 56


@check()
def test_wrong(student):
    """It is wrong"""
    assert student.double(4) == 9, "Not nine."


@check()
def test_error(student):
    """It raises"""
    student.broken([1])


@check()
def test_undefined(student):
    """It is not there"""
    student.missing()


@check()
def test_timeout(student):
    """It never ends"""
    student.endless()


@check()
def test_work_limit(student):
    """It asks for ever"""
    student.busy(Fig52Game())


@check()
def test_memory(student):
    """It wants all memory"""
    student.greedy()


@check()
def test_tampered(student):
    """It forges a message"""
    student.forging()


@check()
def test_in_our_hands(student):
    """A function of the check's own fails"""
    def refuse(n):
        raise AssertionError("It must not ask.")

    student.asking_back(refuse)
'''.replace("\\\\", "\\")
SUBJECT = """\
from referee.model import Remote, Subject

GAME = Remote("games:Game", ("actions", "result", "utility", "terminal_test"), ("initial",))
SUBJECT = Subject(library=("games.py",), records=("games:GameState",), remotes=(GAME,))
"""
DRIVER = """
import contextlib, json, os, sqlite3, sys
from pathlib import Path

import msgspec

from referee import course
from referee.judging import cache, digests, pipeline
from referee.judging import pipeline, digests
from referee.model import Cell, Limits, Reference
from referee.sandbox.outside.zygote import Zygote

root, (cell, edits, damages) = Path(sys.argv[1]), json.load(sys.stdin)
os.chdir(root)
assignment = course.find_assignment(root, "a")._replace(reference=Reference())
limits = Limits(check_cpu_seconds=0.5, check_calls=50, memory_bytes=1024**3)
cells = [Cell(cell, "cell f")]
file, kept = assignment.hidden / "test_it.py", root / cache.FILE
original = file.read_text()


class Counted(Zygote):
    started = 0

    def fork(self, request):
        self.started += 1
        return super().fork(request)


def plain(judged):
    costs = {name: cost.calls for name, cost in judged.costs.items()}
    return msgspec.to_builtins(
        [judged.results, judged.runs, judged.explained, judged.isolation, costs]
    )


def edition(old, new):
    file.write_text(original.replace(old, new))
    assert old == "" or file.read_text() != original, old


def judged():
    started = zygote.started
    found = pipeline.judge_or_look_up(assignment, cells, lambda: zygote, limits)
    return zygote.started - started, plain(found)


zygote = Counted(limits, assignment.subject)
work, name = digests.work(assignment, cells, limits), "test_it.py::test_double"
answers = {"": judged()}
before = kept.read_bytes()
for edit, (old, new) in edits.items():
    kept.write_bytes(before)
    edition(old, new)
    silent = msgspec.structs.replace(cache.get(assignment, work), transcripts={})
    fresh = pipeline.judge(assignment, cells, lambda: zygote, limits, silent)
    answers[edit] = *judged(), plain(fresh)
edition(*edits["its title"])
types = assignment.subject.records, assignment.subject.remotes
for damage in damages:
    kept.write_bytes(before)
    said = cache.get(assignment, work).transcripts[name]
    over = said[:20] + bytes(9) + said[29:]
    said = {"cut off": said[:-9], "emptied": b"", "overwritten": over}[damage]
    with contextlib.closing(sqlite3.connect(kept)) as book, book:
        value = msgspec.msgpack.encode({name: said})
        key = digests.digest(work, name, "said", *types)
        assert book.execute("update part set value = ? where key = ?", (value, key)).rowcount == 1
    answers[damage] = judged()
zygote.close()
print(json.dumps(answers))
"""
EVERY = ("def check(cell=", "unused = 0\n\n\ndef check(cell=")
SILENT = {  # what no process is needed for
    "all of them": EVERY,
    "its title": ("It doubles", "It makes two of one"),
    "its points": ("points=2", "points=7"),
    "its hint": ("Count.", "Count again."),
    "its tolerance": ("rel=1e-9", "rel=1e-30"),
    "its sentence": ("Not nine.", "Nine is odd."),
    "another assert": ('"Twice as much."\n', '"Twice as much."\n    assert 7 not in numbers\n'),
    "fewer questions": ("[1, 2]\n    assert student.noisy(-4) == 4", "[1, 2]\n    return"),
    "a right answer": ("== 9", "== 8"),
    "a wrong answer": ("== 56", "== 57"),
    "a mistake of ours": ('a tree"""', 'a tree"""\n    1 / 0'),
    "fewer parameters": ("[-3, -50]", "[-50]"),
}
ASKED = {  # and what can only be asked
    "another question": ("student.double(4) == 9", "student.double(5) == 9"),
    "one more question": ("[0, 2, 4]", "[0, 2, 4]\n    student.double(5)"),
    "one more before it": ("assert student.double(4)", "student.double(1), student.double(4)"),
    "another game": ("(Fig52Game()) == 56", "(__import__('games').TreeGame([1, 2], 2)) == 56"),
    "more parameters": ("[-3, -50]", "[-3, -50, -7]"),
    "another name": ("test_wrong(", "test_amiss("),
    "more time": ("@check(points=2)", "@check(points=2, cpu_seconds=30)"),
    "a question that is swallowed": (
        "assert student.double(4) == 9",
        "try: student.double(6)\n    except BaseException: pass\n    assert 8 == 9",
    ),
}
DAMAGES = ["cut off", "emptied", "overwritten"]


VERDICTS = {
    "double": "pass", "each[-3]": "pass", "each[-50]": "pass", "objects": "pass",
    "searching": "pass", "wrong": "wrong", "error": "error", "undefined": "error",
    "timeout": "timeout", "work_limit": "work-limit", "memory": "memory", "tampered": "tampered",
    "in_our_hands": "wrong",
}  # fmt: skip


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """How many processes of a student each edition took, and what it said, then and afresh."""
    root = tmp_path_factory.mktemp("said")
    files = {
        "nbgrader_config.py": "c = get_config()\nc.Course.subject = 'lesson'\n",
        "lesson/subject.py": SUBJECT,
        "release/a/a.ipynb": "{}",
        "tests/hidden/a/test_it.py": CHECKS,
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    shutil.copy(ROOT / "games.py", root)
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, root],
        input=json.dumps([CELL, SILENT | ASKED, DAMAGES]),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_each_check_ends_as_it_is_to(answers: dict[str, Any]) -> None:
    """Are there, to begin with, all the ends that a conversation can have?"""
    started, (results, *_) = answers[""]
    found = {one["id"].partition("::test_")[2]: one["verdict"] for one in results}
    assert (started, found) == (1, VERDICTS)


@pytest.mark.parametrize("edit", SILENT)
def test_a_check_that_asks_what_it_asked_starts_no_process(
    answers: dict[str, Any], edit: str
) -> None:
    """Is each verdict, sentence, cost and output that of judging afresh, without the code?"""
    started, again, fresh = answers[edit]
    assert started == 0
    assert again == fresh


@pytest.mark.parametrize("edit", ASKED)
def test_a_check_that_asks_something_new_asks_the_code(answers: dict[str, Any], edit: str) -> None:
    """Are the cells run for a question that was never asked, even where the check hides it?"""
    started, again, fresh = answers[edit]
    assert started == 1
    assert again == fresh


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_transcript_that_cannot_be_read_counts_as_none(
    answers: dict[str, Any], damage: str
) -> None:
    """Is a check asked for real whose transcript is damaged?"""
    started, again = answers[damage]
    assert (started, again) == (1, answers["its title"][1])
