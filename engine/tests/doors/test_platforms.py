"""Ask whether zips of platforms are read, by their own names or by a pattern, or refused.

Where the names come from stands beside `PATTERNS`.
"""

import errno
import re
import stat
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from unittest.mock import Mock

import pytest
import small_course as small
from classes import REFUSED, Class
from formgrading import run

from referee import intake, platforms
from referee.commands import collect as command
from referee.course import Assignment, Course, CourseError
from referee.platforms import Platform

OLD, NEW = (2026, 1, 2, 3, 4, 6), (2026, 1, 3, 3, 4, 6)
MOODLE = {
    "Ada O'Brien_11_assignsubmission_file/numbers.ipynb": OLD,
    "Jürgen Müller_12_assignsubmission_file_/deep/numbers.ipynb": OLD,
    "Jan Li_13_assignsubmission_file_numbers.ipynb": OLD,
    "Jan Li_14_assignsubmission_file/numbers.ipynb": OLD,
    "Eve_15_assignsubmission_file/Ada O'Brien_11_assignsubmission_file_numbers.ipynb": OLD,
    "Eve_15_assignsubmission_onlinetext/onlinetext.html": OLD,
    "Eve_15_assignsubmission_file/.ipynb_checkpoints/numbers.ipynb": NEW,
}
CANVAS = {
    "obrienada_11_981_numbers.ipynb": OLD,
    "müllerjürgen_LATE_12_982_numbers-2.ipynb": NEW,
    "müllerjürgen_LATE_12_983_numbers-1.ipynb": NEW,
    "eve_15_985_obrienada_11_981_numbers.ipynb": OLD,
    "lijan_13_984_notes.pdf": OLD,
}
ILIAS = {
    "O'Brien_Ada_ada1_11/numbers.ipynb": OLD,
    "Mueller_Juergen_jm_12/numbers.ipynb": OLD,
    "Mueller_Juergen_jm_12/Verspaetete Abgabe - numbers (2).ipynb": NEW,
    "Team 5/Evil_Eve_eve_15/obrienada_11_981_numbers.ipynb": OLD,
    "Team 5/Evil_Eve_eve_15/Ada_11_assignsubmission_file_numbers.ipynb": OLD,
}
KEYS = {
    Platform.MOODLE: {
        "Ada O'Brien": "Ada O'Brien_11", "Jürgen Müller": "Jürgen Müller_12",
        "Jan Li (13)": "Jan Li_13", "Jan Li (14)": "Jan Li_14", "Eve": "Eve_15",
    },
    Platform.CANVAS: {
        "obrienada": "obrienada_11_981_numbers",
        "müllerjürgen": "müllerjürgen_LATE_12_982_numbers-2",
        "eve": "eve_15_985_obrienada_11_981_numbers",
    },
    Platform.ILIAS: {
        "ada1": "O'Brien_Ada_ada1_11", "jm": "Mueller_Juergen_jm_12", "eve": "Evil_Eve_eve_15",
    },
}  # fmt: skip
ZIPS = {Platform.MOODLE: MOODLE, Platform.CANVAS: CANVAS, Platform.ILIAS: ILIAS}
LATE = {Platform.MOODLE: [], Platform.CANVAS: ["müllerjürgen"], Platform.ILIAS: ["jm"]}
BACK = {
    Platform.MOODLE: "Ada O'Brien_11_assignfeedback_file_/numbers.html",
    Platform.CANVAS: "obrienada_11_981_numbers.html",
    Platform.ILIAS: "multi_feedback_numbers/O'Brien_Ada_ada1_11/numbers.html",
}
BLACKBOARD = [
    "Sheet_1_ada_attempt_2027-01-31-23-59-01.txt",
    "Sheet_1_ada_attempt_2027-01-31-23-59-01_numbers.ipynb",
    "Sheet_1_ada_attempt_2027-01-30-08-00-00.txt",
    "Sheet_1_ada_attempt_2027-01-30-08-00-00_numbers.ipynb",
    "Sheet_1_eve_attempt_2027-01-31-10-00-00.txt",
    "Sheet_1_eve_attempt_2027-01-31-10-00-00_Sheet_1_ada_attempt_2029-01-31-10-00-00_x.ipynb",
    "Sheet_1_kim_attempt_2027-01-31-10-00-00.txt",
    "Sheet_1_kim_attempt_2027-01-31-10-00-00_essay.pdf",
    "Sheet_1_jo.van-dam@x.org_poging_2027-01-31-10-00-00_numbers.ipynb.txt",
]
BRIGHTSPACE = [
    "index.html",
    "39786-640693 - Ada O'Brien - Jan 31, 2027 1159 PM/numbers.ipynb",
    "39786-640693 - Ada O'Brien - Jan 3, 2027 930 AM/numbers.ipynb",
    "39787-640693 - Jan Li - Jan 31, 2027 1022 AM/x - numbers.ipynb",
    "39788-640693 - Jan Li - Jan 31, 2027 1022 AM/numbers.IPYNB",
    "39789-640693 - Eve - Jan 31, 2027 1200 PM/1-2 - Ada O'Brien - Feb 1, 2027 100 AM/x.ipynb",
    "39790-640693 - Kim - Jan 31, 2027 1200 AM/essay.pdf",
    "39791-640693 - Zoé - 31 janv. 2027 1022/numbers.ipynb",
]
FLAT = [
    "index.html",
    "271836-442356 - Blake Payne - Dec 5, 2026 1149 AM - numbers.ipynb",
    "271837-442356 - Ada - Dec 5, 2026 1:49 PM - 11_12_assignsubmission_file_x.ipynb",
]
GOOGLE = [
    "Sheet 1/Ada Lovelace - numbers.ipynb",
    "Sheet 1/Jürgen Müller - numbers.ipynb",
    "Sheet 1/Eve - Ada Lovelace - numbers.ipynb",
    "Sheet 1/numbers.ipynb",
]
NBGRADERS = r".*_(?P<student_id>\w+)_attempt_(?P<timestamp>[0-9\-]+)_(?P<file_id>\w+)"


@pytest.fixture
def assignment(tmp_path: Path) -> Assignment:
    (tmp_path / "submitted").mkdir()
    return Assignment(small.NAME, Course(tmp_path))


def packed(folder: Path, entries: Iterable[str], around: str = "") -> Path:
    """Write a zip in which each file says its own name, at the times that are given."""
    times = entries if isinstance(entries, Mapping) else dict.fromkeys(entries, OLD)
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        for name, time in times.items():
            content = "" if name.endswith("/") else name
            if found := re.fullmatch(r".*Sheet_1_([a-z]+)_attempt_[-0-9]+\.txt", name):
                content = f"Name: Ada O'Brien ({found[1]})\nAssignment: Sheet 1\n"
            archive.writestr(zipfile.ZipInfo(around + name, time), content)
    return folder / "all.zip"


def held(assignment: Assignment) -> dict[str, str]:
    """Return by student the entry that was collected as the notebook."""
    there = (assignment.root / "submitted").glob(f"*/{assignment.name}/{assignment.notebook}")
    return {file.parts[-3]: file.read_text("utf-8") for file in there}


def stamp(assignment: Assignment, student: str) -> str | None:
    return intake.time_stamp(assignment.submitted(student))[0]


@pytest.mark.parametrize("platform", ZIPS)
def test_each_students_newest_notebook_is_collected(assignment, tmp_path, platform):
    """Is nobody lost, mixed with a namesake, or graded for a file that somebody else has named?

    And is there one page of feedback for each, under the name by which the platform finds them?
    """
    done = platforms.collect(assignment, packed(tmp_path, ZIPS[platform]))
    assert {name: one.key for name, one in done.keys.items()} == KEYS[platform]
    assert {one.platform for one in done.keys.values()} == {platform}
    assert platforms.keys(assignment) == done.keys
    assert (done.late, done.refused) == (LATE[platform], {})
    assert held(assignment).keys() == KEYS[platform].keys()
    for student, entry in held(assignment).items():
        assert KEYS[platform][student] in entry and ".ipynb_checkpoints" not in entry
        assert student != "jm" or "Verspaetete" in entry
    pages = {name: name.encode() for name in (*KEYS[platform], "by hand")}
    count, left_out = platforms.pack(assignment, platform, pages, tmp_path / "back.zip")
    assert (count, left_out) == (len(KEYS[platform]), ["by hand"])
    with zipfile.ZipFile(tmp_path / "back.zip") as archive:
        assert archive.read(BACK[platform]) == next(iter(pages)).encode()
        assert len(set(archive.namelist())) == count
    assert platforms.pack(assignment, Platform.FOLDER, pages, tmp_path / "x.zip")[1] == []


# What --names says, what is in the zip, and by student which entry counts, and its time in UTC.
OTHERS: dict[str, tuple[str | None, list[str], dict[str, tuple[str, str | None]]]] = {
    "blackboard": (None, BLACKBOARD, {
        "ada": (BLACKBOARD[1], "2027-01-31 23:59:01"),
        "eve": (BLACKBOARD[5], "2027-01-31 10:00:00"),
        "jo.van-dam@x.org": (BLACKBOARD[8], "2027-01-31 10:00:00"),
    }),
    "brightspace": (None, BRIGHTSPACE, {
        "Ada O'Brien": (BRIGHTSPACE[1], "2027-01-31 23:59:00"),
        "Jan Li (39787-640693)": (BRIGHTSPACE[3], "2027-01-31 10:22:00"),
        "Jan Li (39788-640693)": (BRIGHTSPACE[4], "2027-01-31 10:22:00"),
        "Eve": (BRIGHTSPACE[5], "2027-01-31 12:00:00"), "Zoé": (BRIGHTSPACE[7], None),
    }),
    "brightspace without folders": (None, FLAT, {
        "Blake Payne": (FLAT[1], "2026-12-05 11:49:00"), "Ada": (FLAT[2], "2026-12-05 13:49:00"),
    }),
    "google": ("google", GOOGLE, {
        "Ada Lovelace": (GOOGLE[0], None), "Jürgen Müller": (GOOGLE[1], None),
        "Eve": (GOOGLE[2], None),
    }),
    "nbgrader's expression": (NBGRADERS, ["ps1_a_attempt_2016-01-30-15-00-00_problem1.ipynb"], {
        "a": ("ps1_a_attempt_2016-01-30-15-00-00_problem1.ipynb", "2016-01-30 15:00:00"),
    }),
    "an expression for the path": (r"(?P<student_id>\w+)/", ["ada/x.ipynb", "bo/sub/x.ipynb"], {
        "ada": ("ada/x.ipynb", None), "bo": ("bo/sub/x.ipynb", None),
    }),
    "a time in an expression": (
        r"(?P<student_id>\d+)-(?P<timestamp>.+?Z)-", ["17-2027-01-31T10:00:00Z-x.ipynb"],
        {"17": ("17-2027-01-31T10:00:00Z-x.ipynb", "2027-01-31 10:00:00")},
    ),
    "an address in brackets": (
        r".*\((?P<student_id>[^)]+)\)", ["Ada (a@x.org)/x.ipynb", "deep/B (b)/x.ipynb"],
        {"a@x.org": ("Ada (a@x.org)/x.ipynb", None), "b": ("deep/B (b)/x.ipynb", None)},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_names_say_whose_a_notebook_is_and_when_it_came(assignment, tmp_path, name):
    """Is the newest attempt of each taken, whatever they call their files, and again the same?"""
    named, entries, people = OTHERS[name]
    for _ in range(2):
        done = platforms.collect(assignment, packed(tmp_path, entries), named)
        assert held(assignment) == {who: entry for who, (entry, _) in people.items()}
        times = {who: f"{time}.000000 UTC" if time else None for who, (_, time) in people.items()}
        assert {who: stamp(assignment, who) for who in people} == times
    assert {*done.keys} == {*done.people} == {*people} and done.refused == {}


BAD_ITEMS = {
    "../Ada_1_assignsubmission_file_x.ipynb": "it leads out of its folder",
    "/etc/Ada_1_assignsubmission_file_x.ipynb": "it leads out of its folder",
    "a\\..\\..\\Ada_1_assignsubmission_file_x.ipynb": "it leads out of its folder",
    "C:\\Ada_1_assignsubmission_file_x.ipynb": "it leads out of its folder",
    "link": "it is a link",
    "encrypted": "it is encrypted",
    "method": "it is packed as no platform does",
    "sum": "it is damaged (Bad CRC-32",
    "stream": "it is damaged (Error -3",
    "李" * 100: "it cannot be written (File name too long)",
    "<b>": "no student can be called that",
    "large": "it has more than 20,971,520 bytes",
    "nowhere": "/",
    "folder": "it cannot be written (Is a directory)",
}


def with_bad_item(file: Path, item: str) -> Path:
    """Write a zip of three students, the second of whom has handed in a bad item."""
    whose = item if "." in item else f"{item}_2_assignsubmission_file/x.ipynb"
    names = ["Ada_1_assignsubmission_file/n.ipynb", whose, "Zoe_3_assignsubmission_file/n.ipynb"]
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            content = bytes(intake.MAX_BYTES + 1) if name[:5] == "large" else name * 9
            method = zipfile.ZIP_BZIP2 if name[:6] == "method" else None
            archive.writestr(name, content, method)
        info = archive.getinfo(whose)
        info.external_attr = (stat.S_IFLNK | 0o777) << 16 if item == "link" else 0
        info.flag_bits |= item == "encrypted"
        info.CRC ^= item == "sum"
    if item == "stream":
        content = bytearray(file.read_bytes())
        content[info.header_offset + 30 + len(whose)] |= 0x06  # a block of no kind that there is
        file.write_bytes(content)
    return file


@pytest.mark.parametrize("item", BAD_ITEMS)
def test_a_bad_item_is_named_and_stops_nobody_else(assignment, tmp_path, item):
    """Is it left out, the rest collected, and nothing written anywhere else?"""
    before = {"folder": "folder/numbers/numbers.ipynb/x"}.get(item)
    if before:
        (tmp_path / "submitted" / before).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "submitted" / before).write_text("")
    if item == "nowhere":
        (tmp_path / "submitted" / item).symlink_to(tmp_path)
    done = platforms.collect(assignment, with_bad_item(tmp_path / "all.zip", item))
    assert list(done.keys) == ["Ada", "Zoe"]
    ((name, why),) = done.refused.items()
    assert why.startswith(BAD_ITEMS[item]) and len(name) <= 80
    found = {
        file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*") if file.is_file()
    }
    expected = {f"submitted/{name}/numbers/numbers.ipynb" for name in ("Ada", "Zoe")}
    expected |= {f"submitted/{before}"} if before else set()
    assert found == {"all.zip", "submitted/.numbers-collected.json", *expected}


@pytest.mark.parametrize("around", ["Blatt_tic_1/", "a/b/", "Neu/Blatt_tic_1/"])
@pytest.mark.parametrize("platform", [*ZIPS, "blackboard"])
def test_folders_around_all_submissions_are_nobodys(assignment, tmp_path, platform, around):
    """Is a zip that was packed again read as the platform's own, whatever its folder is called?"""
    entries = [*ZIPS.get(platform, BLACKBOARD), "__MACOSX/._x"]
    done = platforms.collect(assignment, packed(tmp_path, entries, around))
    assert done.keys.keys() == {**KEYS, "blackboard": OTHERS["blackboard"][2]}[platform].keys()


@pytest.mark.parametrize("platform", ZIPS)
def test_a_folder_that_may_be_a_students_is_a_question(assignment, tmp_path, platform):
    """Is the platform to be named, or where that does not help, the zip to be packed again?"""
    file = packed(tmp_path, ZIPS[platform], "Blatt_zu_tic_1/")
    with pytest.raises(CourseError, match=r"say which it is with --names|pack again what is in it"):
        platforms.collect(assignment, file)
    if platform is Platform.ILIAS:
        with pytest.raises(CourseError, match=r"may be a student's.*pack again what is in it"):
            platforms.collect(assignment, file, platform)
        file = packed(tmp_path, ZIPS[platform])
    done = platforms.collect(assignment, file, platform)
    assert {name: one.key for name, one in done.keys.items()} == KEYS[platform]


@pytest.mark.parametrize("names", [("Ada", "ADA"), ("\xe4da", "A\u0308DA"), ("Jan", "Jan")])
def test_names_that_a_disk_takes_for_the_same_are_told_apart(assignment, tmp_path, names):
    """Has each a folder that no disk confuses with another, also when they come in two zips?"""
    entries = [f"{name}_{n}_assignsubmission_file/n.ipynb" for n, name in enumerate(names)]
    for entry in (*entries, *entries):
        done = platforms.collect(assignment, packed(tmp_path, [entry]))
        assert entry in held(assignment).values()
    assert [name[-4:] == " (1)" for name in done.keys] == [False, True]
    platforms.book(assignment).unlink()
    done = platforms.collect(assignment, packed(tmp_path, entries))
    assert [name[-4:] for name in done.keys] == [" (0)", " (1)"]


ADA = ["ada/x.ipynb"]
ATTEMPT = "{}_attempt_2027-01-31-10-00-00_x.ipynb".format
LOGINS = r"where the login begins in .*--names"
REFUSALS: list[tuple[list[str] | None, str | None, str]] = [  # entries, --names, what is said
    (None, None, "download it from the platform again"),
    (["essay.pdf"], None, "take the zip with all submissions as the platform"),
    (GOOGLE, None, r"the first is Sheet 1/Ada.*by --names"),
    (ADA, r"(?P<student_id>\w+", "is no regular expression .*position"),
    (ADA, r"(\w+)_x", "has no group called student_id"),
    (ADA, "blackbord", "has no group called student_id; .*moodle, .*blackboard"),
    (ADA, "brightspace", "no notebook is called as --names brightspace says"),
    (ADA, r"(?P<student_id>\d+)_", "called as --names .* says; the first is ada/x.ipynb"),
    ([ATTEMPT("S_1_bo_li")], None, LOGINS),
    ([ATTEMPT("S_1_st_ada"), ATTEMPT("S_1_st_bo")], None, LOGINS),
    ([ATTEMPT("st_st_ada"), ATTEMPT("st_st_bo")], None, LOGINS),
    ([ATTEMPT("S_1"), ATTEMPT("T_2")], None, LOGINS),
    (["B_A_st_a_1/x.ipynb"], None, LOGINS),
]


@pytest.mark.parametrize(("entries", "named", "said"), REFUSALS)
def test_what_is_not_clear_is_a_sentence(assignment, tmp_path, entries, named, said):
    """Does one say what is wrong and what to do, before anything is written?"""
    (tmp_path / "all.zip").write_bytes(b"PK\3\4 and no more")
    if entries is not None:
        packed(tmp_path, entries)
    with pytest.raises(CourseError, match=said):
        platforms.collect(assignment, tmp_path / "all.zip", named)
    assert list((tmp_path / "submitted").iterdir()) == []


def test_a_login_may_hold_underscores(assignment, tmp_path):
    """Does a title of one word, Blackboard's text, what differs or the pattern named tell?"""
    text = "S_1_st_bo_attempt_2027-01-31-10-00-00.txt"
    ilias = "{}/x.ipynb".format
    told = [ilias("B_A_st_a_1"), ilias("D_C_st_c_2")]
    with pytest.raises(CourseError, match=LOGINS) as error:
        platforms.collect(assignment, packed(tmp_path, told))
    for entries, named, people in (
        ([ATTEMPT("S_bo_li"), ATTEMPT("S_ada")], None, {"bo_li", "ada"}),
        ([ATTEMPT("S_1_st_ada"), ATTEMPT("S_1_st_bo"), text], None, {"st_ada", "st_bo"}),
        (told, str(error.value).split("'")[1], {"st_a", "st_c"}),
        ([ilias("B_A_a_1"), ilias("D_A_c_2")], None, {"a", "c"}),
    ):
        with zipfile.ZipFile(packed(tmp_path, entries[:2]), "a") as archive:
            for name in entries[2:]:
                archive.writestr(name, "Name: B (b) (st_bo)\r\n(x)")
        done = platforms.collect(assignment, tmp_path / "all.zip", named)
        assert set(done.people) == people
        platforms.book(assignment).unlink()


@pytest.mark.parametrize(
    ("keys", "people"),
    [
        (["Team 1-Ada L_1", "Team 1-Bo-Li M_2", "Default-Eve_3"], ["Ada L", "Bo-Li M", "Eve"]),
        (["Team-1-Ada L_1", "Team-1-Bo-Li M_2"], ["Ada L", "Bo-Li M"]),
        (["Ada-L_1", "Bo-Li M_2"], ["Ada-L", "Bo-Li M"]),
        (["Anna-Lena_1", "Anna-Maria_2", "Eve_3"], ["Anna-Lena", "Anna-Maria", "Eve"]),
    ],
    ids=["teams", "a hyphen", "names", "one without"],
)
def test_a_team_on_moodle_is_no_part_of_a_name(assignment, tmp_path, keys, people):
    """Is each member collected under their own name, and given feedback under Moodle's?"""
    entry = "{}_assignsubmission_file_/x.ipynb".format
    done = platforms.collect(assignment, packed(tmp_path, map(entry, keys)))
    assert [*done.keys] == people and [one.key for one in done.keys.values()] == keys


def release(root: Path, name: str, *notebooks: str) -> None:
    """Make what stands for the release of an assignment."""
    (root / "release" / name).mkdir(parents=True)
    for notebook in notebooks:
        (root / "release" / name / f"{notebook}.ipynb").touch()


def test_a_zip_of_another_assignment_is_not_collected(assignment, tmp_path):
    """Is the other one named before anything is written, though one has a name of their own?"""
    for name in "num", "numbers", "numbers-2":
        release(tmp_path, name, name)
    entries = [f"{who}_11_assignsubmission_file/numbers-2{end}.ipynb" for who, end in ("A ", "B1")]
    mine = "C_12_assignsubmission_file/mine.ipynb"
    for packs in entries, [*entries, mine]:
        with pytest.raises(CourseError, match="`referee collect numbers-2` it, or say by --names"):
            platforms.collect(assignment, packed(tmp_path, packs))
    assert not list((tmp_path / "submitted").iterdir())
    assert len(platforms.collect(assignment, packed(tmp_path, [mine])).people) == 1
    assert len(platforms.collect(assignment, packed(tmp_path, entries), "moodle").people) == 2
    (tmp_path / "release/numbers").rename(tmp_path / "release/sheet")  # the same name in both
    mine = "D_13_assignsubmission_file/numbers.ipynb"
    assert len(platforms.collect(assignment, packed(tmp_path, [mine])).people) == 1


def test_a_full_disk_ends_the_run(assignment, tmp_path, monkeypatch):
    """Is it the machine's fault, and no student's?"""
    full = OSError(errno.ENOSPC, "full")
    monkeypatch.setattr(platforms.files, "save", Mock(side_effect=full))
    with pytest.raises(OSError, match="full"):
        platforms.collect(assignment, packed(tmp_path, MOODLE))


def test_of_two_notebooks_nothing_is_lost(tmp_path, monkeypatch):
    """Is none stored under the other's name, and does the last decide about the time?

    Does a time that is there, and cannot be read, stop nobody else?
    """
    release(tmp_path, "sheet", "numbers", "words")
    first, second = (f"s_{{}}_attempt_2027-01-31-1{n}-00-00_{{}}.ipynb" for n in range(2))
    entries = [second.format("ada", "words-2"), first.format("ada", "numbers")]
    file = packed(tmp_path, [*entries, first.format("bo", "words"), first.format("eve", "x")])
    people = {"numbers": {"ada", "eve"}, "words": {"ada", "bo", "eve"}}
    for part in ("words", "numbers"):
        done = platforms.collect(Assignment("sheet", Course(tmp_path), part=part), file)
        assert (set(done.keys), done.others) == (people[part], [])
    assert done.without == {"bo": ["words.ipynb"]}
    monkeypatch.setitem(REFUSED, "eve/sheet/timestamp.txt", errno.EACCES)
    done = platforms.collect(Assignment("sheet", Course(tmp_path), part="numbers"), file)
    assert (list(done.refused), done.people) == (["eve"], ["ada"])
    ada = tmp_path / "submitted" / "ada" / "sheet"
    assert [(ada / f"{part}.ipynb").read_text() for part in ("words", "numbers")] == entries
    assert intake.time_stamp(ada)[0] == "2027-01-31 11:00:00.000000 UTC"


def test_a_link_in_the_place_of_a_file_is_not_followed(assignment, tmp_path):
    """Does collecting again never write through what lies in a student's folder?"""
    entries = [f"Ada_2_assignsubmission_file/{name}" for name in ("numbers.ipynb", "helper.py")]
    (tmp_path / "secret").write_text("mine")
    for _ in range(2):
        assert platforms.collect(assignment, packed(tmp_path, entries)).refused == {}
        for entry in entries:
            file = assignment.submitted("Ada") / Path(entry).name
            assert file.read_text() == entry
            file.unlink()
            file.symlink_to(tmp_path / "secret")
    assert (tmp_path / "secret").read_text() == "mine"


def test_times_are_in_the_zone_of_the_course(assignment, tmp_path):
    """Does nbgrader's own setting say which, and is one refused that is not clear?"""
    settings = tmp_path / "nbgrader_config.py"
    settings.write_text("c = get_config()\nc.Exchange.timezone = 'America/Chicago'\n")
    done = platforms.collect(assignment, packed(tmp_path, BLACKBOARD))
    assert done.zone == "America/Chicago"
    assert stamp(assignment, "ada") == "2027-02-01 05:59:01.000000 UTC"
    settings.write_text("c = get_config()\nc.Exchange.timezone = 'CST'\n")
    with pytest.raises(CourseError, match=r"timezone = 'CST' .*a place, as Europe/Berlin, or"):
        platforms.collect(Assignment(small.NAME, Course(tmp_path)), tmp_path / "all.zip")


def test_all_notebooks_of_an_assignment_are_collected_in_one_go(tmp_path, capsys):
    """Is each stored under its own name, who lacks one named, and a bad one told by the status?"""
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\nc.Course.asserts = True\n")
    release(tmp_path, "sheet", "numbers", "words")
    entry = "{}_1_assignsubmission_file_/{}.ipynb".format
    names = [("Ada", "numbers"), ("Ada", "words"), ("Bo", "words")]
    essay = "Ada_1_assignsubmission_file_/essay.pdf"
    others = [essay, entry("<b>", "numbers"), "Kim_2_assignsubmission_file_/"]
    file = packed(tmp_path, [*(entry(*one) for one in names), *others])
    assert command.run("sheet", file, None, tmp_path) == 1
    there = sorted((tmp_path / "submitted").glob("*/sheet/*.ipynb"))
    assert [(one.parts[-3], one.stem) for one in there] == names
    said = capsys.readouterr().out
    assert "Without a notebook: Bo (words.ipynb), Kim" in said and "nobody" not in said
    assert (tmp_path / "submitted/Ada/sheet/essay.pdf").read_text() == essay
    assert "Not collected: <b>, since no student can be called that." in said
    assert "Copy by hand what you can read of these into submitted/<student>/sheet/." in said


BESIDE = {
    "Ada L_1_assignsubmission_file_/{}": "Ada L", "Ada L_1_assignsubmission_file_{}": "Ada L",
    "ada_11_981_{}": "ada", "L_A_ada_7/{}": "ada", "s_ada_attempt_2027-01-31-12-00-00_{}": "ada",
    "1-2 - Ada - Jan 31, 2027 1259 PM/{}": "Ada",
}  # fmt: skip


@pytest.mark.parametrize(("entry", "name"), BESIDE.items())
def test_files_beside_a_notebook_come_with_it(assignment, tmp_path, entry, name):
    """Do they lie beside it under their own names, and nowhere else?"""
    names = ["numbers.ipynb", "helper.py", *(["data/towns.csv"] if entry.endswith("/{}") else [])]
    done = platforms.collect(assignment, packed(tmp_path, map(entry.format, names)))
    folder = assignment.submitted(name)
    there = {f"{one.relative_to(folder)}" for one in folder.rglob("*") if one.is_file()}
    assert there - {"timestamp.txt"} == {*names} and done.others == []
    assert (folder / "helper.py").read_text() == entry.format("helper.py")


def test_no_zip_fills_the_disk_with_files_beside_a_notebook(assignment, tmp_path, monkeypatch):
    """Are there a hundred of them at most, of ten megabytes together, and the others told?"""
    monkeypatch.setattr(platforms, "MOST_BESIDE", 3)
    monkeypatch.setattr(platforms, "MOST_BESIDE_BYTES", 100)
    entry = "A_1_assignsubmission_file_/{}".format
    file = packed(tmp_path, map(entry, ["x.ipynb", "1.py", "2.py"]))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr(entry("3.py"), "x" * 60)
        archive.writestr(entry("4.py"), "")
    done = platforms.collect(assignment, file)
    assert [one.split(" than ")[0] for one in done.refused.values()] == ["it has more"]
    assert (list(done.refused), done.others) == (["A/3.py"], ["A/4.py"])


HERS = [  # what eve hands in on each platform
    "Eve_15_assignsubmission_file/{}", "eve_15_98_{}", "Evil_Eve_eve_15/{}",
    "s_eve_attempt_2027-01-31-10-00-00_{}", "1-2 - Eve - Jan 31, 2027 1022 AM/{}",
]  # fmt: skip
FORGED = [  # and how she calls it
    "Ada_1{}_assignsubmission_file/x.ipynb", "ada_1{}_98_x.ipynb", "Li_Ada_ada{}_11/x.ipynb",
    "s_ada{}_attempt_2027-01-31-10-00-00_x.ipynb", "{}-2 - Ada - Jan 31, 2027 1022 AM/x.ipynb",
    "Ada_1{0}_assignsubmission_file/ada_1{0}_98_x.ipynb",
]  # fmt: skip


@pytest.mark.parametrize("hers", HERS)
@pytest.mark.parametrize("name", FORGED)
def test_who_hands_in_alone_is_nobody_else(assignment, tmp_path, hers, name):
    """Can no name of a file or folder put work into the place of somebody who handed in none?"""
    names = [name.format(number) for number in range(2)]
    if not hers.endswith("/{}"):
        names = [one.replace("/", "_") for one in names]
    try:
        done = platforms.collect(assignment, packed(tmp_path, map(hers.format, names)))
    except CourseError as error:
        assert "--names" in str(error) or "pack again" in str(error)
        return
    assert {name.casefold() for name in done.keys} == {"eve"}


def test_what_is_collected_is_told_in_lines(two: Class, tmp_path: Path) -> None:
    """Does the command say who came, whose time counts how, who has no notebook, and of whom
    another one was there, as one that was mended?
    """
    collect = "referee", "collect", small.NAME, str(packed(tmp_path, BRIGHTSPACE))
    zone = "The times in the names are taken as UTC (c.Exchange.timezone), and written into"
    told = [
        f"{zone} timestamp.txt.",
        "Their time cannot be read, put it into timestamp.txt: Zoé.",
        "Without a notebook: Kim (essay.pdf).",
        "Left out, since it is nobody's: index.html.",
    ]
    assert run(two.root, *collect).splitlines() == ["5 students collected, 5 new.", *told]
    (two.folder("Eve") / f"{small.NAME}.ipynb").write_text("mended")
    replaced = "The notebook that was there, replaced by the zip's: Eve."
    said = run(two.root, *collect).splitlines()
    assert said == ["5 students collected, 0 new.", replaced, *told]


def test_a_group_that_the_platform_knows_by_its_name_gets_one_feedback(
    two: Class, tmp_path: Path
) -> None:
    """Is it given to the group there, and is nobody called one who was not collected?"""
    file = packed(tmp_path, ["Red_12_assignsubmission_file/n.ipynb"])
    run(two.root, "referee", "collect", small.NAME, str(file))
    two.hand_in("Red")
    two.path("groups.csv").write_text("group,student\nRed,jo\nRed,kim\n")
    two.grade()
    said = run(two.root, "referee", "return", small.NAME, "--for", "moodle").splitlines()
    assert said == [
        "Wrote feedback-numbers.zip: feedback for 1 student.",
        "Left out, since they were not collected from moodle: ada, bob.",
    ]
    with zipfile.ZipFile(two.path("feedback-numbers.zip")) as archive:
        assert archive.namelist() == ["Red_12_assignfeedback_file_/numbers.html"]
    said = run(two.root, "referee", "return", small.NAME, "--for", "folder")
    assert "feedback for 4 students" in said
    file = packed(tmp_path, ["Zoë_19_assignsubmission_file/n.ipynb"])
    run(two.root, "referee", "collect", small.NAME, str(file))
    said = run(two.root, "referee", "return", small.NAME, "--for", "moodle")
    assert "Collected, and without feedback, since they have no marks: Zoë." in said


def test_of_copies_that_are_as_new_all_are_collected(assignment, tmp_path) -> None:
    """Does a blank one of the same time not take the place of the notebook that was solved?"""
    place = "Ada O'Brien_11_assignsubmission_file"
    names = [f"{place}/numbers.ipynb", f"{place}/numbers (1).ipynb", f"{place}/x.ipynb.txt"]
    other = {f"{place}/old.ipynb": (2025, 1, 1, 0, 0, 0), f"{place}/late.ipynb": NEW}
    platforms.collect(assignment, packed(tmp_path, dict.fromkeys(names, OLD) | other))
    folder = assignment.submitted("Ada O'Brien")
    assert {f"{place}/{one.name}" for one in folder.iterdir()} == {*names}
    platforms.collect(assignment, packed(tmp_path, {names[0]: NEW}))
    assert [one.name for one in folder.iterdir()] == ["numbers.ipynb"]


def test_two_of_the_same_name_and_time_are_kept(assignment, tmp_path) -> None:
    """Does the newer attempt count, and lie the other beside it?"""
    names = ["ada_11_981_numbers.ipynb", "ada_11_990_numbers.ipynb"]
    platforms.collect(assignment, packed(tmp_path, names))
    there = {one.name: one.read_text("utf-8") for one in assignment.submitted("ada").iterdir()}
    assert there == {"numbers.ipynb": names[1], "other numbers.ipynb": names[0]}
