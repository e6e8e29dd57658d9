"""Ask whether the zips of Moodle, Canvas and ILIAS are read as they are, and no other than those.

The names are those that the platforms' own sources make: see `docs/platforms.md`.
"""

import contextlib
import stat
import zipfile
from pathlib import Path

import pytest
import small_course as small

from referee import intake
from referee.course import Assignment, CourseError
from referee.doors import platforms
from referee.doors.platforms import Platform

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


@pytest.fixture
def assignment(tmp_path: Path) -> Assignment:
    (tmp_path / "submitted").mkdir()
    return Assignment(small.NAME, tmp_path)


def packed(file: Path, entries: dict[str, tuple[int, ...]]) -> Path:
    """Write a zip in which each file says its own name."""
    with zipfile.ZipFile(file, "w") as archive:
        for name, time in entries.items():
            archive.writestr(zipfile.ZipInfo(name, time), name)
    return file


@pytest.mark.parametrize("platform", ZIPS)
def test_each_students_newest_notebook_is_collected(assignment, tmp_path, platform):
    """Is nobody lost, mixed with a namesake, or graded for a file that somebody else has named?"""
    done = platforms.collect(assignment, packed(tmp_path / "all.zip", ZIPS[platform]))
    assert {name: one.key for name, one in done.keys.items()} == KEYS[platform]
    assert {one.platform for one in done.keys.values()} == {platform}
    assert platforms.keys(assignment) == done.keys
    assert (done.late, done.refused) == (LATE[platform], {})
    assert set(intake.students(tmp_path, small.NAME)) == set(KEYS[platform])
    for student, key in KEYS[platform].items():
        folder = tmp_path / "submitted" / student / small.NAME
        entry = (folder / "numbers.ipynb").read_text("utf-8")
        assert key in entry
        assert platform is not Platform.ILIAS or student != "jm" or "Verspaetete" in entry
        assert ".ipynb_checkpoints" not in entry


@pytest.mark.parametrize("platform", ZIPS)
def test_feedback_is_called_as_the_platform_looks_for_it(assignment, tmp_path, platform):
    """Is there one file for each who was collected, under the name that finds the student?"""
    platforms.collect(assignment, packed(tmp_path / "all.zip", ZIPS[platform]))
    pages = {name: name.encode() for name in (*KEYS[platform], "by hand")}
    count, left_out = platforms.pack(assignment, platform, pages, tmp_path / "back.zip")
    assert (count, left_out) == (len(KEYS[platform]), ["by hand"])
    with zipfile.ZipFile(tmp_path / "back.zip") as archive:
        first = next(iter(KEYS[platform]))
        assert archive.read(BACK[platform]) == first.encode()
        assert len(set(archive.namelist())) == count
    assert platforms.pack(assignment, Platform.FOLDER, pages, tmp_path / "x.zip")[1] == []


def link(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


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
    "header": "it is damaged (Bad magic number",
    "李" * 100: "its folder cannot be made (File name too long)",
    "<b>": "no student can be called that",
    "nowhere": "/",
    "file": "its folder cannot be made (Not a directory)",
    "folder": "its folder cannot be made (Is a directory)",
}


def with_bad_item(file: Path, item: str) -> Path:
    """Write a zip of three students, the second of whom has handed in a bad item."""
    whose = item if "." in item else f"{item}_2_assignsubmission_file/x.ipynb"
    names = ["Ada_1_assignsubmission_file/n.ipynb", whose, "Zoe_3_assignsubmission_file/n.ipynb"]
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, name * 9, zipfile.ZIP_BZIP2 if name[:6] == "method" else None)
        info = archive.getinfo(whose)
        info.external_attr = (stat.S_IFLNK | 0o777) << 16 if item == "link" else 0
        info.flag_bits |= item == "encrypted"
        info.CRC ^= item == "sum"
    content, start = bytearray(file.read_bytes()), info.header_offset
    if item == "stream":
        content[start + 30 + len(whose)] |= 0x06  # a block of a kind that there is not
    if item == "header":
        content[start : start + 4] = b"none"
    file.write_bytes(content)
    return file


@pytest.mark.parametrize("item", BAD_ITEMS)
def test_a_bad_item_is_named_and_stops_nobody_else(assignment, tmp_path, item):
    """Is it left out, the rest collected, and nothing written anywhere else?"""
    before = {"file": "file", "folder": "folder/numbers/numbers.ipynb/x"}.get(item)
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


def test_a_zip_without_a_notebook_is_refused_in_a_sentence(assignment, tmp_path):
    """Is nothing written then?"""
    packed(tmp_path / "bad.zip", {"essay.pdf": OLD})
    with pytest.raises(CourseError, match="take the zip with all submissions as the platform"):
        platforms.collect(assignment, tmp_path / "bad.zip")
    assert list((tmp_path / "submitted").iterdir()) == []


@pytest.mark.parametrize("around", ["Blatt_tic_1/", "a/b/", "Neu/Blatt_tic_1/", "Blatt_zu_tic_1/"])
@pytest.mark.parametrize("platform", ZIPS)
def test_folders_around_all_submissions_are_nobodys(assignment, tmp_path, platform, around):
    """Is a zip that was packed again read as the platform's own, whatever its folder is called?"""
    entries = {f"{around}{name}": time for name, time in ZIPS[platform].items()}
    file = packed(tmp_path / "all.zip", {**entries, "__MACOSX/._x": OLD})
    if around == "Blatt_zu_tic_1/" and platform is Platform.CANVAS:
        with pytest.raises(CourseError, match=r"may be a student's.*pack again what is in it"):
            platforms.collect(assignment, file)
        packed(file, ZIPS[platform])
    done = platforms.collect(assignment, file)
    assert {name: one.key for name, one in done.keys.items()} == KEYS[platform]


@pytest.mark.parametrize(
    "folder", ["Eve_15_assignsubmission_file/Ada_1{}_assignsubmission_file", "Evil_Eve_eve_15"]
)
def test_who_hands_in_alone_cannot_be_others(assignment, tmp_path, folder):
    """Is the folder of the only student not taken for one around those of others?"""
    entries = {f"{folder.format(n)}/ada_1{n}_98{n}_numbers.ipynb": OLD for n in range(2)}
    with contextlib.suppress(CourseError):
        platforms.collect(assignment, packed(tmp_path / "all.zip", entries))
    assert set(intake.students(tmp_path, small.NAME)) <= {"Eve"}


@pytest.mark.parametrize("names", [("Ada", "ADA"), ("\xe4da", "A\u0308DA"), ("Jan Li", "jan li")])
def test_names_that_a_disk_takes_for_the_same_are_told_apart(assignment, tmp_path, names):
    """Has each a folder that no disk confuses with another, also when they come in two zips?"""
    entries = [f"{name}_{n}_assignsubmission_file/n.ipynb" for n, name in enumerate(names)]
    for entry in entries:
        done = platforms.collect(assignment, packed(tmp_path / "all.zip", {entry: OLD}))
    assert [name[-4:] == " (1)" for name in done.keys] == [False, True]
    platforms.book(assignment).unlink()
    done = platforms.collect(assignment, packed(tmp_path / "all.zip", dict.fromkeys(entries, OLD)))
    assert [name[-4:] for name in done.keys] == [" (0)", " (1)"]


def test_what_is_no_zip_is_said(assignment, tmp_path):
    """Is a damaged download a sentence?"""
    (tmp_path / "bad.zip").write_bytes(b"PK\3\4 and no more")
    with pytest.raises(CourseError, match="download it from the platform again"):
        platforms.collect(assignment, tmp_path / "bad.zip")


def test_what_cannot_be_collected_is_told_and_stops_nobody_else(assignment, tmp_path):
    """Is a name told that no student can have, and a notebook that is too large, and why?"""
    with zipfile.ZipFile(tmp_path / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number, name in enumerate(["<b>", "Ada", "Eve"]):
            size = intake.MAX_BYTES + (name == "Eve")
            archive.writestr(f"{name}_{number}_assignsubmission_file/n.ipynb", bytes(size))
    done = platforms.collect(assignment, tmp_path / "all.zip")
    assert list(done.keys) == ["Ada"] and set(done.refused) == {"<b>", "Eve"}
    assert "called" in done.refused["<b>"] and "20,971,520 bytes" in done.refused["Eve"]
    assert [folder.name for folder in (tmp_path / "submitted").iterdir() if folder.is_dir()] == [
        "Ada"
    ]


def test_a_namesake_in_a_later_zip_is_another_student(assignment, tmp_path):
    """Is the work of one never put in the place of another's, and a known one called as before?"""
    for number, name in ((1, "Jan"), (2, "Jan (2)"), (1, "Jan"), (2, "Jan (2)")):
        entries = {f"Jan_{number}_assignsubmission_file/n.ipynb": OLD}
        done = platforms.collect(assignment, packed(tmp_path / "all.zip", entries))
        notebook = tmp_path / "submitted" / name / small.NAME / "numbers.ipynb"
        assert notebook.read_text() == next(iter(entries))
    assert list(done.keys) == ["Jan", "Jan (2)"]


def test_a_link_in_the_place_of_a_notebook_is_not_followed(assignment, tmp_path):
    """Does collecting again never write through what lies in a student's folder?"""
    entries = {"Ada_2_assignsubmission_file/n.ipynb": OLD}
    (tmp_path / "secret").write_text("mine")
    platforms.collect(assignment, packed(tmp_path / "all.zip", entries))
    notebook = tmp_path / "submitted" / "Ada" / small.NAME / "numbers.ipynb"
    notebook.unlink()
    notebook.symlink_to(tmp_path / "secret")
    platforms.collect(assignment, tmp_path / "all.zip")
    assert (tmp_path / "secret").read_text() == "mine"
    assert notebook.read_text() == next(iter(entries))
