"""Locks of a user's processes: files that block nothing once their process has ended."""

import os
import subprocess
import sys

import pytest

from msgrad.engine.processes import locks


@pytest.fixture
def ended():
    """The number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        pass
    return process.pid


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(locks, "_folder", lambda: str(tmp_path))
    monkeypatch.setattr(locks, "_WRITES", 0.2)
    return tmp_path


def test_a_name_is_locked_once():
    lock = locks.acquire("rank 0 at [::1]:80")
    with pytest.raises(locks.Held) as held:
        locks.acquire("rank 0 at [::1]:80")
    assert held.value.process == os.getpid()
    locks.acquire("rank 1 at [::1]:80").close()
    assert lock.told() == ""
    locks.tell("rank 0 at [::1]:80", "words")
    assert lock.told() == "words" and lock.told() == ""
    lock.close()
    locks.tell("rank 0 at [::1]:80", "words")
    assert not os.path.exists(lock.path)
    lock = locks.acquire("rank 0 at [::1]:80")
    assert lock.told() == ""
    lock.close()


def test_a_file_that_is_left_blocks_nothing(folder, ended):
    (folder / "name").write_text(f"{ended}\nwords")
    locks.tell("name", "more words")
    lock = locks.acquire("name")
    assert (folder / "name").read_text() == f"{os.getpid()}\n" and lock.told() == ""
    lock.close()


def test_a_child_may_hold_the_lock_of_a_process_that_has_ended(folder, ended):
    lock = locks.acquire("name")
    (folder / "name").write_text(f"{ended}\n")
    with pytest.raises(locks.Held) as held:
        locks.acquire("name")
    assert held.value.process is None
    lock.close()


def test_many_files_that_are_left_are_removed(folder):
    kept = locks.acquire("kept")
    for number in range(300):
        (folder / str(number)).touch()
    lock = locks.acquire("name")
    assert sorted(os.listdir(folder)) == ["kept", "name"]
    for each in (kept, lock):
        each.close()


def test_a_link_is_not_followed(folder):
    (folder / "elsewhere").write_text("content")
    (folder / "name").symlink_to(folder / "elsewhere")
    assert locks.acquire("name") is None and (folder / "elsewhere").read_text() == "content"
